"""Writes ppr.json: graphs with the personalised PageRank that networkx gives their nodes.

    pip install networkx scipy
    python -m tests.vectors.make_ppr

networkx is not among our requirements: who changes the vectors installs it. Its own
tolerance is far below the default, at which its scores are off by more than ours.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx

PATH = Path(__file__).with_name("ppr.json")
SEED = 2024
CASES = 24
TYPES = ("A", "B", "C")

ABOUT = [
    "Personalised PageRank by networkx: the same for every implementation.",
    "Written by tests/vectors/make_ppr.py (seeded); do not edit.",
    "nodes: how many; they are 0, 1, 2, … relationships: [source, target, type].",
    "seeds: [node, weight]. config: that of isomatch.ppr.stream, where not the default.",
    "scores: of all nodes, in order.",
]


def cases() -> Iterator[dict[str, Any]]:
    """Small graphs with loops, parallel relationships and dead ends; two of 1,000 nodes."""
    rng = random.Random(SEED)
    for number in range(CASES):
        nodes = rng.randint(1, 12)
        graph = _graph(rng, nodes, rng.randint(0, 3 * nodes))
        config: dict[str, Any] = {"direction": ("any", "out", "in")[number % 3]}
        if rng.random() < 0.3:
            config["damping"] = rng.choice((0.0, 0.5, 0.95))
        if rng.random() < 0.3:
            config["relations"] = rng.sample(TYPES, rng.randint(1, 2))
        weights = [1.0, 1.0, 2.5, 0.25] if rng.random() < 0.5 else [1.0]
        yield _case(f"small {number}", graph, _seeds(rng, nodes, weights), config)
    graph = _graph(rng, 1000, 5000)
    for direction in ("any", "out"):
        seeds = [(node, 1.0) for node in rng.sample(range(1000), 5)]
        yield _case(f"1,000 nodes, {direction}", graph, seeds, {"direction": direction})


def _graph(rng: random.Random, nodes: int, relationships: int) -> nx.MultiDiGraph:
    """Ends by a skewed draw: some nodes have many relationships, some have none."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(nodes))
    for _ in range(relationships):
        source, target = rng.randrange(nodes), int(nodes * rng.random() ** 2)
        graph.add_edge(source, target, type=rng.choice(TYPES))
    return graph


def _seeds(rng: random.Random, nodes: int, weights: list[float]) -> list[tuple[int, float]]:
    chosen = rng.sample(range(nodes), rng.randint(1, min(nodes, 3)))
    return [(node, rng.choice(weights)) for node in chosen]


def _case(
    name: str, graph: nx.MultiDiGraph, seeds: list[tuple[int, float]], config: dict[str, Any]
) -> dict[str, Any]:
    types = config.get("relations", TYPES)
    direction = config["direction"]
    walked = nx.MultiGraph() if direction == "any" else nx.MultiDiGraph()
    walked.add_nodes_from(graph)
    walked.add_edges_from(e[:2] for e in graph.edges(data="type") if e[2] in types)
    if direction == "in":
        walked = walked.reverse()
    scores = nx.pagerank(
        walked,
        alpha=config.get("damping", 0.85),
        personalization=dict(seeds),
        tol=1e-15,
        max_iter=2000,
    )
    return {
        "name": name,
        "nodes": len(graph),
        "relationships": [list(edge) for edge in graph.edges(data="type")],
        "seeds": [list(seed) for seed in seeds],
        "config": config,
        "scores": [round(scores[node], 12) for node in graph],
    }


def main() -> None:
    """Write the file: a line a case."""
    lines = ",\n".join(json.dumps(case) for case in cases())
    about = json.dumps([*ABOUT, f"networkx {nx.__version__}."], indent=1, ensure_ascii=False)
    PATH.write_text(f'{{"about": {about},\n"cases": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()

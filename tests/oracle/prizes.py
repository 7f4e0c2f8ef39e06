"""Graphs with prizes at random, and the best connected part and paths by looking at all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np

from isomatch.prizes.graph import PrizeGraph, root

COSTS = (0.0, 1 / 3, 0.37, 0.5, 1.0, 2.0, 4.0, 7.0, 0.123456789)


def random_graph(nodes: int, edges: int, k: int, cost: float, seed: int) -> PrizeGraph:
    """A connected graph with k prizes on nodes and k on edges, as of a question."""
    chosen = np.random.default_rng(seed)
    tree = [(int(chosen.integers(0, i)), i) for i in range(1, nodes)]
    more = chosen.integers(0, nodes, (max(0, edges - len(tree)), 2)).tolist()
    ends = np.array([*tree, *more], np.int64).reshape(-1, 2)
    prizes = [np.zeros(nodes), np.zeros(len(ends))]
    for some in prizes:
        best = chosen.permutation(len(some))[:k]
        some[best] = k - np.arange(len(best))
    return PrizeGraph.of((ends[:, 0], ends[:, 1]), *prizes, cost)


def any_graph(seed: int, most: int = 12) -> PrizeGraph:
    """A graph of up to some nodes: parallel edges, loops, several parts, uneven numbers."""
    chosen = np.random.default_rng(seed)
    nodes, k = int(chosen.integers(1, most + 1)), int(chosen.integers(1, 7))
    cost = float(chosen.choice(COSTS))
    graph = random_graph(nodes, int(chosen.integers(0, 3 * nodes + 1)), k, cost, seed)
    keep = chosen.random(len(graph.heads)) < chosen.choice([0.6, 1.0])
    ends = graph.heads[keep], graph.tails[keep]
    if chosen.random() < 0.3:
        costs = chosen.random(len(ends[0])) * cost
        return PrizeGraph.of(
            ends, graph.nodes * chosen.random(nodes), graph.edges[keep] * 0.7, costs
        )
    return PrizeGraph.of(ends, graph.nodes, graph.edges[keep], cost)


def best_score(graph: PrizeGraph, component: Sequence[int]) -> float:
    """The most that a connected part with nodes of one component scores."""
    nets = graph.nets
    order = sorted(range(len(nets)), key=lambda e: -nets[e])
    ends = [(int(graph.heads[e]), int(graph.tails[e]), float(nets[e])) for e in order]
    best = 0.0
    for chosen in range(1, 1 << len(component)):
        nodes = [node for bit, node in zip(count(), component, strict=False) if chosen >> bit & 1]
        group = {node: node for node in nodes}
        left, score = len(nodes), float(graph.nodes[nodes].sum())
        for head, tail, net in ends:
            if head in group and tail in group:
                first, second = root(group, head), root(group, tail)
                if net > 0 or first != second:
                    score += net
                if first != second:
                    group[first] = second
                    left -= 1
        if left == 1:
            best = max(best, score)
    return best


def all_paths(
    graph: PrizeGraph, starts: Sequence[int], length: int
) -> list[tuple[float, tuple[int, ...]]]:
    """The edges of every path of one edge up to so many from some nodes, with its score."""
    nets = graph.nets
    found: list[tuple[float, tuple[int, ...]]] = []

    def walk(nodes: list[int], edges: list[int], score: float) -> None:
        if edges:
            found.append((score, tuple(edges)))
        if len(edges) == length:
            return
        for edge in range(len(nets)):
            ends = [int(graph.heads[edge]), int(graph.tails[edge])]
            if nodes[-1] in ends and ends[0] != ends[1]:
                other = ends[1] if ends[0] == nodes[-1] else ends[0]
                if other not in nodes:
                    gained = float(graph.nodes[other] + nets[edge])
                    walk([*nodes, other], [*edges, edge], score + gained)

    for start in dict.fromkeys(starts):
        walk([start], [], float(graph.nodes[start]))
    return found

"""The plugin's personalised PageRank: how long it takes, and how far it is from networkx."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import neo4j
import numpy as np
from tests.bench.neo4j_large import LARGE, imported
from tests.bench.rows import Row, row
from tests.bench.synthetic_graph import SyntheticGraph
from tests.servers.neo4j import Neo4jServer
from tests.servers.plugin import plugin_jar

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "ppr.json"
SEEDS = 5
SETS, WARM_UP = 11, 4
SECONDS = 2.0
DIFFERENCE = 1e-6
CALL = (
    "CALL isomatch.ppr.stream($seeds, $config) YIELD node, score, residual, iterations, ended_by "
    "RETURN elementId(node) AS id, score, residual, iterations, ended_by"
)


def walks(lines: Sequence[str]) -> Iterator[Row]:
    """For each release line of the server."""
    for line in lines:
        yield from _against_networkx(line)
        graph = SyntheticGraph(LARGE)
        with imported(line, graph, plugins=(plugin_jar(),)) as driver:
            for direction in ("any", "out"):
                yield from _timed(line, driver, graph, {"direction": direction})


def _timed(
    line: str, driver: neo4j.Driver, graph: SyntheticGraph, config: Mapping[str, Any]
) -> Iterator[Row]:
    rng = np.random.default_rng(graph.seed)
    times, given, residuals, iterations = [], [], [], []
    for _ in range(WARM_UP + SETS):
        seeds = _element_ids(driver, rng.integers(graph.nodes, size=SEEDS).tolist())
        started = perf_counter()
        records = driver.execute_query(CALL, seeds=seeds, config=config).records
        times.append(perf_counter() - started)
        given.append(len(records))
        residuals.append(records[0]["residual"])
        iterations.append(records[0]["iterations"])
    title = (
        f"Neo4j {line}, {graph.nodes:,} nodes, {len(graph.type):,} relationships: "
        f"PageRank from {SEEDS} seeds, direction {config['direction']}"
    )
    note = f"{SETS} sets of seeds, from the driver's call to its last row; published parameters"
    measured = times[WARM_UP:]
    yield row(f"{title}, median", median(measured), "s", at_most=SECONDS, note=note)
    yield row(f"{title}, worst", max(measured), "s", note=note)
    yield row(f"{title}: first call", times[0], "s")
    yield row(f"{title}: nodes given, median", median(given[WARM_UP:]), "")
    yield row(f"{title}: iterations, most", max(iterations), "")
    yield row(f"{title}: residual, most", max(residuals), "", at_most=DIFFERENCE)


def _element_ids(driver: neo4j.Driver, numbers: Sequence[int]) -> list[str]:
    query = "MATCH (n) WHERE n.id IN $numbers RETURN elementId(n) AS id"
    return [r["id"] for r in driver.execute_query(query, numbers=numbers).records]


def _against_networkx(line: str) -> Iterator[Row]:
    """On the graph of 1,000 nodes of the vectors, which networkx wrote."""
    cases = [c for c in json.loads(VECTORS.read_text("utf-8"))["cases"] if c["nodes"] == 1000]
    with TemporaryDirectory(prefix="isomatch-bench-") as folder:
        server = Neo4jServer(line, Path(folder), plugins=(plugin_jar(),), brief=True)
        with server, server.driver() as driver:
            ids = _write(driver, cases[0])
            for case in cases:
                seeds = [[ids[node], weight] for node, weight in case["seeds"]]
                config = {"threshold": 0, **case["config"]}
                records = driver.execute_query(CALL, seeds=seeds, config=config).records
                scores = {record["id"]: record["score"] for record in records}
                differences = [
                    abs(scores.get(id, 0.0) - expected)
                    for id, expected in zip(ids, case["scores"], strict=True)
                ]
                yield row(
                    f"Neo4j {line}, PageRank of {case['name']}: most from networkx's",
                    max(differences),
                    "",
                    at_most=DIFFERENCE,
                    note=f"vectors of tests/vectors/make_ppr.py, with seeds {case['seeds']}",
                )


def _write(driver: neo4j.Driver, case: Mapping[str, Any]) -> list[str]:
    """Element ids by number."""
    made = "UNWIND range(0, $nodes - 1) AS n CREATE (m {n: n}) RETURN elementId(m) AS id ORDER BY n"
    ids = [r["id"] for r in driver.execute_query(made, nodes=case["nodes"]).records]
    for type in sorted({r[2] for r in case["relationships"]}):
        ends = [[ids[s], ids[t]] for s, t, of in case["relationships"] if of == type]
        driver.execute_query(
            "UNWIND $ends AS ends MATCH (s) WHERE elementId(s) = ends[0] "
            f"MATCH (t) WHERE elementId(t) = ends[1] CREATE (s)-[:`{type}`]->(t)",
            ends=ends,
        )
    return ids

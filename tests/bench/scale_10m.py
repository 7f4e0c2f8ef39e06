"""Ten times the size of the other figures, by hand: an hour and more, 45 GB of disk.

`python -m tests.bench.bench --only scale-10m` indexes ten million names and finds the nearest of
them, loads ten million triples, and has Neo4j import ten million nodes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from tests.bench.neo4j_large import HOPS, large, match_stages, searches_of
from tests.bench.rows import Row, row
from tests.bench.started import started
from tests.bench.synthetic_graph import DEGREE, NODE, RELATION, SyntheticGraph

from isomatch.schema.counts import Counts
from isomatch.schema.introspect import introspect
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore

COMPARED = 1000  # texts whose nearest names are compared with numpy's


def ten_times(
    data: Path, many: int, lines: Sequence[str], compared: int = COMPARED
) -> Iterator[Row]:
    """Names, triples and nodes ten times as many as ``many``, and growth from there."""
    yield from started(data, 10 * many, compared=compared)
    yield from embedded((many, 10 * many))
    yield from large(lines, (many, 10 * many))


def embedded(sizes: tuple[int, int]) -> Iterator[Row]:
    """The embedded store with so many triples: load, open, schema, searches of three hops."""
    grown = []
    for triples in sizes:
        graph, title = SyntheticGraph(triples // DEGREE), f"embedded, {triples:,} triples"
        with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
            file, target = Path(folder, "graph.nt"), Path(folder, "graph")
            graph.write_triples(file)
            started_at = perf_counter()
            load([file], target)
            yield row(f"{title}: load", perf_counter() - started_at, "s")
            file.unlink()
            started_at = perf_counter()
            with OxigraphStore.open(target) as store:
                yield row(f"{title}: open", perf_counter() - started_at, "s", at_most=2)
                started_at = perf_counter()
                schema = introspect(store, kept=Counts(store))
                yield row(f"{title}: schema", perf_counter() - started_at, "s")
                searches = searches_of(
                    graph, lambda some: {n: f"{NODE}{n}" for n in some}, triples, RELATION
                )
                times, _, ended = match_stages(searches, store, schema)
        note = f"a budget ended {ended} searches"
        for key, value in times.items():
            yield row(f"{title}: match stage of {HOPS} hops, {key}", value, "ms", note=note)
        grown.append(times["p50"])
    name = f"embedded: match stage, growth to {sizes[1]:,} triples, p50"
    yield row(name, grown[1], "ms", baseline=grown[0], ratio_at_most=1.6)

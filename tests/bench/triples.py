"""Distance encodings of a neighbourhood of 20,000 triples."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import perf_counter

import numpy as np
from tests.bench.rows import Row, row

from isomatch.triples.features import node_encodings

TRIPLES, NODES, TIMES = 20_000, 10_000, 50


def encodings() -> Iterator[Row]:
    """Median and worst time of the encodings of a random graph, two topics in it."""
    chosen = np.random.default_rng(2014)
    heads, tails = chosen.integers(0, NODES, (2, TRIPLES))
    topics = np.array([0, 1])
    times = []
    for _ in range(TIMES):
        started = perf_counter()
        of_nodes = node_encodings(heads, tails, topics, NODES)
        np.concatenate([of_nodes[heads], of_nodes[tails]], axis=1)
        times.append((perf_counter() - started) * 1e3)
    title = f"distance encodings of {TRIPLES:,} triples"
    yield row(f"{title}, median", median(times), "ms", at_most=30)
    yield row(f"{title}, worst of {TIMES}", max(times), "ms")

"""Best-first paths against all paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.prizes import all_paths, any_graph
from tests.shared import examples

from isomatch.prizes.graph import PrizeGraph
from isomatch.prizes.paths import best_paths


@settings(max_examples=examples(150))
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 3))
def test_the_paths_are_the_best_of_all(seed: int, count: int, length: int):
    graph = any_graph(seed, most=7)
    starts = np.argsort(-graph.nodes, kind="stable")[:3].tolist()
    found = best_paths(graph, starts, count, length)
    everything = all_paths(graph, starts, length)
    scores = {edges: score for score, edges in everything}
    assert not found.ended
    assert bool(found.paths) == bool(everything)
    for path in found.paths:
        assert path.score == pytest.approx(scores[path.edges])
    given_scores = [path.score for path in found.paths]
    assert given_scores == sorted(given_scores, reverse=True)
    if found.paths:
        assert given_scores[0] == pytest.approx(max(scores.values()))
    # What is better than the last one and not given is the start of one that is, adds to one
    # that is, or is one backwards.
    last = given_scores[-1] if len(found.paths) == count else float("-inf")
    kept = [path.edges for path in found.paths]
    for score, edges in everything:
        if score > last + 1e-9 and edges not in kept:
            assert any(
                edges == other[::-1]
                or edges[: min(len(edges), len(other))] == other[: min(len(edges), len(other))]
                for other in kept
            )


def test_no_path_is_the_start_of_another():
    graph = PrizeGraph.of(([0, 1, 1], [1, 2, 3]), [5, 5, 0, 4], [0, 0, 0], 1)
    found = best_paths(graph, [0], 5, 2)
    assert [(path.edges, path.score) for path in found.paths] == [((0, 2), 12), ((0, 1), 8)]
    assert [p.edges for p in best_paths(graph, [0], 5, 1).paths] == [(0,)]
    without_use = PrizeGraph.of(([0, 1], [1, 2]), [5, 5, 0], [0, 0], 1)
    assert [p.edges for p in best_paths(without_use, [0], 5, 2).paths] == [(0,)]


def test_a_search_without_end_says_so():
    size = 60
    ends = [(a, b) for a in range(size) for b in range(a)]
    graph = PrizeGraph.of(tuple(zip(*ends, strict=True)), [0] * size, [0] * len(ends), 0)
    found = best_paths(graph, range(5), 500, 6, most=50)
    assert found.ended
    assert found.rest >= 0

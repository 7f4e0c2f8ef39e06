"""Rankings of triples on a small graph of films."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.triples.pagerank import DAMPING, pagerank
from isomatch.triples.ranking import order

node = st.integers(0, 5)


@given(st.lists(st.tuples(node, node), max_size=12), st.integers(1, 3))
def test_pagerank_solves_its_equation(pairs: list[tuple[int, int]], topics: int):
    heads, tails = np.array(pairs, np.int64).reshape(-1, 2).T
    moves = np.zeros((6, 6))
    for head, tail in pairs:
        moves[head, tail] += 1
        moves[tail, head] += 1
    restart = np.array([1.0 / topics] * topics + [0.0] * (6 - topics))
    rows = moves.sum(1, keepdims=True)
    chances = np.where(rows > 0, moves / np.maximum(rows, 1), restart)
    expected = np.linalg.solve(np.eye(6) - DAMPING * chances.T, (1 - DAMPING) * restart)
    found = pagerank(heads, tails, topics, 6)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert found.sum() == pytest.approx(1.0)


def test_pagerank_from_nowhere_is_nothing():
    assert pagerank(np.array([0]), np.array([1]), 0, 2).tolist() == [0.0, 0.0]


def test_pagerank_of_a_large_graph_is_the_same(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("scipy")
    heads, tails = np.random.default_rng(7).integers(0, 50, (2, 300))
    ours = pagerank(heads, tails, 3, 60)
    monkeypatch.setattr("isomatch.triples.pagerank._LARGE", 1)
    np.testing.assert_allclose(pagerank(heads, tails, 3, 60), ours, atol=1e-9)


def test_equal_scores_stay_in_order_whatever_the_noise():
    scores = np.array([0.5, 0.5 + 1e-9, 0.9, 0.5 - 1e-9])
    assert order(scores).tolist() == [2, 0, 1, 3]


def test_small_scores_differ_too():
    scores = np.array([0.0, 1.1e-7, 3e-9, 1.2e-7, -1.0], np.float32)
    assert order(scores).tolist() == [3, 1, 2, 0, 4]
    assert order(np.array([])).tolist() == []

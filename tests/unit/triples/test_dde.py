"""Directional distance encodings, against a slow implementation over dictionaries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.triples.features import node_encodings

Pairs = list[tuple[int, int]]
NODES = 6


def slowly(pairs: Pairs, topics: list[int], rounds: int) -> list[list[float]]:
    """Section 3.1 of SubgraphRAG, word for word."""
    start = {n: (1.0, 0.0) if n in topics else (0.0, 1.0) for n in range(NODES)}
    found = {n: list(start[n]) for n in range(NODES)}
    for turned in (False, True):
        level = start
        for _ in range(rounds):
            after = {}
            for n in range(NODES):
                into = [
                    level[t] if turned else level[h] for h, t in pairs if (h, t)[not turned] == n
                ]
                after[n] = tuple(sum(s[i] for s in into) / (len(into) or 1) for i in (0, 1))
            level = after
            for n in range(NODES):
                found[n] += level[n]
    return [found[n] for n in range(NODES)]


def places(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    heads, tails = np.array(pairs, np.int64).reshape(-1, 2).T
    return heads, tails


node = st.integers(0, NODES - 1)


@given(
    st.lists(st.tuples(node, node), max_size=12),
    st.lists(node, max_size=3, unique=True),
    st.integers(0, 3),
)
def test_the_encoding_is_that_of_the_paper(pairs: Pairs, topics: list[int], rounds: int):
    heads, tails = places(pairs)
    found = node_encodings(heads, tails, np.array(topics, np.int64), NODES, rounds)
    assert found.shape == (NODES, 2 + 4 * rounds)
    np.testing.assert_allclose(found, slowly(pairs, topics, rounds), atol=1e-6)


def test_a_path_worked_by_hand():
    # topic 0 → 1 → 2, and 3 → 1
    heads, tails = places([(0, 1), (1, 2), (3, 1)])
    found = node_encodings(heads, tails, np.array([0]), 4, 2)
    expected = {
        # itself | forward, rounds 1 and 2 | backward, rounds 1 and 2
        0: [1, 0, 0, 0, 0, 0, 0, 1, 0, 1],
        1: [0, 1, 0.5, 0.5, 0, 0, 0, 1, 0, 0],
        2: [0, 1, 0, 1, 0.5, 0.5, 0, 0, 0, 0],
        3: [0, 1, 0, 0, 0, 0, 0, 1, 0, 1],
    }
    np.testing.assert_array_equal(found, [expected[n] for n in range(4)])


@pytest.mark.parametrize("topics", [[], [0, 1]])
def test_no_topic_or_all_of_them(topics: list[int]):
    heads, tails = places([(0, 1)])
    found = node_encodings(heads, tails, np.array(topics, np.int64), 2, 1)
    is_topic = [0.0, 1.0] if not topics else [1.0, 0.0]
    assert found[:, :2].tolist() == [is_topic, is_topic]
    assert found[1, 2:4].tolist() == is_topic

"""Features that say how like the question the ways to a node are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isomatch.triples.features import (
    node_features,
    node_similarities,
    node_width,
    relation_features,
    relation_width,
)
from isomatch.triples.neighbourhood import Neighbourhood

Rows = Sequence[tuple[int, int, int]]
place = st.integers(0, 4)
rows = st.lists(st.tuples(place, st.integers(0, 2), place), max_size=12)
COSINES = np.array([-0.5, 0.1, 0.7], np.float32)


def by_hand(triples: Rows, node: int) -> list[float]:
    """The best ways to a node from topic 0, each looked at one by one."""
    both = [(h, COSINES[r], t) for h, r, t in triples] + [(t, COSINES[r], h) for h, r, t in triples]
    near = {n: max((c for h, c, t in both if (h, t) == (0, n)), default=None) for n in range(5)}
    over = [(near[h] + c) / 2 for h, c, t in both if t == node != 0 != h and near[h] is not None]
    own = [c for h, c, _ in both if h == node]
    return [near[node] or 0.0, max(over, default=0.0), max(own, default=0.0)]


@given(rows)
def test_the_best_ways_are_those_found_one_by_one(triples: Rows):
    heads, links, tails = np.array(triples, np.int64).reshape(-1, 3).T
    names = np.linspace(0, 1, 5, dtype=np.float32)
    found = node_similarities(names, COSINES, (heads, links, tails), 1)
    np.testing.assert_allclose(found[:, 0], names)
    np.testing.assert_allclose(
        found[:, 1:4], [by_hand(triples, node) for node in range(5)], atol=1e-6
    )
    assert np.isfinite(found).all()


def test_the_published_form_has_encodings_and_vectors_alone():
    hood = Neighbourhood(
        ("a", "b"), ("a", "b"), ("r",), np.array([0]), np.array([0]), np.array([1]), 1
    )
    question = np.array([0.6, 0.8], np.float32)
    nodes, relations = np.eye(2, dtype=np.float32), np.array([[0.8, 0.6]], np.float32)
    plain = node_features(hood, question, nodes, relations, "published")
    fuller = node_features(hood, question, nodes, relations, "similar")
    np.testing.assert_array_equal(fuller[:, : node_width("published")], plain)
    assert fuller.shape == (2, node_width("similar"))
    np.testing.assert_allclose(fuller[:, 10], [0.6, 0.8])  # cosines of the names
    np.testing.assert_allclose(fuller[:, 11], [0.0, 0.96])  # the relation on the way
    np.testing.assert_array_equal(relation_features(question, relations, "published"), relations)
    made = relation_features(question, relations, "similar")
    assert made.shape == (1, relation_width("similar", 2))
    np.testing.assert_allclose(made[0], [0.8, 0.6, 4.8, 4.8, 0.48, 0.0], rtol=1e-6)

"""ATS, SC2D and SD2, against networkx and by hand."""

from __future__ import annotations

from collections import defaultdict

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from tests.shared import examples
from tests.unit.perturb.graphs import GRAPHS, FixedPredictor, facts_of, rows_of

from isomatch.perturb.similarity import ats, clustering, degrees, likeness
from isomatch.perturb.types import Facts


def _mean_vectors(facts: Facts) -> tuple[np.ndarray, np.ndarray]:
    """Mean clustering coefficients and degrees, by networkx."""
    by_relation = defaultdict(list)
    for head, link, tail in rows_of(facts):
        by_relation[link].append((head, tail))
    coefficients, counts = np.zeros(facts.nodes), np.zeros(facts.nodes)
    for pairs in by_relation.values():
        simple = networkx.Graph([(h, t) for h, t in pairs if h != t])
        for node, coefficient in networkx.clustering(simple).items():
            coefficients[node] += coefficient
        for node, degree in networkx.MultiGraph(pairs).degree():
            counts[node] += degree
    return coefficients / len(by_relation), counts / len(by_relation)


def _similarity(one: np.ndarray, other: np.ndarray) -> float:
    distance = np.linalg.norm(one - other)
    return 1 - distance / (distance + 1)


@settings(max_examples=examples(200))
@given(before=GRAPHS, after=GRAPHS)
def test_vectors_and_similarities_are_those_of_networkx(before: Facts, after: Facts):
    size = max(before.nodes, after.nodes)
    before, after = (facts_of(set(rows_of(f)), [0] * size, f.relations) for f in (before, after))
    theirs = [_mean_vectors(facts) for facts in (before, after)]
    for facts, (coefficients, counts) in zip((before, after), theirs, strict=True):
        assert clustering(facts) == pytest.approx(coefficients)
        assert degrees(facts) == pytest.approx(counts)
    found = likeness(before, after)
    assert found.sc2d == pytest.approx(_similarity(theirs[0][0], theirs[1][0]))
    assert found.sd2 == pytest.approx(_similarity(theirs[0][1], theirs[1][1]))
    assert found.ats is None


def test_larger_graphs_with_hubs_agree_with_networkx():
    chosen = np.random.default_rng(5)
    heads, tails = chosen.integers(0, 60, 900), chosen.integers(0, 60, 900)
    heads[:200] = 0
    rows = set(
        zip(heads.tolist(), chosen.integers(0, 3, 900).tolist(), tails.tolist(), strict=True)
    )
    facts = facts_of(rows, [0] * 60, 3)
    coefficients, counts = _mean_vectors(facts)
    assert coefficients.max() > 0.2
    assert clustering(facts) == pytest.approx(coefficients)
    assert degrees(facts) == pytest.approx(counts)


def test_likeness_is_that_worked_by_hand():
    triangle = facts_of({(0, 0, 1), (1, 0, 2), (0, 0, 2), (0, 1, 3)}, [0] * 4, 2)
    opened = facts_of({(0, 0, 1), (1, 0, 2), (0, 0, 3), (0, 1, 3)}, [0] * 4, 2)
    found = likeness(triangle, opened)
    distance = np.sqrt(3 * 0.5**2)  # three nodes had a coefficient of 1, in one relation of two
    assert found.sc2d == pytest.approx(1 - distance / (distance + 1))
    distance = np.sqrt(2 * 0.5**2)  # one end has moved from node 2 to node 3
    assert found.sd2 == pytest.approx(1 - distance / (distance + 1))
    assert likeness(triangle, triangle, FixedPredictor()).sd2 == 1.0


def test_a_relation_without_facts_is_none_of_the_copy():
    """The mean is over the relations of each graph, so that losing one changes all degrees."""
    before = facts_of({(0, 0, 1), (2, 1, 3)}, [0] * 4, 2)
    after = facts_of({(0, 0, 1), (2, 0, 3)}, [0] * 4, 2)
    assert likeness(before, after).sd2 == pytest.approx(0.5)  # each degree from 0.5 to 1


def test_ats_is_a_mean_and_0_without_facts():
    facts = facts_of({(0, 0, 1), (1, 0, 2)}, [0] * 3, 1)
    assert ats(facts, FixedPredictor()) == pytest.approx((5 / 11 + 17 % 11 / 11) / 2)
    assert ats(facts_of(set(), [0], 1), FixedPredictor()) == 0.0
    assert likeness(facts, facts_of(set(), [0] * 3, 1), FixedPredictor()).ats == 0.0

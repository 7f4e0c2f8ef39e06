"""What the four methods change, and what they leave."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.perturb.graphs import GRAPHS, FixedPredictor, facts_of, rows_of

from isomatch.errors import ConfigurationError
from isomatch.perturb import Perturbation
from isomatch.perturb.methods import Changed, perturbed
from isomatch.perturb.similarity import degrees, likeness
from isomatch.perturb.types import METHODS, Facts, parse_all

LEVELS = st.floats(0, 1)
SEEDS = st.integers(0, 1000)


class _Fit(FixedPredictor):
    """Of as many relations as the facts have."""

    def __init__(self, facts: Facts):
        self.relations = facts.relations

    def by_relation(self, heads, tails):  # type: ignore[no-untyped-def]
        return super().by_relation(heads, tails)[:, : self.relations]


def change(facts: Facts, method: str, level: float, seed: int = 1) -> Changed:
    """The facts after a perturbation; an example is passed over where none can be changed."""
    try:
        return perturbed(facts, Perturbation(method, level, seed), _Fit(facts))
    except ConfigurationError:
        assume(False)
        raise


@settings(max_examples=examples(200))
@given(facts=GRAPHS, level=LEVELS, seed=SEEDS)
def test_deletion_removes_exactly_the_level(facts: Facts, level: float, seed: int):
    found = change(facts, "ED", level, seed)
    assert len(found.facts) == len(facts) - round(level * len(facts))
    assert found.changed == found.wanted == round(level * len(facts))
    assert set(rows_of(found.facts)) <= set(rows_of(facts))


@settings(max_examples=examples(200))
@given(facts=GRAPHS, method=st.sampled_from(["RS", "RR", "ER"]), level=LEVELS, seed=SEEDS)
def test_what_is_changed_is_wrong_and_facts_stay_a_set(
    facts: Facts, method: str, level: float, seed: int
):
    found = change(facts, method, level, seed)
    before, after = rows_of(facts), rows_of(found.facts)
    assert len(after) == len(before) == len(set(after))
    others = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(others) == found.changed <= round(level * len(facts))
    assert all(new not in before for _, new in others)
    kinds = facts.kinds.tolist()
    near = {(h, t) for h, _, t in before} | {(t, h) for h, _, t in before}
    for (a, r, b), (c, s, d) in others:
        assert a == c
        if method == "ER":
            assert r == s
            assert (a, d) not in near
            assert d != a
            assert kinds[b] == kinds[d]
        else:
            assert b == d


@settings(max_examples=examples(200))
@given(facts=GRAPHS, level=LEVELS, seed=SEEDS)
def test_swapping_keeps_degrees_and_the_number_of_each_relation(
    facts: Facts, level: float, seed: int
):
    found = change(facts, "RS", level, seed)
    assert found.changed % 2 == 0
    assert Counter(found.facts.links.tolist()) == Counter(facts.links.tolist())
    assert likeness(facts, found.facts).sd2 == 1.0
    assert np.array_equal(degrees(facts), degrees(found.facts))


@settings(max_examples=examples(200))
@given(facts=GRAPHS, seed=SEEDS)
def test_replacement_takes_the_relation_that_fits_least(facts: Facts, seed: int):
    found = change(facts, "RR", 0.3, seed)
    scores = _Fit(facts).by_relation(facts.heads, facts.tails)
    before = set(rows_of(facts))
    for place, (old, new) in enumerate(zip(rows_of(facts), rows_of(found.facts), strict=True)):
        if old != new:
            taken = {(old[0], r, old[2]) for r in range(facts.relations)} & {
                *before,
                *(set(rows_of(found.facts)) - {new}),
            }
            free = [r for r in range(facts.relations) if (old[0], r, old[2]) not in taken]
            assert scores[place, new[1]] == min(scores[place, r] for r in free)


@settings(max_examples=examples(100))
@given(facts=GRAPHS, method=st.sampled_from(list(METHODS)), level=LEVELS, seed=SEEDS)
def test_a_seed_repeats_and_the_facts_given_are_left_alone(
    facts: Facts, method: str, level: float, seed: int
):
    before = rows_of(facts)
    first, again = (change(facts, method, level, seed) for _ in range(2))
    assert rows_of(first.facts) == rows_of(again.facts)
    assert rows_of(facts) == before


@settings(max_examples=examples(100))
@given(facts=GRAPHS, levels=st.lists(st.floats(0.1, 1), min_size=2, max_size=2))
def test_a_higher_level_deletes_what_a_lower_one_does(facts: Facts, levels: list[float]):
    low, high = (change(facts, "ED", level) for level in sorted(levels))
    assert set(rows_of(high.facts)) <= set(rows_of(low.facts))


def test_another_seed_changes_others():
    rows = {(i, i % 3, i + 1) for i in range(60)}
    facts = facts_of(rows, [0] * 61, 3)
    for method in METHODS:
        one, other = (rows_of(change(facts, method, 0.2, seed).facts) for seed in (1, 2))
        assert one != other


@pytest.mark.parametrize(
    ("method", "rows", "words"),
    [
        ("RS", {(0, 0, 1), (1, 0, 2)}, "no two of them could exchange"),
        ("RR", {(0, 0, 1), (1, 0, 2)}, "every relation"),
        ("ER", {(0, 0, 1), (1, 0, 2), (2, 0, 0)}, "no other target"),
    ],
)
def test_what_cannot_be_changed_is_an_error(method: str, rows: set, words: str):
    facts = facts_of(rows, [0, 0, 0], 1)
    with pytest.raises(ConfigurationError, match=words):
        perturbed(facts, Perturbation(method, 1.0), _Fit(facts))


def test_many_facts_of_one_relation_are_not_gone_through_again_and_again():
    rows = {(node, int(node < 100), node + 1) for node in range(50_000)}
    found = change(facts_of(rows, [0] * 50_001, 2), "RS", 1.0)
    assert (found.changed, found.wanted) == (200, 50_000)


def test_a_level_that_changes_nothing_is_an_error_and_0_is_none():
    facts = facts_of({(0, 0, 1), (1, 1, 2)}, [0, 0, 0], 2)
    with pytest.raises(ConfigurationError, match=r"ED:0\.1 changes none of the graph's 2 facts"):
        perturbed(facts, Perturbation("ED", 0.1))
    assert perturbed(facts, Perturbation("ED", 0.0)).facts is facts
    empty = facts_of(set(), [], 0)
    with pytest.raises(ConfigurationError, match="0 facts"):
        perturbed(empty, Perturbation("ED", 0.5))


def test_replacement_needs_a_predictor():
    with pytest.raises(ConfigurationError, match="RR needs a predictor"):
        perturbed(facts_of({(0, 0, 1)}, [0, 0], 2), Perturbation("RR", 1.0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("RS", "expected a method and a level"),
        ("RX:0.2", r"no perturbation is called 'RX'; did you mean R\w\?"),
        ("swap:0.2", "relation swapping"),
        ("RS:1.2", "from 0 to 1, not 1.2"),
        ("RS:-0.1", "from 0 to 1, not -0.1"),
        ("RS:nan", "'nan' is no number from 0 to 1"),
        ("RS:much", "'much' is no number"),
        ("RS:", "'' is no number"),
        ("RS:inf", "not inf"),
        ("RS:0.1,0.2", "several perturbations"),
        ("RS,ER:0.1", "several perturbations"),
    ],
)
def test_what_is_no_perturbation_is_refused(text: str, words: str):
    with pytest.raises(ConfigurationError, match=words):
        Perturbation.parse(text)


def test_a_level_of_nan_is_refused():
    with pytest.raises(ConfigurationError, match="not nan"):
        Perturbation("RS", math.nan)


def test_several_are_written_as_a_list():
    assert Perturbation.parse(" er : 0.50", seed=3) == Perturbation("ER", 0.5, 3)
    found = parse_all(["RS,ED:0.1,0.3", "rs:0.3", "RR:1"])
    assert [str(one) for one in found] == ["RS:0.1", "RS:0.3", "ED:0.1", "ED:0.3", "RR:1"]

"""The facts around some nodes, in the stores that need no server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.store.contract import StoreOf
from tests.unit.store.test_contract import embedded, in_rdflib
from tests.unit.triples.hoods import E, around, facts_of, hood
from tests.unit.triples.neighbourhood_contract import CASES, P, Q, turtle

from isomatch.triples.neighbourhood import Fact

NODES = [E + name for name in "abcdef"]
facts = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from([P, Q]), st.sampled_from([*NODES, '"v"'])),
    unique=True,
    max_size=14,
)


@pytest.mark.parametrize("store_of", [embedded, in_rdflib], ids=["embedded", "rdflib"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_embedded_stores_keep_the_neighbourhood_contract(
    case: Callable[[StoreOf], None], store_of: StoreOf
):
    case(store_of)


@pytest.mark.parametrize("store_of", [embedded, in_rdflib], ids=["embedded", "rdflib"])
def test_blank_nodes_are_walked_through(store_of: StoreOf):
    store = store_of(f'<{E}a> <{P}> [ <{Q}> <{E}b>, "x" ] .')
    found = hood(store, [E + "a"], [P, Q], hops=2)
    assert sorted(relation for _, relation, _ in facts_of(found)) == [P, Q, Q]


@settings(deadline=None, max_examples=examples(50))
@given(facts, st.lists(st.sampled_from(NODES), min_size=1, max_size=2, unique=True))
def test_a_neighbourhood_is_that_of_a_plain_search(facts: list[Fact], topics: list[str]):
    store = embedded(turtle(facts))
    for hops in (1, 2, 3):
        assert set(facts_of(hood(store, topics, [P, Q], hops=hops))) == around(facts, topics, hops)


@settings(deadline=None, max_examples=examples(50))
@given(facts, st.integers(1, 6), st.integers(1, 12))
def test_bounds_hold_and_choose_by_name(facts: list[Fact], cap: int, budget: int):
    topics = [E + "a"]
    forward = hood(embedded(turtle(facts)), topics, [P, Q], hops=3, cap=cap, budget=budget)
    backward = hood(embedded(turtle(facts[::-1])), topics, [P, Q], hops=3, cap=cap, budget=budget)
    assert facts_of(forward) == facts_of(backward)
    assert set(facts_of(forward)) <= around(facts, topics, 3)
    assert len(forward) <= budget
    if len(forward) < len(around(facts, topics, 3)):
        assert forward.notes

"""Which triples are on the way from topics to answers."""

from __future__ import annotations

from collections import deque

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isomatch.chains.graph import Step
from isomatch.learn.triples.data import on_chains, on_shortest_paths
from isomatch.triples.neighbourhood import Fact, Neighbourhood

FILMS: list[Fact] = [
    ("heat", "by", "mann"),
    ("ali", "by", "mann"),
    ("heat", "with", "pacino"),
    ("serpico", "with", "pacino"),
    ("serpico", "by", "lumet"),
    ("mann", "friend", "pacino"),
]


def hood(facts: list[Fact], *topics: str) -> Neighbourhood:
    """Facts as a neighbourhood, in their order."""
    nodes = list(dict.fromkeys([*topics, *(end for f in facts for end in (f[0], f[2]))]))
    relations = list(dict.fromkeys(f[1] for f in facts))
    rows = [(nodes.index(h), relations.index(r), nodes.index(t)) for h, r, t in facts]
    heads, links, tails = np.array(rows, np.int64).reshape(-1, 3).T
    names = tuple(nodes)
    return Neighbourhood(names, names, tuple(relations), heads, links, tails, len(topics))


def facts(found: np.ndarray) -> list[Fact]:
    return [fact for fact, useful in zip(FILMS, found, strict=True) if useful]


def test_a_chain_marks_the_triples_it_passes():
    chain = (Step("by"), Step("by", True))
    found = on_chains(hood(FILMS, "heat"), [(["heat"], chain)], ["ali"])
    assert facts(found) == [FILMS[0], FILMS[1]]


def test_only_ways_that_end_at_an_answer_count():
    chain = (Step("with", True), Step("by"))
    found = on_chains(hood(FILMS, "pacino"), [(["pacino"], chain)], ["lumet"])
    assert facts(found) == [FILMS[3], FILMS[4]]
    assert facts(on_chains(hood(FILMS, "pacino"), [(["pacino"], chain)], ["ali"])) == []


def test_a_chain_comes_back_to_its_topic_where_that_is_meant():
    chain = (Step("by"), Step("by", True))
    asked = [(["heat"], chain)]
    assert facts(on_chains(hood(FILMS, "heat"), asked, ["heat"])) == []
    for nodes in ("repeat", "walk"):
        found = on_chains(hood(FILMS, "heat"), asked, ["heat"], nodes)  # type: ignore[arg-type]
        assert facts(found) == [FILMS[0]]


def test_chains_of_two_topics_are_joined_at_their_answer():
    asked = [(["mann"], (Step("by", True),)), (["pacino"], (Step("with", True),))]
    found = on_chains(hood(FILMS, "mann", "pacino"), asked, ["heat"])
    assert facts(found) == [FILMS[0], FILMS[2]]


def test_shortest_paths_may_mean_something_else():
    # The friend is nearer than the film that both made.
    assert facts(on_shortest_paths(hood(FILMS, "mann"), ["pacino"])) == [FILMS[5]]
    assert facts(on_shortest_paths(hood(FILMS, "heat"), ["lumet"])) == FILMS[2:5]
    assert facts(on_shortest_paths(hood(FILMS, "heat"), ["heat", "nobody"])) == []


node = st.sampled_from("abcdef")


@given(
    st.lists(st.tuples(node, st.just("r"), node), max_size=10, unique=True),
    st.lists(node, min_size=1, max_size=2, unique=True),
    st.lists(node, max_size=3, unique=True),
)
def test_shortest_paths_are_those_of_a_plain_search(
    facts: list[Fact], topics: list[str], answers: list[str]
):
    found = on_shortest_paths(hood(facts, *topics), answers)
    distance = {start: _distances(facts, start) for start in "abcdef"}
    for fact, useful in zip(facts, found, strict=True):
        expected = any(
            distance[t].get(u, 99) + 1 + distance[a].get(v, 99) == distance[t].get(a, -1)
            for t in topics
            for a in answers
            for u, v in ((fact[0], fact[2]), (fact[2], fact[0]))
        )
        assert bool(useful) == expected


def _distances(facts: list[Fact], start: str) -> dict[str, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for head, _, tail in facts:
            for a, b in ((head, tail), (tail, head)):
                if a == here and b not in found:
                    found[b] = found[here] + 1
                    waiting.append(b)
    return found

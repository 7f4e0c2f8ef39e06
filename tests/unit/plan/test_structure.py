"""Which nodes and edges of a pattern may fall together, by number."""

from __future__ import annotations

from typing import Any

import pytest

from isomatch.options import Options
from isomatch.pattern.text import parse_text
from isomatch.plan.structure import Structure


def structure(text: str, **options: Any) -> Structure:
    return Structure.of(parse_text(text), Options(**{"direction": "any", **options}))


# Nodes 0 and 3 are known, 1 and 2 are not.
CHAIN = '("Heat")-[r]->(?a)-[r]->(?b)-[r]->("Mann")'


def test_nodes_and_edges_are_numbered_as_written():
    made = structure('("Heat")-[r]->(?a)<-[s]-(?b), (?a)-[]->(?a)', nodes="anchored")
    assert made.known == (True, False, False)
    assert made.edges == ((0, 1), (2, 1), (1, 1))
    assert made.order == (0, 1, 2)
    assert (made.nodes, made.directed) == ("anchored", (False, False, False))


def test_words_do_not_matter():
    assert structure('("Heat")-[r]->(?a:film)') == structure('("Ran")-[]->(?b)')


@pytest.mark.parametrize(
    ("nodes", "together"),
    [
        ("distinct", set()),
        ("anchored", {(1, 2)}),
        ("repeat", {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}),
    ],
)
def test_the_option_says_which_nodes_may_coincide(nodes: str, together: set[tuple[int, int]]):
    made = structure(CHAIN, nodes=nodes)
    every = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    assert {pair for pair in every if made.may_coincide(*pair)} == together
    assert all(made.may_coincide(a, b) == made.may_coincide(b, a) for a, b in every)
    assert all(made.may_coincide(n, n) for n in range(4))
    assert set(made.apart) == set(every) - together
    assert len(made.apart) == len(set(made.apart))


@pytest.mark.parametrize(
    ("text", "nodes", "direction", "expected"),
    [
        # Under distinct nodes only parallel edges can meet, whichever way they are drawn.
        (CHAIN, "distinct", "any", ()),
        ("(?a)-[r]->(?b), (?a)-[r]->(?b)", "distinct", "any", ((0, 1),)),
        ("(?a)-[r]->(?b), (?b)-[r]->(?a)", "distinct", "any", ((0, 1),)),
        ("(?a)-[r]->(?b), (?a)-[r]->(?b)", "distinct", "as written", ((0, 1),)),
        ("(?a)-[r]->(?b), (?b)-[r]->(?a)", "distinct", "as written", ()),
        ("(?a)-[r]->(?a), (?a)-[r]->(?a)", "distinct", "any", ((0, 1),)),
        ("(?a)-[r]->(?b), (?a)-[r]->(?a)", "distinct", "any", ()),
        # A loop and an edge meet where the edge's ends may coincide.
        ("(?a)-[r]->(?b), (?a)-[r]->(?a)", "anchored", "any", ((0, 1),)),
        # In a chain, an edge that is walked back; a known end cannot be come back to.
        ('("Heat")-[r]->(?a)-[r]->(?b)-[r]->(?c)', "anchored", "any", ((1, 2),)),
        (
            '("Heat")-[r]->(?a)-[r]->(?b)-[r]->(?c)',
            "repeat",
            "any",
            ((0, 1), (0, 2), (1, 2)),
        ),
        # Edges of two components.
        ('("Heat")-[r]->(?a), ("Ran")-[r]->(?b)', "anchored", "any", ()),
        ('("Heat")-[r]->(?a), ("Ran")-[r]->(?b)', "repeat", "any", ((0, 1),)),
    ],
)
def test_which_edges_may_fall_on_one_triple(
    text: str, nodes: str, direction: str, expected: tuple[tuple[int, int], ...]
):
    assert structure(text, nodes=nodes, direction=direction).conflicts == expected


@pytest.mark.parametrize(
    ("nodes", "direction", "with_known", "without"),
    [
        ("distinct", "any", (), ()),
        ("anchored", "as written", (), (((1, 2), (2, 3)),)),
        ("anchored", "any", (), (((1, 2), (2, 3)), ((1, 3), (2, 2)))),
        ("repeat", "as written", (((0, 1), (1, 2)),), (((1, 2), (2, 3)),)),
        (
            "repeat",
            "any",
            (((0, 1), (1, 2)), ((0, 2), (1, 1))),
            (((1, 2), (2, 3)), ((1, 3), (2, 2))),
        ),
    ],
)
def test_the_ways_in_which_two_hops_have_the_same_ends(
    nodes: str, direction: str, with_known: Any, without: Any
):
    """Both on one self-loop, or the second hop walks back the first."""
    hops = '("Heat")-[r]->(?a)-[r]->(?b)-[r]->(?c)'
    made = structure(hops, nodes=nodes, direction=direction)
    assert made.ways(0, 1) == with_known
    assert made.ways(1, 2) == without


def test_a_loop_has_one_way():
    assert structure("(?a)-[r]->(?a), (?a)-[s]->(?a)").ways(0, 1) == (((0, 0), (0, 0)),)
    made = structure("(?a)-[r]->(?a), (?a)-[s]->(?b)", nodes="anchored")
    assert made.ways(0, 1) == (((0, 0), (0, 1)),)


def test_a_part_knows_its_own_nodes_only():
    whole = structure(CHAIN)
    part = whole.part((2, 1))
    assert part.order == (2, 1)
    assert (part.edges, part.known) == (whole.edges, whole.known)
    assert part.used == (2, 3, 1)  # in order of first touch
    assert part.apart == ((1, 2), (1, 3), (2, 3))
    assert whole.used == (0, 1, 2, 3)


def test_a_part_has_the_conflicts_of_its_edges_only():
    whole = structure("(?a)-[r]->(?b), (?a)-[r]->(?b), (?b)-[r]->(?a)")
    assert whole.conflicts == ((0, 1), (0, 2), (1, 2))
    assert whole.part((2, 0)).conflicts == ((0, 2),)
    assert whole.part((1,)).conflicts == ()


def test_a_value_follows_the_ends_of_its_edge():
    made = structure('("Tom")-[r: ?v]->(?a)-[s: "Forrest"]->(?b)-[]->("Ann")')
    number = {"tom": 0, "a": 1, "v": 2, "b": 3, "forrest": 4, "ann": 5}
    assert made.edges == ((0, 1), (1, 3), (3, 5))
    assert made.values == (number["v"], number["forrest"], None)
    assert made.known == (True, False, False, False, True, True)
    assert made.used == (0, 1, 2, 3, 4, 5)
    assert made.part((2, 1)).used == (3, 5, 1, 4)
    assert made.part((2,)).values == made.values


def test_values_are_kept_apart_from_nothing():
    text = '(?a)-[r: ?v]->("Ann"), (?a)-[r: "x"]->("Bob")'
    made = structure(text)
    values = {value for value in made.values if value is not None}
    assert values
    assert made.apart
    assert not any(values.intersection(pair) for pair in made.apart)


def test_values_decide_no_conflict_of_edges():
    with_values = structure("(?a)-[r: ?v]->(?b), (?a)-[r: ?w]->(?b)")
    without = structure("(?a)-[r]->(?b), (?a)-[r]->(?b)")
    assert with_values.conflicts == without.conflicts == ((0, 1),)
    assert with_values != without

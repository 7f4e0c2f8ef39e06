"""Matches as paths, direction shown."""

from __future__ import annotations

import pytest
from tests.unit.answer.results import bound, fact

from isomatch.answer.paths import path_words, walk
from isomatch.match.types import Match
from isomatch.pattern import parse
from isomatch.pattern.types import RelationChain

CHAIN = RelationChain("Heat", ("directed by", "^directed by")).to_pattern()


@pytest.mark.parametrize(
    ("text", "walked"),
    [
        ('("Mann")-[directs]-(?f)-[stars]-(?x)', (("mann", "f", "x"), (0, 1))),
        ('(?x)-[stars]-(?f), (?f)-[by]-("Mann")', (("mann", "f", "x"), (1, 0))),
        ('("A")-[r]-(?x)-[s]-("B")', (("a", "x", "b"), (0, 1))),
        ('("A")-[r]-(?x), (?x)-[s]-(?y), (?x)-[t]-(?z)', None),  # branches
        ('("A")-[r]-(?x), (?x)-[s]-("A")', None),  # a circle
        ('("A")-[r]-(?x), ("B")-[s]-(?y)', None),  # two parts
    ],
)
def test_a_pattern_is_a_walk_or_not(text: str, walked: object) -> None:
    assert walk(parse(text)) == walked


def test_arrows_point_as_the_graph_stores() -> None:
    match = Match(
        {"topic": bound("Heat"), "x1": bound("Mann"), "x2": bound("Ali")},
        (fact("Heat", "directed by", "Mann"), fact("Ali", "directed by", "Mann")),
    )
    assert path_words(CHAIN, match) == "Heat -directed by-> Mann <-directed by- Ali"


def test_two_chains_that_meet_are_one_path() -> None:
    pattern = parse('("Pacino")-[starred in]-(?f), (?f)-[directed by]-("Mann") return ?f')
    match = Match(
        {"pacino": bound("Pacino"), "f": bound("Heat"), "mann": bound("Mann")},
        (fact("Heat", "starring", "Pacino"), fact("Heat", "directed by", "Mann")),
    )
    assert path_words(pattern, match) == "Pacino <-starring- Heat -directed by-> Mann"


def test_what_branches_is_told_fact_by_fact() -> None:
    pattern = parse('(?f)-[a]-("A"), (?f)-[b]-("B"), (?f)-[c]-("C")')
    ends = {"f": bound("F"), "a": bound("A"), "b": bound("B"), "c": bound("C")}
    match = Match(ends, tuple(fact("F", r, r.upper()) for r in "abc"))
    assert path_words(pattern, match) == "F -a-> A; F -b-> B; F -c-> C"


def test_a_name_stays_on_its_line() -> None:
    match = Match(
        {"topic": bound("Heat"), "x1": bound("a\n[9] b"), "x2": bound("\x1b[2J")},
        (fact("Heat", "directed by", "a\n[9] b"), fact("\x1b[2J", "directed by", "a\n[9] b")),
    )
    words = path_words(CHAIN, match)
    assert "\n" not in words
    assert "\x1b" not in words

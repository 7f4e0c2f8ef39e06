"""Nouns for things of a graph without types: what a relation leads to, and what a value says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch

HARBOURS = b"""
@prefix : <http://example.org/> .
:Petrel :captain :Ann_Moe ; :owner :Norline ; :vesselType "ferry" ; :lengthM 90 ; :port :Lysvik .
:Gannet :captain :Ann_Moe ; :owner :Ole_Dahl ; :vesselType "trawler" ; :lengthM 30 ; :port :Hallum .
:Heron :captain :Ole_Dahl ; :owner :Norline ; :vesselType "ferry" ; :lengthM 60 ; :port :Lysvik .
:Crate :depicts "harbour" , :Lysvik .
:Ann_Moe :birthPlace :Lysvik ; :birthYear 1970 .
:Ole_Dahl :birthPlace :Hallum ; :birthYear 1950 .
:Eva_Berg :birthPlace :Hallum ; :birthYear 1940 .
:Norline :seat :Lysvik ; :foundingYear 1899 .
:Lysvik :country :Norland ; :depth 9 .
:Hallum :country :Norland ; :depth 14 .
:Tarn :country :Vesta ; :depth 6 .
:Lysvik :river :Ahr .
:Ahr :riverLength 89 .
:Loire :riverLength 1012 .
"""


@pytest.fixture(scope="module")
def harbours() -> Iterator[isomatch.Session]:
    with opened(HARBOURS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many captains are there?", {"2"}),
        ("Which captains were born in Hallum?", {"Ole Dahl"}),  # and not Eva Berg, who is none
        ("Who is the oldest captain?", {"Ole Dahl"}),
        ("Which owners are not captains?", {"Norline"}),
        ("Which captains are also owners?", {"Ole Dahl"}),
        ("List all owners.", {"Norline", "Ole Dahl"}),
        ("Which countries are there?", {"Norland", "Vesta"}),
    ],
)
def test_the_noun_of_a_relation_is_for_all_that_it_leads_to(
    harbours: isomatch.Session, question: str, found: set[str]
) -> None:
    answer = asked(harbours, question)
    assert answer is not None
    assert {node.name for node in answer.answers} == found
    assert answer.text.startswith("If “")


def test_that_the_graph_may_lack_further_ones_is_told(harbours: isomatch.Session) -> None:
    answer = asked(harbours, "How many captains are there?")
    assert answer is not None
    assert answer.text == "If “captains” means “what ‘captain’ leads to”: 2."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many ferries are there?", {"2"}),
        ("Which ferries are owned by Norline?", {"Petrel", "Heron"}),
        ("What is the average length of the ferries?", {"75"}),
        ("What is the longest ferry?", {"Petrel"}),
    ],
)
def test_a_value_that_says_what_things_are_stands_for_them(
    harbours: isomatch.Session, question: str, found: set[str]
) -> None:
    answer = asked(harbours, question)
    assert answer is not None
    assert {node.name for node in answer.answers} == found


@pytest.mark.parametrize(
    "question",
    [
        "How many ports are there?",  # Tarn is another, where no ship is at home
        "What is the longest river?",  # the Loire is longer, where no harbour is
        "Which ports are in Norland?",
        "Which harbours are there?",  # no crate is one that depicts it
        "How many harbours are there?",
        "How many ships are there?",  # nothing says what is a ship
        "Which admirals were born in Hallum?",
    ],
)
def test_what_the_graph_does_not_say_is_refused(harbours: isomatch.Session, question: str) -> None:
    assert asked(harbours, question) is None


def test_what_each_of_two_relations_of_one_name_leads_to_is_not_counted() -> None:
    """It was "2 or 3", and each had a captain who was the oldest."""
    more = HARBOURS + b"@prefix dbp: <http://dbpedia.org/property/> . :Tern dbp:captain :Eva_Berg ."
    with opened(more) as session:
        assert asked(session, "How many captains are there?") is None
        assert asked(session, "Who is the oldest captain?") is None

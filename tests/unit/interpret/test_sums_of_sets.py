"""Sums and averages take each member of a set once, however it got there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:coast a :Region ; rdfs:label "Coast" . :inland a :Region ; rdfs:label "Inland" .
:ada a :Town ; rdfs:label "Ada" ; :borders :bux, :cam ; :population 10 ; :region :coast .
:bux a :Town ; rdfs:label "Bux" ; :borders :ada, :cam, :dun ; :population 10 ; :region :coast .
:cam a :Town ; rdfs:label "Cam" ; :borders :ada, :bux ; :population 30 ; :region :inland .
:dun a :Town ; rdfs:label "Dun" ; :borders :bux ; :population 40 ; :region :inland .
:elm a :Town ; rdfs:label "Elm" ; :population 500 ; :region :inland .
:pat a :Guide ; rdfs:label "Pat" ; :speaks :welsh .
:quin a :Guide ; rdfs:label "Quin" ; :speaks :welsh .
:welsh a :Language ; rdfs:label "Welsh" .
:tor a :Hill ; rdfs:label "Tor" ; :height 100 ; :climbed_by :pat, :quin .
:fell a :Hill ; rdfs:label "Fell" ; :height 400 ; :climbed_by :quin .
:cairn a :Hill ; rdfs:label "Cairn" ; :height 900 .
:b1 a :Booking ; rdfs:label "Booking 1" ; :guide :pat ; :total 100 .
:b2 a :Booking ; rdfs:label "Booking 2" ; :guide :pat ; :total 250 .
"""


@pytest.fixture(scope="module")
def towns() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # Two towns of one population are two, and a town with two neighbours is one.
        ("What is the total population of the towns that border a town?", "90"),
        ("What is the average population of the towns that border a town?", "22.5"),
        ("What is the total population of the towns that border a town in Coast?", "90"),
        ("What is the total population of the towns that border a town in Inland?", "20"),
        ("What is the total population of the towns that border Ada or Dun?", "40"),
        ("What is the average population of the neighbours of towns in Inland?", "10"),
        ("How many people live in towns that border a town in Inland?", "20"),
        ("What is the total height of the hills climbed by a guide?", "500"),
        ("What is the average height of the hills climbed by guides who speak Welsh?", "250"),
        # What reaches each member once stays in the pattern.
        ("What is the total population of the towns that border Bux?", "80"),
        ("What is the average height of the hills?", "466.6666666"),
        ("What is the total population of the towns in Inland?", "570"),
        ("What is the total of the bookings of Pat?", "350"),
        ("What is the total of Booking 1?", "100"),
    ],
)
def test_a_sum_takes_each_member_of_a_set_once(
    towns: isomatch.Session, question: str, answer: str
) -> None:
    found = towns.ask(question, interpreter="schema")

    assert found.supported, found.text
    assert found.text.rstrip(".")[:11] == answer


def test_an_average_for_each_takes_each_thing_once(towns: isomatch.Session) -> None:
    question = "What is the average population of the towns that border a town of each region?"

    text = towns.ask(question, interpreter="schema").text

    assert sorted(text.rstrip(".").split("; ")) == ["Coast: 10", "Inland: 35"]


def test_a_set_that_reaches_each_member_once_is_no_part(towns: isomatch.Session) -> None:
    hypothesis = towns.ask(
        "What is the total population of the towns that border Bux?", interpreter="schema"
    ).hypothesis

    assert hypothesis is not None
    assert not hypothesis.pattern.parts

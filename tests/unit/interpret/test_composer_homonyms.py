"""Names that things of several kinds have, and what the graph has no value for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:lux a :Country ; rdfs:label "Lux" ; :population 500 ; :capital :luxcity ; :continent :north .
:luxcity a :City ; rdfs:label "Lux" ; :population 70 ; :country :lux .
:bor a :City ; rdfs:label "Bor" ; :population 100 ; :country :lux .
:cam a :City ; rdfs:label "Cam" ; :population 600 ; :country :dun .
:eld a :City ; rdfs:label "Eld" ; :population 20 ; :country :dun .
:dun a :Country ; rdfs:label "Dun" ; :population 900 ; :capital :cam ; :continent :north .
:north a :Continent ; rdfs:label "North" .
:alp a :Hut ; rdfs:label "Alp Hut" ; :heated true ; :opened "1930-05-01"^^xsd:date .
:bell a :Hut ; rdfs:label "Bell Hut" ; :heated false ; :opened "1955-06-01"^^xsd:date .
:crow a :Hut ; rdfs:label "Crow Hut" ; :opened "1950-07-01"^^xsd:date .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as one:
        yield one


@pytest.mark.parametrize(
    ("question", "answers", "kind"),
    [
        ("Which cities are larger than Lux?", "Bor, Cam", "city"),
        ("Which cities are smaller than Lux?", "Eld", "city"),
        ("Which countries are larger than Lux?", "Dun", "country"),
        ("What is the population of Lux?", "500", "country"),
    ],
)
def test_a_name_of_several_kinds_is_of_the_kind_compared_or_told(
    session: isomatch.Session, question: str, answers: str, kind: str
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert answer.supported
    assert ", ".join(sorted(str(node.name) for node in answer.answers)) == answers
    assert f"“Lux” is taken for the {kind} of that name" in answer.notes


@pytest.mark.parametrize(
    "question", ["What is the population of the city Lux?", "What is the population of Dun?"]
)
def test_a_kind_that_is_said_is_not_told_again(session: isomatch.Session, question: str) -> None:
    answer = session.ask(question, interpreter="schema")
    assert answer.supported
    assert not any("of that name" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which huts did not open before 1950?", "Bell Hut, Crow Hut"),
        ("Which huts did not open after 1950?", "Alp Hut, Crow Hut"),
        ("Which huts did not open in 1955?", "Alp Hut, Crow Hut"),
        ("How many huts did not open before 1955?", "1"),
        ("Which huts opened before 1950?", "Alp Hut"),
    ],
)
def test_not_before_a_date_is_then_or_later(
    session: isomatch.Session, question: str, answers: str
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert answer.supported
    assert ", ".join(sorted(str(node.name) for node in answer.answers)) == answers


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is the Alp Hut heated?", "Yes"),
        ("Is the Bell Hut heated?", "No"),
        ("Is the Alp Hut not heated?", "No"),
        ("Did the Bell Hut open before 1950?", "No"),
        ("Is the Crow Hut heated?", "The graph does not say."),
        ("Is the Crow Hut not heated?", "The graph does not say."),
        ("Did the Crow Hut open before 1940?", "No"),
    ],
)
def test_no_is_not_proven_by_a_value_that_is_missing(
    session: isomatch.Session, question: str, told: str
) -> None:
    assert session.ask(question, interpreter="schema").text.startswith(told)

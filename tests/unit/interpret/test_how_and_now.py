"""How something was done, which is no place and no day, and what is so now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

PREFIX = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
PEOPLE = (
    PREFIX
    + """
:ann a :Person ; rdfs:label "Ann" ; :deathPlace :ulm ; :deathYear 1950 ; :buriedAt :oak .
:bob a :Person ; rdfs:label "Bob" ; :deathPlace :ulm ; :causeOfDeath "pneumonia" .
:cem a :Person ; rdfs:label "Cem" ; :livesIn :ulm .
:dan a :Person ; rdfs:label "Dan" ; :livesIn :ulm .
:ulm a :Town ; rdfs:label "Ulm" ; :population 120000 .
:oak a :Cemetery ; rdfs:label "Oak Hill" .
:band a :Club ; rdfs:label "Band" . :choir a :Club ; rdfs:label "Choir" .
:m1 a :Membership ; :member :cem ; :club :band ; :role "chair" ; :endedOn "2019-05-01"^^xsd:date .
:m2 a :Membership ; :member :dan ; :club :band ; :role "chair" .
"""
)


@pytest.fixture(scope="module")
def people() -> Iterator[isomatch.Session]:
    with opened(PEOPLE) as session:
        yield session


@pytest.mark.parametrize("question", ["How did Ann die?", "How was Ann buried?"])
def test_how_somebody_died_is_no_place_and_no_year(people: isomatch.Session, question: str) -> None:
    assert asked(people, question) is None


def test_how_somebody_died_is_the_cause(people: isomatch.Session) -> None:
    assert names_found(people, "How did Bob die?") == {"pneumonia"}
    assert names_found(people, "Where did Ann die?") == {"Ulm"}


def test_the_current_one_of_what_may_have_ended_is_not_told_by_the_graph(
    people: isomatch.Session,
) -> None:
    assert asked(people, "Who is the current chair of Band?") is None


def test_a_number_of_people_is_told_where_the_graph_knows_some_of_them(
    people: isomatch.Session,
) -> None:
    answer = people.ask("How many people live in Ulm?")
    assert answer.text.startswith("If “people live” means “population”: 120000")

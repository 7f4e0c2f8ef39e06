"""What follows a noun is said of that noun, and not of one before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

from isomatch import Session

FLEET = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Captain ; rdfs:label "Ann Lee" ; :mentor :bob ; :trained :cid ; :age 31 ; :livesIn :kiel .
:bob a :Captain ; rdfs:label "Bob Ray" ; :mentor :cid ; :trained :dan ; :age 45 ; :livesIn :ulm .
:cid a :Captain ; rdfs:label "Cid Moe" ; :mentor :dan ; :trained :ann ; :age 52 ; :livesIn :kiel .
:dan a :Captain ; rdfs:label "Dan Poe" ; :mentor :ann ; :age 38 ; :livesIn :ulm .
:gull a :Ship ; rdfs:label "Gull" ; :owner :ann ; :tender :heron ; :launched 1950 ;
    :crewedBy :bob .
:heron a :Ship ; rdfs:label "Heron" ; :owner :bob ; :tender :ibis ; :launched 1960 ;
    :crewedBy :ann .
:ibis a :Ship ; rdfs:label "Ibis" ; :owner :cid ; :tender :gull ; :launched 1970 ;
    :crewedBy :ann .
:commodoreOf rdfs:label "commodore of" . :dan :commodoreOf :north . :ann :commodoreOf :south .
:north a :Fleet ; rdfs:label "North Fleet" . :south a :Fleet ; rdfs:label "South Fleet" .
:bob :serves :north . :cid :serves :south . :ann :serves :north . :serves rdfs:label "serves" .
:kiel a :City ; rdfs:label "Kiel" ; :population 900 . :ulm a :City ; rdfs:label "Ulm" .
"""


@pytest.fixture(scope="module")
def fleet() -> Iterator[Session]:
    with opened(FLEET) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        # A name after "named" is that of the noun before it.
        ("Which ships have an owner with a mentor named Cid Moe?", {"Heron"}),
        ("Who is the owner of a ship with a tender named Ibis?", {"Bob Ray"}),
        ("List the captains with a mentor called Dan Poe", {"Cid Moe"}),
        # So is what a clause says.
        ("Which captains trained a captain that Bob Ray trained?", {"Bob Ray"}),
        ("Which captains trained a captain trained by Cid Moe?", {"Cid Moe"}),
        ("Which captains trained a captain whose mentor is Dan Poe?", {"Ann Lee"}),
        ("Who is the owner of a ship whose tender was crewed by Bob Ray?", {"Cid Moe"}),
        ("Which ships have an owner who trained Dan Poe?", {"Heron"}),
        ("List the ships with a tender launched after 1960", {"Heron"}),
        ("List the ships that have a tender launched before 1960", {"Ibis"}),
        ("Which captains have a mentor who does not live in Kiel?", {"Ann Lee", "Cid Moe"}),
        # Those who have something have no other part in it.
        ("Which ships have an owner who is older than 50?", {"Ibis"}),
        ("Which captains have a mentor with a mentor named Ann Lee?", {"Cid Moe"}),
        # A verb in a clause is active where its object follows.
        ("Which captains have a mentor who trained Ann Lee?", {"Bob Ray"}),
        ("Who is the mentor of a captain who trained Dan Poe?", {"Cid Moe"}),
        # The verb of a question is said of what it asks for.
        ("Which ships that have a tender named Gull were crewed by Ann Lee?", {"Ibis"}),
        # The subject of "does" is one.
        ("Which fleet does the commodore of South Fleet serve?", {"North Fleet"}),
        ("Who serves the fleet whose commodore is Ann Lee?", {"Cid Moe"}),
        ("List the fleets whose commodore is Dan Poe", {"North Fleet"}),
    ],
)
def test_the_nearest_noun_is_described(fleet: Session, question: str, names: set[str]) -> None:
    answer = fleet.ask(question, interpreter="schema")
    assert {str(node.name) for node in answer.answers} == names, answer.text


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many captains who do not live in Kiel are there?", "2"),
        ("How many ships with an owner named Bob Ray are there?", "1"),
    ],
)
def test_what_is_described_is_counted(fleet: Session, question: str, number: str) -> None:
    assert fleet.ask(question, interpreter="schema").text == f"{number}."


def test_the_person_who_also_does_something_does_it_to_others(fleet: Session) -> None:
    answer = fleet.ask("Which ships were crewed by the captain who also crewed Heron?")
    assert [str(node.name) for node in answer.answers] == ["Ibis"], answer.text

"""Members, places of a class, records that say what somebody has, and what has no name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

CLUBS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Lee" ; :member :chess ; :coachedBy :bob ; :worksFor :acme .
:bob a :Person ; rdfs:label "Bob Moss" ; :member :chess, :choir .
:kim a :Person ; rdfs:label "Kim Park" ; :member :choir ; :coachedBy :bob ; :studies :s1 .
:chess a :Club ; rdfs:label "Chess Club" . :choir a :Club ; rdfs:label "City Choir" .
:s1 :program :law . :law a :Program ; rdfs:label "Law" .
:acme a :Company ; rdfs:label "Acme" .
:o1 a :Office ; rdfs:label "North Office" ; :ofCompany :acme ; :locatedIn :leeds .
:o2 a :Office ; rdfs:label "Main Office" ; :ofCompany :acme ; :locatedIn :hull .
:leeds a :City ; rdfs:label "Leeds" . :hull a :City ; rdfs:label "Hull" .
:p1 a :Patent ; rdfs:label "Solid Cell" ; :inventor :ann, :kim ; :numberOfClaims 5 ; :fee 20 .
:p2 a :Patent ; rdfs:label "Zoom Lens" ; :inventor :kim ; :numberOfClaims 9 ; :fee 70 .
:p3 a :Patent ; rdfs:label "Soft Arm" ; :inventor :bob ; :numberOfClaims 7 ; :fee 50 .
"""

WORK = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:per a :Person ; rdfs:label "Per Dahl" ; :manager :eva .
:eva a :Person ; rdfs:label "Eva Roth" .
:kim a :Person ; rdfs:label "Kim Park" ; :manager :eva .
:acme a :Company ; rdfs:label "Acme" .
:c1 a :Contract ; :employee :per ; :employer :acme ; :salary 52000 .
:c2 a :Contract ; :employee :eva ; :employer :acme ; :salary 61000 .
:b1 a :Parcel ; :payer :per ; :weight 4 . :b2 a :Parcel ; :payer :eva ; :weight 7 .
:m1 a :Message ; rdfs:label "Hello" ; :sender :kim ; :receiver :per .
:m2 a :Message ; rdfs:label "Lunch" ; :sender :per ; :receiver :kim .
"""

JOBS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:per a :Person ; rdfs:label "Per Dahl" ; :hasEmployment :j1 .
:eva a :Person ; rdfs:label "Eva Roth" ; :hasEmployment :j2 .
:j1 a :Employment ; :salary 52000 ; :job "clerk" .
:j2 a :Employment ; :salary 61000 ; :job "cook" .
"""


@pytest.fixture(scope="module")
def clubs() -> Iterator[isomatch.Session]:
    with opened(CLUBS) as session:
        yield session


@pytest.fixture(scope="module")
def work() -> Iterator[isomatch.Session]:
    with opened(WORK) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("members of the Chess Club", ["Ann Lee", "Bob Moss"]),
        ("Who is a member of the City Choir?", ["Bob Moss", "Kim Park"]),
        ("Which clubs does Bob Moss belong to?", ["Chess Club", "City Choir"]),
        ("Where are the offices?", ["Hull", "Leeds"]),
        ("Where are the offices of Acme?", ["Hull", "Leeds"]),
        ("Where is the North Office?", ["Leeds"]),
        ("Which patent has the fewest claims?", ["Solid Cell"]),
        ("Which patent has the most claims?", ["Zoom Lens"]),
        ("What is the second highest fee?", ["50"]),
        ("Which patent has the second highest fee?", ["Soft Arm"]),
        ("co-inventors of Ann Lee", ["Kim Park"]),
    ],
)
def test_members_places_and_coaches(
    clubs: isomatch.Session, question: str, names: list[str]
) -> None:
    answer = clubs.ask(question, interpreter="schema")
    assert sorted(bound.name for bound in answer.answers) == names


def test_a_record_that_is_called_by_an_id_is_no_answer(clubs: isomatch.Session) -> None:
    answer = clubs.ask("What does Kim Park study?", interpreter="schema")
    assert not answer.supported
    assert answer.text.startswith("What was found has no name, only an id: s1.")


def test_records_that_are_asked_for_may_have_no_names(work: isomatch.Session) -> None:
    answer = work.ask("Which contracts does Acme have?", interpreter="schema")
    assert sorted(bound.name for bound in answer.answers) == ["c1", "c2"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("salary of Per Dahl", "52000. Joined by “employee”, which no word says."),
        ("What is Eva Roth's salary?", "61000. Joined by “employee”, which no word says."),
        ("Who sent a message to Kim Park?", "Per Dahl. Joined by “receiver”, which no word says."),
        ("Who sent messages to Per Dahl?", "Kim Park. Joined by “receiver”, which no word says."),
    ],
)
def test_what_one_record_says_of_somebody_is_told(
    work: isomatch.Session, question: str, text: str
) -> None:
    assert work.ask(question, interpreter="schema").text == text


def test_what_somebody_paid_for_has_no_value_of_theirs(work: isomatch.Session) -> None:
    assert not work.ask("weight of Per Dahl", interpreter="schema").supported


def test_what_somebody_has_by_their_one_employment() -> None:
    with opened(JOBS) as session:
        for question, value in (("salary of Per Dahl", "52000"), ("Eva Roth's job", "cook")):
            assert session.ask(question, interpreter="schema").answers[0].name == value

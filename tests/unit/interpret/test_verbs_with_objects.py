"""Relations that are verbs with their objects: "owes money", "supplies parts"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Lee" ; :owesMoney :bob, :cid ; :teachesStudent :bob .
:bob a :Person ; rdfs:label "Bob Moss" ; :owesMoney :cid ; :teachesStudent :dan .
:cid a :Person ; rdfs:label "Cid Park" ; :owesMoney :dan ; :sentFlowers :ann .
:dan a :Person ; rdfs:label "Dan Roe" ; :sentFlowers :cid .
"""

TYPED = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:acme a :Supplier ; rdfs:label "Acme" ; :suppliesParts :leeds, :hull .
:bolt a :Supplier ; rdfs:label "Bolt" ; :suppliesParts :hull .
:leeds a :Factory ; rdfs:label "Leeds Plant" . :hull a :Factory ; rdfs:label "Hull Plant" .
:ann a :Player ; rdfs:label "Ann Lee" ; :playsInstrument :cello ; :drivesCar :v1 .
:cello a :Instrument ; rdfs:label "Cello" . :v1 a :Vehicle ; rdfs:label "Red Van" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who owes money to Bob Moss?", ["Ann Lee"]),
        ("Who owes Cid Park money?", ["Ann Lee", "Bob Moss"]),
        ("To whom does Ann Lee owe money?", ["Bob Moss", "Cid Park"]),
        ("Whom does Bob Moss owe money?", ["Cid Park"]),
        ("Whom does Bob Moss owe?", ["Cid Park"]),
        ("Who sent flowers to Ann Lee?", ["Cid Park"]),
        ("Whom did Dan Roe send flowers?", ["Cid Park"]),
        ("Which students does Ann Lee teach?", ["Bob Moss"]),
        ("Who teaches Dan Roe?", ["Bob Moss"]),
    ],
)
def test_who_does_something_to_whom_is_told_apart(
    session: isomatch.Session, question: str, names: list[str]
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert sorted(bound.name for bound in answer.answers) == names


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Does Ann Lee owe money to Bob Moss?", True),
        ("Does Bob Moss owe money to Ann Lee?", None),
        ("How many people owe money to Cid Park?", None),
    ],
)
def test_nobody_owes_what_is_owed_to_them(
    session: isomatch.Session, question: str, holds: bool | None
) -> None:
    assert session.ask(question, interpreter="schema").holds is holds


@pytest.mark.parametrize("question", ["Who owes money?"])
def test_what_is_owed_is_nobody(session: isomatch.Session, question: str) -> None:
    assert not session.ask(question, interpreter="schema").supported


@pytest.fixture(scope="module")
def suppliers() -> Iterator[isomatch.Session]:
    with opened(TYPED) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who supplies parts to Hull Plant?", ["Acme", "Bolt"]),
        ("To which factories does Bolt supply parts?", ["Hull Plant"]),
        ("How many parts does Acme supply?", []),
        ("Who does Acme supply parts to?", ["Hull Plant", "Leeds Plant"]),
        ("Which parts does Bolt supply?", []),
        ("Which instrument does Ann Lee play?", ["Cello"]),
        ("Which car does Ann Lee drive?", ["Red Van"]),
    ],
)
def test_what_is_given_is_not_whom_it_is_given_to(
    suppliers: isomatch.Session, question: str, names: list[str]
) -> None:
    answer = suppliers.ask(question, interpreter="schema")
    assert sorted(bound.name for bound in answer.answers) == names


MATH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Lee" ; :teaches :bob ; :teachesMath :kim .
:bob a :Person ; rdfs:label "Bob Moss" ; :teachesMath :kim ; :owesMoney :ann .
:kim a :Person ; rdfs:label "Kim Park" ; :teaches :dan ; :owesMoney :bob .
:dan a :Person ; rdfs:label "Dan Roe" ; :teachesMath :ann .
"""


@pytest.fixture(scope="module")
def lessons() -> Iterator[isomatch.Session]:
    with opened(MATH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which math does Ann Lee teach?", []),
        ("Who teaches Kim Park math?", ["Ann Lee", "Bob Moss"]),
        ("Who teaches Bob Moss?", ["Ann Lee"]),
        ("Whom does Bob Moss teach math?", ["Kim Park"]),
        ("Who did Dan Roe teach math to?", ["Ann Lee"]),
        ("Which students does Ann Lee teach?", ["Bob Moss"]),
        ("Who does Bob Moss owe money to?", ["Ann Lee"]),
        ("Who owes money to Bob Moss?", ["Kim Park"]),
    ],
)
def test_a_verb_and_its_object_say_one_relation(
    lessons: isomatch.Session, question: str, names: list[str]
) -> None:
    answer = lessons.ask(question, interpreter="schema")
    assert sorted(bound.name for bound in answer.answers) == names

"""What was done: by its date where it has one, and not by where or to whom it is to be done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

PARCELS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:p1 a :Parcel ; schema:name "P-1" ; :deliveredTo :ulm ; :soldBy :ann ;
  :deliveredOn "2024-05-01"^^xsd:date .
:p2 a :Parcel ; schema:name "P-2" ; :deliveredTo :bonn ; :soldBy :ann ; :soldTo :ben .
:ulm a :Town ; schema:name "Ulm" . :bonn a :Town ; schema:name "Bonn" .
:ann a :Person ; schema:name "Ann" . :ben a :Person ; schema:name "Ben" .
"""


@pytest.fixture(scope="module")
def parcels() -> Iterator[isomatch.Session]:
    with opened(PARCELS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has P-1 been delivered?", "Yes"),
        ("Has P-2 been delivered?", "No"),
        ("Has P-2 been delivered yet?", "No"),
        ("Has P-2 been delivered to Bonn?", "Yes"),
        ("Was P-2 sold to Ben?", "Yes"),
    ],
)
def test_yes_needs_the_date_of_what_was_done(
    parcels: isomatch.Session, question: str, answer: str
) -> None:
    assert parcels.ask(question, interpreter="schema").text.startswith(answer)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which parcels have been delivered?", {"P-1"}),
        ("Which parcels have already been delivered?", {"P-1"}),
        ("Which parcels have not been delivered yet?", {"P-2"}),
        ("Which parcels have been delivered to Bonn?", {"P-2"}),
    ],
)
def test_what_was_done_has_its_date(
    parcels: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(parcels, question) == names


@pytest.mark.parametrize("question", ["Has P-1 been sold?", "Which parcels have been sold?"])
def test_what_two_relations_may_say_is_refused(parcels: isomatch.Session, question: str) -> None:
    assert not parcels.ask(question, interpreter="schema").supported

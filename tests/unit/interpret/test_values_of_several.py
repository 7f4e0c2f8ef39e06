"""Sums that a relation's name says, the first so many, ranges, and who made something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:s1 a :Shipment ; rdfs:label "SH-1" ; :totalValueEur 200 ; :deliveredTo :porto ; :shippedBy :kess .
:s2 a :Shipment ; rdfs:label "SH-2" ; :totalValueEur 30 ; :deliveredTo :porto ; :shippedBy :kess .
:s3 a :Shipment ; rdfs:label "SH-3" ; :totalValueEur 5 ; :deliveredTo :lyon ; :shippedBy :brig .
:porto a :Plant ; rdfs:label "Porto Plant" . :lyon a :Plant ; rdfs:label "Lyon Plant" .
:kess a :Supplier ; rdfs:label "Kessler" ; :foundedYear 1921 ; :SUPPLIES :gear , :bolt .
:brig a :Supplier ; rdfs:label "Brightwater" ; :foundedYear 1988 ; :SUPPLIES :bolt .
:mill a :Supplier ; rdfs:label "Old Mill" ; :foundedYear 1990 .
:gear a :Component ; rdfs:label "Gearbox" ; :priceEur 138 .
:bolt a :Component ; rdfs:label "Bolt" ; :PART_OF :gear ; :priceEur 2 .
:frame a :Component ; rdfs:label "Frame" ; :priceEur 40 .
:f1 a :Film ; rdfs:label "Dunes" ; :director :chow ; :castMember :love ; :budget 1100000 .
:f2 a :Film ; rdfs:label "Embers" ; :director :love ; :screenwriter :chow ; :budget 4000000 .
:f3 a :Film ; rdfs:label "Fjord" ; :director :love ; :castMember :chow , :love ; :budget 20000000 .
:f4 a :Film ; rdfs:label "Gulf" ; :director :wren ; :castMember :love ; :budget 31000000 .
:chow a :Person ; rdfs:label "Mei Chow" . :love a :Person ; rdfs:label "Dan Love" .
:wren a :Person ; rdfs:label "Edith Wren" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the total value of all shipments?", {"235"}),
        ("total value of the shipments delivered to the Porto Plant", {"230"}),
        ("What is the total value of SH-1?", {"200"}),
        ("Which shipment has the highest total value?", {"SH-1"}),
        ("the two shipments with the highest total value", {"SH-1", "SH-2"}),
        ("Which two shipments have the highest total value?", {"SH-1", "SH-2"}),
        ("films with a budget between 3 and 25 million", {"Embers", "Fjord"}),
        ("films with a budget between 3 million and 25 million", {"Embers", "Fjord"}),
        ("films by Edith Wren", {"Gulf"}),
        ("films by Dan Love", {"Embers", "Fjord"}),
        ("What is the most expensive film?", {"Gulf"}),
        ("Suppliers that have never shipped anything", {"Old Mill"}),
        ("Which components are not supplied by anybody?", {"Frame"}),
        ("Which parts does the Gearbox have?", {"Bolt"}),
    ],
)
def test_values_and_makers_are_found(
    session: isomatch.Session, question: str, expected: set[str]
) -> None:
    assert names_found(session, question) == expected


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who founded Kessler?", "“Who”"),
        ("Which parts does Kessler supply?", "“parts”"),
        ("films by Mei Chow", "it may mean"),
        ("Has Old Mill delivered anything?", "The graph does not say"),
    ],
)
def test_what_is_meant_otherwise_is_refused(
    session: isomatch.Session, question: str, told: str
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert not answer.supported
    assert told in answer.text

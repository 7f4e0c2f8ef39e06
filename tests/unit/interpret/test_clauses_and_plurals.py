"""Clauses about one of several, names in the plural, "both", and phrases with prepositions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch
from isomatch.interpret.rewording import plainly
from isomatch.lexicon.language import default_language

VILLAGE = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:b1 a :Person ; rdfs:label "Bonnie" ; :surname "Wagner" ; :friend :cy ; :livesWith :r1 ;
  :advises :r1 ; :partyTo :c1 .
:b2 a :Person ; rdfs:label "Bonnie" ; :surname "Price" ; :friend :dan ; :livesWith :ed ;
  :advises :ed .
:r1 a :Person ; rdfs:label "Rachel" ; :surname "Moore" ; :hasEmail :e1 .
:r2 a :Person ; rdfs:label "Rachel" ; :surname "Lane" .
:cy a :Person ; rdfs:label "Cy" ; :surname "Hill" ; :advises :b1 , :r2 ; :knowsNumberOf :dan .
:dan a :Person ; rdfs:label "Dan" ; :surname "Frost" ; :advises :b2 ; :partyTo :c3 .
:ed a :Person ; rdfs:label "Ed" ; :surname "Moss" ; :partyTo :c1 , :c2 .
:e1 a :Email ; rdfs:label "rachel@x.org" .
:e2 a :Email ; rdfs:label "bonnie@x.org" . :b1 :hasEmail :e2 .
:c1 a :Crime ; rdfs:label "C-1" ; :date "11/08/2017" ; :occurredAt :l1 ; :state "Under review" .
:c2 a :Crime ; rdfs:label "C-2" ; :date "19/08/2017" ; :occurredAt :l1 ; :state "Closed" .
:c3 a :Crime ; rdfs:label "C-3" ; :date "20/08/2017" ; :occurredAt :l2 ; :state "Closed" .
:l1 a :Location ; rdfs:label "L-1" ; :address "12 Lily Avenue" .
:l2 a :Location ; rdfs:label "L-2" ; :address "3 Lee Lane" .
:t1 a :Phone ; rdfs:label "8-657" . :cy :hasPhone :t1 . :k1 a :PhoneCall ; :called :t1 .
"""


@pytest.fixture(scope="module")
def village() -> Iterator[isomatch.Session]:
    with opened(VILLAGE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many Bonnies live with Rachels?", {"1"}),
        ("Which people advise a person with the name Bonnie?", {"Cy", "Dan"}),
        ("Who advises both a person named Bonnie and a person named Rachel?", {"Cy"}),
        ("Which people advise a person named Bonnie and a person with surname Lane?", {"Cy"}),
        ("Who are the friends of Bonnie who is advised by Cy?", {"Cy"}),
        ("What are the emails of Wagners living with Moores?", {"bonnie@x.org"}),
        ("Who knows Dan's number?", {"Cy"}),
        ("Which crimes took place at 3 Lee Lane?", {"C-3"}),
        ("Which crimes are linked to people involved in crimes on 19/08/2017?", {"C-1"}),
    ],
)
def test_names_of_several_and_clauses_about_them_are_read(
    village: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(village, question) == names


def test_when_something_happened_last_at_a_place_that_is_described(
    village: isomatch.Session,
) -> None:
    question = "When did the last crime occur at a location with the address 12 Lily Avenue?"
    assert names_found(village, question) == {"19/08/2017"}


def test_what_was_called_by_somebody_is_not_what_they_have(village: isomatch.Session) -> None:
    assert asked(village, "Which phones were called by Cy?") is None


def test_a_phrase_is_reworded_unless_the_graph_has_it() -> None:
    english = default_language()
    question = "Which crimes took place at 3 Lee Lane?"
    assert "happened" in plainly(question, english, ["took", "place"])
    assert "took place" in plainly(question, english, ["took the place of"])

"""A graph of the police: amounts with units, participants of two kinds, "a Mary", "first"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

CASES = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Crime ; rdfs:label "C-1" ; :type "Burglary" ; :date "11/08/2017" ; :occurredAt :l1 ;
  :investigatedBy :o1 .
:c2 a :Crime ; rdfs:label "C-2" ; :type "Drugs" ; :date "9/08/2017" ; :occurredAt :l1 ;
  :investigatedBy :o2 .
:c3 a :Crime ; rdfs:label "C-3" ; :type "Drugs" ; :date "20/08/2017" ; :occurredAt :l2 ;
  :investigatedBy :o2 .
:v1 a :Vehicle ; rdfs:label "AB12 CDE" ; :make "Cadillac" ; :model "Escalade" ; :year "2004" ;
  :involvedIn :c2 .
:v2 a :Vehicle ; rdfs:label "XY34 ZZZ" ; :make "Geo" ; :model "Metro" ; :year "1989" ;
  :involvedIn :c3 .
:v3 a :Vehicle ; rdfs:label "GH56 JKL" ; :make "Fiat" ; :model "Panda" ; :year "2011" .
:l1 a :Location ; rdfs:label "M9 8DA" ; :address "12 Lily Avenue" .
:l2 a :Location ; rdfs:label "M1 1AA" ; :address "3 Lee Lane" .
:o1 a :Officer ; rdfs:label "Even" ; :surname "Cole" .
:o2 a :Officer ; rdfs:label "Mada" ; :surname "Reid" .
:ann a :Person ; rdfs:label "Ann" ; :surname "Edwards" ; :nhsNo "31-1" ; :partyTo :c2 ;
  :currentAddress :l2 ; :hasEmail :e1 ; :knows :bob .
:ann2 a :Person ; rdfs:label "Ann" ; :surname "Moore" ; :nhsNo "31-2" ; :partyTo :c3 ;
  :currentAddress :l1 ; :hasEmail :e2 ; :knows :cy .
:bob a :Person ; rdfs:label "Bob" ; :surname "Edwards" ; :nhsNo "31-3" ; :currentAddress :l2 .
:cy a :Person ; rdfs:label "Cy" ; :surname "Price" ; :nhsNo "31-4" .
:e1 a :Email ; rdfs:label "ann@x.org" . :e2 a :Email ; rdfs:label "moore@x.org" .
:t1 a :Phone ; rdfs:label "8-657" . :t2 a :Phone ; rdfs:label "4-974" .
:k1 a :PhoneCall ; rdfs:label "K-1" ; :callDuration "19" ; :caller :t1 .
:k2 a :PhoneCall ; rdfs:label "K-2" ; :callDuration "38" ; :caller :t2 .
"""


@pytest.fixture(scope="module")
def cases() -> Iterator[isomatch.Session]:
    with opened(CASES) as session:
        yield session


@pytest.mark.parametrize(
    "question", ["Which calls of 38 seconds are there?", "calls of 38 seconds"]
)
def test_an_amount_with_a_unit_says_which_value_is_meant(
    cases: isomatch.Session, question: str
) -> None:
    text = cases.ask(question).text
    assert text.startswith("If “seconds” means “the unit of call duration”")
    assert text.endswith(": K-2.")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which crimes involve a Cadillac vehicle and a person with surname Edwards?", {"C-2"}),
        ("Which crimes involve a Cadillac vehicle and a person with surname Moore?", None),
        (
            "What is the earliest crime involving a Geo vehicle and someone with surname Moore?",
            {"C-3"},
        ),
        ("Which crimes involve someone with surname Moore and a Geo vehicle?", {"C-3"}),
    ],
)
def test_participants_of_two_kinds_have_a_part_in_the_same(
    cases: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert (names_found(cases, question) if names else asked(cases, question)) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many people does an Ann know?", {"2"}),
        ("Which vehicle makes are involved in crimes?", {"Cadillac", "Geo"}),
        ("What is the vehicle make of the oldest vehicle?", {"Geo"}),
        ("What is the crime count at 12 Lily Avenue?", {"2"}),
        ("Which crime did officer Mada first investigate?", {"C-2"}),
        ("Where did the crimes occur that Mada investigated?", {"M9 8DA", "M1 1AA"}),
        ("How many emails are linked to the NHS number 31-1?", {"1"}),
        ("How many crimes involved a vehicle on 9 August 2017?", {"1"}),  # 2017 is no day of a car
    ],
)
def test_more_of_what_people_say(
    cases: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert (names_found(cases, question) if names else asked(cases, question)) == names


def test_a_page_count_is_what_books_have() -> None:
    books = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Book ; rdfs:label "Ask" ; :pageCount 90 . :b a :Book ; rdfs:label "Tell" ; :pageCount 12 .
:p a :Page ; rdfs:label "P1" ; :of :a .
"""
    with opened(books) as session:
        assert names_found(session, "What is the page count of Ask?") == {"90"}
        assert names_found(session, "What is the book count?") == {"2"}

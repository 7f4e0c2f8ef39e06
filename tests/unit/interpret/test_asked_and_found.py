"""What a question asks for, held against what was found: kinds, numbers, dates, and the passive."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:fee rdfs:label "shipping fee in EUR" .
:p1 a :Paper ; rdfs:label "Moss Growth" ; :hasAuthor :ann ; :fundedBy :g1 ;
  :pageCount 12 ; :cites :p2 .
:p2 a :Paper ; rdfs:label "Lichen Maps" ; :hasAuthor :bea , :ann ; :fundedBy :g2 ; :pageCount 30 .
:p3 a :Paper ; rdfs:label "Fern Spores" ; :hasAuthor :bea ; :fundedBy :g2 ;
  :pageCount 8 ; :cites :p2 .
:ann a :Researcher ; rdfs:label "Ann Moor" ; :worksFor :dale .
:bea a :Researcher ; rdfs:label "Bea Lind" ; :worksFor :dale .
:dale a :Institute ; rdfs:label "Dale Institute" .
:g1 a :Grant ; rdfs:label "G-100" ; :amount 5000 ; :awardedBy :north .
:g2 a :Grant ; rdfs:label "G-200" ; :amount 9000 ; :awardedBy :south .
:north a :Funder ; rdfs:label "North Fund" . :south a :Funder ; rdfs:label "South Fund" .
:o1 a :Order ; rdfs:label "Order 71" ; :order_date "2022-11-25"^^xsd:date ; :fee 4.9 ;
  :deliveredOn "2023-01-02"^^xsd:date ; :status "shipped" ; :placedBy :cy .
:o2 a :Order ; rdfs:label "Order 72" ; :order_date "2023-04-04"^^xsd:date ; :fee 9.5 ;
  :deliveredOn "2023-04-09"^^xsd:date ; :status "delivered" ; :placedBy :di .
:o3 a :Order ; rdfs:label "Order 73" ; :order_date "2023-05-01"^^xsd:date ; :fee 2.5 ;
  :status "shipped" ; :placedBy :di .
:cy a :Customer ; rdfs:label "Cy Reed" . :di a :Customer ; rdfs:label "Di Stone" .
:k1 a :Product ; rdfs:label "Kettle" ; :in_stock true .
:k2 a :Product ; rdfs:label "Lamp" ; :in_stock false .
:r1 a :Review ; rdfs:label "Review 1" ; :reviewsProduct :k1 ; :reviewBy :cy .
:s1 a :Station ; rdfs:label "Elm Gate" ; :openedOn "2006-12-10"^^xsd:date .
:s2 a :Station ; rdfs:label "Quay" ; :openedOn "1999-05-01"^^xsd:date .
:l1 a :Line ; rdfs:label "Blue" ; :servesStation :s1 , :s2 ; :startsAt :s2 ; :openedIn 2004 .
:l2 a :Line ; rdfs:label "Red" ; :servesStation :s1 ; :startsAt :s1 ; :openedIn 2011 .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who reviewed the Kettle?", {"Cy Reed"}),
        ("Which products are out of stock?", {"Lamp"}),
        ("Which products are in stock?", {"Kettle"}),
        ("When was the station Elm Gate opened?", {"2006-12-10"}),
        ("What is the amount of grant G-200?", {"9000"}),
        ("How many pages does Lichen Maps have?", {"30"}),
        ("Which papers have fewer than 10 pages?", {"Fern Spores"}),
        ("Which paper has the most pages?", {"Lichen Maps"}),
        ("What is the highest shipping fee?", {"9.5"}),
        ("Which orders had a shipping fee over 4 euros?", {"Order 71", "Order 72"}),
        ("Which orders were placed in 2023?", {"Order 72", "Order 73"}),
        ("orders in April 2023", {"Order 72"}),
        ("How many orders were there in 2023?", {"2"}),
        ("How often has Lichen Maps been cited?", {"2"}),
        ("When was Order 72 delivered?", {"2023-04-09"}),
        ("Which paper has been cited the most?", {"Lichen Maps"}),
        ("Which paper is cited most often?", {"Lichen Maps"}),
        ("Which lines stop at Quay?", {"Blue"}),
    ],
)
def test_what_is_asked_for_is_found(
    session: isomatch.Session, question: str, expected: set[str]
) -> None:
    assert names_found(session, question) == expected


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which funder paid for Moss Growth?", "funder"),
        ("Which funder funded Moss Growth?", "funded"),
        ("List the works in Dale Institute", "works"),
        ("Which orders had a shipping fee over 4 dollars?", "4 dollars"),
        ("Which orders were shipped in May 2023?", "May"),
        ("When was Order 73 shipped?", "shipped"),
        ("Which papers are from 2022?", "2022"),
    ],
)
def test_another_kind_number_or_date_is_refused(
    session: isomatch.Session, question: str, word: str
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert not answer.supported, answer.text
    assert word in answer.text.partition("Understood")[0]


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Has Lichen Maps been cited?", "Yes: "),
        ("Was Lichen Maps cited?", "Yes: "),
        ("Has Moss Growth been cited?", "The graph does not say"),
        ("Was Moss Growth cited?", "The graph does not say"),
    ],
)
def test_what_was_done_to_a_name_is_not_what_it_did(
    session: isomatch.Session, question: str, begins: str
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert answer.text.startswith(begins)
    if answer.supported:
        assert "─cites→ Lichen Maps" in answer.text


# A thing is called out of stock, and money has a currency.
STORE = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:out rdfs:label "out of stock" . :budget rdfs:label "budget in USD" .
:k1 a :Product ; rdfs:label "Kettle" ; :out true . :k2 a :Product ; rdfs:label "Lamp" ; :out false .
:x a :Project ; rdfs:label "Delta" ; :budget 5000 .
:y a :Project ; rdfs:label "Gamma" ; :budget 90 .
:t a :Tournament ; rdfs:label "Spring Cup" ; :teamsCount 24 ; :wonBy :owls .
:owls a :Team ; rdfs:label "Owls" .
:b a :Brief ; rdfs:label "Brief 11" ; :briefFor :c ; :filedOn "2019-08-08"^^xsd:date .
:c a :Case ; rdfs:label "Moor v. Lind" ; :filedOn "2019-03-04"^^xsd:date .
:o a :Order ; rdfs:label "Order 1" ; :orderDate "2023-05-02"^^xsd:date ; :shippedTo :rome ;
  :dueDate "2023-06-10"^^xsd:date ; :status "pending" .
:o9 a :Order ; rdfs:label "Order 2" ; :orderDate "2023-06-04"^^xsd:date ;
  :dueDate "2023-06-05"^^xsd:date ; :status "lost" .
:rome a :City ; rdfs:label "Rome" .
"""


@pytest.fixture(scope="module")
def store() -> Iterator[isomatch.Session]:
    with opened(STORE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which products are out of stock?", {"Kettle"}),
        ("Which products are in stock?", {"Lamp"}),
        ("Which projects have a budget over $1000?", {"Delta"}),
        ("How many teams did Spring Cup have?", {"24"}),
        ("When was the brief Brief 11 filed?", {"2019-08-08"}),
        ("What is the first order?", {"Order 1"}),
        ("orders in May 2023", {"Order 1"}),
    ],
)
def test_what_is_called_so_is_not_turned(
    store: isomatch.Session, question: str, expected: set[str]
) -> None:
    assert names_found(store, question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which projects have a budget over £1000?",
        "Which projects have a budget over €1000?",
        "orders shipped to Rome in May 2023",
        "Which orders were lost in June 2023?",
        "Which orders were pending in May 2023?",
    ],
)
def test_what_the_store_does_not_say_is_refused(store: isomatch.Session, question: str) -> None:
    assert not store.ask(question, interpreter="schema").supported

"""Questions that people ask of a shop's orders and of its staff: idioms, prices, joined classes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:unitPrice rdfs:label "unit price" . :shipName rdfs:label "ship name" .
:shipCountry rdfs:label "ship country" . :partOf rdfs:label "part of" .
:worksOn rdfs:label "works on" . :born rdfs:label "date of birth" .
:tea a :Product ; rdfs:label "Tea" ; :unitPrice 4 ; :partOf :drinks .
:rum a :Product ; rdfs:label "Rum" ; :unitPrice 30 ; :partOf :drinks .
:cod a :Product ; rdfs:label "Cod" ; :unitPrice 9 ; :partOf :seafood .
:eel a :Product ; rdfs:label "Eel" ; :unitPrice 12 ; :partOf :seafood .
:drinks a :Category ; rdfs:label "Drinks" . :seafood a :Category ; rdfs:label "Seafood" .
:north a :Supplier ; rdfs:label "North" ; :supplies :tea , :cod .
:south a :Supplier ; rdfs:label "South" ; :supplies :rum .
:o1 a :Order ; rdfs:label "Order 1" ; :contains :tea ; :shipName "Bern Bakery" ;
    :shipCountry "France" .
:o2 a :Order ; rdfs:label "Order 2" ; :contains :cod ; :shipName "Casa Montes" ;
    :shipCountry "France" .
:o3 a :Order ; rdfs:label "Order 3" ; :contains :tea ; :shipName "Bern Bakery" ;
    :shipCountry "Spain" .
:ann a :Person ; rdfs:label "Ann" ; :worksOn :p1 , :p2 ; :directed :p1 ;
    :born "1960-05-01"^^xsd:date .
:ben a :Person ; rdfs:label "Ben" ; :worksOn :p1 ; :directed :p2 , :p3 ;
    :born "1970-05-01"^^xsd:date .
:cat a :Person ; rdfs:label "Cat" ; :worksOn :p3 , :p1 ; :directed :p4 .
:dan a :Person ; rdfs:label "Dan" ; :directed :p5 , :p6 ;
    :born "1950-05-01"^^xsd:date .
:p1 a :Project ; rdfs:label "Amber" . :p2 a :Project ; rdfs:label "Birch" .
:p3 a :Project ; rdfs:label "Cedar" . :p4 a :Project ; rdfs:label "Delta" .
:p5 a :Project ; rdfs:label "Ember" . :p6 a :Project ; rdfs:label "Fjord" .
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def _said(session: isomatch.Session, question: str) -> str | None:
    """The text of an answer; None where the question is refused."""
    answer = asked(session, question)
    return answer.text if answer is not None else None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much is Tea?", "4."),
        ("Which suppliers supply both drinks and seafood?", "North."),
        ("How many people directed more than one project?", "2."),
        ("How many people work on at least two projects?", "2."),
        ("Which orders have the ship name Bern Bakery?", "Order 3 and Order 1."),
        ("Which products are in an order?", "Tea and Cod."),
    ],
)
def test_what_people_ask_of_a_shop_is_answered(
    shop: isomatch.Session, question: str, text: str
) -> None:
    assert _said(shop, question) == text


@pytest.mark.parametrize(
    "question",
    ["Which products are on order?", "How much are the drinks?", "How much is North?"],
)
def test_an_idiom_and_a_price_that_nothing_has_are_refused(
    shop: isomatch.Session, question: str
) -> None:
    assert _said(shop, question) is None


def test_a_verb_is_not_taken_for_the_first_word_of_a_name(shop: isomatch.Session) -> None:
    """It was read as "ship name", of which the graph has no "France"."""
    answer = shop.ask("How many orders were shipped to France?", interpreter="schema")
    assert answer.text == "2." or answer.text.startswith("The whole question was not understood")


def test_people_are_compared_by_an_adjective_of_their_birth(shop: isomatch.Session) -> None:
    assert _said(shop, "How many directors are older than Ben?") == "2."
    assert _said(shop, "Which directors are older than Ben?") == "Dan and Ann."


def test_a_refusal_says_that_no_answer_is_of_the_kind_asked_for(shop: isomatch.Session) -> None:
    """It said that no place was found for a word that it listed as understood."""
    text = shop.ask("Which categories directed Amber?", interpreter="schema").text
    assert "what was found is not what “categories” asks for" in text

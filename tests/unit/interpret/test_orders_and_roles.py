"""Questions of a trading company's orders and stock, and of borders and co-authors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

TRADE = b"""
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:unitsInStock rdfs:label "units in stock" . :unitPrice rdfs:label "unit price" .
:orderDate rdfs:label "order date" . :partOf rdfs:label "part of" .
:ann a :Customer ; rdfs:label "Ann" ; :purchased :o1 , :o2 ; :country :fr .
:ben a :Customer ; rdfs:label "Ben" ; :purchased :o3 ; :country :es .
:o1 a :Order ; rdfs:label "Order 1" ; :orders :tea ; :orderDate "1996-07-04"^^xsd:date ;
    :freight 10 .
:o2 a :Order ; rdfs:label "Order 2" ; :orders :cod ; :orderDate "1997-03-04"^^xsd:date ;
    :freight 30 .
:o3 a :Order ; rdfs:label "Order 3" ; :orders :tea ; :orderDate "1997-05-04"^^xsd:date ;
    :freight 5 .
:tea a :Product ; rdfs:label "Tea" ; :unitsInStock 0 ; :unitPrice 4 ; :partOf :drinks ;
    :discontinued false .
:rum a :Product ; rdfs:label "Rum" ; :unitsInStock 7 ; :unitPrice 30 ; :partOf :drinks ;
    :discontinued true .
:cod a :Product ; rdfs:label "Cod" ; :unitsInStock 3 ; :unitPrice 9 ; :partOf :seafood ;
    :discontinued false .
:drinks a :Category ; rdfs:label "Drinks" . :seafood a :Category ; rdfs:label "Seafood" .
:fr a :Country ; rdfs:label "France" ; :neighbour :es .
:es a :Country ; rdfs:label "Spain" ; :neighbour :pt .
:pt a :Country ; rdfs:label "Portugal" .
:p1 a :Paper ; rdfs:label "On Tea" ; :author :eve , :finn . :eve a :Person ; rdfs:label "Eve" .
:p2 a :Paper ; rdfs:label "On Rum" ; :author :eve , :gil . :finn a :Person ; rdfs:label "Finn" .
:p3 a :Paper ; rdfs:label "On Cod" ; :author :hal . :gil a :Person ; rdfs:label "Gil" .
:hal a :Person ; rdfs:label "Hal" .
"""


@pytest.fixture(scope="module")
def trade() -> Iterator[isomatch.Session]:
    with opened(TRADE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        # The date of a deed is that of the record of it.
        ("Which customers bought tea in 1997?", {"Ben"}),
        ("Which customers ordered something in July 1996?", {"Ann"}),
        ("Who ordered in 1997?", {"Ann", "Ben"}),
        ("Which orders were placed in the 90s?", {"Order 1", "Order 2", "Order 3"}),
        ("Which categories has Ann ordered?", {"Drinks", "Seafood"}),
        ("Which categories has Ben not ordered?", {"Seafood"}),
        ("Which customers did not order in 1996?", {"Ben"}),
        ("Which products did Ann order in 1997?", {"Cod"}),
        # What somebody ordered is in their orders.
        ("What did Ann order?", {"Tea", "Cod"}),
        ("Which orders did Ann place?", {"Order 1", "Order 2"}),
        # What is there in some number.
        ("Which products are in stock?", {"Rum", "Cod"}),
        ("Which products are out of stock?", {"Tea"}),
        ("How many products are in stock?", {"2"}),
        ("How many units of Rum are in stock?", {"7"}),
        # Of each.
        ("average price per category", {"Drinks", "Seafood"}),
        ("Which category has the highest average price?", {"Drinks"}),
        ("total freight per customer", {"Ann", "Ben"}),
        # "Not" does not reach beyond a state.
        ("Which products are not discontinued in Drinks?", None),
        ("Which products in Drinks are not discontinued?", {"Tea"}),
        # Plainer words.
        ("Which products are priced above 8?", {"Rum", "Cod"}),
        ("Do we have any products in Seafood?", {"True"}),
        ("How many products are in the database?", {"3"}),
        ("I would like to know which customers ordered tea", {"Ann", "Ben"}),
        ("Did Ann ever order tea?", {"True"}),
        # Those who share a border have each other as neighbours.
        ("Do France and Spain share a border?", {"True"}),
        ("Do France and Portugal share a border?", {"False"}),
        ("Are Spain and France neighbours?", {"True"}),
        ("Which countries share a border with Spain?", {"France", "Portugal"}),
        ("Which country borders the most other countries?", {"Spain"}),
        # Others with a part in the same.
        ("Who are the co-authors of Eve?", {"Finn", "Gil"}),
        ("Eve's co-authors", {"Finn", "Gil"}),
    ],
)
def test_orders_stock_and_borders(
    trade: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(trade, question) == names

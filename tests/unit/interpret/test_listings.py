"""Things with what they have: "products and their prices", "the price of each product"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_records import SHOP

import isomatch
from isomatch.output.rows import answer_rows

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:acme a :Company ; rdfs:label "Acme" . :bolt a :Company ; rdfs:label "Bolt" .
:lamp a :Product ; rdfs:label "Lamp" ; :madeBy :acme ; :price 35 ; :weight 2 .
:drill a :Product ; rdfs:label "Drill" ; :madeBy :bolt ; :price 120 ; :weight 3 .
:saw a :Product ; rdfs:label "Saw" ; :madeBy :acme ; :weight 1 .
:ann a :Employee ; rdfs:label "Ann" ; :worksFor :acme ; :manager :bea ; :speaks :french .
:bea a :Employee ; rdfs:label "Bea" ; :worksFor :acme .
:french a :Language ; rdfs:label "French" .
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the price of each product?", "Saw: nothing; Lamp: 35; Drill: 120"),
        ("List all products and their prices.", "Saw: nothing; Lamp: 35; Drill: 120"),
        ("Products with their prices and weights", "Saw: nothing, 1; Lamp: 35, 2; Drill: 120, 3"),
        ("List the products of Acme and their weights.", "Saw: 1; Lamp: 2"),
        ("Who is the manager of each employee?", "Bea: nothing; Ann: Bea"),
        ("Which products does each company make?", "Bolt: Drill; Acme: Lamp and Saw"),
        ("What does each product cost?", "Saw: nothing; Lamp: 35; Drill: 120"),
        ("List all companies and their products.", "Bolt: Drill; Acme: Lamp and Saw"),
        ("What are the price and weight of the Drill?", "price: 120; weight: 3"),
        ("How much does each product cost?", "Saw: nothing; Lamp: 35; Drill: 120"),
        ("Who makes each product?", "Saw: Acme; Lamp: Acme; Drill: Bolt"),
        ("Which company makes each product?", "Saw: Acme; Lamp: Acme; Drill: Bolt"),
        ("Which company does each employee work for?", "Ann: Acme; Bea: Acme"),
    ],
)
def test_things_are_listed_with_what_they_have(
    shop: isomatch.Session, question: str, text: str
) -> None:
    answer = shop.ask(question, interpreter="schema")
    assert answer.supported, answer.text
    found, wanted = answer.text.partition(" Joined by ")[0].rstrip("."), text
    assert sorted(found.split("; ")) == sorted(wanted.split("; "))


def test_rows_have_a_column_for_what_is_listed_beside_things(shop: isomatch.Session) -> None:
    rows = answer_rows(shop.ask("List all products and their prices.", interpreter="schema"))
    assert len(rows.columns) >= 2
    assert {tuple(cell.name if cell else "" for cell in row)[:2] for row in rows.rows} >= {
        ("Lamp", "35"),
        ("Drill", "120"),
    }


@pytest.mark.parametrize(
    "question",
    [
        "Which employees and their managers speak French?",  # both, or those whose managers do
        "Which languages does every employee speak?",  # all of them do
        "How many does each product cost?",
        "List all products and their prices over 50.",
    ],
)
def test_what_is_said_of_things_and_of_theirs_is_no_list(
    shop: isomatch.Session, question: str
) -> None:
    assert not shop.ask(question, interpreter="schema").supported


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What did each customer order?", "Kim: nothing; Jan: Lamp; Ivo: Chair and Drill and Lamp"),
        (
            "Which products did each customer order?",
            "Kim: nothing; Jan: Lamp; Ivo: Chair and Drill and Lamp",
        ),
        ("Who reviewed each product?", "Saw: nothing; Chair: Jan; Drill: Jan; Lamp: Ivo"),
    ],
)
def test_what_each_did_is_listed_by_the_records_of_it(question: str, text: str) -> None:
    with opened(SHOP) as session:
        found = session.ask(question, interpreter="schema").text.partition(" Joined by ")[0]
    assert _listed(found.rstrip(".")) == _listed(text)


def _listed(text: str) -> dict[str, set[str]]:
    pairs = (one.split(": ") for one in text.split("; "))
    return {name: {*things.split(" and ")} for name, things in pairs}

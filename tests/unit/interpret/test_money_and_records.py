"""Money of no named currency, what records say of a thing, weights, ages, and what nobody did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

import isomatch

SHOP = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:weight rdfs:label "weight in grams" .
:lamp a :Product ; rdfs:label "Desk Lamp" ; :price 19.5 ; :weight 900 ; :language :dutch .
:pen a :Product ; rdfs:label "Gel Pen" ; :price 2.5 ; :weight 12 ; :testedBy :ada .
:desk a :Product ; rdfs:label "Oak Desk" ; :price 240 ; :weight 31000 ; :testedBy :bo .
:r1 a :Review ; :about :lamp ; :rating 5 ; :writtenBy :ada .
:r2 a :Review ; :about :lamp ; :rating 2 ; :writtenBy :bo .
:r3 a :Review ; :about :pen ; :rating 4 ; :writtenBy :bo .
:dutch a :Language ; rdfs:label "Dutch" .
:ada a :Tester ; rdfs:label "Ada Holm" ; :hireDate "2011-01-02"^^xsd:date ; :worksIn :lab .
:bo a :Tester ; rdfs:label "Bo Lind" ; :hireDate "2001-01-02"^^xsd:date ; :worksIn :lab .
:lab a :Department ; rdfs:label "Lab" .
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[isomatch.Session]:
    with opened(SHOP) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which products cost less than 20 EUR?",
        "products under 20 euros",
        "products that cost between 2 and 20 euros",
    ],
)
def test_a_price_of_no_currency_is_read_under_a_condition(
    shop: isomatch.Session, question: str
) -> None:
    answer = asked(shop, question)
    assert answer is not None
    assert {node.name for node in answer.answers} == {"Desk Lamp", "Gel Pen"}
    assert answer.text.startswith("If “euros” means “the unit of price”: ")


def test_a_price_in_another_currency_is_not_read() -> None:
    """Nothing is converted, and a graph that names one currency may count in it throughout."""
    named = SHOP.replace(b":price 240", b":price 240 ; :deposit_usd 20") + (
        b':deposit_usd rdfs:label "deposit in dollars" .'
    )
    with opened(named) as session:
        assert asked(session, "Which products cost less than 20 EUR?") is None
        cheap = names_if_answered(session, "Which products cost less than 20 dollars?")
        assert cheap == {"Desk Lamp", "Gel Pen"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the average rating of the Desk Lamp?", {"3.5"}),
        ("average rating of Gel Pen", {"4"}),
        ("Which products weigh more than 500 grams?", {"Desk Lamp", "Oak Desk"}),
        ("products weighing under 1 kg", {"Desk Lamp", "Gel Pen"}),
        ("products that nobody tested", {"Desk Lamp"}),
        ("products that no one tested", {"Desk Lamp"}),
        ("Which department has Ada Holm as well as Bo Lind?", {"Lab"}),
        ("Who is the newest tester?", {"Ada Holm"}),
    ],
)
def test_what_people_say_of_products_is_read(
    shop: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(shop, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "What is the total rating of the Desk Lamp?",
        "What is the rating of the Desk Lamp?",
        "What is the average rating of Ada Holm?",  # of hers, or of what she tested
        "Who is the oldest tester?",  # was not hired first
        "Which tester is older than Ada Holm?",
    ],
)
def test_what_records_and_hirings_do_not_say_is_refused(
    shop: isomatch.Session, question: str
) -> None:
    assert asked(shop, question) is None

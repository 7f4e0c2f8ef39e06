"""Names in capitals: "US" and "IT" are names, and neither "us" nor "it"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

ACCOUNTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a1 a :Account ; rdfs:label "Northwind" ; :country :uk .
:a2 a :Account ; rdfs:label "Contoso" ; :country :us .
:uk a :Country ; rdfs:label "United Kingdom" . :us a :Country ; rdfs:label "United States" .
"""


@pytest.fixture(scope="module")
def accounts() -> Iterator[isomatch.Session]:
    with opened(ACCOUNTS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("US accounts", {"Contoso"}),
        ("Which US accounts are there?", {"Contoso"}),
        ("Which accounts are NOT in the US?", {"Northwind"}),
        ("WHICH ACCOUNTS ARE IN THE UK?", {"Northwind"}),
        ("Show us the accounts", {"Contoso", "Northwind"}),
    ],
)
def test_capitals_make_a_name_of_a_small_word(
    accounts: isomatch.Session, question: str, names: set[str]
) -> None:
    assert {found.name for found in accounts.ask(question).answers} == names


def test_an_unknown_name_in_capitals_is_not_passed_over(accounts: isomatch.Session) -> None:
    answer = accounts.ask("Which IT accounts are there?")
    assert not answer.supported
    assert "“IT”" in answer.text


PEOPLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:w a :Person ; rdfs:label "Will Young" ; :manager :m ; :city :nice ;
    :started "2020-05-01"^^xsd:date .
:m a :Person ; rdfs:label "May Long" ; :manager :b ; :city :bath ;
    :started "2018-03-01"^^xsd:date .
:b a :Person ; rdfs:label "Bill Best" ; :city :nice ;
    :started "2015-01-01"^^xsd:date .
:nice a :City ; rdfs:label "Nice" . :bath a :City ; rdfs:label "Bath" .
"""


@pytest.fixture(scope="module")
def people() -> Iterator[isomatch.Session]:
    with opened(PEOPLE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who manages Will?", "If “Will” means “Will Young”: May Long."),
        ("Who does May manage?", "If “May” means “May Long”: Will Young."),
        ("When did May start?", "If “May” means “May Long”: 2018-03-01."),
        ("Who started in May 2020?", "Will Young."),
        ("Who lives in Nice?", "Bill Best and Will Young."),
        ("Who Lives In Nice?", "Bill Best and Will Young."),
    ],
)
def test_a_small_word_with_a_capital_is_a_name_that_it_begins(
    people: isomatch.Session, question: str, text: str
) -> None:
    assert people.ask(question).text == text


@pytest.mark.parametrize("question", ["Does Hope live in Nice?", "Does Do live in Nice?"])
def test_an_unknown_name_that_is_a_small_word_is_not_passed_over(
    people: isomatch.Session, question: str
) -> None:
    assert not people.ask(question).supported

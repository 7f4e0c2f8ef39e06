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

"""Relations that are called by what those do that they lead to: an "issuing bank"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

CARDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Card ; rdfs:label "Card 1" ; :issuingBank :b1 ; :billingAddress :x1 .
:c2 a :Card ; rdfs:label "Card 2" ; :issuingBank :b2 ; :owner :ann .
:ann a :Person ; rdfs:label "Ann Berg" .
:b1 a :Bank ; rdfs:label "First Bank" . :b2 a :Bank ; rdfs:label "Sea Bank" .
:x1 a :Address ; rdfs:label "12 Lily Lane" .
"""


@pytest.fixture(scope="module")
def cards() -> Iterator[isomatch.Session]:
    with opened(CARDS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which bank issued Card 1?", {"First Bank"}),
        ("Which cards did Sea Bank issue?", {"Card 2"}),
        ("Which cards were issued by First Bank?", {"Card 1"}),
        ("What is the issuing bank of Card 2?", {"Sea Bank"}),
        ("Who billed Card 1?", None),
    ],
)
def test_what_has_an_issuing_bank_was_issued_by_it(
    cards: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(cards, question) == names

"""How many things there are is compared with no year that a relation of the same verb has."""

from __future__ import annotations

import pytest
from tests.turtle import names_if_answered, opened

COMPANIES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:k1 a :Company ; rdfs:label "Orvex" ; :founded_by :e1, :e2 ; :founded_in 1998 .
:k2 a :Company ; rdfs:label "Plenta" ; :founded_by :e1 ; :founded_in 1975 .
:k3 a :Company ; rdfs:label "Tarn Labs" ; :founded_in 2015 .
:e1 a :Person ; rdfs:label "Ada Flint" . :e2 a :Person ; rdfs:label "Ben Okoro" .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which companies have more than one founder?", {"Orvex"}),
        ("How many companies have more than one founder?", {"1"}),
        ("Does Tarn Labs have more founders than Plenta?", None),
        ("Which companies have more founders than Plenta?", None),
        ("Which companies were founded after 1990?", {"Orvex", "Tarn Labs"}),
        ("Which companies were founded later than Plenta?", {"Orvex", "Tarn Labs"}),
    ],
)
def test_more_founders_are_no_later_year(question: str, found: set[str] | None) -> None:
    with opened(COMPANIES) as companies:
        assert names_if_answered(companies, question) == found

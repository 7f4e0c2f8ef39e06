"""What is the most common of a kind, or of the values of a relation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

PLANTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t1 a :Tree ; rdfs:label "T1" ; :soil :clay ; :colour "white" ; :park :north .
:t2 a :Tree ; rdfs:label "T2" ; :soil :clay ; :colour "red" ; :park :south ; :neighbour :t1 .
:s1 a :Shrub ; rdfs:label "S1" ; :soil :sand ; :colour "red" ; :park :south ; :owner :ann .
:clay a :Soil ; rdfs:label "clay" . :sand a :Soil ; rdfs:label "sand" .
:north a :Park ; rdfs:label "North Park" ; :keeper :ann .
:south a :Park ; rdfs:label "South Park" ; :keeper :bo .
:ann a :Person ; rdfs:label "Ann Berg" . :bo a :Person ; rdfs:label "Bo Rehn" .
"""


@pytest.fixture(scope="module")
def plants() -> Iterator[isomatch.Session]:
    with opened(PLANTS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the most common soil?", {"clay"}),
        ("Which soil is most frequent?", {"clay"}),
        ("most common colour", {"red"}),
        ("Which colour is the most common?", {"red"}),
        ("What is the most common colour in South Park?", None),
        ("Which person is the most common?", None),
    ],
)
def test_the_most_common_is_what_most_things_have(
    plants: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(plants, question) == names

"""Who has some of what a relation leads to, where it does from several kinds of things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

PEOPLE = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Scientist ; rdfs:label "Ada Brun" ; :hasChild :d .
:b a :Scientist ; rdfs:label "Bo Falk" .
:c a :Politician ; rdfs:label "Cyr Gent" ; :hasChild :d, :e .
:d a :Scientist ; rdfs:label "Dea Brun" .
:e a :Scientist ; rdfs:label "Eve Gent" .
"""


@pytest.fixture(scope="module")
def people() -> Iterator[isomatch.Session]:
    with opened(PEOPLE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which scientists have children?", {"Ada Brun"}),
        ("Which politicians have children?", {"Cyr Gent"}),
        ("How many scientists have children?", {"1"}),
        ("Which scientists have parents?", {"Dea Brun", "Eve Gent"}),
        ("Which scientists have no parents?", {"Ada Brun", "Bo Falk"}),
    ],
)
def test_those_are_found_who_have_some(
    people: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(people, question) == names

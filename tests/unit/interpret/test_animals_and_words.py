"""Species as classes, "isn't" as "is not", and the two names of a phone number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

VETS = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:okoro a :Vet ; rdfs:label "Ngozi Okoro" ; :speaks "English" ; :onCall true ; :phone "555-01" .
:brandl a :Vet ; rdfs:label "Jonas Brandl" ; :speaks "German" ; :onCall false .
:brandl :supervisedBy :okoro .
:bella a :Animal ; rdfs:label "Bella" ; :species "dog" ; :weightKg 29 ; :ownedBy :hanna .
:truffle a :Animal ; rdfs:label "Truffle" ; :species "dog" ; :weightKg 13 ; :diedOn 2024 .
:truffle :ownedBy :hanna .
:clover a :Animal ; rdfs:label "Clover" ; :species "rabbit" ; :weightKg 2 ; :ownedBy :hanna .
:hanna a :Owner ; rdfs:label "Hanna Lind" .
:amox a :Medicine ; rdfs:label "Amoxival" ; :notSuitableFor "rabbit" .
:carpro a :Medicine ; rdfs:label "Carprodol" ; :notSuitableFor "cat" .
"""


@pytest.fixture(scope="module")
def vets() -> Iterator[isomatch.Session]:
    with opened(VETS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Show me all dogs", {"Bella", "Truffle"}),
        ("number of dogs", {"2"}),
        ("heaviest dog", {"Bella"}),
        ("Show me all rabbits", {"Clover"}),
        ("Which animals aren't dogs?", {"Clover"}),
    ],
)
def test_a_species_is_the_class_of_its_animals(
    vets: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(vets, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which vets aren't supervised by anyone?", {"Ngozi Okoro"}),
        ("Which vet isn’t supervised?", {"Ngozi Okoro"}),
        ("Which vets don't speak German?", {"Ngozi Okoro"}),
        ("Which vets aren't on call?", {"Jonas Brandl"}),
        ("Which medicine isn't suitable for rabbits?", {"Amoxival"}),
        ("Which animals didn't die?", {"Bella", "Clover"}),
    ],
)
def test_a_shortened_not_says_what_not_does(
    vets: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(vets, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What's Ngozi Okoro's phone number?", {"555-01"}),
        ("phone of Ngozi Okoro", {"555-01"}),
        ("Which vets have no phone number?", {"Jonas Brandl"}),
    ],
)
def test_a_phone_is_called_a_phone_number_too(
    vets: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(vets, question) == names

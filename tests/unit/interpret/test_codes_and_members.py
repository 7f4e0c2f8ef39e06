"""What a code means, since when somebody is a member, what a plan costs, and who does nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

import isomatch

CLUB = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Member ; rdfs:label "Ann Berg" ; :memberSince "2015-03-01"^^xsd:date ; :coaches :bob ;
  :birthDate "1990-05-05"^^xsd:date ; :tariff :gold ; :sport :s12 .
:bob a :Member ; rdfs:label "Bob Lee" ; :memberSince "2021-06-01"^^xsd:date ; :coaches :cy ;
  :birthDate "1985-02-07"^^xsd:date ; :tariff :basic ; :sport :s40 .
:cy a :Member ; rdfs:label "Cy Noor" ; :memberSince "2023-01-15"^^xsd:date ; :tariff :basic .
:gold a :Tariff ; rdfs:label "Gold" ; :pricePerMonth 40 ; :lockers 4 .
:basic a :Tariff ; rdfs:label "Basic" ;
  :pricePerMonth 15 ; :lockers 2 .
:s12 a :SportCode ; rdfs:label "S12" ; :description "rowing with a coxswain" .
:s40 a :SportCode ; rdfs:label "4410" ; :description "fencing" .
"""


@pytest.fixture(scope="module")
def club() -> Iterator[isomatch.Session]:
    with opened(CLUB) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is S12?", {"rowing with a coxswain"}),
        ("What's 4410?", {"fencing"}),
        ("What does S12 mean?", {"rowing with a coxswain"}),
        ("What does 4410 stand for?", {"fencing"}),
        ("What is Ann Berg?", None),
        ("What is S12 in Gold?", None),
    ],
)
def test_what_a_thing_is_its_description_says(
    club: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(club, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which members joined before 2016?", {"Ann Berg"}),
        ("When did Bob Lee join?", {"2021-06-01"}),
        ("When is Ann Berg a member?", None),
        ("When was Ann Berg born?", {"1990-05-05"}),
    ],
)
def test_who_is_a_member_since_a_day_joined_on_it(
    club: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(club, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How much is the Gold tariff?", {"40"}),
        ("How much is Basic?", {"15"}),
        ("How much are the tariffs?", None),
        ("average number of lockers per tariff", {"3"}),
    ],
)
def test_how_much_one_thing_is_or_all_are_on_average_asks_for_prices(
    club: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(club, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which members don't coach anyone?",
        "Which members do not coach anybody?",
        "Members who have never coached anybody",
        "Who doesn't coach anyone?",
    ],
)
def test_who_does_not_do_it_to_anyone_never_does(club: isomatch.Session, question: str) -> None:
    assert names_if_answered(club, question) == {"Cy Noor"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which members are not coached by anyone?", {"Ann Berg"}),
        ("Members not coached by anybody", {"Ann Berg"}),
        ("Who is not coached by anyone?", {"Ann Berg"}),
    ],
)
def test_who_is_not_coached_by_anyone_may_coach(
    club: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(club, question) == names

"""Opposites of flags, and verbs that share what stands behind the next: once answered plainly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

from isomatch import Session

AIRPORTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:closedAtNight rdfs:label "closed at night" . :openedIn rdfs:label "opened in" .
:inCountry rdfs:label "in country" .
:kes a :Airport ; rdfs:label "Kestrel" ; :closedAtNight true ; :openedIn 1950 ; :inCountry :peru .
:tor a :Airport ; rdfs:label "Torre" ; :closedAtNight false ; :openedIn 1970 ; :inCountry :peru .
:lys a :Airport ; rdfs:label "Lysgard" ; :closedAtNight false ; :inCountry :mali .
:peru a :Country ; rdfs:label "Peru" . :mali a :Country ; rdfs:label "Mali" .
:a1 a :Aircraft ; rdfs:label "FJ-A" ; :owner :fjord ; :operator :fjord .
:a2 a :Aircraft ; rdfs:label "FJ-B" ; :owner :sky ; :operator :sol .
:a3 a :Aircraft ; rdfs:label "FJ-C" ; :owner :sol ; :operator :fjord .
:fjord a :Airline ; rdfs:label "Fjordair" . :sol a :Airline ; rdfs:label "Sol Wings" .
:sky a :Airline ; rdfs:label "Skylease" .
"""


@pytest.fixture(scope="module")
def airports() -> Iterator[Session]:
    with opened(AIRPORTS) as session:
        yield session


def test_what_is_open_at_night_is_not_closed_then(airports: Session) -> None:
    names = names_if_answered(airports, "Airports open at night")
    assert names is None or names == {"Torre", "Lysgard"}
    assert names_if_answered(airports, "Airports closed at night") == {"Kestrel"}
    assert names_if_answered(airports, "Airports not closed at night") == {"Torre", "Lysgard"}


def test_what_was_opened_may_be_closed_at_night(airports: Session) -> None:
    assert names_if_answered(airports, "Airports opened in Peru") == {"Kestrel", "Torre"}
    names = names_if_answered(airports, "Airports opened in Mali")
    assert names is None or not names


@pytest.mark.parametrize(
    "question",
    [
        "Which aircraft are owned but not operated by Sol Wings?",
        "Which aircraft are operated but not owned by Fjordair?",
    ],
)
def test_two_verbs_share_who_does_it(airports: Session, question: str) -> None:
    assert asked(airports, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which aircraft are owned and operated by Fjordair?", {"FJ-A"}),
        ("Which aircraft are operated by Fjordair?", {"FJ-A", "FJ-C"}),
        ("Which aircraft are not operated by Fjordair?", {"FJ-B"}),
    ],
)
def test_what_each_verb_says_is_answered(airports: Session, question: str, names: set[str]) -> None:
    assert names_if_answered(airports, question) == names

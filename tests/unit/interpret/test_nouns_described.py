"""Nouns of relations with an adjective, and those of numbers that may be 0."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

AIRLINES = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:fjord a :Airline ; rdfs:label "Fjordair" ; :chiefExecutive :dahl ; :hub :lys .
:sol a :Airline ; rdfs:label "Sol Wings" ; :chiefExecutive :vega ; :hub :tor .
:emerald a :Airline ; rdfs:label "Emerald Hop" ; :hub :tor .
:dahl a :Person ; rdfs:label "Kari Dahl" ; :nationality "Norwegian" .
:vega a :Person ; rdfs:label "Iker Vega" ; :nationality "Spanish" .
:lys a :Airport ; rdfs:label "Lysgard" . :tor a :Airport ; rdfs:label "Torreblanca" .
:f1 a :Flight ; rdfs:label "FJ 101" ; :operator :fjord ; :delayMinutes 12 .
:f2 a :Flight ; rdfs:label "FJ 220" ; :operator :fjord ; :delayMinutes 0 .
:f3 a :Flight ; rdfs:label "SW 88" ; :operator :sol ; :delayMinutes 105 .
:f1 :captain :siv . :f2 :captain :siv , :bo . :f3 :captain :bo .
:siv a :Pilot ; rdfs:label "Siv Halvorsen" ; :leads :north ; :knows "Kotlin" ; :basedIn "Oslo" .
:bo a :Pilot ; rdfs:label "Bo Falk" ; :tutors :f1 , :f2 ; :floor 0 .
:north a :Team ; rdfs:label "North" .
:f4 a :Flight ; rdfs:label "EH 12" ; :operator :emerald .
"""


@pytest.fixture(scope="module")
def airlines() -> Iterator[isomatch.Session]:
    with opened(AIRLINES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which chief executives are Spanish?", {"Iker Vega"}),
        ("Who is the Norwegian chief executive?", {"Kari Dahl"}),
        ("Norwegian chief executives", {"Kari Dahl"}),
        ("Which airline's chief executive is Spanish?", {"Sol Wings"}),
        ("airlines with a Spanish chief executive", {"Sol Wings"}),
    ],
)
def test_an_adjective_describes_those_that_a_noun_is_for(
    airlines: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(airlines, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which flights had no delay?", {"FJ 220", "EH 12"}),
        ("Which flights of Fjordair had no delay?", {"FJ 220"}),
    ],
)
def test_no_delay_is_one_of_zero_too(
    airlines: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(airlines, question) == names


@pytest.mark.parametrize(
    "question", ["Which team leads know Kotlin?", "Which team leads are based in Oslo?"]
)
def test_leads_of_teams_are_no_teams(airlines: isomatch.Session, question: str) -> None:
    answer = airlines.ask(question, interpreter="schema")
    assert "North" not in {node.name for node in answer.answers} or not answer.supported


def test_a_flight_delayed_the_most_has_the_longest_delay(airlines: isomatch.Session) -> None:
    assert names_found(airlines, "Which flight was delayed the most?") == {"SW 88"}


def test_a_floor_of_zero_is_one(airlines: isomatch.Session) -> None:
    answer = airlines.ask("Which pilots have no floor?", interpreter="schema")
    assert "Bo Falk" not in {node.name for node in answer.answers}

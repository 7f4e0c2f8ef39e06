"""Relations that are nearly what a question says, each of which once gave a wrong answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:flag rdfs:label "flag state" . :builtIn rdfs:label "built in" .
:inCountry rdfs:label "in country" .
:partOf rdfs:label "part of" . :dest rdfs:label "destination country" .
:death rdfs:label "country of death" . :warranty rdfs:label "warranty duration (months)" .
:empty rdfs:label "weight (empty)" . :loaded rdfs:label "loaded weight" .
:nominated rdfs:label "prize nomination" . :wonPrize rdfs:label "won" . :upFor rdfs:label "up for" .
:gull a :Ship ; rdfs:label "Gull" ; :flag :norway ; :builtIn :kiel ; :captain :ann ; :empty 9 ;
    :loaded 50 .
:tern a :Ship ; rdfs:label "Tern" ; :flag :germany ; :builtIn :oslo ; :captain :ben ; :empty 7 ;
    :loaded 80 .
:nord a :Line ; rdfs:label "Nord Line" ; :owns :gull , :tern .
:ann a :Sailor ; rdfs:label "Ann" ; :origin :norway . :ben a :Sailor ; rdfs:label "Ben" ;
    :origin :germany ; :trainer :ann ; :death :kenya . :cat a :Sailor ; rdfs:label "Cat" ;
    :trainer :ben ; :origin :norway .
:oslo a :Port ; rdfs:label "Oslo" ; :inCountry :norway .
:kiel a :Port ; rdfs:label "Kiel" ; :inCountry :germany .
:norway a :Country ; rdfs:label "Norway" ; :partOf :europe .
:germany a :Country ; rdfs:label "Germany" ; :partOf :europe .
:kenya a :Country ; rdfs:label "Kenya" ; :partOf :africa .
:europe a :Continent ; rdfs:label "Europe" . :africa a :Continent ; rdfs:label "Africa" .
:box a :Parcel ; rdfs:label "Box Nine" ; :dest :norway . :bag a :Parcel ; rdfs:label "Bag Ten" ;
    :dest :germany .
:nova a :Phone ; rdfs:label "Nova" ; :warranty 24 . :lite a :Phone ; rdfs:label "Lite" ;
    :warranty 12 .
:dawn a :Song ; rdfs:label "Dawn Song" ; :nominated :leaf ; :upFor :bell ; :wonPrize :cup .
:dusk a :Song ; rdfs:label "Dusk Song" ; :nominated :leaf ; :upFor :bell ; :wonPrize :vase .
:leaf a :Prize ; rdfs:label "Gold Leaf" . :bell a :Prize ; rdfs:label "Iron Bell" .
:cup a :Prize ; rdfs:label "Tin Cup" . :vase a :Prize ; rdfs:label "Blue Vase" .
"""


@pytest.fixture(scope="module")
def ships() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Is Box Nine from Norway?",
        "Is Bag Ten from Norway?",
        "Where does Box Nine come from?",
        "Is the Gull in Oslo?",
        "Is the Gull in Norway?",
        "Is the Tern in Norway?",
        "Is Ann in Norway?",
        "Which phone takes the longest?",
        "How long does the Nova take?",
        "Who has a captain?",
        "Which line owns ships with more than one captain?",
        "Which prizes do Dawn Song and Dusk Song have in common?",
        "Which songs share a prize with Dusk Song?",
        "List the ships ranked by loaded weight",
    ],
)
def test_what_a_relation_nearly_says_is_refused(ships: isomatch.Session, question: str) -> None:
    assert asked(ships, question) is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which sailors have a trainer?", "Ben, Cat"),
        ("Who has a trainer?", "Ben, Cat"),
        ("Which sailors are from Norway?", "Ann, Cat"),
        ("Where does Ben come from?", "Germany"),
    ],
)
def test_what_a_relation_says_is_answered(
    ships: isomatch.Session, question: str, found: str
) -> None:
    answer = asked(ships, question)
    assert answer is not None
    assert ", ".join(sorted(node.name for node in answer.answers)) == found


@pytest.mark.parametrize(("country", "holds"), [("Norway", False), ("Germany", True)])
def test_the_country_of_a_death_is_no_origin(
    ships: isomatch.Session, country: str, holds: bool
) -> None:
    answer = asked(ships, f"Is Ben from {country}?")
    assert answer is not None
    assert answer.holds is holds


def test_a_nomination_is_no_prize_that_was_won() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :nominated rdfs:label "prize nomination" .
    :dawn a :Song ; rdfs:label "Dawn Song" ; :nominated :leaf .
    :leaf a :Prize ; rdfs:label "Gold Leaf" .
    """
    with opened(graph) as session:
        answer = asked(session, "Which songs won the Gold Leaf?")
    assert answer is None or answer.text.startswith("If “won” means “prize nomination”:")

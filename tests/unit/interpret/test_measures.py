"""Units that a question asks for, where the graph has others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

PEAKS = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Mountain ; rdfs:label "Arnock" ; :height_m 1500 ; :prominence 300 .
:b a :Mountain ; rdfs:label "Brenta" ; :height_m 3100 ; :prominence 80 .
"""


@pytest.fixture(scope="module")
def peaks() -> Iterator[isomatch.Session]:
    with opened(PEAKS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How high is Arnock in feet?", "If “feet” means “the unit of height m”: 1500."),
        ("height of Arnock in km", "If “km” means “the unit of height m”: 1500."),
        ("What is the average height of the mountains in km?", "If “km” means “the unit of "),
        ("prominence of Brenta in feet", "If “feet” means “the unit of prominence”: 80."),
        ("height of Arnock in metres", "1500."),
        ("How high is Arnock?", "1500."),
    ],
)
def test_values_in_another_unit_than_is_asked_for_are_told(
    peaks: isomatch.Session, question: str, text: str
) -> None:
    assert peaks.ask(question, interpreter="schema").text.startswith(text)


AIRPORTS = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:runwayLengthM rdfs:label "runway length (m)" .
:a a :Airport ; rdfs:label "Lysgard" ; :runwayLengthM 2800 ; :annualBudgetMillion 40 .
:b a :Airport ; rdfs:label "Torre" ; :runwayLengthM 3400 ; :annualBudgetMillion 95 .
:c a :Airport ; rdfs:label "Kestrel" ; :runwayLengthM 1900 ; :annualBudgetMillion 12 .
"""


@pytest.fixture(scope="module")
def airports() -> Iterator[isomatch.Session]:
    with opened(AIRPORTS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which airport has the longest runway?", "Torre."),
        ("Which airports have a runway longer than 2500 m?", "Torre and Lysgard."),
        ("How long is the runway of Kestrel?", "1900."),
        ("What is the runway of Kestrel?", "If “runway” means “runway length (m)”: 1900."),
        # An amount in millions is told.
        (
            "Which airport has the highest annual budget?",
            "If “annual budget” means “annual budget million”: Torre.",
        ),
    ],
)
def test_a_part_is_as_long_as_the_relation_says(
    airports: isomatch.Session, question: str, text: str
) -> None:
    assert airports.ask(question, interpreter="schema").text == text

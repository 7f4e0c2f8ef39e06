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

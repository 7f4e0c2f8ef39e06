"""Questions in forms that people seldom write, one for each rule."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Berg" ; :born 1950 ; :died 1990 ; :directed :heat ; :acted :ali .
:bo a :Person ; rdfs:label "Bo Carr" ; :born 1990 ; :produced :heat .
:cy a :Person ; rdfs:label "Cy Dunn" ; :directed :heat .
:heat a :Film ; rdfs:label "Heat" ; :price 5 ; :weight 7 .
:ali a :Film ; rdfs:label "Ali" ; :price 6 ; :weight 9 .
:fr a :Country ; rdfs:label "France" ; :population 600 .
:es a :Country ; rdfs:label "Spain" ; :population 400 .
:lyon a :City ; rdfs:label "Lyon" ; :country :fr ; :population 50 .
:nice a :City ; rdfs:label "Nice" ; :country :fr ; :population 70 .
:metz a :City ; rdfs:label "Metz" ; :country :fr ; :population 60 .
"""


@pytest.fixture(scope="module")
def graph() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who was born or died in 1990?", "Bo Carr and Ann Berg."),
        ("What are the price and weight of each film?", "Ali: 6, 9; Heat: 5, 7."),
        ("Who directed a film but never acted?", "Cy Dunn."),
        (
            "Which countries have more people than 500?",
            "If “people” means “population”: France.",
        ),
    ],
)
def test_what_is_seldom_asked(graph: isomatch.Session, question: str, text: str) -> None:
    assert graph.ask(question, interpreter="schema").text == text

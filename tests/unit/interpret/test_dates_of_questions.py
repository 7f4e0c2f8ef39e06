"""Dates in questions: whose date is asked for, and how it compares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:first_crossed_by rdfs:label "first crossed by" . :first_crossing rdfs:label "first crossing" .
:opened rdfs:label "opened" . :birth_date rdfs:label "birth date" .
:amber a :Strait ; rdfs:label "Amber Strait" ; :first_crossed_by :ines ; :width 4 ;
    :first_crossing "1790-03-01"^^xsd:date .
:cobalt a :Strait ; rdfs:label "Cobalt Strait" ; :first_crossed_by :jan, :kaja ; :width 9 ;
    :first_crossing "1822-07-09"^^xsd:date .
:dusk a :Strait ; rdfs:label "Dusk Strait" ; :first_crossed_by :jan ; :width 2 ;
    :first_crossing "1825-05-30"^^xsd:date .
:ines a :Sailor ; rdfs:label "Ines Moll" ; :birth_date "1760-01-01"^^xsd:date .
:jan a :Sailor ; rdfs:label "Jan Pell" ; :birth_date "1799-02-02"^^xsd:date .
:kaja a :Sailor ; rdfs:label "Kaja Orr" ; :birth_date "1801-03-03"^^xsd:date .
:north a :Port ; rdfs:label "North Port" ; :opened "1880"^^xsd:gYear ; :built_by :lena .
:south a :Port ; rdfs:label "South Port" ; :opened "1900"^^xsd:gYear ; :built_by :lena .
:west a :Port ; rdfs:label "West Port" ; :opened "1952"^^xsd:gYear .
:lena a :Builder ; rdfs:label "Lena Quist" .
"""

TABLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:lark a :Project ; rdfs:label "Lark" ; :started :d1 ; :led_by :mia .
:wren a :Project ; rdfs:label "Wren" ; :started :d2 ; :led_by :nils .
:mia a :Employee ; rdfs:label "Mia Roth" ; :joined :d3 .
:nils a :Employee ; rdfs:label "Nils Sand" ; :joined :d4 .
:d1 rdfs:label "2001-03-10" . :d2 rdfs:label "1999-06-01" .
:d3 rdfs:label "1998-05-04" . :d4 rdfs:label "2011-03-01" .
"""


@pytest.fixture(scope="module")
def straits() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture(scope="module")
def table() -> Iterator[isomatch.Session]:
    with opened(TABLE) as session:
        yield session


def _asked(session: isomatch.Session, question: str) -> tuple[str, list[str]]:
    """The names of supported answers, and the words that are left out of refused ones."""
    answer = session.ask(question, interpreter="schema")
    coverage = answer.hypothesis.coverage if answer.hypothesis else None
    left = [span.text.lower() for span in coverage.left_out] if coverage else []
    names = sorted(str(node.name) for node in answer.answers) if answer.supported else []
    return ", ".join(names), left


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the first crossing of Amber Strait?", "1790-03-01"),
        ("Who first crossed Cobalt Strait?", "Jan Pell, Kaja Orr"),
        ("What is the birth date of Ines Moll?", "1760-01-01"),
        ("Which strait has the earliest first crossing?", "Amber Strait"),
        ("Which strait has the latest first crossing?", "Dusk Strait"),
        ("Which straits have a first crossing after 1800?", "Cobalt Strait, Dusk Strait"),
        ("Which straits have a first crossing before 1824?", "Amber Strait, Cobalt Strait"),
        ("Who is the oldest sailor?", "Ines Moll"),
        ("Which sailor who first crossed a strait is the youngest?", "Kaja Orr"),
        ("When was North Port opened?", "1880"),
        ("When was Amber Strait crossed?", "1790-03-01"),
        ("Which ports opened by 1900?", "North Port, South Port"),
        ("Which ports opened no later than 1880?", "North Port"),
        ("Which ports opened from 1900 on?", "South Port, West Port"),
        ("Which ports opened since 1952?", "West Port"),
        ("Which ports opened in 1900?", "South Port"),
        ("Which ports were built by Lena Quist?", "North Port, South Port"),
        ("Which ports opened after North Port?", "South Port, West Port"),
    ],
)
def test_a_date_is_that_of_what_a_question_is_about(
    straits: isomatch.Session, question: str, answers: str
) -> None:
    assert _asked(straits, question)[0] == answers


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Is West Port open?", "open"),
        ("In which year was Amber Strait crossed?", "year"),
        ("When was North Port built?", "when"),
        ("Who was the first sailor?", "first"),
        ("Who last crossed Cobalt Strait?", "last"),
        ("Which straits were crossed before 1824?", "before"),
        ("Who crossed Cobalt Strait after 1800?", "after"),
        ("Which ports opened as of 1900?", "as"),
        ("Which ports opened within 1880 and 1900?", "within"),
        ("Which ports were open in 1900?", "open"),
        ("Which ports opened in May?", "may"),
        ("Which ports opened in 1880 and 1952?", "1952"),
    ],
)
def test_a_word_for_another_date_is_refused(
    straits: isomatch.Session, question: str, word: str
) -> None:
    answers, left = _asked(straits, question)

    assert answers == ""
    assert word in left


@pytest.mark.parametrize(
    ("question", "answers", "words"),
    [
        ("Which projects started in 2001?", "Lark", []),
        ("Which employees may lead Wren?", "", ["lead"]),  # who led it did
        ("When did Mia Roth join?", "1998-05-04", []),
        ("Which projects started after May 2001?", "", ["after", "may"]),
        ("Which projects started by 2001?", "", ["by"]),
        ("Which projects started from 2001 on?", "", ["on"]),
        ("Which employees joined after Mia Roth?", "", ["after"]),
        ("Which employees joined in May?", "", ["may"]),
        ("When was Wren led?", "", ["when"]),
    ],
)
def test_dates_that_are_nodes_are_not_compared(
    table: isomatch.Session, question: str, answers: str, words: list[str]
) -> None:
    found, left = _asked(table, question)

    assert found == answers
    assert set(words) <= set(left)

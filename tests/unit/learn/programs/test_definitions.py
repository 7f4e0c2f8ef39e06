"""What adjectives are found to mean by the answers of the questions that have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from tests.turtle import opened

import isomatch
from isomatch.learn.programs.definitions import definitions
from isomatch.learn.programs.labels import ProgramLabeller, ProgramReport
from isomatch.lexicon.lexicon import Definition
from isomatch.questions.datasets import Question

STATES = {"Texas": (90, 340, 1600), "Ohio": (20, 130, 505), "Utah": (15, 60, 163)}
"""Thousands of people in the cities of each."""
NS = "http://example.org/"
MAJOR = Definition(f"{NS}City", f"{NS}population", ">", "150000")
ASKED = {
    "Which major cities are in Texas?": ("Texas 340", "Texas 1600"),
    "What are the major cities in Ohio?": ("Ohio 505",),
    "How many major cities are in Utah?": ("1",),
    "How many major cities are in Texas?": ("2",),
}


def graph(*, height: bool = False) -> bytes:
    lines = [
        f"@prefix : <{NS}> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    ]
    for state, cities in STATES.items():
        lines.append(f':{state} a :State ; rdfs:label "{state}" .')
        for people in cities:
            more = f" ; :height {people}" if height else ""
            lines.append(
                f':{state}{people} a :City ; rdfs:label "{state} {people}" ; :state :{state} ; '
                f":population {people}000{more} ."
            )
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(graph()) as session:
        yield session


def found(
    session: isomatch.Session, asked: Mapping[str, tuple[str, ...]]
) -> Mapping[str, Definition]:
    questions = [
        Question(f"q{number}", text, (), answers, None, 0)
        for number, (text, answers) in enumerate(asked.items())
    ]
    labeller = ProgramLabeller(session.resources)
    return definitions(labeller, questions, [labeller.label(one) for one in questions])


def test_an_adjective_means_what_gives_the_answers_of_its_questions(
    session: isomatch.Session,
) -> None:
    known = found(session, ASKED)
    assert known == {"major city": MAJOR}
    rows = dict(ProgramReport.of([], dict(known)).rows())
    assert f"major city: {NS}population > 150000, as answers tell" in rows


def test_small_values_are_what_an_adjective_may_mean_too(session: isomatch.Session) -> None:
    asked = {
        "Which quaint cities are in Texas?": ("Texas 90",),
        "Which quaint cities are in Ohio?": ("Ohio 20",),
        "Which quaint cities are in Utah?": ("Utah 15", "Utah 60"),
    }
    assert found(session, asked)["quaint city"].operator == "<"


@pytest.mark.parametrize(
    "more",
    [
        {"Which major cities are in Utah?": ("Utah 15",)},  # of which it is not true
        {"Show the major cities in Ohio": ("Ohio 20", "Ohio 130", "Ohio 505")},
    ],
)
def test_an_adjective_whose_answers_disagree_is_not_defined(
    session: isomatch.Session, more: Mapping[str, tuple[str, ...]]
) -> None:
    three = dict(list(ASKED.items())[:3])
    assert found(session, three)
    assert not found(session, {**three, **more})


def test_two_questions_are_too_few_to_define_an_adjective(session: isomatch.Session) -> None:
    assert not found(session, dict(list(ASKED.items())[:2]))


def test_an_adjective_that_two_relations_explain_is_not_defined() -> None:
    with opened(graph(height=True)) as session:
        assert not found(session, ASKED)

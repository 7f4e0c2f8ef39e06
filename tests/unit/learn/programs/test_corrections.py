"""Patterns that were chosen, as the programs that questions with the same answers get."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

import isomatch
from isomatch.feedback import Feedback, Record
from isomatch.feedback.lessons import lessons_of
from isomatch.learn.programs.corrections import corrected, program_labels
from isomatch.learn.programs.labels import Label, ProgramLabeller
from isomatch.questions.datasets import Question


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def lesson_labels(session: isomatch.Session, **fields: object) -> list[Label]:
    given = Feedback.of(**{"kind": "reading", **fields})
    record = Record.of_feedback(given, "1", datetime.now(timezone.utc), "")
    return program_labels(session.resources, lessons_of(session.resources, [record]))


@pytest.mark.parametrize(
    "question",
    [
        "Which states border Texas?",
        "Which rivers run through Oklahoma?",
        "How many rivers run through Louisiana?",
        "What is the capital of Alaska?",
        "Which cities are in Texas?",
        "What is the capital of the state that the Yukon runs through?",
    ],
)
def test_a_pattern_is_the_program_of_the_question_that_gives_its_answers(
    session: isomatch.Session, question: str
) -> None:
    answer = session.ask(question, interpreter="schema")
    names = [node.name for node in answer.answers]
    if answer.result is not None and answer.result.count() is not None:
        names = [str(answer.result.count())]
    asked = Question("1", question, (), tuple(names), None, 0)
    expected = ProgramLabeller(session.resources).label(asked)
    assert expected.program
    (label,) = lesson_labels(session, question=question, pattern=answer.pattern)
    assert (label.text, label.program) == (expected.text, expected.program)
    assert label.example().source == "feedback"


@pytest.mark.parametrize(
    ("question", "pattern", "reason"),
    [
        (
            "How large is the largest neighbour of Texas?",
            '("Texas")-[borders]->(?s)-[area]->(?a) return max(?a)',
            "a clause that is not read as a program",
        ),
        ("Who adjoins the lone star state?", '("Texas")-[borders]->(?s)', "is not in the question"),
        (
            "Which neighbours of Texas border each other in Texas?",
            '("Texas")-[borders]->(?s), (?s)-[borders]-("Texas"), (?s)-[country]-(?c), '
            '("Texas")-[country]-(?c) return ?s',
            "its pattern has a circle",
        ),
    ],
)
def test_other_patterns_say_why_they_are_not_learnt(
    session: isomatch.Session, question: str, pattern: str, reason: str
) -> None:
    labels = lesson_labels(session, question=question, pattern=pattern)
    (label,) = labels
    assert label.program == ()
    assert reason in label.reason
    assert corrected(labels)[f"correction left out: {label.reason}"] == 1


def test_typed_answers_get_the_program_that_gives_them(session: isomatch.Session) -> None:
    answers = ["Oklahoma", "Louisiana"]
    (label,) = lesson_labels(
        session, question="Which states border Texas?", kind="answer", answers=answers
    )
    assert label.program[0].endswith("borders")
    assert label.example().source == "feedback"

"""Questions in other languages than English: read by their own table, and by no other's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

import isomatch

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

_FOLDER = Path(__file__).parents[2] / "data" / "domains" / "de"
QUESTIONS: dict[str, Any] = toml.loads((_FOLDER / "laender.toml").read_text("utf-8"))
REFUSED = QUESTIONS["refused"]["questions"]
LONG = "which river " * 2500


@pytest.fixture(scope="module")
def lands() -> Iterator[isomatch.Session]:
    turtle = (_FOLDER / "laender.ttl").read_bytes()
    with opened(turtle, language="de", languages=("de", "en")) as session:
        yield session


@pytest.fixture(scope="module")
def states() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def _found(answer: isomatch.Answer) -> str:
    if answer.holds is not None:
        return "yes" if answer.holds else "no"
    return ", ".join(sorted(_text(str(node.name)) for node in answer.answers))


def _text(name: str) -> str:
    """A name, or a number with four digits, however the store writes it."""
    try:
        return f"{float(name):.4g}"
    except ValueError:
        return name


@pytest.mark.parametrize(("question", "answers"), QUESTIONS["answered"].items())
def test_a_question_in_german_finds_its_answers(
    lands: isomatch.Session, question: str, answers: str
) -> None:
    answer = lands.ask(question, interpreter="schema")

    assert _found(answer) == answers
    assert answer.supported


@pytest.mark.parametrize(("question", "answers"), QUESTIONS["answered_or_refused"].items())
def test_a_question_in_german_is_answered_rightly_or_refused(
    lands: isomatch.Session, question: str, answers: str
) -> None:
    try:
        answer = lands.ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return

    assert not answer.supported or _found(answer) == answers


@pytest.mark.parametrize("question", REFUSED)
def test_what_is_no_question_in_german_of_the_graph_is_refused(
    lands: isomatch.Session, question: str
) -> None:
    try:
        answer = lands.ask(question, interpreter="schema")
    except isomatch.InterpretationError as error:
        assert "“" in str(error) or "do not join" in str(error)
        return

    assert not answer.supported
    assert answer.answers == ()

"""Questions about a company, papers and football: no answer may be wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.turtle import opened
from tests.unit.interpret.domains import spelt

import isomatch
from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import any_of, leads_on_from_any
from isomatch.interpret.compose.expressions import Along, Both, Named, OfType

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

_FOLDER = Path(__file__).parents[2] / "data" / "domains"
_DOMAINS = sorted(path.stem for path in _FOLDER.glob("*.ttl"))


def _questions(domain: str) -> dict[str, Any]:
    return toml.loads((_FOLDER / f"{domain}.toml").read_text("utf-8"))


def _all(table: str) -> list[tuple[str, str, str]]:
    """The questions of a table, of every domain: (domain, question, answers)."""
    return [(d, q, a) for d in _DOMAINS for q, a in _questions(d)[table].items()]


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, isomatch.Session]]:
    opens = {d: opened((_FOLDER / f"{d}.ttl").read_bytes()) for d in _DOMAINS}
    yield opens
    for session in opens.values():
        session.close()


def _found(answer: isomatch.Answer) -> str:
    return ", ".join(sorted(spelt(str(node.name)) for node in answer.answers))


@pytest.mark.parametrize(("domain", "question", "answers"), _all("answered"))
def test_a_question_finds_its_answers(
    sessions: dict[str, isomatch.Session], domain: str, question: str, answers: str
) -> None:
    answer = sessions[domain].ask(question, interpreter="schema")

    assert _found(answer) == answers
    assert answer.supported


@pytest.mark.parametrize(("domain", "question", "answers"), _all("answered_or_refused"))
def test_a_question_is_answered_rightly_or_refused(
    sessions: dict[str, isomatch.Session], domain: str, question: str, answers: str
) -> None:
    try:
        answer = sessions[domain].ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return

    assert not answer.supported or _found(answer) == answers


@pytest.mark.parametrize(
    ("domain", "question"),
    [(d, q) for d in _DOMAINS for q in _questions(d)["refused"]["questions"]],
)
def test_what_a_graph_cannot_say_is_refused(
    sessions: dict[str, isomatch.Session], domain: str, question: str
) -> None:
    answer = sessions[domain].ask(question, interpreter="schema")

    assert not answer.supported
    assert answer.answers == ()


def test_a_word_that_is_only_like_a_type_is_told(sessions: dict[str, isomatch.Session]) -> None:
    answer = sessions["hospital"].ask("Which clinics are in Harrowgate?", interpreter="schema")

    assert answer.text.startswith("If “clinics” means “hospital”: ")
    assert _found(answer) == "Northmoor Infirmary, Saint Brannoc Hospital"


def test_a_refusal_shows_no_pattern_of_what_is_no_name(
    sessions: dict[str, isomatch.Session],
) -> None:
    answer = sessions["hospital"].ask("How many firms are there?", interpreter="schema")

    assert answer.text == (
        "The whole question was not understood: no place was found for “How many” and “firms”."
    )


def test_what_both_ordered_is_not_led_to_from_what_either_did() -> None:
    kinds = frozenset(["Order"])
    ann, bob = (
        Along(Named(name, None, frozenset(["Person"]), frozenset(), 1), Step("purchased"), kinds)
        for name in ("Ann", "Bob")
    )
    either = any_of(OfType("Order", kinds), [ann, bob])

    assert leads_on_from_any(Along(either, Step("orders"), frozenset(["Product"])))
    assert not leads_on_from_any(either)  # "the orders of both Ann and Bob"
    assert not leads_on_from_any(Along(Both(ann, bob, kinds), Step("orders"), kinds))

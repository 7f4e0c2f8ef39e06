"""All of a set, what a name is, and names joined by "and": answered rightly, or refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import MORE

import isomatch
from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.types import Span, SpanKind
from isomatch.interpret.universal import asks_for_each
from isomatch.lexicon.language import language_of
from isomatch.pattern import parse


@pytest.fixture(scope="module")
def states() -> Iterator[isomatch.Session]:
    with opened(MORE) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Do all states border Texas?",
        "Which rivers run through all states that border Texas?",
        "How many rivers run through all states?",
    ],
)
def test_all_of_a_set_has_no_place(states: isomatch.Session, question: str) -> None:
    answer = states.ask(question, interpreter="schema")
    assert not answer.supported
    assert "“all”" in answer.text


@pytest.mark.parametrize(
    "question",
    ["List all rivers", "Can you provide all rivers", "Could you identify all rivers"],
)
def test_what_is_asked_of_the_listener_may_be_all(question: str) -> None:
    words = question.lower().split()
    assert asks_for_each(words, words.index("all"), False, language_of("en"))


@pytest.mark.parametrize(
    "question",
    [
        "Do the states border Texas?",
        "Are the rivers in Texas longer than 1000?",
        "Is Texas a city?",
        "Is Austin a state?",
        "Is Austin a state in Usa?",
        "What is the population of Austin and Tulsa?",
    ],
)
def test_what_no_pattern_says_is_refused(states: isomatch.Session, question: str) -> None:
    assert not states.ask(question, interpreter="schema").supported


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Are there rivers in Texas?", "Yes"),
        ("Do any states border Texas?", "Yes"),
        ("Is Texas a state?", "Yes"),
        ("Is Austin a capital?", "Yes"),
        ("Is Houston a capital?", "No"),
        ("Are Austin and Juneau capitals?", "Yes"),
        ("Are Austin and Houston capitals?", "No"),
        ("Are Texas and Alaska states?", "Yes"),
    ],
)
def test_yes_or_no_is_about_each(states: isomatch.Session, question: str, text: str) -> None:
    answer = states.ask(question, interpreter="schema")
    assert answer.supported
    assert answer.text.startswith(text)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List all rivers in Texas.", {"Red River", "Sabine"}),
        ("What are all the capitals?", {"Austin", "Juneau"}),
        ("What are the capitals of all states?", {"Austin", "Juneau"}),
        ("What are the capitals of Texas and Alaska?", {"Austin", "Juneau"}),
        ("Which rivers run through Texas and Oklahoma?", {"Red River"}),
        ("Which states do Texas and Oklahoma not border?", {"Alaska"}),
    ],
)
def test_each_of_several_is_found(states: isomatch.Session, question: str, names: set[str]) -> None:
    answer = states.ask(question, interpreter="schema")
    assert answer.supported
    assert {str(node.name) for node in answer.answers} - {"Texas", "Oklahoma"} == names


@pytest.mark.parametrize(("kind", "meaning"), [("type", "river"), ("relation", "river")])
def test_a_counted_noun_is_the_kind_that_it_was_read_as(
    states: isomatch.Session, kind: SpanKind, meaning: str
) -> None:
    kinds = AskedKinds(states.resources.schema, states.resources.lexicon)
    pattern = parse('(?x)-[traverses]->(s "Texas") return count(?x)')
    assert kinds.is_said(pattern, Span(9, 16, "streams", kind, meaning))
    assert not kinds.is_said(pattern, Span(9, 16, "streams", kind, "city"))
    assert not kinds.is_said(pattern, Span(9, 16, "streams", "operator", meaning))

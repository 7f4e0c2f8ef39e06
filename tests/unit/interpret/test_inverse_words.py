"""Which side of a relation a question asks for, by its words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = """
@prefix : <http://people.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:alice a :Person; rdfs:label "Alice"; :parentOf :bob; :employer :acme .
:bob a :Person; rdfs:label "Bob"; :parentOf :carol; :employer :acme .
:carol a :Person; rdfs:label "Carol"; :father :bob .
:acme a :Company; rdfs:label "Acme" .
:dora a :Author; rdfs:label "Dora"; :spouse :carol . :emil a :Author; rdfs:label "Emil" .
:omens a :Book; rdfs:label "Good Omens"; :author :dora, :emil; :publisher :acme .
:parentOf rdfs:label "parent of" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH.encode()) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who is the parent of Bob?", {"Alice"}),
        ("who is a child of Bob?", {"Carol"}),
        ("who are the children of Alice?", {"Bob"}),
        ("what is the employer of Bob?", {"Acme"}),
        ("who are the employees of Acme?", {"Alice", "Bob"}),
    ],
)
def test_a_word_for_one_side_finds_that_side(
    session: isomatch.Session, question: str, expected: set[str]
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert {str(node.name) for node in answer.answers} == expected


def test_nobody_is_the_child_of_their_child(session: isomatch.Session) -> None:
    assert session.ask("is Carol the child of Bob?").text.startswith("Yes")
    assert not session.ask("is Alice the child of Bob?").text.startswith("Yes")


def test_who_wrote_something_with_somebody_is_no_book(session: isomatch.Session) -> None:
    answer = session.ask("who wrote a book with Dora?", interpreter="schema")
    assert {str(node.name) for node in answer.answers} <= {"Emil"}

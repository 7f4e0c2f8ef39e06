"""Which side of a relation a question asks for, by its words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_if_answered, opened

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


SCHOOL = """
@prefix : <http://school.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:math a :Course ; rdfs:label "Mathematics" ; :prerequisiteFor :chem .
:chem a :Course ; rdfs:label "Chemistry" . :art a :Course ; rdfs:label "Art" .
:smith a :Teacher ; rdfs:label "Ms Smith" ; :teaches :math, :chem .
:lee a :Teacher ; rdfs:label "Dr Lee" ; :memberOf :humanities ; :marriedTo :smith ; :teaches :art .
:humanities a :Department ; rdfs:label "Humanities" .
:alice a :Student ; rdfs:label "Alice Brown" ; :mentor :smith ; :enrolledIn :math .
:bob a :Student ; rdfs:label "Bob White" ; :mentor :smith ; :enrolledIn :art .
"""


@pytest.fixture(scope="module")
def school() -> Iterator[isomatch.Session]:
    with opened(SCHOOL) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is Ms Smith the mentor of?", {"Alice Brown", "Bob White"}),
        ("What is Mathematics the prerequisite for?", {"Chemistry"}),
        ("Who is the mentor of Alice Brown?", {"Ms Smith"}),
    ],
)
def test_what_a_name_is_the_noun_of_is_found(
    school: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(school, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is Alice Brown the mentor of?", None),  # she has one
        ("What is Alice Brown a mentor of?", None),
        ("What is Chemistry a prerequisite for?", None),  # Mathematics is one for it
        ("What is Mathematics a prerequisite for?", {"Chemistry"}),
        ("What is Ms Smith a member of?", None),  # her husband is one of something
        ("Which department is Dr Lee a member of?", {"Humanities"}),
    ],
)
def test_the_other_side_of_a_noun_at_the_end_is_no_answer(
    school: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(school, question) in (None, names)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Ms Smith the mentor of Alice Brown?", {"True"}),
        ("Is Ms Smith Alice Brown's mentor?", {"True"}),
        ("Is Alice Brown the mentor of Ms Smith?", None),  # she has her as one
        ("Is Alice Brown a mentor of Ms Smith?", None),
        ("Is Alice Brown Ms Smith's mentor?", None),
        ("Is Mathematics a prerequisite for Chemistry?", {"True"}),
        ("Is Dr Lee a member of Humanities?", {"True"}),
    ],
)
def test_nobody_is_what_only_another_is_to_them(
    school: isomatch.Session, question: str, said: set[str] | None
) -> None:
    assert names_if_answered(school, question) == said

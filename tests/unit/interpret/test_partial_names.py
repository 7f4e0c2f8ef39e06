"""People and things that are said by a part of their name, as colleagues say it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

DESK = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t1 a :Ticket ; rdfs:label "Login broken" ; :reporter :ann ; :assignee :annb ; :priority "low" .
:t2 a :Ticket ; rdfs:label "No sound" ; :reporter :annc ; :assignee :annb ; :priority "high" .
:t3 a :Ticket ; rdfs:label "Blank page" ; :reporter :cy ; :assignee :annb ; :priority "low" .
:ann a :Customer ; rdfs:label "Ann Lee" ; :city :oslo ; :email "ann@x.no" .
:annc a :Customer ; rdfs:label "Ann Coe" ; :city :oslo .
:cy a :Customer ; rdfs:label "Cy Moe" ; :city :lake .
:annb a :Agent ; rdfs:label "Ann Berg" ; :city :lake .
:oslo a :City ; rdfs:label "Oslo" . :lake a :City ; rdfs:label "Red Lake" .
"""


@pytest.fixture(scope="module")
def desk() -> Iterator[isomatch.Session]:
    with opened(DESK) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which tickets did Moe report?", "If “Moe” means “Cy Moe”: Blank page."),
        ("How many tickets did Moe report?", "If “Moe” means “Cy Moe”: 1."),
        ("Where does Lee live?", "If “Lee” means “Ann Lee”: Oslo."),
        ("What is Lee's email?", "If “Lee” means “Ann Lee”: ann@x.no."),
        ("Which customers live in Red?", "If “Red” means “Red Lake”: Cy Moe."),
        # Of the three, one alone can have tickets assigned.
        ("Who is assigned to Blank page?", "If “assigned to” means “assignee”: Ann Berg."),
        ("Is Moe a customer?", "If “Moe” means “Cy Moe”: Yes: Cy Moe ─city→ Red Lake."),
    ],
)
def test_a_part_of_one_name_is_that_name_and_the_answer_says_so(
    desk: isomatch.Session, question: str, text: str
) -> None:
    assert desk.ask(question).text == text


@pytest.mark.parametrize(
    "question",
    [
        "Which tickets did Ann report?",
        "Which tickets did Ann not report?",
        "How many tickets did Ann report?",
        "Where does Ann live?",
        "Does Ann live in Oslo?",
        "Does Ann live in Red Lake?",  # one does, which says nothing of the others
        "What is Ann's town?",  # by a chain
    ],
)
def test_a_part_of_several_names_is_refused_with_these_names(
    desk: isomatch.Session, question: str
) -> None:
    text = desk.ask(question).text
    assert "“Ann” may mean “Ann " in text
    assert text.endswith("Write the whole name.")


def test_a_denial_of_a_part_of_a_name_says_whose_it_is(desk: isomatch.Session) -> None:
    text = desk.ask("Did Moe report Login broken?").text
    assert text.startswith("If “Moe” means “Cy Moe”: No: the graph has no such fact")


def test_an_unknown_whole_name_is_not_a_known_part_of_it(desk: isomatch.Session) -> None:
    answer = desk.ask("Where does Ann Dahl live?")
    assert not answer.supported
    assert "“Ann Dahl”" in answer.text

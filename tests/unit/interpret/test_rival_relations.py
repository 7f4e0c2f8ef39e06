"""What joins things is told where it is one of several relations, and numbers of members count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

from isomatch.session import Session

TURTLE = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:p1 a :Policy ; rdfs:label "LIF-1" ; :heldBy :ann ; :beneficiary :bea, :cy .
:p2 a :Policy ; rdfs:label "LIF-2" ; :heldBy :bea ; :beneficiary :ann .
:ann a :Customer ; rdfs:label "Ann Lee" ; :livesIn :kiel .
:bea a :Customer ; rdfs:label "Bea Orr" ; :livesIn :ulm .
:cy a :Customer ; rdfs:label "Cy Poe" ; :livesIn :ulm .
:kiel a :City ; rdfs:label "Kiel" . :ulm a :City ; rdfs:label "Ulm" .
:f1 a :Firm ; rdfs:label "Axis" ; :headcount 240 .
:f2 a :Firm ; rdfs:label "Bolt" ; :headcount 12 .
:f3 a :Firm ; rdfs:label "Corda" ; :headcount 70 .
:w1 a :Worker ; rdfs:label "Dan Ash" ; :employedBy :f1 .
:w2 a :Worker ; rdfs:label "Eve Elm" ; :employedBy :f2 .
"""
RELATIONS = ("held by", "beneficiary")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with opened(TURTLE) as found:
        yield found


@pytest.mark.parametrize(
    "question", ["Which customers are on LIF-1?", "Which policies does Ann Lee have?"]
)
def test_which_of_several_relations_is_taken_is_told(session: Session, question: str) -> None:
    text = session.ask(question, interpreter="schema").text
    assert any(text.endswith(f" Joined by “{r}”, which no word says.") for r in RELATIONS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which customers hold LIF-1?", "Ann Lee."),
        ("Who is a beneficiary of LIF-2?", "Ann Lee."),
    ],
)
def test_a_relation_that_a_word_says_is_not(session: Session, question: str, answer: str) -> None:
    assert session.ask(question, interpreter="schema").text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which firms have fewer than 50 employees?", "Bolt."),
        ("How many employees does Axis have?", "240."),
        ("Which firm has the most employees?", "Axis."),
        ("Which firms have no employees?", "If “employees” means “employed by”: Corda."),
        ("Which firm employs Dan Ash?", "Axis."),
    ],
)
def test_a_headcount_is_the_number_of_employees(
    session: Session, question: str, answer: str
) -> None:
    assert session.ask(question, interpreter="schema").text == answer

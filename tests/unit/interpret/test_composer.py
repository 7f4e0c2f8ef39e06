"""Whole questions, composed of their words: what they find, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:usa a :Country ; rdfs:label "Usa" .
:texas a :State ; rdfs:label "Texas" ; :borders :oklahoma, :louisiana ; :country :usa ;
    :highest_point :guadalupe ; :highest_elevation 2667 ; :population 14229000 ; :area 266807 ;
    :capital :austin .
:oklahoma a :State ; rdfs:label "Oklahoma" ; :borders :texas ; :country :usa ;
    :highest_point :mesa ; :highest_elevation 1516 ; :population 3025000 ; :area 69956 .
:louisiana a :State ; rdfs:label "Louisiana" ; :borders :texas ; :country :usa ;
    :highest_point :driskill ; :highest_elevation 163 ; :population 4206000 ; :area 47752 .
:alaska a :State ; rdfs:label "Alaska" ; :country :usa ; :population 401800 ; :area 591000 ;
    :highest_point :denali ; :highest_elevation 6194 ; :capital :juneau .
:guadalupe a :Place ; rdfs:label "Guadalupe Peak" . :mesa a :Place ; rdfs:label "Black Mesa" .
:driskill a :Place ; rdfs:label "Driskill Mountain" . :denali a :Place ; rdfs:label "Denali" .
:austin a :City ; rdfs:label "Austin" ; :state :texas ; :population 345496 .
:houston a :City ; rdfs:label "Houston" ; :state :texas ; :population 1595138 .
:juneau a :City ; rdfs:label "Juneau" ; :state :alaska ; :population 19528 .
:tulsa a :City ; rdfs:label "Tulsa" ; :state :oklahoma ; :population 360919 .
:red a :River ; rdfs:label "Red River" ; :traverses :texas, :oklahoma, :louisiana ; :length 2190 .
:sabine a :River ; rdfs:label "Sabine" ; :traverses :texas, :louisiana ; :length 890 .
:yukon a :River ; rdfs:label "Yukon" ; :traverses :alaska ; :length 3190 .
:heat a :Film ; rdfs:label "Heat" ; :starred :pacino ; :released "1995-12-15"^^xsd:date .
:ali a :Film ; rdfs:label "Ali" ; :released "2001-12-25"^^xsd:date .
:pacino a :Actor ; rdfs:label "Al Pacino" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the largest state that borders Texas?", "Oklahoma"),
        ("Which state bordering Texas has the largest population?", "Louisiana"),
        ("What is the capital of the largest state?", "Juneau"),
        ("Which states border the state with the largest population?", "Louisiana, Oklahoma"),
        ("Which rivers run through the state with the largest population?", "Red River, Sabine"),
        ("What is the longest river in Texas?", "Red River"),
        ("What is the most populous state?", "Texas"),
        ("What is the smallest state by population?", "Alaska"),
        ("Which state has the most rivers?", "Louisiana, Texas"),
        ("Which river runs through the most states?", "Red River"),
        ("What is the highest point in Usa?", "Denali"),
        ("How high is the highest point of Texas?", "2667"),
        ("How long is the Sabine?", "890"),
        ("How many rivers run through Texas?", "2"),
        ("How many states are there?", "4"),
        ("How many people live in Houston?", "1595138"),
        ("Which states do not border Texas?", "Alaska, Texas"),
        ("Which states don\u2019t border Texas?", "Alaska, Texas"),
        ("How many states do not border Texas?", "2"),
        ("Which rivers are longer than the Red River?", "Yukon"),
        ("Which rivers are longer than 1000?", "Red River, Yukon"),
        ("Which rivers in Texas are shorter than 1000?", "Sabine"),
        ("Which cities have more than 1 million people?", "Houston"),
        ("Which states have a population above 1 million and below 4 million?", "Oklahoma"),
        ("Which films were released after 2000?", "Ali"),
        ("Which films were released in 1995?", "Heat"),
        ("Which films were released between 1990 and 2000?", "Heat"),
        ("Which films came out before 2000?", "Heat"),
        ("Which film is the newest?", "Ali"),
        ("Where is Houston?", "Texas"),
        ("Which states have at least two cities?", "Texas"),
        ("Which river runs through three states?", "Red River"),
        ("What is the average population of the states bordering Texas?", "3615500"),
        ("What is the total area of the states?", "975515"),
        ("What is the area of all states combined?", "975515"),
        ("Which state borders the most states?", "Texas"),
        ("Which rivers run through Texas and Oklahoma?", "Red River"),
        ("Which rivers run through both Texas and Louisiana?", "Red River, Sabine"),
        ("Which state is Austin the capital of?", "Texas"),
    ],
)
def test_a_whole_question_finds_its_answers(
    session: isomatch.Session, question: str, answers: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    found = ", ".join(sorted(str(node.name) for node in answer.answers))
    assert found == answers
    assert answer.supported


@pytest.mark.parametrize(
    "question",
    [
        "Which state has the fewest rivers?",
        "What is the second longest river?",
        "Which states border Texas or Alaska?",
        "What is the cheapest city in Texas?",
        "Which states have at most two cities?",
        "How many rivers run through each state?",
        "Which films were released after 1990 or before 1980?",
        "What is the density of Texas?",
        "Which rivers are longer than the Mississippi?",
    ],
)
def test_what_cannot_be_said_whole_is_refused(session: isomatch.Session, question: str) -> None:
    answer = session.ask(question, interpreter="schema")

    assert not answer.supported
    assert answer.answers == ()


def test_a_reading_says_what_each_word_became(session: isomatch.Session) -> None:
    (best, *_) = session.interpret("What is the largest state that borders Texas?")

    assert best.coverage is not None
    assert [(s.text, s.kind) for s in best.coverage.understood] == [
        ("largest", "operator"),
        ("state", "type"),
        ("borders", "relation"),
        ("Texas", "name"),
    ]
    assert best.coverage.left_out == ()


def test_a_definition_of_the_lexicon_is_read(session: isomatch.Session) -> None:
    from isomatch.interpret.schema import SchemaInterpreter
    from isomatch.lexicon.lexicon import Adjective, Definition

    resources = session.resources
    lexicon = resources.lexicon
    known = "http://example.org/"
    edited = type(lexicon)(
        lexicon.relations,
        lexicon.types,
        lexicon.wider,
        {**lexicon.adjectives, "crowded": Adjective((f"{known}population",))},
        {"big city": Definition(f"{known}City", f"{known}population", ">", "1000000")},
    )
    reader = SchemaInterpreter(
        resources.store, resources.schema, resources.embedder, resources.mentions, edited
    )

    for question, answers in (
        ("Which big cities are in Texas?", ["Houston"]),
        ("What is the crowdedest city?", ["Houston"]),
        ("What is the most crowded city in Alaska?", ["Juneau"]),
    ):
        (best, *_) = reader.interpret(question)
        found = session.match(best.pattern, **best.options)
        assert [node.name for node in found.answers()] == answers, question

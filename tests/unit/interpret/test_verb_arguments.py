"""Kinds on the wrong side of a verb: each of these was once answered as if proven."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.turtle import asked, names_if_answered, opened

from isomatch import Session
from isomatch.interpret.coverage.reader import CoverageReader
from isomatch.interpret.schema import SchemaInterpreter
from isomatch.lexicon.lexicon import Definition

CAMPUS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:teaches rdfs:label "teaches" . :offeredBy rdfs:label "offered by" .
:livesIn rdfs:label "lives in" . :partOf rdfs:label "part of" . :mentions rdfs:label "mentions" .
:dean rdfs:label "dean" .
:ann a :Professor ; rdfs:label "Ann Ash" ; :teaches :logic , :sets ; :livesIn :rill .
:bob a :Professor ; rdfs:label "Bob Elm" ; :teaches :logic ; :livesIn :dorn .
:logic a :Course ; rdfs:label "Logic" ; :partOf :maths ; :mentions :bool .
:sets a :Course ; rdfs:label "Sets" ; :partOf :maths , :physics .
:maths a :Programme ; rdfs:label "Maths" ; :offeredBy :west .
:physics a :Programme ; rdfs:label "Physics" ; :offeredBy :west .
:west a :School ; rdfs:label "West" ; :dean :ann . :bool a :Thinker ; rdfs:label "George Boole" ;
    :livesIn :rill .
:rill a :City ; rdfs:label "Rill" . :dorn a :City ; rdfs:label "Dorn" .
"""

FORUM = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:commentedOn rdfs:label "commented on" . :accepted rdfs:label "is accepted" .
:a1 a :Answer ; rdfs:label "a1" ; :accepted true .
:a2 a :Answer ; rdfs:label "a2" ; :accepted false .
:c1 a :Comment ; rdfs:label "c1" ; :commentedOn :a1 .
:c2 a :Comment ; rdfs:label "c2" ; :commentedOn :a1 .
:c3 a :Comment ; rdfs:label "c3" ; :commentedOn :a2 .
"""


@pytest.fixture(scope="module")
def campus() -> Iterator[Session]:
    with opened(CAMPUS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which cities live in a professor?",
        "How many cities live in professors?",
        "Which programmes are part of a course?",
        "Which programmes are part of more than one course?",
        "Is a programme part of a course?",
        "Which professors does a city live in?",
        "Which courses are programmes part of?",
        "Which programmes offer a school?",
        "Which programmes offer the most schools?",
        "How many schools does each programme offer?",
        "Which schools does the Maths programme offer?",
        "Which professors are taught by more than one course?",
        "How many professors are taught by a course?",
        "Which courses teach at least two professors?",
        "How many thinkers mention no course?",
        "Which schools are the dean of a professor?",
        "How many schools are deans of professors?",
        "Where does thinker Ann Ash live?",
        "Which city does the course Ann Ash live in?",
        "Which schools offer the course Maths?",
        "Where is the thinker Ann Ash living?",
        "Which city does the Ann Ash thinker live in?",
        "Who lives in the city of the Ann Ash thinker?",
    ],
)
def test_a_kind_that_a_verb_is_not_said_of_is_no_answer(campus: Session, question: str) -> None:
    assert asked(campus, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which professors live in a city?", {"Ann Ash", "Bob Elm"}),
        ("Which cities do professors live in?", {"Rill", "Dorn"}),
        ("Which courses are part of a programme?", {"Logic", "Sets"}),
        ("Which courses are part of more than one programme?", {"Sets"}),
        ("Which programme is a course part of?", {"Maths", "Physics"}),
        ("Which schools offer the most programmes?", {"West"}),
        ("Which programmes does the West school offer?", {"Maths", "Physics"}),
        ("Which courses are taught by more than one professor?", {"Logic"}),
        ("Which professors teach at least two courses?", {"Ann Ash"}),
        ("Where does professor Ann Ash live?", {"Rill"}),
        ("Which professors are the dean of a school?", {"Ann Ash"}),
        ("Which schools have a professor as dean?", {"West"}),
        ("Which courses does the professor Ann Ash teach?", {"Logic", "Sets"}),
        ("Which schools offer the programme Maths?", {"West"}),
        ("Which programme is the course Logic part of?", {"Maths"}),
    ],
)
def test_a_kind_that_a_verb_is_said_of_answers(
    campus: Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(campus, question) == names


def test_an_adjective_that_is_said_of_another_kind_is_told() -> None:
    with opened(FORUM) as session:
        comments = asked(session, "How many accepted comments are there?")
        answers = asked(session, "How many accepted answers are there?")
    assert comments is not None
    assert answers is not None
    assert comments.text == "If “accepted comments” means “comments of accepted answer”: 2."
    assert answers.text == "1."


REGIONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:livesIn rdfs:label "lives in" . :locatedIn rdfs:label "located in" .
:ann a :Person ; rdfs:label "Ann Ash" ; :livesIn :mill .
:bob a :Person ; rdfs:label "Bob Elm" ; :livesIn :pond .
:mill a :House ; rdfs:label "Mill" ; :locatedIn :north .
:pond a :House ; rdfs:label "Pond" ; :locatedIn :south .
:north a :Region ; rdfs:label "Norden" . :south a :Region ; rdfs:label "Suden" .
"""


@pytest.mark.parametrize(
    "question", ["Who lives in the Norden region?", "Which people live in the region Norden?"]
)
def test_who_lives_in_a_house_lives_in_its_region(question: str) -> None:
    with opened(REGIONS) as session:
        assert names_if_answered(session, question) == {"Ann Ash"}


def test_a_kind_of_a_definition_is_the_type_that_it_is_of() -> None:
    with opened(REGIONS + ":mill :rooms 12 . :pond :rooms 3 .") as session:
        resources, known = session.resources, "http://example.org/"
        large = Definition(f"{known}House", f"{known}rooms", ">", "10")
        lexicon = replace(resources.lexicon, definitions={"large house": large})
        reader = SchemaInterpreter(
            resources.store, resources.schema, resources.embedder, resources.mentions, lexicon
        )
        question = "Which large houses are located in Norden?"
        coverage = CoverageReader(resources.schema, lexicon, resources.word_embedder)
        mentions = resources.mentions.find(question)
        (best, *_) = coverage.read(question, mentions, reader.interpret(question))
        assert best.coverage is not None
        assert best.coverage.left_out == ()


SCHOOL = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:taughtIn rdfs:label "taught in" . :teaches rdfs:label "teaches" .
:ivo a :Teacher ; rdfs:label "Ivo Oak" ; :teaches :maths .
:maths a :Subject ; rdfs:label "maths" ; :taughtIn :r1 . :r1 a :Room ; rdfs:label "R1" .
"""


def test_where_something_is_done_does_not_do_it() -> None:
    """Not where the graph says who does."""
    with opened(SCHOOL) as school:
        assert asked(school, "Which rooms teach subjects?") is None
        assert names_if_answered(school, "Which teachers teach subjects?") == {"Ivo Oak"}
        assert names_if_answered(school, "Which subjects are taught in rooms?") == {"maths"}

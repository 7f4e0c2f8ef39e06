"""All of a set, what a name is, and names joined by "and": answered rightly, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import MORE

import isomatch
from isomatch.interpret.types import Span, SpanKind
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.interpret.words.universal import asks_for_each
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
        ("How many people do all states have?", "21861800"),
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
        ("List every capital.", {"Austin", "Juneau"}),
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


@pytest.mark.parametrize(
    ("question", "verb"),
    [
        ("Austin is a state.", "is"),
        ("The capital of Texas is a city.", "is"),
        ("Austin is the capital of Texas.", "is"),
        ("Texas borders Oklahoma.", "borders"),
    ],
)
def test_a_statement_asks_for_nothing(states: isomatch.Session, question: str, verb: str) -> None:
    with pytest.raises(isomatch.InterpretationError, match=rf"asks for nothing.*“{verb}”"):
        states.ask(question, interpreter="schema")


@pytest.mark.parametrize(
    "question",
    [
        "Is the capital of Texas a state?",
        "Which states border both states?",
        "Which rivers run through both?",
        "How many neighbors of Oklahoma and Louisiana are there?",
        "How many rivers do all states have?",
        "Which state has the same rivers as Texas?",
        "Which state is the same as Texas?",
        "Which states have more people than the states that border Texas?",
    ],
)
def test_what_may_be_asked_of_each_or_of_another_is_refused(
    states: isomatch.Session, question: str
) -> None:
    assert not states.ask(question, interpreter="schema").supported


NEIGHBOURS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Country ; rdfs:label "Arra" ; :neighbour :b , :c ; :language :x ; :currency :m ; :people 5 .
:b a :Country ; rdfs:label "Berra" ; :neighbour :d ; :language :x , :y ; :currency :m ; :people 9 .
:c a :Country ; rdfs:label "Corra" ; :language :y ; :currency :n ; :people 2 .
:d a :Country ; rdfs:label "Dorra" ; :neighbour :c ; :language :y ; :currency :n ; :people 7 .
:x a :Language ; rdfs:label "Xan" . :y a :Language ; rdfs:label "Yan" .
:m a :Currency ; rdfs:label "Mark" . :n a :Currency ; rdfs:label "Nok" .
"""


@pytest.fixture(scope="module")
def countries() -> Iterator[isomatch.Session]:
    with opened(NEIGHBOURS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which countries are the neighbours of Arra and Dorra?", {"Berra", "Corra"}),
        ("What are the neighbours of Arra and Berra?", {"Arra", "Berra", "Corra", "Dorra"}),
        ("Which neighbours of Arra and Berra speak Xan?", {"Arra", "Berra"}),
        ("What are the neighbours of both Arra and Dorra?", {"Berra", "Corra"}),
        ("What are the neighbours of both Arra and Berra?", set()),
        ("Which countries border Arra and Dorra?", {"Berra", "Corra"}),
        ("Which countries speak only Yan?", {"Corra", "Dorra"}),
        ("Which countries border only Arra?", set()),
        ("Which countries have the same currency as Arra?", {"Berra"}),
        ("Which countries use the same currency as Dorra?", {"Corra"}),
        ("Which countries other than Arra speak Xan?", {"Berra"}),
        ("Which countries have more people than Arra?", {"Berra", "Dorra"}),
        ("Which neighbours of Dorra have fewer people than Dorra?", {"Corra"}),
    ],
)
def test_what_is_said_beside_another_thing(
    countries: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = countries.ask(question, interpreter="schema")
    assert answer.hypothesis is not None
    assert answer.hypothesis.coverage is not None
    assert not answer.hypothesis.coverage.left_out
    assert {str(node.name) for node in answer.answers} == names


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Does Arra have the same currency as Berra?", "Yes"),
        ("Does Arra have the same currency as Corra?", "No"),
        ("Does Berra have more people than Dorra?", "Yes"),
        ("Does Corra have more people than Dorra?", "No"),
    ],
)
def test_whether_two_things_have_the_same_or_more(
    countries: isomatch.Session, question: str, text: str
) -> None:
    answer = countries.ask(question, interpreter="schema")
    assert answer.supported
    assert answer.text.startswith(text)


def test_what_any_of_several_names_has_is_told(countries: isomatch.Session) -> None:
    answer = countries.ask("What are the neighbours of Arra and Berra?", interpreter="schema")
    assert answer.hypothesis is not None
    assert any("“neighbours of Arra or Berra” is asked for" in n for n in answer.hypothesis.notes)


def test_only_one_thing_leaves_out_things_of_other_types() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :ada a :Person ; rdfs:label "Ada" ; :directed :dunes , :play .
    :bo a :Person ; rdfs:label "Bo" ; :directed :dunes .
    :dunes a :Film ; rdfs:label "Dunes" ; :year 1990 . :play a :Play ; rdfs:label "Faust" .
    """
    with opened(graph) as session:
        answer = session.ask("Who directed only Dunes?", interpreter="schema")
    assert not answer.supported  # Ada directed a play, too


@pytest.mark.parametrize(("kind", "meaning"), [("type", "river"), ("relation", "river")])
def test_a_counted_noun_is_the_kind_that_it_was_read_as(
    states: isomatch.Session, kind: SpanKind, meaning: str
) -> None:
    kinds = AskedKinds(states.resources.schema, states.resources.lexicon)
    pattern = parse('(?x)-[traverses]->(s "Texas") return count(?x)')
    said = partial(kinds.is_said, pattern, trained=True)
    assert said(Span(9, 16, "streams", kind, meaning))
    assert not said(Span(9, 16, "streams", kind, "city"))
    assert not said(Span(9, 16, "streams", "operator", meaning))
    assert said(Span(9, 16, "streams", "kind", meaning))  # training asked for them by this noun
    neighbors = Span(9, 18, "neighbors", "relation", "river")
    assert not kinds.is_said(pattern, neighbors, trained=False)


@pytest.mark.parametrize(
    ("relation", "values", "fits"),
    [
        ("call_time", '"09:30"', True),
        ("call_date", '"2017-05-01"', True),
        ("cooking_time", '"00:30"', False),  # how long it takes
        ("place", '"Bern"', False),
    ],
)
def test_when_asks_for_dates_and_times(relation: str, values: str, fits: bool) -> None:
    graph = f"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :one a :Call ; rdfs:label "One" ; :{relation} {values} .
    """
    with opened(graph.encode()) as session:
        kinds = AskedKinds(session.resources.schema, session.resources.lexicon)
    pattern = parse(f'("One")-[{relation.replace("_", " ")}]->(?x)')
    assert kinds.fits(pattern, [Word("date", 0, 4)]) is fits

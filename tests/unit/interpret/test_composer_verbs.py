"""Verbs that say too little, that a preposition changes, and several verbs of one thing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch
from isomatch.errors import InterpretationError

# Who directed, produced or wrote which film. No relation is one that everybody has.
MADE = {
    "directed": {("Ada", "Dunes"), ("Bo", "Embers"), ("Cleo", "Fjord"), ("Cleo", "Gulf")},
    "produced": {("Bo", "Dunes"), ("Cleo", "Embers"), ("Cleo", "Gulf"), ("Dan", "Fjord")},
    "wrote": {("Ada", "Dunes"), ("Ada", "Embers"), ("Dan", "Gulf"), ("Eve", "Fjord")},
}
PEOPLE = sorted({person for facts in MADE.values() for person, _ in facts})
FILMS = sorted({film for facts in MADE.values() for _, film in facts})
GRAPH = "\n".join(
    (
        "@prefix : <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        *(f':{one} a :Person ; rdfs:label "{one}" .' for one in PEOPLE),
        *(f':{one} a :Film ; rdfs:label "{one}" .' for one in FILMS),
        *(f":{one} :released {1990 + n} ." for n, one in enumerate(FILMS)),
        *(f":{a} :{verb} :{b} ." for verb, facts in MADE.items() for a, b in sorted(facts)),
    )
).encode()
PAIRS = [("directed", "produced"), ("directed", "wrote"), ("produced", "wrote")]

RIVERS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:texas a :State ; rdfs:label "Texas" ; :capital :austin .
:utah a :State ; rdfs:label "Utah" ; :capital :provo .
:austin a :City ; rdfs:label "Austin" ; :population 345496 .
:provo a :City ; rdfs:label "Provo" ; :population 74111 .
:red a :River ; rdfs:label "Red" ; :traverses :texas .
:green a :River ; rdfs:label "Green" ; :traverses :utah, :texas .
"""


@pytest.fixture(scope="module")
def films() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture(scope="module")
def rivers() -> Iterator[isomatch.Session]:
    with opened(RIVERS) as session:
        yield session


def _is_refused(session: isomatch.Session, question: str) -> bool:
    try:
        return not session.ask(question, interpreter="schema").supported
    except InterpretationError:
        return True


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.parametrize("film", FILMS)
def test_who_did_either_is_found_without_a_relation_that_all_have(
    films: isomatch.Session, one: str, other: str, film: str
) -> None:
    expected = {person for verb in (one, other) for person, of in MADE[verb] if of == film}
    assert names_found(films, f"Who {one} or {other} {film}?") == expected


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_several_verbs_of_a_thing_are_of_one_and_the_same(
    films: isomatch.Session, one: str, other: str
) -> None:
    same = {person for person, film in MADE[one] if (person, film) in MADE[other]}
    if same:
        assert names_found(films, f"Who {one} and {other} a film?") == same
    else:
        answer = films.ask(f"Who {one} and {other} a film?", interpreter="schema")
        assert not answer.answers


@pytest.mark.parametrize(
    "question",
    [
        "Which films did Bo make?",
        "What films has Cleo made?",
        "Which films did Ada create?",
    ],
)
def test_a_verb_that_may_mean_several_relations_is_refused(
    films: isomatch.Session, question: str
) -> None:
    assert _is_refused(films, question)


@pytest.mark.parametrize("question", ["Who was directed by Bo?", "Who did Cleo produce?"])
def test_who_asks_for_no_films_where_there_are_people(
    films: isomatch.Session, question: str
) -> None:
    assert _is_refused(films, question)


@pytest.mark.parametrize(
    "question",
    [
        "Which rivers flow into Texas?",
        "Which states does the Green flow into?",
        "Which river flows from Utah to Texas?",
        "How many people live in the capital of Texas or Utah?",
    ],
)
def test_another_preposition_or_a_sum_that_nobody_asked_for_is_refused(
    rivers: isomatch.Session, question: str
) -> None:
    assert _is_refused(rivers, question)


def test_a_verb_with_another_preposition_is_not_alike() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :fliesTo rdfs:label "flies to" .
    :jet a :Airline ; rdfs:label "Bluejet" ; :fliesTo :kalo , :drem .
    :solo a :Airline ; rdfs:label "Solo Lines" ; :fliesTo :kalo .
    :kalo a :Airport ; rdfs:label "Kalo" . :drem a :Airport ; rdfs:label "Drem" .
    """
    with opened(graph) as session:
        assert names_found(session, "Which airlines fly to Kalo?") == {"Bluejet", "Solo Lines"}
        assert _is_refused(session, "Which airlines fly from Kalo?")
        assert _is_refused(session, "Which airlines fly from Kalo to Drem?")


def test_a_name_after_to_is_not_where_something_departs_from() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :f1 a :Flight ; rdfs:label "IM 101" ; :departsFrom :oslo ; :arrivesAt :lisbon .
    :f2 a :Flight ; rdfs:label "IM 202" ; :departsFrom :lisbon ; :arrivesAt :oslo .
    :oslo a :Airport ; rdfs:label "Oslo" . :lisbon a :Airport ; rdfs:label "Lisbon" .
    """
    with opened(graph) as session:
        answer = session.ask("Which flights go from Oslo to Lisbon?", interpreter="schema")
    assert "IM 202" not in answer.text


def test_the_preposition_of_a_verb_is_read(rivers: isomatch.Session) -> None:
    assert names_found(rivers, "Which rivers flow through Texas?") == {"Green", "Red"}
    assert names_found(rivers, "Which states does the Green flow through?") == {"Texas", "Utah"}

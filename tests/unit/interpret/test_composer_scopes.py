"""How far "no", "without", "never" and "whose" reach in a question."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch
from isomatch.errors import InterpretationError

# Borders, and the continent, language and currency of each country.
BORDERS = [("Aria", "Brava"), ("Brava", "Cora"), ("Cora", "Dune"), ("Elba", "Fara")]
FACTS = {
    "Aria": ("North", "Arian", "Crown"),
    "Brava": ("North", "Bravan", "Crown"),
    "Cora": ("South", "Arian", "Mark"),
    "Dune": ("South", "Bravan", "Mark"),
    "Elba": ("South", "Arian", "Crown"),
    "Fara": ("South", "Faran", "Mark"),
    "Gola": ("North", "Arian", "Crown"),
    "Hira": ("South", "Bravan", "Crown"),
}
PLACES = {"Continent": 0, "Language": 1, "Currency": 2}
PEOPLE = """
:ada a :Person ; rdfs:label "Ada" ; :directed :dunes ; :acted_in :embers .
:bo a :Person ; rdfs:label "Bo" ; :directed :embers , :fjord .
:cleo a :Person ; rdfs:label "Cleo" ; :acted_in :dunes .
:dunes a :Film ; rdfs:label "Dunes" . :embers a :Film ; rdfs:label "Embers" .
:fjord a :Film ; rdfs:label "Fjord" .
"""
GRAPH = "\n".join(
    (
        "@prefix : <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        *(
            f':{one} a :{kind} ; rdfs:label "{one}" .'
            for kind, at in PLACES.items()
            for one in sorted({facts[at] for facts in FACTS.values()})
        ),
        *(
            f':{name} a :Country ; rdfs:label "{name}" ; :continent :{facts[0]} ; '
            f":language :{facts[1]} ; :currency :{facts[2]} ; :area {n}00 ."
            for n, (name, facts) in enumerate(FACTS.items(), 1)
        ),
        *(f":{one} :neighbour :{other} . :{other} :neighbour :{one} ." for one, other in BORDERS),
        PEOPLE,
    )
).encode()


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as one:
        yield one


def _answers(session: isomatch.Session, question: str) -> str:
    try:
        answer = session.ask(question, interpreter="schema")
    except InterpretationError as error:
        return f"refused: {error}"
    if not answer.supported:
        assert answer.hypothesis is not None
        assert answer.hypothesis.coverage is not None
        left = (span.text for span in answer.hypothesis.coverage.left_out)
        return f"refused: {', '.join(left) or answer.text}"
    return ", ".join(sorted(str(node.name) for node in answer.answers))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which countries without neighbours use the Crown?", "Gola, Hira"),
        ("Which countries with no neighbours are in the South?", "Hira"),
        ("Which countries that have no neighbours speak Arian?", "Gola"),
        ("How many countries without neighbours are in the South?", "1"),
        ("Which countries that do not use the Crown border Cora?", "Dune"),
        ("Which countries in the South have no neighbours?", "Hira"),
        ("Which countries border Aria but do not speak Arian?", "Brava"),
        ("Which directors never acted in Embers?", "Bo"),
        ("Who directed Embers but never acted?", "Bo"),
        ("Who directed Dunes but never acted?", "refused: The graph does not say."),  # but Embers
        ("Which directors who never acted directed Embers?", "Bo"),
    ],
)
def test_a_negation_ends_before_the_verb_of_the_clause_around_it(
    session: isomatch.Session, question: str, answers: str
) -> None:
    assert _answers(session, question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which countries border no country in the South?", "Aria, Gola, Hira"),
        ("Which countries border no country that speaks Arian?", "Aria, Cora, Elba, Gola, Hira"),
        ("How many countries border no country in the North?", "5"),
        ("Which countries have no neighbours in the North?", "Dune, Elba, Fara, Gola, Hira"),
    ],
)
def test_what_follows_an_object_with_no_describes_that_object(
    session: isomatch.Session, question: str, answers: str
) -> None:
    assert _answers(session, question) == answers


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What is the largest country without neighbours in the South?", "without"),
        ("List the countries without neighbours that speak Arian.", "without"),
        ("Which countries with no neighbours that use the Mark speak Arian?", "no"),
    ],
)
def test_a_negation_that_may_reach_less_or_more_far_is_refused(
    session: isomatch.Session, question: str, word: str
) -> None:
    told = _answers(session, question)
    assert told.startswith("refused")
    assert word in told


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which countries whose neighbours speak Bravan use the Mark?", "Cora"),
        ("Which countries whose neighbours speak Bravan are in the South?", "Cora"),
        ("Which countries whose neighbours use the Mark speak Bravan?", "Brava, Dune"),
        ("Which countries whose currency is the Mark border Brava?", "Cora"),
    ],
)
def test_the_verb_of_whose_is_said_of_what_is_owned(
    session: isomatch.Session, question: str, answers: str
) -> None:
    assert _answers(session, question) == answers


@pytest.mark.parametrize(
    "question",
    [
        "Did Bo work with Ada?",
        "Which directors never worked with Cleo?",
        "Who worked with Ada?",
        "Did Ada collaborate with Bo?",
    ],
)
def test_working_with_somebody_is_not_one_relation_of_two(
    session: isomatch.Session, question: str
) -> None:
    assert "work" in _answers(session, question) or "collaborate" in _answers(session, question)


def test_a_verb_of_one_relation_is_read_with_with(session: isomatch.Session) -> None:
    assert session.ask("Did Ada act with Cleo?", interpreter="schema").text.startswith("No")
    assert _answers(session, "Who worked in Embers?") == "Ada"

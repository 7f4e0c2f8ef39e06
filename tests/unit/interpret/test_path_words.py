"""The relations that words say on the way to a name join the answers to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.turtle import opened

from isomatch import Session
from isomatch.interpret.checks.path_words import PathWords
from isomatch.interpret.types import Coverage, Hypothesis, Span, SpanKind
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import words_of
from isomatch.lexicon.relation_words import RelationWords
from isomatch.pattern import parse_text

CALLS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:hasPhone rdfs:label "has phone" .
:ann a :Person ; rdfs:label "Ann Ash" ; :hasPhone :p1 ; :friend :bob .
:bob a :Person ; rdfs:label "Bob Elm" ; :hasPhone :p2 ; :sibling :ann .
:p1 a :Phone ; rdfs:label "111" . :p2 a :Phone ; rdfs:label "222" .
:c1 a :PhoneCall ; :caller :p1 ; :called :p2 .
"""


@pytest.fixture(scope="module")
def calls() -> Iterator[Session]:
    with opened(CALLS) as session:
        yield session


def misread(session: Session, question: str, pattern: str, **said: str) -> set[str]:
    """The words that a reading has of another side.

    Args:
        said: what words mean, by their text; a kind goes before what is no relation.
    """
    lexicon = session.resources.lexicon
    called = RelationWords("phone call", "phone", forward=("called",), backward=("received",))
    known = {**lexicon.relations, "http://example.org/called": called}
    lexicon = replace(lexicon, relations=known)
    spans = []
    for text, meaning in said.items():
        kind, _, meant = meaning.rpartition(": ")
        words = text.replace("_", " ")
        start = question.index(words)
        of: SpanKind = "name" if kind == "name" else "type" if kind == "type" else "relation"
        spans.append(Span(start, start + len(words), words, of, meant))
    spans.sort(key=lambda span: span.start)
    given = Hypothesis(parse_text(pattern), 1.0, coverage=Coverage(tuple(spans)))
    checks = PathWords(AskedKinds(session.schema, lexicon), lexicon.language)
    words = words_of(question)
    return {span.text for span in spans if checks.are_misread(words, span, given)}


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ('(?x:phone)<-[caller]-(?c:phone call), ("Ann Ash")-[has phone]->(?x)', {"called"}),
        ('(?x:phone)<-[caller]-(?c:phone call)-[called]->(?p)<-[has phone]-("Ann Ash")', set()),
    ],
)
def test_a_call_joins_a_phone_to_whom_it_called(
    calls: Session, pattern: str, wrong: set[str]
) -> None:
    question = "Which phones called Ann Ash?"
    said = {"phones": "type: phone", "called": "type: phone call", "Ann_Ash": "name: Ann Ash"}
    assert misread(calls, question, f"{pattern} return ?x", **said) == wrong


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ('("Ann Ash")-[has phone]->(?p)<-[called]-(?c)-[caller]->(?x)', {"received"}),
        ('("Ann Ash")-[has phone]->(?p)<-[caller]-(?c)-[called]->(?x)', set()),
    ],
)
def test_who_received_calls_is_whom_they_called(
    calls: Session, pattern: str, wrong: set[str]
) -> None:
    question = "Which phones received calls from Ann Ash?"
    said = {"phones": "type: phone", "received": "called", "calls": "type: phone call"}
    said["Ann_Ash"] = "name: Ann Ash"
    assert misread(calls, question, f"{pattern} return ?x", **said) == wrong


@pytest.mark.parametrize(
    ("question", "pattern", "wrong"),
    [
        (
            "Who has a friend who has a sibling named Ann Ash?",
            '(?x)-[friend]->(?y "Ann Ash")<-[sibling]-(?z)',
            {"friend"},
        ),
        (
            "Who has a friend whose sibling is Ann Ash?",
            '(?x)-[friend]->(?y), (?x)-[sibling]->(?z "Ann Ash")',
            {"friend"},
        ),
        (
            "Who has a friend whose sibling is Ann Ash?",
            '(?x)-[friend]->(?y)-[sibling]->(?z "Ann Ash")',
            set(),
        ),
        (
            "Who has a sibling and a friend named Ann Ash?",
            '(?x)-[friend]->(?y "Ann Ash"), (?x)-[sibling]->(?z)',
            set(),
        ),
    ],
)
def test_what_a_clause_says_of_a_noun_is_joined_by_it(
    calls: Session, question: str, pattern: str, wrong: set[str]
) -> None:
    said = {"friend": "friend", "sibling": "sibling", "Ann_Ash": "name: Ann Ash"}
    assert misread(calls, question, f"{pattern} return ?x", **said) == wrong


def test_a_verb_behind_what_a_clause_says_is_of_what_is_asked_for(calls: Session) -> None:
    question = "Which person who has a friend called Ann Ash?"
    said = {"person": "type: person", "friend": "friend", "called": "type: phone call"}
    said["Ann_Ash"] = "name: Ann Ash"
    pattern = "(?x:person)-[friend]->(?y), (?x)-[has phone]->(?p)<-[caller]-(?c:phone call)"
    pattern += '-[called]->(?q)<-[has phone]-("Ann Ash") return ?x'
    assert misread(calls, question, pattern, **said) == set()


RECIPES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:tart a :Recipe ; rdfs:label "Nut Tart" ; :uses :sugar ; :discontinuedOn "2021-05-01"^^xsd:date .
:roll a :Recipe ; rdfs:label "Plain Roll" ; :uses :sugar .
:sugar a :Ingredient ; rdfs:label "Sugar" .
"""


def test_a_date_is_on_the_way_to_no_name() -> None:
    with opened(RECIPES) as session:
        answer = session.ask("Which discontinued recipes use sugar?", interpreter="schema")
    assert [bound.name for bound in answer.answers] == ["Nut Tart"]


CLAIMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Claim ; rdfs:label "CLM-7006" ; :provider :mercy .
:c2 a :Claim ; rdfs:label "CLM-7007" ; :provider :lake .
:mercy a :Clinic ; rdfs:label "Mercy Clinic" ; :city "Columbus" .
:lake a :Clinic ; rdfs:label "Lakeside" ; :city "Dayton" .
"""


def test_where_the_provider_is_in_is_no_provider() -> None:
    with opened(CLAIMS) as session:
        answer = session.ask("What city is the provider of CLM-7006 in?", interpreter="schema")
    assert [bound.name for bound in answer.answers] == ["Columbus"]


TEAMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:rovers a :Team ; rdfs:label "Rovers" ; :city "Hull" .
:united a :Team ; rdfs:label "United" ; :city "Hull" .
:albion a :Team ; rdfs:label "Leeds Albion" ; :city "Leeds" .
"""


def test_teams_in_the_same_city_are_no_cities() -> None:
    with opened(TEAMS) as session:
        answer = session.ask("Which teams are in the same city as Rovers?", interpreter="schema")
    assert [bound.name for bound in answer.answers] == ["United"]

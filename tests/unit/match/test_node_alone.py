"""A pattern of one node: all nodes of a type, and whether a name is of a type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

from isomatch import Session
from isomatch.errors import PatternError

GRAPH = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:SeaHorse rdfs:subClassOf :Fish .
:a a :City ; rdfs:label "Ardal" ; :population 4000 ; :twin :b .
:b a :City ; rdfs:label "Brinn" ; :population 9000 .
:c a :City ; rdfs:label "Cove" .
:p a :SeaHorse ; rdfs:label "Pip" ; :livesIn :a .
:q a :Fish ; rdfs:label "Quill" ; :livesIn :b .
"""
UNTYPED = "@prefix : <http://example.org/> . :ardal :twin :brinn ."


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with opened(GRAPH) as session:
        yield session


def answers(session: Session, pattern: str) -> set[str]:
    result = session.match(pattern, k=1)
    assert result.certificate.exact
    matches = result.interpretations[0].matches
    return {match.bindings[result.pattern.nodes[0].id].name for match in matches}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(?c:city)", {"Ardal", "Brinn", "Cove"}),
        ("(?f:fish) return ?f", {"Pip", "Quill"}),
        ("(?c:city) without {(?c)-[population]->(?)} return ?c", {"Cove"}),
        ("(?c:city) without {(?c)-[twin]-(?)} return ?c", {"Cove"}),
        ("(?f:fish) without {(?f:sea horse)} return ?f", {"Quill"}),
        ("(?c:city) optional {(?c)-[population]->(?p)} return ?c, ?p", {"Ardal", "Brinn", "Cove"}),
    ],
)
def test_it_stands_for_all_nodes_of_its_type(
    session: Session, pattern: str, expected: set[str]
) -> None:
    assert answers(session, pattern) == expected


def test_all_nodes_of_a_type_are_counted(session: Session) -> None:
    assert str(session.match("(?c:city) return count(?c)", k=1).count()) == "3"


@pytest.mark.parametrize(("type", "holds"), [("fish", True), ("sea horse", True), ("city", False)])
def test_a_name_is_of_a_type_or_not(session: Session, type: str, holds: bool) -> None:
    result = session.match(f'("Pip":{type}) return ask', k=1)
    assert bool(result.holds) is holds


def test_its_match_is_that_it_is_of_the_type(session: Session) -> None:
    (match,) = session.match('("Pip":fish)', k=1).interpretations[0].matches
    (triple,) = match.triples
    assert (triple.source.name, triple.relation.name, triple.target.name) == (
        "Pip",
        "is a",
        "fish",
    )


def test_a_number_is_no_node_that_stands_alone(session: Session) -> None:
    types = {i.choices[-1].name for i in session.match("(?n:number)", k=9).interpretations}
    assert types == {"city", "fish", "sea horse"}


def test_its_query_finds_the_same_in_the_database(session: Session) -> None:
    result = session.match("(?f:fish) return ?f", k=1)
    (query,) = session.explain(result.pattern).queries[:1]
    assert "SeaHorse" in query


@pytest.mark.parametrize("pattern", ["(?c)", '("Ardal")', "(?c) return count(?c)"])
def test_without_a_type_it_is_refused(session: Session, pattern: str) -> None:
    with pytest.raises(PatternError, match="a node alone needs a type"):
        session.match(pattern)


def test_two_nodes_without_an_edge_are_refused(session: Session) -> None:
    with pytest.raises(PatternError, match="no edge"):
        session.match("(?c:city), (?f:fish)")


@pytest.mark.parametrize("pattern", ["(?c:city)", '("ardal":city) return ask'])
def test_in_a_graph_without_types_it_is_refused(pattern: str) -> None:
    with opened(UNTYPED) as session, pytest.raises(PatternError, match="no types"):
        session.match(pattern)


def test_nodes_that_are_the_same_are_counted_once() -> None:
    same = "@prefix owl: <http://www.w3.org/2002/07/owl#> . :p owl:sameAs :r . :r a :Fish ."
    with opened(GRAPH + same) as session:
        result = session.match("(?f:fish) return count(?f)", k=1, same_as=True)
    assert str(result.count()) == "2"

"""A pattern of one node: all nodes of a type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import graph_of, opened

from isomatch import Session
from isomatch.compile import base
from isomatch.errors import PatternError
from isomatch.output.queries import to_query

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


def test_its_match_is_that_it_is_of_the_type(session: Session) -> None:
    (match,) = session.match("(?f:sea horse)", k=1).interpretations[0].matches
    (triple,) = match.triples
    said = (triple.source.name, triple.relation.name, triple.target.name)
    assert said == ("Pip", "is a", "sea horse")


def test_a_number_is_no_node_that_stands_alone(session: Session) -> None:
    types = {i.choices[-1].name for i in session.match("(?n:number)", k=9).interpretations}
    assert types == {"city", "fish", "sea horse"}


def test_its_query_finds_the_same_in_the_database(session: Session) -> None:
    query = to_query(session.match("(?f:fish) return ?f", k=1), session)
    assert query is not None
    assert len(list(graph_of(GRAPH).query(query))) == 2


def test_a_type_that_nothing_resembles_is_no_answer(session: Session) -> None:
    result = session.match("(?d:dinosaur) return count(?d)")
    assert not result.found


def test_a_type_with_subclasses_is_found_whatever_its_size(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "FEW", 0)  # nodes of a type that are listed first
    assert answers(session, "(?f:fish)") == {"Pip", "Quill"}


@pytest.mark.parametrize(
    "pattern", ["(?c)", '("Ardal")', "(?c) return count(?c)", '("Pip":fish) return ask']
)
def test_without_a_type_or_with_a_name_it_is_refused(session: Session, pattern: str) -> None:
    with pytest.raises(PatternError, match="a node alone needs a type"):
        session.match(pattern)


def test_two_nodes_without_an_edge_are_refused(session: Session) -> None:
    with pytest.raises(PatternError, match="no edge"):
        session.match("(?c:city), (?f:fish)")


def test_in_a_graph_without_types_it_is_refused() -> None:
    with opened(UNTYPED) as session, pytest.raises(PatternError, match="no types"):
        session.match("(?c:city)")


def test_nodes_that_are_the_same_are_counted_once() -> None:
    same = "@prefix owl: <http://www.w3.org/2002/07/owl#> . :p owl:sameAs :r . :r a :Fish ."
    with opened(GRAPH + same) as session:
        result = session.match("(?f:fish) return count(?f)", k=1, same_as=True)
    assert str(result.count()) == "2"

"""What RDF holds beside IRIs: literals, languages, blank nodes, statements about statements.

The statements of docs/rdf.md, one by one, over the embedded store and over rdflib.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

import isomatch
from isomatch.store.terms import XSD, is_blank

PREFIXES = """
@prefix : <http://films.example/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
Open = Callable[[str], isomatch.Session]


@pytest.fixture(params=["oxigraph", "rdflib"])
def opened(request: pytest.FixtureRequest) -> Open:
    """Opens Turtle in the one or the other store."""

    def in_oxigraph(turtle: str) -> isomatch.Session:
        graph = ox.Store()
        graph.load((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)
        return isomatch.open(graph)

    def in_rdflib(turtle: str) -> isomatch.Session:
        return isomatch.open(rdflib.Graph().parse(data=PREFIXES + turtle, format="turtle"))

    return in_oxigraph if request.param == "oxigraph" else in_rdflib


def best(session: isomatch.Session, pattern: str, **options: object) -> set[str]:
    """Ids of the answers of the nearest interpretations, which are exact."""
    result = session.match(pattern, k=8, **options)
    near = [i for i in result.interpretations if i.gsd < 0.05]
    return {m.bindings[id].id for i in near for m in i.matches for id in result.pattern.answers}


def test_literals_are_matched_by_term_and_linked_by_value(opened: Open) -> None:
    data = """
    :heat :released "1995"^^xsd:gYear ; :rating 7 .
    :thief :released "1995" ; :rating 7.0 .
    :ali :released 1995 ; :rating "7" .
    """
    with opened(data) as session:
        # Equal by value: all three are the word's candidates. The year and the number are
        # values, and one interpretation; the text is a node of its own.
        result = session.match('(?film)-[released]-("1995")', k=9)
        near = [i for i in result.interpretations if i.gsd < 0.05]
        linked = [{*(c.ids or (c.id,))} for i in near for c in i.choices if c.part == "node"]
        values = {f'"1995"^^<{XSD}gYear>', f'"1995"^^<{XSD}integer>'}
        assert sorted(linked, key=len) == [{'"1995"'}, values]
        assert [len(i.matches) for i in sorted(near, key=lambda i: len(i.matches))] == [1, 2]
        # Joined by term: no two films have a rating in common.
        assert not best(session, '(a "heat")-[rating]-(?x)-[rating]-(?film) return ?film')


def test_a_text_in_two_languages_is_two_nodes(opened: Open) -> None:
    data = """
    :f1 :shot_in "Paris"@en . :f2 :shot_in "Paris"@fr . :f3 :shot_in "Paris"@fr .
    """
    with opened(data) as session:
        result = session.match('(?film)-[shot in]-("Paris")', k=2)
        found = {
            i.choices[0].id: {m.bindings["film"].name for m in i.matches}
            for i in result.interpretations
            if i.gsd < 0.05
        }
        assert found == {'"Paris"@en': {"f1"}, '"Paris"@fr': {"f2", "f3"}}
        shared = '(a "f2")-[shot in]-(?x)-[shot in]-(?film) return ?film'
        assert best(session, shared) == {"http://films.example/f3"}
        assert not best(session, shared.replace("f2", "f1"))


def test_kinds_of_literals_are_types(opened: Open) -> None:
    data = ':heat a :Film ; :about "Neil", 1995, "1995-12-15"^^xsd:date, true .'
    with opened(data) as session:
        for kind, id in (
            ("number", f'"1995"^^<{XSD}integer>'),
            ("date", f'"1995-12-15"^^<{XSD}date>'),
            ("text", '"Neil"'),
            ("boolean", f'"true"^^<{XSD}boolean>'),
        ):
            assert best(session, f'("heat")-[about]-(?x:{kind})') == {id}


def test_blank_nodes_are_answers_and_in_the_middle_and_known_where_they_have_a_name(
    opened: Open,
) -> None:
    data = """
    :heat :cast [ :actor :pacino ; :role "Hanna" ], [ :actor :deniro ; :role "Neil" ] .
    :thief :cast [ rdfs:label "the cast of Thief" ; :actor :caan ] .
    """
    with opened(data) as session:
        (anonymous,) = best(session, '(?part)-[actor]-("pacino")')
        assert is_blank(anonymous)
        assert best(session, '("heat")-[cast]-(?p)-[actor]-(?who) return ?who') == {
            "http://films.example/pacino",
            "http://films.example/deniro",
        }
        assert best(session, '("the cast of Thief")-[actor]-(?who)') == {
            "http://films.example/caan"
        }
        # Without a name there is nothing to know one by.
        assert not [n for n in session.index.all_names() if n[1] == anonymous]


def test_reified_statements_are_nodes_like_others(opened: Open) -> None:
    data = """
    :s1 a rdf:Statement ; rdf:subject :heat ; rdf:predicate :directedBy ; rdf:object :mann ;
        :source "Variety" .
    :heat :directedBy :mann .
    """
    with opened(data) as session:
        pattern = '("heat")-[subject]-(?s)-[source]-(?where) return ?where'
        assert best(session, pattern) == {'"Variety"'}
        assert best(session, '("heat")-[directed by]-(?who)') == {"http://films.example/mann"}


def test_triples_as_terms_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "star.ttl"
    file.write_text(
        PREFIXES + ":heat :directedBy :mann . :r rdf:reifies <<( :heat :directedBy :mann )>> ; "
        ':source "Variety" . :r :about :heat .',
        encoding="utf-8",
    )
    with isomatch.open(file) as session:
        assert best(session, '("heat")-[directed by]-(?who)') == {"http://films.example/mann"}
        # What is said of the reifier stays; the triple that it reifies has no id.
        assert best(session, '("heat")-[about]-(?s)-[source]-(?x) return ?x') == {'"Variety"'}
        assert not best(session, '(a "r")-[reifies]-(?triple)')
        assert not any("<<" in id for _, id in session.index.all_names())

"""Results as terms and graphs of rdflib."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib
from rdflib.compare import isomorphic
from tests.unit.rdf_films import BASE, TURTLE

import isomatch
from isomatch.errors import ConfigurationError
from isomatch.match.types import (
    Bound,
    Certificate,
    Interpretation,
    Match,
    MatchResult,
    Profile,
    Triple,
)
from isomatch.pattern import parse

FILMS = rdflib.Graph().parse(data=TURTLE, format="turtle")


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with isomatch.open(FILMS) as session:
        yield session


@pytest.mark.parametrize(
    "pattern",
    [
        '(?film:film)-[directed by]-("Michael Mann")',
        '(?film)-[released]-(?year:date), (?film)-[directed by]-("Michael Mann")',
        '("Heat")-[cast]-(?part)-[role]-(?role)',  # through a blank node
    ],
)
def test_every_triple_is_in_the_graph_and_survives_turtle(
    session: isomatch.Session, pattern: str
) -> None:
    result = session.match(pattern, k=2)
    graph = isomatch.to_rdflib(result)
    assert (
        len(graph) == len({fact for _, match in result.near_matches for fact in match.triples}) > 0
    )
    assert all(triple in FILMS for triple in graph)
    again = rdflib.Graph().parse(data=graph.serialize(format="turtle"), format="turtle")
    assert isomorphic(graph, again)


def test_what_is_too_far_to_be_meant_is_in_no_graph_and_no_frame(
    session: isomatch.Session,
) -> None:
    result = session.match('(?film:film)-[directed by]-("Michael Mann")', k=9)
    assert not all(i.near for i in result.interpretations)
    mann = rdflib.URIRef(BASE + "mann")
    graph, rows = isomatch.to_rdflib(result), isomatch.to_rdflib_bindings(result)
    assert {o for _, _, o in graph} == {mann}
    assert {mann in row.values() for row in rows} == {True}
    assert len(isomatch.to_frame(result)) == len(rows)
    nobody = session.match('(?film:film)-[directed by]-("Nobody At All")', k=1)
    assert not isomatch.to_rdflib(nobody)
    assert "found=False" in repr(nobody)


def test_names_come_along_when_asked_for(session: isomatch.Session) -> None:
    result = session.match('(?film:film)-[directed by]-("Michael Mann")', k=1)
    heat, mann = rdflib.URIRef(BASE + "heat"), rdflib.URIRef(BASE + "mann")
    graph = isomatch.to_rdflib(result, names=True)
    assert (heat, rdflib.RDFS.label, rdflib.Literal("Heat")) in graph
    assert (heat, rdflib.URIRef(BASE + "directedBy"), mann) in graph
    other = isomatch.to_rdflib(result, names="http://schema.org/name")
    name = rdflib.URIRef("http://schema.org/name")
    assert (mann, name, rdflib.Literal("Michael Mann")) in other
    assert not any(isinstance(s, rdflib.Literal) for s in other.subjects())


def test_bindings_are_terms_that_a_query_takes(session: isomatch.Session) -> None:
    result = session.match("(?film)-[released]-(?year:date)", k=1)
    rows = isomatch.to_rdflib_bindings(result)
    assert len(rows) == 3
    for row in rows:
        found = FILMS.query(f"ASK {{ ?film <{BASE}released> ?year }}", initBindings=row)
        assert found.askAnswer
    years = {row["year"] for row in rows}
    assert rdflib.Literal("1995", datatype=rdflib.XSD.gYear) in years


def test_a_result_of_neo4j_is_refused() -> None:
    film, mann = Bound("4:abc:1", "Heat"), Bound("4:abc:2", "Michael Mann")
    match = Match({"f": film, "m": mann}, (Triple(film, Bound("DIRECTED", "directed"), mann),))
    result = MatchResult(
        parse('(?f)-[directed]-(m "Michael Mann")'),
        (Interpretation(1, 0.0, (), (match,)),),
        Certificate(True, True),
        Profile(),
    )
    with pytest.raises(ConfigurationError, match="not RDF"):
        isomatch.to_rdflib(result)

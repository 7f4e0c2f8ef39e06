"""Nodes that owl:sameAs joins are one node, as brute force over the merged graph has it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import rdflib
from hypothesis import assume, given, settings
from tests.oracle.checks import (
    EXAMPLES,
    Trial,
    assert_interpretations,
    assert_matches,
    options,
    searched,
    thorough,
)
from tests.oracle.graphs import ntriples, schema_of, store_of
from tests.oracle.same_as import SameCase, same_cases

import isomatch
from isomatch.errors import ConfigurationError
from isomatch.link.candidates import Candidates
from isomatch.match.same_as import join_same_nodes
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.cypher import NEO4J
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore
from isomatch.store.terms import SAME_AS


def run(case: SameCase, chosen: Options, store: Store) -> Trial:
    """Search the graph as stored; the oracle has the merged one."""
    # A few draws have a query that takes Oxigraph hours.
    chosen = replace(chosen, same_as=True, budget_seconds=20)
    result = searched(case.stored, store, schema_of(case.stored.graph), chosen, None)
    assume(result.certificate.ended_by is None)
    stored = set(case.stored.graph.triples)
    for _, match in result.matches:
        assert {(t.source.id, t.relation.id, t.target.id) for t in match.triples} <= stored
    return Trial(case.merged, chosen, None, result, case.first)


@settings(thorough, max_examples=3 * EXAMPLES)
@given(same_cases(), options)
def test_interpretations_are_those_of_the_merged_graph(case: SameCase, chosen: Options) -> None:
    with store_of(case.stored.graph) as store:
        assert_interpretations(run(case, chosen, store))


@settings(thorough, max_examples=EXAMPLES)
@given(same_cases(), options)
def test_plain_matches_are_those_of_the_merged_graph(case: SameCase, chosen: Options) -> None:
    with store_of(case.stored.graph) as store:
        assert_matches(run(case, chosen.with_(results="matches"), store))


@settings(thorough, max_examples=EXAMPLES // 5)
@given(same_cases(most=1), options)
def test_rdflib_finds_the_same(case: SameCase, chosen: Options) -> None:
    chosen = chosen.with_(strategy="ascending")  # the engine gives a pair once for every way
    graph = rdflib.Graph().parse(data=ntriples(case.stored.graph), format="nt")
    with RdflibStore(graph) as store:
        assert_interpretations(run(case, chosen, store))


def test_nodes_that_are_the_same_are_joined_over_others_and_named_by_any_of_them() -> None:
    graph = rdflib.Graph().parse(
        data="""
        @prefix : <http://films.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :heat rdfs:label "Heat" ; :directedBy :mann . :a-heat :starring :pacino .
        :z-heat owl:sameAs :heat ; owl:sameAs _:middle . _:middle owl:sameAs :a-heat .
        :mann rdfs:label "Michael Mann" . :pacino rdfs:label "Al Pacino" .
        :thief rdfs:label "Thief" ; :directedBy :mann .
        """,
        format="turtle",
    )
    pattern = '("Al Pacino")-[starring]-(?film)-[directed by]-(?director)'
    with isomatch.open(graph) as session:
        assert all(i.gsd > 0.5 for i in session.match(pattern).interpretations)
        best = session.match(pattern, same_as=True, k=1)
        ((interpretation, match),) = best.matches
        assert interpretation.gsd < 0.01
        assert match.bindings["film"].id == "http://films.example/a-heat"  # the first IRI
        assert match.bindings["film"].name == "Heat"
        assert match.bindings["director"].name == "Michael Mann"
        assert all(triple in graph for triple in isomatch.to_rdflib(best))  # as stored
        known = session.match('("Heat")-[starring]-(?who)', same_as=True, k=1)
        assert [who.name for who in known.answers()] == ["Al Pacino"]
        text = "\n".join(session.explain(pattern, same_as=True).queries)
        assert f"<{SAME_AS}>" in text
        assert SAME_AS not in "\n".join(session.explain(pattern).queries)


def test_a_graph_without_same_as_is_searched_as_ever() -> None:
    graph = rdflib.Graph().parse(data="<urn:a:heat> <urn:r:by> <urn:a:mann> .", format="turtle")
    with isomatch.open(graph) as session:
        pattern = '(?film)-[by]-("mann")'
        plain, same = session.match(pattern), session.match(pattern, same_as=True)
        assert plain.interpretations == same.interpretations
        assert session.explain(pattern).queries == session.explain(pattern, same_as=True).queries


def test_values_on_edges_and_neo4j_are_refused_with_words() -> None:
    pattern = parse('("Tom")-[acted in: "Forrest"]-(?film)')
    lists = Candidates({}, {}, {})
    schema = Schema("", 0, 0, (), ())
    chosen = Options(same_as=True)
    with (
        OxigraphStore.memory() as store,
        pytest.raises(ConfigurationError, match="values on edges"),
    ):
        join_same_nodes(pattern, lists, store, schema, chosen)
    with OxigraphStore.memory() as store:
        with pytest.raises(ConfigurationError, match="values on edges"):
            join_same_nodes(pattern, lists, store, schema, chosen)
        store.capabilities = StoreCapabilities("sparql", "virtuoso")
        with pytest.raises(ConfigurationError, match="Virtuoso"):
            join_same_nodes(pattern, lists, store, schema, chosen)
        store.capabilities = NEO4J
        with pytest.raises(ConfigurationError, match="Neo4j"):
            join_same_nodes(pattern, lists, store, schema, chosen)

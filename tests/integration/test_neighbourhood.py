"""The facts around some nodes, by every server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import neo4j
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.test_neo4j_oracle import on_a_server
from tests.oracle.checks import SERVER_EXAMPLES
from tests.oracle.property_graph import (
    Node,
    PropertyGraph,
    Relationship,
    load,
    schema_of,
)
from tests.oracle.property_graphs import property_graphs
from tests.servers.sparql_server import SparqlServer
from tests.unit.store.contract import StoreOf
from tests.unit.triples.hoods import around, facts_of, names
from tests.unit.triples.neighbourhood_contract import CASES

from isomatch.compile.cypher import CypherDialect
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.sparql import SparqlStore
from isomatch.store.terms import is_literal
from isomatch.triples.neighbourhood import Fact, Neighbourhood, neighbourhood

pytestmark = [pytest.mark.slow, pytest.mark.both_lines]


@pytest.fixture(scope="module")
def endpoint(sparql_server: SparqlServer) -> Iterator[SparqlStore]:
    with SparqlStore.connect(sparql_server.url, **sparql_server.settings) as store:
        yield store


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_every_server_keeps_the_neighbourhood_contract(
    case: Callable[[StoreOf], None], empty_sparql: SparqlServer, endpoint: SparqlStore
):
    def store_of(turtle: str) -> SparqlStore:
        empty_sparql.load(turtle)
        return endpoint

    case(store_of)


def hood(
    driver: neo4j.Driver,
    graph: PropertyGraph,
    topics: list[str],
    *,
    plugin: bool = False,
    **given: int,
) -> tuple[Neighbourhood, set[Fact], set[str]]:
    """The neighbourhood in Neo4j; with nodes by their names its facts, and its topics."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(driver, graph)
    called = {id: name for name, id in ids.items()}
    with Neo4jStore(driver, plugin=plugin) as store:
        starts = [ids.get(topic, topic) for topic in topics]
        found = neighbourhood(store, schema_of(graph), starts, names, **given)
    named = {(called[h], r, called.get(t, t)) for h, r, t in facts_of(found)}
    assert len(named) == len(found)
    return found, named, {called.get(id, id) for id in found.nodes[: found.topics]}


def facts(graph: PropertyGraph) -> set[Fact]:
    """The facts of a graph, without numbers of their relationships."""
    return {(fact.source, fact.relation, fact.target) for fact in graph.facts}


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(graph=property_graphs(), data=st.data())
def test_the_neighbourhood_in_neo4j_is_that_of_plain_python(
    empty_neo4j: neo4j.Driver, graph: PropertyGraph, data: st.DataObject
):
    stored = facts(graph)
    ends = sorted({end for fact in stored for end in (fact[0], fact[2])})
    topics = data.draw(st.lists(st.sampled_from(ends), min_size=1, max_size=2, unique=True))
    hops = data.draw(st.integers(1, 3))
    found, named, at = hood(empty_neo4j, graph, topics, hops=hops)
    assert named == around(stored, topics, hops)
    assert at == set(topics)
    assert found.notes == ()


@settings(on_a_server, max_examples=SERVER_EXAMPLES)
@given(graph=property_graphs(), data=st.data())
def test_the_plugin_gives_the_same_facts(
    plugin: Path, empty_neo4j: neo4j.Driver, graph: PropertyGraph, data: st.DataObject
):
    ends = sorted({end for fact in facts(graph) for end in (fact[0], fact[2])})
    topics = data.draw(st.lists(st.sampled_from(ends), min_size=1, max_size=2, unique=True))
    given = {
        "hops": data.draw(st.integers(1, 3)),
        "cap": data.draw(st.sampled_from([2, 4, 1000])),
        "budget": data.draw(st.sampled_from([4, 12, 20_000])),
    }
    empty_neo4j.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(empty_neo4j, graph)
    starts = [ids.get(topic, topic) for topic in topics]
    found = []
    for use in (True, False):
        with Neo4jStore(empty_neo4j, plugin=use) as store:
            assert (store.plugin is not None) is use
            got = neighbourhood(store, schema_of(graph), starts, names, **given)
            found.append((facts_of(got), got.nodes, got.hubs, got.notes))
    assert found[0] == found[1]


def test_the_plugin_reads_what_fits_without_asking_hop_by_hop(
    plugin: Path, empty_neo4j: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
):
    def hop_by_hop(*of: object) -> None:
        pytest.fail("the facts were asked for hop by hop")

    monkeypatch.setattr(CypherDialect, "degrees", hop_by_hop)
    people = [Node(f"p{i}", ("Person",), {"name": f"P{i}"}) for i in range(3)]
    graph = PropertyGraph(
        tuple(people),
        tuple(Relationship(f"p{i}", "KNOWS", f"p{i + 1}") for i in range(2)),
        {"Person": "name"},
    )
    _, named, _ = hood(empty_neo4j, graph, ["p0"], plugin=True, hops=2)
    assert named == {("p0", ":KNOWS", "p1"), ("p1", ":KNOWS", "p2")}


def test_hubs_and_properties_in_neo4j(empty_neo4j: neo4j.Driver):
    hub = Node("hub", ("City",), {"name": "Rome", "tags": ["old", "large"]})
    people = [Node(f"p{i}", ("Person",), {"name": f"P{i}"}) for i in range(5)]
    graph = PropertyGraph(
        (hub, *people),
        tuple(Relationship(p.name, "LIVES_IN", "hub") for p in people),
        {"City": "name", "Person": "name"},
    )
    found, named, _ = hood(empty_neo4j, graph, ["p0"], hops=2, cap=4)
    assert ("p0", ":LIVES_IN", "hub") in named
    # Of its five relationships and two values in turn, by name.
    assert {fact for fact in named if is_literal(fact[2])} == {
        ("hub", ".tags", '"large"'),
        ("hub", ".tags", '"old"'),
    }
    assert [(hub.degree, hub.kept) for hub in found.hubs] == [(7, 4)]

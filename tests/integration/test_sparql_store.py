"""The store over real endpoints: rows beyond a limit, blank nodes, time, updates."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.integration.conftest import StartSparql
from tests.servers.sparql_server import SparqlServer

from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.base import Fact, Query
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow

ROWS = 12_345  # more than Virtuoso gives at once
DATA = "".join(f"<urn:s{i}> <urn:p{i % 3}> <urn:o{i % 7}> .\n" for i in range(ROWS))
MORE = """
<urn:a> <urn:name> "caf\\u00e9 \\"}#>"@fr , "1995"^^<http://www.w3.org/2001/XMLSchema#gYear> .
<urn:a> <urn:has> _:b . _:b <urn:of> <urn:c> . _:b <urn:in> _:d .
"""
ALL = Query("SELECT ?s ?o WHERE { ?s ?p ?o FILTER(?o != <urn:none>) }", ("s", "o"), name="all")


@pytest.fixture(scope="module")
def store(sparql_server: SparqlServer) -> Iterator[SparqlStore]:
    sparql_server.clear()
    sparql_server.load(DATA)
    with SparqlStore.connect(sparql_server.url, **sparql_server.settings) as store:
        yield store
    sparql_server.clear()


def test_the_engine_is_found(store: SparqlStore, sparql_server: SparqlServer) -> None:
    profile = store.profile
    assert profile.engine == sparql_server.engine
    assert profile.row_cap == (10_000 if profile.engine == "virtuoso" else None)
    assert profile.rows >= 10_000
    assert profile.values_block >= 1000
    assert store.describe().triples in (ROWS, None)


@pytest.mark.parametrize("limit", ["", " LIMIT 11111", " LIMIT 7"])
def test_all_rows_come(store: SparqlStore, limit: str) -> None:
    rows = list(store.run(Query(ALL.text + limit, ALL.columns, name="all")))
    assert len(rows) == len(set(rows)) == int(limit.removeprefix(" LIMIT ") or ROWS)
    if not limit:
        assert set(rows) == {(f"urn:s{i}", f"urn:o{i % 7}") for i in range(ROWS)}


def test_terms_come_back_and_find_what_they_name(
    store: SparqlStore, sparql_server: SparqlServer
) -> None:
    sparql_server.load(MORE)
    rows = store.run(Query("SELECT ?o WHERE { <urn:a> <urn:name> ?o }", ("o",)))
    values = {row[0] for row in rows}
    assert '"café \\"}#>"@fr' in values
    assert len(values) == 2
    found = store.facts([(str(value), "urn:name", "urn:a") for value in values])
    assert found == [(Fact(False),)] * 2
    bound = Query("SELECT ?s WHERE { ?s <urn:name> ?o }", ("s",), {"o": '"café \\"}#>"@fr'})
    assert list(store.run(bound)) == [("urn:a",)]
    [(blank,)] = store.run(Query("SELECT ?b WHERE { <urn:a> <urn:has> ?b }", ("b",)))
    assert str(blank).startswith("_:")
    asked = [("urn:a", "urn:has", str(blank)), ("urn:c", "urn:of", str(blank))]
    assert store.facts(asked) == [(Fact(True),), (Fact(False),)]


def test_a_query_that_takes_too_long_ends(
    sparql_server: SparqlServer, own_sparql: StartSparql
) -> None:
    """On a server of its own: Oxigraph and Fuseki go on with it, on a core each, until they end."""
    server = own_sparql(sparql_server.engine)
    server.load(DATA)
    pairs = "?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER(STR(?a) = CONCAT(STR(?d), STR(?f)))"
    forever = Query(f"SELECT ?a WHERE {{ {pairs} }}", ("a",), name="forever")
    with SparqlStore.connect(server.url, **server.settings) as store:
        with pytest.raises(QueryTimeout, match="'forever'"):
            list(store.run(forever, timeout=1.5))
        assert list(store.run(Query("ASK { <urn:s0> ?p ?o }", ()))) == [("true",)]


def test_what_is_refused_is_told_in_the_engines_words(store: SparqlStore) -> None:
    with pytest.raises(StoreError, match=r"refused the query 'bad' \(4\d\d: .{10}"):
        list(store.run(Query("SELECT ?s WHERE {", ("s",), name="bad")))


def test_an_update_arrives(store: SparqlStore) -> None:
    [graph] = store.endpoint.graphs or ["urn:isomatch:test"]
    store.update(f"INSERT DATA {{ GRAPH <{graph}> {{ <urn:new> <urn:p> <urn:o> }} }}")
    there = Query(f"ASK {{ GRAPH <{graph}> {{ <urn:new> ?p ?o }} }}", ())
    named = store.endpoint.model_copy(update={"graphs": (), "named_graphs": (graph,)})
    with SparqlStore(named, store.profile) as other:
        assert list(other.run(there)) == [("true",)]
    store.update(f"DELETE DATA {{ GRAPH <{graph}> {{ <urn:new> <urn:p> <urn:o> }} }}")

"""What is read of real endpoints is what is read of the same graph in the process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.servers.sparql_server import SparqlServer
from tests.unit.schema.limited_store import PREFIXES, graph_of
from tests.unit.schema.test_many_predicates import found
from tests.unit.schema.test_wikibase import FILMS as CLAIMS

from isomatch.schema.introspect import introspect
from isomatch.schema.names import names
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow

FILMS = """
:a a :Film; rdfs:label "A"@en, "Eins"@de; :by :m; :year 1995 .
:b a :Film; rdfs:label "B"@de; :by :m ; :released "1999-07-01"^^xsd:date .
:m a :Person; rdfs:label "M" ; :motto "x\\"y"@en, "plain" .
:c a :Film; rdfs:label "C"@en .
:by a owl:ObjectProperty; rdfs:label "directed by" . :Film a owl:Class; rdfs:subClassOf :Work .
"""


@pytest.fixture
def endpoint(empty_sparql: SparqlServer) -> Iterator[SparqlStore]:
    with SparqlStore.connect(empty_sparql.url, **empty_sparql.settings) as store:
        yield store


def test_a_counted_and_a_sampled_schema_are_that_of_the_graph(
    empty_sparql: SparqlServer, endpoint: SparqlStore
) -> None:
    empty_sparql.load(PREFIXES + FILMS)
    embedded = OxigraphStore(graph_of(FILMS))
    expected = introspect(embedded)
    counted = introspect(endpoint)
    assert replace(counted, fingerprint="") == replace(expected, fingerprint="")
    dear = SparqlStore(endpoint.endpoint, replace(endpoint.profile, cheap_counts=False))
    with dear:
        sampled = introspect(dear)
        assert sampled.relations == expected.relations
        assert sampled.name_relations == expected.name_relations
        assert "from samples" in sampled.notes[0]
    read = {n for page in names(endpoint, counted, page=3) for n in page}
    assert read == {n for page in names(embedded, expected) for n in page}
    in_facts = {"A", "B", "M", "Film", "Work"}
    assert {n.text for n in read if n.kind == "node"} == {*in_facts, "C"}


def test_no_name_is_lost_to_a_cap_on_rows(
    empty_sparql: SparqlServer, endpoint: SparqlStore
) -> None:
    triples = "".join(
        f":n{i} :p :n{i + 1} . :n{i} rdfs:label 'name {i}' .\n" for i in range(12_000)
    )
    empty_sparql.load(PREFIXES + triples)
    schema = introspect(endpoint)
    assert (schema.triples, schema.nodes) == (12_000, 12_001)
    read = {n.id for page in names(endpoint, schema) for n in page}
    assert len(read) == 12_001


@pytest.mark.parametrize("direction", ["any", "as written"])
def test_claims_and_qualifiers_of_a_wikibase(
    empty_sparql: SparqlServer, endpoint: SparqlStore, tmp_path: Path, direction: str
) -> None:
    empty_sparql.load(PREFIXES + CLAIMS)
    schema = introspect(endpoint)
    assert {r.text for r in schema.relations} == {"director", "cast member", "publication date"}

    def of(folder: str, pattern: str) -> set[tuple[str, ...]]:
        rows = found(endpoint, schema, tmp_path / folder, pattern, direction=direction)
        return {tuple(id.rpartition("/")[2] for id in row) for row in rows}

    captain = of("1", '(?f)-[cast member: "Captain"]-("Bo Player")')
    assert {frozenset(row) for row in captain} == {frozenset({"Q1", "Q11", "Q21"})}
    roles = of("2", '("The Long Walk")-[cast member: ?role]-(?who)')
    assert {frozenset(row) for row in roles} == {
        frozenset({"Q1", "Q11", "Q21"}),
        frozenset({"Q1", "Q12", "Q22"}),
    }
    unknown = of("3", '("The Short Walk")-[: ?role]-("Bo Player")')
    assert {frozenset(row) for row in unknown} == {frozenset({"Q2", "Q11", "Q22", "P161"})}

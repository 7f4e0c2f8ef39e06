"""Fifty patterns over DBpedia's films: right in every store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from tests.oracle import dbpedia
from tests.servers.sparql_server import SparqlServer

from isomatch.session import Session
from isomatch.store.rdflib import RdflibStore
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.skipif(
    not dbpedia.DATA.exists(), reason=f"DBpedia's film triples are not at {dbpedia.DATA}"
)


@pytest.fixture(scope="module")
def triples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dbpedia.write(tmp_path_factory.mktemp("dbpedia") / "films.nt")


@pytest.fixture(scope="module")
def embedded(triples: Path) -> Iterator[Session]:
    with dbpedia.embedded(triples) as session:
        yield session


def test_the_expected_answers_are_those_of_queries_written_by_hand(triples: Path):
    graph = ox.Store()
    graph.bulk_load(path=str(triples), format=ox.RdfFormat.N_TRIPLES)
    assert len(dbpedia.patterns()) == 50
    for one in dbpedia.patterns():
        assert dbpedia.checked_answers(graph, one) == one.answers, one.about


def test_fifty_patterns_are_right_embedded(embedded: Session):
    assert dbpedia.wrong(embedded) == []


def test_fifty_patterns_are_right_on_every_server(
    empty_sparql: SparqlServer, triples: Path, embedded: Session
):
    empty_sparql.load(triples)
    with SparqlStore.connect(empty_sparql.url, **empty_sparql.settings) as store:
        assert dbpedia.wrong(dbpedia.over(store, embedded)) == []


def test_fifty_patterns_are_right_in_rdflib(triples: Path, embedded: Session):
    graph = rdflib.Graph()
    graph.parse(triples, format="nt")
    with RdflibStore(graph) as store:
        assert dbpedia.wrong(dbpedia.over(store, embedded)) == []

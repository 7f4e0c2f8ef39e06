"""A certificate says as of when it holds, and proves nothing of a graph that has changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from tests.servers.faulty import FaultyServer
from tests.unit.rdf_films import BASE, TURTLE

import isomatch
from isomatch.factories import make_index
from isomatch.output.json import certificate_form
from isomatch.output.words import certificate_words
from isomatch.settings import Settings
from isomatch.store.load import load

PATTERN = '(?film)-[directed by]-("Michael Mann")'
CHANGED = "the graph has changed since its index was made"
LABEL = str(rdflib.RDFS.label)


def rdf() -> tuple[rdflib.Graph, Callable[[], object]]:
    graph = rdflib.Graph().parse(data=TURTLE, format="turtle")
    label = (rdflib.URIRef(BASE + "vega"), rdflib.RDFS.label, rdflib.Literal("Vega"))
    return graph, lambda: graph.add(label)


def rdf_renamed() -> tuple[rdflib.Graph, Callable[[], object]]:
    graph, grow = rdf()

    def rename() -> None:
        graph.remove(next(graph.triples((None, rdflib.RDFS.label, None))))
        grow()

    return graph, rename


def oxigraph_renamed() -> tuple[ox.Store, Callable[[], object]]:
    graph = ox.Store()
    graph.load(input=TURTLE.encode(), format=ox.RdfFormat.TURTLE)
    label = ox.NamedNode(LABEL)

    def rename() -> None:
        graph.remove(next(graph.quads_for_pattern(None, label, None)))
        graph.add(ox.Quad(ox.NamedNode(BASE + "vega"), label, ox.Literal("Vega")))

    return graph, rename


@pytest.mark.parametrize("made", [rdf, rdf_renamed, oxigraph_renamed])
def test_nothing_is_complete_after_a_change(
    made: Callable[[], tuple[object, Callable[[], object]]],
) -> None:
    graph, change = made()
    with isomatch.open(graph) as session:
        before = session.match(PATTERN).certificate
        assert before.complete
        assert not before.changed
        assert before.as_of <= datetime.now(timezone.utc).isoformat()
        change()
        after = session.match('(?film)-[directed by]-("Vega")').certificate
        assert (after.complete, after.changed, after.as_of) == (False, True, before.as_of)
        assert CHANGED in certificate_words(after)
        assert "isomatch index --sync" in certificate_words(after)


def test_a_change_in_a_larger_graph_of_oxigraph_is_seen_by_its_number_of_triples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("isomatch.store.oxigraph.HASHED", 0)
    graph = ox.Store()
    graph.load(input=TURTLE.encode(), format=ox.RdfFormat.TURTLE)
    with isomatch.open(graph) as session:
        assert session.match(PATTERN).certificate.complete
        label = ox.NamedNode(LABEL)
        graph.add(ox.Quad(ox.NamedNode(BASE + "vega"), label, ox.Literal("Vega")))
        assert session.match(PATTERN).certificate.changed


def test_a_load_beside_an_open_session_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "films.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    settings = Settings(home=tmp_path / "home")
    load([file], settings.graph_path)
    make_index(settings)
    with isomatch.Session.open(settings) as session:
        assert session.match(PATTERN).certificate.complete
        file.write_text(TURTLE + f'<{BASE}vega> <{LABEL}> "Vega" .', encoding="utf-8")
        load([file], settings.graph_path)
        assert session.match(PATTERN).certificate.changed


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(TURTLE, server="Oxigraph/0.5") as server:
        yield server


def test_an_endpoint_that_counts_fast_tells_of_another_triple(
    server: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.store.sparql.store._AT_ONCE", 1e9)
    settings = Settings(home=tmp_path, endpoint=server.url)
    make_index(settings)
    with isomatch.Session.open(settings) as session:
        assert session.match(PATTERN).certificate.complete
        graph = server.store
        graph.add(ox.Quad(ox.NamedNode(BASE + "vega"), ox.NamedNode(LABEL), ox.Literal("Vega")))
        assert session.match(PATTERN).certificate.changed
    make_index(settings, sync=True)
    with isomatch.Session.open(settings) as session:
        assert session.match(PATTERN).certificate.complete


@pytest.mark.parametrize("sync", [False, True])
def test_an_index_has_the_relations_that_the_endpoint_has_now(
    server: FaultyServer, tmp_path: Path, sync: bool
) -> None:
    settings = Settings(home=tmp_path, endpoint=server.url)
    make_index(settings)
    # As many triples as before: the fingerprint stays.
    graph = server.store
    gone = next(graph.quads_for_pattern(None, ox.NamedNode(BASE + "directedBy"), None))
    graph.remove(gone)
    graph.add(ox.Quad(gone.subject, ox.NamedNode(BASE + "shotBy"), gone.object))
    make_index(settings, sync=sync)
    with isomatch.Session.open(settings) as session:
        assert BASE + "shotBy" in session.schema.by_id
        found = session.match("(?film)-[shot by]-(?person)", k=1)
        assert [choice.distance for choice in found.interpretations[0].choices] == [0.0]
        assert found.certificate.complete


def test_after_a_change_nothing_is_ruled_out_by_what_the_schema_saw_join() -> None:
    graph, _ = rdf()
    with isomatch.open(graph) as session:
        ali, thief = (rdflib.URIRef(BASE + name) for name in ("heat", "thief"))
        graph.add((ali, rdflib.URIRef(BASE + "directedBy"), thief))
        pattern = '(?a)-[directed by]->("Thief")-[directed by]->(?b)'
        found = session.match(pattern, k=1)
        assert found.interpretations[0].gsd == 0.0


def test_the_time_is_in_words_and_in_json() -> None:
    with isomatch.open(rdf()[0]) as session:
        certificate = session.match(PATTERN).certificate
    form = certificate_form(certificate, True)
    assert (form["as_of"], form["changed"]) == (certificate.as_of, False)
    minute = certificate.as_of[:16].replace("T", " ")
    assert certificate_words(certificate).startswith(f"proven complete as of {minute} UTC: ")


def test_a_node_of_the_very_name_is_seen_where_the_number_of_triples_is_the_same(
    server: FaultyServer, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, endpoint=server.url)
    make_index(settings)
    with isomatch.Session.open(settings) as session:
        assert session.match('(?film)-[directed by]-("Ronin")').certificate.complete
        # A relation's name is no node's.
        assert session.match('(?film)-[directed by]-("directed by")').certificate.complete
        label = ox.NamedNode(LABEL)
        old = ox.Quad(ox.NamedNode(BASE + "thief"), label, ox.Literal("Thief"))
        server.store.remove(old)
        server.store.add(ox.Quad(ox.NamedNode(BASE + "other"), label, ox.Literal("Michael Mann")))
        assert session.match(PATTERN).certificate.complete, "it is no node of a fact"
        server.store.remove(ox.Quad(ox.NamedNode(BASE + "ronin"), label, ox.Literal("Ronin")))
        made = ox.NamedNode(BASE + "directedBy")
        server.store.add(ox.Quad(ox.NamedNode(BASE + "other"), made, ox.NamedNode(BASE + "mann")))
        after = session.match(PATTERN).certificate
        assert (after.complete, after.changed) == (False, True)


def test_a_type_that_the_graph_has_lost_is_passed_over_and_said():
    graph = rdflib.Graph().parse(data=TURTLE, format="turtle")
    graph.remove((None, rdflib.URIRef(BASE + "released"), None))  # a date is of a type always
    with isomatch.open(graph) as session:
        assert session.schema.typed
        graph.remove((None, rdflib.RDF.type, None))
        result = session.match('(?film:film)-[directed by]-("Michael Mann")')
        assert result.interpretations
        assert not result.certificate.complete
        assert any("the graph has no types" in note for note in result.certificate.notes)

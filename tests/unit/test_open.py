"""isomatch.open: a session over a graph with nothing prepared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from pydantic import SecretStr
from SPARQLWrapper import SPARQLWrapper
from tests.servers.faulty import FaultyServer
from tests.unit.rdf_films import BASE, TURTLE

import isomatch
from isomatch.errors import ConfigurationError, LoadError, StoreError
from isomatch.graph_session import wrapped_endpoint
from isomatch.settings.endpoint import Endpoint

PATTERN = '(?film:film)-[directed by]-("Michael Man")'


def films() -> rdflib.Graph:
    return rdflib.Graph().parse(data=TURTLE, format="turtle")


def names(session: isomatch.Session) -> list[str]:
    return sorted(node.name for node in session.match(PATTERN, k=1).answers())


def test_a_graph_of_rdflib_is_asked_at_once_and_leaves_nothing_behind() -> None:
    graph = films()
    with isomatch.open(graph) as session:
        home = session.settings.home
        assert names(session) == ["Heat", "Thief"]
        assert home.is_dir()
    assert not home.exists()
    assert len(graph) == len(films())  # still open, and as it was


def test_a_session_that_is_forgotten_leaves_nothing_behind() -> None:
    session = isomatch.open(films())
    home = session.settings.home
    session.index.close()
    del session
    assert not home.exists()


def test_all_graphs_of_a_dataset_are_seen() -> None:
    dataset = rdflib.Dataset()
    dataset.graph(rdflib.URIRef("urn:one")).parse(data=TURTLE, format="turtle")
    with isomatch.open(dataset) as session:
        assert names(session) == ["Heat", "Thief"]


def test_what_is_kept_is_used_again_while_it_fits(tmp_path: Path) -> None:
    without_blanks = films()
    for triple in list(without_blanks):
        if any(isinstance(term, rdflib.BNode) for term in triple):
            without_blanks.remove(triple)
    made: list[object] = []
    for _ in range(2):  # the same triples in another graph, too
        graph = rdflib.Graph()
        for triple in without_blanks:
            graph.add(triple)
        with isomatch.open(graph, home=tmp_path, progress=lambda *done: made.append(done)) as one:
            assert names(one) == ["Heat", "Thief"]
        once = made[:]
    assert once
    assert made == once
    node = rdflib.URIRef(BASE + "collateral")
    without_blanks.add((node, rdflib.URIRef(BASE + "directedBy"), rdflib.URIRef(BASE + "mann")))
    without_blanks.add((node, rdflib.RDF.type, rdflib.URIRef(BASE + "Film")))
    without_blanks.add((node, rdflib.RDFS.label, rdflib.Literal("Collateral")))
    with isomatch.open(without_blanks, home=tmp_path) as session:
        assert names(session) == ["Collateral", "Heat", "Thief"]


def test_a_graph_that_grows_is_seen_without_opening_it_again() -> None:
    graph = films()
    with isomatch.open(graph) as session:
        node = rdflib.URIRef(BASE + "ali")
        graph.add((node, rdflib.URIRef(BASE + "directedBy"), rdflib.URIRef(BASE + "mann")))
        graph.add((node, rdflib.RDF.type, rdflib.URIRef(BASE + "Film")))
        graph.add((node, rdflib.RDFS.label, rdflib.Literal("Ali")))
        assert names(session) == ["Ali", "Heat", "Thief"]


def test_a_file_and_a_store_of_oxigraph_are_opened(tmp_path: Path) -> None:
    file = tmp_path / "films.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    engine = ox.Store()
    engine.load(path=str(file))
    for source in (file, str(file), engine):
        with isomatch.open(source) as session:
            assert names(session) == ["Heat", "Thief"]
    with pytest.raises(ConfigurationError, match="cannot be kept"):
        isomatch.open(file, home=tmp_path / "home")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("films.ttl", "no file, no address"),
        (7, "class int cannot be opened"),
        (None, "class NoneType cannot be opened"),
    ],
)
def test_what_is_no_graph_is_refused_with_what_is(source: object, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        isomatch.open(source)


def test_a_bad_file_and_a_bad_setting_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = tmp_path / "films.ttl"
    file.write_text("<a> <b", encoding="utf-8")
    with pytest.raises(LoadError):
        isomatch.open(file)
    with pytest.raises(ConfigurationError):
        isomatch.open(films(), embeder="minilm")
    assert list(tmp_path.iterdir()) == [file]


def wrapper(url: str = "https://films.example/sparql", **given: Any) -> SPARQLWrapper:
    return SPARQLWrapper(url, **given)


def test_the_endpoint_of_a_sparqlwrapper_has_its_address_log_in_and_graphs() -> None:
    given = wrapper(updateEndpoint="https://films.example/update", defaultGraph="urn:g:1")
    given.addDefaultGraph("urn:g:2")
    given.addNamedGraph("urn:g:3")
    given.setCredentials("ann", "secret")
    given.setHTTPAuth("DIGEST")
    given.addCustomHttpHeader("X-Tenant", "films")
    given.setTimeout(7)
    assert wrapped_endpoint(given) == Endpoint(
        url="https://films.example/sparql",
        update_url="https://films.example/update",
        graphs=("urn:g:1", "urn:g:2"),
        named_graphs=("urn:g:3",),
        auth="digest",
        username="ann",
        password=SecretStr("secret"),
        headers={"X-Tenant": "films"},
        timeout=7.0,
    )
    assert wrapped_endpoint(wrapper()) == Endpoint(url="https://films.example/sparql")


def test_what_a_sparqlwrapper_sends_beside_the_protocol_is_refused() -> None:
    given = wrapper()
    given.addParameter("infer", "false")
    with pytest.raises(ConfigurationError, match="parameters infer"):
        wrapped_endpoint(given)


def test_a_sparqlwrapper_is_opened_as_the_endpoint_that_it_asks() -> None:
    with FaultyServer(TURTLE, server="Oxigraph/0.5") as server:
        given = wrapper(server.url)
        given.setCredentials("ann", "secret")
        with isomatch.open(given) as session:
            assert names(session) == ["Heat", "Thief"]
        assert all("authorization" in request.headers for request in server.requests)


def test_a_closed_session_says_that_it_is_closed() -> None:
    session = isomatch.open(rdflib.Graph().parse(data=TURTLE, format="turtle"))
    session.close()
    for use in (lambda: session.match("(?a)-[]-(?b)"), lambda: session.ask("who directed Heat?")):
        with pytest.raises(StoreError, match="session has been closed"):
            use()
    session.close()


@pytest.mark.parametrize("folder", ["graphs/films", Path("graphs/films")])
def test_a_folder_in_place_of_settings_is_told_where_it_goes(folder: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"a folder is Session.open\(home=…\)"):
        isomatch.Session.open(folder)

"""What an endpoint can do is found by asking it, once, and what the user says goes first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.servers.faulty import FaultyServer, Reply, Request

from isomatch.errors import QueryTimeout, StoreError
from isomatch.schema.introspect import introspect
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Query, Row
from isomatch.store.profile import Profile, load_profile, save_profile
from isomatch.store.sparql import SparqlStore
from isomatch.store.sparql.probe import ask_profile, engine_of

DATA = "".join(f"<http://e/s{i}> <http://e/p> <http://e/o{i}> .\n" for i in range(50))


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(DATA) as server:
        yield server


def profile_of(server: FaultyServer, **settings: Any) -> Profile:
    given = {"url": server.url, "back_off": 0.001, "retries": 1, **settings}
    with SparqlStore.connect(**given) as store:
        return store.profile


def refusing(*words: str) -> Any:
    """An endpoint that has no idea of these."""

    def refuse(request: Request, right: Reply) -> Reply:
        told = any(word in request.query for word in words)
        return Reply(400, b"what is that?", "text/plain") if told else right

    return refuse


def test_an_engine_that_can_all_of_it(server: FaultyServer) -> None:
    server.server = "Oxigraph/0.5.13"
    assert profile_of(server) == Profile(
        engine="oxigraph",
        version="0.5.13",
        rows=10_001,
        row_cap=None,
        longest_query=60_000,
        values_block=1000,
        cheap_counts=True,
        text_search=None,
    )
    assert len(server.requests) <= 8


@pytest.mark.parametrize(
    ("server", "url", "found"),
    [
        ("Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu", "", ("virtuoso", "07.20.3229")),
        ("Apache Jena Fuseki (5.5.0)", "", ("fuseki", "5.5.0")),
        ("Oxigraph/0.4.9", "", ("oxigraph", "0.4.9")),
        ("GraphDB/10.7.0 RDF4J/4.3.15", "", ("graphdb", "10.7.0")),
        ("nginx", "https://query.wikidata.org/sparql", ("blazegraph", "")),
        ("nginx", "http://h/blazegraph/namespace/kb/sparql", ("blazegraph", "")),
        ("", "https://qlever.cs.uni-freiburg.de/api/wikidata", ("qlever", "")),
        ("", "http://h:7200/repositories/films", ("graphdb", "")),
        ("nginx", "http://my.example/sparql", ("unknown", "")),
    ],
)
def test_engines_by_what_they_call_themselves(
    server: str, url: str, found: tuple[str, str]
) -> None:
    assert engine_of(server, url) == found


def test_a_hidden_engine_is_told_by_what_only_it_understands(server: FaultyServer) -> None:
    server.server = "nginx"
    assert profile_of(server).engine == "unknown"
    pi = b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"3.14"}}]}}'
    server.always = lambda request, right: Reply(body=pi) if "#pi" in request.query else right
    assert profile_of(server).engine == "fuseki"


@pytest.mark.parametrize("cap", [10, 1000, 10_000])
def test_a_limit_of_rows_is_met(server: FaultyServer, cap: int) -> None:
    server.row_cap = cap
    found = profile_of(server)
    assert (found.rows, found.row_cap) == (cap, cap)
    assert f"at most {cap:,} rows" in found.words()


def test_a_limit_that_holds_for_data_only_is_found(server: FaultyServer) -> None:
    def cut(request: Request, right: Reply) -> Reply:
        server.row_cap = None if "VALUES" in request.query else 20
        return server.right(request)

    server.always = cut
    found = profile_of(server)
    assert (found.rows, found.row_cap) == (20, 20)
    query = Query("SELECT ?s WHERE { ?s <http://e/p> ?o }", ("s",))
    with SparqlStore(Endpoint(url=server.url), found) as store:
        assert len(list(store.run(query))) == 50


def test_where_more_data_is_refused_nothing_is_taken_for_whole(server: FaultyServer) -> None:
    server.row_cap = 20
    server.always = lambda request, right: (
        replace(right, status=400) if "OFFSET 20" in request.query else right
    )
    assert profile_of(server).rows <= 20


def test_without_values_its_own_data_says_how_many_rows_came(server: FaultyServer) -> None:
    server.always = refusing("VALUES")
    found = profile_of(server)
    assert (found.rows, found.row_cap) == (50, None)
    assert (found.values_block, found.longest_query) == (10, 2000)


@pytest.mark.parametrize(("most", "block"), [(70_000, 1000), (20_000, 200), (3000, 40), (900, 10)])
def test_the_longest_query_is_found(server: FaultyServer, most: int, block: int) -> None:
    server.always = lambda request, right: Reply(414) if len(request.query) > most else right
    found = profile_of(server)
    assert found.values_block == block
    assert found.longest_query <= max(most, 2000)


def test_what_is_not_understood_is_answered_with_no(server: FaultyServer) -> None:
    server.always = refusing("COUNT")
    found = profile_of(server)
    assert not found.cheap_counts
    assert "counts slowly" in found.words()


@pytest.mark.parametrize(
    ("name", "telling", "found"),
    [
        ("Virtuoso/07.20.3229", "bif:contains", "virtuoso"),
        ("Apache Jena Fuseki (5.5.0)", "text#query", "jena"),
        ("QLever", "contains-word", "qlever"),
    ],
)
def test_text_search_is_found(server: FaultyServer, name: str, telling: str, found: str) -> None:
    server.server = name
    assert profile_of(server).text_search == found
    if found == "jena":  # without an index Jena lets every row pass
        yes = b'{"head":{},"boolean":true}'
        server.always = lambda asked, right: Reply(body=yes) if telling in asked.query else right
    else:
        server.always = refusing(telling)
    assert profile_of(server).text_search is None


class Slow:
    """What answers questions of a profile in time, but for some."""

    def __init__(self, *slow: str, server: str = "Virtuoso/07", **settings: Any):
        self.endpoint = Endpoint(url="http://localhost/sparql", **settings)
        self.server = server
        self.slow = slow

    def probe(self, template: str, columns: tuple[str, ...], **values: Any) -> list[Row]:
        if template in self.slow:
            raise QueryTimeout("more than 10 s")
        return [(str(values.get("size", 1)),)]


@pytest.mark.parametrize(
    ("slow", "server", "setting"),
    [("text_virtuoso", "Virtuoso/07", "text_search"), ("is_fuseki", "proxy", "engine")],
)
def test_a_question_that_takes_too_long_is_not_answered_with_no(
    slow: str, server: str, setting: str
) -> None:
    with pytest.raises(QueryTimeout, match=f"the endpoint's setting '{setting}'"):
        ask_profile(Slow(slow, server=server))
    assert ask_profile(Slow(slow, server=server, engine="virtuoso", text_search="virtuoso"))


def test_sizes_that_take_too_long_to_find_are_the_small_ones() -> None:
    found = ask_profile(Slow("rows", "rows_of_data", "block", "triples"))
    assert (found.rows, found.row_cap, found.values_block) == (1, None, 10)
    assert not found.cheap_counts
    assert found.text_search == "virtuoso"


def test_what_the_user_says_goes_first_and_is_not_asked(server: FaultyServer) -> None:
    said = {
        "engine": "stardog",
        "row_cap": 500,
        "values_block": 7,
        "longest_query": 900,
        "text_search": "jena",
    }
    found = profile_of(server, **said)
    assert {key: getattr(found, key) for key in said} == said
    assert found.rows == 500
    assert not any("LIMIT 10001" in request.query for request in server.requests)
    given = Profile(engine="oxigraph", rows=10_001)
    with SparqlStore(Endpoint(url=server.url, row_cap=20), given) as store:
        assert (store.profile.engine, store.profile.row_cap) == ("oxigraph", 20)


@pytest.mark.parametrize(
    "fault",
    [Reply(404, b"<h1>Not here</h1>", "text/html"), Reply(200, b"<html>", "text/html")],
)
def test_what_is_no_endpoint_is_told(server: FaultyServer, fault: Reply) -> None:
    server.always = fault
    with pytest.raises(StoreError, match=r"'hello'|nothing is there"):
        profile_of(server)
    assert len(server.requests) == 1


def test_a_profile_is_kept_for_its_endpoint(tmp_path: Path, server: FaultyServer) -> None:
    path = tmp_path / "home" / "endpoint.json"
    endpoint = Endpoint(url=server.url, username="me", password="hidden")
    asked = []
    for _ in range(2):
        with SparqlStore(endpoint, profile_path=path) as store:
            assert store.profile.rows == 10_001
        asked.append(len(server.requests))
    assert asked[0] == asked[1]
    assert "hidden" not in path.read_text()
    assert load_profile(path, endpoint) == store.profile
    for other in ({"url": f"{server.url}?x=1"}, {"graphs": ("urn:g",)}, {"row_cap": 5}):
        assert load_profile(path, endpoint.model_copy(update=other)) is None


def test_an_old_profile_is_asked_anew(tmp_path: Path) -> None:
    path, endpoint = tmp_path / "endpoint.json", Endpoint(url="http://e/")
    save_profile(path, endpoint, Profile())
    written = json.loads(path.read_text())
    for days, found in ((6.9, Profile()), (7.1, None), (-1, None)):
        path.write_text(json.dumps({**written, "asked": written["asked"] - days * 86_400}))
        assert load_profile(path, endpoint) == found


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 0}', '{"format": 1}'])
def test_a_damaged_file_is_asked_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "endpoint.json"
    path.write_text(damage)
    endpoint = Endpoint(url="http://e/")
    assert load_profile(path, endpoint) is None
    save_profile(path, endpoint, Profile(engine="qlever"))
    assert load_profile(path, endpoint) == Profile(engine="qlever")
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        save_profile(tmp_path / "file" / "endpoint.json", Endpoint(url="http://e/"), Profile())


def test_data_change_the_fingerprint_and_graphs_the_identity(server: FaultyServer) -> None:
    counting = Profile(engine="oxigraph", rows=10_001, cheap_counts=True)
    with SparqlStore(Endpoint(url=server.url), counting) as store:
        first = store.fingerprint()
        assert store.fingerprint() == first
        assert len(server.requests) == 1  # not counted again within a minute
        assert store.describe().triples == 50
        same = store.identity()
    server.store.update("INSERT DATA { <urn:a> <urn:b> <urn:c> }")
    with SparqlStore(Endpoint(url=server.url), counting) as store:
        assert store.fingerprint() != first
        assert store.identity() == same
    with SparqlStore(Endpoint(url=server.url, graphs=("urn:g",)), Profile()) as store:
        assert store.identity() != same
        assert store.describe().triples is None
        before = len(server.requests)
        assert store.fingerprint() == store.fingerprint()
        assert len(server.requests) == before


def test_an_ask_is_a_row(server: FaultyServer) -> None:
    with SparqlStore(Endpoint(url=server.url), Profile(rows=10_001)) as store:
        assert list(store.run(Query("ASK { ?s ?p ?o }", ()))) == [("true",)]
        assert list(store.run(Query("ASK { ?s <urn:none> ?o }", ()))) == [("false",)]


def test_a_profile_of_a_slow_hour_is_asked_anew_before_the_schema_is_read(
    tmp_path: Path, server: FaultyServer
) -> None:
    path, endpoint = tmp_path / "profile.json", Endpoint.of(server.url)
    slow = Profile("oxigraph", rows=10_001, values_block=10, longest_query=2000)
    save_profile(path, endpoint, slow)
    with SparqlStore(endpoint, profile_path=path) as store:
        assert (store.profile, store.capabilities.longest_query) == (slow, 2000)
        assert store.profile.words().endswith("; asked 0.0 hours ago")
        assert not introspect(store).notes
        assert store.profile.cheap_counts
        assert store.capabilities.longest_query == 60_000
        requests = len(server.requests)
        store.look_again()
        assert len(server.requests) == requests
    kept = load_profile(path, endpoint)
    assert kept is not None
    assert kept.cheap_counts

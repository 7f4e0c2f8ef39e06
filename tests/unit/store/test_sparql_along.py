"""A query that goes along with another: one request, and the rows of both as if asked apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Thread

import pytest
from tests.servers.faulty import FaultyServer, Reply

from isomatch.errors import QueryTimeout
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Query
from isomatch.store.profile import Profile
from isomatch.store.sparql import SparqlStore

E = "http://e/"
DATA = """
PREFIX e: <http://e/>
e:heat e:by e:mann ; e:name "Heat"@en . e:thief e:by e:mann . e:ronin e:by e:frank .
"""
FILMS = Query(
    "SELECT ?film ?by WHERE { ?film <http://e/by> ?by } LIMIT 3", ("film", "by"), name="films"
)
NAMES = Query('SELECT DISTINCT ?n WHERE { ?n <http://e/name> "Heat"@en } LIMIT 5', ("n",))


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(DATA) as server:
        yield server


def over(server: FaultyServer, **profile: object) -> SparqlStore:
    given = {"engine": "oxigraph", "rows": 10_001, **profile}
    return SparqlStore(Endpoint(url=server.url, back_off=0.001), Profile(**given))  # type: ignore[arg-type]


def both(store: SparqlStore, query: Query = FILMS) -> tuple[list[object], list[object]]:
    with store.along(NAMES) as answer:
        rows = list(store.run(query))
    return sorted(rows), answer()


@pytest.mark.parametrize(
    ("query", "profile", "requests"),
    [
        (FILMS, {}, 1),
        (FILMS, {"longest_query": len(FILMS.text)}, 2),
        (FILMS, {"rows": 1, "row_cap": 2}, None),  # the answer of both is paged
        (Query(FILMS.text, FILMS.columns, {"by": E + "mann"}), {}, 2),
        (Query("ASK { ?a ?b ?n }", ()), {}, 2),
        (Query("PREFIX e: <http://e/> SELECT ?a { ?a e:by ?n }", ("a",)), {}, 2),
        (Query("SELECT ?of { ?of <http://e/by> ?n }", ("of",)), {}, 2),
        (Query('SELECT ("0" AS ?a) (1 AS ?b) {}', ("a", "b")), {}, 1),
        (Query("SELECT ?n { ?n <http://e/by> ?a }", ("n",)), {}, 2),
        (Query("SELECT ?a { ?a <http://e/none> ?n }", ("a",)), {}, 1),
    ],
)
def test_both_answers_are_those_of_each_alone(
    server: FaultyServer, query: Query, profile: dict[str, object], requests: int | None
) -> None:
    if "row_cap" in profile:
        server.row_cap = 2
    with over(server, **profile) as store:
        alone = sorted(store.run(query)), list(store.run(NAMES))
        asked = len(server.requests)
        assert both(store, query) == alone
        assert alone[1] == [(E + "heat",)]
        assert requests in (None, len(server.requests) - asked)


def test_one_that_nothing_went_with_is_asked_alone_and_later_ones_are_not_joined(
    server: FaultyServer,
) -> None:
    with over(server) as store:
        with store.along(NAMES) as answer:
            pass
        list(store.run(FILMS))
        assert answer() == [(E + "heat",)]
        with store.along(NAMES) as answer:
            list(store.run(FILMS))
            list(store.run(FILMS))
        asked = [request.query for request in server.requests]
        assert ["UNION" in text for text in asked] == [False, False, True, False]
        assert answer() == [(E + "heat",)]
        assert len(server.requests) == 4


def test_one_goes_with_queries_of_its_own_thread(server: FaultyServer) -> None:
    with over(server) as store:
        with store.along(NAMES) as answer:
            other = Thread(target=lambda: list(store.run(FILMS)))
            other.start()
            other.join()
            assert "UNION" not in server.requests[-1].query
        assert answer() == [(E + "heat",)]


def test_an_endpoint_that_takes_no_unions_is_asked_apart(server: FaultyServer) -> None:
    server.always = lambda r, right: Reply(400, b"too hard") if "UNION" in r.query else right
    with over(server) as store:
        assert both(store) == (sorted(store.run(FILMS)), [(E + "heat",)])


def test_an_answer_that_does_not_tell_the_two_apart_is_not_used(server: FaultyServer) -> None:
    def misled(request: object, right: Reply) -> Reply:
        body = right.body.replace(b'"value":"1"', b'"value":"2"')
        return replace(right, body=body)

    server.always = misled
    with over(server) as store:
        assert both(store) == (sorted(store.run(FILMS)), [(E + "heat",)])
        assert len(server.requests) == 4  # together, apart twice, and the first one here


def test_time_that_ran_out_is_an_error_of_both(server: FaultyServer) -> None:
    server.always = lambda r, right: Reply(504) if "UNION" in r.query else right
    with over(server) as store, pytest.raises(QueryTimeout, match="films"):
        both(store)


def test_virtuoso_is_asked_one_by_one(server: FaultyServer) -> None:
    with over(server, engine="virtuoso") as store:
        assert not store.capabilities.along
    with over(server, engine="unknown") as store:
        assert store.capabilities.along

"""A search that is given up ends in the database too: by every server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import neo4j
import pytest
from tests.integration.conftest import StartSparql
from tests.servers.neo4j import USER, Neo4jServer

from isomatch import cancel
from isomatch.cancel import Cancellation
from isomatch.errors import SearchCancelled
from isomatch.store.base import Query
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow
WAIT = 60  # seconds after which a test that hangs fails
# Rows that come as they are computed, and one row after all of them.
ENDLESS = {
    "rows": "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN a AS x",
    "one row": "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN sum(a*b) AS x",
}
LISTED = """SHOW TRANSACTIONS YIELD metaData, currentQuery
WHERE metaData.query = $name AND currentQuery <> '' RETURN metaData"""


def listed(driver: neo4j.Driver, name: str) -> int:
    """How many transactions of queries of this name the server is at."""
    return len(driver.execute_query(LISTED, name=name).records)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def cancelled(work: Callable[[], Any], begun: Callable[[], bool]) -> Cancellation:
    """Do the work in a thread, and give it up once it has begun."""
    given_up = Cancellation()

    def inside() -> Any:
        with cancel.scope(given_up):
            return work()

    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(inside)
        try:
            until(lambda: begun() or future.done())
        finally:
            given_up.cancel()
        with pytest.raises(SearchCancelled):
            future.result(WAIT)
    return given_up


@pytest.fixture
def store(neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    with Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password) as store:
        yield store


@pytest.mark.both_lines
@pytest.mark.parametrize("kind", ENDLESS)
def test_neo4j_lists_no_transaction_of_a_cancelled_query(
    store: Neo4jStore, neo4j_driver: neo4j.Driver, kind: str
) -> None:
    query = Query(ENDLESS[kind], ("x",), name=f"endless {kind}")
    cancelled(lambda: store.run(query), lambda: listed(neo4j_driver, query.name) == 1)
    until(lambda: listed(neo4j_driver, query.name) == 0)
    assert list(store.run(Query("RETURN 1 AS x", ("x",)))) == [("1",)]  # the next one is served


def test_neo4j_ends_only_the_query_that_was_given_up(
    store: Neo4jStore, neo4j_driver: neo4j.Driver
) -> None:
    other = Query(ENDLESS["one row"], ("x",), name="endless kept")
    mine = Query(ENDLESS["one row"], ("x",), name="endless mine")

    def both_begun() -> bool:
        return all(listed(neo4j_driver, query.name) for query in (other, mine))

    def first() -> None:
        cancelled(lambda: store.run(mine), both_begun)
        until(lambda: listed(neo4j_driver, mine.name) == 0)
        assert listed(neo4j_driver, other.name) == 1

    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(first)
        cancelled(lambda: store.run(other), future.done)
        future.result(WAIT)


def test_an_async_driver_ends_the_query_of_a_cancelled_search(
    neo4j_server: Neo4jServer, neo4j_driver: neo4j.Driver
) -> None:
    query = Query(ENDLESS["one row"], ("x",), name="endless async")

    async def main() -> None:
        async with neo4j.AsyncGraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as d:
            store = Neo4jStore(d)
            task = asyncio.create_task(cancel.in_thread(lambda: store.run(query)))
            await asyncio.to_thread(until, lambda: listed(neo4j_driver, query.name) == 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.to_thread(until, lambda: listed(neo4j_driver, query.name) == 0)

    asyncio.run(main())


@pytest.mark.parametrize("engine", ["oxigraph", "fuseki", "virtuoso"])
def test_a_sparql_server_is_left_and_asked_nothing_more(
    own_sparql: StartSparql, engine: str
) -> None:
    server = own_sparql(engine)
    server.load("".join(f"<http://e/{i}> <http://e/p> <http://e/{i + 1}> .\n" for i in range(400)))
    steps = " ".join(f"?{name} <http://e/p> ?_{name} ." for name in "abcde")
    endless = Query(f"SELECT (COUNT(*) AS ?n) {{ {steps} }}", ("n",), name="endless")
    with SparqlStore.connect(server.url, **server.settings) as store:
        sent = 0
        http = store._client._http
        asked = http._send

        def send(*given: Any) -> Any:
            nonlocal sent
            sent += 1
            return asked(*given)

        http._send = send  # type: ignore[method-assign]
        cancelled(lambda: store.run(endless), lambda: sent == 1)
        assert sent == 1
        one = Query("SELECT ?s { ?s <http://e/p> <http://e/1> }", ("s",), name="one")
        assert list(store.run(one)) == [("http://e/0",)]

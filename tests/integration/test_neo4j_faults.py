"""Wrong settings, refused queries and servers that go away: what the user is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import Neo4jError
from tests.servers.neo4j import USER, Neo4jServer, free_port

from isomatch.admin.doctor import examine
from isomatch.errors import ConfigurationError, QueryTimeout, StoreError
from isomatch.settings import Settings
from isomatch.store.base import Query
from isomatch.store.neo4j import Neo4jStore

SLOW = Query(
    "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS x", ("x",)
)
ONE = Query("RETURN 1 AS x", ("x",), name="one")


@pytest.fixture
def store(neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    with Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password) as store:
        yield store


def refused(work: Callable[[], Any]) -> str:
    with pytest.raises(StoreError) as caught:
        work()
    assert caught.value.__cause__ is not None
    return str(caught.value)


@pytest.mark.both_lines
@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n:Written) RETURN 1 AS x",
        "MATCH (n) SET n.written = true RETURN 1 AS x",
        "MATCH (n) DETACH DELETE n RETURN 1 AS x",
        "CREATE INDEX written FOR (n:Written) ON (n.x)",
        "CALL db.createLabel('Written')",
        "UNWIND [1] AS x CALL (x) { CREATE (:Written) } IN TRANSACTIONS RETURN x",
    ],
)
def test_a_query_that_would_write_is_refused(
    store: Neo4jStore, neo4j_driver: neo4j.Driver, text: str
) -> None:
    message = refused(lambda: store.run(Query(text, ("x",), name="write")))
    assert "'write'" in message
    [found] = neo4j_driver.execute_query("MATCH (n:Written) RETURN count(n) AS n").records
    assert found["n"] == 0


@pytest.mark.both_lines
def test_a_query_over_its_time(store: Neo4jStore) -> None:
    with pytest.raises(QueryTimeout, match=r"at the limit of 0\.05 s: The transaction has been"):
        store.run(SLOW, timeout=0.05)
    assert list(store.run(ONE, timeout=10)) == [("1",)]


def test_a_query_over_its_time_through_an_async_driver(neo4j_server: Neo4jServer) -> None:
    async def read() -> None:
        async with neo4j.AsyncGraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as d:
            with pytest.raises(QueryTimeout, match=r"at the limit of 0\.05 s"):
                await asyncio.to_thread(Neo4jStore(d).run, SLOW, timeout=0.05)

    asyncio.run(read())


@pytest.mark.both_lines
def test_a_text_that_is_no_cypher(store: Neo4jStore) -> None:
    message = refused(lambda: store.run(Query("RETUR 1", ("x",), name="bad")))
    assert "refused the query 'bad', which is a bug of isomatch" in message
    assert "Invalid input 'RETUR'" in message


@pytest.mark.both_lines
def test_a_wrong_password_is_reported(neo4j_server: Neo4jServer) -> None:
    message = refused(lambda: Neo4jStore.connect(neo4j_server.uri, USER, "not-the-word"))
    assert f"Neo4j at {neo4j_server.uri} refused the user 'neo4j'" in message
    assert "set NEO4J_USERNAME and NEO4J_PASSWORD" in message
    assert "not-the-word" not in message


def test_a_missing_password_is_asked_for(neo4j_server: Neo4jServer) -> None:
    message = refused(lambda: Neo4jStore.connect(neo4j_server.uri))
    assert message == (
        f"Neo4j at {neo4j_server.uri} asks for a user and a password: set NEO4J_USERNAME and "
        "NEO4J_PASSWORD"
    )


def test_a_wrong_password_of_a_driver_that_was_given(neo4j_server: Neo4jServer) -> None:
    auth = (USER, "not-the-word")
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        message = refused(Neo4jStore(driver).fingerprint)
    assert "the user of the driver that it was given" in message
    assert "not-the-word" not in message


@pytest.mark.both_lines
@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_an_unknown_database_is_reported(neo4j_server: Neo4jServer, scheme: str) -> None:
    uri = neo4j_server.uri.replace("bolt", scheme)
    message = refused(lambda: Neo4jStore.connect(uri, USER, neo4j_server.password, "films"))
    assert f"Neo4j at {uri} has no database 'films'" in message
    assert message.endswith("It has neo4j (NEO4J_DATABASE)")


def test_impersonation_where_there_is_none(neo4j_server: Neo4jServer) -> None:
    message = refused(
        lambda: Neo4jStore.connect(
            neo4j_server.uri, USER, neo4j_server.password, impersonate="somebody"
        )
    )
    assert "cannot act as the user 'somebody'" in message
    assert "Unset ISOMATCH_NEO4J_IMPERSONATE" in message


@pytest.mark.parametrize("scheme", ["bolt+s", "bolt+ssc", "neo4j+s"])
def test_encryption_where_there_is_none(neo4j_server: Neo4jServer, scheme: str) -> None:
    uri = neo4j_server.uri.replace("bolt", scheme)
    message = refused(lambda: Neo4jStore.connect(uri, USER, neo4j_server.password))
    assert f"Neo4j at {uri} and this client do not agree on encryption" in message


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_neo4j_that_is_not_there_is_reported_with_its_address(
    scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    uri = f"{scheme}://127.0.0.1:{free_port()}"
    message = refused(lambda: Neo4jStore.connect(uri, USER, "word"))
    assert f"Neo4j at {uri} cannot be reached: " in message
    assert "Connection refused" in message
    assert "NEO4J_URI" in message
    # Without a handler Python prints the driver's own complaints to standard error.
    assert logging.getLogger("neo4j").handlers


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("http://localhost:7474", "has the scheme 'http', where Neo4j has neo4j://, "),
        ("localhost:7687", "has the scheme 'localhost'"),
        ("bolt://neo4j:the-secret@localhost", "has a user in it"),
        ("bolt://[::1", "is no address"),
        ("bolt://localhost:99999", "is no address"),
    ],
)
def test_an_address_that_is_none(uri: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match="NEO4J_URI") as caught:
        Neo4jStore.connect(uri, USER, "word")
    assert words in str(caught.value)
    assert "the-secret" not in str(caught.value)


def test_a_server_that_goes_away_and_comes_back(own_neo4j: Callable[..., Neo4jServer]) -> None:
    server = own_neo4j("5.26")  # to the driver and to us both lines are one
    with neo4j.GraphDatabase.driver(
        server.uri, auth=server.auth, max_transaction_retry_time=0.5
    ) as driver:
        store = Neo4jStore(driver)
        assert list(store.run(ONE)) == [("1",)]
        before = store.fingerprint()
        server.restart()
        # The pool's connections are dead: the driver tries again with new ones.
        assert store.fingerprint() == before
        server.stop()
        message = refused(lambda: store.run(ONE))
        assert "Neo4j at the address of the driver cannot be reached: " in message
        assert message.endswith("the driver that was given says where")


def test_the_doctor_of_a_server_that_is_not_there(tmp_path: Path) -> None:
    uri = f"bolt://127.0.0.1:{free_port()}"
    check = next(examine(Settings(home=tmp_path, neo4j_uri=uri, neo4j_password="the-secret")))
    assert (check.name, check.status) == ("store", "fail")
    assert f"Neo4j at {uri} cannot be reached" in check.message


@pytest.mark.both_lines
def test_errors_keep_the_servers_words_and_code(store: Neo4jStore) -> None:
    with pytest.raises(StoreError) as caught:
        store.run(Query("RETURN 1 / 0 AS x", ("x",), name="divide"))
    assert isinstance(caught.value.__cause__, Neo4jError)
    assert str(caught.value).endswith("/ by zero (Neo.ClientError.Statement.ArithmeticError)")

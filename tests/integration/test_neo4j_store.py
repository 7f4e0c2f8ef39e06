"""The store over a real Neo4j: what it reads, how the server sees it, whose driver it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timezone
from typing import Any

import neo4j
import pytest
import pytz
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time
from tests.servers.neo4j import USER, Neo4jServer

import isomatch
from isomatch.admin.doctor import examine
from isomatch.errors import StoreError
from isomatch.store.base import Fact, Query
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.neo4j.errors import NotAllowed
from isomatch.store.values import from_id, to_id

pytestmark = pytest.mark.both_lines

VALUES = [
    'a "text"\\ of\nlines',
    -(2**63),
    2**63 - 1,
    7.5,
    1e300,
    float("inf"),
    True,
    Date(1995, 12, 15),
    Time(20, 30, 0, 120_000_000),
    Time(20, 30, 0, 0, pytz.FixedOffset(-90)),
    DateTime(1995, 12, 15, 20, 30, 10, 1),
    DateTime(1995, 12, 15, 20, 30, tzinfo=timezone.utc),
    DateTime(1995, 12, 15, 20, 30, tzinfo=pytz.FixedOffset(330)),
    pytz.timezone("Europe/Berlin").localize(DateTime(2020, 6, 1, 12)),
    Duration(months=14, days=-3, seconds=4, nanoseconds=5),
    CartesianPoint((1.5, -2)),
    WGS84Point((12.5, 55.75, 10)),
]
HEAT = """
CREATE (heat:Movie {title: 'Heat', released: 1995, tags: ['crime', 'city']}),
       (neil:Person {name: 'Robert De Niro'}),
       (neil)-[:ACTED_IN {roles: ['Neil'], order: 1}]->(heat),
       (neil)-[:ACTED_IN {roles: ['Voice', 'Extra']}]->(heat),
       (heat)-[:REMAKE_OF]->(heat)
"""


@pytest.fixture
def store(neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    with Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password) as store:
        yield store


def rows(store: Neo4jStore, text: str, *columns: str, **parameters: Any) -> list[Any]:
    return list(store.run(Query(text, columns, parameters, "test")))


def test_every_kind_of_value_is_found_again_by_its_id(
    store: Neo4jStore, empty_neo4j: neo4j.Driver
) -> None:
    for number, value in enumerate(VALUES):
        empty_neo4j.execute_query("CREATE (:V {number: $n, value: $v})", n=number, v=value)
    text = "MATCH (v:V) RETURN [v.value] AS value ORDER BY v.number"
    ids = [id for (id,) in rows(store, text, "value")]
    assert ids == [to_id(value) for value in VALUES]
    for number, id in enumerate(ids):
        text = "MATCH (v:V) WHERE v.value = $value RETURN v.number AS number"
        # 1e300 and the like are equal to no other value here, so one node answers.
        assert rows(store, text, "number", value=from_id(id)) == [(str(number),)]


def test_each_cell_of_a_row_has_its_form(store: Neo4jStore) -> None:
    text = """RETURN 'an id' AS id, ['a value'] AS value, [null] AS missing, null AS nothing,
              12 AS count, 1.5 AS mean, true AS there, [{a: 1}] AS map,
              [date('+12345-01-01')] AS far"""
    columns = ("there", "id", "value", "missing", "nothing", "count", "mean", "map", "far")
    assert rows(store, text, *columns) == [
        ("true", "an id", '"a value"', None, None, "12", "1.5", None, None)
    ]


def test_a_column_that_is_not_returned_is_named(store: Neo4jStore) -> None:
    with pytest.raises(StoreError, match="query 'test' does not return 'y'"):
        rows(store, "RETURN 1 AS x", "x", "y")


def test_more_rows_than_the_server_sends_at_a_time(neo4j_server: Neo4jServer) -> None:
    with neo4j_server.driver() as driver:
        store = Neo4jStore(driver, fetch_size=7)
        found = rows(store, "UNWIND range(1, 100) AS x RETURN x", "x")
    assert found == [(str(x),) for x in range(1, 101)]


def test_an_empty_text_asks_nothing(store: Neo4jStore) -> None:
    assert rows(store, "", "x") == []


def test_facts_as_they_are_stored(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query(HEAT)
    text = "MATCH (m:Movie), (p:Person) RETURN elementId(m) AS m, elementId(p) AS p"
    [(heat, neil)] = rows(store, text, "m", "p")
    backwards, released, value, loop, none = store.facts(
        [
            (heat, ":ACTED_IN", neil),
            (heat, ".released", to_id(1995) or ""),
            (to_id(1995) or "", ".released", heat),
            (heat, ":REMAKE_OF", heat),
            (neil, ":REMAKE_OF", heat),
        ]
    )
    assert {fact.forward for fact in backwards} == {False}
    assert len({fact.id for fact in backwards}) == 2
    told = [dict(fact.properties) for fact in backwards]
    assert {"order": 1, "roles": "Neil"} in told
    assert {"roles": ["Voice", "Extra"]} in told
    assert released == (Fact(True),)
    assert value == (Fact(False),)
    assert [fact.forward for fact in loop] == [True]
    assert none == ()


def test_what_the_server_says_of_itself(
    store: Neo4jStore, neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver
) -> None:
    empty_neo4j.execute_query(HEAT)
    about = store.describe()
    assert about.kind == "Neo4j"
    assert about.location == f"{neo4j_server.uri}, database neo4j"
    assert about.version == f"{neo4j_server.line.version} community"
    assert about.triples == 3
    assert about.read_only
    assert ".".join(map(str, store.version)) == neo4j_server.line.version


def test_the_fingerprint_is_of_the_names_and_not_of_the_contents(
    store: Neo4jStore, empty_neo4j: neo4j.Driver
) -> None:
    empty_neo4j.execute_query(HEAT)
    first = store.fingerprint()
    empty_neo4j.execute_query(HEAT)
    assert store.fingerprint() == first
    empty_neo4j.execute_query("CREATE (:Fingerprinted)")
    with_label = store.fingerprint()
    assert with_label != first
    empty_neo4j.execute_query("CREATE INDEX FOR (m:Movie) ON (m.title)")
    empty_neo4j.execute_query("CALL db.awaitIndexes(60)")
    assert store.fingerprint() not in (first, with_label)


def test_the_server_shows_whose_query_it_is(
    neo4j_driver: neo4j.Driver, neo4j_server: Neo4jServer
) -> None:
    # The query that lists the transactions is one of them.
    text = """SHOW TRANSACTIONS YIELD metaData, currentQuery
              WHERE currentQuery CONTAINS 'mark of this test'
              RETURN metaData.app AS app, metaData.version AS version, metaData.query AS query"""
    store = Neo4jStore(neo4j_driver)
    assert rows(store, text, "app", "version", "query") == [
        ("isomatch", isomatch.__version__, "test")
    ]


def test_connections_have_the_clients_own_name(store: Neo4jStore) -> None:
    text = """CALL dbms.listConnections() YIELD userAgent WHERE userAgent STARTS WITH 'isomatch/'
              RETURN DISTINCT userAgent"""
    assert rows(store, text, "userAgent") == [(f"isomatch/{isomatch.__version__}",)]


def test_a_driver_of_the_callers_stays_open(neo4j_server: Neo4jServer) -> None:
    with neo4j_server.driver() as driver:
        with Neo4jStore(driver, "neo4j") as store:
            store.fingerprint()
        driver.verify_connectivity()
        assert store.describe().location == "the address of the driver, database neo4j"


def test_a_driver_of_our_own_is_closed(neo4j_server: Neo4jServer) -> None:
    with Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password) as store:
        store.fingerprint()
    store.close()  # once more does no harm
    with pytest.raises(StoreError):
        store.fingerprint()


def test_an_async_driver_is_read_from_other_threads(neo4j_server: Neo4jServer) -> None:
    async def read() -> None:
        async with neo4j.AsyncGraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as d:
            store = Neo4jStore(d)
            about = await asyncio.to_thread(store.describe)
            assert about.version.startswith(neo4j_server.line.version)
            with pytest.raises(StoreError, match=r"use `await Session\.aopen"):
                store.fingerprint()
            with pytest.raises(StoreError, match="is a bug of isomatch"):
                await asyncio.to_thread(rows, store, "RETURN", "x")
            store.close()
            await d.verify_connectivity()

    asyncio.run(read())


def test_an_async_driver_needs_its_loop(neo4j_server: Neo4jServer) -> None:
    async def opened() -> tuple[neo4j.AsyncDriver, Neo4jStore]:
        driver = neo4j.AsyncGraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth)
        return driver, Neo4jStore(driver)

    loop = asyncio.new_event_loop()
    driver, store = loop.run_until_complete(opened())
    with pytest.raises(StoreError, match=r"the event loop .* has ended"):
        store.fingerprint()
    with pytest.raises(StoreError, match="must be given inside the loop"):
        Neo4jStore(driver)
    loop.run_until_complete(driver.close())
    loop.close()


def test_the_doctor_of_a_database_that_is_well(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Any
) -> None:
    empty_neo4j.execute_query(HEAT)
    check = next(examine(neo4j_server.session_settings(tmp_path)))
    assert check.status == "ok"
    assert check.message == (
        f"Neo4j {neo4j_server.line.version} community at {neo4j_server.uri}, database neo4j, "
        "3 relationships"
    )


def test_the_doctor_of_an_empty_database(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Any
) -> None:
    check = next(examine(neo4j_server.session_settings(tmp_path)))
    assert check.status == "warn"
    assert check.fix == "NEO4J_DATABASE names another database"


class FewRights(Neo4jStore):
    """Of a user who may not see the indexes (Community has no roles to make one with)."""

    def _read(self, query: Query, *args: Any, **kwargs: Any) -> Any:
        if query.name == "indexes":
            raise NotAllowed("not allowed")
        return super()._read(query, *args, **kwargs)


def test_a_user_who_may_not_see_the_indexes(neo4j_driver: neo4j.Driver) -> None:
    few, all_of_them = FewRights(neo4j_driver), Neo4jStore(neo4j_driver)
    assert few.missing_rights() == ["SHOW INDEX"]
    assert all_of_them.missing_rights() == []
    assert few.fingerprint()

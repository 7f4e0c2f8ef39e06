"""The plugin in real servers: found by Python, refused where unfit, ended from outside."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import ClientError
from tests.integration.conftest import USUAL_LINES
from tests.integration.films import load_films
from tests.servers.neo4j import USER, Neo4jServer
from typer.testing import CliRunner

import isomatch
from isomatch.admin.doctor import examine
from isomatch.cli.app import app
from isomatch.errors import PluginVersionError, QueryTimeout, StoreError
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.base import Query
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.neo4j.errors import NotAllowed

pytestmark = pytest.mark.usefixtures("plugin")

PATTERN = '(?film:movie)-[directed]-("Michael Mann")'
STREAM = "CALL isomatch.match.stream($pattern, $config) YIELD rank, bindings, certificate "
# A street of circles, on which walks are many: 10 ways on at every stop.
STREET = """
UNWIND range(0, 999) AS i CREATE (n:Stop {name: 'stop ' + i})
WITH collect(n) AS stops
UNWIND range(0, 999) AS i UNWIND range(1, 5) AS j
WITH stops[i] AS a, stops[(i + j * j) % 1000] AS b
CREATE (a)-[:NEXT]->(b)
"""
WALK = '("stop 0")-[next]-(?a)-[next]-(?b)-[next]-(?c)-[next]-(?d)-[next]-(?e)-[next]-(?f)'
ENDLESS: dict[str, Any] = {
    "k": 1,
    "limit": 10**9,
    "budget_seconds": None,
    "budget_rows": None,
    "memory": 2**33,
}


@pytest.fixture
def store(neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    with Neo4jStore.connect(neo4j_server.uri, USER, neo4j_server.password) as store:
        yield store


@pytest.fixture
def films(neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path) -> Settings:
    """Settings of an indexed graph of films."""
    return load_films(neo4j_server, empty_neo4j, tmp_path)


@pytest.fixture
def street(empty_neo4j: neo4j.Driver) -> neo4j.Driver:
    """A graph with more walks than anybody can wait for."""
    empty_neo4j.execute_query(STREET)
    return empty_neo4j


def call(ending: str, pattern: str = WALK, **config: Any) -> Query:
    return Query(STREAM + ending, ("x",), {"pattern": pattern, "config": config}, "match")


# -- found, or not -------------------------------------------------------------------


class Counting(Neo4jStore):
    """Knows the names of its queries; may refuse some."""

    refused = ""

    def _read(self, query: Query, *args: Any, **kwargs: Any) -> Any:
        self.__dict__.setdefault("asked", []).append(query.name)
        if query.name == self.refused:
            raise NotAllowed("not allowed")
        return super()._read(query, *args, **kwargs)


@pytest.mark.both_lines
def test_the_plugin_is_found_and_asked_for_once(neo4j_driver: neo4j.Driver) -> None:
    store = Counting(neo4j_driver)
    assert [store.plugin, store.plugin] == [isomatch.__version__] * 2
    assert vars(store)["asked"] == ["plugin", "plugin_function", "plugin_version"]


def test_a_store_without_it_does_not_ask(neo4j_driver: neo4j.Driver) -> None:
    store = Counting(neo4j_driver, plugin=False)
    assert store.plugin is None
    assert "asked" not in vars(store)


@pytest.mark.both_lines
def test_one_that_the_user_may_not_call_is_not_there(neo4j_driver: neo4j.Driver) -> None:
    store = Counting(neo4j_driver)
    store.refused = "plugin_version"
    assert store.plugin is None


@pytest.mark.both_lines
def test_a_search_is_one_round_trip(films: Settings) -> None:
    with Session.open(films) as session:
        profile = session.match(PATTERN, k=1).profile
        assert (profile.strategy, profile.rounds) == ("procedure", 1)
        assert session.match(PATTERN, k=1, strategy="ascending").profile.strategy != "procedure"


def test_the_explanation_says_so(films: Settings) -> None:
    with Session.open(films) as session:
        told = session.explain(PATTERN)
    assert told.strategy == "procedure"
    assert told.why == (
        f"the database has isomatch's plugin {isomatch.__version__}: its procedure searches there"
    )
    assert "CALL isomatch.match.stream($pattern, $config)" in told.queries[0]
    assert '# $config is bound to {"k": 3' in told.queries[0]


def test_the_command_line_can_do_without(films: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISOMATCH_HOME", str(films.home))
    monkeypatch.setenv("NEO4J_URI", films.neo4j_uri or "")
    assert films.neo4j_password is not None
    monkeypatch.setenv("NEO4J_PASSWORD", films.neo4j_password.get_secret_value())

    def printed(*arguments: str) -> str:
        result = CliRunner().invoke(app, arguments, prog_name="isomatch")
        assert result.exit_code == 0, result.output
        return result.output

    with_it = printed("match", PATTERN, "-k", "1", "--profile")
    without = printed("match", PATTERN, "-k", "1", "--profile", "--no-plugin")
    assert "procedure" in with_it
    assert "procedure" not in without
    assert set(with_it.splitlines()[:3]) == set(without.splitlines()[:3])
    assert "isomatch.match.stream" in printed("explain", PATTERN)
    assert "isomatch.match.stream" not in printed("explain", PATTERN, "--no-plugin")
    assert "Michael Mann" in printed("ask", "who directed Heat?", "--no-plugin")


def test_the_doctor_says_so(films: Settings) -> None:
    found = {check.name: check for check in examine(films)}
    assert found["plugin"].status == "ok"
    assert found["plugin"].message.startswith(f"{isomatch.__version__}: ")
    without = films.model_copy(update={"plugin": False})
    found = {check.name: check for check in examine(without)}
    assert found["plugin"].message == "not looked for, as the setting says"


# -- versions ------------------------------------------------------------------------


def repacked(jar: Path, version: str, folder: Path) -> Path:
    """The plugin, as one of another version."""
    other = folder / f"isomatch-procedures-{version}.jar"
    with zipfile.ZipFile(jar) as source, zipfile.ZipFile(other, "w") as target:
        for item in source.infolist():
            content = source.read(item)
            if item.filename == "isomatch.properties":
                content = f"version={version}\n".encode()
            target.writestr(item, content)
    return other


def test_an_old_plugin_is_refused_and_one_that_has_gone_is_not_missed(
    own_neo4j: Callable[..., Neo4jServer], plugin: Path, tmp_path: Path
) -> None:
    server = own_neo4j("2025", plugins=[repacked(plugin, "0.0.9", tmp_path)])
    with server.driver() as driver:
        settings = load_films(server, driver, tmp_path)
        with (
            Session.open(settings) as session,
            pytest.raises(
                PluginVersionError, match=r"plugin 0\.0\.9, which does not fit"
            ) as caught,
        ):
            session.match(PATTERN)
        message = str(caught.value)
        assert f"isomatch {isomatch.__version__}" in message
        assert "have the plugin upgraded" in message
        assert "--no-plugin" in message
        [check] = [check for check in examine(settings) if check.name == "plugin"]
        assert check.status == "fail"
        with Session.open(settings, plugin=False) as session:
            assert session.match(PATTERN, k=1).answers()
    [jar] = (server.home / "plugins").glob("*.jar")
    jar.unlink()
    server.plugins = ()
    server.restart()
    with Session.open(settings) as session:
        result = session.match(PATTERN, k=1)
        assert result.answers()
        assert result.profile.strategy != "procedure"
    [check] = [check for check in examine(settings) if check.name == "plugin"]
    assert check.message.startswith("none that the user may call")


def test_an_old_client_is_refused(store: Neo4jStore) -> None:
    with pytest.raises(StoreError) as caught:
        store.run(call("RETURN rank AS x", client="0.0.1"))
    assert f"the plugin is isomatch {isomatch.__version__} and the client is 0.0.1" in str(
        caught.value
    )


# -- ended from outside ----------------------------------------------------------------


def assert_it_works(driver: neo4j.Driver) -> None:
    """The next call has its matches, and no other is left running."""
    query = call("RETURN count(*) AS n", '("stop 0")-[next]-(?a)')
    records = driver.execute_query(query.text, dict(query.parameters)).records
    assert [record["n"] for record in records] == [10]
    assert not running(driver)


def running(driver: neo4j.Driver) -> list[str]:
    """Transactions that call the plugin."""
    records = driver.execute_query(
        "SHOW TRANSACTIONS YIELD transactionId AS id, currentQuery AS query "
        "WHERE query STARTS WITH 'CALL isomatch.match.stream' RETURN id"
    ).records
    return [record["id"] for record in records]


def test_what_an_administrator_ended_is_said(street: neo4j.Driver) -> None:
    failed: list[Exception] = []

    def work() -> None:
        try:
            Neo4jStore(street).run(call("RETURN count(*) AS x", **ENDLESS), timeout=120)
        except StoreError as error:
            failed.append(error)

    thread = Thread(target=work)
    thread.start()
    while not (ids := running(street)):
        assert thread.is_alive()
    street.execute_query("TERMINATE TRANSACTIONS $ids", ids=ids)
    thread.join(60)
    assert "Somebody ended the query 'match'" in str(failed[0])
    assert failed[0].__cause__ is not None
    assert_it_works(street)


def test_ended_by_the_time_out_of_its_transaction(street: neo4j.Driver) -> None:
    with pytest.raises(QueryTimeout, match=r"at the limit of 0\.2 s"):
        Neo4jStore(street).run(call("RETURN count(*) AS x", **ENDLESS), timeout=0.2)
    assert_it_works(street)


def test_ended_by_its_own_budget(street: neo4j.Driver) -> None:
    config = {**ENDLESS, "budget_seconds": 0.2, "summary": True}
    ending = "WITH rank, certificate WHERE rank IS NULL RETURN certificate.ended_by AS x"
    assert list(Neo4jStore(street).run(call(ending, **config))) == [("time",)]
    assert_it_works(street)


@pytest.mark.parametrize("line", USUAL_LINES)
def test_ended_by_a_limit_of_memory(
    own_neo4j: Callable[..., Neo4jServer], line: str, plugin: Path
) -> None:
    settings = {"db.memory.transaction.max": "24m"}
    with own_neo4j(line, plugins=[plugin], settings=settings).driver() as driver:
        driver.execute_query(STREET)
        # Plain matches are remembered, so that none comes twice.
        query = call("RETURN count(*) AS x", **{**ENDLESS, "k": 10**9, "results": "matches"})
        with pytest.raises(StoreError) as caught:
            Neo4jStore(driver).run(query, timeout=120)
        message = str(caught.value)
        assert "The query 'match' met a memory limit" in message
        assert "db.memory.transaction.max" in message
        assert_it_works(driver)


def test_a_caller_who_has_seen_enough(neo4j_server: Neo4jServer, street: neo4j.Driver) -> None:
    query = call("RETURN rank", **ENDLESS)
    with street.session(default_access_mode=neo4j.READ_ACCESS, fetch_size=1) as session:
        result = session.run(query.text, dict(query.parameters))
        assert next(iter(result))["rank"] == 1
        assert running(street)  # the first match is here, and the last is far away
        with suppress(ClientError):
            result.consume()
    assert_it_works(street)


# -- in the caller's own statements -----------------------------------------------------


@pytest.mark.both_lines
def test_a_match_composes_with_other_cypher(films: Settings, neo4j_driver: neo4j.Driver) -> None:
    records = neo4j_driver.execute_query(
        "CALL isomatch.match.stream($pattern, {k: 1}) YIELD nodes "
        "WITH [n IN nodes WHERE n:Movie][0] AS film "
        "MATCH (film)<-[:ACTED_IN]-(actor) "
        "RETURN film.title AS film, count(DISTINCT actor) AS actors ORDER BY film",
        pattern=PATTERN,
    ).records
    assert [(r["film"], r["actors"]) for r in records] == [("Ali", 1), ("Heat", 2)]


def test_candidates_that_have_gone_are_passed_over_and_counted(street: neo4j.Driver) -> None:
    [gone] = street.execute_query(
        "MATCH (n:Stop {name: 'stop 1'}) WITH n, elementId(n) AS id DETACH DELETE n RETURN id"
    ).records
    candidates = {"nodes": {"x": [[gone["id"], 0.0], ["stop 0", 0.5]]}}
    query = call(
        "RETURN rank, certificate.gone AS gone",
        '(x "stop")-[next]-(?a)',
        k=1,
        candidates=candidates,
        summary=True,
    )
    records = street.execute_query(query.text, dict(query.parameters)).records
    assert {record["gone"] for record in records} == {1}
    assert [record["rank"] for record in records][-1] is None
    assert len(records) == 10  # 9 neighbours are left, and the summary


def test_many_callers_at_once_get_the_same(street: neo4j.Driver) -> None:
    query = call("RETURN count(*) AS n", '("stop 0")-[next]-(?a)-[next]-(?b)', k=1, limit=10**6)

    def work(_: int) -> int:
        return int(street.execute_query(query.text, dict(query.parameters)).records[0]["n"])

    with ThreadPoolExecutor(16) as pool:
        found = set(pool.map(work, range(32)))
    assert len(found) == 1
    assert found.pop() > 50


def test_the_database_of_the_system_has_no_graph(street: neo4j.Driver) -> None:
    # Community has one database beside it, so two graphs cannot be searched here.
    with pytest.raises(StoreError) as caught:
        Neo4jStore(street, "system").run(call("RETURN rank AS x"))
    assert "system" in str(caught.value)
    assert_it_works(street)

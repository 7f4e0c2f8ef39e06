"""Real servers for integration tests: started when the first test asks, ended with the session.

They have the plugin where it is built. Searches then run in one of two ways, by the
plugin or by compiled Cypher; `search_way` runs a test both ways.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from tests.integration.films import load_films
from tests.integration.metaqa_session import metaqa_session
from tests.oracle.letters import Letters
from tests.servers import ServerUnavailable
from tests.servers.neo4j import Neo4jServer, empty
from tests.servers.neo4j_lines import LINES
from tests.servers.plugin import plugin_jar
from tests.servers.sessions import session_over
from tests.servers.sparql import ENGINES
from tests.servers.sparql_server import SparqlServer
from tests.shared import THOROUGH

from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.sparql import SparqlStore

# The newest first, for tests that are not marked `both_lines`. pytest puts tests of equally
# numbered parameters together.
NEWEST_FIRST = tuple(reversed(LINES))
USUAL_LINES = NEWEST_FIRST if THOROUGH else NEWEST_FIRST[:1]

StartNeo4j = Callable[..., Neo4jServer]
StartSparql = Callable[..., SparqlServer]


@contextlib.contextmanager
def starter() -> Iterator[StartNeo4j]:
    """Gives a function that starts servers in temporary homes; ends all of them at the end."""
    with contextlib.ExitStack() as stack:

        def start(line: str, **options: Any) -> Neo4jServer:
            home = stack.enter_context(tempfile.TemporaryDirectory(prefix="isomatch-neo4j-"))
            with _needed():
                return stack.enter_context(Neo4jServer(line, Path(home), brief=True, **options))

        yield start


@contextlib.contextmanager
def _needed() -> Iterator[None]:
    """What cannot be had is a failure in CI, and skips the test elsewhere."""
    try:
        yield
    except ServerUnavailable as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def plugin() -> Path:
    """The jar of the plugin: with this fixture a test skips where it is not built."""
    with _needed():
        return plugin_jar()


@pytest.fixture(scope="session")
def ways() -> tuple[str, ...]:
    """``compiled``, and ``procedure`` where the plugin is built, for tests that do both."""
    with contextlib.suppress(ServerUnavailable):
        plugin_jar()
        return ("compiled", "procedure")
    return ("compiled",)


@pytest.fixture(params=["compiled", "procedure"])
def search_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How sessions that are opened from now on search: the test runs both ways."""
    way = str(request.param)
    if way == "procedure":
        request.getfixturevalue("plugin")
    monkeypatch.setenv("ISOMATCH_PLUGIN", str(way == "procedure"))
    return way


@pytest.fixture
def own_neo4j() -> Iterator[StartNeo4j]:
    """Starts a server for this test alone, which may stop it or write anything: some 6 s each.

    ``own_neo4j("5.26", plugins=[…], settings={…})`` takes what `Neo4jServer` takes
    beside the home.
    """
    with starter() as start:
        yield start


@pytest.fixture(scope="session")
def _shared_neo4j() -> Iterator[Callable[[str], Neo4jServer]]:
    """The session's server of a line, started by the first who asks."""
    servers: dict[str, Neo4jServer] = {}
    with starter() as start:

        def shared(line: str) -> Neo4jServer:
            if line not in servers:
                jars = []
                with contextlib.suppress(ServerUnavailable):
                    jars = [plugin_jar()]
                servers[line] = start(line, plugins=jars)
            return servers[line]

        yield shared


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests of `neo4j_server` on the lines that they are for."""
    if "neo4j_server" in metafunc.fixturenames:
        both = metafunc.definition.get_closest_marker("both_lines")
        metafunc.parametrize(
            "neo4j_server",
            NEWEST_FIRST if both else USUAL_LINES,
            ids=lambda line: f"neo4j-{line}",
            indirect=True,
            scope="session",
        )


@pytest.fixture(scope="session")
def neo4j_server(
    request: pytest.FixtureRequest, _shared_neo4j: Callable[[str], Neo4jServer]
) -> Neo4jServer:
    """The server of a line, shared by all tests: leave it running, with its password.

    On `USUAL_LINES`, and on each for tests marked ``both_lines``.
    """
    return _shared_neo4j(request.param)


@pytest.fixture(scope="session")
def neo4j_driver(neo4j_server: Neo4jServer) -> Iterator[neo4j.Driver]:
    """The official driver, connected to `neo4j_server`; not empty of other tests' data."""
    with neo4j_server.driver() as driver:
        yield driver


@pytest.fixture
def empty_neo4j(neo4j_driver: neo4j.Driver) -> neo4j.Driver:
    """The driver, of a database without nodes, constraints and indexes."""
    empty(neo4j_driver)
    return neo4j_driver


@contextlib.contextmanager
def _sparql_starter() -> Iterator[StartSparql]:
    """Gives a function that starts servers in temporary homes; ends all of them at the end."""
    with contextlib.ExitStack() as stack:

        def start(engine: str, **options: Any) -> SparqlServer:
            home = stack.enter_context(tempfile.TemporaryDirectory(prefix=f"isomatch-{engine}-"))
            with _needed():
                return stack.enter_context(ENGINES[engine](Path(home), brief=True, **options))

        yield start


@pytest.fixture
def own_sparql() -> Iterator[StartSparql]:
    """Starts a SPARQL server for this test alone: ``own_sparql("virtuoso", rows=100)``."""
    with _sparql_starter() as start:
        yield start


@pytest.fixture(scope="session")
def _shared_sparql() -> Iterator[Callable[[str], SparqlServer]]:
    """The session's server of an engine, started by the first who asks."""
    servers: dict[str, SparqlServer] = {}
    with _sparql_starter() as start:

        def shared(engine: str) -> SparqlServer:
            if engine not in servers:
                servers[engine] = start(engine)
            return servers[engine]

        yield shared


@pytest.fixture(scope="session", params=ENGINES)
def sparql_server(
    request: pytest.FixtureRequest, _shared_sparql: Callable[[str], SparqlServer]
) -> SparqlServer:
    """One server of each engine, shared by all tests: leave it running."""
    return _shared_sparql(request.param)


@pytest.fixture
def empty_sparql(sparql_server: SparqlServer) -> SparqlServer:
    """The server without triples."""
    sparql_server.clear()
    return sparql_server


@pytest.fixture
def open_sparql(empty_sparql: SparqlServer, tmp_path: Path) -> Callable[[str], Session]:
    """Puts Turtle into the server, and opens a session over it."""

    def opened(turtle: str) -> Session:
        empty_sparql.load(turtle)
        store = SparqlStore.connect(empty_sparql.url, **empty_sparql.settings)
        return session_over(store, tmp_path, Letters(12))

    return opened


@pytest.fixture(scope="module")
def films(
    neo4j_server: Neo4jServer,
    neo4j_driver: neo4j.Driver,
    tmp_path_factory: pytest.TempPathFactory,
) -> Settings:
    """Settings of a session over the films of `tests.integration.films`, which the server has."""
    return load_films(neo4j_server, neo4j_driver, tmp_path_factory.mktemp("films"))


@pytest.fixture(scope="module")
def embedded_metaqa(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A session over MetaQA in the embedded store."""
    with metaqa_session(tmp_path_factory) as session:
        yield session

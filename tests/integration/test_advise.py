"""What `doctor --advise` prints is run on real servers, and does what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from tests.servers.neo4j import Neo4jServer
from typer.testing import CliRunner

from isomatch.admin.advise import LEAST_NODES, NO_ROLES, grants, indexes
from isomatch.cli.app import app
from isomatch.factories import open_store, schema_of
from isomatch.schema.types import Schema
from isomatch.settings import Settings

NODES = LEAST_NODES + 10
# Escapes, comments and line breaks, which must stay part of a name.
ODD = "a`b\\u0060 // c; d\ne"


@pytest.fixture
def films(empty_neo4j: neo4j.Driver) -> neo4j.Driver:
    """Films with a name, numbers, unique texts, lists, and a property of an odd name."""
    quoted = ODD.replace("\\", "\\u005C").replace("`", "``")
    empty_neo4j.execute_query(
        f"UNWIND range(1, $nodes) AS i CREATE (:Film {{title: 'Film ' + i, year: i % 90, "
        f"imdb: 'tt' + i, tags: ['a', 'b' + i], `{quoted}`: i % 7}})",
        nodes=NODES,
    )
    return empty_neo4j


@pytest.fixture
def settings(neo4j_server: Neo4jServer, tmp_path: Path) -> Settings:
    return neo4j_server.session_settings(tmp_path / "home")


def schema(settings: Settings) -> Schema:
    with open_store(settings) as store:
        return schema_of(settings, store)


def statements(text: str) -> Iterator[str]:
    """What a client runs of a text: all that is not a comment, by statement."""
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if lines or (line.strip() and not line.startswith("//")):
            lines.append(line)
        if re.search(r";(  // [\d,]+ nodes)?$", line):
            if statement := "".join(lines).strip():
                yield statement
            lines = []


def operators(driver: neo4j.Driver, key: str) -> set[str]:
    """Those in the plan of a look-up by value, in the form that isomatch compiles."""
    query = f"EXPLAIN UNWIND $asked.rows AS row MATCH (n:Film) WHERE n.{key} = row.value RETURN n"

    def walk(plan: dict[str, Any]) -> set[str]:
        below = [walk(child) for child in plan.get("children", ())]
        return {plan["operatorType"].partition("@")[0]}.union(*below)

    plan = driver.execute_query(query, asked={"rows": [{"value": 1}]}).summary.plan
    assert plan is not None
    return walk(plan)


@pytest.mark.both_lines
def test_every_index_can_be_made_and_is_used(films: neo4j.Driver, settings: Settings) -> None:
    advised = indexes(schema(settings), location="here")
    found = list(statements(advised))
    assert len(found) == 4
    for key in ("title", "year", "imdb"):
        assert "NodeByLabelScan" in operators(films, key)
    for statement in found * 2:  # it may be run again
        films.execute_query(statement)
    films.execute_query("CALL db.awaitIndexes()")
    for key in ("title", "year", "imdb"):
        assert "NodeIndexSeek" in operators(films, key)
    rows = films.execute_query(
        "SHOW INDEXES YIELD type, properties WHERE type = 'RANGE' RETURN properties[0] AS p"
    ).records
    assert {row["p"] for row in rows} == {"title", "year", "imdb", ODD}
    again = indexes(schema(settings), location="here")
    assert list(statements(again)) == []
    assert "Nothing is missing" in again


def test_the_constraint_that_is_suggested_can_be_made_in_place_of_its_index(
    films: neo4j.Driver, settings: Settings
) -> None:
    advised = indexes(schema(settings), location="here")
    constraints = re.findall(r"^// (CREATE CONSTRAINT .*)$", advised, re.MULTILINE)
    assert [c for c in constraints if "imdb" in c] == constraints != []
    for statement in constraints:
        films.execute_query(statement)
    again = indexes(schema(settings), location="here")
    assert "`imdb`" not in again


def test_grants_are_refused_for_the_edition_and_not_for_their_syntax(
    neo4j_driver: neo4j.Driver,
) -> None:
    for database in ("neo4j", "my.films", ODD):
        found = list(statements(grants(database)))
        assert len(found) > 5
        for statement in found:
            assert _refused(neo4j_driver, statement) == "UnsupportedAdministrationCommand"
        broken = found[0].replace("ROLE", "ROLL")
        assert _refused(neo4j_driver, broken) == "SyntaxError"  # or the test above proves nothing


def _refused(driver: neo4j.Driver, statement: str) -> str:
    with pytest.raises(neo4j.exceptions.ClientError) as caught:
        driver.execute_query(statement, database_="system")
    return (caught.value.code or "").rpartition(".")[2]


def test_doctor_advise_prints_the_statements(
    films: neo4j.Driver, neo4j_server: Neo4jServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    command = ["--home", str(tmp_path), "doctor", "--advise"]
    result = CliRunner().invoke(app, command)
    assert (result.exit_code, result.stderr) == (0, "")
    first = f"// Indexes for Neo4j {neo4j_server.line.version} community at {neo4j_server.uri}"
    assert result.stdout.startswith(first)
    assert result.stdout.endswith(NO_ROLES)
    assert len(list(statements(result.stdout))) == 4
    told = CliRunner().invoke(app, [*command, "--json"])
    assert json.loads(told.stdout) == {"advice": result.stdout}
    indexes_now = films.execute_query("SHOW INDEXES YIELD type WHERE type <> 'LOOKUP'").records
    assert indexes_now == []

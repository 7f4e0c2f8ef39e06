"""Where a graph is not in Neo4j there is no Cypher, and that is said before a search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isomatch import Session, to_cypher, to_neo4j_graph
from isomatch.cli.app import app
from isomatch.errors import ConfigurationError

PATTERN = '(?film)-[directed by]-("Michael Mann")'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("films")
    (home / "films.csv").write_text("Heat|directed by|Michael Mann\n", encoding="utf-8")
    for command in (["load", str(home / "films.csv"), "--delimiter", "|"], ["index"]):
        done = CliRunner().invoke(app, [*command, "--home", str(home)])
        assert done.exit_code == 0, done.output
    return home


def test_conversions_say_where_the_graph_must_be(home: Path) -> None:
    with Session.open(home=home) as session:
        result = session.match(PATTERN)
        for convert in (to_cypher, to_neo4j_graph):
            with pytest.raises(ConfigurationError, match=r"not in Neo4j.*isomatch explain"):
                convert(result, session)


@pytest.mark.parametrize("command", [["match", PATTERN], ["ask", "who directed Heat?"]])
def test_so_does_the_command_line(home: Path, command: list[str]) -> None:
    arguments = [*command, "--show-cypher", "--home", str(home)]
    plain = CliRunner().invoke(app, arguments)
    assert (plain.exit_code, plain.stdout) == (ConfigurationError.exit_code, "")
    assert "the graph is not in Neo4j" in plain.stderr
    told = CliRunner().invoke(app, [*arguments, "--json"])
    assert json.loads(told.stderr)["error"]["type"] == "ConfigurationError"

"""What docs/neo4j.md shows is what happens, on the database that it shows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import neo4j
import pytest
from tests.commands import environment, run_command, run_program
from tests.servers.neo4j import Neo4jServer

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "neo4j.md").read_text(encoding="utf-8")
VARYING = re.compile(r"\(?\d+(\.\d+)? s\b.*| as of [\d :-]+ UTC")


@pytest.fixture
def shell(neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path) -> dict[str, str]:
    """The environment of the page's commands, in a home of their own."""
    return environment(
        COLUMNS="120",
        NEO4J_URI=neo4j_server.uri,
        NEO4J_USERNAME=neo4j_server.auth[0],
        NEO4J_PASSWORD=neo4j_server.password,
        ISOMATCH_HOME=str(tmp_path),
    )


def test_the_neo4j_page_is_true(shell: dict[str, str]) -> None:
    load, program = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    run_program([sys.executable, "-c", load], ROOT, shell)
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.S)
    compared = 0
    for block in blocks[1:]:  # the first starts a server of its own
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = step.partition("\n")
            printed = run_command(command, ROOT, shell)
            if shown.strip():
                assert lines(printed) == lines(shown), command
                compared += 1
    assert compared >= 5
    printed = run_program([sys.executable, "-c", program], ROOT, shell)
    assert printed.splitlines() == re.findall(r"^\s+# (.*)$", program, re.M)


def lines(text: str) -> list[str]:
    """What can be compared: no times, and matches in any order."""
    return sorted(
        VARYING.sub("", line).strip(" ├└│─") for line in text.splitlines() if line.strip()
    )

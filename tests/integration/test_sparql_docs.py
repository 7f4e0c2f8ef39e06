"""What docs/sparql.md shows is what happens, on Virtuoso with its row cap in force."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from tests.commands import environment, run_command, run_program
from tests.integration.test_neo4j_docs import lines
from tests.servers.virtuoso import GRAPH, VirtuosoServer

from isomatch.settings import toml

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "sparql.md").read_text(encoding="utf-8")
BLOCKS = {
    language: re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)
    for language in ("console", "python", "toml")
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's commands run."""
    return tmp_path_factory.mktemp("sparql-docs")


@pytest.mark.parametrize("sparql_server", ["virtuoso"], indirect=True)
def test_the_sparql_page_is_true(empty_sparql: VirtuosoServer, folder: Path) -> None:
    empty_sparql.load(ROOT / "db" / "sparql" / "sample.ttl")
    (configuration,) = BLOCKS["toml"]
    table = toml.loads(configuration)["endpoints"]["films"]
    assert table["graphs"] == [GRAPH]
    (folder / "isomatch.toml").write_text(configuration.replace(table["url"], empty_sparql.url))
    *ours, languages = BLOCKS["console"][1:]  # the first starts a server of its own
    assert sum(compared(block, folder) for block in ours) >= 5
    (program,) = BLOCKS["python"]
    printed = run_program([sys.executable, "-c", program], folder, environment())
    assert printed.splitlines() == re.findall(r"^\s+# (.*)$", program, re.M)
    assert compared(languages, folder) == 1


def compared(block: str, folder: Path) -> int:
    """How many commands of a block show what they print; all of them run."""
    count = 0
    for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = step.partition("\n")
        printed = run_command(command, folder, environment(COLUMNS="120"))
        if shown.strip():
            assert lines(printed) == lines(shown), command
            count += 1
    return count

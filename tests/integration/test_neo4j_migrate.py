"""Migrations on real servers: applied, recorded, refused, repeated, taken back."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pty
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import neo4j
import pytest
from tests.servers.neo4j import Neo4jServer
from typer.testing import CliRunner

import isomatch
from isomatch.admin.migrate import (
    LABEL,
    Migration,
    apply,
    examine,
    migrations_folder,
    read_migrations,
    undo,
)
from isomatch.admin.migrate.neo4j import Neo4jTarget
from isomatch.cli.app import app
from isomatch.errors import StoreError
from isomatch.factories import open_store, schema_of
from isomatch.settings import Settings
from isomatch.store.neo4j.errors import Place

PAGE = Path(__file__).resolve().parents[2] / "docs/migrations.md"
BY = "neo4j, isomatch 9"
SECOND = """// Every title is there once.
CREATE CONSTRAINT film_title IF NOT EXISTS FOR (f:Film) REQUIRE f.title IS UNIQUE;

// A film.
MERGE (:Film {title: 'Heat'});
"""


@pytest.fixture
def target(neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver) -> Neo4jTarget:
    return Neo4jTarget(empty_neo4j, Place(neo4j_server.uri, database="neo4j"))


@pytest.fixture
def two(tmp_path: Path) -> tuple[Migration, ...]:
    """Our first migration, and one that changes both schema and data."""
    folder = tmp_path / "neo4j"
    folder.mkdir()
    for path in (migrations_folder() / "neo4j").glob("0001_*"):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "0002_films.cypher").write_text(SECOND)
    (folder / "0002_films.undo.cypher").write_text(
        "// The film.\nMATCH (f:Film {title: 'Heat'}) DELETE f;\n\n"
        "// The rule for titles.\nDROP CONSTRAINT film_title IF EXISTS;\n"
    )
    return read_migrations("neo4j", tmp_path)


def content(driver: neo4j.Driver) -> dict[str, list[str]]:
    """Everything in the database but the times of records."""
    queries = {
        "nodes": "MATCH (n) RETURN labels(n)[0] + ' ' + coalesce(n.title, toString(n.version))",
        "indexes": "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name",
        "constraints": "SHOW CONSTRAINTS YIELD name RETURN name",
    }
    return {
        what: sorted(record[0] for record in driver.execute_query(query).records)
        for what, query in queries.items()
    }


NODES = ["Film Heat", f"{LABEL} 1", f"{LABEL} 2"]
EMPTY: dict[str, list[str]] = {"nodes": [], "indexes": [], "constraints": []}


@pytest.mark.both_lines
def test_neo4j_migrations_go_up_and_down_again(
    target: Neo4jTarget, empty_neo4j: neo4j.Driver, two: tuple[Migration, ...]
) -> None:
    assert examine(target, two).pending == two
    for migration in two:
        record = apply(target, migration, BY)
        assert (record.version, record.checksum, record.by) == (
            migration.version,
            migration.checksum,
            BY,
        )
    assert content(empty_neo4j) == {
        "nodes": NODES,
        "indexes": ["film_title", "isomatch_migration_version"],
        "constraints": ["film_title", "isomatch_migration_version"],
    }
    state = examine(target, two)
    assert state.pending == ()
    assert [str(r) for r in state.applied] == ["0001 records", "0002 films"]
    assert all(r.applied_at.startswith("20") for r in state.applied)
    for migration in reversed(two):
        undo(target, migration)
    assert content(empty_neo4j) == EMPTY


@pytest.mark.both_lines
def test_each_neo4j_migration_may_run_twice(target: Neo4jTarget, empty_neo4j: neo4j.Driver) -> None:
    ours = read_migrations("neo4j")
    for migration in ours:
        apply(target, migration, BY)
        once = content(empty_neo4j)
        assert apply(target, migration, "somebody else").by == BY
        assert content(empty_neo4j) == once
    for migration in reversed(ours):
        undo(target, migration)
        undo(target, migration)
    assert content(empty_neo4j) == EMPTY


class Killed(Neo4jTarget):
    """Ends after some requests, as a process does that is killed."""

    left = 0

    def _once(self) -> None:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1

    def run(self, statement: str) -> None:
        self._once()
        super().run(statement)

    def record(self, record: object) -> object:  # type: ignore[override]
        self._once()
        return super().record(record)  # type: ignore[arg-type]


@pytest.mark.parametrize("requests", [1, 2, 3, 4])
def test_neo4j_repeats_a_migration_that_was_killed(
    target: Neo4jTarget, empty_neo4j: neo4j.Driver, two: tuple[Migration, ...], requests: int
) -> None:
    killed = Killed(empty_neo4j, Place("here", database="neo4j"))
    killed.left = requests

    def apply_all() -> None:
        for migration in two:
            apply(killed, migration, BY)

    with pytest.raises(KeyboardInterrupt):
        apply_all()
    assert len(examine(target, two).applied) == (requests >= 2)
    for migration in examine(target, two).pending:
        apply(target, migration, BY)
    assert content(empty_neo4j)["nodes"] == NODES


def test_several_processes_at_once_record_each_migration_once(
    target: Neo4jTarget, empty_neo4j: neo4j.Driver, two: tuple[Migration, ...]
) -> None:
    processes = 4
    start = Barrier(processes)

    def migrate(number: int) -> list[str]:
        own = Neo4jTarget(empty_neo4j, Place("here", database="neo4j"))
        pending = examine(own, two).pending
        start.wait(timeout=60)
        return [apply(own, migration, f"process {number}").by for migration in pending]

    with ThreadPoolExecutor(processes) as pool:
        told = list(pool.map(migrate, range(processes)))
    recorded = [r.by for r in examine(target, two).applied]
    assert told == [recorded] * processes
    assert content(empty_neo4j)["nodes"] == NODES


def test_neo4j_refuses_an_applied_file_that_changed(
    target: Neo4jTarget, empty_neo4j: neo4j.Driver, two: tuple[Migration, ...]
) -> None:
    for migration in two:
        apply(target, migration, BY)
    before = content(empty_neo4j)
    changed = (two[0], dataclasses.replace(two[1], checksum="0" * 64))
    with pytest.raises(StoreError) as caught:
        examine(target, changed)
    for words in ("migrations/neo4j/0002_films.cypher", "0" * 64, two[1].checksum, "restore", BY):
        assert words in str(caught.value)
    with pytest.raises(StoreError, match="has migration 0002 films"):
        examine(target, two[:1])
    assert content(empty_neo4j) == before


def test_a_statement_that_fails_leaves_no_record(
    target: Neo4jTarget, two: tuple[Migration, ...]
) -> None:
    wrong = dataclasses.replace(two[1].statements[0], text="MATCH (n) RETURN 1 / 0, missing")
    apply(target, two[0], BY)
    with pytest.raises(StoreError, match="missing") as caught:
        apply(target, dataclasses.replace(two[1], statements=(wrong,)), BY)
    assert isinstance(caught.value.__cause__, neo4j.exceptions.Neo4jError)
    assert [str(r) for r in examine(target, two).applied] == ["0001 records"]


def test_only_a_migration_writes(
    target: Neo4jTarget, empty_neo4j: neo4j.Driver, two: tuple[Migration, ...]
) -> None:
    """To look at the state opens read sessions, which the server holds to reading."""
    examine(target, two)
    with pytest.raises(StoreError, match=r"[Ww]rit"):
        target._run("CREATE (:Film)", write=False)
    assert content(empty_neo4j) == EMPTY


@pytest.fixture
def settings(
    neo4j_server: Neo4jServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    return Settings(home=tmp_path)


def run(settings: Settings, *arguments: str) -> tuple[int, str, str]:
    command = ["--home", str(settings.home), "migrate", *arguments]
    result = CliRunner().invoke(app, command, prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def test_nothing_is_written_before_somebody_agreed(
    empty_neo4j: neo4j.Driver, settings: Settings
) -> None:
    shown = re.findall(r"```text\n(To apply.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for arguments, code in ((("--dry-run",), 0), ((), 2), (("--json",), 2), (("status",), 0)):
        ended, out, err = run(settings, *arguments)
        assert ended == code
        assert ("--yes" in err) == (code == 2)
        if arguments in ((), ("--dry-run",)):
            assert shown[0] in out
    assert content(empty_neo4j) == EMPTY


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("y", 0)])
def test_a_person_is_asked(
    empty_neo4j: neo4j.Driver, settings: Settings, answer: str, code: int
) -> None:
    command = [sys.executable, "-c", "from isomatch.cli import main; main()"]
    command += ["--home", str(settings.home), "migrate"]
    ours, terminal = pty.openpty()
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        os.write(ours, answer.encode() + b"\n")
        said = ""
        with contextlib.suppress(OSError):  # Linux's end of a terminal's output
            while part := os.read(ours, 1024):
                said += part.decode()
    os.close(ours)
    assert process.returncode == code
    assert re.search(r"CREATE CONSTRAINT.*Write this to Neo4j at .*\? \[y/N\]:", said, re.DOTALL)
    assert ("Nothing was written." in said) == (answer == "n")
    assert content(empty_neo4j)["nodes"] == [f"{LABEL} 1"] * (answer == "y")


def test_the_command_up_and_down(empty_neo4j: neo4j.Driver, settings: Settings) -> None:
    (first,) = read_migrations("neo4j")
    code, out, err = run(settings, "--yes")
    assert (code, err) == (0, "")
    assert "applied 0001 records, recorded at 20" in out
    assert f"by neo4j, isomatch {isomatch.__version__}" in out
    assert content(empty_neo4j)["nodes"] == [f"{LABEL} 1"]
    code, out, _ = run(settings, "status", "--json")
    told = json.loads(out)
    assert [r["checksum"] for r in told["applied"]] == [first.checksum]
    assert told["pending"] == []
    assert run(settings)[1].endswith("Nothing to do.\n")
    code, out, err = run(settings, "--undo")
    assert (code, err.count("--yes")) == (2, 1)
    assert first.undo[0].text in out
    assert content(empty_neo4j)["nodes"] == [f"{LABEL} 1"]
    code, out, err = run(settings, "--undo", "--yes")
    assert (code, err) == (0, "")
    assert out.endswith("took back 0001 records\n")
    assert content(empty_neo4j) == EMPTY
    assert run(settings, "--undo", "--yes")[1].endswith("Nothing to do.\n")


def test_records_are_no_part_of_the_graph(empty_neo4j: neo4j.Driver, settings: Settings) -> None:
    empty_neo4j.execute_query("CREATE (:Film {title: 'Heat', year: 1995})-[:BY]->(:Person)")

    def seen() -> tuple[set[str], set[str], int]:
        with open_store(settings) as store:
            schema = schema_of(settings, store)
        return {t.id for t in schema.types}, {r.id for r in schema.relations}, schema.nodes

    before = seen()
    assert run(settings, "--yes")[0] == 0
    assert seen() == before

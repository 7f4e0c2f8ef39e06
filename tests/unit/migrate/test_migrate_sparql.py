"""Migrations of an RDF store: order, records, refusals, and what a killed run leaves."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from isomatch.admin.migrate import (
    Migration,
    apply,
    examine,
    migrations_folder,
    read_migrations,
    steps,
    undo,
)
from isomatch.admin.migrate.sparql import SparqlTarget
from isomatch.errors import ConfigurationError, StoreError
from isomatch.store.oxigraph import OxigraphStore

BY = 'a "quoted" user, isomatch 9'
SECOND = "# Adds a triple.\nINSERT DATA { <urn:a> <urn:p> 1 }\n;\n# And one.\n"
SECOND += "INSERT DATA { <urn:a> <urn:p> 2 }\n"


def target_of(graph: ox.Store, update: Callable[[str], None] | None = None) -> SparqlTarget:
    return SparqlTarget(OxigraphStore.memory(graph), update or graph.update)


def quads(graph: ox.Store) -> set[str]:
    return {str(q) for q in graph if "appliedAt" not in str(q)}


@pytest.fixture
def two(tmp_path: Path) -> tuple[Migration, ...]:
    """Our first migration, and one that adds triples."""
    (tmp_path / "sparql").mkdir()
    for path in (migrations_folder() / "sparql").glob("0001_*"):
        (tmp_path / "sparql" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "sparql/0002_facts.ru").write_text(SECOND)
    (tmp_path / "sparql/0002_facts.undo.ru").write_text(
        "# Removes them.\nDELETE DATA { <urn:a> <urn:p> 1, 2 }\n"
    )
    return read_migrations("sparql", tmp_path)


def test_sparql_migrations_go_up_and_down_again(two: tuple[Migration, ...]) -> None:
    graph = ox.Store()
    target = target_of(graph)
    assert examine(target, two).pending == two
    for migration in two:
        record = apply(target, migration, BY)
        assert (record.version, record.by) == (migration.version, BY)
        assert record.checksum == migration.checksum
        assert record.applied_at.endswith("Z")
    state = examine(target, two)
    assert state.pending == ()
    assert [str(r) for r in state.applied] == ["0001 records", "0002 facts"]
    for migration in reversed(two):
        undo(target, migration)
    assert examine(target, two).pending == two
    assert len(graph) == 0
    assert list(graph.named_graphs()) == []


def test_each_sparql_migration_may_run_twice() -> None:
    graph = ox.Store()
    target = target_of(graph)
    for migration in read_migrations("sparql"):
        apply(target, migration, BY)
        once = quads(graph)
        apply(target, migration, "somebody else")
        assert quads(graph) == once
    for migration in reversed(read_migrations("sparql")):
        undo(target, migration)
        undo(target, migration)
    assert len(graph) == 0


@pytest.mark.parametrize("killed_at", [1, 2, 3, 4])
def test_sparql_repeats_a_migration_that_was_killed(
    two: tuple[Migration, ...], killed_at: int
) -> None:
    graph, done = ox.Store(), []

    def update(text: str) -> None:
        if len(done) == killed_at:
            raise KeyboardInterrupt
        graph.update(text)
        done.append(text)

    def apply_all() -> None:
        for migration in two:
            apply(target_of(graph, update), migration, BY)

    with pytest.raises(KeyboardInterrupt):
        apply_all()
    target = target_of(graph)
    assert len(examine(target, two).applied) == (killed_at >= 2)
    for migration in examine(target, two).pending:
        apply(target, migration, BY)
    whole = ox.Store()
    for migration in two:
        apply(target_of(whole), migration, BY)
    assert quads(graph) == quads(whole)


def test_sparql_refuses_an_applied_file_that_changed(two: tuple[Migration, ...]) -> None:
    target = target_of(ox.Store())
    for migration in two:
        apply(target, migration, BY)
    changed = (two[0], dataclasses.replace(two[1], checksum="0" * 64))
    with pytest.raises(StoreError) as caught:
        examine(target, changed)
    for words in ("migrations/sparql/0002_facts.ru", "0" * 64, two[1].checksum, "restore", BY):
        assert words in str(caught.value)
    with pytest.raises(StoreError, match=r"0002_facts\.ru"):
        apply(target, changed[1], BY)  # another process had recorded the other file meanwhile


def test_a_version_that_the_files_lack_is_refused(two: tuple[Migration, ...]) -> None:
    target = target_of(ox.Store())
    for migration in two:
        apply(target, migration, BY)
    with pytest.raises(StoreError, match="has migration 0002 facts") as caught:
        examine(target, two[:1])
    assert "newer" in str(caught.value)


def test_steps_lead_to_the_version_asked_for(two: tuple[Migration, ...]) -> None:
    target = target_of(ox.Store())
    new = examine(target, two)
    assert steps(new) == two
    assert steps(new, 1) == two[:1]
    assert steps(new, 0) == ()
    with pytest.raises(ConfigurationError, match="no migration 3: the newest is 2"):
        steps(new, 3)
    for migration in two:
        apply(target, migration, BY)
    done = examine(target, two)
    assert steps(done) == steps(done, 2) == ()
    with pytest.raises(ConfigurationError, match="--undo"):
        steps(done, 1)
    with pytest.raises(ConfigurationError, match="no migration 3: the newest is 2"):
        steps(done, 3)

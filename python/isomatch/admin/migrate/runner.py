"""What is applied, what is not, and the steps between.

The statements of a migration can be run twice with the same outcome, and its
record is written last. So a run that was killed is simply repeated, and two
processes that migrate at once do the same work twice and record it once. A record
is taken away after its migration was taken back, for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from isomatch.admin.migrate.types import Migration, Record, Statement, Target
from isomatch.errors import ConfigurationError, StoreError

Told = Callable[[Statement], None]


@dataclass(frozen=True, slots=True)
class State:
    """Where a database stands.

    Attributes:
        applied: what it has recorded, by version.
        pending: what the files have beyond that, by version.
    """

    applied: tuple[Record, ...]
    pending: tuple[Migration, ...]


def examine(target: Target, migrations: Sequence[Migration]) -> State:
    """Compare the database's records with the files; reads only.

    Raises:
        StoreError: a file changed after it was applied, or the database has a
            version that the files lack; or the database cannot be asked.
    """
    files = {migration.version: migration for migration in migrations}
    records = target.records()
    for record in records:
        if record.version not in files:
            raise StoreError(
                f"{target.location} has migration {record} (applied by {record.by} at "
                f"{record.applied_at}), which this isomatch does not know: install the isomatch "
                "that applied it, or a newer one"
            )
        _same(files[record.version], record, target)
    applied = {record.version for record in records}
    return State(tuple(records), tuple(m for m in migrations if m.version not in applied))


def steps(state: State, to: int | None = None) -> tuple[Migration, ...]:
    """What to apply, in order, to bring a database to a version.

    Args:
        to: the version; None for the newest.

    Raises:
        ConfigurationError: the database is past that version, or there is none such.
    """
    if to is None:
        return state.pending
    present = max((r.version for r in state.applied), default=0)
    newest = max((m.version for m in state.pending), default=present)
    if to < present:
        raise ConfigurationError(
            f"the database is at migration {present}, past {to}: --undo takes back one at a time"
        )
    if to > newest:
        raise ConfigurationError(f"there is no migration {to}: the newest is {newest}")
    return tuple(m for m in state.pending if m.version <= to)


def apply(target: Target, migration: Migration, by: str, told: Told = lambda _: None) -> Record:
    """Apply one migration and record it.

    Args:
        target: the database.
        migration: one that is pending.
        by: who, for the record.
        told: called before each statement.

    Returns:
        The record that the database has now: another process may have been first.

    Raises:
        StoreError: the database refused a statement; what ran before it stays, and
            nothing is recorded. Or another process recorded a different file.
    """
    _run(target, migration.statements, told)
    record = target.record(Record(migration.version, migration.name, migration.checksum, by))
    _same(migration, record, target)
    return record


def undo(target: Target, migration: Migration, told: Told = lambda _: None) -> None:
    """Take one migration back, and then its record.

    Raises:
        StoreError: the database refused a statement; the record stays.
    """
    _run(target, migration.undo, told)
    target.forget(migration.version)


def _run(target: Target, statements: Sequence[Statement], told: Told) -> None:
    for statement in statements:
        told(statement)
        target.run(statement.text)


def _same(migration: Migration, record: Record, target: Target) -> None:
    if record.checksum != migration.checksum:
        raise StoreError(
            f"{migration.file} is not what was applied to {target.location} by {record.by} at "
            f"{record.applied_at}: the file's checksum is {migration.checksum}, the recorded one "
            f"{record.checksum}. An applied migration never changes: restore the file (or install "
            "the isomatch that applied it), and put the change into a new migration"
        )

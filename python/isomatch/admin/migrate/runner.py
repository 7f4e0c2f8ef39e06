"""Migrations and their records: compare a database's with the files, apply them, undo them.

The statements of a migration are idempotent, and its record is written last. So after an
interrupted run the migration is applied again, and two processes that migrate at the same
time do the same work twice and record it once. For the same reason a record is removed
after its migration was undone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from isomatch.errors import ConfigurationError, StoreError

# By folder: file extension, start of a comment, end of a statement.
_LANGUAGES = {
    "neo4j": ("cypher", "//", re.compile(r";[ \t]*$", re.MULTILINE)),
    "sparql": ("ru", "#", re.compile(r"^[ \t]*;[ \t]*$", re.MULTILINE)),
}
_NAME = re.compile(r"(?P<version>\d{4})_(?P<name>[a-z0-9_]+)")


def migrations_folder() -> Path:
    """The folder of the files: in the package of a wheel, else in the repository."""
    here = Path(__file__).resolve().parents[2]
    inside = here / "migrations"
    return inside if inside.is_dir() else here.parents[1] / "migrations"


def read_migrations(database: str, root: Path | None = None) -> tuple[Migration, ...]:
    """The migrations of a database, by version.

    Args:
        database: ``neo4j`` or ``sparql``.
        root: folder of the databases' folders; None for isomatch's own.

    Raises:
        ConfigurationError: a file breaks a rule of naming or form, a version is missing or
            duplicated, or a migration has no undo file.

    Example:
        >>> print(read_migrations("neo4j")[0])
        0001 records
    """
    extension = _LANGUAGES[database][0]
    folder = (root or migrations_folder()) / database
    found: list[Migration] = []
    for path in sorted(folder.glob(f"*.{extension}")):
        if path.name.endswith(f".undo.{extension}"):
            continue
        file = f"migrations/{database}/{path.name}"
        match = _NAME.fullmatch(path.stem)
        expected = len(found) + 1
        if not match or int(match["version"]) != expected:
            raise ConfigurationError(
                f"{file}: expected {expected:04}_a_name.{extension}, as versions have no gaps "
                "and are there once"
            )
        back = path.with_suffix(f".undo.{extension}")
        if not back.is_file():
            raise ConfigurationError(f"{file}: there is no {back.name} to take it back")
        text = _text(path)
        found.append(
            Migration(
                version=expected,
                name=match["name"].replace("_", " "),
                file=file,
                checksum=hashlib.sha256(text.encode()).hexdigest(),
                statements=_statements(text, database, file),
                undo=_statements(_text(back), database, f"migrations/{database}/{back.name}"),
            )
        )
    return tuple(found)


def _text(path: Path) -> str:
    """The content with normalised line endings."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line.rstrip() for line in lines).strip() + "\n"


def _statements(text: str, database: str, file: str) -> tuple[Statement, ...]:
    _, mark, end = _LANGUAGES[database]
    found = []
    for part in end.split(text):
        comment: list[str] = []
        code: list[str] = []
        for line in part.splitlines():
            if line.startswith(mark):
                comment.append(line.removeprefix(mark).strip())
            elif line or code:
                code.append(line)
            else:
                comment.clear()  # it was the file's, not the statement's
        if not code:
            continue
        if not comment:
            raise ConfigurationError(
                f"{file}: a comment ({mark}) right before the statement must say what it does: "
                f"{code[0]}"
            )
        found.append(Statement(" ".join(comment), "\n".join(code).strip()))
    if not found:
        raise ConfigurationError(f"{file}: it has no statement")
    return tuple(found)


LABEL = "IsomatchMigration"
"""Label of the records in a property graph; not part of the user's graph."""
GRAPH = "urn:isomatch:migrations"
"""Named graph of the records in an RDF store."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a migration, and the comment before it, which says what it does."""

    words: str
    text: str


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration as its files define it.

    Attributes:
        version: from 1, without gaps.
        name: the rest of the file's name.
        file: path from the repository's root, as ``migrations/neo4j/0001_records.cypher``.
        checksum: SHA-256 of the file, the same for all line endings.
        statements: applied in this order, each in a transaction of its own.
        undo: statements that undo it, in order.
    """

    version: int
    name: str
    file: str
    checksum: str
    statements: tuple[Statement, ...]
    undo: tuple[Statement, ...]

    def __str__(self) -> str:
        return f"{self.version:04} {self.name}"


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a migration in the database.

    Attributes:
        version, name, checksum: of the migration that was applied.
        applied_at: when, by the database's clock, as ISO 8601; empty before.
        by: the database user and the version of isomatch.
    """

    version: int
    name: str
    checksum: str
    by: str
    applied_at: str = ""

    def __str__(self) -> str:
        return f"{self.version:04} {self.name}"


class Target(Protocol):
    """A database that can be migrated.

    Every method is one transaction or request, and raises StoreError where the database
    refuses it, fails or does not answer.
    """

    folder: str
    """Its folder under ``migrations/``."""
    location: str
    """Name, version and address of the database."""

    def records(self) -> list[Record]:
        """All records, by version."""

    def run(self, statement: str) -> None:
        """Run one statement of a migration."""

    def record(self, record: Record) -> Record:
        """Record a migration unless it is recorded; return its record."""

    def forget(self, version: int) -> None:
        """Remove a record if it exists."""


@dataclass(frozen=True, slots=True)
class State:
    """The migrations of a database.

    Attributes:
        applied: records in the database, by version.
        pending: migrations without a record, by version.
    """

    applied: tuple[Record, ...]
    pending: tuple[Migration, ...]


def examine(target: Target, migrations: Sequence[Migration]) -> State:
    """Compare the database's records with the files, without writing.

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
        _check_checksum(files[record.version], record, target)
    applied = {record.version for record in records}
    return State(tuple(records), tuple(m for m in migrations if m.version not in applied))


def steps(state: State, to: int | None = None) -> tuple[Migration, ...]:
    """The migrations to apply, in order, to bring a database to a version.

    Args:
        to: the version; None for the newest.

    Raises:
        ConfigurationError: the database is past that version, or it does not exist.
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


def apply(target: Target, migration: Migration, by: str) -> Record:
    """Apply one pending migration and record it.

    Args:
        by: name of the user, for the record.

    Returns:
        The record in the database; another process may have written it first.

    Raises:
        StoreError: the database refused a statement; the statements before it remain,
            and nothing is recorded. Or another process recorded a different file.
    """
    for statement in migration.statements:
        target.run(statement.text)
    record = target.record(Record(migration.version, migration.name, migration.checksum, by))
    _check_checksum(migration, record, target)
    return record


def undo(target: Target, migration: Migration) -> None:
    """Undo one migration, and then remove its record.

    Raises:
        StoreError: the database refused a statement; the record remains.
    """
    for statement in migration.undo:
        target.run(statement.text)
    target.forget(migration.version)


def _check_checksum(migration: Migration, record: Record, target: Target) -> None:
    if record.checksum != migration.checksum:
        raise StoreError(
            f"{migration.file} is not what was applied to {target.location} by {record.by} at "
            f"{record.applied_at}: the file's checksum is {migration.checksum}, the recorded one "
            f"{record.checksum}. An applied migration never changes: restore the file (or install "
            "the isomatch that applied it), and put the change into a new migration"
        )

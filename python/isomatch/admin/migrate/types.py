"""Migrations, their records, and the protocol of a database that can be migrated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

LABEL = "IsomatchMigration"
"""Label of the records in a property graph; not part of the user's graph."""
GRAPH = "urn:isomatch:migrations"
"""Named graph of the records in an RDF store."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a migration.

    Attributes:
        words: the comment before it, which says what it does.
        text: the statement, without its terminator.
    """

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

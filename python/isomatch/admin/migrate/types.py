"""Migrations as values, their records, and what a database must offer to take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

LABEL = "IsomatchMigration"
"""Label of the records in a property graph: they are no part of the user's graph."""
GRAPH = "urn:isomatch:migrations"
"""Named graph of the records in an RDF store."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a migration.

    Attributes:
        words: what it does, for the person who is asked: the comment before it.
        text: the statement, without the mark that ends it.
    """

    words: str
    text: str


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration as its files have it.

    Attributes:
        version: from 1, without gaps.
        name: the rest of the file's name.
        file: as people find it, ``migrations/neo4j/0001_records.cypher``.
        checksum: SHA-256 of the file, whatever its line ends.
        statements: applied in this order, each in a transaction of its own.
        undo: what takes them back, in order.
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
    """A migration as the database has recorded it.

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
    """A database that takes migrations.

    Every method is one transaction, or one request, and raises StoreError where
    the database refuses, fails or is not there.
    """

    folder: str
    """Its folder under ``migrations/``."""
    location: str
    """What and where it is, for people."""

    def records(self) -> list[Record]:
        """All records, by version; reads only."""

    def run(self, statement: str) -> None:
        """Run one statement of a migration."""

    def record(self, record: Record) -> Record:
        """Record a migration; gives the record that is there, of whoever came first."""

    def forget(self, version: int) -> None:
        """Take a record away; nothing where there is none."""

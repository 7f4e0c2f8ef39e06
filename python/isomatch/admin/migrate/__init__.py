"""Migrations: versioned files that are applied to a database and recorded in it.

Except for `isomatch load`, which writes the embedded graph, only this package writes to a
database; in Neo4j only the module `isomatch.admin.migrate.neo4j` does.
"""

from isomatch.admin.migrate.runner import (
    GRAPH,
    LABEL,
    Migration,
    Record,
    State,
    Statement,
    Target,
    apply,
    examine,
    migrations_folder,
    read_migrations,
    steps,
    undo,
)

__all__ = [
    "GRAPH",
    "LABEL",
    "Migration",
    "Record",
    "State",
    "Statement",
    "Target",
    "apply",
    "examine",
    "migrations_folder",
    "read_migrations",
    "steps",
    "undo",
]

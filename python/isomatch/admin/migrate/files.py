"""Migrations read from their files.

A migration is a pair of files, ``0001_records.cypher`` and
``0001_records.undo.cypher`` (``.ru`` for SPARQL Update). The comment before a statement
says what it does, and is shown to the user who is asked for consent. In Cypher a
statement ends with a semicolon at the end of a line; in SPARQL, where such semicolons
have another meaning, with a line that is only a semicolon.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from isomatch.admin.migrate.runner import Migration, Statement
from isomatch.errors import ConfigurationError

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

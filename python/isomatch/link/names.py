"""The names of an index: the graph elements of each vector.

A point of the vector store is a distinct text of a collection; several graph
elements may share it, and one element may have several names. Numbers, dates
and booleans have no vector: they are found by value. One SQLite file beside
the vectors holds both; it is written by `isomatch.link.build` and then only
read, by any number of processes.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from isomatch.errors import VectorIndexError
from isomatch.link.normalise import WITHIN, Value, as_iso, as_number, normalise
from isomatch.link.vectors import COLLECTIONS

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS texts (
    point INTEGER PRIMARY KEY AUTOINCREMENT,   -- ids are never used twice
    collection TEXT NOT NULL,
    text TEXT NOT NULL,
    digest BLOB NOT NULL,
    norm INTEGER,                              -- digest of the normalised text
    iso TEXT,                                  -- of a text that is a day or moment
    keys INTEGER NOT NULL DEFAULT 1,           -- how many entries share the text
    embedded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS texts_waiting ON texts (collection, point) WHERE embedded = 0;
CREATE INDEX IF NOT EXISTS texts_of_schema ON texts (collection, point)
    WHERE collection IN ('relations', 'types');
CREATE TABLE IF NOT EXISTS entries (
    point INTEGER NOT NULL,
    key TEXT NOT NULL,
    seen INTEGER NOT NULL,
    place INTEGER NOT NULL,                    -- among the names of the element; 0 is shown
    PRIMARY KEY (point, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entries_alias ON entries (point) WHERE place >= 1000;
CREATE TABLE IF NOT EXISTS literals (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    number REAL,
    iso TEXT,
    seen INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS doomed (collection TEXT NOT NULL, point INTEGER NOT NULL);
"""
# Made when all names are there: of millions, each name would change pages all over them.
INDEXES = """
CREATE INDEX IF NOT EXISTS texts_norm ON texts (norm);
CREATE INDEX IF NOT EXISTS texts_iso ON texts (iso) WHERE iso IS NOT NULL;
CREATE INDEX IF NOT EXISTS texts_words ON texts (text)
    WHERE collection = 'nodes' AND instr(text, ' ') = 0 AND length(text) > 5;
CREATE INDEX IF NOT EXISTS entries_key ON entries (key);
CREATE INDEX IF NOT EXISTS literals_number ON literals (number) WHERE number IS NOT NULL;
CREATE INDEX IF NOT EXISTS literals_iso ON literals (iso) WHERE iso IS NOT NULL;
"""

# Made when all names of a first build are there; `isomatch.link.reading` joins equal texts then.
UNIQUE = "CREATE UNIQUE INDEX IF NOT EXISTS texts_digest ON texts (digest, collection)"

WAITING = "SELECT collection, count(*) FROM texts WHERE embedded = 0 GROUP BY collection"
_OF_SCHEMA = "collection IN ('relations', 'types')"  # as the index has it
POINTS_OF_SCHEMA = f"SELECT point FROM texts WHERE {_OF_SCHEMA}"  # noqa: S608

# The period itself, and what lies in it (`isomatch.link.normalise.lies_in`).
_DATES = """
SELECT key, min(name) FROM (
    SELECT key, NULL AS name, iso FROM literals WHERE kind = 'date'
    UNION ALL
    SELECT e.key, t.text, t.iso FROM texts t JOIN entries e USING (point)
    WHERE t.collection = 'nodes' AND e.place < 1000
)
WHERE iso >= :p AND iso < :p || '~'
  AND (iso = :p OR instr(:within, substr(iso, length(:p) + 1, 1)))
GROUP BY key ORDER BY key LIMIT :n
"""

FEW_KEYS = 64  # texts with more entries than this are read one by one, with a limit


class Text(NamedTuple):
    """A distinct text and how many graph elements have it as a name."""

    point: int
    text: str
    keys: int


def digest(text: str) -> bytes:
    """Identifies a text: 16 bytes of blake2b."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def norm_digest(text: str) -> int:
    """A signed 64-bit digest of the normalised text; hits are compared in full."""
    return _form_digest(normalise(text))


def _form_digest(form: str) -> int:
    data = form.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big", signed=True)


def text_counts(file: sqlite3.Connection) -> dict[str, int]:
    """How many texts each collection has."""
    counts = dict.fromkeys(COLLECTIONS, 0)
    query = f"SELECT collection, count(*) FROM texts WHERE {_OF_SCHEMA} GROUP BY 1"  # noqa: S608
    counts.update(file.execute(query))
    (every,) = file.execute("SELECT count(*) FROM texts").fetchone()
    counts["nodes"] = every - sum(counts.values())
    return counts


class Names:
    """Read access to the names of one generation of an index; thread-safe."""

    def __init__(self, path: Path):
        """Opens read-only; a generation in force is never written again.

        Raises:
            VectorIndexError: missing or damaged.
        """
        self.path = path
        self._lock = Lock()  # one connection: after a later build no other can be opened
        with sqlite_errors(path):
            self.file = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            self.file.execute("SELECT 1 FROM texts LIMIT 1")

    def texts(self, points: Sequence[int]) -> dict[int, Text]:
        """Texts by point; points that are not known are left out."""
        query = (
            "SELECT point, text, keys FROM texts "
            "WHERE point IN (SELECT value FROM json_each(?)) AND keys > 0"
        )
        with self._reading():
            rows = self.file.execute(query, (json.dumps(list(points)),))
            return {row[0]: Text(*row) for row in rows}

    def keys(self, texts: Iterable[Text], limit: int) -> dict[int, list[str]]:
        """By point, the graph ids that have the text as a name, ascending, aliases last.

        Of a text that many share, at most ``limit``.
        """
        found: dict[int, list[str]] = {}
        points = [(text.point, text.keys) for text in texts]
        few = [point for point, keys in points if keys <= FEW_KEYS]
        many = [point for point, keys in points if keys > FEW_KEYS]
        with self._reading():
            rows = self.file.execute(
                "SELECT point, key FROM entries "
                "WHERE point IN (SELECT value FROM json_each(?)) "
                "ORDER BY point, place >= 1000, key",
                (json.dumps(few),),
            )
            for point, key in rows:
                found.setdefault(point, []).append(key)
            for point in many:
                rows = self.file.execute(
                    "SELECT key FROM entries WHERE point = ? ORDER BY place >= 1000, key LIMIT ?",
                    (point, limit),
                )
                found[point] = [key for (key,) in rows]
        return found

    def aliases(self, points: Sequence[int]) -> set[tuple[int, str]]:
        """(point, graph id) where the text of the point is but an alias."""
        query = (
            "SELECT point, key FROM entries WHERE place >= 1000 "
            "AND point IN (SELECT value FROM json_each(?))"
        )
        with self._reading():
            return set(self.file.execute(query, (json.dumps(list(points)),)))

    def of(self, keys: Iterable[str]) -> dict[str, str]:
        """Graph id to its name, the best that it has; ids without one are left out.

        A node that is a type or a relation too is called as these are, whichever came first.
        """
        query = (
            "SELECT e.key, t.text FROM entries e JOIN texts t USING (point) "
            "WHERE e.key IN (SELECT value FROM json_each(?)) "
            "ORDER BY t.collection != 'nodes', e.place DESC, e.point DESC"
        )
        with self._reading():
            return dict(self.file.execute(query, (json.dumps(list(keys)),)))

    def namespaces(self, most: int) -> list[str]:
        """The first namespaces of IRIs; each takes one step in the order of the ids."""
        query = "SELECT min(key) FROM entries WHERE key > ?"
        found: list[str] = []
        after = "A"  # literals and ids of Neo4j come before
        with self._reading():
            for _ in range(most):
                ((key,),) = self.file.execute(query, (after,))
                if key is None:
                    break
                namespace = re.match(r".*[#/:]", key, re.DOTALL)
                if namespace and key[0].isalpha():
                    found.append(namespace[0])
                after = (namespace[0] if namespace else key) + chr(sys.maxunicode)
        return found

    def points_of(self, collection: str, keys: Iterable[str]) -> dict[int, list[str]]:
        """By point, which of these graph ids have the text as a name, by id."""
        query = (
            "SELECT e.point, e.key FROM entries e JOIN texts t USING (point) "
            "WHERE e.key IN (SELECT value FROM json_each(?)) AND t.collection = ? "
            "ORDER BY e.point, e.key"
        )
        found: dict[int, list[str]] = {}
        with self._reading():
            for point, key in self.file.execute(query, (json.dumps(list(keys)), collection)):
                found.setdefault(point, []).append(key)
        return found

    def embedded(self, texts: Sequence[str]) -> dict[str, tuple[str, int]]:
        """(collection, point) of those texts that have a vector, with the same spelling."""
        found = {}
        with self._reading():
            for text in texts:
                row = self.file.execute(
                    "SELECT collection, point FROM texts WHERE digest = ? AND embedded = 1",
                    (digest(text),),
                ).fetchone()
                if row is not None:
                    found[text] = (row[0], row[1])
        return found

    def by_forms(self, collection: str, forms: Iterable[str]) -> list[Text]:
        """Texts of a collection whose normalised form is one of these, by point."""
        wanted = {form: _form_digest(form) for form in forms}
        query = (
            "SELECT point, text, keys FROM texts WHERE norm IN (SELECT value FROM json_each(?)) "
            "AND collection = ? AND keys > 0 ORDER BY point"
        )
        with self._reading():
            given = json.dumps(list(wanted.values()))
            rows = self.file.execute(query, (given, collection)).fetchall()
        return [Text(*row) for row in rows if normalise(row[1]) in wanted]

    def values(self, value: Value, limit: int) -> dict[str, str]:
        """What is equal by value: literals, and what is called by a date; by key, with names.

        At most ``limit``.
        """
        found: dict[str, str] = {}
        with self._reading():
            if value.number is not None:
                rows = self.file.execute(
                    "SELECT key FROM literals WHERE number = ?", (float(value.number),)
                )
                # A REAL holds 53 bits; the literal itself may be longer.
                forms = ((key, lexical(key)) for (key,) in rows)
                found.update(pair for pair in forms if as_number(pair[1]) == value.number)
            if value.iso is not None:
                given = {"p": value.iso, "within": WITHIN, "n": limit}
                rows = self.file.execute(_DATES, given)
                found.update((key, text or lexical(key)) for key, text in rows)
            if value.boolean is not None:
                rows = self.file.execute(
                    "SELECT key FROM literals WHERE kind = 'boolean' AND iso = ? LIMIT ?",
                    (value.boolean, limit),
                )
                found.update((key, lexical(key)) for (key,) in rows)
        return dict(sorted(found.items())[:limit])

    def all(self, collection: str) -> Iterator[tuple[str, str]]:
        """Every (name, graph id) of a collection, by point and id."""
        with self._reading():
            rows = self.file.execute(
                "SELECT t.text, e.key FROM texts t JOIN entries e USING (point) "
                "WHERE t.collection = ? ORDER BY e.point, e.key",
                (collection,),
            )
        while True:
            with self._reading():
                some = rows.fetchmany(1000)
            if not some:
                return
            yield from some

    def close(self) -> None:
        """Release the file; safe to call twice."""
        self.file.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock, sqlite_errors(self.path):
            yield


def lexical(key: str) -> str:
    """The lexical form of a literal's id; the id itself where it is none."""
    from isomatch.store.terms import is_literal, split_literal

    return split_literal(key)[0] if is_literal(key) else key


def literal_row(key: str, kind: str) -> tuple[str, str, float | None, str | None]:
    """A literal as the table holds it: key, kind, number, ISO date (or boolean)."""
    form = lexical(key)
    if kind == "number":
        number = as_number(form)
        return key, kind, None if number is None else float(number), None
    if kind == "boolean":
        return key, kind, None, {"1": "true", "0": "false"}.get(form.strip(), form.strip().lower())
    return key, kind, None, as_iso(form)


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, in one place."""
    try:
        yield
    except sqlite3.Error as error:
        mend = "Run `isomatch index` to mend it"
        if "disk is full" in str(error):
            mend = "Make room, and run the same command again: it goes on where it stopped"
        raise VectorIndexError(
            f"the names of the index, {path}, cannot be used: {error}. {mend}"
        ) from error

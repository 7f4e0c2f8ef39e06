"""The names of a graph into ``names.db``: what is read is put in, and what was not goes out."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Protocol

from isomatch.link.names import (
    INDEXES,
    POINTS_OF_SCHEMA,
    UNIQUE,
    digest,
    literal_row,
    norm_digest,
)
from isomatch.link.normalise import day_of
from isomatch.link.vectors import COLLECTIONS
from isomatch.store.base import chunked

if TYPE_CHECKING:
    from isomatch.schema.types import Schema


TOGETHER = 500_000  # names that are written in one transaction
ROWS = 100  # that one statement writes: SQLite takes 999 values at the least
KINDS = ("number", "date", "boolean")  # of names that are found by value


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build did.

    Attributes:
        texts: distinct texts in the index, by collection.
        entries: names of graph elements; those of equal text share a vector.
        literals: numbers, dates and booleans, found by value.
        values: of these, how many of each kind.
        identifiers: of the texts of nodes, how many are UUIDs, hashes or codes
            (`isomatch.link.normalise.is_identifier`); None where it was not counted.
        embedded: texts that were embedded now.
        deleted: texts that were deleted.
        resumed: whether an earlier build that had not finished was continued.
        seconds: for all of it.
        rate: texts embedded in a second.
        approximate: collections with an approximate index.
    """

    texts: dict[str, int]
    entries: int
    literals: int
    embedded: int
    deleted: int
    resumed: bool
    seconds: float
    rate: float
    approximate: tuple[str, ...]
    values: dict[str, int] = field(default_factory=dict)
    identifiers: int | None = None


def report_of(counts: Mapping[str, int], approximate: tuple[str, ...], **done: Any) -> IndexReport:
    """The report of an index with these counts (`Manifest.counts`); ``done`` says what was done."""
    work = {"embedded": 0, "deleted": 0, "resumed": False, "seconds": 0.0, "rate": 0.0, **done}
    return IndexReport(
        texts={c: counts[c] for c in COLLECTIONS},
        entries=counts["entries"],
        literals=counts["literals"],
        approximate=approximate,
        values={kind: counts[kind] for kind in KINDS if counts.get(kind)},
        identifiers=counts.get("identifiers"),
        **work,
    )


KEYS = "(SELECT count(*) FROM entries e WHERE e.point = texts.point)"
# Whole numbers below 2⁵³ are themselves as floating-point numbers, in which they are compared.
EQUAL_NUMBERS = """
DELETE FROM literals WHERE abs(number) < 9007199254740992 AND EXISTS (
  SELECT 1 FROM literals other WHERE other.number = literals.number AND other.key < literals.key
  AND other.seen = literals.seen
)"""


# Of an empty graph the file has an index and no names.
HAS_NAMES = """SELECT 1 WHERE EXISTS (SELECT 1 FROM texts)
OR EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'texts_digest')"""
JOIN_EQUAL = (
    """CREATE TEMP TABLE equal AS SELECT point, first FROM (
      SELECT point, min(point) OVER (PARTITION BY digest, collection) AS first FROM texts
    ) WHERE point <> first""",
    "CREATE INDEX temp.equal_point ON equal (point, first)",
    """UPDATE OR REPLACE entries
    SET point = (SELECT first FROM equal WHERE equal.point = entries.point)
    WHERE point IN (SELECT point FROM equal)""",
    "DELETE FROM texts WHERE point IN (SELECT point FROM equal)",
    "DROP TABLE equal",
)


class Name(Protocol):
    """A name as `isomatch.schema.names` gives it.

    ``kind`` is ``node``, ``text``, ``number``, ``date``, ``boolean`` or ``same``;
    ``id`` is the graph's. It may have a ``place`` among the names of its node (0 if not).
    """

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def kind(self) -> str: ...


def read_names(file: sqlite3.Connection, pages: Iterable[Iterable[Name]], schema: Schema) -> None:
    """Write all names to the file, marked with the number of this run."""
    seen = _seen(file) + 1
    some_same, written = False, 0
    with file:
        put = _writer(file)
        file.execute("INSERT OR REPLACE INTO meta VALUES ('seen', ?)", (str(seen),))
        put("relations", ((r.text, r.id, 0) for r in schema.relations), seen)
        put("types", ((t.text, t.id, 0) for t in schema.types), seen)
        for page in pages:
            names = list(page)
            same = [(seen, name.id) for name in names if name.kind == "same"]
            some_same = some_same or bool(same)
            file.executemany("UPDATE entries SET seen = ? WHERE key = ?", same)
            nodes = (n for n in names if n.kind in ("node", "text"))
            put("nodes", ((n.text, n.id, getattr(n, "place", 0)) for n in nodes), seen)
            file.executemany(
                "INSERT INTO literals VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET seen = excluded.seen",
                ((*literal_row(n.id, n.kind), seen) for n in names if n.kind in KINDS),
            )
            written += len(names)
            if written >= TOGETHER:
                written = 0
                file.commit()
        _join_equal(file)
        if some_same:  # the nodes that were not read may have any of the values
            file.execute("UPDATE literals SET seen = ?", (seen,))
            file.execute("UPDATE entries SET seen = ? WHERE key >= '\"' AND key < '#'", (seen,))
    file.executescript(INDEXES)


def _seen(file: sqlite3.Connection) -> int:
    """The number of this run; before the names are read, of the last one."""
    row = file.execute("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'seen'").fetchone()
    return 0 if row is None else int(row[0])


def _writer(file: sqlite3.Connection) -> Callable[[str, Iterable[tuple[str, str, int]], int], None]:
    """What writes names: to an empty file without looking for equal texts, in half the time."""
    if file.execute(HAS_NAMES).fetchone():
        _join_equal(file)  # of a first build that was killed
        return partial(_put_texts, file)
    last = file.execute("SELECT seq FROM sqlite_sequence WHERE name = 'texts'").fetchone()
    return partial(_append, file, count(last[0] + 1 if last else 1))


def _append(
    file: sqlite3.Connection,
    points: count[int],
    collection: str,
    names: Iterable[tuple[str, str, int]],
    seen: int,
) -> None:
    """Write names with new points; those of equal texts are joined afterwards."""
    texts: dict[bytes, tuple[int | str | bytes | None, ...]] = {}
    entries = []
    for text, key, place in names:
        if text.strip():
            content = digest(text)
            if content not in texts:
                form = norm_digest(text)
                texts[content] = (next(points), collection, text, content, form, day_of(text))
            entries.append((texts[content][0], key, seen, place))
    columns = "(point, collection, text, digest, norm, iso)"
    _insert(file, f"INSERT INTO texts {columns}", texts.values())
    _insert(file, "INSERT OR REPLACE INTO entries", entries)


def _insert(file: sqlite3.Connection, into: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write many rows with each statement: with one each it takes twice as long."""
    for some in chunked(rows, ROWS):
        file.execute(_inserting(into, len(some), len(some[0])), [*chain.from_iterable(some)])


@lru_cache
def _inserting(into: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"{into} VALUES {', '.join([row] * rows)}"


def _join_equal(file: sqlite3.Connection) -> None:
    """Have every text once, with the entries of all that are equal, and see that it stays so."""
    try:
        file.execute(UNIQUE)
    except sqlite3.IntegrityError:
        for statement in JOIN_EQUAL:
            file.execute(statement)
        file.execute(UNIQUE)


def _put_texts(
    file: sqlite3.Connection, collection: str, names: Iterable[tuple[str, str, int]], seen: int
) -> None:
    rows = [(text, key, place, digest(text)) for text, key, place in names if text.strip()]
    file.executemany(
        "INSERT INTO texts (collection, text, digest, norm, iso) "
        "SELECT ?1, ?2, ?3, norm_digest(?2), day_of(?2) "
        "WHERE NOT EXISTS (SELECT 1 FROM texts WHERE digest = ?3 AND collection = ?1)",
        [(collection, text, content) for text, _, _, content in rows],
    )
    file.executemany(
        "INSERT INTO entries SELECT point, ?, ?, ? FROM texts WHERE digest = ? AND collection = ? "
        "ON CONFLICT (point, key) DO UPDATE SET seen = excluded.seen, place = excluded.place",
        [(key, seen, place, content, collection) for _, key, place, content in rows],
    )


def forget(file: sqlite3.Connection, changed: Collection[str]) -> None:
    """Take out the names of some nodes, and of relations and types, before they are read."""
    with file:
        _touch(file, changed)
        keys = [(key,) for key in changed]
        file.executemany("DELETE FROM entries WHERE key = ?", keys)
        file.executemany("DELETE FROM literals WHERE key = ?", keys)
        file.execute(f"DELETE FROM entries WHERE point IN ({POINTS_OF_SCHEMA})")  # noqa: S608


def _touch(file: sqlite3.Connection, changed: Collection[str]) -> None:
    """Note which texts are to be counted again, also by a build that goes on after a kill."""
    file.execute("CREATE TABLE IF NOT EXISTS touched (point INTEGER PRIMARY KEY)")
    file.execute(f"INSERT OR IGNORE INTO touched {POINTS_OF_SCHEMA}")
    query = "INSERT OR IGNORE INTO touched SELECT point FROM entries WHERE key = ?"
    file.executemany(query, ((key,) for key in changed))


def sweep(file: sqlite3.Connection, changed: Collection[str] | None) -> int:
    """Delete what was not read this time; returns how many texts.

    Args:
        file: with the names.
        changed: see `isomatch.link.build.Origin`.
    """
    which = "1"
    with file:
        if changed is None:
            seen = _seen(file)
            file.execute("DELETE FROM entries WHERE seen <> ?", (seen,))
            file.execute("DELETE FROM literals WHERE seen <> ?", (seen,))
        else:
            _touch(file, changed)
            which = "point IN (SELECT point FROM touched)"
        file.execute(f"UPDATE texts SET keys = {KEYS} WHERE {which} AND keys <> {KEYS}")  # noqa: S608
        doomed = f"FROM texts WHERE keys = 0 AND {which}"
        file.execute(f"INSERT INTO doomed SELECT collection, point {doomed}")
        deleted = file.execute(f"DELETE {doomed}").rowcount
        file.execute("DROP TABLE IF EXISTS touched")
    return deleted

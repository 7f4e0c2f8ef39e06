"""Indexing: the names of a graph into vectors and a names file.

Every step can be repeated without harm, so a build that was stopped or killed
anywhere continues where it was:

1. read: every page of names goes into ``names.db`` (one transaction a page);
2. sweep: names that were not read are deleted;
3. embed: texts without a vector, by length; a partition counts as done once its
   vectors are on disk;
4. table: names by their letters (`isomatch.link.name_table`);
5. commit: the new manifest replaces the old one (`isomatch.link.manifest`).

A first build starts from nothing, a sync from a copy of the index in force;
nothing else differs.
"""

from __future__ import annotations

import json
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from isomatch.errors import VectorIndexError
from isomatch.link.edge import EdgeHome
from isomatch.link.generation import Generation, build_lock, open_generation, sound_manifest
from isomatch.link.manifest import Manifest
from isomatch.link.name_table import FOLDER, write_table
from isomatch.link.names import digest, literal_row, norm_digest, sqlite_errors
from isomatch.link.normalise import day_of, is_identifier
from isomatch.link.parts import Part, vectors_of
from isomatch.link.report import KINDS, IndexReport, report_of
from isomatch.link.vectors import COLLECTIONS

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import VectorHome
    from isomatch.schema.types import Schema

PARTITION = 4096  # texts whose vectors are made durable together
SLICE = 1024  # texts between two reports of progress
APPROXIMATE_FROM = 200_000  # texts from which on an engine's scan, over 20 ms, is not used

Progress = Callable[[int, "int | None", float], None]


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


# Whole numbers below 2⁵³ are themselves as floating-point numbers, in which they are compared.
EQUAL_NUMBERS = """
DELETE FROM literals WHERE abs(number) < 9007199254740992 AND EXISTS (
  SELECT 1 FROM literals other WHERE other.number = literals.number AND other.key < literals.key
  AND other.seen = literals.seen
)"""


@dataclass(frozen=True, slots=True)
class Origin:
    """What the names of an index come from; recorded in the manifest.

    Attributes:
        fingerprint: of the graph; the schema's when None.
        without_nodes: whether the names are values alone, since nodes are found elsewhere
            (`isomatch.link.neo4j_vectors`).
        updates: see `isomatch.schema.property_names`.
        state: of the graph before it was read (`isomatch.store.base.Store.state`).
        basis: see `isomatch.link.manifest.Manifest`.
        read: when that was, ISO 8601, UTC.
        equal_numbers: whether 7 and 7.0 are one value, as in Cypher: one of them is kept.
    """

    fingerprint: str | None = None
    without_nodes: bool = False
    updates: Mapping[str, str] = field(default_factory=dict)
    state: str = ""
    basis: str = ""
    read: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat("T", "seconds"))
    equal_numbers: bool = False


def build_index(
    folder: Path | str,
    names: Iterable[Iterable[Name]],
    schema: Schema,
    embedder: Embedder,
    *,
    vectors: VectorHome | None = None,
    origin: Origin | None = None,
    sync: bool = False,
    progress: Progress | None = None,
) -> IndexReport:
    """Make the index of a graph, or bring the one that is there up to date.

    The index in force answers until the new one is finished. The vectors of an
    earlier build that was killed are used.

    Args:
        folder: of the index; made when missing.
        names: pages of names, read once. A node of the kind ``same`` keeps the names
            that the index to sync has; where there is one, so do all values.
        schema: its relations and types are indexed too.
        embedder: see `isomatch.link.embedder`; a `isomatch.link.parts.ParallelEmbedder` has
            workers do it.
        vectors: where vectors are stored; None for the folder itself.
        origin: what the names come from.
        sync: embed only what was added or changed, delete what is gone.
        progress: called with (texts embedded, of how many, per second).

    Raises:
        VectorIndexError: another process is indexing here, the index to sync is
            of another embedder, or the disk is full; the old index is unharmed.
        EmbeddingError, WorkerError: the embedder failed, or a worker ended; the next run
            continues.
    """
    folder = Path(folder)
    home = vectors or EdgeHome(folder)
    started = time.perf_counter()
    with _disk_errors(folder), build_lock(folder):
        generation = open_generation(folder, home, embedder, sync=sync)
        with closing(generation), sqlite_errors(generation.path):
            report = _build(generation, names, schema, embedder, origin or Origin(), progress)
    return replace(report, seconds=time.perf_counter() - started)


def confirm_index(
    folder: Path | str, embedder: Embedder, origin: Origin, *, vectors: VectorHome | None = None
) -> IndexReport | None:
    """Say of an index that it holds as of now, without reading the graph again.

    Args:
        origin: its state must be one that sees every change (`GraphState.whole`).

    Returns:
        None where the index is missing, damaged, or was made from something else.

    Raises:
        VectorIndexError: another process is indexing here, or the manifest cannot be written.
    """
    folder = Path(folder)
    home = vectors or EdgeHome(folder)
    started = time.perf_counter()
    if not (folder / "manifest.json").exists():
        return None
    with _disk_errors(folder), build_lock(folder):
        old = sound_manifest(folder, home, embedder)
        made_from = (origin.state, origin.basis, origin.fingerprint)
        if old is None or "" in made_from or (old.state, old.basis, old.fingerprint) != made_from:
            return None
        if old.approximate and not home.in_place:  # made before there were exact scans
            return None
        if not (folder / old.generation / FOLDER).exists():  # nor tables of names
            return None
        replace(old, created=origin.read).write(folder)
    return report_of(old.counts, old.approximate, seconds=time.perf_counter() - started)


def _build(
    generation: Generation,
    names: Iterable[Iterable[Name]],
    schema: Schema,
    embedder: Embedder,
    origin: Origin,
    progress: Progress | None,
) -> IndexReport:
    for function in (norm_digest, day_of, is_identifier):
        generation.file.create_function(function.__name__, 1, function, deterministic=True)
    _read(generation.file, names, schema)
    if origin.equal_numbers:
        with generation.file as file:
            file.execute(EQUAL_NUMBERS)
    deleted = _sweep(generation)
    embedding = time.perf_counter()
    embedded = _embed(generation, embedder, progress)
    embedding = time.perf_counter() - embedding
    counts = _counts(generation)
    approximate = []
    for collection in (c for c in COLLECTIONS if counts[c] >= APPROXIMATE_FROM):
        # It is copied, and then gets its graph, or the codes of its scan.
        generation.need_room(2 * counts[collection])
        if generation.store.optimize(collection):
            approximate.append(collection)
    write_table(generation.path / FOLDER, generation.file)
    generation.commit(
        Manifest(
            generation=generation.name,
            vectors=generation.place,
            vector_kind=generation.home.kind,
            embedder=embedder.name,
            dimension=embedder.dimension,
            fingerprint=schema.fingerprint if origin.fingerprint is None else origin.fingerprint,
            counts=counts,
            approximate=tuple(approximate),
            without_nodes=origin.without_nodes,
            updates=dict(origin.updates),
            created=origin.read,
            state=origin.state,
            basis=origin.basis,
        )
    )
    return report_of(
        counts,
        tuple(approximate),
        embedded=embedded,
        deleted=deleted,
        resumed=generation.resumed,
        rate=embedded / embedding if embedded else 0.0,
    )


def _read(file: sqlite3.Connection, pages: Iterable[Iterable[Name]], schema: Schema) -> None:
    """Write all names to the file, marked with the number of this run."""
    (last,) = file.execute(
        "SELECT max(coalesce((SELECT max(seen) FROM entries), 0), "
        "coalesce((SELECT max(seen) FROM literals), 0))"
    ).fetchone()
    seen = last + 1
    with file:
        file.execute("INSERT OR REPLACE INTO meta VALUES ('seen', ?)", (str(seen),))
        _put_texts(file, "relations", ((r.text, r.id, 0) for r in schema.relations), seen)
        _put_texts(file, "types", ((t.text, t.id, 0) for t in schema.types), seen)
    partial = False
    for page in pages:
        names = list(page)
        same = [(seen, name.id) for name in names if name.kind == "same"]
        with file:
            file.executemany("UPDATE entries SET seen = ? WHERE key = ?", same)
            partial = partial or bool(same)
            _put_texts(
                file,
                "nodes",
                (
                    (n.text, n.id, getattr(n, "place", 0))
                    for n in names
                    if n.kind in ("node", "text")
                ),
                seen,
            )
            file.executemany(
                "INSERT INTO literals VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET seen = excluded.seen",
                ((*literal_row(n.id, n.kind), seen) for n in names if n.kind in KINDS),
            )
    if partial:  # the nodes that were not read may have any of the values
        with file:
            file.execute("UPDATE literals SET seen = ?", (seen,))
            file.execute("UPDATE entries SET seen = ? WHERE key >= '\"' AND key < '#'", (seen,))


def _put_texts(
    file: sqlite3.Connection, collection: str, names: Iterable[tuple[str, str, int]], seen: int
) -> None:
    rows = [(text, key, place, digest(text)) for text, key, place in names if text.strip()]
    file.executemany(
        "INSERT INTO texts (collection, text, digest) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(collection, text, content) for text, _, _, content in rows],
    )
    file.execute(
        "UPDATE texts SET norm = norm_digest(text), iso = day_of(text) WHERE norm IS NULL"
    )  # the new ones
    file.executemany(
        "INSERT INTO entries SELECT point, ?, ?, ? FROM texts WHERE digest = ? AND collection = ? "
        "ON CONFLICT (point, key) DO UPDATE SET seen = excluded.seen, place = excluded.place",
        [(key, seen, place, content, collection) for _, key, place, content in rows],
    )


def _sweep(generation: Generation) -> int:
    """Delete what was not read this time; returns how many texts."""
    file = generation.file
    with file:
        (seen,) = file.execute(
            "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'seen'"
        ).fetchone()
        file.execute("DELETE FROM entries WHERE seen <> ?", (seen,))
        file.execute("DELETE FROM literals WHERE seen <> ?", (seen,))
        file.execute(
            "UPDATE texts SET keys = (SELECT count(*) FROM entries e WHERE e.point = texts.point)"
        )
        file.execute("INSERT INTO doomed SELECT collection, point FROM texts WHERE keys = 0")
        deleted = file.execute("DELETE FROM texts WHERE keys = 0").rowcount
    if not generation.home.in_place:
        # The copy is not in force yet. Vectors go first: doing it twice is harmless.
        for collection in COLLECTIONS:
            rows = file.execute("SELECT point FROM doomed WHERE collection = ?", (collection,))
            if points := [point for (point,) in rows]:
                generation.store.delete(collection, points)
        generation.store.flush()
        with file:
            file.execute("DELETE FROM doomed")
    return deleted


def _embed(generation: Generation, embedder: Embedder, progress: Progress | None) -> int:
    """Embed every text that has no vector; returns how many."""
    file, store = generation.file, generation.store
    # By length, so that batches are of like texts; 8 bytes a text in memory.
    waiting = {
        collection: array(
            "q",
            (
                point
                for (point,) in file.execute(
                    "SELECT point FROM texts WHERE embedded = 0 AND collection = ? "
                    "ORDER BY length(text), point",
                    (collection,),
                )
            ),
        )
        for collection in COLLECTIONS
    }
    total = sum(map(len, waiting.values()))
    done, started = 0, time.perf_counter()
    generation.need_room(total)
    with closing(vectors_of(_parts(file, waiting), embedder, store)) as vectors:
        for collection, partition in _partitions(waiting):
            generation.need_room(len(partition))  # others write to the disk too
            for points in _slices(partition):
                rows = next(vectors)
                if rows is not None:
                    store.upsert(collection, points, rows)
                done += len(points)
                if progress is not None:
                    progress(done, total, done / (time.perf_counter() - started))
            store.flush()
            with file:  # only now do they count as embedded
                file.executemany(
                    "UPDATE texts SET embedded = 1 WHERE point = ?", ((p,) for p in partition)
                )
    return done


def _partitions(waiting: Mapping[str, array[int]]) -> Iterator[tuple[str, array[int]]]:
    for collection, points in waiting.items():
        for first in range(0, len(points), PARTITION):
            yield collection, points[first : first + PARTITION]


def _slices(partition: array[int]) -> Iterator[list[int]]:
    for first in range(0, len(partition), SLICE):
        yield partition[first : first + SLICE].tolist()


def _parts(file: sqlite3.Connection, waiting: Mapping[str, array[int]]) -> Iterator[Part]:
    """The texts of every slice of every partition."""
    for collection, partition in _partitions(waiting):
        for points in _slices(partition):
            yield Part(collection, points, _texts(file, points))


def _texts(file: sqlite3.Connection, points: list[int]) -> list[str]:
    rows = file.execute(
        "SELECT point, text FROM texts WHERE point IN (SELECT value FROM json_each(?))",
        (json.dumps(points),),
    )
    found = dict(rows)
    return [found[point] for point in points]


def _counts(generation: Generation) -> dict[str, int]:
    """Texts by collection, entries, literals and so on; checks that every vector is there."""
    file = generation.file
    found = dict(file.execute("SELECT collection, count(*) FROM texts GROUP BY collection"))
    counts = {collection: int(found.get(collection, 0)) for collection in COLLECTIONS}
    for collection, count in counts.items():
        if generation.store.count(collection) < count:
            raise VectorIndexError(
                f"the build in {generation.path} lost vectors of {collection}: "
                "run `isomatch index` again"
            )
    for table in ("entries", "literals"):
        (counts[table],) = file.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    counts.update(file.execute("SELECT kind, count(*) FROM literals GROUP BY kind"))
    (counts["identifiers"],) = file.execute(
        "SELECT count(*) FROM texts WHERE collection = 'nodes' AND instr(text, ' ') = 0 "
        "AND length(text) > 5 AND is_identifier(text)"  # most names are not looked at
    ).fetchone()
    return counts


@contextmanager
def _disk_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise VectorIndexError(
            f"the index in {folder} cannot be written: {error}. The index in force, if any, is "
            "unharmed; make room or set the rights, and run the same command again to go on"
        ) from error

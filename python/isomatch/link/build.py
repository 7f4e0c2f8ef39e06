"""Indexing: the names of a graph into vectors and a names file.

Every step can be repeated without harm, so a build that was stopped or killed
anywhere continues where it was:

1. read: every page of names goes into ``names.db``; where it is known which nodes have changed
   (`Origin.changed`), theirs are taken out first and read again;
2. sweep: names that were not read are deleted;
3. embed: texts without a vector; a partition counts as done once its vectors are on disk;
4. table: names by their letters (`isomatch.link.name_table`);
5. commit: the new manifest replaces the old one (`isomatch.link.manifest`).

A first build starts from nothing, a sync from a copy of the index in force;
nothing else differs.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.errors import VectorIndexError
from isomatch.link.edge import EdgeHome
from isomatch.link.generation import Generation, build_lock, open_generation, sound_manifest
from isomatch.link.manifest import Manifest, made_from_of
from isomatch.link.name_table import FOLDER, has_table, write_table
from isomatch.link.names import WAITING, norm_digest, sqlite_errors, text_counts
from isomatch.link.normalise import day_of, is_identifier
from isomatch.link.parts import Part, vectors_of
from isomatch.link.reading import (
    EQUAL_NUMBERS,
    IndexReport,
    Name,
    forget,
    read_names,
    report_of,
    sweep,
)
from isomatch.link.vectors import COLLECTIONS

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import VectorHome, VectorStore
    from isomatch.schema.types import Schema

_Plain = int | str | bool | None

PARTITION = 4096  # texts whose vectors are made durable together
SLICE = 1024  # texts between two reports of progress
APPROXIMATE_FROM = 200_000  # texts from which on an engine's scan, over 20 ms, is not used

Progress = Callable[[int, "int | None", float], None]


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
        reading: see `isomatch.link.manifest.Manifest`.
        changed: where not all names are read, the ids of the nodes and values whose names
            are; all others keep theirs. Only for an index of the same ``reading``, of the
            state since which these have changed.
    """

    fingerprint: str | None = None
    without_nodes: bool = False
    updates: Mapping[str, str] = field(default_factory=dict)
    state: str = ""
    basis: str = ""
    read: str = field(default_factory=lambda: datetime.now(timezone.utc).isoformat("T", "seconds"))
    equal_numbers: bool = False
    reading: str = ""
    changed: Collection[str] | None = None


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
        origin = origin or Origin()
        generation = open_generation(folder, home, embedder, sync=sync, reading=origin.reading)
        with closing(generation), sqlite_errors(generation.path), _functions(generation.file):
            report = _build(generation, names, schema, embedder, origin, progress)
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
        made_from = (origin.state, origin.basis, origin.fingerprint)
        if "" in made_from or made_from_of(folder) != made_from:
            return None
        old = sound_manifest(folder, home, embedder)
        if old is None:
            return None
        if old.approximate and not home.in_place:  # made before there were exact scans
            return None
        if not has_table(folder / old.generation / FOLDER):  # nor tables of names
            return None
        replace(old, created=origin.read).write(folder)
    return report_of(old.counts, old.approximate, seconds=time.perf_counter() - started)


@contextmanager
def _functions(file: sqlite3.Connection) -> Iterator[None]:
    """Give a file our functions of texts, and raise what one of them raised, as by Ctrl-C."""
    raised: list[BaseException] = []

    def reporting(function: Callable[[str], _Plain]) -> Callable[[str], _Plain]:
        def called(text: str) -> _Plain:
            try:
                return function(text)
            except BaseException as error:
                raised.append(error)
                raise

        return called

    for function in (norm_digest, day_of, is_identifier):
        file.create_function(function.__name__, 1, reporting(function), deterministic=True)
    try:
        yield
    except sqlite3.Error:
        if raised:
            raise raised[0] from None
        raise


def _build(
    generation: Generation,
    names: Iterable[Iterable[Name]],
    schema: Schema,
    embedder: Embedder,
    origin: Origin,
    progress: Progress | None,
) -> IndexReport:
    if origin.changed is not None:
        if generation.base is None or generation.base.reading != origin.reading:
            raise VectorIndexError("the index was replaced meanwhile: run the same command again")
        forget(generation.file, origin.changed)
    read_names(generation.file, names, schema)
    if origin.equal_numbers:
        with generation.file as file:
            file.execute(EQUAL_NUMBERS)
    deleted = sweep(generation.file, origin.changed)
    _delete_vectors(generation)
    embedding = time.perf_counter()
    embedded = _embed(generation, embedder, progress)
    embedding = time.perf_counter() - embedding
    counts = _counts(generation)
    approximate = []
    for collection in COLLECTIONS:
        is_scanned = generation.store.is_scanned(collection)
        if not is_scanned and counts[collection] < _optimized_from(generation.store):
            continue
        if not is_scanned:  # it is copied, and then gets its graph, or the codes of its scan
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
            reading=origin.reading,
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


def _optimized_from(store: VectorStore) -> int:
    """How many texts a collection has at least whose searches are made fast."""
    return min(APPROXIMATE_FROM, store.scans_from or APPROXIMATE_FROM)


def _delete_vectors(generation: Generation) -> None:
    """Delete the vectors of texts that are gone, where the copy is not in force yet."""
    file = generation.file
    if not generation.home.in_place:
        # Vectors go first: doing it twice is harmless.
        for collection in COLLECTIONS:
            rows = file.execute("SELECT point FROM doomed WHERE collection = ?", (collection,))
            if points := [point for (point,) in rows]:
                generation.store.delete(collection, points)
        generation.store.flush()
        with file:
            file.execute("DELETE FROM doomed")


def _embed(generation: Generation, embedder: Embedder, progress: Progress | None) -> int:
    """Embed every text that has no vector; returns how many."""
    file, store = generation.file, generation.store
    waiting = dict(file.execute(WAITING))
    total = sum(waiting.values())
    done, started = 0, time.perf_counter()
    generation.need_room(total)
    for collection, count in waiting.items():
        if count >= _optimized_from(store):
            store.expect(collection, embedder.dimension)
    partitions, ahead = tee(_partitions(file))
    parts = (
        Part(collection, *map(list, zip(*rows, strict=True)))
        for collection, partition in ahead
        for rows in _slices(partition)
    )
    with closing(vectors_of(parts, embedder, store)) as vectors:
        for collection, partition in partitions:
            generation.need_room(len(partition))  # others write to the disk too
            for rows in _slices(partition):
                made = next(vectors)
                if made is not None:
                    store.upsert(collection, [point for point, _ in rows], made)
                done += len(rows)
                if progress is not None:
                    progress(done, total, done / (time.perf_counter() - started))
            store.flush()
            points = [point for point, _ in partition]
            with file:  # only now do they count as embedded
                file.execute(
                    "UPDATE texts SET embedded = 1 WHERE point BETWEEN ? AND ? AND collection = ?",
                    (min(points), max(points), collection),
                )
    return done


def _partitions(file: sqlite3.Connection) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Texts that have no vector and their points, by point and so as they were written.

    Each partition is by length, so that batches are of like texts.
    """
    query = (
        "SELECT point, text FROM texts WHERE embedded = 0 AND collection = ? AND point > ? "
        "ORDER BY point LIMIT ?"
    )
    for collection in COLLECTIONS:
        last = 0
        while partition := file.execute(query, (collection, last, PARTITION)).fetchall():
            last = partition[-1][0]
            yield collection, sorted(partition, key=lambda row: (len(row[1]), row[0]))


def _slices(partition: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    for first in range(0, len(partition), SLICE):
        yield partition[first : first + SLICE]


def _counts(generation: Generation) -> dict[str, int]:
    """Texts by collection, entries, literals and so on; checks that every vector is there."""
    file = generation.file
    counts = text_counts(file)
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

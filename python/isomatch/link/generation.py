"""The generation of an index that is being built.

It is the next numbered folder beside the one in force. It begins empty or, for a sync,
as a copy; a killed build with the same settings is resumed.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.errors import VectorIndexError
from isomatch.files import need_room
from isomatch.link import manifest as manifests
from isomatch.link import name_table
from isomatch.link.edge import SCANS
from isomatch.link.manifest import Manifest, checksums, damaged_file
from isomatch.link.names import INDEXES, SCHEMA, WAITING, sqlite_errors, text_counts
from isomatch.link.vectors import COLLECTIONS

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import VectorHome, VectorStore


ROOM = 4 << 20  # bytes on disk of three empty collections, and to spare
CACHE = 400_000  # kB of the names in memory: the digests of ten million
BESIDE = 256  # bytes that the engine writes for a point beside its vector


@contextmanager
def build_lock(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, so that one build runs at a time; it ends with the process.

    Raises:
        VectorIndexError: another process is building here.
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # SQLite's own lock: the same on every system, and never left behind.
    try:
        lock = sqlite3.connect(folder / "build.lock", timeout=0, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise OSError(f"{folder / 'build.lock'}: {error}") from error
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise OSError(f"{folder / 'build.lock'}: {error}") from error
            raise VectorIndexError(
                f"another process is indexing in {folder}: wait until it has finished. "
                "The index in force can be searched meanwhile"
            ) from error
        yield


class Generation:
    """The generation under construction, open for writing.

    Attributes:
        name: of its folder.
        place: generation whose vectors are written; the old one's where a
            server's collections are changed in place.
        file: ``names.db``.
        store: the vectors.
        old: manifest of the index in force, or None.
        base: manifest of the index that it began as a copy of, or None.
        resumed: whether it continues a build that had not finished.
    """

    def __init__(
        self,
        folder: Path,
        home: VectorHome,
        embedder: Embedder,
        *,
        base: Manifest | None,
        old: Manifest | None,
        reading: str,
    ):
        """Begin or resume the next generation, from a copy of ``base``; see `open_generation`."""
        self.folder = folder
        self.home = home
        self.old = old
        self.base = base
        self.name = f"g{1 + (int(old.generation[1:]) if old else 0)}"
        self.place = base.vectors if base and home.in_place else self.name
        self.path = folder / self.name
        self.resumed = False
        self._point = 4 * embedder.dimension + BESIDE
        self._drop_leftovers()
        self.need_room(0)
        settings = {
            "format": str(manifests.FORMAT),
            "embedder": embedder.name,
            "dimension": str(embedder.dimension),
            "kind": home.kind,
            "base": base.generation if base else "",
            "reading": reading,
        }
        if self.path.exists() and self._open(settings):
            self.resumed = True
            return
        self._discard()
        self._create(settings, base)
        if not self._open(settings):
            raise VectorIndexError(
                f"the index in {folder} is damaged, a sync cannot mend it: run `isomatch index`"
            )

    def _create(self, settings: dict[str, str], base: Manifest | None) -> None:
        fresh = self.folder / "new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        if base is not None:
            old = self.folder / base.generation
            shutil.copyfile(old / "names.db", fresh / "names.db")
            name_table.copy_table(old / name_table.FOLDER, fresh / name_table.FOLDER)
            self.home.copy(base.vectors, fresh)
        file = sqlite3.connect(fresh / "names.db")
        try:
            with file:
                file.executescript(SCHEMA + (INDEXES if base else ""))
                file.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", settings.items())
        finally:
            file.close()
        fresh.rename(self.path)

    def _open(self, settings: dict[str, str]) -> bool:
        """Open what is there; returns whether it has these settings and is complete."""
        self.store: VectorStore = self.home.open(self.place)
        try:
            with sqlite_errors(self.path):
                self.file = sqlite3.connect(self.path / "names.db")
                self.file.execute("PRAGMA journal_mode=WAL")
                self.file.execute("PRAGMA synchronous=NORMAL")
                self.file.execute(f"PRAGMA cache_size=-{CACHE}")
                meta = dict(self.file.execute("SELECT key, value FROM meta"))
                done = text_counts(self.file)
                for collection, waiting in self.file.execute(WAITING):
                    done[collection] -= waiting
            if all(meta.get(key) == value for key, value in settings.items()):
                for collection in COLLECTIONS:
                    self.store.create(collection, int(settings["dimension"]))
                if all(self.store.count(c) >= done.get(c, 0) for c in COLLECTIONS):
                    return True
        except VectorIndexError:
            pass  # of a killed build, or damaged: rebuilt
        self.close()
        return False

    def _drop_leftovers(self) -> None:
        """Delete generations that a killed build left behind."""
        in_use = {self.name, self.old.generation if self.old else ""}
        for path in self.folder.glob("g*/"):
            if path.name not in in_use and path.name[1:].isdigit():
                if self.old is None or path.name != self.old.vectors:
                    self.home.drop(path.name)
                shutil.rmtree(path, ignore_errors=True)

    def need_room(self, points: int) -> None:
        """See that so many more vectors can be written; OSError where they cannot.

        The engine writes to mapped files with holes: on a full disk it ends the process.
        """
        if not self.home.in_place:
            need_room(self.folder, ROOM + points * self._point)

    def _discard(self) -> None:
        if self.place == self.name:
            self.home.drop(self.name)
        shutil.rmtree(self.path, ignore_errors=True)

    def commit(self, manifest: Manifest) -> None:
        """Put the generation in force and delete what it replaces.

        Raises:
            VectorIndexError: what was written is not what is read.
        """
        self.store.flush()
        doomed = list(self.file.execute("SELECT collection, point FROM doomed"))
        with sqlite_errors(self.path):
            self.file.commit()
            # Readers open the file alone, without the log beside it.
            self.file.execute("PRAGMA journal_mode=DELETE")
            self.file.close()
        manifest = replace(manifest, generation=self.name, vectors=self.place)
        known = self.old.files if self.old else {}
        if self.home.in_place:
            manifest = replace(manifest, files=checksums(self.path, name_table.FOLDER, known))
        else:
            self.store.close()
            self._settle(manifest.counts)
            manifest = replace(manifest, files=checksums(self.path, known=known))
        manifest.write(self.folder)
        for collection in COLLECTIONS:  # only where vectors change in place
            if points := [point for where, point in doomed if where == collection]:
                self.store.delete(collection, points)
        self.store.close()
        if self.old is not None:
            if self.old.vectors != self.place:
                self.home.drop(self.old.vectors)
            shutil.rmtree(self.folder / self.old.generation, ignore_errors=True)

    def _settle(self, counts: Mapping[str, int]) -> None:
        """Open the vectors once as readers do: the engine then writes some files again."""
        with closing(self.home.open(self.place)) as vectors:
            for collection in COLLECTIONS:
                if vectors.count(collection) < counts[collection]:
                    raise VectorIndexError(
                        f"the build in {self.path} lost vectors of {collection}: "
                        "run `isomatch index` again"
                    )

    def close(self) -> None:
        """Release file and vectors; safe to call twice."""
        if hasattr(self, "file"):
            self.file.close()
        self.store.close()


def open_generation(
    folder: Path, home: VectorHome, embedder: Embedder, *, sync: bool, reading: str = ""
) -> Generation:
    """The generation to build: new, or where a killed build of it stopped.

    Args:
        folder: of the index.
        home: of its vectors.
        embedder: that makes them.
        sync: begin with a copy of the index in force.
        reading: see `isomatch.link.manifest.Manifest`; a build that read otherwise is not
            resumed.

    Raises:
        VectorIndexError: the index to sync is damaged or of another embedder.
    """
    try:
        old = manifests.read(folder)
    except VectorIndexError:
        if sync and (folder / "manifest.json").exists():
            raise
        old = None
    if sync and old is not None:
        if old.embedder != embedder.name or old.dimension != embedder.dimension:
            raise VectorIndexError(
                f"the index in {folder} was made with the embedder {old.embedder!r} and cannot "
                f"be synced with {embedder.name!r}: run `isomatch index` to rebuild it"
            )
        if old.vector_kind != home.kind:
            raise VectorIndexError(
                f"the index in {folder} has its vectors in {old.vector_kind!r} and cannot be "
                f"synced with {home.kind!r}: run `isomatch index` to rebuild it"
            )
        # What is shared is not read: its checksum goes on with it.
        shared = {n: e for n, e in old.files.items() if f"/{SCANS}/" in n or n in name_table.BASE}
        copied = {name: entry for name, entry in old.files.items() if name not in shared}
        generation = folder / old.generation
        name = damaged_file(generation, shared) or damaged_file(generation, copied, whole=True)
        if name:
            raise VectorIndexError(
                f"the index in {folder} is damaged ({old.generation}/{name}), a sync cannot mend "
                "it: run `isomatch index`"
            )
    base = old if sync else sound_manifest(folder, home, embedder)
    return Generation(folder, home, embedder, base=base, old=old, reading=reading)


def sound_manifest(folder: Path, home: VectorHome, embedder: Embedder) -> Manifest | None:
    """The manifest of an index whose vectors are as they were made; None where they may not be."""
    try:
        old = manifests.read(folder)
    except VectorIndexError:
        return None
    fits = (
        bool(old.files)
        and (old.embedder, old.dimension) == (embedder.name, embedder.dimension)
        and (old.vector_kind, home.in_place) == (home.kind, False)
        and damaged_file(folder / old.generation, old.files, whole=True) is None
    )
    return old if fits else None

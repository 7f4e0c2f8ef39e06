"""The Qdrant engine in the process, on disk (package ``qdrant-edge-py``).

A large collection is in the files of exact scans (`isomatch.link.segments`): written there at
once where it begins so large, else moved there. The engine has only what was added since.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from isomatch.files import drop, link, next_data
from isomatch.link.scan import Scan, finish, write
from isomatch.link.segments import ADDED, GONE, SHARE, Segments, gone_from, sibling_path, write_gone
from isomatch.link.turn import Rows
from isomatch.link.vectors import VectorStore, engine_errors, hits, in_order, lacks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Hits, Matrix

PAGE = 4096  # vectors that are read from the engine together
SCANS_FROM = 30_000  # vectors, of which a scan takes half of the engine's time (less: as much)
SCANS = "scans"  # folder beside those of the collections
BEHIND = ".behind"  # beside a scan: the engine has changes that it has not
COMING = ".coming"  # a scan that is being written
# Codes of an earlier form, which are not read; and what the engine writes for a moment when
# another process opens the vectors: it may be gone before it is copied.
LEFT_OUT = shutil.ignore_patterns("scan", ".atomicwrite*")


class EdgeVectors(VectorStore):
    """Qdrant Edge: one folder for each collection.

    Without a write-ahead log, any number of processes may read a folder at the
    same time (the log's lock allows one); writes are durable after `flush`. The engine
    opens its files for writing, so those that may only be read are copied.
    """

    scans_from = SCANS_FROM

    def __init__(self, folder: Path):
        self.folder = folder
        self._copy: TemporaryDirectory[str] | None = None
        if folder.is_dir() and not _is_writable(folder):
            self._copy = TemporaryDirectory(prefix="isomatch-")
            self.folder = Path(self._copy.name) / "vectors"
            shutil.copytree(folder, self.folder, ignore=LEFT_OUT, copy_function=_copy_sparse)
            for at, _, _ in os.walk(self.folder):  # which have the rights of those they copy
                os.chmod(at, 0o700)
        self._shards: dict[str, Any] = {}
        self._scans: dict[str, Segments] = {}
        self._coming: dict[str, Rows] = {}
        self._loading = Lock()

    def _shard(self, collection: str) -> Any:
        with self._loading:
            if collection not in self._shards:
                import qdrant_edge

                path = self.folder / collection
                with engine_errors(path):
                    self._shards[collection] = qdrant_edge.EdgeShard.load(str(path))
            return self._shards[collection]

    def _segments(self, collection: str) -> Segments | None:
        """The scans of a collection, open from now on, whatever a later build deletes."""
        with self._loading:
            if collection not in self._scans and self._scan_folder(collection).is_dir():
                self._scans[collection] = Segments(self._scan_folder(collection))
            return self._scans.get(collection)

    def _scan_folder(self, collection: str) -> Path:
        return self.folder / SCANS / collection

    def create(self, collection: str, dimension: int) -> None:
        import qdrant_edge as edge

        path = self.folder / collection
        if (coming := sibling_path(self._scan_folder(collection), COMING)).is_dir():
            self._coming[collection] = Rows(coming, dimension)
        if (path / "edge_config.json").exists():
            return
        path.mkdir(parents=True, exist_ok=True)
        with engine_errors(path):
            params = edge.EdgeVectorParams(
                size=dimension,
                distance=edge.Distance.Euclid,
                # Memory-mapped: a scan reads only the pages that it needs.
                memory=edge.Memory.Cold,
            )
            config = edge.EdgeConfig(vectors=params, wal_enabled=False)
            self._shards[collection] = edge.EdgeShard.create(str(path), config)

    def expect(self, collection: str, dimension: int) -> None:
        if not self.is_scanned(collection) and not self.count(collection):
            folder = sibling_path(self._scan_folder(collection), COMING)
            self._coming[collection] = Rows(folder, dimension)

    def upsert(self, collection: str, ids: Sequence[int], vectors: Matrix) -> None:
        import qdrant_edge as edge

        if collection in self._coming:
            self._coming[collection].add(ids, vectors)
            return
        rows = vectors.tolist()
        points = [edge.Point(id=id, vector=row) for id, row in zip(ids, rows, strict=True)]
        shard = self._shard(collection)
        self._forget(collection, ids)
        with engine_errors(self.folder / collection):
            shard.update(edge.UpdateOperation.upsert_points(points))

    def delete(self, collection: str, ids: Sequence[int]) -> None:
        import numpy as np
        import qdrant_edge as edge

        if collection in self._coming:
            folder = self._scan_folder(collection)
            write_gone(folder, np.concatenate([gone_from(folder), np.asarray(ids, np.int64)]))
            return
        shard = self._shard(collection)
        self._forget(collection, ids)
        with engine_errors(self.folder / collection):
            shard.update(edge.UpdateOperation.delete_points(list(ids)))

    def _forget(self, collection: str, ids: Sequence[int]) -> None:
        """Take ids out of the scans before the engine changes; `optimize` makes them whole."""
        import numpy as np

        if (segments := self._segments(collection)) is None:
            return
        folder = self._scan_folder(collection)
        sibling_path(folder, BEHIND).touch()
        changed = np.asarray(ids, np.int64)
        if len(gone := changed[segments.base.has(changed)]):
            write_gone(folder, np.concatenate([segments.gone, gone]))
        drop(sibling_path(folder, ADDED))
        self._scans.pop(collection)

    def search(
        self,
        collection: str,
        vectors: Matrix,
        limit: int,
        *,
        exact: bool = True,
        within: Sequence[Sequence[int]] | None = None,
    ) -> list[Hits]:
        import qdrant_edge as edge

        if (segments := self._whole(collection)) is not None:
            if within is None:
                return segments.search(vectors, limit)
            pairs = zip(vectors, within, strict=True)
            return [segments.within(row, some, limit) for row, some in pairs]
        shard = self._shard(collection)
        params = edge.SearchParams(exact=exact, hnsw_ef=None if exact else max(128, limit))
        requests = [
            edge.QueryRequest(
                limit=limit,
                query=edge.Query.Nearest(row),
                filter=None
                if within is None
                else edge.Filter(must=[edge.HasIdCondition(set(within[number]))]),
                params=params,
            )
            for number, row in enumerate(vectors.tolist())
        ]
        with engine_errors(self.folder / collection):
            answers = shard.query_batch(edge.QueryBatchRequest(requests))
        return [hits(points) for points in answers]

    def _whole(self, collection: str) -> Segments | None:
        """The scans with all vectors, if there are scans."""
        if self._is_behind(collection):
            self.optimize(collection)
        return self._segments(collection)

    def _is_behind(self, collection: str) -> bool:
        return sibling_path(self._scan_folder(collection), BEHIND).exists()

    def _later(
        self, collection: str, segments: Segments
    ) -> Iterator[tuple[NDArray[np.int64], Matrix]]:
        """What the engine has and the base has not, in pages, by id."""
        import numpy as np

        for ids, vectors in self._all(collection):
            new = ~segments.base.has(ids) | np.isin(ids, segments.gone)
            if new.any():
                yield ids[new], vectors[new]

    def retrieve(self, collection: str, ids: Sequence[int]) -> Matrix:
        import numpy as np

        if (segments := self._whole(collection)) is not None:
            found = segments.retrieve(ids)
            if missing := [id for id in ids if id not in found]:
                raise lacks(self.folder / collection, missing[0])
            return np.array([found[id] for id in ids], np.float32)
        with engine_errors(self.folder / collection):
            records = self._shard(collection).retrieve(
                list(ids), with_payload=False, with_vector=True
            )
        return in_order(records, ids, self.folder / collection)

    def count(self, collection: str) -> int:
        import numpy as np

        if (coming := self._coming.get(collection)) is not None:
            gone = gone_from(self._scan_folder(collection))
            return len(np.setdiff1d(coming.ids(), gone, assume_unique=True))
        if (segments := self._segments(collection)) is not None:
            later = self._later(collection, segments) if self._is_behind(collection) else ()
            return len(segments) + sum(len(ids) for ids, _ in later)
        with engine_errors(self.folder / collection):
            return int(self._shard(collection).info().points_count)

    def flush(self) -> None:
        for coming in self._coming.values():
            coming.flush()
        for collection, shard in self._shards.items():
            with engine_errors(self.folder / collection):
                shard.flush()

    def optimize(self, collection: str) -> bool:
        """Write the files of an exact scan, unless they are there; the engine's are emptied.

        Of few changes, only what was added.
        """
        segments, folder = self._segments(collection), self._scan_folder(collection)
        if (coming := self._coming.pop(collection, None)) is not None:
            if len(coming):
                finish(coming, folder)
            else:  # what was to come is gone
                drop(coming.folder)
            return False
        if segments is None:
            write(folder, self._all(collection))
        elif not self._is_behind(collection) or self._add(collection, segments):
            return False
        dimension = (Scan(folder) if segments is None else segments.base).dimension
        self._scans.pop(collection, None)
        self._empty(collection, dimension)
        sibling_path(folder, BEHIND).unlink(missing_ok=True)
        return False

    def _add(self, collection: str, segments: Segments) -> bool:
        """Make the scans whole; returns whether the base stays, since changes are few."""
        folder = self._scan_folder(collection)
        added = sum(len(ids) for ids, _ in self._later(collection, segments))
        with engine_errors(self.folder / collection):  # an earlier version left all there
            there = int(self._shard(collection).info().points_count)
        few = max(there, added + len(segments.gone)) <= SHARE * len(segments.base)
        drop(sibling_path(folder, ADDED))
        if few and added:
            write(sibling_path(folder, ADDED), self._later(collection, segments))
        if few:
            self._scans.pop(collection)
            sibling_path(folder, BEHIND).unlink()
            return True
        if len(segments.base) - len(segments.gone) + added:
            write(folder, chain(segments.living(), self._later(collection, segments)))
        else:
            drop(folder)
        sibling_path(folder, GONE).unlink(missing_ok=True)
        return False

    def _empty(self, collection: str, dimension: int) -> None:
        """Take everything out of the engine."""
        self._shard(collection).close()
        del self._shards[collection]
        drop(self.folder / collection)
        self.create(collection, dimension)

    def is_scanned(self, collection: str) -> bool:
        return collection in self._coming or self._scan_folder(collection).is_dir()

    def _all(self, collection: str) -> Iterator[tuple[NDArray[np.int64], Matrix]]:
        """Every id and vector, in pages, by id."""
        import numpy as np
        import qdrant_edge as edge

        after = None
        while True:
            request = edge.ScrollRequest(
                offset=after, limit=PAGE, with_payload=False, with_vector=True
            )
            with engine_errors(self.folder / collection):
                records, after = self._shard(collection).scroll(request)
            if records:
                ids = np.array([record.id for record in records], np.int64)
                yield ids, np.array([record.vector for record in records], np.float32)
            if after is None:
                return

    def close(self) -> None:
        for shard in self._shards.values():
            shard.close()
        self._shards.clear()
        self._scans.clear()
        if self._copy is not None:
            self._copy.cleanup()


class EdgeHome:
    """Where an embedded index keeps its vectors: a folder for each generation."""

    kind = "edge"
    in_place = False

    def __init__(self, folder: Path):
        self.folder = folder

    def open(self, generation: str) -> VectorStore:
        return EdgeVectors(self.folder / generation / "vectors")

    def copy(self, generation: str, target: Path) -> None:
        """Copy a generation's vectors into ``target``: sparse files, and links to scans."""
        source = self.folder / generation / "vectors"
        shutil.copytree(source, target / "vectors", ignore=LEFT_OUT, copy_function=_copy)

    def drop(self, generation: str) -> None:
        shutil.rmtree(self.folder / generation / "vectors", ignore_errors=True)


def _is_writable(folder: Path) -> bool:
    """Whether all below a folder is; what another process makes and moves there is no matter."""
    paths = (
        os.path.join(at, name) for at, folders, files in os.walk(folder) for name in folders + files
    )
    return os.access(folder, os.W_OK) and all(
        os.access(path, os.W_OK) or not os.path.lexists(path) for path in paths
    )


def _copy(source: str, target: str) -> None:
    """Link a file of a scan, which is never written again; copy the engine's."""
    (link if os.sep + SCANS + os.sep in source else _copy_sparse)(source, target)


def _copy_sparse(source: str, target: str) -> None:
    """Copy a file sparsely: the engine allocates 32 MB at a time."""
    block = 1 << 16
    with open(source, "rb", buffering=0) as reader, open(target, "wb") as writer:
        place = 0
        while True:
            place = next_data(reader.fileno(), place, block)
            reader.seek(place)
            if not (data := reader.read(block)):
                break
            if data != bytes(len(data)):
                writer.seek(place)
                writer.write(data)
            place += len(data)
        writer.truncate(place)

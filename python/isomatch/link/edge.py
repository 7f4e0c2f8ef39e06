"""The Qdrant engine in the process, on disk (package ``qdrant-edge-py``).

Of a large collection there are also the files of an exact scan (`isomatch.link.scan`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from isomatch.link.scan import Scan, write
from isomatch.link.vectors import VectorStore, engine_errors, hits, in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Hits, Matrix

PAGE = 4096  # vectors that are read from the engine together
SCANS = "scans"  # folder beside those of the collections
# Codes of an earlier form, which are not read; and what the engine writes for a moment when
# another process opens the vectors: it may be gone before it is copied.
LEFT_OUT = shutil.ignore_patterns("scan", ".atomicwrite*")


class EdgeVectors(VectorStore):
    """Qdrant Edge: one folder for each collection.

    Without a write-ahead log, any number of processes may read a folder at the
    same time (the log's lock allows one); writes are durable after `flush`. The engine
    opens its files for writing, so those that may only be read are copied.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._copy: TemporaryDirectory[str] | None = None
        if folder.is_dir() and not _is_writable(folder):
            self._copy = TemporaryDirectory(prefix="isomatch-")
            self.folder = Path(self._copy.name) / "vectors"
            shutil.copytree(folder, self.folder, ignore=LEFT_OUT, copy_function=_copy_sparse)
        self._shards: dict[str, Any] = {}
        self._scans: dict[str, Scan] = {}
        self._loading = Lock()

    def _shard(self, collection: str) -> Any:
        with self._loading:
            if collection not in self._shards:
                scan = self._scan_folder(collection)
                if scan.is_dir():  # open from now on, whatever a later build deletes
                    self._scans[collection] = Scan(scan)
                import qdrant_edge

                path = self.folder / collection
                with engine_errors(path):
                    self._shards[collection] = qdrant_edge.EdgeShard.load(str(path))
            return self._shards[collection]

    def _scan_folder(self, collection: str) -> Path:
        return self.folder / SCANS / collection

    def _drop_scan(self, collection: str) -> None:
        """Delete a scan that the next change makes wrong; `optimize` writes it again."""
        self._scans.pop(collection, None)
        folder = self._scan_folder(collection)
        if folder.is_dir():
            # A half-deleted one must not look whole after a kill.
            doomed = folder.with_name(folder.name + ".partial")
            shutil.rmtree(doomed, ignore_errors=True)
            folder.rename(doomed)
            shutil.rmtree(doomed)

    def create(self, collection: str, dimension: int) -> None:
        import qdrant_edge as edge

        path = self.folder / collection
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

    def upsert(self, collection: str, ids: Sequence[int], vectors: Matrix) -> None:
        import qdrant_edge as edge

        rows = vectors.tolist()
        points = [edge.Point(id=id, vector=row) for id, row in zip(ids, rows, strict=True)]
        shard = self._shard(collection)
        self._drop_scan(collection)
        with engine_errors(self.folder / collection):
            shard.update(edge.UpdateOperation.upsert_points(points))

    def delete(self, collection: str, ids: Sequence[int]) -> None:
        import qdrant_edge as edge

        shard = self._shard(collection)
        self._drop_scan(collection)
        with engine_errors(self.folder / collection):
            shard.update(edge.UpdateOperation.delete_points(list(ids)))

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

        shard = self._shard(collection)
        if within is None and (scan := self._scans.get(collection)) is not None:
            return scan.search(vectors, limit)
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

    def retrieve(self, collection: str, ids: Sequence[int]) -> Matrix:
        with engine_errors(self.folder / collection):
            records = self._shard(collection).retrieve(
                list(ids), with_payload=False, with_vector=True
            )
        return in_order(records, ids, self.folder / collection)

    def count(self, collection: str) -> int:
        with engine_errors(self.folder / collection):
            return int(self._shard(collection).info().points_count)

    def flush(self) -> None:
        for collection, shard in self._shards.items():
            with engine_errors(self.folder / collection):
                shard.flush()

    def optimize(self, collection: str) -> bool:
        """Write the files of an exact scan, unless they are there."""
        self._shard(collection)
        if collection not in self._scans:
            folder = self._scan_folder(collection)
            write(folder, self._all(collection))
            self._scans[collection] = Scan(folder)
        return False

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
        """Copy a generation's vectors into ``target``, as sparse files."""
        source = self.folder / generation / "vectors"
        shutil.copytree(source, target / "vectors", ignore=LEFT_OUT, copy_function=_copy_sparse)

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


def _copy_sparse(source: str, target: str) -> None:
    """Copy a file sparsely: the engine allocates 32 MB at a time."""
    block = 1 << 16
    with open(source, "rb") as reader, open(target, "wb") as writer:
        while data := reader.read(block):
            if data == bytes(len(data)):
                writer.seek(len(data), os.SEEK_CUR)
            else:
                writer.write(data)
        writer.truncate()

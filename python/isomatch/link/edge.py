"""The Qdrant engine in the process, on disk (package ``qdrant-edge-py``)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from isomatch.link.vectors import VectorStore, engine_errors, hits, in_order

if TYPE_CHECKING:
    from isomatch.link.vectors import Hits, Matrix


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
            shutil.copytree(folder, self.folder, copy_function=_copy_sparse)
        self._shards: dict[str, Any] = {}
        self._loading = Lock()

    def _shard(self, collection: str) -> Any:
        with self._loading:
            if collection not in self._shards:
                import qdrant_edge

                path = self.folder / collection
                with engine_errors(path):
                    self._shards[collection] = qdrant_edge.EdgeShard.load(str(path))
            return self._shards[collection]

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
        with engine_errors(self.folder / collection):
            self._shard(collection).update(edge.UpdateOperation.upsert_points(points))

    def delete(self, collection: str, ids: Sequence[int]) -> None:
        import qdrant_edge as edge

        with engine_errors(self.folder / collection):
            self._shard(collection).update(edge.UpdateOperation.delete_points(list(ids)))

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
            answers = self._shard(collection).query_batch(edge.QueryBatchRequest(requests))
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

    def optimize(self, collection: str) -> None:
        with engine_errors(self.folder / collection):
            self._shard(collection).optimize()

    def close(self) -> None:
        for shard in self._shards.values():
            shard.close()
        self._shards.clear()
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
        shutil.copytree(source, target / "vectors", copy_function=_copy_sparse)

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

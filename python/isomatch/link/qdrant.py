"""A Qdrant server, through ``qdrant-client``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import MissingExtraError
from isomatch.link.vectors import COLLECTIONS, VectorStore, engine_errors, hits, in_order

if TYPE_CHECKING:
    from isomatch.link.vectors import Hits, Matrix


class QdrantVectors(VectorStore):
    """A Qdrant server: one collection ``PREFIX_name`` for each of ours."""

    BATCH = 512  # points in one request, some 2 MB

    def __init__(
        self,
        client: Any,
        prefix: str,
        *,
        shards: int | None = None,
        writer: Callable[[], VectorStore] | None = None,
    ):
        """``client`` is a `qdrant_client.QdrantClient`; it stays open.

        Args:
            shards: of a collection that is made; None for as many as the server has nodes.
            writer: see `VectorStore.writer`.
        """
        self.client = client
        self.prefix = prefix
        self._shards = shards
        self._writer = writer

    def _name(self, collection: str) -> str:
        return f"{self.prefix}_{collection}"

    def create(self, collection: str, dimension: int) -> None:
        from qdrant_client import models

        name = self._name(collection)
        with engine_errors(name):
            if not self.client.collection_exists(name):
                params = models.VectorParams(size=dimension, distance=models.Distance.EUCLID)
                # No HNSW until `optimize` asks for it: indexing_threshold 0 is "never".
                self.client.create_collection(
                    name,
                    vectors_config=params,
                    shard_number=self._shards,
                    optimizers_config=models.OptimizersConfigDiff(indexing_threshold=0),
                )

    def upsert(self, collection: str, ids: Sequence[int], vectors: Matrix) -> None:
        from qdrant_client import models

        rows = vectors.tolist()
        for start in range(0, len(rows), self.BATCH):
            part = slice(start, start + self.BATCH)
            batch = models.Batch(ids=list(ids[part]), vectors=rows[part])
            with engine_errors(self._name(collection)):
                self.client.upsert(self._name(collection), points=batch, wait=True)

    def delete(self, collection: str, ids: Sequence[int]) -> None:
        from qdrant_client import models

        with engine_errors(self._name(collection)):
            self.client.delete(
                self._name(collection),
                points_selector=models.PointIdsList(points=list(ids)),
                wait=True,
            )

    def search(
        self,
        collection: str,
        vectors: Matrix,
        limit: int,
        *,
        exact: bool = True,
        within: Sequence[Sequence[int]] | None = None,
    ) -> list[Hits]:
        from qdrant_client import models

        params = models.SearchParams(exact=exact, hnsw_ef=None if exact else max(128, limit))
        requests = [
            models.QueryRequest(
                query=row,
                limit=limit,
                filter=None
                if within is None
                else models.Filter(must=[models.HasIdCondition(has_id=list(within[number]))]),
                params=params,
            )
            for number, row in enumerate(vectors.tolist())
        ]
        with engine_errors(self._name(collection)):
            answers = self.client.query_batch_points(self._name(collection), requests=requests)
        return [hits(answer.points) for answer in answers]

    def retrieve(self, collection: str, ids: Sequence[int]) -> Matrix:
        with engine_errors(self._name(collection)):
            records = self.client.retrieve(
                self._name(collection), ids=list(ids), with_payload=False, with_vectors=True
            )
        return in_order(records, ids, self._name(collection))

    def count(self, collection: str) -> int:
        with engine_errors(self._name(collection)):
            return int(self.client.count(self._name(collection), exact=True).count)

    def flush(self) -> None:
        """Nothing to do: every write waits until the server has it."""

    def optimize(self, collection: str) -> bool:
        import time

        from qdrant_client import models

        name = self._name(collection)
        with engine_errors(name):
            self.client.update_collection(
                name, optimizers_config=models.OptimizersConfigDiff(indexing_threshold=10_000)
            )
            # Green means that no optimisation is running or pending.
            while self.client.get_collection(name).status != models.CollectionStatus.GREEN:
                time.sleep(0.5)
        return True

    def writer(self) -> Callable[[], VectorStore] | None:
        return self._writer

    def close(self) -> None:
        """Nothing to do: the client belongs to the caller."""


class QdrantHome:
    """Where an index keeps its vectors on a server: collections by prefix.

    A server's collections are not copied for a sync but changed in place:
    points are added before the new index is in force and deleted after it, and
    readers ignore points that they do not know.
    """

    kind = "qdrant"
    in_place = True

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        prefix: str = "isomatch",
        client: Any = None,
        timeout: int = 60,
        shards: int | None = None,
    ):
        """``url`` and ``api_key`` default to QDRANT_URL and QDRANT_API_KEY.

        Args:
            url: the server's address.
            api_key: its key, where it asks for one.
            prefix: of all collections; one for each index on the server.
            client: a `qdrant_client.QdrantClient` to use instead.
            timeout: seconds for one request.
            shards: of each collection that is made, which a cluster spreads over its nodes;
                None for as many as it has.

        Raises:
            MissingExtraError: qdrant-client is not installed.
        """
        self.prefix = prefix
        self.shards = shards
        self._again: Callable[[], QdrantHome] | None = None  # in another process
        if client is not None:
            self.client = client
            return
        try:
            from qdrant_client import QdrantClient
        except ImportError as error:
            raise MissingExtraError(
                "a Qdrant server needs qdrant-client: pip install isomatch[qdrant]"
            ) from error
        address = url or os.environ.get("QDRANT_URL")
        key = api_key or os.environ.get("QDRANT_API_KEY")
        with engine_errors(address or "QDRANT_URL"):
            self.client = QdrantClient(url=address, api_key=key, timeout=timeout)
        self._again = partial(
            QdrantHome, address, api_key=key, prefix=prefix, timeout=timeout, shards=shards
        )

    def open(self, generation: str) -> VectorStore:
        writer = None if self._again is None else partial(_opened, self._again, generation)
        name = f"{self.prefix}_{generation}"
        return QdrantVectors(self.client, name, shards=self.shards, writer=writer)

    def copy(self, generation: str, target: Path) -> None:
        """Nothing to do: changes are made in place."""

    def drop(self, generation: str) -> None:
        for collection in COLLECTIONS:
            with engine_errors(f"{self.prefix}_{generation}_{collection}"):
                self.client.delete_collection(f"{self.prefix}_{generation}_{collection}")


def _opened(home: Callable[[], QdrantHome], generation: str) -> VectorStore:
    return home().open(generation)

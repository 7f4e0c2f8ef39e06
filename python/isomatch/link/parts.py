"""Parts of an index's texts, embedded in the order they come: by one thread ahead, or by workers.

A part is the same texts whatever embeds it, so its vectors are too. Where every process can
write to the vectors (a Qdrant server), a worker writes those that it made.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from isomatch.executor import Executor, Work

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import Matrix, VectorStore


class Part(NamedTuple):
    """Some texts of a collection, and the points that they are."""

    collection: str
    points: list[int]
    texts: list[str]


class ParallelEmbedder:
    """An embedder that the workers of an executor have too.

    Attributes:
        executor: embeds the parts of an index.
        make: makes the embedder in a worker; picklable.
    """

    def __init__(self, embedder: Embedder, executor: Executor, make: Callable[[], Embedder]):
        self.embedder = embedder
        self.executor = executor
        self.make = make

    @property
    def name(self) -> str:
        return self.embedder.name

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `isomatch.link.embedder.Embedder.embed`; in this process."""
        return self.embedder.embed(texts)

    def close(self) -> None:
        """Release the model; the executor stays open."""
        self.embedder.close()


def vectors_of(
    parts: Iterable[Part], embedder: Embedder, store: VectorStore
) -> Generator[Matrix | None, None, None]:
    """The vectors of each part, in order; None for those that a worker wrote to the store.

    Args:
        parts: read on this thread, a few ahead.

    Raises:
        EmbeddingError, VectorIndexError: a part could not be embedded or written.
        WorkerError: a worker ended.
    """
    if not isinstance(embedder, ParallelEmbedder):
        return _one_ahead(parts, embedder)
    writer = store.writer()
    if writer is None:
        make = partial(_embeds, embedder.make, embedder.name)
        return embedder.executor.map(Work(_Embeds(embedder.embedder), make), parts)
    write = partial(_writes, embedder.make, embedder.name, writer)
    return embedder.executor.map(Work(_Writes(_Embeds(embedder.embedder), store), write), parts)


def _one_ahead(parts: Iterable[Part], embedder: Embedder) -> Generator[Matrix, None, None]:
    """The next vectors are made while the last ones are stored."""
    with ThreadPoolExecutor(1, "isomatch-embed-ahead") as ahead:
        coming = None
        for part in parts:
            following = ahead.submit(embedder.embed, part.texts)
            if coming is not None:
                yield coming.result()
            coming = following
        if coming is not None:
            yield coming.result()


class _Embeds:
    def __init__(self, embedder: Embedder):
        self.embedder = embedder

    def __call__(self, part: Part) -> Matrix:
        return self.embedder.embed(part.texts)


class _Writes:
    def __init__(self, embeds: _Embeds, store: VectorStore):
        self.embeds = embeds
        self.store = store

    def __call__(self, part: Part) -> None:
        self.store.upsert(part.collection, part.points, self.embeds(part))


def _embeds(make: Callable[[], Embedder], name: str) -> _Embeds:
    """In a worker: what embeds parts, with the same embedder as the index."""
    from isomatch.errors import EmbeddingError

    embedder = make()
    if embedder.name != name:
        raise EmbeddingError(
            f"a worker has the embedder {embedder.name!r}, and the index is made with {name!r}: "
            "install the same versions of isomatch and the model on every machine of the cluster"
        )
    return _Embeds(embedder)


def _writes(make: Callable[[], Embedder], name: str, writer: Callable[[], VectorStore]) -> _Writes:
    return _Writes(_embeds(make, name), writer())

"""An embedder that counts letters, and a vector store in memory: no model, no disk.

Few dimensions and small counts make distances that vary and often tie. Case and
punctuation count, so names that are equal after normalisation can be far apart.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from isomatch.errors import VectorIndexError
from isomatch.link.vectors import VectorStore, normalised

if TYPE_CHECKING:
    from isomatch.link.vectors import Hits, Matrix


class Letters:
    """Texts to the counts of their hashed characters."""

    def __init__(self, dimension: int = 6):
        self.dimension = dimension
        self.name = f"letters-{dimension}"
        self._rows: dict[str, Matrix] = {}

    def _row(self, text: str) -> Matrix:
        if text not in self._rows:
            counts = np.zeros(self.dimension)
            for character in text:
                counts[zlib.crc32(character.encode()) % self.dimension] += 1
            self._rows[text] = normalised(counts[None])[0]
        return self._rows[text]

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `isomatch.link.embedder.Embedder.embed`."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([self._row(text) for text in texts])

    def close(self) -> None:
        """Nothing to release."""


class MemoryVectors(VectorStore):
    """Points in dictionaries; of equal distances the highest id comes first.

    Args:
        lost: this share of the points is never found, as in a damaged file.
    """

    def __init__(self, lost: float = 0.0) -> None:
        self.lost = lost
        self.points: dict[str, dict[int, Matrix]] = {}
        self._arrays: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def create(self, collection: str, dimension: int) -> None:
        self.points.setdefault(collection, {})

    def upsert(self, collection: str, ids: Sequence[int], vectors: Matrix) -> None:
        self.points[collection].update(zip(ids, vectors, strict=True))
        self._arrays.clear()

    def delete(self, collection: str, ids: Sequence[int]) -> None:
        for id in ids:
            self.points[collection].pop(id, None)
        self._arrays.clear()

    def search(
        self,
        collection: str,
        vectors: Matrix,
        limit: int,
        *,
        exact: bool = True,
        within: Sequence[Sequence[int]] | None = None,
    ) -> list[Hits]:
        if collection not in self._arrays:
            points = self.points[collection]
            kept = [id for id in points if id * 0.618034 % 1 >= self.lost]
            rows = [points[id] for id in kept] or np.zeros((0, vectors.shape[1]))
            self._arrays[collection] = np.array(kept, np.int64), np.array(rows, np.float64)
        ids, rows = self._arrays[collection]
        answers = []
        for number, vector in enumerate(vectors.astype(np.float64)):
            measured = np.linalg.norm(rows - vector, axis=1).astype(np.float32)
            order = np.lexsort((-ids, measured))
            if within is not None:
                order = order[np.isin(ids[order], list(within[number]))]
            answers.append((ids[order[:limit]], measured[order[:limit]]))
        return answers

    def retrieve(self, collection: str, ids: Sequence[int]) -> Matrix:
        try:
            return np.array([self.points[collection][id] for id in ids], np.float32)
        except KeyError as error:
            raise VectorIndexError(f"no point {error}") from error

    def count(self, collection: str) -> int:
        return len(self.points.get(collection, ()))

    def flush(self) -> None: ...

    def optimize(self, collection: str) -> None: ...

    def close(self) -> None: ...


class MemoryHome:
    """The vectors of an index's generations."""

    kind = "memory"
    in_place = False

    def __init__(self, lost: float = 0.0) -> None:
        self.lost = lost
        self.generations: dict[str, MemoryVectors] = {}
        self._copied: MemoryVectors | None = None

    def open(self, generation: str) -> VectorStore:
        if generation not in self.generations:
            self.generations[generation] = self._copied or MemoryVectors(self.lost)
            self._copied = None
        return self.generations[generation]

    def copy(self, generation: str, target: Path) -> None:
        self._copied = MemoryVectors(self.lost)
        old = self.generations[generation].points
        self._copied.points = {collection: dict(points) for collection, points in old.items()}

    def drop(self, generation: str) -> None:
        self.generations.pop(generation, None)

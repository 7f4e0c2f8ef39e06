"""Vector stores: the Qdrant engine in the process, or a Qdrant server.

One interface over both, `isomatch.link.edge` and `isomatch.link.qdrant`, so
that everything above is the same for both. A store holds a few collections (``nodes``,
``relations``, ``types``) of points, each an integer id and a vector; what the
points mean is kept beside it (`isomatch.link.names`). Distance is Euclidean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from isomatch.errors import VectorIndexError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.candidates import Page

    Matrix = NDArray[np.float32]
    Hits = tuple[NDArray[np.int64], Matrix]

COLLECTIONS = ("nodes", "relations", "types")
REMEMBERED = 64  # searches,
MOST_HITS = 4096  # of at most so many hits: 50 kB


class VectorStore(ABC):
    """Collections of points at one place.

    Attributes:
        scans_from: points from which on a collection is better in exact scans; None where the
            store has none.
    """

    scans_from: int | None = None

    @abstractmethod
    def create(self, collection: str, dimension: int) -> None:
        """Make an empty collection; nothing where it exists already."""

    def expect(self, collection: str, dimension: int) -> None:  # noqa: B027 - it may be no matter
        """Say that very many points will come: those of each `flush` after those of the last."""

    @abstractmethod
    def upsert(self, collection: str, ids: Sequence[int], vectors: Matrix) -> None:
        """Insert points, or replace those whose ids are there."""

    @abstractmethod
    def delete(self, collection: str, ids: Sequence[int]) -> None:
        """Delete points; unknown ids are ignored."""

    @abstractmethod
    def search(
        self,
        collection: str,
        vectors: Matrix,
        limit: int,
        *,
        exact: bool = True,
        within: Sequence[Sequence[int]] | None = None,
    ) -> list[Hits]:
        """For each row of ``vectors``, the nearest points.

        Args:
            vectors: queries, shape (n, dimension).
            limit: how many points at most, for each.
            exact: scan all, also where an approximate index (HNSW) is.
            within: for each query, the only points to look at.

        Returns:
            For each query (ids, L2 distances), ascending by distance.
        """

    @abstractmethod
    def retrieve(self, collection: str, ids: Sequence[int]) -> Matrix:
        """Vectors in the order of ``ids``.

        Raises:
            VectorIndexError: one of them is not there.
        """

    @abstractmethod
    def count(self, collection: str) -> int:
        """How many points a collection holds."""

    @abstractmethod
    def flush(self) -> None:
        """Return when everything written is durable."""

    @abstractmethod
    def optimize(self, collection: str) -> bool:
        """Make searches of a large collection fast, and wait for that.

        Returns:
            Whether they are then approximate (HNSW), unless they are to be exact.
        """

    def is_scanned(self, collection: str) -> bool:
        """Whether the vectors are in scans, which `optimize` has to make whole after changes."""
        return False

    def writer(self) -> Callable[[], VectorStore] | None:
        """What opens the same store in another process, for `upsert`; picklable.

        None where only one process may write.
        """
        return None

    @abstractmethod
    def close(self) -> None:
        """Release everything; safe to call twice."""


class RecentSearches:
    """Searches a vector store that does not change, and remembers the last searches.

    Every interpretation of a question looks up the same names. Thread-safe.
    """

    def __init__(self, search: Callable[..., list[Hits]]):
        """``search`` is `VectorStore.search`, or what calls it."""
        self._search = search
        self._recent: OrderedDict[tuple[str, int, bool, bytes], Hits] = OrderedDict()
        self._lock = Lock()

    def search(self, collection: str, vectors: Matrix, limit: int, *, exact: bool) -> list[Hits]:
        """See `VectorStore.search`."""
        keys = [(collection, limit, exact, row.tobytes()) for row in vectors]
        with self._lock:
            found = {key: self._recent[key] for key in keys if key in self._recent}
        missing = [place for place, key in enumerate(keys) if key not in found]
        if missing:
            new = self._search(collection, vectors[missing], limit, exact=exact)
            found.update(zip((keys[place] for place in missing), new, strict=True))
        if limit <= MOST_HITS:
            with self._lock:
                self._recent.update((key, found[key]) for key in keys)
                for key in keys:
                    self._recent.move_to_end(key)
                while len(self._recent) > REMEMBERED:
                    self._recent.popitem(last=False)
        return [found[key] for key in keys]


class VectorHome(Protocol):
    """Where an index keeps the vectors of its generations.

    Attributes:
        kind: recorded in the index, so that another kind is refused.
        in_place: whether a sync changes a generation's vectors where they are
            (a server's), or a copy of them.
    """

    @property
    def kind(self) -> str: ...

    @property
    def in_place(self) -> bool: ...

    def open(self, generation: str) -> VectorStore:
        """The store of one generation."""

    def copy(self, generation: str, target: Path) -> None:
        """Copy a generation's vectors into a new generation's folder."""

    def drop(self, generation: str) -> None:
        """Delete a generation's vectors, if they are there."""


class NodeSource(Protocol):
    """Where nodes are found when the index does not hold them.

    Attributes:
        setting: the variable that asks for it.
    """

    setting: str

    def pages(
        self, vectors: Matrix, limit: int, *, exact: bool = False, texts: Sequence[str] = ()
    ) -> list[Page]:
        """For each query, a page of at least ``limit`` nodes, unless there are no more.

        Args:
            vectors: queries, L2-normalised, shape (n, dimension).
            limit: how many nodes at least.
            exact: scan all, also where an approximate index is.
            texts: of the queries, for a search by words.
        """


@contextmanager
def engine_errors(where: Path | str) -> Iterator[None]:
    """Turn the engine's errors into ours; it has no classes of its own for them."""
    try:
        yield
    except VectorIndexError:
        raise
    except BaseException as error:
        # A panic of the engine is no Exception, but must not look like a crash of ours.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        advice = "run `isomatch index` to rebuild it"
        if "WouldBlock" in str(error):
            advice = "another process holds it; wait for that, or stop it"
        elif isinstance(where, str):
            advice = "check QDRANT_URL and QDRANT_API_KEY, and that the server runs"
        raise VectorIndexError(
            f"the vectors at {where} cannot be used: {error}; {advice}"
        ) from error


def hits(points: Sequence[Any]) -> Hits:
    """Scored points as (ids, distances)."""
    import numpy as np

    ids = np.array([p.id for p in points], np.int64)
    return ids, np.array([p.score for p in points], np.float32)


def is_sound(points: Any, distances: Any) -> bool:
    """Whether each point comes once, and the distances are numbers in ascending order."""
    import numpy as np

    ascending = bool((distances[1:] >= distances[:-1] - 1e-5).all())
    return (
        bool(np.isfinite(distances).all())
        and ascending
        and len(set(points.tolist())) == len(points)
    )


def in_order(records: Sequence[Any], ids: Sequence[int], where: Path | str) -> Matrix:
    """The records' vectors in the order of ``ids``; all must be there."""
    import numpy as np

    found = {record.id: record.vector for record in records}
    if missing := [id for id in ids if id not in found]:
        raise lacks(where, missing[0])
    return np.array([found[id] for id in ids], np.float32)


def lacks(where: Path | str, point: int) -> VectorIndexError:
    """The error of a point that has no vector."""
    return VectorIndexError(f"the vectors at {where} lack the point {point}; run `isomatch index`")


def normalised(vectors: Any) -> Matrix:
    """Rows scaled to length 1, as float32; a row of zeros stays."""
    import numpy as np

    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = rows / np.maximum(lengths, np.float32(1e-12))
    return scaled

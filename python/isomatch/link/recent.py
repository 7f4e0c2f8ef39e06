"""The last searches for vectors, of an index that does not change while it is open.

Each reading of a question looks up the same names, and a name that is likely to be
looked up can be searched for while something else is awaited.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isomatch.link.vectors import Hits, Matrix, VectorStore

    Key = tuple[str, int, bool, bytes]

KEPT = 64
LONGEST = 4096  # hits of a search that is kept: 50 kB


class RecentSearches:
    """Asks a vector store, but not twice in a row for the same. Thread-safe."""

    def __init__(self, vectors: VectorStore):
        self._vectors = vectors
        self._kept: OrderedDict[Key, Hits] = OrderedDict()
        self._lock = Lock()

    def search(self, collection: str, vectors: Matrix, limit: int, *, exact: bool) -> list[Hits]:
        """See `VectorStore.search`."""
        keys = [(collection, limit, exact, row.tobytes()) for row in vectors]
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
        missing = [place for place, key in enumerate(keys) if key not in found]
        if missing:
            new = self._vectors.search(collection, vectors[missing], limit, exact=exact)
            found.update(zip((keys[place] for place in missing), new, strict=True))
        if limit <= LONGEST:
            with self._lock:
                self._kept.update((key, found[key]) for key in keys)
                for key in keys:
                    self._kept.move_to_end(key)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return [found[key] for key in keys]

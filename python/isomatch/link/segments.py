"""The vectors of a large collection in immutable scans: a base, and what was added since.

A sync changes few vectors of many. So the files of the base (`isomatch.link.scan`) stay as
they are and are shared by the generations of an index; beside them are the ids that are
gone from it, and a second scan of the vectors that came later. Ids are never used twice, so
each is in one of the two. A page is taken from both, longer by as many ids as may be gone:
it is what one scan of all vectors gives.

    scans/nodes/            the base
    scans/nodes.added/      the later vectors
    scans/nodes.gone.npy    ids, ascending
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.errors import VectorIndexError
from isomatch.files import atomic_write
from isomatch.link.scan import Scan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Hits, Matrix

ADDED, GONE = ".added", ".gone.npy"  # beside the folder of the base
SHARE = 0.1  # of the base: where more is gone or was added, a new one is written
PAGE = 4096  # vectors that are read together


class Segments:
    """The scans of one collection, open for searches; thread-safe.

    Attributes:
        base: most vectors.
        added: those that came later, if any.
        gone: ids of the base that count no more, ascending.
    """

    def __init__(self, folder: Path):
        """Open what is there; VectorIndexError where it is not as it was written."""
        self.base = Scan(folder)
        added = sibling_path(folder, ADDED)
        self.added = Scan(added) if added.is_dir() else None
        self.gone = gone_from(folder, self.base)

    def __len__(self) -> int:
        return len(self.base) - len(self.gone) + len(self.added or ())

    def search(self, vectors: Matrix, limit: int) -> list[Hits]:
        """See `Scan.search`."""
        found = self._living(vectors, limit)
        if self.added is None:
            return found
        others = self.added.search(vectors, limit)
        return [_merged((one, other), limit) for one, other in zip(found, others, strict=True)]

    def _living(self, vectors: Matrix, limit: int) -> list[Hits]:
        """A page of the base without what is gone."""
        import numpy as np

        if not len(self.gone):
            return self.base.search(vectors, limit)
        wanted = min(limit, len(self.base) - len(self.gone))
        more = min(len(self.gone), wanted)
        while True:
            pages = self.base.search(vectors, wanted + more)
            found = []
            for ids, distances in pages:
                stay = np.flatnonzero(~np.isin(ids, self.gone))[:wanted]
                found.append((ids[stay], distances[stay]))
            if more == len(self.gone) or all(len(ids) == wanted for ids, _ in found):
                return found
            more = min(len(self.gone), 2 * more + 1)

    def within(self, vector: Matrix, ids: Sequence[int], limit: int) -> Hits:
        """The nearest of some ids to one vector; those that are not there are left out."""
        import numpy as np

        wanted = np.unique(np.asarray(ids, np.int64))
        found = [self.base.within(vector, wanted[~np.isin(wanted, self.gone)])]
        if self.added is not None:
            found.append(self.added.within(vector, wanted))
        return _merged(found, limit)

    def retrieve(self, ids: Sequence[int]) -> dict[int, Matrix]:
        """Vectors by id; those that are not there are left out."""
        import numpy as np

        wanted = np.unique(np.asarray(ids, np.int64))
        found: dict[int, Matrix] = {}
        for scan, gone in ((self.base, self.gone), (self.added, ())):
            if scan is not None:
                here = wanted[scan.has(wanted) & ~np.isin(wanted, gone)]
                found.update(zip(here.tolist(), scan.vectors(here), strict=True))
        return found

    def living(self) -> Iterator[tuple[NDArray[np.int64], Matrix]]:
        """Ids and vectors of the base, in pages, without what is gone."""
        import numpy as np

        ids = self.base.ids[~np.isin(self.base.ids, self.gone)]
        for start in range(0, len(ids), PAGE):
            page = ids[start : start + PAGE]
            yield page, self.base.vectors(page)


def sibling_path(folder: Path, what: str) -> Path:
    """The path next to the folder of the base, whose name ends with ``what``."""
    return folder.with_name(folder.name + what)


def gone_from(folder: Path, base: Scan | None = None) -> NDArray[np.int64]:
    """The ids that are gone from the base in a folder; those that it has, where it is given.

    Raises:
        VectorIndexError: they are damaged.
    """
    import numpy as np

    path = sibling_path(folder, GONE)
    try:
        gone = np.load(path, allow_pickle=False) if path.exists() else np.empty(0, np.int64)
        return gone if base is None else gone[base.has(gone)]
    except (OSError, ValueError, EOFError, TypeError, IndexError) as error:
        raise VectorIndexError(
            f"the vectors at {path} cannot be used: {error}; run `isomatch index` to rebuild them"
        ) from error


def write_gone(folder: Path, gone: NDArray[np.int64]) -> None:
    """Replace the ids that are gone from the base in a folder; other links keep the old ones."""
    import numpy as np

    with atomic_write(sibling_path(folder, GONE)) as partial, partial.open("wb") as file:
        np.save(file, np.unique(gone))


def _merged(pages: Sequence[Hits], limit: int) -> Hits:
    """One page of several: by distance, then by id."""
    import numpy as np

    ids = np.concatenate([ids for ids, _ in pages])
    distances = np.concatenate([distances for _, distances in pages])
    order = np.lexsort((ids, distances))[:limit]
    return ids[order], distances[order]

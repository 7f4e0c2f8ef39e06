"""What an exact scan (`isomatch.link.scan`) is made with: a map to short vectors, and files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import VectorIndexError
from isomatch.seed import SEED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Matrix

    Doubles = NDArray[np.float64]

KEPT = 191  # dimensions beside the remainder's: 192 bytes a vector
TOP = 127  # the greatest code
CUT = 3.5  # components are cut off at so many times the root mean square of the first part's


class Turn:
    """The map z of `isomatch.link.scan`; ``middle`` is taken off the remainders' lengths."""

    def __init__(self, mean: Doubles, axes: Doubles, middle: float):
        self.mean, self.axes, self.middle = mean, axes, middle
        self.width = axes.shape[1] + 1

    @classmethod
    def of(cls, sample: Matrix, width: int) -> Turn:
        """By the principal components of a sample, turned among those of each part.

        Those of a part then vary alike, so that one step for all of them can be smaller.

        Args:
            width: of the parts; the first has the remainder's length too.
        """
        import numpy as np

        rows = sample.astype(np.float64)
        mean = rows.mean(axis=0)
        rows -= mean
        _, axes = np.linalg.eigh(rows.T @ rows)
        axes = np.ascontiguousarray(axes[:, ::-1][:, :KEPT])
        random = np.random.default_rng(SEED)
        for start in range(-1, axes.shape[1], width):
            part = axes[:, max(0, start) : start + width]
            part[:] = part @ np.linalg.qr(random.normal(size=(part.shape[1],) * 2))[0]
        turn = cls(mean, axes, 0.0)
        turn.middle = float(turn(sample)[:, 0].mean())
        return turn

    def __call__(self, vectors: Any) -> Doubles:
        import numpy as np

        rows = np.subtract(vectors, self.mean, dtype=np.float64)
        turned = np.empty((len(rows), self.width))
        np.matmul(rows, self.axes, out=turned[:, 1:])
        rest = squares(rows) - squares(turned[:, 1:])
        turned[:, 0] = np.sqrt(np.maximum(rest, 0.0)) - self.middle
        return turned


def step_for(turned: Doubles) -> float:
    """The step of codes, by the first part of a sample that is turned."""
    import numpy as np

    return CUT * float(np.sqrt((turned**2).mean())) / TOP or 1.0


def coded(turned: Doubles, step: float) -> tuple[NDArray[np.int8], Doubles]:
    """Codes of vectors that are turned and cut off, and what these differ by from that."""
    import numpy as np

    kept = np.clip(turned, -TOP * step, TOP * step)
    code = np.rint(kept / step).astype(np.int8)
    return code, code * step - kept


def squares(rows: Any) -> Any:
    """The sum of the squares of each row, in the rows' own kind of numbers."""
    import numpy as np

    return np.einsum("ij,ij->i", rows, rows)


def lengths(rows: Doubles) -> Doubles:
    """The length of each row."""
    import numpy as np

    found: Doubles = np.sqrt((rows**2).sum(axis=1))
    return found


class Rows:
    """The vectors of a scan to come, in files that are appended to by id.

    What a killed process left is continued: a row that is half there is cut off, and so is what
    is not before the ids that are appended next.
    """

    def __init__(self, folder: Path, dimension: int):
        """Begin, or go on with what is in the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.dimension = folder, dimension
        self._files = {folder / "ids.i64": 8, folder / "vectors.f32": 4 * dimension}
        for path in self._files:
            path.touch()
        self._count = min(path.stat().st_size // size for path, size in self._files.items())
        self._last: int | None = None
        self._added: list[tuple[NDArray[np.int64], Matrix]] = []

    def __len__(self) -> int:
        return self._count

    def ids(self) -> NDArray[np.int64]:
        """The ids of the vectors that are written, ascending."""
        import numpy as np

        return np.fromfile(self.folder / "ids.i64", np.int64)[: self._count]

    def add(self, ids: Sequence[int], vectors: Matrix) -> None:
        """Keep vectors in memory until `flush`; in any order among those."""
        import numpy as np

        self._added.append((np.asarray(ids, np.int64), self._checked(len(ids), vectors)))

    def flush(self) -> None:
        """Return when everything is durable."""
        import numpy as np

        if self._added:
            ids = np.concatenate([ids for ids, _ in self._added])
            rows = np.empty((len(ids), self.dimension), np.float32)
            place, start = np.argsort(np.argsort(ids)), 0
            for some, vectors in self._added:
                rows[place[start : start + len(some)]] = vectors
                start += len(some)
            self._write(np.sort(ids), rows)
            self._added.clear()
        for path in self._files:
            make_durable(path)

    def append(self, ids: NDArray[np.int64], vectors: Matrix) -> None:
        """Write vectors, by id; see `isomatch.link.scan.write` for errors."""
        self._write(ids, self._checked(len(ids), vectors))

    def _checked(self, count: int, vectors: Matrix) -> Matrix:
        import numpy as np

        rows = np.ascontiguousarray(vectors, np.float32)
        if rows.shape != (count, self.dimension) or not np.isfinite(rows).all():
            raise VectorIndexError(
                f"a vector for {self.folder} is not of {self.dimension} numbers; run "
                "`isomatch index` to rebuild the index"
            )
        return rows

    def _write(self, ids: NDArray[np.int64], rows: Matrix) -> None:
        import numpy as np

        if self._last is not None and ids[0] <= self._last:
            raise VectorIndexError(
                f"the vectors for {self.folder} do not come by ascending id; run `isomatch index` "
                "to rebuild the index"
            )
        if self._last is None:
            self._count = int(self.ids().searchsorted(ids[0]))
            for path, size in self._files.items():
                os.truncate(path, self._count * size)
        written = (np.ascontiguousarray(ids, np.int64).data, rows.data)
        for path, data in zip(self._files, written, strict=True):
            with path.open("ab") as file:
                file.write(data)
        self._count += len(rows)
        self._last = int(ids[-1])


def make_durable(path: Path) -> None:
    """Return when a file is on disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def mapped(path: Path, kind: type) -> Any:
    """The numbers of a file, which are read when they are needed."""
    import numpy as np

    return np.asarray(np.memmap(path, kind, "r"))

"""The map that makes vectors short for an exact scan (`isomatch.link.scan`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Matrix

    Doubles = NDArray[np.float64]

KEPT = 191  # dimensions beside the remainder's: 192 bytes a vector


class Turn:
    """The map z of `isomatch.link.scan`; ``middle`` is taken off the remainders' lengths."""

    def __init__(self, mean: Doubles, axes: Doubles, middle: float):
        self.mean, self.axes, self.middle = mean, axes, middle
        self.width = axes.shape[1] + 1

    @classmethod
    def of(cls, sample: Matrix) -> Turn:
        """By the principal components of a sample."""
        import numpy as np

        rows = sample.astype(np.float64)
        mean = rows.mean(axis=0)
        rows -= mean
        _, axes = np.linalg.eigh(rows.T @ rows)
        turn = cls(mean, np.ascontiguousarray(axes[:, ::-1][:, :KEPT]), 0.0)
        turn.middle = float(turn(sample)[:, 0].mean())
        return turn

    def __call__(self, vectors: Any) -> Doubles:
        import numpy as np

        rows = np.asarray(vectors, np.float64) - self.mean
        turned = np.empty((len(rows), self.width))
        turned[:, 1:] = rows @ self.axes
        rest = (rows**2).sum(axis=1) - (turned[:, 1:] ** 2).sum(axis=1)
        turned[:, 0] = np.sqrt(np.maximum(rest, 0.0)) - self.middle
        return turned


def lengths(rows: Doubles) -> Doubles:
    """The length of each row."""
    import numpy as np

    found: Doubles = np.sqrt((rows**2).sum(axis=1))
    return found

"""How sure a figure is: bootstrap intervals, and tests of two runs on the same questions.

numpy alone. Everything random is drawn from a seed, so the same rows give the same
intervals and the same p-values.

Sources:
    Efron and Tibshirani 1993, chapter 13 (percentile interval) and 15 (permutation).
    Dror et al. 2018, "The Hitchhiker's Guide to Testing Statistical Significance in
    NLP": paired permutation for means such as F1, McNemar for hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 1000
FLIPS = 10_000
LEVEL = 0.95
_CELLS = 4_000_000  # numbers held at a time: 32 MB

Interval = tuple[float, float]


def intervals(
    columns: Mapping[str, Sequence[float]],
    seed: int,
    *,
    ratios: Mapping[str, tuple[str, Sequence[str], float]] | None = None,
) -> dict[str, Interval]:
    """95 % percentile intervals of the means of some columns, over the same resamples.

    Args:
        columns: values by question, all of one length. The names of those that only
            ratios need begin with an underscore and get no interval.
        seed: of the resampling.
        ratios: name to (column above, columns below, factor): an interval of
            ``factor · sum(above) / sum(below)``, as micro-F1 is
            ``2 · shared / (found + right)``.

    Example:
        >>> intervals({"hit": [1.0] * 9}, seed=1)
        {'hit': (1.0, 1.0)}
    """
    import numpy as np

    names = list(columns)
    size = len(columns[names[0]]) if names else 0
    if not size:
        return {}
    values = np.asarray([columns[name] for name in names], dtype=np.float64).T
    means = _resampled_means(values, seed)
    place = {name: i for i, name in enumerate(names)}
    drawn = {name: means[:, i] for name, i in place.items() if not name.startswith("_")}
    for name, (above, below, factor) in (ratios or {}).items():
        total = sum(means[:, place[column]] for column in below)
        wanted = factor * means[:, place[above]]
        drawn[name] = np.divide(wanted, total, out=np.zeros_like(wanted), where=total > 0)
    return {name: _interval(drawn[name]) for name in drawn}


@dataclass(frozen=True, slots=True)
class Difference:
    """What the second run has more than the first, over the questions of both.

    Attributes:
        first, second: the means.
        difference: ``second - first``.
        interval: 95 % of it, by resampling questions.
        p: of a difference as large by chance alone, two-sided.
        test: ``permutation`` or ``McNemar``.
    """

    first: float
    second: float
    difference: float
    interval: Interval
    p: float
    test: str


def compare_means(first: Sequence[float], second: Sequence[float], seed: int) -> Difference:
    """Paired permutation test: the sign of each question's difference is a coin.

    Where nothing but the outcome of hits (0 or 1) differs, McNemar's exact test is
    used, which is the same test without chance.

    Args:
        first, second: values of the same questions in the same order, at least one.
        seed: of coins and resamples.
    """
    import numpy as np

    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    differences = b - a
    interval = _interval(_resampled_means(differences[:, None], seed)[:, 0])
    hits = bool(np.isin(a, (0.0, 1.0)).all() and np.isin(b, (0.0, 1.0)).all())
    if hits:
        p = mcnemar(int((differences < 0).sum()), int((differences > 0).sum()))
    else:
        p = _permutation(differences, seed)
    return Difference(
        float(a.mean()),
        float(b.mean()),
        float(differences.mean()),
        interval,
        p,
        "McNemar" if hits else "permutation",
    )


def mcnemar(lost: int, won: int) -> float:
    """The exact p-value of so many questions lost and won, two-sided (McNemar 1947).

    Example:
        >>> mcnemar(1, 5)
        0.21875
    """
    changed = lost + won
    tail = sum(comb(changed, k) for k in range(min(lost, won) + 1))
    return min(1.0, 2 * tail / (1 << changed))


def _permutation(differences: Floats, seed: int) -> float:
    import numpy as np

    changed = differences[differences != 0]
    if not len(changed):
        return 1.0
    generator = np.random.default_rng(seed)
    least = abs(changed.sum()) - 1e-9  # sums of the same numbers in another order
    as_large = 1  # the differences as they are
    for rows in _blocks(FLIPS, len(changed)):
        coins = generator.integers(0, 2, size=(rows, len(changed)), dtype=np.int8)
        sums = np.abs((2.0 * coins - 1.0) @ changed)
        as_large += int((sums >= least).sum())
    return float(as_large / (FLIPS + 1))


def _resampled_means(values: Floats, seed: int) -> Floats:
    """Means of the columns in each of the resamples; (resamples, columns).

    Equal rows are drawn together, how often by the multinomial distribution: the same
    as to draw rows one by one, and much faster where few rows differ. So the order of
    the rows does not count either.
    """
    import numpy as np

    size = len(values)
    generator = np.random.default_rng(seed)
    distinct, counts = np.unique(values, axis=0, return_counts=True)
    means = []
    for rows in _blocks(RESAMPLES, len(distinct)):
        drawn = generator.multinomial(size, counts / size, size=rows)
        means.append(drawn.astype(np.float64) @ distinct / size)
    return np.concatenate(means)


def _blocks(count: int, size: int) -> list[int]:
    """How many rows of so many cells to hold at a time."""
    rows = max(1, min(count, _CELLS // max(size, 1)))
    return [min(rows, count - done) for done in range(0, count, rows)]


def _interval(drawn: Floats) -> Interval:
    import numpy as np

    outside = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (outside, 1 - outside))
    return float(low), float(high)

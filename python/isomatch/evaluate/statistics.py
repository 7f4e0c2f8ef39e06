"""Bootstrap intervals of figures, and significance tests of two runs on the same questions.

Everything random is drawn from a seed, so the same rows give the same intervals and the
same p-values. Intervals need numpy alone; the tests are those of `scipy.stats`.

Sources:
    Efron and Tibshirani 1993, chapter 13 (percentile interval) and 15 (permutation).
    Dror et al. 2018, "The Hitchhiker's Guide to Testing Statistical Significance in
    NLP": paired permutation for means such as F1, McNemar for hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 1000
PERMUTATIONS = 10_000
BATCH = 16  # permutations held in memory at a time
LEVEL = 0.95

Interval = tuple[float, float]
Ratio = tuple[str, Sequence[str], float]


def intervals(
    columns: Mapping[str, Sequence[float]], seed: int, *, ratios: Mapping[str, Ratio] | None = None
) -> dict[str, Interval]:
    """95 % percentile intervals of the means of some columns, over the same resamples.

    Args:
        columns: values by question, all of one length. Names that begin with an
            underscore are for ratios only and get no interval.
        seed: of the resampling.
        ratios: name to (numerator, denominators, factor): an interval of
            ``factor · sum(numerator) / sum(denominators)``, as micro-F1 is
            ``2 · shared / (found + right)``.

    Example:
        >>> intervals({"hit": [1.0] * 9}, seed=1)
        {'hit': (1.0, 1.0)}
    """
    names = list(columns)
    if not names or not len(columns[names[0]]):
        return {}
    values = np.asarray([columns[name] for name in names], dtype=np.float64).T
    means = dict(zip(names, _resampled_means(values, seed).T, strict=True))
    resampled = {name: drawn for name, drawn in means.items() if not name.startswith("_")}
    for name, (numerator, denominators, factor) in (ratios or {}).items():
        total = sum(means[column] for column in denominators)
        share = factor * means[numerator]
        resampled[name] = np.divide(share, total, out=np.zeros_like(share), where=total > 0)
    return {name: _interval(drawn) for name, drawn in resampled.items()}


def share_interval(share: float, n: int) -> Interval:
    """The 95 % interval of a share of ``n`` outcomes (Wilson 1927).

    Resamples of outcomes that are all the same would give one without width.

    Example:
        >>> low, high = share_interval(1.0, 2)
        >>> round(low, 2), high
        (0.34, 1.0)
    """
    z2 = 1.959964**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (share * (1 - share) / n + z2 / (4 * n * n))) ** 0.5 / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Difference:
    """How the second run differs from the first, over the questions of both.

    Attributes:
        first, second: the means.
        interval: 95 % interval of the difference, by resampling questions.
        p: two-sided probability of a difference as large by chance.
        test: ``permutation`` or ``McNemar``.
    """

    first: float
    second: float
    difference: float
    interval: Interval
    p: float
    test: str


def compare_means(first: Sequence[float], second: Sequence[float], seed: int) -> Difference:
    """Test the difference of two means of the same questions, at least one, in the same order.

    Hits (all values 0 or 1) are tested by McNemar's exact test, other values by a paired
    permutation test over the signs of the differences; the seed draws both and resamples.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    differences = b - a
    hits = bool(np.isin([a, b], (0.0, 1.0)).all())
    if hits:
        p = mcnemar(int((differences < 0).sum()), int((differences > 0).sum()))
    else:
        p = _permutation_p(differences[differences != 0], seed)
    return Difference(
        first=float(a.mean()),
        second=float(b.mean()),
        difference=float(differences.mean()),
        interval=_interval(_resampled_means(differences[:, None], seed)[:, 0]),
        p=p,
        test="McNemar" if hits else "permutation",
    )


def mcnemar(lost: int, won: int) -> float:
    """The exact two-sided p-value of McNemar's test, from the questions that changed.

    Raises:
        MissingExtraError: scipy is not installed.

    Example:
        >>> mcnemar(1, 5)
        0.21875
    """
    if lost + won == 0:
        return 1.0
    return float(_scipy_stats().binomtest(min(lost, won), lost + won).pvalue)


def _permutation_p(differences: Floats, seed: int) -> float:
    """The p-value of a sign-flip permutation test.

    `scipy.stats.permutation_test` has the same test, and shuffles each pair by itself:
    15 seconds for 3,000 questions, where signs drawn at once take 0.3.
    """
    if not len(differences):
        return 1.0
    generator = np.random.default_rng(seed)

    def flipped(size: tuple[int, ...]) -> Floats:
        signs = generator.integers(0, 2, size=size, dtype=np.int8)
        return (2.0 * signs - 1.0) * differences

    test = _scipy_stats().monte_carlo_test(
        differences, flipped, np.sum, n_resamples=PERMUTATIONS, batch=BATCH
    )
    return float(test.pvalue)


def _scipy_stats() -> Any:
    try:
        from scipy import stats
    except ImportError as error:
        raise MissingExtraError(
            "tests of significance need scipy: pip install 'isomatch[report]'"
        ) from error
    return stats


def _resampled_means(values: Floats, seed: int) -> Floats:
    """Means of the columns in each bootstrap resample; (resamples, columns).

    Equal rows are drawn together, by the multinomial distribution: the same as drawing
    rows one by one, independent of their order, and much faster where few rows differ.
    """
    distinct, counts = np.unique(values, axis=0, return_counts=True)
    generator = np.random.default_rng(seed)
    size = len(values)
    draws = (generator.multinomial(size, counts / size) for _ in range(RESAMPLES))
    return np.asarray([drawn @ distinct / size for drawn in draws])


def _interval(resampled: Floats) -> Interval:
    low, high = np.percentile(resampled, (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return float(low), float(high)

"""Scores of answers: Hits@1, hit@3, precision, recall and F1, and times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Score:
    """How one result compares with the right answers.

    Attributes:
        hit_at_1: the first answer of the first interpretation is right.
        hit_at_3: one of the first three interpretations holds a right answer.
        precision, recall, f1: of the first interpretation's answers, as a set
            of names; 0 where there are none.
    """

    hit_at_1: bool
    hit_at_3: bool
    precision: float
    recall: float
    f1: float


def score(found: Sequence[Sequence[str]], answers: Iterable[str]) -> Score:
    """Compare names of answers with the right ones.

    Args:
        found: one sequence of names for each interpretation, best first.
        answers: names of all right answers.

    Example:
        >>> score([["Heat", "Ali"]], ["Ali", "Thief"])
        Score(hit_at_1=False, hit_at_3=True, precision=0.5, recall=0.5, f1=0.5)
    """
    right = {plain(name) for name in answers}
    first = [plain(name) for name in found[0]] if found else []
    shared = len(right & set(first))
    precision = shared / len(set(first)) if first else 0.0
    recall = shared / len(right) if right else 0.0
    return Score(
        hit_at_1=bool(first) and first[0] in right,
        hit_at_3=any(plain(name) in right for names in found[:3] for name in names),
        precision=precision,
        recall=recall,
        f1=2 * shared / (len(set(first)) + len(right)) if first and right else 0.0,
    )


def plain(name: str) -> str:
    """The name as it is compared: underscores and runs of space are one space."""
    return " ".join(name.replace("_", " ").split())


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Means over questions, by the report's keys; all 0 for no question."""

    def mean(values: Iterable[float]) -> float:
        return fmean(values) if scores else 0.0

    return {
        "questions": len(scores),
        "hits_at_1": mean(s.hit_at_1 for s in scores),
        "hit_at_3": mean(s.hit_at_3 for s in scores),
        "macro_precision": mean(s.precision for s in scores),
        "macro_recall": mean(s.recall for s in scores),
        "macro_f1": mean(s.f1 for s in scores),
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, mean and 99th percentile, by linear interpolation between values.

    Example:
        >>> spread([1.0, 2.0, 6.0])["p50"]
        2.0
    """
    ordered = sorted(values)
    return {
        "p50": _percentile(ordered, 0.5),
        "mean": fmean(ordered) if ordered else 0.0,
        "p99": _percentile(ordered, 0.99),
    }


def stages(rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The spread of each station's milliseconds; a station that did not run took 0."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: spread([row.get(name, 0.0) for row in rows]) for name in names}


def _percentile(ordered: Sequence[float], share: float) -> float:
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

"""Scores of answers and of retrieval, and spreads of times.

Names are compared by a `Naming`. Answers are compared as sets: a name that is given
twice counts once.

Sources:
    GSR (Huang et al. 2024), section 5: Hits@1 takes the first answer, Hits all;
    precision, recall and F1 of a retrieved subgraph are those of the answers in it.
    SubgraphRAG (Li et al. 2025), section 4.1: recall of triples and of answers among
    the K best triples; section 4.2 and appendix C: macro-F1, micro-F1, Hit, Hit@1,
    Score_h.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from isomatch.judge.facts import grounding, score_h

CUTS = (10, 20, 50, 100, 200, 400)
"""The K of recall among the K best triples."""

_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Naming:
    """How two names are compared. Underscores and runs of spaces count as one space.

    Attributes:
        fold_case: whether to ignore the case of letters.
        aliases: alias to the name that it stands for.
        numbers: whether names that are numbers are compared as such: whole ones exactly,
            others to four digits.

    Example:
        >>> Naming(aliases={"Big Apple": "New York City"}).key("Big_Apple")
        'New York City'
        >>> Naming().key("heat") == Naming().key("Heat")
        False
    """

    fold_case: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    numbers: bool = False
    _canonical: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pairs = {self._normal(alias): self._normal(name) for alias, name in self.aliases.items()}
        object.__setattr__(self, "_canonical", pairs)

    def key(self, name: str) -> str:
        """The normalised name; equal for names that count as one."""
        text = self._normal(name)
        text = self._canonical.get(text, text)
        return _number(text) if self.numbers else text

    def keys(self, names: Iterable[str]) -> list[str]:
        """The normalised names without duplicates, in order."""
        return list(dict.fromkeys(map(self.key, names)))

    def record(self) -> dict[str, object]:
        numbers = {"numbers": True} if self.numbers else {}
        return {"fold_case": self.fold_case, "aliases": dict(self.aliases), **numbers}

    def _normal(self, name: str) -> str:
        text = " ".join(name.replace("_", " ").split())
        return text.casefold() if self.fold_case else text


def _number(text: str) -> str:
    """A number in one form, and any other text as it is."""
    if not _DECIMAL.fullmatch(text):
        return text
    value = float(text)
    return f"{value:.0f}" if value.is_integer() else f"{value:.4g}"


DEFAULT = Naming()


# -- answers ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """How one result compares with the right answers.

    Attributes:
        hit_at_1: the first answer is right (Hits@1).
        hit: at least one of the answers is right (GSR's Hits, SubgraphRAG's Hit).
        hit_at_3: one of the first three interpretations holds a right answer.
        precision, recall, f1: of the answers as a set; 0 where there are none.
        exact: all right answers were given, and no other.
        grounded: the question's part of Score_h, -1.5 to 1; see `grounding`.
        shared, found, right: numbers of correct, given and right answers.
    """

    hit_at_1: bool
    hit: bool
    hit_at_3: bool
    precision: float
    recall: float
    f1: float
    exact: bool
    grounded: float
    shared: int
    found: int
    right: int


def score(
    found: Sequence[Sequence[str]],
    answers: Iterable[str],
    *,
    answerable: bool = True,
    retrieved: Iterable[str] = (),
    naming: Naming = DEFAULT,
) -> Score:
    """Compare names of answers with the right ones.

    Args:
        found: names of answers for each interpretation, best first; the first
            interpretation is the answer.
        answerable: whether the graph holds a right answer.
        retrieved: names in the evidence; Score_h needs them where the question is not
            answerable.

    Example:
        >>> score([["Heat", "Ali"], ["Thief"]], ["Ali", "Thief"]).f1
        0.5
    """
    right = set(naming.keys(answers))
    first = naming.keys(found[0]) if found else []
    shared = len(right.intersection(first))
    return Score(
        hit_at_1=bool(first) and first[0] in right,
        hit=shared > 0,
        hit_at_3=any(naming.key(name) in right for names in found[:3] for name in names),
        precision=shared / len(first) if first else 0.0,
        recall=shared / len(right) if right else 0.0,
        f1=2 * shared / (len(first) + len(right)) if shared else 0.0,
        exact=bool(right) and right == set(first),
        grounded=grounding(
            first, right, answerable=answerable, retrieved=set(naming.keys(retrieved))
        ),
        shared=shared,
        found=len(first),
        right=len(right),
    )


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """A point of `risk_coverage`.

    Attributes:
        coverage: share of the questions that are answered.
        risk: share of these answers that are not exactly right.
        least_score: of the answers that are given.
    """

    coverage: float
    risk: float
    least_score: float


COLUMNS: Mapping[str, Callable[[Score], float]] = {
    "hits_at_1": lambda s: float(s.hit_at_1),
    "hit": lambda s: float(s.hit),
    "hit_at_3": lambda s: float(s.hit_at_3),
    "macro_precision": lambda s: s.precision,
    "macro_recall": lambda s: s.recall,
    "macro_f1": lambda s: s.f1,
    "exact": lambda s: float(s.exact),
    "wrong": lambda s: float(s.found > 0 and not s.exact),
    "unanswered": lambda s: float(s.found == 0),
    "score_h": lambda s: score_h([s.grounded]),
}
"""Figures that are means over questions, each from the score of one question."""


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Scores of a set by the report's keys; all 0 for no question.

    ``macro_…`` are means over questions; ``micro_…`` count every answer of every
    question alike, so that questions with many answers weigh more.
    """
    shared, found, right = (
        sum(getattr(s, key) for s in scores) for key in ("shared", "found", "right")
    )
    return {
        "questions": len(scores),
        **{key: mean([column(s) for s in scores]) for key, column in COLUMNS.items()},
        "micro_precision": shared / found if found else 0.0,
        "micro_recall": shared / right if right else 0.0,
        "micro_f1": 2 * shared / (found + right) if found + right else 0.0,
    }


def risk_coverage(answered: Iterable[tuple[float, bool]], questions: int) -> list[RiskPoint]:
    """What is wrong of the answers that are given, if only the surest ones are given.

    The curve of selective prediction (El-Yaniv and Wiener 2010): a point for each score,
    highest first.

    Args:
        answered: the score of each answer, and whether it is exactly right.
        questions: number of all questions, answered or not.

    Example:
        >>> risk_coverage([(0.9, True), (0.4, False)], 4)[-1]
        RiskPoint(coverage=0.5, risk=0.5, least_score=0.4)
    """
    ranked = sorted(answered, key=lambda one: -one[0])
    points: list[RiskPoint] = []
    wrong = 0
    for count, (score, right) in enumerate(ranked, 1):
        wrong += not right
        if points and points[-1].least_score == score:
            points.pop()  # answers of one score are given together
        points.append(RiskPoint(count / questions, wrong / count, score))
    return points


# -- retrieval ----------------------------------------------------------------------


def recall_at(ranked: Sequence[Hashable], wanted: Collection[Hashable]) -> dict[int, float]:
    """Share of the wanted triples among the K best, for each K of `CUTS`.

    Example:
        >>> recall_at(["t1", "t2"], {"t2", "t3"})[10]
        0.5
    """
    return {k: len(set(ranked[:k]).intersection(wanted)) / len(set(wanted)) for k in CUTS}


def answer_recall_at(
    ranked: Sequence[Collection[str]], answers: Iterable[str], naming: Naming = DEFAULT
) -> dict[int, float]:
    """Share of the right answers that are named in the K best triples, for each K of `CUTS`.

    Args:
        ranked: names of the two ends of each triple, best triple first.
        answers: names of all right answers, at least one.
    """
    right = set(naming.keys(answers))
    shares: dict[int, float] = {}
    seen: set[str] = set()
    before = 0
    for k in CUTS:
        seen.update(naming.key(name) for ends in ranked[before:k] for name in ends)
        shares[k] = len(right & seen) / len(right)
        before = k
    return shares


@dataclass(frozen=True, slots=True)
class ChainScore:
    """How retrieved chains compare with the gold one, and their ends with the answers.

    Attributes:
        hit_at_1, hit_at_3: the gold chain is the best, or among the best three; None
            where no gold chain is known.
        precision, recall, f1: of the nodes where the retrieved chains end, all
            together, against the right answers (GSR, table 1).
    """

    hit_at_1: bool | None
    hit_at_3: bool | None
    precision: float
    recall: float
    f1: float


def chain_score(
    chains: Sequence[Hashable],
    gold: Hashable | None,
    ends: Iterable[str],
    answers: Iterable[str],
    naming: Naming = DEFAULT,
) -> ChainScore:
    """Compare retrieved chains with what is known.

    Args:
        chains: best first, in any form in which equal chains are equal.
        gold: in the same form; None where it is not known.
        ends: names of the nodes where any of the chains ends.
        answers: names of all right answers.
    """
    reached = score([list(ends)], answers, naming=naming)
    first, among_three = (None if gold is None else gold in chains[:n] for n in (1, 3))
    return ChainScore(first, among_three, reached.precision, reached.recall, reached.f1)


# -- time ---------------------------------------------------------------------------


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, mean and 99th percentile; all 0 for no values.

    Example:
        >>> spread([1.0, 2.0, 6.0])["p50"]
        2.0
    """
    import numpy as np

    if not values:
        return dict.fromkeys(("p50", "mean", "p99"), 0.0)
    p50, p99 = np.percentile(values, (50, 99))
    return {"p50": float(p50), "mean": mean(values), "p99": float(p99)}


def stages(rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The spread of each station's milliseconds; a station that did not run took 0.

    In the order of the stations, with ``total`` last.
    """
    names = sorted(dict.fromkeys(n for row in rows for n in row), key=lambda n: n == "total")
    return {name: spread([row.get(name, 0.0) for row in rows]) for name in names}


def mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0

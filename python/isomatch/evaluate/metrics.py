"""Scores of answers and spreads of times: definitions, each with its source.

Those of retrieval are in `isomatch.evaluate.retrieval`. Names are compared by a
`Naming`, which is an argument wherever names meet. Answers are compared as sets: a
name that is given twice counts once.

Sources:
    GSR (Huang et al. 2024), section 5: Hits@1 takes the first answer, Hits all.
    SubgraphRAG (Li et al. 2025), section 4.2 and appendix C: macro-F1, micro-F1,
    Hit, Hit@1, Score_h.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

# Score_h of one question lies between these: every answer is invented, or every one right.
WORST, BEST = -1.5, 1.0


@dataclass(frozen=True, slots=True)
class Naming:
    """How two names are compared: underscores and runs of space are one space.

    Attributes:
        fold_case: "heat" is "Heat".
        aliases: another name to the name that stands for it; both are compared as
            the other settings say.

    Example:
        >>> Naming(aliases={"Big Apple": "New York City"}).key("Big_Apple")
        'New York City'
        >>> Naming().key("heat") == Naming().key("Heat")
        False
    """

    fold_case: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)
    _stands_for: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pairs = {self._plain(other): self._plain(name) for other, name in self.aliases.items()}
        object.__setattr__(self, "_stands_for", pairs)

    def key(self, name: str) -> str:
        """What is compared; equal for names that count as one."""
        text = self._plain(name)
        return self._stands_for.get(text, text)

    def keys(self, names: Iterable[str]) -> list[str]:
        """The names as they are compared, each once, in order."""
        return list(dict.fromkeys(map(self.key, names)))

    def _plain(self, name: str) -> str:
        text = " ".join(name.replace("_", " ").split())
        return text.casefold() if self.fold_case else text


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
        exact: the answers are the right ones, all of them and no other.
        grounded: what the question adds to Score_h, -1.5 to 1; see `grounding`.
        shared, found, right: how many answers are right, given, and wanted.
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
        found: one sequence of names for each interpretation, best first; the first
            one is the answer.
        answers: names of all right answers.
        answerable: whether the graph holds a right answer at all.
        retrieved: names in what was retrieved; they count for Score_h where the
            question is not answerable.
        naming: how names are compared.

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


def grounding(
    found: Sequence[str],
    right: Collection[str],
    *,
    answerable: bool,
    retrieved: Collection[str] = (),
) -> float:
    """What one question adds to Score_h: ``s / a`` of SubgraphRAG, appendix C.

    Where the graph holds an answer, a right answer counts 1 and a wrong one -1, and
    to give none counts 0. Where it holds none, to give none counts 1, an answer that
    is among what was retrieved -1, any other -1.5. The sum is divided by the number
    of answers given (by 1 where none was).
    """
    if not found:
        return 0.0 if answerable else 1.0
    if answerable:
        return sum(1 if name in right else -1 for name in found) / len(found)
    return sum(-1.0 if name in retrieved else WORST for name in found) / len(found)


def score_h(grounded: Sequence[float]) -> float:
    """Score_h of a set, 0 to 100: the mean of `grounding`, from [-1.5, 1] to [0, 100].

    The paper says "min-max normalization" and not between which bounds. Those of a
    single question are the only ones that its tables allow: 63.45 beside a Hit of
    11.43 (table 7) would be a mean of 0.27 over [-1, 1], which that few hits cannot give.

    Example:
        >>> score_h([1.0, -1.5])
        50.0
    """
    return 100 * (mean(grounded) - WORST) / (BEST - WORST) if grounded else 0.0


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
        "hits_at_1": mean([s.hit_at_1 for s in scores]),
        "hit": mean([s.hit for s in scores]),
        "hit_at_3": mean([s.hit_at_3 for s in scores]),
        "macro_precision": mean([s.precision for s in scores]),
        "macro_recall": mean([s.recall for s in scores]),
        "macro_f1": mean([s.f1 for s in scores]),
        "micro_precision": shared / found if found else 0.0,
        "micro_recall": shared / right if right else 0.0,
        "micro_f1": 2 * shared / (found + right) if found + right else 0.0,
        "exact": mean([s.exact for s in scores]),
        "score_h": score_h([s.grounded for s in scores]),
    }


# -- time ---------------------------------------------------------------------------


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, mean and 99th percentile, by linear interpolation between values.

    Example:
        >>> spread([1.0, 2.0, 6.0])["p50"]
        2.0
    """
    ordered = sorted(values)
    return {
        "p50": _percentile(ordered, 0.5),
        "mean": mean(ordered),
        "p99": _percentile(ordered, 0.99),
    }


def stages(rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The spread of each station's milliseconds; a station that did not run took 0.

    In the order of the stations, with ``total`` last.
    """
    names = sorted(dict.fromkeys(n for row in rows for n in row), key=lambda n: n == "total")
    return {name: spread([row.get(name, 0.0) for row in rows]) for name in names}


def mean(values: Sequence[float]) -> float:
    """The mean; 0 for no values."""
    return fmean(values) if values else 0.0


def _percentile(ordered: Sequence[float], share: float) -> float:
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

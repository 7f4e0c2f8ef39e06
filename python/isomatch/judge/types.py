"""What a judge is given, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from isomatch.llm import Usage

Outcome = Literal[
    "supported",
    "not supported",
    "irrelevant",
    "rated",
    "stated",
    "no facts",
    "not judged",
    "invalid",
]
"""``stated`` is a fact that a sentence was taken apart into. ``no facts`` is an answer that states
nothing, ``not judged`` one that a metric cannot be applied to, and ``invalid`` a judge that replied
outside the form, twice: none of the three counts for an answer."""

CHECKS = ("factscore", "safe")
CRITERIA = ("context_relevance", "comprehensiveness", "correctness", "empowerment")
RULES = ("supported_sentences", "cited_named", "name_recall", "grounded")
MODEL_METRICS = (*CHECKS, *CRITERIA)
METRICS = (*MODEL_METRICS, *RULES)


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to be judged.

    Attributes:
        question: as asked.
        answer: the text.
        context: lines of the evidence that it was written from, as ``[1] Heat | directed by |
            Michael Mann``; lines without numbers are numbered from 1.
        reference: texts that its facts are checked against.
        right: names of the right answers, where they are known.
        given: names that were given as answers; None where the answer is text alone.
    """

    question: str
    answer: str
    context: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    given: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement, with its reason.

    Attributes:
        metric: of `METRICS`.
        about: the fact, sentence, name or criterion that was judged.
        outcome: see `Outcome`.
        reason: in words; for ``invalid`` what was wrong with the judge's reply.
        value: of a rating, 0 to 1.
        weighted: whether the value is the mean of all ratings by their probabilities.
        evidence: passages that a search found for it.
    """

    metric: str
    about: str
    outcome: Outcome
    reason: str
    value: float | None = None
    weighted: bool = False
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """What one metric says of one answer.

    Attributes:
        score: None where the metric cannot say.
        usage: what the judge's replies cost.
    """

    score: float | None
    verdicts: tuple[Verdict, ...]
    usage: Usage = field(default_factory=Usage)

    def as_json(self) -> dict[str, Any]:
        """An object that `of_json` reads."""
        return asdict(self)

    @classmethod
    def of_json(cls, row: Mapping[str, Any]) -> Scored:
        """The inverse of `as_json`; a KeyError or TypeError where it is none."""
        verdicts = (
            Verdict(**{**verdict, "evidence": tuple(verdict["evidence"])})
            for verdict in row["verdicts"]
        )
        return cls(row["score"], tuple(verdicts), Usage(**row["usage"]))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge says of one answer.

    Attributes:
        scores: by metric: 0 to 1, but ``grounded`` -1.5 to 1; None where a metric cannot say.
            An invalid verdict counts against the answer in a share; where all are invalid
            the score is None.
        verdicts: all, in the order of the metrics.
        usage: what the judge's replies cost, those that a log had kept included.
        model: name of the judge; None where rules alone judged.
    """

    question: str
    answer: str
    scores: dict[str, float | None]
    verdicts: tuple[Verdict, ...]
    usage: Usage = field(default_factory=Usage)
    model: str | None = None

    @property
    def invalid(self) -> int:
        """How many verdicts are missing because the judge replied outside the form."""
        return sum(verdict.outcome == "invalid" for verdict in self.verdicts)

    def as_json(self) -> dict[str, Any]:
        """An object that is ready for JSON."""
        return asdict(self)


def unusable(outcomes: Mapping[str, int]) -> bool:
    """Whether a model judged, and no reply of it could be used.

    Args:
        outcomes: of the metrics that ask a model, counted.
    """
    nothing = {"invalid", "no facts", "not judged", "no reference"}
    return bool(outcomes.get("invalid")) and nothing.issuperset(o for o, n in outcomes.items() if n)


def share(verdicts: Sequence[Verdict]) -> float | None:
    """The share of supported ones; invalid ones count as not supported.

    None where there is nothing to share, or all are invalid.

    Example:
        >>> said = [Verdict("safe", "a", "supported", ""), Verdict("safe", "b", "invalid", "")]
        >>> share(said), share(said[1:])
        (0.5, None)
    """
    counted = [v for v in verdicts if v.outcome in ("supported", "not supported", "invalid")]
    if all(v.outcome == "invalid" for v in counted):
        return None
    return sum(v.outcome == "supported" for v in counted) / len(counted)

"""What a retriever gives: matches, triples, and which of them may carry an answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.interpret.types import Coverage
from isomatch.match.nearness import DEFAULT, Nearness
from isomatch.match.types import count_of
from isomatch.options import RetrieverName

if TYPE_CHECKING:
    from isomatch.interpret.types import Hypothesis, Span
    from isomatch.match.types import Choice, Interpretation, MatchResult
    from isomatch.pattern.types import Pattern
    from isomatch.prizes.selection import Selection
    from isomatch.triples.ranking import ScoredTriple

LEAST_SCORE = 0.5
EQUAL = 1e-3
"""Distance up to which texts are the same."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a retriever found for a question, for a reader to answer from.

    Attributes:
        retriever: decides how a reader is shown the evidence: facts by hypothesis
            (``pattern``), paths (``chain``, ``paths``), a list of triples, or paths and
            then triples (``fused``).
        matched: how the question was understood, with the matches; best first.
            Empty where only triples were asked for.
        triples: best first.
        topics: ids of the nodes that the question is about.
        notes: in words.
        selection: of evidence by prizes and costs, what is proven about it.
    """

    retriever: RetrieverName = "pattern"
    matched: tuple[tuple[Hypothesis | None, MatchResult], ...] = ()
    triples: tuple[ScoredTriple, ...] = ()
    topics: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    selection: Selection | None = None


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Which hypotheses and matches may carry an answer.

    Attributes:
        nearness: which interpretations are near enough; None for every one.
        least_score: a hypothesis with a lower score (`Hypothesis.score`) answers
            nothing. Chains that mean the question score 0.66 and more on the demo's
            graph, those taken for want of better ones 0.33 to 0.57.
        whole: whether a hypothesis that leaves out any content word answers nothing, not
            only one that leaves out what makes it another question (`Coverage.missing`).
    """

    nearness: Nearness | None = DEFAULT
    least_score: float = LEAST_SCORE
    whole: bool = False

    def accepts(self, result: MatchResult, hypothesis: Hypothesis | None = None) -> bool:
        """Whether a hypothesis is probable and whole, and has a match that is near enough."""
        return (
            self.is_probable(hypothesis)
            and self.is_whole(hypothesis)
            and self.has_near(result, hypothesis)
        )

    def is_whole(self, hypothesis: Hypothesis | None) -> bool:
        """Whether a hypothesis accounts for all that makes the question what it is."""
        return not self.missing(hypothesis)

    def missing(self, hypothesis: Hypothesis | None) -> tuple[Span, ...]:
        """What a hypothesis leaves out and may not."""
        if hypothesis is None or hypothesis.coverage is None:
            return ()
        return hypothesis.coverage.left_out if self.whole else hypothesis.coverage.missing

    def is_probable(self, hypothesis: Hypothesis | None) -> bool:
        """Whether the score is high enough; a pattern given by hand always is."""
        return hypothesis is None or hypothesis.score >= self.least_score

    def has_near(self, result: MatchResult, hypothesis: Hypothesis | None = None) -> bool:
        """Whether some interpretation is near enough to answer from."""
        return bool(self.near(result, hypothesis))

    def near(
        self, result: MatchResult, hypothesis: Hypothesis | None = None
    ) -> list[Interpretation]:
        """The interpretations that are near enough, and have matches, a count or a value.

        Types only rank, but for those that a question asks for (`Coverage.asked_types`). Where
        a reading took all words from the graph, nothing else may stand for them. None are counted
        where words were taken for others: what these say may be of some.
        """
        told = hypothesis is not None and hypothesis.adds_meaning
        coverage = (hypothesis.coverage if hypothesis is not None else None) or Coverage()
        return [
            i
            for i in result.interpretations
            if result.gives(i)
            and (self.nearness is None or self.nearness.holds(i))
            and not _has_other_types(i, coverage.asked_types)
            and not (coverage.exact and _has_others(i))
            and not (told and _counts_none(result.pattern, i))
        ]

    def holds(self, result: MatchResult, hypothesis: Hypothesis | None = None) -> bool | None:
        """What a hypothesis that asks yes or no is answered by; None where that is not known.

        No is the answer only of a hypothesis that has a place for every word of the question,
        whose words are all the graph's, of whose names none was taken for another, or for one of
        the things that have it, which adds no relation that no word says, and which asks for all
        that may make it so.
        """
        if not (result.pattern.ask and self.is_probable(hypothesis) and self.is_whole(hypothesis)):
            return None
        if self.has_near(result, hypothesis):
            return True
        if hypothesis is not None and (hypothesis.adds_meaning or not hypothesis.may_deny):
            return None
        if not (result.refuted and is_exact(hypothesis)) or _takes_a_kind(hypothesis):
            return None
        return False

    def is_near(self, choice: Choice) -> bool:
        """Whether a name or relation may be taken for this element."""
        return self.nearness is None or self.nearness.near(choice)


def _counts_none(pattern: Pattern, interpretation: Interpretation) -> bool:
    return pattern.count is not None and count_of(pattern.count, interpretation).value == 0


def is_exact(hypothesis: Hypothesis | None) -> bool:
    """Whether nothing of a question is left out or read as what is called otherwise.

    A pattern given by hand says all of it.
    """
    coverage = hypothesis.coverage if hypothesis is not None else None
    return coverage is None or (coverage.exact and not coverage.left_out)


def _takes_a_kind(hypothesis: Hypothesis | None) -> bool:
    """Whether a name that things of several kinds have is read as one that no word says."""
    if hypothesis is None or hypothesis.coverage is None:
        return False
    said = {span.meaning for span in hypothesis.coverage.understood if span.kind == "type"}
    kinds = {n.type for n in hypothesis.pattern.nodes if n.text is not None}
    return not kinds <= {None, *said}


def _has_others(interpretation: Interpretation) -> bool:
    """Whether anything is read as what is called otherwise."""
    return any(c.distance > EQUAL for c in interpretation.choices) or any(
        map(_has_others, interpretation.parts)
    )


def _has_other_types(interpretation: Interpretation, asked: Collection[str]) -> bool:
    """Whether one of these types is read as a type that is called otherwise."""
    types = (c for c in interpretation.choices if c.part == "type" and c.text in asked)
    return any(c.text != c.name for c in types) or any(
        _has_other_types(part, asked) for part in interpretation.parts
    )

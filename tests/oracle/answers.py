"""Whether two graphs give the same answers: compared by name, since ids differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from isomatch.match.types import Interpretation
from isomatch.pattern.types import Pattern
from isomatch.session import Session

TOLERANCE = 1e-5
SECONDS = 120.0  # for one search; a search that needs longer has no answers to compare
K = 3


@dataclass(frozen=True)
class Answers:
    """What a pattern's nearest interpretations say.

    Attributes:
        gsds: of the best `K` interpretations.
        nearest: of each interpretation at the least GSD, the names of what was chosen
            and of the answers; in an order of their own.
    """

    gsds: tuple[float, ...]
    nearest: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    def same(self, other: Answers) -> bool:
        """Whether distances, choices and answers are the same."""
        return (
            self.nearest == other.nearest
            and len(self.gsds) == len(other.gsds)
            and all(abs(a - b) < TOLERANCE for a, b in zip(self.gsds, other.gsds, strict=True))
        )


def answers(session: Session, pattern: Pattern, **options: Any) -> Answers:
    """All answers of all interpretations at the least GSD, and the GSDs of the best."""
    best = session.match(pattern, k=K, budget_seconds=SECONDS, **options).interpretations
    found = (
        (
            tuple(choice.name for choice in interpretation.choices),
            tuple(
                sorted(
                    {m.bindings[id].name for m in interpretation.matches for id in pattern.answers}
                )
            ),
        )
        for interpretation in _nearest(session, pattern, best, options)
    )
    return Answers(tuple(i.gsd for i in best), tuple(sorted(found)))


def answer_names(
    session: Session, pattern: Pattern, without: frozenset[str] = frozenset(), **options: Any
) -> frozenset[str]:
    """The names of the answers of all interpretations at the least GSD together.

    A graph whose facts are properties has a node and a property's text of one name where
    a graph of relationships alone has one node, so one interpretation there may be two
    here, at the same GSD.

    Args:
        without: names; matches that bind an unknown node to one are left out.
    """
    unknown = [node.id for node in pattern.nodes if not node.known]
    best = session.match(pattern, k=K, budget_seconds=SECONDS, **options).interpretations
    return frozenset(
        match.bindings[id].name
        for interpretation in _nearest(session, pattern, best, options)
        for match in interpretation.matches
        if without.isdisjoint(match.bindings[id].name for id in unknown)
        for id in pattern.answers
    )


def _nearest(
    session: Session, pattern: Pattern, best: Sequence[Interpretation], options: dict[str, Any]
) -> list[Interpretation]:
    """All interpretations at the least GSD with all their matches: asked again, for more of
    both, until nothing is cut."""
    k, limit = K, 1000
    while True:
        first = [i for i in best if i.gsd <= best[0].gsd + TOLERANCE]
        more, cut = len(first) == k, any(i.cut for i in first)
        if not (more or cut):
            return first
        k, limit = k * (2 if more else 1), limit * (10 if cut else 1)
        best = session.match(
            pattern, k=k, limit=limit, budget_seconds=SECONDS, budget_rows=None, **options
        ).interpretations

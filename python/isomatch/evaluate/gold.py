"""Matching of gold patterns, also in other words than the graph's."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from isomatch.errors import ConfigurationError
from isomatch.evaluate.outcome import Outcome, match_outcome
from isomatch.pattern.types import Pattern
from isomatch.questions.datasets import Question

if TYPE_CHECKING:
    from isomatch.session import Session

WORDINGS = ("names", "unknown relation")
Wording = Literal["names", "unknown relation"] | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GoldPattern:
    """Match the pattern that the data gives: linking and search alone.

    Attributes:
        wording: see `reword`.
        seed: of the wording.
        options: of the search.
    """

    wording: Wording = "names"
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, session: Session, question: Question) -> Outcome:
        """See `isomatch.evaluate.systems.System`."""
        if question.pattern is None:
            raise ConfigurationError(f"{question.id} has no gold pattern")
        pattern = reword(question.pattern, self.wording, f"{self.seed} {question.id}")
        return match_outcome(question, session.match(pattern, **self.options))


def reword(pattern: Pattern, wording: Wording, seed: str) -> Pattern:
    """The pattern in another wording.

    Args:
        wording: ``names`` changes nothing; ``unknown relation`` removes the words
            of one relation; a mapping replaces the words of its relations.
        seed: of the choice of the relation that is removed.

    Raises:
        ConfigurationError: an unknown wording.
    """
    if wording == "names":
        return pattern
    edges = list(pattern.edges)
    if wording == "unknown relation":
        place = random.Random(seed).randrange(len(edges))  # noqa: S311 - repeatable, not secret
        edges[place] = replace(edges[place], relation=None)
    elif isinstance(wording, Mapping):
        edges = [replace(e, relation=wording.get(e.relation or "", e.relation)) for e in edges]
    else:
        raise ConfigurationError(
            f"wording must be 'names', 'unknown relation' or a mapping, not {wording!r}"
        )
    return replace(pattern, edges=tuple(edges))


def wording_name(wording: Wording) -> str:
    """The wording, for a report."""
    return wording if isinstance(wording, str) else "paraphrases"

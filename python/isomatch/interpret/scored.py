"""A chain, or two that meet, with the names of a question that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isomatch.lexicon.mentions import Mention
from isomatch.pattern.types import Pattern


@dataclass(frozen=True, slots=True)
class Scored:
    """A hypothesis, the mentions that it uses, and its score."""

    mentions: tuple[Mention, ...]
    pattern: Pattern
    score: float

    def ignored(self, certain: Sequence[Mention]) -> int:
        """How many names of the question lie apart from those that it uses."""
        spans = {
            (m.start, m.end)
            for m in certain
            if all(m.end <= used.start or used.end <= m.start for used in self.mentions)
        }
        return len(spans)

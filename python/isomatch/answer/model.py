"""What the answer station gives: an answer and the facts that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from isomatch.interpret.base import Reading
from isomatch.match.model import Bound, MatchResult, Triple
from isomatch.pattern.model import Pattern

REFUSAL = "The graph does not say."


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact, as an answer cites it.

    Attributes:
        number: what a citation ``[1]`` names; from 1 on, most relevant first.
        triple: the fact as stored.
        rank, gsd: of the best interpretation with a match that holds the fact.
    """

    number: int
    triple: Triple
    rank: int
    gsd: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, or the statement that the graph has none.

    Attributes:
        question: as asked.
        text: in words; `REFUSAL` where the graph does not say.
        answers: graph nodes that answer: without a model, what the asked-for
            parts of the nearest readings are bound to; with one, those of them
            that a cited fact holds.
        supported: whether facts of the graph carry the text.
        evidence: the facts that were at hand, by number.
        cited: numbers of the facts that carry the text, as first cited; without
            a model all of the nearest readings'.
        cut: whether the token budget left facts out.
        result: the matches.
        source: who wrote the text.
        reading: how the question was understood, if it was one.
        notes: in words: how names were read, what was cut, why it was refused.
    """

    question: str
    text: str
    answers: tuple[Bound, ...]
    supported: bool
    evidence: tuple[Evidence, ...]
    cited: tuple[int, ...]
    cut: bool
    result: MatchResult
    source: Literal["graph", "model"]
    reading: Reading | None = None
    notes: tuple[str, ...] = ()

    @property
    def pattern(self) -> Pattern:
        """What was looked for."""
        return self.result.pattern

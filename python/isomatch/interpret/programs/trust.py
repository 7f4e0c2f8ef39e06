"""How much the best composed reading counts beside the programs of a trained decoder."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from isomatch.errors import InterpretationError
from isomatch.interpret.compose.composer import LIKELY
from isomatch.interpret.compose.readings.answering import Reading
from isomatch.interpret.types import Hypothesis, Interpreter
from isomatch.pattern.types import Pattern
from isomatch.trained.artifact import Artifact

TRUSTED = 0.8
"""Trust in composed readings from which no program is needed beside one."""

EVEN = 0.5
"""Score of a reading that is as likely as not."""


class Trust:
    """Tells how much a composed reading counts.

    Attributes:
        agreeing: what one counts that is also the best program, or where nothing is certain.
            Both are right so often as training measured: a reading of two in three does not
            outvote a program that is nearly certain, by a decoder that is right in nine of ten.
        against: what one counts that is not the best program: how often it is right then, of the
            times that not both are, if both err by themselves. Of a reading of one in two and a
            decoder that is right in nine of ten it is one time in eleven.
    """

    def __init__(self, artifact: Artifact):
        words = artifact.config.words
        decoder = float(artifact.config.training.get("validation") or 0.0)
        self.comes_first = words > TRUSTED
        self.agreeing = self.against = words
        if not self.comes_first:
            self.agreeing = words / max(1.0, words + decoder)
            self.against = words * (1 - decoder) / (1 - words * decoder)

    def share(
        self,
        readings: Sequence[tuple[Reading, Hypothesis]],
        best: Collection[Pattern] | None = None,
    ) -> dict[Pattern, float]:
        """The part of the score that the best composed reading has which leaves nothing out.

        Args:
            best: the best program, if there is one; None where none was asked for.
        """
        for reading, hypothesis in readings:
            whole = hypothesis.coverage is not None and not hypothesis.coverage.left_out
            if whole and reading.score > -LIKELY:
                agrees = best is None or reading.pattern in best
                return {reading.pattern: self.agreeing if agrees else self.against}
        return {}


def in_full(
    words: Interpreter, question: str, topics: Sequence[str] | None
) -> tuple[Hypothesis, ...]:
    """The likely readings of every word of a question, by an interpreter of words alone."""
    try:
        found = words.interpret(question, topics)
    except InterpretationError:
        return ()  # a model may know more
    likely = (h for h in found if h.score >= EVEN)
    return tuple(h for h in likely if h.coverage and not h.coverage.left_out)

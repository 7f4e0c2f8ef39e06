"""A pattern that the user wrote: the interpreter that has nothing to guess."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.types import Hypothesis


class GivenInterpreter:
    """Reads a question that is a pattern already, in any of the written forms.

    Example:
        >>> reading, = GivenInterpreter().interpret('(?f)-[directed by]-("Michael Mann")')
        >>> reading.pattern.answers
        ('f',)
    """

    name = "given"

    def interpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """The pattern, as the only reading; it names its topics itself.

        Raises:
            PatternError: it breaks a rule; the message points at the place.
        """
        from isomatch.pattern import parse

        return (Hypothesis(parse(question), 1.0, source=self.name),)

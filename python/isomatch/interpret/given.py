"""The interpreter of patterns that the user wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from isomatch.interpret.types import Hypothesis


class GivenInterpreter:
    """Takes a question that is a pattern already, in any of the written forms.

    Example:
        >>> hypothesis, = GivenInterpreter().interpret('(?f)-[directed by]-("Michael Mann")')
        >>> hypothesis.pattern.answers
        ('f',)

    Args:
        prefixes: namespaces by prefix, beside the well-known ones.
    """

    name = "given"

    def __init__(self, prefixes: Mapping[str, str] = MappingProxyType({})):
        self.prefixes = prefixes

    def interpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """The pattern, as the only hypothesis; it names its topics itself.

        Raises:
            PatternError: it breaks a rule; the message points at the place.
        """
        from isomatch.pattern import parse

        return (Hypothesis(parse(question, self.prefixes), 1.0, source=self.name),)

"""Checks recipients and givers: the noun behind "to" or "from" is not who did something."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word


class Recipients(Check):
    """Tells what a noun behind "to" or "from" is in a question for who did something."""

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a noun is only like a relation, and read as who is asked for.

        "Who gave Heat to the museum" is not answered by where that is exhibited.
        """
        if span.kind != "relation" or span.likeness == 1 or not words:
            return False
        if words[0].text not in self._language.asking.who:
            return False
        grammar = self._language.grammar
        small = self._articles | grammar.own
        before = [w.text for w in words if w.end <= span.start and w.text not in small]
        if (grammar.whither | grammar.whence).isdisjoint(before[-1:]):
            return False
        answers, edges = given.pattern.answers, given.pattern.edges
        return any(e.relation == span.meaning and e.target in answers for e in edges)

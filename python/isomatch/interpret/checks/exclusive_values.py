"""Checks what excludes each other: a bug has one severity, where all bugs of a graph have one."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.pattern.types import Edge, Pattern


class ExclusiveValues(Check):
    """Tells a value of what lies between the answers and the names, which has another one, too."""

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether one thing would have two values of a relation that leads to one.

        "Games with a critical and a minor bug" have two bugs. But which bugs "are critical and
        minor" is asked of each bug.
        """
        if span.kind != "name":
            return False
        return any(
            self._excludes(edge, span, pattern)
            for pattern in given.pattern.patterns()
            for edge in pattern.edges
        )

    def _excludes(self, edge: Edge, span: Span, pattern: Pattern) -> bool:
        """Whether the source of an edge to a value has an edge to another one, too."""
        value = pattern.node(edge.target).text
        answered = {*pattern.answers, *pattern.returns}
        if not edge.directed or value != span.meaning or edge.source in answered:
            return False
        relations = self._kinds.relations(edge)
        if not relations or not all(relation.leads_to_one() for relation in relations):
            return False
        beside = (e for e in pattern.edges if e.directed and e.source == edge.source)
        others = {pattern.node(e.target).text for e in beside if e.relation == edge.relation}
        return not others <= {None, value}

"""Checks kinds beside names: which nodes of a reading are those that a noun and a name tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.interpret.checks.base import Check, name_before
from isomatch.interpret.checks.pattern_graph import distances
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.pattern.types import Node, Pattern


class NamedKinds(Check):
    """Compares a noun for a kind with the name before it, or behind its preposition."""

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a noun beside a name is for something else in a reading."""
        if span.kind != "type" or not self._kinds.schema.typed:
            return False
        return self._are_one(words, span, given) or self._is_other_asked(words, span, given)

    def _are_one(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether several things are taken for one: "the Iron Saga games", for that game.

        But "the Ember Forge games" are those of the firm.
        """
        name, kind = name_before(span, given.understood), span.text.lower()
        if name is None or self._language.singular(kind) == kind:
            return False
        if any(one.text.lower() == kind for one in self._kinds.schema.types):
            return False  # a `Lens`, a `Works`
        if "k" in given.options:
            return False  # several are called so
        before = [word.text for word in words if word.end <= name.start]
        if not self._language.grammar.joining.isdisjoint(before[-1:]):
            return False  # "the Moth and Iron Saga games"
        patterns = given.pattern.patterns()
        texts = {node.text for pattern in patterns for node in self._of_kind(span, pattern)}
        return name.meaning in texts and None not in texts

    def _is_other_asked(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether another thing of the kind that is asked for is what its name tells.

        "Which clients in banking sued a client" asks for those in banking, not for what these sued.
        """
        before = [word.text for word in words if word.end <= span.start]
        asking, places = self._language.asking.which, self._language.prepositions
        places = places - self._language.grammar.by - self._language.grammar.of
        names = (s for s in given.understood if s.kind == "name" and s.start > span.end)
        name = next(names, None)
        if len(before) != 1 or asking.isdisjoint(before) or name is None:
            return False
        link, *rest = [w.text for w in words if span.end <= w.start < name.start] or [""]
        if link not in places or not self._articles.issuperset(rest):
            return False
        far, asked = distances(given.pattern, name.meaning), given.pattern.answers
        nearest = min((far[id] for id in asked if id in far), default=0)
        others = (node.id for node in self._of_kind(span, given.pattern) if node.text is None)
        return any(far.get(id, nearest) < nearest for id in others if id not in asked)

    def _of_kind(self, kind: Span, pattern: Pattern) -> Iterator[Node]:
        """The nodes of a pattern that may be of a kind, by their relations and types."""
        for node in pattern.nodes:
            edges = [edge for edge in pattern.edges if node.id in edge.nodes]
            if kind.meaning in self._kinds.called(self._kinds.types_of(node, edges)):
                yield node

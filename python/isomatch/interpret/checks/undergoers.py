"""Checks who something was done to, where a relation says so: `tested person`, of a test."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.pattern.types import Edge


class Undergoers(Check):
    """Compares the subject of a verb with those to whom a reading has that done."""

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether what was done to somebody is read of who did it.

        "What did Ann test" asks for no tests of hers, and "who tested Ann" for no tests at all.
        """
        if span.kind not in ("type", "relation"):
            return False
        edges = [edge for edge in given.pattern.edges if self._says_done(edge, span)]
        doer = self._doer(words, span, given)
        if doer and any(given.pattern.node(edge.target).text == doer for edge in edges):
            return True
        before = [word.text for word in words if word.end <= span.start]
        who = len(before) == 1 and not self._language.asking.who.isdisjoint(before)
        answers = given.pattern.answers
        return who and any(e.source in answers and self._is_of_deed(e, span) for e in edges)

    def _says_done(self, edge: Edge, span: Span) -> bool:
        """Whether a relation is called by whom a verb is done to."""
        for relation in self._kinds.relations(edge):
            done, *whom = tokens(relation.text)
            if not whom or not self._language.prepositions.isdisjoint(whom):
                continue  # "made by" says who did it
            doings = self._language.schemas.doers.get(self._language.singular(whom[-1]), ())
            if any(self._is_form_of(tokens(doing)[0], span) for doing in doings):
                continue  # a "starred actor" stars
            if self._language.is_participle(done) and self._is_form_of(done, span):
                return True
        return False

    def _doer(self, words: Sequence[Word], span: Span, given: Hypothesis) -> str | None:
        """The name before a verb that does it: "did Ann test"."""
        before = [word for word in words if word.end <= span.start]
        names = [s for s in given.understood if s.kind == "name"]
        name = next((s for s in names if before and s.end == before[-1].end), None)
        first = [word.text for word in before if name and word.end <= name.start]
        does = self._language.before_infinitives - self._language.grammar.being
        return name.meaning if name and not does.isdisjoint(first[-1:]) else None

"""Which end of a relation a noun is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.unsaid import CHOSEN_BY_WORDS
from isomatch.lexicon.lexicon import Lexicon, RelationWords
from isomatch.lexicon.rank import Ranker
from isomatch.pattern.types import Pattern

SIMILAR = 0.5
"""Cosine from which words are taken for a relation's."""
ALIKE = 0.6
"""The same where the graph has types and the question does not say which it asks for.

An email is like an address, but who "delivers" categories supplies things of them.
"""


class NamedEnds:
    """Tells whether what a question asks for stands at the end of a relation that its noun is for.

    "Which employees live in Paris" is not answered by whom they work for: employees are like
    workers, and these are the source of "works for".

    Args:
        kinds: the relations of edges.
        lexicon: their words.
        ranker: for how like a noun is to them.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon, ranker: Ranker):
        self._kinds = kinds
        self._lexicon = lexicon
        self._ranker = ranker

    def placed(
        self,
        question: str,
        similar: Mapping[Span, Mapping[str, float]],
        own: Hypothesis,
        given: Sequence[Hypothesis],
    ) -> Mapping[Span, Mapping[str, float]]:
        """How like words are to relations; a noun that is asked for, to those of its end only.

        Args:
            similar: by words of the question and texts of relations.
            own: where these relations have to be as the question asks.
            given: where all others may be.
        """
        placed = dict(similar)
        for span, scores in similar.items():
            if not self.is_asked(question, span):
                continue
            nouns = {self._head(span).text.lower(), span.text.lower()}
            kept = placed[span] = {}
            for text in scores:
                having = [h for h in given if any(e.relation == text for e in h.pattern.edges)]
                here = own in having
                having = [own] if here else having
                alike = max((self._alike(nouns, text, h.pattern) for h in having), default=0.0)
                # It may be the word for a kind of things, which a graph without types lacks.
                if alike >= (SIMILAR if here else ALIKE):
                    kept[text] = alike
        return placed

    def without_guesses(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same; what it asks for is missed where a further hop is said by no word.

        A kind that nothing stands for and a relation that nobody named are two guesses: "which
        company is located in Paris" asks for nobody who works for one.
        """
        coverage, pattern = given.coverage, given.pattern
        if coverage is None or given.source not in CHOSEN_BY_WORDS:
            return given
        said = {None, *(span.meaning for span in coverage.understood)}
        further = (
            edge
            for edge in pattern.edges
            if edge.relation not in said and all(pattern.node(id).text is None for id in edge.nodes)
        )
        if not any(further):
            return given
        left = tuple(
            replace(span, kind="kind") if self.is_asked(question, span) else span
            for span in coverage.left_out
        )
        return replace(given, coverage=replace(coverage, left_out=left))

    def is_asked(self, question: str, span: Span) -> bool:
        """Whether plain words stand where a question says what it asks for: "which films"."""
        before = question[: span.start].lower().split()[-1:]
        kinds = self._lexicon.language.asking.before_kinds
        return span.kind == "word" and not kinds.isdisjoint(before)

    def said(self, question: str, span: Span, relation: str, pattern: Pattern) -> Span:
        """The words of a span that say a relation: of a noun that is asked for, only the last.

        Those before it describe it ("unmarried employees"), unless they are needed to say it.
        """
        head = self._head(span)
        if not self.is_asked(question, span):
            return span
        return head if self._alike({head.text.lower()}, relation, pattern) >= SIMILAR else span

    def _head(self, span: Span) -> Span:
        last = span.text.split()[-1]
        return replace(span, start=span.end - len(last), text=last)

    def _alike(self, nouns: Set[str], relation: str, pattern: Pattern) -> float:
        """How like one of some nouns is to a relation, or to what answers at an end are called."""
        answers = {*pattern.answers, pattern.count, *(one.node for one in pattern.each)}
        phrases = {relation}
        for edge in pattern.edges:
            for known in self._kinds.relations(edge) if edge.relation == relation else ():
                words = self._lexicon.relations.get(known.id, RelationWords())
                phrases |= {*words.forward, *words.backward}
                if edge.target in answers or not edge.directed:
                    phrases |= {*words.nouns}
                if edge.source in answers or not edge.directed:
                    phrases |= {*words.inverse_nouns}
        rows = self._ranker.vectors(sorted(nouns)) @ self._ranker.vectors(sorted(phrases)).T
        return float(rows.max())

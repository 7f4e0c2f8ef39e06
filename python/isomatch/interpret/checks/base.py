"""A check: tells whether words of a question stand for something else in a reading."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from isomatch.interpret.types import Hypothesis, Span, SpanKind
from isomatch.interpret.words.agents import Agents
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.interpret.words.relation_spans import RelationSpans
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Edge


class Check(ABC):
    """Compares words for kinds and relations with where these are in a reading, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.

    Attributes:
        by_order: whether it goes by where words stand in English, so that it tells nothing where
            they may stand in any order.
    """

    by_order: ClassVar[bool] = False

    def __init__(self, kinds: AskedKinds, language: Language):
        self._kinds = kinds
        self._language = language
        self._agents = Agents(kinds, language)
        self._saying = RelationSpans(kinds, language)
        self._articles = language.grammar.any_article

    @abstractmethod
    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a span of a reading is of something else by the words of the question.

        Args:
            words: of the question.
        """

    def _first_span(
        self, words: Sequence[Word], given: Hypothesis, *kinds: SpanKind
    ) -> Span | None:
        """The span of some kinds that words begin with, or an article and a span."""
        rest = [word for word in words if word.text not in self._articles]
        spans = (s for s in given.understood if s.kind in kinds)
        return next((s for s in spans if rest and s.start == rest[0].start), None)

    def _is_of_deed(self, edge: Edge, verb: Span) -> bool:
        """Whether the source of an edge is called by what a verb does: a test, not a tester."""
        called = (self._kinds.called(r.source_types) for r in self._kinds.relations(edge))
        return any(self._is_form_of(text, verb) for texts in called for text in texts)

    def _is_form_of(self, text: str, verb: Span) -> bool:
        """Whether a word has a form in common with the first of a verb."""
        forms = self._language.forms
        return not forms(text).isdisjoint(forms(tokens(verb.text)[0]))


def name_after(span: Span, read: Iterable[Span]) -> Span | None:
    """The name right behind words."""
    return next((s for s in read if s.kind == "name" and s.start == span.end + 1), None)


def name_before(span: Span, read: Iterable[Span]) -> Span | None:
    """The name right before words."""
    return next((s for s in read if s.kind == "name" and s.end + 1 == span.start), None)

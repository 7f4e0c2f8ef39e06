"""Relations that no word says, in chains over a graph without types: its classes are guesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from isomatch.interpret.types import Coverage, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import is_asked, words_of
from isomatch.interpret.words.relation_spans import unsaid
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import RelationWords
from isomatch.pattern.types import Edge, Pattern
from isomatch.phrasing import clean


class UntypedHops:
    """Finds the relations of a chain that nothing says, over a graph without types.

    Args:
        kinds: the relations of edges.
        lexicon: their words.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon

    def found(
        self, question: str, pattern: Pattern, coverage: Coverage
    ) -> Mapping[str, Sequence[Span]]:
        """The words that are left out, for each relation that may not be added; by its text.

        "Which films did Zimmer compose for" asks for no films that somebody narrated who produced
        one: "film" is only a guess for what has a narrator, as it is for what has an actor. And the
        licence of moss is not that of what moss depends on, if it has none itself; but other words
        may say a relation: those that were left out, or "where".
        """
        if self._lexicon.types:
            return {}
        names = [s for s in coverage.understood if s.kind == "name"]
        saying = [s for s in coverage.understood if s.kind != "name"]
        asking = self._lexicon.language.asking
        others = words_of(question)[0].text in asking.where | asking.when
        others |= any(s.kind == "word" for s in coverage.left_out)
        lost: dict[str, Sequence[Span]] = {}
        for edge in self._guesses(question, pattern, coverage):
            called = {words.source for words in self._words(edge)}
            of = [s for s in coverage.understood if s.kind == "type" and s.meaning in called]
            lost[edge.relation or ""] = of or names
        nouns = {noun for edge in pattern.edges for noun in self._nouns(edge)}
        words = [s for s in saying if s.meaning in nouns]
        if len(pattern.edges) > max(1, _phrases(question, words)) and not others:
            said = {s.meaning for s in saying}
            for edge in pattern.edges:
                own = self._words(edge)
                ends = {noun for w in own for noun in (w.source, *w.inverse_nouns)}
                if own and said.isdisjoint({*self._nouns(edge), *ends}):
                    lost.setdefault(edge.relation or "", names)
        return lost

    def told(self, question: str, pattern: Pattern, coverage: Coverage) -> list[str]:
        """Notes on the classes that are asked for: nothing in the graph says what is a film."""
        if self._lexicon.types:
            return []
        language, notes = self._lexicon.language, list[str]()
        for span in coverage.understood:
            at = [e for e in pattern.edges if e.source in pattern.answers]
            of = [
                e.relation or ""
                for e in at
                if any(w.source == span.meaning for w in self._words(e))
            ]
            if of and span.kind == "type" and is_asked(question, span, language):
                said = (language.answers.quoted.format(clean(text)) for text in (span.text, of[0]))
                notes.append(language.assumed.untyped.format(*said))
        return notes

    def _guesses(self, question: str, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The hops to what has a relation, where neither it nor what it leads to is said."""
        language = self._lexicon.language
        spans = [
            s
            for s in coverage.understood
            # "Actors starring in Heat": what is only like a relation says the kind of the answers.
            if s.likeness == 1 or (s.start > 0 and not is_asked(question, s, language))
        ]
        classes = {s.meaning for s in coverage.understood if s.kind == "type"}
        depths = _depths(pattern)
        near = sorted(pattern.edges, key=lambda e: min(map(depths.__getitem__, e.nodes)))
        for edge in unsaid(near, spans, once=True):
            onward = 0 < depths[edge.target] < depths[edge.source]
            if onward and classes.isdisjoint(self._nouns(edge)):
                yield edge

    def _nouns(self, edge: Edge) -> list[str]:
        """What a relation and its target are called."""
        own = self._words(edge)
        return [edge.relation or "", *(noun for w in own for noun in (w.target, *w.nouns))]

    def _words(self, edge: Edge) -> list[RelationWords]:
        return list(map(self._kinds.words, self._kinds.relations(edge)))


def _phrases(question: str, spans: Sequence[Span]) -> int:
    """How many phrases spans are: "birth" and "place" beside it say one relation."""
    same = (
        one.meaning == other.meaning and not question[one.end : other.start].strip()
        for one, other in pairwise(spans)
    )
    return len(spans) - sum(same)


def _depths(pattern: Pattern) -> dict[str, int]:
    """How many edges each node is away from the names of a pattern; 0 where it is not joined."""
    depths = {node.id: 0 for node in pattern.nodes if node.text is not None}
    for depth in range(len(pattern.edges)):
        for edge in pattern.edges:
            for one, other in (edge.nodes, reversed(edge.nodes)):
                if depths.get(one) == depth:
                    depths.setdefault(other, depth + 1)
    return {node.id: depths.get(node.id, 0) for node in pattern.nodes}

"""Checks that every kind that a question names is that of something in the reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.pattern_graph import nodes_named
from isomatch.interpret.compose.lexical.constants import is_numeral
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.agents import is_union
from isomatch.interpret.words.answer_kinds import with_listed
from isomatch.interpret.words.content import Word
from isomatch.pattern.types import Node, Pattern
from isomatch.schema.types import node_types

SAID = ("type", "relation", "name")
"""Of spans that say what things are."""


class PlacedKinds(Check):
    """Compares the kinds and numbers of a question with what the nodes of a reading may be.

    Words are found among all that the ends of a relation may be, so that each of two kinds is
    found there: hospitals and universities are both "located in" a city. A reading has either.
    """

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether nothing in a reading may be what words say."""
        if given.coverage is None:
            return False
        if self._is_not_asked_too(words, span, given) or self._is_object(words, span, given):
            return True
        typed = self._kinds.schema.typed
        return typed and (self._is_nowhere(span, given) or self._is_no_value(span, given))

    def _is_nowhere(self, span: Span, given: Hypothesis) -> bool:
        """Whether no node may be of a kind: "hospitals and universities in Hull"."""
        wanted = self._kinds.types_called(span.type_meant) if span.kind == "type" else set()
        return bool(wanted) and not any(
            self._may_be(node, pattern, wanted)
            for pattern in with_listed(given.pattern)
            for node in pattern.nodes
        )

    def _is_not_asked_too(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a noun or name joined to what is asked for is for none of the answers of its own.

        "Persons and venues in Hull" asks for no persons at these venues, and "captains and owners
        of Gannet" for nobody who is both.
        """
        language, pattern = self._language, given.pattern
        nouns = [s for s in given.understood if s.kind in SAID and s.end <= span.start]
        if span.kind not in SAID or len(nouns) != 1 or not self._is_noun(nouns[0]):
            return False
        before = {w.text for w in words if w.end <= nouns[0].start}
        between = [w.text for w in words if nouns[0].end <= w.start < span.start]
        opens = language.function_words | language.asking.commands | language.asking.requests
        joined = not language.grammar.joining.isdisjoint(between[:1])
        small = language.grammar.articles | language.grammar.joining
        if not (joined and before <= opens - language.prepositions and small.issuperset(between)):
            return False
        if span.kind != "name" and not self._is_noun(span):
            return False  # "large and old cities"
        asked = {*pattern.answers, *pattern.returns, *(one.node for one in pattern.each)}
        if len(asked) == 1 and not any(map(is_union, pattern.parts)):
            return True
        return not any(
            self._is_for(span, node, one)
            for one in with_listed(pattern)
            for node in one.nodes
            if node.id in {*one.answers, *one.returns, *asked}
        )

    def _is_object(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a kind stands behind a verb that nothing says: "who owns hosts"."""
        asking, language = self._language.asking, self._language
        if span.kind != "type" or len(words) < 3 or words[0].text not in asking.who:
            return False
        if words[1].text in language.function_words or span.start <= words[1].start:
            return False
        between = {word.text for word in words[2:] if word.start < span.start}
        left = () if given.coverage is None else given.coverage.left_out
        return between <= self._articles and any(s.start == words[1].start for s in left)

    def _is_noun(self, span: Span) -> bool:
        """Whether words are for a kind, or a noun for what a relation leads to or from."""
        if span.kind != "relation":
            return span.kind == "type"
        if span.likeness < 1:  # "cats", of the animal
            span = replace(span, text=span.meaning)
        return self._saying.end_of_noun(span, self._kinds.named(span.meaning)) is not None

    def _is_for(self, span: Span, node: Node, pattern: Pattern) -> bool:
        """Whether a noun may be for a node of a pattern; a name is for none without it."""
        if span.kind == "type":
            return self._may_be(node, pattern, self._kinds.types_called(span.type_meant))
        edges = [edge for edge in pattern.edges if edge.relation == span.meaning]
        relations = [relation for edge in edges for relation in self._kinds.relations(edge)]
        if span.likeness < 1:  # "cats", of the animal
            span = replace(span, text=span.meaning)
        end = self._saying.end_of_noun(span, relations)
        return any(
            node.id in (edge.nodes if end is None else [getattr(edge, end)]) for edge in edges
        )

    def _may_be(self, node: Node, pattern: Pattern, wanted: set[str]) -> bool:
        """Whether a node may be of one of some types; so may all of which nothing is known."""
        if node.type:
            own = self._kinds.types_called(node.type.lower())
        else:
            own = {*self._kinds.types_of(node, [e for e in pattern.edges if node.id in e.nodes])}
        above = self._kinds.schema.with_superclasses
        if not own or not ({*above(own)}.isdisjoint(wanted) and own.isdisjoint(above(wanted))):
            return True
        return any(self._are_met_in_one(one, other) for one in own for other in wanted)

    def _are_met_in_one(self, one: str, other: str) -> bool:
        """Whether something is of two types: more than there are of both have one relation."""
        return any(
            side.get(one, 0) and side.get(other, 0) and side[one] + side[other] > relation.triples
            for relation in self._kinds.schema.relations
            for side in (relation.source_types, relation.target_types)
        )

    def _is_no_value(self, span: Span, given: Hypothesis) -> bool:
        """Whether a number stands for a thing of no such name: "published in 2021", in a journal.

        A search takes another relation there that has such values, of whatever else.
        """
        if span.kind != "word" or not is_numeral(span.text.lower(), self._language):
            return False
        named = nodes_named(given.pattern, span.meaning)
        ends = [
            (relation, relation.end_types(edge.target in named))
            for edge in given.pattern.edges
            if not named.isdisjoint(edge.nodes)
            for relation in self._kinds.relations(edge)
        ]
        things = (node_types(types) and not relation.literal_kinds for relation, types in ends)
        return bool(ends) and all(things)

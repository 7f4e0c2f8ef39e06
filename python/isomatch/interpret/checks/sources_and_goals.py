"""Checks sources and goals: what is "from" or "to" a name, where relations say which."""

from __future__ import annotations

from collections.abc import Sequence, Set

from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.pattern_graph import nodes_named
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.schema.types import Relation


class SourcesAndGoals(Check):
    """Compares the preposition before a name with the relation to it that no word says."""

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name is only where something is, or was, and not where it is from or goes.

        "Trains from Oslo", which have an `origin`, are not all that have stopped there. Nor are
        those that "drivers of trains from Oslo" drive.
        """
        pattern, grammar = given.pattern, self._language.grammar
        if span.kind != "name" or pattern is None:
            return False
        before = [w.text for w in words if w.end <= span.start and w.text not in grammar.articles]
        ways = (grammar.whence, grammar.whither)
        small = next((way for way in ways if not way.isdisjoint(before[-1:])), frozenset[str]())
        if not small:
            return False
        named = nodes_named(pattern, span.meaning)
        edges = [edge for edge in pattern.edges if not named.isdisjoint(edge.nodes)]
        said = {one.meaning for one in given.understood}
        relations = [r for edge in edges for r in self._kinds.relations(edge)]
        if not edges or any(edge.relation in said for edge in edges):
            return False
        if any(self._says(relation, small) for relation in relations):
            return False
        own = self._types(words, span, given)
        return any(
            not own.isdisjoint(relation.source_types)
            and self._leads_there(relation, relations, small)
            for relation in self._things()
        )

    def _types(self, words: Sequence[Word], span: Span, given: Hypothesis) -> set[str]:
        """The types of what is asked for, and of what the noun before "from" a name is for."""
        pattern, articles = given.pattern, self._language.grammar.articles
        before = [w.text for w in words if w.end <= span.start and w.text not in articles]
        nouns = map(self._language.singular, before[-2:-1])
        called = {type for noun in nouns for type in self._kinds.types_called(noun)}
        found = set[str]()
        for node in (one for one in pattern.nodes if one.text is None):
            types = self._kinds.types_of(node, [e for e in pattern.edges if node.id in e.nodes])
            if node.id in pattern.answers or not called.isdisjoint(types):
                found.update(types)
        return found

    def _things(self) -> list[Relation]:
        """The relations between things."""
        return [r for r in self._kinds.schema.relations if r.target_types]

    def _says(self, relation: Relation, small: Set[str]) -> bool:
        """Whether the name of a relation says "from" or "to": `origin`, `sent to`."""
        name, language = tokens(relation.text), self._language
        origin = not small.isdisjoint(language.grammar.whence) and language.says_origin(name)
        return origin or not small.isdisjoint((*name, *language.schemas.towards(name)))

    def _leads_there(self, relation: Relation, others: Sequence[Relation], small: Set[str]) -> bool:
        """Whether a relation leads to what some others join, and says "from" or "to".

        One that has a noun before that says what is from there: a "PhD from" a university.
        """
        there = {t for other in others for t in (*other.target_types, *other.source_types)}
        if there.isdisjoint(relation.target_types) or not self._says(relation, small):
            return False
        name = tokens(relation.text)
        before = next((name[:n] for n, word in enumerate(name) if word in small), [])
        return not before or self._language.is_verb(" ".join(before))

"""Checks locatives: what is "in" something, or "contains" it, is so in the graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.pattern_graph import OTHER, Types, typed_edges
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.agents import End
from isomatch.interpret.words.answer_kinds import with_listed
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.pattern.types import Edge, Node
from isomatch.schema.types import Relation


class Locatives(Check):
    """Compares what is "in" or "contains" something with the ends of relations to wholes.

    "Countries in Hull" asks for none that Hull is in, and "which books contain libraries" for
    none that are in a library. Such words are said of many relations, and types alone would join
    them either way round.
    """

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a reading has a whole where words ask for its parts, or the other way round."""
        if given.coverage is None or span.kind not in ("relation", "type"):
            return False
        return self._is_around(words, span, given) or self._is_contained(words, span, given)

    def _is_around(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether what is asked for "in" something is where that is: "countries in Hull"."""
        inside = self._behind_in(words, span, given)
        if inside is None:
            return False
        counted = (one.node for one in given.pattern.each)
        asked = {*given.pattern.answers, *given.pattern.returns, *counted}
        patterns = with_listed(given.pattern)
        nodes = {node.id: node for pattern in patterns for node in pattern.nodes}
        for edge in {e for pattern in patterns for e in pattern.edges if e.directed}:
            for end in () if self._is_deed(edge.relation) else self._wholes(edge.relation):
                whole, part = nodes[getattr(edge, end)], nodes[getattr(edge, OTHER[end])]
                said = span.type_meant in (edge.relation, whole.type) and whole.id in asked
                if said and self._is_said_of(inside, part, given):
                    return True
        return False

    def _is_said_of(self, span: Span, node: Node, given: Hypothesis) -> bool:
        """Whether a node is what words name, or are the kind of, or the noun for."""
        if span.kind == "name":
            return span.meaning == node.text
        return node.id in self._said_of(span, given.pattern.edges, {node.id: node.type})

    def _is_deed(self, name: str | None) -> bool:
        """Whether relations say where something was done: places "in the crimes of 2021"."""
        verb, *_ = tokens(name or "") or [""]
        return self._language.is_participle(verb) and verb not in self._language.schemas.states

    def _behind_in(self, words: Sequence[Word], span: Span, given: Hypothesis) -> Span | None:
        """The name, kind or noun behind "in" after a noun: "cities in Peru", "are there in it"."""
        grammar, language = self._language.grammar, self._language
        small = language.function_words - language.prepositions  # "are there in"
        between = small | language.idle | language.schemas.positions
        read = given.understood
        many = [s for s in read if s.kind in ("operator", "number")]  # "each", "at least two"
        after = [w for w in words if w.start >= span.end]
        if any(w.text in grammar.same for w in after):
            return None  # "teams in the same city as Rovers" are what has it
        after = [w for w in after if all(not s.start <= w.start < s.end for s in many)]
        rest = list(dropwhile(lambda w: w.text in between, after))
        if not rest or rest[0].text not in grammar.placing:
            return None
        return self._first_span(rest[1:], given, "name", "type", "relation")

    def _is_contained(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a kind that "contains" others is in these: "which books contain libraries"."""
        others = self._contents(words, span, given)
        return bool(others) and any(
            getattr(edge, OTHER[end]) in self._said_of(span, edges, types)
            and any(getattr(edge, end) in self._said_of(one, edges, types) for one in others)
            for edges, types in typed_edges(given.pattern, {})
            for edge in edges
            if edge.directed
            for end in {*self._wholes(edge.relation), *self._outer(edge.relation)}
        )

    def _said_of(self, span: Span, edges: Sequence[Edge], types: Types) -> set[str]:
        """The nodes that are of the kind of words, or at the end of edges that these name."""
        if span.kind == "type":
            return {id for id, type in types.items() if type == span.type_meant}
        end = self._saying.end_of_noun(span, self._kinds.named(span.meaning))
        return {getattr(e, end) for e in edges if end and e.relation == span.meaning}

    def _outer(self, name: str | None) -> Iterator[End]:
        """The end of relations of a name that the other end does not contain.

        What each of them has one of, as the section of an article, is in none of them, nor is a
        class; and what uses something is not in that.
        """
        language, grammar = self._language, self._language.grammar
        for relation in self._kinds.named(name) if name else ():
            said = tokens(relation.text)
            has = not (grammar.having | grammar.containing).isdisjoint(said[:1])
            verb = language.is_verb(relation.text)
            made = verb and not grammar.of.isdisjoint(said)  # "made of"
            active = verb and len(said) == 1
            sort = not language.schemas.sorts.isdisjoint(said[-1:])
            if sort or (relation.leads_to_one() and not (has or made or active)):
                yield "target"
            if active and not self._kinds.leads_to_place(relation):
                yield "source"

    def _contents(self, words: Sequence[Word], kind: Span, given: Hypothesis) -> Sequence[Span]:
        """The kind that a verb right behind another says to be in that; empty where none does."""
        read = given.understood
        after = [w for w in words if w.start >= kind.end]
        if not after or after[0].text not in self._language.grammar.containing:
            return ()
        kinds = [s for s in read if s.kind in ("type", "relation") and s != kind]
        if len(after) == 1:  # "how many books does each library contain"
            return [s for s in kinds if s.end <= kind.start][-1:]
        if after[1].text in self._language.prepositions:  # "contained in"
            return ()
        return [s for s in kinds if s.start > after[0].start][:1]

    def _wholes(self, name: str | None) -> Iterator[End]:
        """The end of the relations of a name that the other end is in, where it is known.

        What a product "has", as a category, may be around it.
        """
        grammar, schemas = self._language.grammar, self._language.schemas
        parts = schemas.wholes | schemas.members
        for relation in self._kinds.named(name) if name else ():
            first, *others = tokens(relation.text) or [""]
            has = first in grammar.having and not parts.isdisjoint(others)
            if has or first in grammar.containing:
                yield "source"
            elif self._leads_to_whole(relation):
                yield "target"

    def _leads_to_whole(self, relation: Relation) -> bool:
        """Whether a relation leads to the one place that something is in, or to its whole."""
        said, language = tokens(relation.text), self._language
        place = relation.leads_to_one() and not relation.leads_to_one(back=True)
        of = not language.grammar.of.isdisjoint(said)
        whole = of and (language.says_whole(said) or not language.schemas.members.isdisjoint(said))
        return whole or (place and language.says_place(said))

"""Checks nouns in clauses: they are of what the clause says has them, or is them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.pattern_graph import OTHER, joined, nodes_named
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.agents import End
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.pattern.types import Edge


class ClauseNouns(Check):
    """Compares what clauses say of their subjects with the nodes that these are in a reading.

    "Who has a mentor born in Hull" asks for no mentors, and the editor "who is the mentor of Ann"
    is that one, and not whoever wrote what that editor edited.
    """

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a noun is of another node than the subject of its clause."""
        if span.kind not in ("type", "relation") or given.coverage is None:
            return False
        return (
            self._is_what_has_it(words, span, given)
            or self._is_another(words, span, given)
            or self._is_apart(words, span, given)
            or self._is_other_than_said(words, span, given)
        )

    def _is_what_has_it(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether the answers are what those that are asked for are said to have."""
        asking, grammar = self._language.asking, self._language.grammar
        having = grammar.having | grammar.whose
        if self._language.is_participle(tokens(span.text)[0]):
            return False  # "who has sponsored a bill"
        before = [word for word in words if word.end <= span.start]
        rest = list(dropwhile(lambda word: word.text in self._articles, reversed(before)))
        if not rest or rest[0].text not in having or rest[-1].text not in asking.who | asking.which:
            return False
        between = rest[1:-1]
        subjects = [s for s in given.understood if s.kind == "type" and s.end < span.start]
        alone = all(any(s.start <= w.start < s.end for s in subjects) for w in between)
        if len(rest) < 2 or not alone or any(s.meaning == span.meaning for s in subjects):
            return False
        if span.kind == "relation" and self._hold_both_ways(span, given):
            return False
        if self._is_had_by_source(span) or not self._may_have_it(subjects, span):
            return False
        things, asked = self._nodes(span, given), set(given.pattern.answers)
        return bool(asked) and asked <= things

    def _may_have_it(self, subjects: Sequence[Span], span: Span) -> bool:
        """Whether kinds may be what has something: no agents have "a credit", but films of them."""
        above, end = self._kinds.schema.with_superclasses, self._end(span)
        relations = self._kinds.named(span.meaning) if end else ()
        there = {type for r in relations for type in r.end_types(end == "source")}
        every = [self._kinds.types_called(subject.type_meant) for subject in subjects]
        return not there or all(
            not (there.isdisjoint(above(own)) and own.isdisjoint(above(there))) for own in every
        )

    def _is_had_by_source(self, span: Span) -> bool:
        """Whether a relation is called by what its sources have, as "PhD from"; not "member of"."""
        noun, *others = tokens(span.meaning) or [""]
        after = self._language.prepositions - self._language.grammar.of
        own = noun in self._language.noun_forms(tokens(span.text)[-1])
        return span.kind == "relation" and own and len(others) == 1 and others[0] in after

    def _is_another(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether what "is the mentor of Ann" in a clause is not what the clause is about."""
        end, name = self._end(span), self._behind_of(words, span, given)
        subject = self._subject(words, span, given)
        if end is None or name is None or subject is None or self._hold_both_ways(span, given):
            return False
        named = nodes_named(given.pattern, name.meaning)
        own = [e for e in self._edges(span, given) if getattr(e, OTHER[end]) in named]
        there = {getattr(edge, end) for edge in own}
        about = self._nodes(subject, given, own)
        return bool(there and about) and there.isdisjoint(about)

    def _is_apart(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name in a clause is joined to what that is about by the answers alone.

        "A symptom that Ann has" is hers, and no symptom of those who live with her.
        """
        after = [word for word in words if word.start >= span.end]
        which = bool(after) and after[0].text in self._language.grammar.relative
        name = self._first_span(after[1:], given, "name") if which else None
        pattern, asked = given.pattern, set(given.pattern.answers)
        about = self._nodes(span, given)
        if name is None or not about or not about.isdisjoint(asked):
            return False
        named = nodes_named(pattern, name.meaning)
        inner = [edge for edge in pattern.edges if asked.isdisjoint(edge.nodes)]
        return bool(named) and joined(named, inner).isdisjoint(about)

    def _is_other_than_said(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name is not what something has it "as": "dogs that have Tom as their sire"."""
        grammar, end = self._language.grammar, self._end(span)
        before = [word for word in words if word.end <= span.start]
        small = self._articles | grammar.own
        rest = list(dropwhile(lambda word: word.text in small, reversed(before)))
        if end is None or len(rest) < 2 or rest[0].text not in grammar.alike:
            return False
        names = (s for s in given.understood if s.kind == "name" and s.end == rest[1].end)
        called = next((name.meaning for name in names), None)
        if called is None or self._hold_both_ways(span, given):
            return False
        named = nodes_named(given.pattern, called)
        own = [e for e in self._edges(span, given) if not named.isdisjoint(e.nodes)]
        return bool(own) and all(getattr(edge, end) not in named for edge in own)

    def _subject(self, words: Sequence[Word], span: Span, given: Hypothesis) -> Span | None:
        """The noun of which a clause says that it is something: "whose editor is", "a dam that is".

        None where a noun is not what something is said to be in a clause.
        """
        grammar = self._language.grammar
        before = [word for word in words if word.end <= span.start]
        rest = list(dropwhile(lambda word: word.text in self._articles, reversed(before)))
        if len(rest) < 3 or rest[0].text not in grammar.being:
            return None
        clause = rest[1].text in grammar.relative
        last = rest[2] if clause else rest[1]
        said = (s for s in given.understood if s.kind in ("type", "relation") and s.end == last.end)
        noun = next(said, None)
        if noun is None or clause:
            return noun
        first = [word.text for word in words if word.end <= noun.start]
        return noun if grammar.whose.issuperset(first[-1:]) and first[1:] else None

    def _behind_of(self, words: Sequence[Word], span: Span, given: Hypothesis) -> Span | None:
        """The name right after "of" behind a noun."""
        after = [word for word in words if word.start >= span.end]
        if not after or after[0].text not in self._language.grammar.of:
            return None
        return self._first_span(after[1:], given, "name")

    def _nodes(self, span: Span, given: Hypothesis, without: Sequence[Edge] = ()) -> set[str]:
        """The nodes that a noun is for; those of a relation at edges other than some."""
        if span.kind == "type":
            return {node.id for node in given.pattern.nodes if node.type == span.type_meant}
        end = self._end(span)
        edges = self._edges(span, given) if end else ()
        return {getattr(edge, end) for edge in edges if end and edge not in without}

    def _end(self, span: Span) -> End | None:
        """The end of its relation that a noun is for, as far as the lexicon or the name tells."""
        if span.kind != "relation":
            return None
        relations = self._kinds.named(span.meaning)
        return self._saying.end_of_noun(span, relations) or self._agents.end(
            span, relations, verb=True
        )

    def _hold_both_ways(self, span: Span, given: Hypothesis) -> bool:
        both = any(map(self._kinds.holds_both_ways, self._kinds.named(span.meaning)))
        return both or not all(edge.directed for edge in self._edges(span, given))

    def _edges(self, span: Span, given: Hypothesis) -> list[Edge]:
        return [edge for edge in given.pattern.edges if edge.relation == span.meaning]

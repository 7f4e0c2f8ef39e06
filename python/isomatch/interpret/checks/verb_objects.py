"""Checks verbs whose relations are called by their objects, too: `teachesMath`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from isomatch.interpret.checks.base import Check
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word, is_negated
from isomatch.lexicon.folding import tokens


class VerbObjects(Check):
    """Tells what such verbs and their objects say, over one graph."""

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words say less, or something else, than a verb with its object.

        "Which math does Ann teach" asks for nobody whom she teaches it, and "who teaches Kim math"
        for nobody who teaches something else. Nor are an inventor's "co-inventors" what they made.
        """
        edges = given.pattern.edges if given.pattern else ()
        beside = sum(edge.relation == span.meaning for edge in edges) > 1  # of the same as another
        if self._is_joint(span) and not beside:
            return True
        if span.kind != "relation" or given.coverage is None:
            return False
        checks = self._is_of_object, self._is_done_by_any, self._has_object
        if any(are_misread(words, span, given) for are_misread in checks):
            return True
        if self._is_object(span, span.meaning):
            before = [word.text for word in words if word.end <= span.start][-1:]
            return not self._language.asking.which.isdisjoint(before)
        said = [s for s in given.coverage.understood if s.kind == "relation" and s != span]
        objects = [s for s in said if self._is_object(s, s.meaning)]
        return any(self._is_verb(span, one.meaning) for one in objects)

    def _is_done_by_any(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a verb lacks what it shares with the next: "owned but not leased by Ann".

        That asks for nothing that anybody owns.
        """
        language, relations = self._language, self._kinds.named(span.meaning)
        if not relations or any(relation.literal_kinds for relation in relations):
            return False  # "paid and delivered to Ann"
        rest = [word for word in words if word.start >= span.end]
        between = list(takewhile(self._joins, rest))
        verb = rest[len(between)].start if between and len(between) < len(rest) else -1
        verbs = (s for s in given.understood if s.kind == "relation" and s.start == verb)
        other = next(verbs, None)
        if other is None or not language.is_participle(span.text.lower()):
            return False
        after = [word for word in rest if word.start >= other.end]
        name = self._first_span(after[1:], given, "name")
        if name is None or not after or after[0].text not in language.prepositions:
            return False
        return not any(
            edge.relation == span.meaning and pattern.node(id).text == name.meaning
            for pattern in given.pattern.patterns()
            for edge in pattern.edges
            for id in edge.nodes
        )

    def _is_of_object(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether "which parts does Acme supply" is read of parts of what it supplies.

        But the types of what a yard builds are the "types that it builds".
        """
        language, pattern = self._language, given.pattern
        before = [word.text for word in words if word.end <= span.start]
        after = [word.text for word in words if word.start >= span.end]
        does = language.before_infinitives - language.grammar.being
        if language.asking.which.isdisjoint(before[-1:]) or does.isdisjoint(after[:1]):
            return False
        if self._saying.end_of_noun(span, self._kinds.named(span.meaning)) != "source":
            return False
        last = (s for s in given.understood if s.kind == "relation" and s.end == words[-1].end)
        verb = next(last, span)
        own = {id for e in pattern.edges if e.relation == verb.meaning for id in e.nodes}
        return bool(own) and own.isdisjoint(pattern.answers)

    def _has_object(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether "who uses hosts" is read of a property of hosts, which "use" a system."""
        asking, language, pattern = self._language.asking, self._language, given.pattern
        first = [word.text for word in words[:1]]
        asked = not (asking.who | asking.which).isdisjoint(first)
        if not asked or len(words) < 3 or span.start != words[1].start:
            return False
        edges = [edge for edge in pattern.edges if edge.relation == span.meaning]
        if not any(edge.target in pattern.answers for edge in edges):
            return False
        tables = language.schemas.verbs, language.schemas.called
        return any(
            self._is_form_of(tokens(verb)[0], span)
            for relation in self._kinds.named(span.meaning)
            if relation.literal_kinds
            for name in {relation.text.lower(), *tokens(relation.text)}
            for table in tables
            for verb in table.get(name, ())
        )

    def _joins(self, word: Word) -> bool:
        """Whether a word joins a verb to another, or denies that."""
        grammar = self._language.grammar
        joining = grammar.joining | grammar.contrast | grammar.choosing
        denied = (word.text,) in self._language.operators.negation
        return word.text in joining or denied or is_negated(word.text, self._language)

    def _is_joint(self, span: Span) -> bool:
        """Whether words for others of what somebody has a part in are read as less: "co-author"."""
        joint = self._language.endings.joint
        said = span.kind in ("relation", "type") and span.text.lower().startswith(joint or "\0")
        return said and not span.meaning.lower().startswith(tuple(one.strip("-") for one in joint))

    def _is_object(self, span: Span, name: str) -> bool:
        """Whether words are the object of a verb that leads to somebody else, as "math"."""
        verb, *others = tokens(name) or [""]
        said = tokens(span.text)
        if not others or not self._language.is_verb(verb) or not said:
            return False
        if self._language.singular(said[-1]) != self._language.singular(others[-1]):
            return False
        relations = self._kinds.named(name)
        return bool(relations) and not any(
            self._language.noun_forms(others[-1]) & {noun.split()[-1] for noun in own.nouns}
            for own in map(self._kinds.words, relations)
        )

    def _is_verb(self, span: Span, name: str) -> bool:
        """Whether words are the verb of a relation with an object, and read of another one."""
        forms, (verb, *_) = self._language.forms, tokens(name)
        said = tokens(span.text)
        alone = len(said) == 1 and not forms(said[0]).isdisjoint(forms(verb))
        return alone and span.meaning != name

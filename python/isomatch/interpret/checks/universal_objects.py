"""Checks verbs with "every" behind them: who plays every instrument plays all of them."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.content import Word


class UniversalObjects(Check):
    """Tells where "every" asks for those that have all of a set, which no pattern finds.

    "Which stage does every band play on" may list one for each, as "each" does anywhere. But who
    is asked for before a verb is one for all that stands behind it.
    """

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether "every" is read as each of some, right behind the verb of what is asked for."""
        grammar, asking = self._language.grammar, self._language.asking
        if span.kind != "operator" or span.text.lower() not in grammar.universal:
            return False
        before = [word for word in words if word.end <= span.start]
        read = [s for s in given.understood if s.kind in ("relation", "type", "name")]
        verbs = [s for s in read if self._is_verb(words, s)]
        said = [word for word in before if any(s.start <= word.start < s.end for s in verbs)]
        opening = self._language.function_words | asking.commands | asking.requests
        if not said and opening.issuperset(word.text for word in before):
            return False  # "give me every river"
        last, having = before[-1], grammar.having
        if last.text in having and any(verb.start > span.end for verb in verbs):
            return False  # "which stage has every band played on"
        small = self._language.prepositions | grammar.articles | grammar.joining | grammar.than
        if last.text in small | (self._language.before_infinitives | grammar.being) - having:
            return False
        return not any(s.start <= last.start < s.end for s in read if s not in verbs)

    def _is_verb(self, words: Sequence[Word], span: Span) -> bool:
        """Whether words stand where a verb does: "teachers teach", but not "the mentor"."""
        noun = span.kind == "type"
        if span.kind == "relation":
            noun = self._saying.end_of_noun(span, self._kinds.named(span.meaning)) is not None
        if not noun:
            return span.kind == "relation"
        grammar, asking = self._language.grammar, self._language.asking
        before = [word.text for word in words if word.end <= span.start][-1:]
        opens = grammar.any_article | grammar.own | self._language.prepositions
        opens |= asking.before_kinds | asking.commands
        return bool(before) and opens.isdisjoint(before)

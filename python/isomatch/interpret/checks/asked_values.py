"""Checks whether a reading answers with the values or things that a question asks for."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word, asks_type, is_only_meant
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


def are_no_answers(
    words: Sequence[Word], span: Span, given: Hypothesis, kinds: AskedKinds, language: Language
) -> bool:
    """Whether the values that a question begins with are not what a reading answers with.

    "What is the billed amount of members" is not answered by members of billed claims.
    """
    pattern, asking = given.pattern, language.asking
    edges = [e for e in pattern.edges if e.relation == span.meaning and span.kind == "relation"]
    if not edges or given.coverage is None:
        return False
    said = [s for s in given.coverage.understood if s.meaning == span.meaning]
    before = [w for w in words if w.end <= span.start]
    others = {w.text for w in before if not any(s.start <= w.start < s.end for s in said)}
    small = language.function_words - language.prepositions
    opens = others <= small.union(asking.which, asking.commands, asking.requests)
    after = [w.text for w in words if w.start >= span.end][:1]
    if not opens or language.grammar.of.isdisjoint(after):
        return False
    if not all(relation.literal_kinds for edge in edges for relation in kinds.relations(edge)):
        return False
    shown = {*pattern.answers, *(one.node for one in pattern.each)}
    return all(edge.target not in shown for edge in edges)


def are_for_things(
    words: Sequence[Word], span: Span, given: Hypothesis, kinds: AskedKinds, language: Language
) -> bool:
    """Whether a noun for things is read of their type: "which vessels", of the `vesselType`.

    Where the graph has types, things are of these.
    """
    *of, sort = tokens(span.meaning) or [""]
    asks = [w.text for w in words if w.end <= span.start][-1:]
    said = {language.singular(w.text) for w in words if w.start >= span.start}
    if kinds.schema.typed or not of or sort not in language.schemas.sorts or sort in said:
        return False
    if span.kind not in ("type", "relation") or language.asking.which.isdisjoint(asks):
        return False
    return any(
        ahead and span.meaning in (relation.text, *kinds.words(relation).nouns)
        for relation, ahead in kinds.answer_relations(given.pattern)
    )


def are_no_types(
    words: Sequence[Word], span: Span, given: Hypothesis, kinds: AskedKinds, language: Language
) -> bool:
    """Whether a noun is for things whose type is asked for, and the answers are no types."""
    if span.kind != "type" or not asks_type(words, language):
        return False
    ends = kinds.answer_relations(given.pattern)
    said = {word for relation, _ in ends for word in tokens(relation.text)}
    return said.isdisjoint(language.schemas.sorts)


def are_only_meant(
    words: Sequence[Word], span: Span, given: Hypothesis, kinds: AskedKinds, language: Language
) -> bool:
    """Whether words say of a relation that it is wished or planned, see `is_only_meant`."""
    place = next((n for n, word in enumerate(words) if word.start >= span.start), 0)
    meant = span.meaning if span.kind == "relation" else ""
    return bool(meant) and is_only_meant(words, place, meant, language)


VALUE_CHECKS = (are_no_answers, are_for_things, are_no_types, are_only_meant)
"""Each says whether a question asks for something else by its words than a reading gives."""


def are_mere_texts(word: str, kinds: AskedKinds) -> bool:
    """Whether a class word is only for texts or values, in a graph without types."""
    ends = [one for one in kinds.schema.relations if kinds.words(one).target == word]
    return bool(ends) and all(one.literal_kinds or kinds.is_mere_text(one) for one in ends)

"""Whether a sentence turns a fact around: "Heat directed Michael Mann".

Only phrases that stand directly between the names of the two ends are read, so most ways to
say a fact are passed over; what is found is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from isomatch.lexicon.lexicon import draft_words
from isomatch.lexicon.relation_words import RelationWords
from isomatch.link.normalise import normalise
from isomatch.phrasing import bound_words

if TYPE_CHECKING:
    from isomatch.lexicon.language import Language
    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.match.types import Bound, Triple


def turned_around(
    text: str, facts: Sequence[Triple], language: Language, lexicon: Lexicon | None
) -> str:
    """What a sentence says of two ends of a fact that only holds the other way; empty for nothing.

    It is given as `normalise` has it.

    Args:
        text: without citations.
        lexicon: the words of the relations; None for those of their names.

    Example:
        >>> from isomatch.lexicon.language import default_language
        >>> from isomatch.match.types import Bound, Triple
        >>> heat, by, mann = (Bound(name, name) for name in ("Heat", "directed by", "Mann"))
        >>> turned_around("Heat directed Mann.", [Triple(heat, by, mann)], default_language(), None)
        'heat directed mann'
    """
    words = f" {normalise(text)} "
    small = language.function_words - language.prepositions - language.grammar.joining
    stated = {(t.source.id, t.relation.id, t.target.id) for t in facts}
    for fact in facts:
        source, relation, target = fact.source, fact.relation, fact.target
        if (target.id, relation.id, source.id) in stated:
            continue
        known = None if lexicon is None else lexicon.relations.get(relation.id)
        told = known or draft_words(bound_words(relation).lower())
        every = {*told.nouns, *told.inverse_nouns, *told.forward, *told.backward}
        if language.told.mutual & {word for phrase in every for word in phrase.lower().split()}:
            continue
        for wrong in (
            *_patterns(source, target, told, language),
            *_patterns(target, source, told.inverse(), language),
        ):
            for found in re.finditer(wrong, words):
                if small.issuperset(" ".join(filter(None, found.groups())).split()):
                    return found[0].strip()
    return ""


def _patterns(
    source: Bound, target: Bound, told: RelationWords, language: Language
) -> Iterator[str]:
    """How a sentence says of the source what holds for the target; groups hold small words."""
    here, there = (re.escape(normalise(bound_words(end))) for end in (source, target))
    being, of_it = _any_of(language.grammar.being), _any_of(language.grammar.of)
    for noun in map(_plain, told.nouns):  # Mann is the director of Heat
        of = rf"{noun} {of_it} (\w+ )?{there}"
        yield rf" {here} {being} (\w+ )?{of} "
        yield rf" {of} {being} {here} "
    for verb in map(_plain, told.forward):  # Heat is directed by Mann
        yield rf" {there} ((?:\w+ ){{0,2}}){verb} (\w+ )?{here} "


def _plain(phrase: str) -> str:
    return re.escape(normalise(phrase))


def _any_of(words: frozenset[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words)))})" if words else "(?!)"

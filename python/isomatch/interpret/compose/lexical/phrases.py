"""Phrases of several words in a question, and the spans of what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from isomatch.interpret.compose.categories import Category
from isomatch.interpret.types import Span, SpanKind
from isomatch.interpret.words.content import Unread, Word, left_unread
from isomatch.interpret.words.universal import sums_all
from isomatch.lexicon.language import Language
from isomatch.lexicon.tables import Phrases

KnownPhrases = dict[str, list[tuple[tuple[str, ...], str, Any]]]
"""By their first words: the words, the preposition after them, and what they stand for."""


def matched(phrase: Sequence[str], texts: Sequence[str], language: Language, *, noun: bool) -> int:
    """How many words the phrase takes from the beginning of a text; 0 where it is not there.

    Turbines that "have a model" are no turbine models, nor "inspections by date" inspection dates,
    nor "crimes under investigation" crime investigations. Nor are those "who do not live" there.
    """
    at = 0
    forms_of = language.noun_forms if noun else language.forms
    verbs = language.auxiliaries | language.grammar.being if noun else frozenset[str]()
    apart = language.function_words - verbs - language.grammar.by - language.schemas.rates
    apart -= language.prepositions - language.grammar.of if noun else set()
    for number, word in enumerate(phrase):
        if at >= len(texts) or forms_of(word).isdisjoint(forms_of(texts[at])):
            return 0
        at += 1
        if number + 1 < len(phrase):
            while at < len(texts) and texts[at] in apart and texts[at] != phrase[number + 1]:
                if (texts[at],) in language.operators.negation:
                    return 0
                at += 1
    return at


def span_of(question: str, words: Sequence[Word], place: int, length: int) -> Span:
    """A number of words from a place on, as a span that stands for nothing.

    They may stand in another order than in the question.
    """
    said = words[place : place + length]
    start, end = min(word.start for word in said), max(word.end for word in said)
    return Span(start, end, question[start:end], "word")


def meant_by(span: Span, kind: SpanKind, meaning: str) -> Span:
    """A span with what it stands for."""
    return Span(span.start, span.end, span.text, kind, meaning)


def groups_by(words: Sequence[Word], place: int, phrases: KnownPhrases, language: Language) -> bool:
    """Whether a word asks for each of what follows, as "per" does: "tickets by product".

    Not after a verb, as "sold by", nor where one of them follows, as "by director Mann", or where
    it is an order, as "the largest firms by revenue".

    Args:
        phrases: what a word may begin, with what it stands for.
    """
    texts = [word.text for word in words]
    if not place or texts[place] not in language.grammar.by or place + 1 == len(texts):
        return False
    before, noun = texts[place - 1], texts[place + 1]
    grammar, scales = language.grammar, language.scales
    ordering = {*grammar.top, *grammar.most, *grammar.fewest, *grammar.sorting}
    ordering |= language.comparatives.union(*((*s.highest, *s.lowest) for s in scales))
    if not ordering.isdisjoint(texts[:place]):
        return False
    said = before in language.function_words or language.is_participle(before)
    following = language.prepositions | language.grammar.joining
    ends = (
        place + 1 + len(phrase)
        for phrase, _, value in phrases.get(noun, ())
        if phrase == tuple(texts[place + 1 : place + 1 + len(phrase)])
        and getattr(value, "role", "noun") == "noun"
        and language.singular(phrase[-1]) == phrase[-1]
    )
    return not said and any(following.issuperset(texts[end : end + 1]) for end in ends)


def unread(
    question: str, words: Sequence[Word], place: int, phrases: KnownPhrases, language: Language
) -> Unread:
    """The words from a place on, of which nothing is made; see `groups_by`."""
    if sums_all([word.text for word in words], place, language):
        return 1, None
    if groups_by(words, place, phrases, language):
        return 1, span_of(question, words, place, 1)
    return left_unread(question, words, place, language)


def said_by(texts: Sequence[str], phrases: Mapping[str, Phrases]) -> Iterator[tuple[int, Any]]:
    """How many of the first words are a phrase of a table, and its key."""
    for length in range(1, len(texts) + 1):
        for key, said in phrases.items():
            if tuple(texts[:length]) in said:
                yield length, key


def ends_noun(words: Sequence[Word], place: int, phrases: KnownPhrases, language: Language) -> bool:
    """Whether a word ends the noun for what is no number of things: "the phone number of"."""
    noun = tuple(word.text for word in words[max(0, place - 1) : place + 1])
    forms = language.forms(noun[0]) if len(noun) > 1 else ()
    known = (phrase for form in forms for phrase, _, _ in phrases.get(form, ()))
    return noun[-1] in language.grammar.designating and noun in known


def little_said(word: str, after: Iterable[str], language: Language) -> Iterator[Category]:
    """What a word may be that is for any thing, or for whatever somebody does."""
    grammar = language.grammar
    if word in grammar.anything:
        yield "anything"
    if word in grammar.vague:
        yield "making"
    if word in grammar.joint and not (grammar.owning | grammar.for_).isdisjoint(after):
        yield "joint verb"

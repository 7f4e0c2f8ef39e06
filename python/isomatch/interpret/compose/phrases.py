"""Phrases of several words in a question, and the spans of what they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from isomatch.interpret.content import Word
from isomatch.interpret.types import Span, SpanKind
from isomatch.lexicon.language import Language
from isomatch.lexicon.tables import Phrases


def matched(phrase: Sequence[str], texts: Sequence[str], language: Language, *, noun: bool) -> int:
    """How many words the phrase takes from the beginning of a text; 0 where it is not there.

    Turbines that "have a model" are no turbine models.
    """
    at = 0
    forms_of = language.noun_forms if noun else language.forms
    verbs = language.auxiliaries | language.grammar.being if noun else frozenset[str]()
    apart = language.function_words - verbs
    for number, word in enumerate(phrase):
        if at >= len(texts) or forms_of(word).isdisjoint(forms_of(texts[at])):
            return 0
        at += 1
        if number + 1 < len(phrase):
            while at < len(texts) and texts[at] in apart and texts[at] != phrase[number + 1]:
                at += 1
    return at


def span_of(question: str, words: Sequence[Word], place: int, length: int) -> Span:
    """A number of words from a place on, as a span that stands for nothing."""
    start, end = words[place].start, words[place + length - 1].end
    return Span(start, end, question[start:end], "word")


def meant_by(span: Span, kind: SpanKind, meaning: str) -> Span:
    """A span with what it stands for."""
    return Span(span.start, span.end, span.text, kind, meaning)


def said_by(texts: Sequence[str], phrases: Mapping[str, Phrases]) -> Iterator[tuple[int, Any]]:
    """How many of the first words are a phrase of a table, and its key."""
    for length in range(1, len(texts) + 1):
        for key, said in phrases.items():
            if tuple(texts[:length]) in said:
                yield length, key

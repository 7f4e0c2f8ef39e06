"""What words of a question stand for among those that types and relations are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

from isomatch.interpret.types import Span, SpanKind
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language

KnownWords = tuple[Mapping[str, str], Mapping[str, str]]
"""What types and relations are called, by the forms of the words for them."""


def phrase_words(phrases: Iterable[str], relation: str, language: Language) -> Iterator[str]:
    """The forms of the words of phrases for a relation, by which these are known.

    A superlative that the relation's own name lacks is known with the word behind it only:
    "last name", and "last" says something else.
    """
    for word, after in (pair for p in phrases for pair in pairwise((*tokens(p), ""))):
        if word in language.operators.words and word not in tokens(relation) and after:
            yield f"{word} {after}"
        else:
            yield from language.forms(word)


def meaning_of(
    words: Sequence[Word], span: Span, known: KnownWords, language: Language
) -> tuple[SpanKind, str]:
    """What a span stands for, which each of its words with content has to; else its kind."""
    all_words = tokens(span.text)
    after = next((word.text for word in words if word.start >= span.end), "")
    pairs = {one: f"{one} {other}" for one, other in pairwise((*all_words, after))}
    said = [w for w in all_words if w not in language.function_words] or all_words
    if span.kind == "operator" and language.asking.whether.issuperset(all_words):
        return span.kind, ""  # "is it a hut", where a relation is called "is in"
    if all_words[0] in language.asking.how and said[-1] in language.degrees:
        # "how long": a length
        found = [_first(language.degrees[said[-1]], *known)]
    else:
        found = [
            _first({*language.forms(part), pairs.get(part, "")}, *known, language.noun_forms(part))
            for word in said
            for part in ([word] if _first(language.forms(word), *known) else word.split("-"))
        ]
    return (found[0] if all(found) else None) or (span.kind, "")


def _first(
    forms: Set[str],
    types: Mapping[str, str],
    relations: Mapping[str, str],
    nouns: Set[str] | None = None,
) -> tuple[SpanKind, str] | None:
    """What the first known form of a word stands for; a verb is no type: "ordered"."""
    for form in sorted(forms if nouns is None else nouns):
        if form in types:
            return "type", types[form]
    return next((("relation", relations[f]) for f in sorted(forms) if f in relations), None)

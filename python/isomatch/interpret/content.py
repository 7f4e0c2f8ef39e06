"""What the words of a question are by themselves, whatever a reading makes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from isomatch.interpret.types import SpanKind
from isomatch.lexicon.english import (
    COMPARING,
    DEGREES,
    FUNCTION_WORDS,
    IDLE_WORDS,
    LISTENERS,
    NUMBER_WORDS,
    OPERATORS,
    QUESTION_WORDS,
    YES_NO,
    agent,
    base_verb,
    participle,
    singular,
)

_WORD = re.compile(r"[^\W_]+(?:[.,\-'’][^\W_]+)*")
_NEGATED = re.compile(r"n't$|^non-")
_HYPHENATED = {word for kind in ("superlative", "ordinal") for (word,) in OPERATORS[kind]}
_PHRASES = frozenset().union(*OPERATORS.values())
_WHEN = QUESTION_WORDS["when"]
_DEGREES = {*DEGREES, *(word for (word,) in OPERATORS["gradable"])}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question.

    Attributes:
        text: in lower case, with straight apostrophes, without a possessive 's.
        start, end: offsets into the question.
    """

    text: str
    start: int
    end: int


def words_of(question: str) -> list[Word]:
    """The words of a question, in their order."""
    return [
        Word(match[0].lower().replace("’", "'").removesuffix("'s"), match.start(), match.end())
        for match in _WORD.finditer(question)
    ]


def kind_of(words: Sequence[Word], place: int, choice: bool) -> tuple[SpanKind | None, int]:
    """What the words from a place on are, and how many; None for those without content.

    Args:
        choice: whether the question has an "or": "is he a man or a woman" asks which.
    """
    texts = [w.text for w in words[place : place + 3]]
    if place == 0 and texts[0] in YES_NO and texts[1:2] and texts[1] not in LISTENERS:
        return (None if choice else "operator"), 1
    if texts[0] == "or" and choice and words[0].text in YES_NO:
        return None, 1
    if texts[0] == "how" and texts[1:2] and texts[1] in _DEGREES:
        return "operator", 2
    for length in range(len(texts), 0, -1):
        if tuple(texts[:length]) in _PHRASES:
            return "operator", length
    if _NEGATED.search(texts[0]) or not _HYPHENATED.isdisjoint(texts[0].split("-")):
        return "operator", 1
    following = [w.text for w in words[place + 1 : place + 4] if w.text not in ("the", "year")]
    if texts[0] in COMPARING and following and _is_number(following[0]):
        return "operator", 1
    if _is_number(texts[0]):
        return "number", 1
    idle = texts[0] in FUNCTION_WORDS or texts[0] in IDLE_WORDS or len(texts[0]) < 2
    return (None if idle else "word"), 1


def _is_number(word: str) -> bool:
    return any(part[:1].isdigit() or part in NUMBER_WORDS for part in word.split("-"))


def noun_forms(word: str) -> frozenset[str]:
    """A noun and what it is a form of: "cities" → "city". A date answers for a year."""
    one = singular(word)
    return frozenset((word, one, *(_WHEN if one in _WHEN else ())))


@lru_cache(maxsize=10_000)
def forms(word: str) -> frozenset[str]:
    """A word and what it is a form of: "bordering", "borders" → "border"."""
    found = set(noun_forms(word))
    for form in tuple(found):
        base = base_verb(participle(form) or form)
        found |= {base, agent(base)}
        if len(form) > 5 and form.endswith("ing"):
            stem = form[:-3]
            found |= {stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem}
    return frozenset(found)

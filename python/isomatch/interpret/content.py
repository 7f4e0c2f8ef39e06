"""What the words of a question are by themselves, whatever a reading makes of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from isomatch.errors import InterpretationError
from isomatch.interpret.types import Hypothesis, Span, SpanKind
from isomatch.lexicon.language import Language
from isomatch.lexicon.mentions import Mention
from isomatch.texts import shortened

_WORD = re.compile(r"[^\W_]+(?:[.,\-'’][^\W_]+)*")


MOST_WORDS = 200
"""Longer questions are refused."""
LONGEST_SHOWN = 200  # characters of a question in a message
MOST_LISTED = 10  # words there that have no place


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


def describes(question: str, span: Span, nouns: Collection[int]) -> bool:
    """Whether a word stands right before a noun, as in "the wonderful film".

    Args:
        nouns: where these begin.
    """
    following = question[span.end :]
    return span.end + len(following) - len(following.lstrip()) in nouns


def not_understood(question: str, unplaced: Sequence[str], note: str = "") -> str:
    """In words, that nothing was made of a question, and which words were not placed."""
    text = f"{shortened(question, LONGEST_SHOWN)!r} was not understood{note}"
    if not unplaced:
        return f"{text}: its words do not join"
    listed = ", ".join(f"“{word}”" for word in unplaced[:MOST_LISTED])
    more = f" and {len(unplaced) - MOST_LISTED} more" if len(unplaced) > MOST_LISTED else ""
    return f"{text}: no place was found for {listed}{more}"


def check_length(question: str) -> None:
    """Refuse a question of more words than any is read with.

    Raises:
        InterpretationError: it has more than `MOST_WORDS`.
    """
    count = len(words_of(question))
    if count > MOST_WORDS:
        raise InterpretationError(
            f"the question has {count:,} words, and questions of at most {MOST_WORDS} are read: "
            "ask for less, or write a pattern"
        )


def asks_whether(words: Sequence[str], language: Language) -> bool:
    """Whether a question that begins with these words asks whether something is so."""
    asking = language.asking
    return words[0] in asking.whether and len(words) > 1 and words[1] not in asking.listener


def kind_of(
    words: Sequence[Word], place: int, choice: bool, language: Language
) -> tuple[SpanKind | None, int]:
    """What the words from a place on are, and how many; None for those without content.

    Args:
        choice: whether the question has an "or": "is he a man or a woman" asks which.
    """
    texts = [w.text for w in words[place : place + 3]]
    first, grammar, operators = texts[0], language.grammar, language.operators
    if place == 0 and asks_whether(texts, language):
        return (None if choice else "operator"), 1
    if first in grammar.choosing and choice and words[0].text in language.asking.whether:
        return None, 1
    if first in language.asking.how and not language.graded.isdisjoint(texts[1:2]):
        return "operator", 2
    for length in range(len(texts), 0, -1):
        if tuple(texts[:length]) in operators.every:
            return "operator", length
    if first.endswith(language.endings.superlative) and first not in language.building:
        return "operator", 1
    if is_negated(first, language) or not operators.hyphenated.isdisjoint(first.split("-")):
        return "operator", 1
    following = [w.text for w in words[place + 1 : place + 4]]
    following = [text for text in following if text not in grammar.before_numbers]
    if first in language.comparing and following and _is_number(following[0], language):
        return "operator", 1
    if _is_number(first, language):
        return "number", 1
    return (None if first in language.building or len(first) < 2 else "word"), 1


def is_negated(word: str, language: Language) -> bool:
    """Whether a word says "not" beside what else it says: "doesn't", "non-fiction"."""
    endings = language.endings
    return word.endswith(endings.negated) or word.startswith(endings.negating)


def _is_number(word: str, language: Language) -> bool:
    words = language.numbers.words
    return any(part[:1].isdigit() or part in words for part in word.split("-"))


def without_guesses(given: Hypothesis, question: str, mentions: Sequence[Mention]) -> Hypothesis:
    """The same, with names left out that the graph lacks where a further hop is said by no word.

    A name that is only near and a relation that nobody named are two guesses: "the capital of
    Persia" asks for no capitals of the countries whose language is Persian.
    """
    coverage, edges = given.coverage, given.pattern.edges
    if coverage is None or len(edges) < 2:
        return given
    said = {span.meaning for span in coverage.understood if span.kind == "relation"}
    if all(edge.relation is None or edge.relation in said for edge in edges):
        return given
    texts = {node.text for node in given.pattern.nodes}
    near = {m.start: m for m in mentions if (m.edits or not m.ids) and m.text in texts}
    spans = (Span(m.start, m.end, question[m.start : m.end], "name") for m in near.values())
    known = tuple(span for span in coverage.understood if span.start not in near)
    left = sorted((*coverage.left_out, *spans), key=lambda span: span.start)
    return replace(given, coverage=replace(coverage, understood=known, left_out=tuple(left)))

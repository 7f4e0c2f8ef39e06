"""Where "all" says more than a plural does.

A pattern finds those that have some of a set, and no pattern finds those that have all of it. So
"all" has a place only where each of several is asked for anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from isomatch.lexicon.language import Language

MOST_WORDS = 2  # in the name of a relation before "of all"


def asks_for_each(words: Sequence[str], place: int, whether: bool, language: Language) -> bool:
    """Whether "all" at a place only asks for each of several.

    Args:
        words: of the question, in lower case.
        whether: whether the question asks if something is so.

    Example:
        >>> from isomatch.lexicon.language import language_of
        >>> english = language_of("en")
        >>> asks_for_each("list all rivers".split(), 1, False, english)
        True
        >>> asks_for_each("which river crosses all states".split(), 3, False, english)
        False
    """
    grammar, before = language.grammar, words[:place]
    if not grammar.than.isdisjoint(before[-1:]):  # "larger than all states in Africa"
        return True
    if words[place] in grammar.of_all:
        return _follows_of(words, before, whether, language)
    if not grammar.of.isdisjoint(before[-1:]) and _follows_of(
        words, before[:-1], whether, language
    ):
        return True
    verbs = (language.auxiliaries | grammar.having) - grammar.being
    asks_listener = not language.asking.listener.isdisjoint(before[1:2])  # "can you list all"
    opening = language.function_words | language.asking.commands
    return (
        not whether and opening.issuperset(before) and (asks_listener or verbs.isdisjoint(before))
    )


def sums_all(words: Sequence[str], place: int, language: Language) -> bool:
    """Whether "all" at a place may ask for a sum: "how many beds do all huts have"."""
    counts = tuple(words[:2]) in language.operators.count
    before = words[place - 1] if place > 2 else ""
    asked = counts and words[place] in language.grammar.every and before in language.auxiliaries
    return asked and not language.grammar.having.isdisjoint(words[-1:])


def _follows_of(
    words: Sequence[str], before: Sequence[str], whether: bool, language: Language
) -> bool:
    """Whether all of a set are those of which something is the largest, or each has something.

    "The largest of all", "the area of all states combined", "the capitals of all states".

    Args:
        before: the words before "of all".
    """
    grammar, asking = language.grammar, language.asking
    greatest = {phrase[0] for phrase in language.operators.superlative}
    if any(word in greatest or word in language.function_of for word in words):
        return True
    opening = (language.function_words | asking.commands) - grammar.of
    rest = list(dropwhile(opening.__contains__, before))
    opened = before[: len(before) - len(rest)]
    commands = not asking.commands.isdisjoint(opened)
    told = not grammar.being.isdisjoint(opened) or grammar.articles.issuperset(opened)
    last = rest
    for at, word in enumerate(rest):
        last = rest[at + 1 :] if word in grammar.of else last
    content = [word for word in last if word not in grammar.articles]
    plain = content and language.building.isdisjoint(content) and len(content) <= MOST_WORDS
    if whether or not plain or not (commands or told):
        return False
    return commands or language.singular(content[-1]) != content[-1]

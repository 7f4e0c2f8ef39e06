"""Where a word is the plural of a name: "leads" is a verb after "which team"."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from isomatch.lexicon.folding import fold
from isomatch.lexicon.language import Language

MOST_PLURAL = 3  # words of a name in the plural
_AFTER_SMALL = re.compile(r"\b[a-z]+ $")


def may_be_noun(before: str, text: str, language: Language) -> bool:
    """Whether a noun may follow some words, of which the last one counts.

    Nouns begin a question, or follow words such as "which", "how many", "the" and "are". After
    another noun, or "that", the same form is a verb. One with a capital is none after a word in
    lower case, "who know Rachels", but may be a part of a name after another, "Ann Rivers".
    """
    if not before.strip():
        return True
    if text[0].isupper() and _AFTER_SMALL.search(before):
        return True
    last, asking = before.lower().split()[-1], language.asking
    if last in language.grammar.relative and last not in asking.which:
        return False
    small = (language.function_words, asking.which, asking.commands, *language.operators.count)
    return any(last in words for words in small)


def may_be_plural(one: str, name: str, *, value: bool) -> bool:
    """Whether the singular of a question's noun is a name of the graph.

    Args:
        one: the singular, as it is written there.
        value: whether the name is a value, or that of several things: "forwards" and "Sergeants"
            are of the positions and ranks "Forward" and "Sergeant", and "Marys" are people
            called "Mary", but "Blues" are not the one thing called "Blue".
    """
    if one != one.lower():
        return value and name == one
    return value or name == one


def one_of(text: str, names: Callable[[str], Collection[str]], language: Language) -> str:
    """The singular of a question's noun; of a name, "Bonnies" is of "Bonnie".

    Args:
        names: the names of the graph that are written so but for case and accents.
    """
    known = names(fold(text[:-1])) if text[:1].isupper() else ()
    return next((n for n in known if language.plural(n) == text), language.singular(text))

"""Where a word is the plural of a name: "leads" is a verb after "which team"."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.lexicon.language import Language

MOST_PLURAL = 3  # words of a name in the plural


def may_be_noun(before: Sequence[str], language: Language) -> bool:
    """Whether a noun may follow these words, of which the last one counts.

    Nouns begin a question, or follow words such as "which", "how many", "the" and "are". After
    another noun, or "that", the same form is a verb.
    """
    if not before:
        return True
    last, asking = before[-1], language.asking
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

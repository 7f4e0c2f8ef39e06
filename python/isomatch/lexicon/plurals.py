"""Where a word that may be a plural is a noun: "leads" is a verb after "which team"."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.lexicon.language import Language


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

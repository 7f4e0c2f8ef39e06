"""Names of relations that say how many there are of something: a "page count"."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.lexicon.tables import Grammar


def numbered(word: str, name: Sequence[str], grammar: Grammar) -> Sequence[str]:
    """The words for what a word of a name says the number of: of "page count", "num employees".

    Empty where it says no number. "Number of rounds" is one of rounds.
    """
    *of, last = name or [""]
    if of and word == last and word in grammar.counted:
        return of
    if of and word == of[0] and word in grammar.numbering:
        return (*of[1:], last)
    if len(of) > 1 and word == of[0] and word in grammar.number and of[1] in grammar.of:
        return (*of[2:], last)
    return ()

"""Words that mean the opposite of others: "sent" and "received", "failed" and "passed"."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


def are_opposites(words: Iterable[str], others: Iterable[str], language: Language) -> bool:
    """Whether words are like others and mean the opposite: "sent", "received"."""
    forms, endings = language.forms, language.endings
    mine, theirs = ({f for word in some for f in forms(word)} for some in (words, others))
    once = {w[len(a) :] for w in mine for a in endings.again if w[: len(a)] == a}
    if once and once & theirs and mine.isdisjoint(theirs):
        return True  # who "reopened" something did not open it
    mine |= once
    theirs |= {verb for noun in theirs for verb in language.opposed_verbs.get(noun, ())}
    every = language.schemas.opposites | language.schemas.complements
    pairs = ({*pair} for pair in every if not mine.isdisjoint(pair))
    opposite = any(len(pair & mine) == len(pair & theirs) == 1 for pair in pairs)
    ways = product(endings.opposite, mine)
    opposite = opposite or not theirs.isdisjoint(not_ + word for not_, word in ways)
    return opposite and mine.isdisjoint(theirs)


def are_complements(word: str, name: str, language: Language) -> bool:
    """Whether something is a word wherever it is not what a name says: "failed", "inactive"."""
    mine, theirs = language.forms(word), {f for w in tokens(name) for f in language.forms(w)}
    pairs = ({*pair} for pair in language.schemas.complements)
    negated = {not_ + w for not_ in language.endings.opposite for w in theirs if len(w) > 3}
    apart = any(len(pair & mine) == len(pair & theirs) == 1 for pair in pairs)
    return (apart or word in negated) and mine.isdisjoint(theirs)

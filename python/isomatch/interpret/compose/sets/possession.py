"""Those who have some of what the noun of a relation is for: "people with an advisor"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isomatch.interpret.compose.analysis import is_whole
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    Named,
    OfType,
    Valued,
    Without,
    is_value,
)
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.sets.values import Values


class Owners(Values):
    """What sets lead to, and who has what they are."""

    def owners(self, of: Expression) -> Expression | None:
        """Those that have some of what a relation's noun means: "with an advisor".

        Or of those of them that are in another set, or of whom something else is said: "with an
        advisor over 60". None for a set that is named by no such noun.
        """
        if isinstance(of, Both) and isinstance(of.right, Along) and is_whole(of.right):
            left, right = self.owners(of.left), self.owners(of.right)  # "a mother and a father"
            if left is not None and right is not None:
                return Both(left, right, left.kinds & right.kinds)
        noun = _noun_of(of)
        if not isinstance(noun, Along) or not isinstance(noun.of, OfType) or is_value(noun):
            return None
        every = self.whole(of.kinds)
        if every is not None:
            return self.step(_with_noun(of, every), noun.step.inverse)
        if isinstance(of, Both):  # of several kinds, those of whom the rest is so
            return self.step(of.right, noun.step.inverse)
        # Children, or parents, of several kinds.
        return Valued(noun.of, noun.step, noun.of.kinds) if of is noun else None

    def owners_of(self, of: Expression, gap: Sequence[str]) -> Expression | None:
        """Those that a set is said to be with by the words before it; None where they are others.

        Those of "a director who directed Heat", too, have the director that one of them has.
        """
        if self.grammar.with_.isdisjoint(gap):
            return None
        one = not self.grammar.indefinite.isdisjoint(gap)
        if one and isinstance(of, Along) and isinstance(of.of, Named) and not of.step.back:
            return self.step(of, of.step.inverse)
        return self.owners(of)

    def owners_as(
        self, of: Expression, word: RelationWord, gap: Sequence[str]
    ) -> Expression | None:
        """Those that have a named thing as what a noun says: "have Ann as their mentor"."""
        step = word.to_things.inverse
        said = isinstance(of, Named) and "noun" in word.role and not is_value(of)
        if not said or self.grammar.alike.isdisjoint(gap) or not self.leads(step, of.kinds):
            return None
        return self.step(of, step)


def _noun_of(of: Expression) -> Expression:
    """The set that others are made of by what is said of it."""
    while isinstance(of, (Both, Compared, Without)):
        of = of.left if isinstance(of, Both) else of.of
    return of


def _with_noun(of: Expression, noun: Expression) -> Expression:
    """What is said of one set, of another."""
    if isinstance(of, Both):
        return replace(of, left=_with_noun(of.left, noun))
    if isinstance(of, (Compared, Without)):
        return replace(of, of=_with_noun(of.of, noun))
    return noun

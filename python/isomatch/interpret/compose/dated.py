"""A year or a date before a class noun: "2006 vehicles" are those of that year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.interpret.compose.constants import equal_to, is_date
from isomatch.interpret.compose.expressions import OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.joins import Joined, Joins, Rule

DATED = 0.1


def of_year(rule: Rule, joins: Joins) -> Rule:
    """A rule for a number before a set; a year or date there is that of things of a class.

    Not of people, of whom so many may be meant, nor where no article or "which" is before it:
    shops that "have 2006 products" have so many.
    """

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        yield from rule(left, right, gap)
        of, constants = right.value, left.value
        one = len(constants) == 1 and is_date(constants[0]) and left.head >= 0
        if gap or not (one and isinstance(of, OfType)) or joins.are_people(of.kinds):
            return
        date = joins.date_of(of)
        if date is not None:
            dated = joins.compared(of, date, (equal_to(constants),))
            yield "set", dated, DATED, right.head

    return join

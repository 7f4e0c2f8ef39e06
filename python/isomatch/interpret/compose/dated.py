"""A year or a date before a class noun: "2006 vehicles" are those of that year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.constants import Comparison, equal_to, is_date
from isomatch.interpret.compose.expressions import OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.joins import Joined, Joins, Rule
from isomatch.lexicon.folding import tokens

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


def is_day_of_year(step: Step, comparisons: Sequence[Comparison], joins: Joins) -> bool:
    """Whether a day or month is compared with a mere year: no car of 2017 is of 14 August."""
    texts = tokens(joins.kinds.schema.by_id[step.relation].text)
    years = {*joins.language.asking.dates} - joins.language.schemas.days
    days = (value for one in comparisons for value in one.values if len(value) > len("2017"))
    return not years.isdisjoint(texts[-1:]) and any(map(is_date, days))

"""The rules for amounts with a unit: "airports above 300 m", "calls of 66 seconds"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Expression, Extreme, Named, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import Comparison, equal_to, is_date
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.joins import Joined, Joins
from isomatch.interpret.compose.units import is_in

UNSAID_VALUE = 0.4  # for a value that is compared without a word for its relation


class AmountRules(RuleSet):
    """Rules that compare things with an amount, where a unit or noun says which value is meant."""

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("set", "quantity"): self.set_quantity,
            ("degree", "compared"): self.degree_compared,
            ("compared", "degree"): self.compared_degree,
        }

    def set_quantity(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "calls of 66 seconds" """
        of, (values, unit), grammar = left.value, right.value, self._joins.grammar
        things = not (isinstance(of, (Named, Extreme)) or is_value(of)) and left.head >= 0
        said = bool(gap) and (grammar.of | grammar.for_).issuperset(gap)
        if things and said and len(values) == 1:
            equal = replace(equal_to(values), unit=unit)
            yield from with_unit(of, (equal,), left.head, self._joins)

    def degree_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "a length over 500" """
        scale, comparisons = right.value
        if scale is None:
            yield "compared", (left.value, comparisons), 0.0, -1

    def compared_degree(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "at least 190 cm tall" """
        scale, comparisons = left.value
        if scale is None and not gap:
            yield "compared", (right.value, comparisons), 0.0, -1


def with_unit(
    of: Expression, comparisons: Sequence[Comparison], head: int, joins: Joins
) -> Iterator[Joined]:
    """Those of a set with such an amount, where only one of their values is a length."""
    kinds = joins.kinds
    units = [c.unit for c in comparisons if c.unit is not None]
    if not units:  # "patients over 50"
        numbers = all(len(c.values) == 1 and not is_date(c.values[0]) for c in comparisons)
        for step in joins.grading.ages(of.kinds) if numbers else ():
            yield "set", joins.compared(of, step, comparisons), UNSAID_VALUE, head
    if not units or len(units) < len(comparisons):
        return
    steps = [
        Step(relation.id)
        for relation in kinds.values(of.kinds)
        if all(c.unit and is_in(c.unit, relation.id, kinds, c.values) for c in comparisons)
    ]
    if len(steps) == 1 and of.kinds:
        yield "set", joins.compared(of, steps[0], comparisons), UNSAID_VALUE, head

"""The rules for "how many people live in Texas", "how much is tea", "the number of pages"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import is_described, is_much, is_turned, may_be_summed
from isomatch.interpret.compose.expressions import (
    Count,
    Expression,
    Extreme,
    Named,
    Without,
    Worked,
    is_value,
    sides_of,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.class_verbs import is_of_deeds
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.edges import EdgeRules
from isomatch.interpret.compose.sets.counting import (
    asks_how_often,
    gives_names,
    is_once,
    number_of,
)
from isomatch.interpret.compose.sets.joins import UNSAID, Joined, Joins


class CountRules(RuleSet):
    """Rules for words that ask for a number.

    An item of category ``count`` is such a word, and one of category ``total`` it and a relation
    to numbers of what it counts.

    Args:
        edges: the rules for values of relationships.
    """

    def __init__(self, joins: Joins, edges: EdgeRules):
        super().__init__(joins)
        self._edges = edges
        self.table = {
            ("count", "set"): self.count_set,
            ("total", "set"): self.total_set,
            ("count", "relation"): self.count_relation,
            ("count", "degree"): lambda a, b, gap: iter([("degree", b.value, 0.0, -1)]),
            ("relation", "count"): self.relation_count,
        }

    def count_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        much = is_much(left, self._joins.language)
        if much and is_value(right.value):  # "how much does tea cost"
            yield "set", right.value, 0.0, right.head
        elif much and not gap and right.head < 0:
            yield from self._edges.amount(right.value)
        elif much and not self._grammar.being.isdisjoint(gap):  # "how much is tea"
            prices = self._joins.grading.prices(right.value.kinds)
            one = any(isinstance(side, (Named, Extreme)) for side in sides_of(right.value))
            if len(prices) == 1 and one:  # "how much is the Family plan", too
                yield "set", self._joins.step(right.value, prices[0]), UNSAID, right.head
        often = asks_how_often(left, self._joins.language)
        deed = often and right.spans[-1].kind == "type" and right.head < 0
        once = often and is_once(right.value, self._kinds)
        once |= often and is_of_deeds(right.value, self._kinds)  # of "how often", that is no number
        if much or deed or once or is_turned(gap, right, self._kinds):
            return  # "how often was Heat cited", "how often did Ivo order"
        if not isinstance(right.value, (Named, Count, Extreme)) and (
            not is_value(right.value) or gives_names(right.value, self._kinds)
        ):
            yield "number of", number_of(right, self._kinds, often=often), 0.0, right.head

    def count_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if may_be_summed(right, self._kinds):  # "how many people live in"
            yield "total", right.value, 0.0, right.head
            if self._is_number(left):  # "the number of pages"
                yield "relation", replace(right.value, role="noun"), 0.0, right.head

    def total_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how many people live in Texas", or in several states together"""
        of: Expression = right.value
        step = Step(left.value.relation)
        # "how many people speak French" are not all that live where it is spoken
        if not gap or is_value(of) or not self._joins.leads(step, of.kinds):
            return
        if isinstance(of, Without) and not is_described(right):
            return  # "in Texas or Ohio" asks for no sum of both
        paired = self._joins.paired_value(of, step.relation)
        named = any(isinstance(side, Named) for side in sides_of(of))
        if paired or isinstance(of, Extreme) or named:
            yield "set", self._joins.values(of, step), 0.0, left.head
        else:
            yield "number of", Worked("sum", of, step), 0.0, left.head

    def relation_count(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if not gap and self._is_number(right):  # "phone number of"
            yield "relation", left.value, 0.1, left.head

    def _is_number(self, count: Item) -> bool:
        """Whether a count is "the number of"."""
        return count.spans[0].text.lower().split()[0] in self._grammar.number

"""The rules for "the highest average salary", "an average over 5" and "more than the average"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import begins_with_relation
from isomatch.interpret.compose.expressions import (
    Along,
    ComparedEach,
    ComparedOwn,
    Expression,
    Extreme,
    ExtremeEach,
    Named,
    OfType,
    PerEach,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.comparisons import TURNED
from isomatch.interpret.compose.rules.superlatives import SuperlativeRules
from isomatch.interpret.compose.sets.joins import Joined, Joins
from isomatch.lexicon.tables import Scale
from isomatch.pattern.elements import Function
from isomatch.pattern.types import Operator

TOTAL_NUMBER = 0.3  # for a "total number of" that is no sum


class AverageRules(RuleSet):
    """Rules that compare things by what is worked out of values, and with it.

    An item of category ``worked`` has (function, step to the values, of what or None); ``extreme
    each`` that, whether the greatest, and places; ``having each`` that and comparisons. One of
    category ``mean`` has a type; ``than average`` (operator, scale of the adjective or None,
    step or None, the average or the type that it is of or None). One of category ``than own`` has
    (operator, scale or None, step or None, step to whom).

    Args:
        superlatives: the rule for a superlative before a relation.
    """

    def __init__(self, joins: Joins, superlatives: SuperlativeRules):
        super().__init__(joins)
        self._superlatives = superlatives
        self.table = {
            ("function", "relation"): self.function_relation,
            ("function", "count"): self.function_count,
            ("worked", "set"): self.worked_set,
            ("worked", "each of"): self.worked_each,
            ("superlative", "worked"): self.superlative_worked,
            ("superlative", "number of"): self.superlative_number,
            ("number of", "compared"): self.number_compared,
            ("set", "extreme each"): self.set_extreme,
            ("set", "extreme"): self.set_extreme_of,
            ("superlative", "set"): self.superlative_value,
            ("most undergone", "set"): self.most_undergone_set,
            ("worked", "compared"): self.worked_compared,
            ("set", "having each"): self.set_having,
            ("comparison", "function"): self.comparison_function,
            ("comparison", "worked"): self.comparison_worked,
            ("comparison", "number of"): self.comparison_number,
            ("comparison", "mean"): self.comparison_mean,
            ("relation", "than average"): self.relation_average,
            ("set", "than average"): self.set_average,
            ("comparison", "own"): self.comparison_own,
            ("relation", "than own"): self.relation_own,
            ("set", "than own"): self.set_own,
        }

    # -- of each --------------------------------------------------------------------

    def function_count(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the total number of crimes": that of citations is a sum, if papers say how many"""
        if left.value == "sum" and not gap:
            yield "count", right.value, TOTAL_NUMBER, -1

    def function_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "average salary", "total views" of a `viewCount`"""
        word: RelationWord = right.value
        ordered = self._kinds.schema.by_id[word.relation].is_ordered
        number = self._kinds.gives_value(word.relation) and not self._joins.is_dated(word.relation)
        if not gap and word.role in ("noun", "number") and ordered and number:
            yield "worked", (left.value, Step(word.relation), None), 0.0, right.head

    def worked_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "total views of her questions": of numbers of what is no thing of its own"""
        (function, step, things), of = left.value, right.value
        those = things is None and not is_value(of) and self._joins.leads(step, of.kinds)
        if those and bool(of.kinds) and not self._grammar.of.isdisjoint(gap):
            yield "number of", Worked(function, of, step), 0.0, right.head

    def worked_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "average area per state": of all of them, where each has one"""
        (function, step, things), of = left.value, right.value
        per = right.spans[0].text.lower() in self._joins.language.schemas.rates
        own = isinstance(of, OfType) and self._joins.leads(step, of.kinds)
        single = own and self._joins.leads_to_one(step)
        if function == "avg" and things is None and per and single and not gap:
            yield "number of", Worked(function, of, step), 0.1, left.head
        elif things is None and len(self._kinds.ends(step)[0]) == 1 and not gap:
            for each, cost in self._each(right, function, step, None):  # "price per category"
                yield "number of", each, cost, left.head

    def superlative_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the highest average river length", "the smallest number of rivers" """
        if (worked := _of_all(right)) is not None:
            yield from self.superlative_worked(left, worked, gap)
        else:
            yield from self._superlatives.most_number(left, right, gap)

    def superlative_worked(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the highest average salary" """
        step = right.value[1]
        noun = replace(right, value=RelationWord(step.relation, "noun"), spans=right.spans[-1:])
        for _, (_, descending, _, places), cost, _ in (
            self._superlatives.superlative_relation(left, noun, gap) if not gap else ()
        ):
            yield "extreme each", (right.value, descending, places), cost, -1

    def set_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the company with the highest average salary" """
        worked, descending, places = right.value
        if worked[0] == "sum" and not descending:
            return  # it may be had by one without any
        for each, cost in self._each(left, *worked):
            found = ExtremeEach(each, descending, each.kinds, places)
            yield self._joins.said(gap), found, cost, left.head

    def superlative_value(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the highest transfer fee": of transfers, that somebody may have had"""
        of: Expression = right.value
        whole = isinstance(of, Along) and isinstance(of.of, OfType) and is_value(of)
        apart = any(a.end + 1 < b.start for a, b in pairwise(right.spans))  # "firms by revenue"
        if isinstance(of, Along) and whole and not (gap or apart or of.step.back):
            word = RelationWord(of.step.relation, "noun")
            noun = replace(right, value=word, spans=right.spans[-1:])
            yield from self._superlatives.superlative_relation(left, noun, gap)
        yield from self._superlatives.superlative_ranked(left, right, gap)

    def set_extreme_of(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the state with the largest population", "the product with the best rating"

        Where products have reviews, and these a rating, it is the best of all of them.
        """
        step, descending, counted, places = right.value
        yield from self._superlatives.set_extreme(left, right, gap)
        of = left.value
        verb = begins_with_relation(right)  # no person "takes the longest"
        if verb or step is None or counted is not None or self._joins.leads(step, of.kinds):
            return
        things = self._joins.whole(self._kinds.ends(step)[0])
        function: Function = "max" if descending else "min"
        own = things is None or self._joins.are_people(things.kinds)  # a salary is no town's
        for each, cost in () if own else self._each(left, function, step, things):
            if not each.step.back:
                continue  # nor has a company the population of its seat
            found = ExtremeEach(each, descending, each.kinds, places)
            yield self._joins.said(gap), found, cost, left.head

    def most_undergone_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most ordered product"; "the most ordered products" may be most orders"""
        name = right.spans[0].text.lower()
        if gap or not (isinstance(right.value, OfType) and self._joins.is_single(name)):
            return
        each = left.value.category == "extreme each"
        rule = self.set_extreme if each else self._superlatives.set_extreme
        yield from rule(right, left.value, ())

    def worked_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "an average salary over 5000" """
        scale, comparisons = right.value
        plain = all(c.other is None and c.unit is None and not c.either for c in comparisons)
        if scale is None and plain:
            yield "having each", (left.value, comparisons), 0.0, -1

    def number_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "an average river length over 2000" """
        if (worked := _of_all(left)) is not None:
            yield from self.worked_compared(worked, right, gap)

    def set_having(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "companies with an average salary over 5000" """
        worked, comparisons = right.value
        where = tuple((c.operator, c.values) for c in comparisons)
        if worked[0] == "sum" and any(operator in ("<", "<=", "!=") for operator, _ in where):
            return
        for each, cost in self._each(left, *worked):
            yield self._joins.said(gap), ComparedEach(each, where, each.kinds), cost, left.head

    def _each(
        self, of: Item, function: Function, step: Step, things: OfType | None
    ) -> Iterator[tuple[PerEach, float]]:
        """The values at a step, of the things of each of a set or of its own, and what that costs.

        One that can only have one such value has no average of its own.
        """
        every: Expression = of.value
        if isinstance(every, (Named, Extreme)) or is_value(every) or of.head < 0:
            return
        if things is None and self._joins.leads(step, every.kinds):
            if not self._joins.leads_to_one(step):
                yield PerEach(every, step, None, every.kinds, function), 0.0
            return
        things = things or self._joins.whole(self._kinds.ends(step)[0])
        if things and isinstance(every, Along) and not every.of.kinds.isdisjoint(things.kinds):
            way = every.step.inverse  # the "buyer" of sales has their prices as a buyer
            yield PerEach(every, way, things, every.kinds, function, step), 0.1
            return
        for way, cost in self._joins.unsaid(every, things.kinds) if things else ():
            yield PerEach(every, way, things, every.kinds, function, step), 0.1 + cost

    # -- beside the average ---------------------------------------------------------

    def comparison_function(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "cheaper than the average", "above average" """
        operator, scale = left.value
        if right.value == "avg" and self._compares(left, gap):
            yield "than average", (operator, scale, None, None), 0.0, -1

    def comparison_worked(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more than the average price" """
        (operator, scale), (function, step, _) = left.value, right.value
        if function == "avg" and self._compares(left, gap):
            yield "than average", (operator, scale, step, None), 0.0, -1

    def comparison_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more than the average price of the tools" """
        (operator, scale), of = left.value, right.value
        worked = isinstance(of, Worked) and of.function == "avg" and of.step is not None
        if worked and self._compares(left, gap):
            yield "than average", (operator, scale, of.step, of), 0.0, -1

    def comparison_mean(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "heavier than the average product" """
        operator, scale = left.value
        if self._compares(left, gap):
            yield "than average", (operator, scale, None, right.value), 0.0, -1

    def _compares(self, comparison: Item, gap: Sequence[str]) -> bool:
        """Whether it compares by more or less, with nothing but articles before the other."""
        return comparison.value[0] in TURNED and self._joins.grammar.articles.issuperset(gap)

    def relation_average(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "cost more than the average" """
        operator, scale, step, of = right.value
        own = Step(left.value.relation)
        ordered = self._kinds.schema.by_id[own.relation].is_ordered
        if scale is None and step in (None, own) and ordered:
            yield "than average", (operator, None, own, of), 0.0, -1

    def set_average(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "products cheaper than the average": of all products

        "Tools cheaper than the average" does not say the average of what, where tools are products
        of one category.
        """
        operator, scale, step, average = right.value
        of: Expression = left.value
        if average is None and not isinstance(of, OfType):
            return
        every = of if average is None else average
        for one, turned, cost in self._steps(of, operator, scale, step):
            other: Any = every if isinstance(every, Worked) else Worked("avg", every, one)
            found = self._joins.compared(of, one, (Comparison(turned, (), other),))
            yield "answer", found, cost, left.head  # "the average in Oslo" is not of all

    def _steps(
        self, of: Expression, operator: Operator, scale: Scale | None, step: Step | None
    ) -> Iterator[tuple[Step, Operator, float]]:
        """The steps to what is compared of a set, with the operator there."""
        if isinstance(of, Named) or is_value(of):
            return
        graded = self._joins.grading.graded(scale, True, of.kinds) if scale else []
        if step is not None and scale is None:
            graded = [(step, True)]
        for number, (one, great) in enumerate(graded):
            if step in (None, one) and self._joins.leads(one, of.kinds):
                yield one, operator if great else TURNED[operator], 0.5 * number

    # -- beside one's own -----------------------------------------------------------

    def alone(self, item: Item) -> Iterator[Item]:
        """ "who earns more than their manager": of all that may"""
        if item.category != "than own" or item.value[2] is None:
            return
        _, _, step, there = item.value
        kinds = self._kinds.ends(step)[0] & self._kinds.ends(there)[0]
        if (every := self._joins.whole(kinds)) is not None:
            of = Item("set", every)
            for _, value, cost, _ in self.set_own(of, item, ()):
                yield Item("answer", value, item.score - cost - 0.2, -1, item.spans)

    def comparison_own(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more than their manager" """
        (operator, scale), (word, *others) = left.value, right.value
        there = word.to_things
        value = others or self._kinds.gives_value(word.relation)
        if operator in TURNED and not (gap or value):
            yield "than own", (operator, scale, None, there), 0.0, -1

    def relation_own(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "earn more than their manager" """
        operator, scale, _, there = right.value
        ordered = self._kinds.schema.by_id[left.value.relation].is_ordered
        if scale is None and ordered:
            yield "than own", (operator, None, Step(left.value.relation), there), 0.0, -1

    def set_own(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "employees who earn more than their manager": each more than his own"""
        operator, scale, step, there = right.value
        of: Expression = left.value
        ends = self._kinds.ends(there)
        if (step is None and scale is None) or not self._joins.leads(there, of.kinds):
            return
        for one, turned, cost in self._steps(of, operator, scale, step):
            if self._joins.leads(one, ends[1]):
                found = ComparedOwn(of, one, turned, there, of.kinds)
                yield "answer", found, cost, left.head


def _of_all(item: Item) -> Item | None:
    """What is worked out of a whole type, as what may be for each of others."""
    of = item.value
    if isinstance(of, Worked) and of.step is not None and isinstance(of.of, OfType):
        return replace(item, category="worked", value=(of.function, of.step, of.of))
    return None

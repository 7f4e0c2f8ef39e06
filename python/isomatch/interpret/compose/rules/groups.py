"""The rules for "each" and "average": how many things each of a set has, what all have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import is_whole, last_words
from isomatch.interpret.compose.expressions import (
    NUMBERS,
    Along,
    Count,
    Expression,
    Extreme,
    Named,
    OfType,
    PerEach,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.sets.joins import Joined, Joins
from isomatch.schema.types import LITERAL


class GroupRules(RuleSet):
    """Rules that count things for each of a set, and work out the values of all.

    An item of category ``each of`` has the set; one of category ``each along`` what a verb leads
    to from it.
    """

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("function", "set"): self.function_set,
            ("set", "function"): self.set_function,
            ("number of", "function"): self.number_function,
            ("each", "set"): self.each_set,
            ("each", "relation"): self.each_value,
            ("number of", "each of"): self.number_each,
            ("number of", "each along"): self.number_along,
            ("relation", "each year"): self.relation_year,
            ("number of", "each year"): self.number_year,
            ("degree", "extreme"): self.year_most,
        }

    def each_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "each country in Europe" """
        of: Expression = right.value
        if not (gap or isinstance(of, (Named, Extreme)) or is_value(of)) and right.head >= 0:
            yield "each of", of, 0.0, right.head

    def each_value(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "each status", of what has one, and "each destination", where several classes have it"""
        word: RelationWord = right.value
        step = Step(word.relation)
        sources = self._kinds.ends(step)[0]
        several = self._kinds.gives_value(word.relation) or len(sources) > 1
        for kind in sorted(sources) if several and word.role == "noun" and not gap else ():
            every = self._joins.whole(frozenset({kind}))
            if every is not None:
                yield "each of", self._joins.step(every, step), 0.0, right.head

    def relation_year(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "released each year", where films say the year"""
        step = Step(left.value.relation)
        every = self._joins.whole(self._kinds.ends(step)[0])
        if every is not None and self._gives_year(step):
            yield "each of", self._joins.step(every, step), 0.0, -1

    def number_year(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the number of films per year", by the one year that films have"""
        of = left.value.of if isinstance(left.value, Count) else None
        dates = self._joins.dates(of.kinds) if of is not None else []
        every = self._joins.whole(of.kinds) if of is not None else None
        if len(dates) == 1 and every is not None and self._gives_year(dates[0]):
            each = Item("each of", self._joins.step(every, dates[0]), spans=right.spans)
            yield from self.number_each(left, each, gap)

    def year_most(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the year with the most films", "in which year were the most films released" """
        step, descending, counted, places = right.value
        language = self._joins.language
        years = {*language.asking.dates} - language.schemas.days
        if counted is None or last_words(left)[-1] not in years:
            return
        date = step.inverse if step else self._joins.own_date(counted.kinds)
        every = self._joins.every(self._kinds.ends(date)[1]) if date else None
        if date is not None and every is not None and self._gives_year(date):
            most = Extreme(every, date.inverse, descending, every.kinds, counted, places)
            yield "answer", most, 0.1, left.head

    def _gives_year(self, step: Step) -> bool:
        dated = self._joins.is_dated(step.relation)
        return dated and self._kinds.ends(step)[1] == {f"{LITERAL}number"}

    def number_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how many cities does each country have", "the number of films per director" """
        told, of = left.value, right.value
        if not isinstance(told, Count):
            # "the average area per river" does not say the area of what
            said = any(span.kind == "type" for span in left.spans)
            step = told.step if isinstance(told, Worked) else None
            if said or (step is not None and len(self._kinds.ends(step)[0]) == 1):
                yield from self._worked_each(told, of, left.head)
            return
        for step, counted, cost in self._steps(of, told.of):
            yield "number of", PerEach(of, step, counted, of.kinds), 0.1 + cost, left.head

    def _worked_each(self, told: object, of: Expression, head: int) -> Iterator[Joined]:
        """ "the average price of the products of each category": no value is left out of it"""
        if not isinstance(told, Worked) or told.step is None or told.step.back:
            return
        for step, things, cost in self._steps(of, told.of):
            if self._joins.leads(told.step, things.kinds):
                each = PerEach(of, step, things, of.kinds, told.function, told.step)
                yield "number of", each, 0.1 + cost, head

    def _steps(
        self, of: Expression, things: Expression
    ) -> Iterator[tuple[Step, Expression, float]]:
        """The steps from each of a set to what is counted there, and what they cost."""
        if isinstance(of, Along) and is_whole(of) and of.of.kinds & things.kinds:
            yield of.step.inverse, things, 0.0  # "films per director"
            return
        every = self._joins.whole(things.kinds)
        if isinstance(things, Along) and is_whole(things) and every is not None:
            if things.of.kinds & of.kinds:  # "neighbours"
                yield things.step, every, 0.0
            return
        for step, cost in self._joins.unsaid(of, things.kinds):
            yield step, things, cost

    def relation_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "run through each country" """
        yield from self._along(right.value, left.value, self._joins.object_back(left.value, gap))

    def each_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "each director directed" """
        word: RelationWord = right.value
        yield from self._along(left.value, word, word.role in ("inverse noun", "backward"))

    def _along(self, of: Expression, word: RelationWord, back: bool) -> Iterator[Joined]:
        if self._kinds.gives_value(word.relation):
            return
        steps = (Step(word.relation, back), Step(word.relation, not back))
        fitting = [step for step in steps if self._joins.leads(step, of.kinds)]
        for step in fitting[:1]:
            yield "each along", self._joins.step(of, step), 0.0, -1

    def number_along(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how many rivers run through each country" """
        along: Along = right.value
        if isinstance(left.value, Count) and left.value.of.kinds & along.kinds:
            things = left.value.of
            yield "number of", PerEach(along.of, along.step, things, along.of.kinds), 0.0, left.head

    def function_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the average population of the states" """
        of: Expression = right.value
        values = isinstance(of, Along) and is_value(of) and not isinstance(of.of, Named)
        if left.value == "avg" and isinstance(of, OfType) and not gap:  # "the average river"
            yield "mean", of, 0.0, right.head
        mark = None if gap or isinstance(of, Extreme) else self._joins.grading.mark(of.kinds)
        if left.value == "avg" and mark is not None and not is_value(of):
            yield "number of", Worked("avg", of, mark), 0.1, right.head
        if isinstance(of, Along) and values and not of.step.back:
            yield "number of", Worked(left.value, of.of, of.step), 0.0, right.head
        whole = left.value == "sum" and not (isinstance(of, (Named, Extreme)) or is_value(of))
        if whole and not self._joins.grammar.of.isdisjoint(gap):  # "the total of unpaid fines"
            prices = self._joins.grading.prices(of.kinds)
            if len(prices) == 1:
                yield "number of", Worked("sum", of, prices[0]), 0.1, right.head

    def set_function(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the area of all states combined", "what price do the cakes have on average" """
        of: Expression = left.value
        on = bool(gap) and gap[-1] in self._joins.language.prepositions
        mean = on and self._joins.grammar.having.issuperset(gap[:-1])
        if mean and right.value == "avg" and of.kinds == NUMBERS:
            yield from self.function_set(right, left, ())
        if right.value != "sum":
            return
        yield from self.function_set(right, left, gap)
        if not (isinstance(of, Along) and is_value(of) and isinstance(of.of, Named)):
            return
        if self._kinds.schema.by_id[of.step.relation].leads_to_one():
            yield "set", of, 0.0, left.head  # one value is its own sum

    def number_function(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how many goals have they scored altogether", "how many films has Ann in total" """
        of: Expression = left.value
        told = isinstance(of, Count) or (isinstance(of, Worked) and of.function == "sum")
        if right.value == "sum" and told:
            yield "number of", of, 0.0, left.head

"""The rules for what is asked of all people: "who is the youngest", "who is over 30"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.interpret.compose.expressions import Extreme, Named, OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import Comparison, is_date
from isomatch.interpret.compose.rules.base import OF_ALL, RuleSet
from isomatch.interpret.compose.rules.comparisons import ComparisonRules
from isomatch.interpret.compose.rules.superlatives import SuperlativeRules
from isomatch.interpret.compose.sets.joins import Joined, Joins


class PeopleRules(RuleSet):
    """Rules for adjectives and comparisons that are said of nobody in particular.

    They are read of the one class of people that has such values; `Answering` keeps them to
    questions for "who".

    Args:
        superlatives, comparisons: the rules for a class.
    """

    def __init__(self, joins: Joins, superlatives: SuperlativeRules, comparisons: ComparisonRules):
        super().__init__(joins)
        self._rules = {
            "superlative": lambda one, of: superlatives.superlative_set(one, of, ()),
            "compared": lambda one, of: comparisons.set_compared(of, one, ()),
        }
        self.table = {("anything", "compared"): self.anything_compared}

    def anything_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "someone older than 30" """
        for item in self.alone(right) if not gap else ():
            yield "set", item.value, right.score - item.score, left.head

    def alone(self, item: Item) -> Iterator[Item]:
        """ "(who is) the youngest", "(who is) older than 30" """
        if item.category == "filter":
            yield from self._with_value(item)
        if item.category == "extreme" and item.value[0] is not None:
            yield from self._most(item)
        rule = self._rules.get(item.category)
        if rule is None:
            return
        dates = any(is_date(v) for c in _constants(item) for v in c.values)
        sets = [Item("set", of, spans=item.spans) for of in (() if dates else self._classes)]
        found = [joined for of in sets for joined in rule(item, of)]
        if len({value.of for _, value, _, _ in found}) == 1:
            for _, value, cost, _ in found:
                yield Item("answer", value, item.score - cost - OF_ALL, -1, item.spans)

    def _most(self, item: Item) -> Iterator[Item]:
        """ "(who) joined first", where other things have such dates, too"""
        step, descending, counted, places = item.value
        found = [of for of in self._classes if self._joins.leads(step, of.kinds)]
        if len(found) == 1 and counted is None and not self._joins.whole(self._kinds.ends(step)[0]):
            best = Extreme(found[0], step, descending, found[0].kinds, None, places)
            yield Item("answer", best, item.score - OF_ALL, -1, item.spans)

    def _with_value(self, item: Item) -> Iterator[Item]:
        """ "(who has) more than six years of experience", "more points than Ann" """
        step, comparisons = item.value
        values = [v for c in comparisons for v in c.values]
        verb = any(span.kind == "relation" for span in item.spans)  # "joined in 2024"
        dates = self._joins.grading.gives_date(step.relation)
        others = all(isinstance(c.other, Named) and not dates for c in comparisons if not c.values)
        dates = dates and any(map(is_date, values)) and not verb
        plain = others and not dates
        found = [of for of in self._classes if plain and self._joins.leads(step, of.kinds)]
        if len(found) == 1:
            those = self._joins.compared(found[0], step, comparisons)
            yield Item("answer", those, item.score - OF_ALL, -1, item.spans)

    @property
    def _classes(self) -> Sequence[OfType]:
        return self._joins.grading.people


def _constants(item: Item) -> Sequence[Comparison]:
    """What is compared with; what is "after 2000" is nobody."""
    return item.value[1] if item.category == "compared" else ()

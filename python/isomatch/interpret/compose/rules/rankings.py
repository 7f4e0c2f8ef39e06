"""The rules for "sorted by price", "the top three", "the largest country by population"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import begins_with_relation, is_given, last_words
from isomatch.interpret.compose.expressions import (
    Count,
    Expression,
    Extreme,
    Named,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.superlatives import (
    FIRST,
    OF_ALL,
    OF_WHOM,
    VALUE_OF_ALL,
    SuperlativeRules,
)
from isomatch.interpret.compose.sets.counting import first_places
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule


class RankingRules(RuleSet):
    """Rules that order a set by what is said to be the key.

    An item of category ``top`` is the word, one of category ``top few`` has places; one of
    category ``ranking`` has (a set, whether the greatest come first, places); `Extreme` says
    what the places are.

    Args:
        superlatives: rules that order a set by what is counted.
    """

    def __init__(self, joins: Joins, superlatives: SuperlativeRules):
        super().__init__(joins)
        self._superlatives = superlatives
        self.table = {
            ("sorting", "relation"): self.sorting_relation,
            ("set", "sorted"): self.set_sorted,
            ("top", "constant"): self.top_constant,
            ("top few", "set"): self.few_set,
            ("ranking", "relation"): self.ranking_relation,
            ("ranking", "number of"): self.ranking_number,
            ("extreme", "set"): self.extreme_set,
            ("superlative", "degree"): self.superlative_date,
            ("set", "dated extreme"): self.set_dated,
        }

    def sorting_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "sorted by price" """
        relation = self._kinds.schema.by_id[right.value.relation]
        # What has no such value would be left out.
        if relation.is_ordered and self._kinds.is_of_all(relation.id):
            yield "sorted", Step(relation.id), 0.0, -1

    def set_sorted(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "recipes from Italy sorted by price": all of them, the least first"""
        of, step = left.value, right.value
        have = bool(of.kinds) and of.kinds <= self._kinds.ends(step)[0]
        plain = have and not isinstance(of, (Named, Extreme)) and not is_value(of)
        if plain and not gap and left.head >= 0:
            yield "answer", Extreme(of, step, False, of.kinds, None, (0, None)), 0.0, left.head

    def top_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the top three" """
        if (places := first_places(right.value)) and not gap:
            yield "top few", places, 0.0, -1

    def few_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the top three films", "the top three longest", "… with the highest budget" """
        of: Expression = right.value
        if gap or isinstance(of, Named) or is_value(of):
            return
        if not isinstance(of, Extreme):
            yield "ranking", (of, True, left.value), 0.0, right.head
        elif of.places == FIRST:
            yield "answer", replace(of, places=left.value), 0.0, right.head

    def ranking_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the top three films by budget", "the largest country by population" """
        of, descending, places = left.value
        relation = self._kinds.schema.by_id[right.value.relation]
        noun = right.value.role == "noun" and relation.is_ordered
        typed = (span.text for span in left.spans if span.kind == "type")
        if places == FIRST and not all(map(self._joins.is_single, typed)):
            return  # "top firms by revenue" does not say how many
        if noun and self._is_key(gap) and self._joins.leads(Step(relation.id), of.kinds):
            found = Extreme(of, Step(relation.id), descending, of.kinds, None, places)
            yield "set", found, 0.0, left.head

    def ranking_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the top three actors by number of films" """
        of, descending, places = left.value
        if self._is_key(gap) and isinstance(right.value, Count):
            counted = Item("extreme", (None, descending, right.value.of, places))
            ranked = Item("set", of, head=left.head)
            yield from self._superlatives.set_extreme(ranked, counted, ())

    def extreme_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the highest salary at Acme", "earns the most at Acme": of those there"""
        step, descending, counted, places = left.value
        of: Expression = right.value
        said = set(gap) - self._joins.grammar.articles
        placed = bool(said) and said <= self._joins.grammar.placing
        if not (placed and is_given(of)) or step is None:
            yield from self._superlatives.extreme_set(left, right, gap)
            return
        every = self._joins.whole(self._kinds.ends(step)[0])
        for there, cost in self._joins.met(every, of, gap) if every else ():
            if counted is None and places == FIRST and step.relation not in self._joins.paired:
                worked = Worked("max" if descending else "min", there, step)
                yield "number of", worked, cost + VALUE_OF_ALL, -1
            by_verb = counted is not None or begins_with_relation(left)
            extreme = Extreme(there, step, descending, there.kinds, counted, places)
            yield "answer", extreme, cost + (OF_ALL if by_verb else OF_WHOM), -1

    def superlative_date(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the latest date", where no relation is called just so"""
        scale, descending, places = left.value
        language = self._joins.language
        dates = {*language.schemas.days, *language.asking.dates}
        said = right.value == scale and not dates.isdisjoint(last_words(right)[-1:])
        if said and self._joins.grading.is_dating(scale) and not gap:
            yield "dated extreme", (descending, places), 0.0, -1

    def set_dated(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "contacts with the latest date": by their one date, or the one called by their class"""
        of: Expression = left.value
        descending, places = right.value
        grammar = self._joins.grammar
        has = not {*gap}.isdisjoint(grammar.owning | grammar.having)
        date = self._joins.date_of(of) if has and not isinstance(of, (Named, Extreme)) else None
        if date is not None and left.head >= 0:
            extreme = Extreme(of, date, descending, of.kinds, None, places)
            yield self._joins.said(gap), extreme, 0.1, left.head

    def _is_key(self, gap: Sequence[str]) -> bool:
        grammar = self._joins.grammar
        said = set(gap) - grammar.articles - grammar.possessive
        return bool(said) and said <= grammar.by


def among_best(rule: Rule) -> Rule:
    """A rule for an adjective before a set; "the critical part that weighs the most" is of those.

    Not the one that weighs the most of all, if that is critical.
    """

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = right.value
        if not isinstance(of, Extreme):
            yield from rule(left, right, gap)
            return
        for category, value, cost, head in rule(left, replace(right, value=of.of), gap):
            yield category, replace(of, of=value, kinds=value.kinds), cost, head

    return join


def of_best(joins: Joins, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
    """What a relation to values says beside those with the greatest or least."""
    of, grammar, step = left.value, joins.grammar, Step(right.value.relation)
    dated, noun = joins.grading.gives_date(step.relation), "noun" in right.value.role
    plain, leads = of.counted is None, joins.leads(step, of.kinds)
    if not grammar.by.isdisjoint(gap):
        if plain:  # "the smallest state by area"
            yield "set", replace(of, step=step), 0.0, left.head
    elif leads and (not grammar.possessive.isdisjoint(gap) or not (gap or dated)):
        # "the cheapest product's price", "(what) does the cheapest product cost"
        yield "set", joins.step(of, step), 0.0, right.head if noun else -1
    elif grammar.linking.issuperset(gap) and of.step == step and plain:
        # "the first film released", "the first museum to open"
        yield "set", of, 0.0, left.head
    if dated and leads and not gap:  # "when was the first museum opened"
        yield "set", joins.step(of, step), 0.1, -1

"""The rules for values of relationships: "the rating that she gave", "who played Neo"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import (
    Along,
    AlongValue,
    Both,
    ComparedEach,
    Expression,
    Extreme,
    ExtremeEach,
    Named,
    OnEdge,
    PerEach,
    Worked,
    is_value,
    last_steps,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.constants import equal_to
from isomatch.interpret.compose.lexical.relation_words import EdgeKey
from isomatch.interpret.compose.rules.base import RuleSet, swapped
from isomatch.interpret.compose.rules.superlatives import FIRST
from isomatch.interpret.compose.sets.joins import RIVAL, Joined, Joins
from isomatch.lexicon.folding import tokens
from isomatch.link.normalise import value_of
from isomatch.pattern.elements import EachFunction, Function

OF_ANY = 0.5  # for an end of the relationship that is not said


class EdgeRules(RuleSet):
    """Rules that make sets of the values of relationships, and of the ends of those with a value.

    An item of category ``key`` is an `EdgeKey`; one of category ``on edge`` an `OnEdge` that may
    lack an end; one of category ``text`` what may be a value; ``keyed`` has (`EdgeKey`, text).
    """

    def __init__(self, joins: Joins):
        super().__init__(joins)
        grammar = joins.grammar
        self._apart = grammar.joining | grammar.choosing | grammar.lacking
        # "Units on order" are rather not those of orders.
        self._on_any = joins.language.prepositions - grammar.placing - grammar.of - grammar.by
        self.table = {
            ("key", "set"): self.key_set,
            ("set", "key"): self.set_key,
            ("on edge", "set"): self.on_edge_set,
            ("key", "relation"): self.key_relation,
            ("relation", "key"): swapped(self.key_relation),
            ("on edge", "relation"): self.on_edge_relation,
            ("count", "key"): self.count_key,
            ("function", "on edge"): self.function_on_edge,
            ("on edge", "function"): swapped(self.function_on_edge),
            ("superlative", "on edge"): self.superlative_on_edge,
            ("key", "compared"): self.key_compared,
            ("key", "constant"): self.key_constant,
            ("function", "key"): self.function_key,
            ("key worked", "each of"): self.worked_each,
            ("key worked", "compared"): self.worked_compared,
            ("superlative", "key worked"): self.superlative_worked,
            ("compared", "key"): self.compared_key,
            ("key filter", "set"): self.filter_set,
            ("set", "key filter"): self.set_key_filter,
            ("superlative", "key"): self.superlative_key,
            ("set", "key extreme"): self.set_key_extreme,
            ("key", "text"): self.key_text,
            ("relation", "text"): self.relation_text,
            ("relation", "keyed"): self.relation_keyed,
            ("keyed", "set"): self.keyed_set,
            ("set", "keyed"): self.set_keyed,
        }

    def alone(self, item: Item) -> Iterator[Item]:
        """What values, or those who have one, are by themselves."""
        if item.category == "on edge":
            lacks = item.value.source is None or item.value.target is None
            score = item.score - OF_ANY * lacks
            if item.value.total:
                total = Worked("sum", item.value, None)
                yield replace(item, category="number of", value=total, score=score)
            else:
                yield replace(item, category="set", score=score)
        elif item.category == "keyed":
            key, text = item.value
            step = Step(key.relation, True)
            doers = AlongValue(None, step, key.key, text, self._kinds.ends(step)[1])
            yield replace(item, category="set", value=doers, score=item.score - 0.1)

    def key_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the rating of Heat" """
        key: EdgeKey = left.value
        on = OnEdge(None, None, Step(key.relation), key.key, key.number)
        yield from self._with_end(on, right.value, gap, left.head)

    def set_key(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "her rating" """
        if self._grammar.linking.issuperset(gap):
            yield from self.key_set(right, left, ())

    def on_edge_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the rating that she gave Heat" """
        yield from self._with_end(left.value, right.value, gap, left.head)

    def _with_end(
        self, on: OnEdge, of: Expression, gap: Sequence[str], head: int
    ) -> Iterator[Joined]:
        if is_value(of) or not self._apart.isdisjoint(gap):
            return
        ends = self._kinds.ends(on.step)
        free = [on.source is None, on.target is None]
        on_any = not self._on_any.isdisjoint(gap)
        fitting = [n for n in (0, 1) if free[n] and not ends[n].isdisjoint(of.kinds)]
        for number, end in enumerate(fitting):
            filled = replace(on, target=of) if end else replace(on, source=of)
            again = _is_by(of, on.step.relation)  # "the number ordered": rather of the thing
            yield "on edge", filled, RIVAL * number + OF_ANY * (again or on_any), head

    def key_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the roles played" """
        if left.value.relation == right.value.relation and self._on_any.isdisjoint(gap):
            yield "key", left.value, 0.0, left.head

    def on_edge_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the role that he played" """
        if left.value.step.relation == right.value.relation:
            yield "on edge", left.value, 0.0, left.head

    def count_key(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "how many units": a quantity"""
        if right.value.number:
            yield "key", right.value, 0.0, right.head

    def amount(self, of: Expression) -> Iterator[Joined]:
        """ "how much tea was ordered": all of it, by the quantities on edges"""
        properties, schemas = self._kinds.schema.edge_properties, self._joins.language.schemas
        if not (isinstance(of, Along) and isinstance(of.of, Named)):
            return
        for key in (key.removeprefix(".") for key in properties.get(of.step.relation, ())):
            if key in schemas.quantities:
                source, target = (None, of.of) if of.step.back else (of.of, None)
                on: Any = OnEdge(source, target, Step(of.step.relation), key, True)
                yield "number of", Worked("sum", on, None), 0.1, -1

    def function_on_edge(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the average rating that she gave" """
        lacks = right.value.source is None or right.value.target is None
        if lacks:
            yield "number of", Worked(left.value, right.value, None), OF_ANY, right.head

    def superlative_on_edge(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the highest rating that she gave" """
        _, descending, places = left.value
        lacks = right.value.source is None or right.value.target is None
        if lacks and places == FIRST:
            function: Function = "max" if descending else "min"
            yield "number of", Worked(function, right.value, None), OF_ANY, right.head

    def key_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "a rating below 70" """
        yield from self._filtered(left.value, "", right, gap)

    def worked_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "an average rating below 70" """
        yield from self._filtered(left.value[1], left.value[0], right, gap)

    def _filtered(
        self, key: EdgeKey, function: str, right: Item, gap: Sequence[str]
    ) -> Iterator[Joined]:
        scale, comparisons = right.value
        plain = all(c.other is None and c.unit is None and not c.either for c in comparisons)
        if scale is None and plain and self._apart.isdisjoint(gap):
            yield "key filter", (key, comparisons, function), 0.0, -1

    def key_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "a rating of 65" """
        number = len(right.value) == 1 and value_of(right.value[0]).number is not None
        if number and gap and self._grammar.of.issuperset(gap) and not left.value.number:
            yield "key filter", (left.value, (equal_to(right.value),), ""), 0.0, -1

    def function_key(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "average rating" """
        if not gap:
            yield "key worked", (left.value, right.value), 0.0, right.head

    def worked_each(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the average rating of each film" """
        function, key = left.value
        if each := self._each(function, key, right.value):
            yield "number of", each, 0.1, left.head

    def superlative_worked(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the highest average rating" """
        _, descending, places = left.value
        function, key = right.value
        if not gap and (descending or function != "sum"):  # one without any has the least sum
            yield "key extreme", (key, descending, places, function), 0.0, -1

    def _each(self, function: str, key: EdgeKey, of: Expression) -> PerEach | None:
        step = self._away(key, of, worked=True)
        if step is None or isinstance(of, (Named, Extreme)):
            return None
        return PerEach(of, step, None, of.kinds, cast(EachFunction, function), key=key.key)

    def compared_key(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more than 50 units" """
        if right.value.number and not gap:
            yield from self._filtered(right.value, "", left, gap)

    def filter_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "more than 50 units of tea": of those whose own edge says so, and of nobody's sum"""
        (key, comparisons, _), of = left.value, right.value
        steps = [Step(key.relation), Step(key.relation, True)]
        where = tuple((c.operator, c.values) for c in comparisons)
        for step in steps if isinstance(of, Named) and self._grammar.of.issuperset(gap) else ():
            source, target = self._kinds.ends(step)
            if key.number and gap and not source.isdisjoint(of.kinds):
                there = AlongValue(of, step, key.key, "", target, where)
                yield "done then", there, 0.0, -1

    def set_key_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "gave Heat a rating below 70", "films with a rating below 70" """
        of: Expression = left.value
        key, comparisons, function = right.value
        step = self._away(key, of, worked=bool(function))
        if step is None or not self._apart.isdisjoint(gap):
            return
        where = tuple((c.operator, c.values) for c in comparisons)
        with_ = not self._grammar.with_.isdisjoint(gap) or self._gets(key, gap)
        if function:
            each = self._each(function, key, of) if with_ else None
            if each is not None:
                yield self._joins.said(gap), ComparedEach(each, where, of.kinds), 0.1, left.head
        elif isinstance(of, Named):
            there = AlongValue(of, step, key.key, "", self._kinds.ends(step)[1], where)
            yield "set", there, 0.0, -1
        elif with_:
            own: Any = AlongValue(None, step.inverse, key.key, "", of.kinds, where)
            yield self._joins.said(gap), Both(of, own, of.kinds), 0.0, left.head

    def superlative_key(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the worst rating" """
        _, descending, places = left.value
        if not gap:
            yield "key extreme", (right.value, descending, places, ""), 0.0, -1

    def set_key_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the film with the worst rating" """
        of: Expression = left.value
        key, descending, places, function = right.value
        step = self._away(key, of, worked=bool(function))
        with_ = not self._grammar.with_.isdisjoint(gap) or self._gets(key, gap)
        if step is None or isinstance(of, (Named, Extreme)) or not with_:
            return
        if function:
            if each := self._each(function, key, of):
                found = ExtremeEach(each, descending, of.kinds, places)
                yield self._joins.said(gap), found, 0.1, left.head
            return
        extreme = Extreme(of, step, descending, of.kinds, None, places, key.key)
        yield self._joins.said(gap), extreme, 0.1, left.head

    def _gets(self, key: EdgeKey, gap: Sequence[str]) -> bool:
        """Whether a verb between says no more than "has": "got a rating"."""
        language = self._joins.language
        verbs = language.schemas.collocations.get(language.singular(key.key), ())
        return any(not language.forms(word).isdisjoint(verbs) for word in gap)

    def _away(self, key: EdgeKey, of: Expression, *, worked: bool = False) -> Step | None:
        """The step of a property's relation that leads away from a set; None for both or none."""
        if not worked and not self._joins.language.schemas.numbers.keys().isdisjoint(
            tokens(key.key)
        ):
            return None  # quantities are rather added up
        if any(step.relation == key.relation for step in last_steps(of)):
            return None  # "the review with the best rating" is that of one and the same edge
        steps = [Step(key.relation), Step(key.relation, True)]
        fitting = [s for s in steps if not self._kinds.ends(s)[0].isdisjoint(of.kinds)]
        return fitting[0] if len(fitting) == 1 and not is_value(of) else None

    def key_text(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the role of Neo" """
        yield "keyed", (left.value, right.value), 0.0, -1

    def relation_text(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "played Neo" """
        keys = self._kinds.schema.edge_properties.get(left.value.relation, ())
        if value_of(right.value).number is not None:
            return  # "order 10248"
        for number, key in enumerate(sorted(keys)):
            edge = EdgeKey(left.value.relation, key.removeprefix("."))
            if "noun" not in left.value.role and self._grammar.alike.issuperset(gap):
                yield "keyed", (edge, right.value), RIVAL * number, -1

    def relation_keyed(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "played the role of Neo" """
        if right.value[0].relation == left.value.relation:
            yield "keyed", right.value, 0.0, -1

    def keyed_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "played Neo in The Matrix" """
        key, text = left.value
        yield from self._by_value(key, text, Step(key.relation, True), right.value, gap)

    def set_keyed(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the film that Keanu Reeves played Neo in" """
        key, text = right.value
        yield from self._by_value(key, text, Step(key.relation), left.value, gap)

    def _by_value(
        self, key: EdgeKey, text: str, step: Step, of: Expression, gap: Sequence[str]
    ) -> Iterator[Joined]:
        source, target = self._kinds.ends(step)
        if not source.isdisjoint(of.kinds) and self._apart.isdisjoint(gap):
            yield "set", AlongValue(of, step, key.key, text, target), 0.0, -1


def _is_by(of: Expression, relation: str) -> bool:
    """Whether a step of a relation leads to a set."""
    if isinstance(of, Both):
        return _is_by(of.left, relation) or _is_by(of.right, relation)
    return isinstance(of, Along) and of.step.relation == relation

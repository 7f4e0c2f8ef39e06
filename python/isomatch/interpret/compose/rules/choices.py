"""The rules for "or": one of several values or things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import all_parts, any_of
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    Linked,
    Named,
    OfType,
    alike,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import Kinds
from isomatch.interpret.compose.lexical.constants import Comparison, equal_to
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.comparisons import TURNED
from isomatch.interpret.compose.rules.superlatives import FIRST, SECOND_SENSE
from isomatch.interpret.compose.rules.unions import any_along
from isomatch.interpret.compose.sets.joins import RIVAL, UNSAID, Joined, Joins, Rule

MOST_VALUES = 20


class ChoiceRules(RuleSet):
    """Rules that compare one value with several constants or values of the graph.

    An item of category ``open`` has the item before "or"; one of category ``either`` the names
    of several values or nodes.

    Args:
        relation_set, set_relation: the rules that join a verb and what is beside it.
    """

    def __init__(self, joins: Joins, relation_set: Rule, set_relation: Rule):
        super().__init__(joins)
        self._relation_set = relation_set
        self._set_relation = set_relation
        self.table = {
            ("set", "or"): self.set_or,
            ("constant", "or"): self.constant_or,
            ("compared", "or"): self.constant_or,
            ("open", "set"): self.open_set,
            ("open", "constant"): self.open_constant,
            ("open", "compared"): self.open_compared,
            ("comparative", "either"): self.comparative_either,
            ("superlative", "either"): self.superlative_either,
            ("extreme", "either"): self.extreme_either,
            ("set", "either"): self.set_either,
            ("either", "set"): self.either_set,
            ("relation", "either"): self.relation_either,
            ("either", "relation"): self.either_relation,
            ("constant", "constant"): self.constant_constant,
            ("relation", "or"): self.relation_or,
            ("open", "relation"): self.open_relation,
            ("either relation", "set"): self.either_relation_set,
            ("set", "either relation"): self.set_either_relation,
            ("either relation", "constant"): self.either_relation_constant,
        }

    def comparative_either(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "longer, the Ohio or the Yukon": a reading for each, of which one holds"""
        operator, scale, step = left.value
        names: Sequence[Named] = right.value
        first = names[0]
        if is_value(first) or any(name.nodes > 1 for name in names):
            return
        if step is not None:
            graded = [(step, True)] if self._joins.leads(step, first.kinds) else []
        else:
            graded = self._joins.grading.graded(scale, True, first.kinds) if scale else []
        if not self._joins.grammar.articles.issuperset(gap):
            return
        for place, (one, great) in enumerate(graded):
            than = [Comparison(operator, (), name) for name in names]
            than = than if great else [c.turned(TURNED) for c in than]
            for n, name in enumerate(names):
                others = [c for m, c in enumerate(than) if m != n]
                greater = self._joins.compared(replace(name, every=True), one, others)
                yield "set", greater, SECOND_SENSE * place, -1

    def superlative_either(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the longest, the Ohio, the Yukon or the Sabine" """
        scale, great, places = left.value
        if places == FIRST:
            comparative = replace(left, value=(">" if great else "<", scale, None))
            yield from self.comparative_either(comparative, right, gap)

    def extreme_either(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "published first, Heat or Cold", "has the higher price, the drill or the saw" """
        step, great, counted, places = left.value
        if step is not None and counted is None and places == FIRST:
            comparative = replace(left, value=(">" if great else "<", None, step))
            yield from self.comparative_either(comparative, right, gap)

    def set_or(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "Japan or", "border Russia or" """
        if not gap and (isinstance(left.value, Named) or _is_said(left)):
            yield "open", left, 0.0, -1

    def relation_or(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "directed or", "acted in or" """
        if self._joins.language.prepositions.issuperset(gap) and left.value.role != "number":
            yield "open", left, 0.0, -1

    def open_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "directed or produced" """
        first: Item = left.value
        if first.category != "relation" or gap or right.value.role == "number":
            return
        if ("noun" in first.value.role) == ("noun" in right.value.role):
            yield "either relation", (first.value, right.value), 0.0, -1
            if "noun" not in right.value.role:
                yield "deeds", ("or", first, right), 0.0, -1  # "that were directed or produced"

    def either_relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "directed or produced Heat" """
        words = [Item("relation", word) for word in left.value]
        yield from self._any((self._relation_set(w, right, gap) for w in words), right.value)

    def set_either_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "that Tom Hanks directed or produced" """
        words = [Item("relation", word) for word in right.value]
        if isinstance(left.value, Named):
            yield from self._any((self._set_relation(left, w, gap) for w in words), left.value)

    def either_relation_constant(
        self, left: Item, right: Item, gap: Sequence[str]
    ) -> Iterator[Joined]:
        """ "born or died in 1990" """
        steps = [Step(word.relation) for word in left.value]
        ends = frozenset.intersection(*(self._kinds.ends(step)[0] for step in steps))
        every = self._joins.whole(ends)
        values = all(self._kinds.gives_value(step.relation) for step in steps)
        if every is None or not values or not self._joins.language.building.issuperset(gap):
            return
        equal = (equal_to(right.value),)
        yield "set", any_of(every, [self._joins.compared(every, s, equal) for s in steps]), 0.0, -1

    def _any(
        self, joined: Iterable[Iterable[Joined]], of: Expression | None = None
    ) -> Iterator[Joined]:
        """What is in any of the sets that several verbs make.

        Args:
            of: what all the verbs are said of.
        """
        firsts = [next((j for j in some if j[0] == "set"), None) for some in joined]
        found = [j for j in firsts if j is not None]
        if len(found) < len(firsts):
            return
        sets = [j[1] for j in found]
        kinds = frozenset.intersection(*(one.kinds for one in sets))
        whole = self._joins.whole(kinds)
        every: Expression | None = whole
        if isinstance(of, Named) and whole and self._kinds.total(whole.type) is None:
            # No relation stands for all of the type.
            every = Both(Linked(of, kinds), whole, kinds)
        if every is not None:
            yield "set", any_of(every, sets), sum(j[2] for j in found), -1

    def constant_or(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "1995 or", "before 1995 or" """
        if not gap:
            yield "open", left, 0.0, -1

    def open_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "Japan or France", "managed by Ann or open" """
        first: Item = left.value
        if first.category != "set":
            return
        if _is_said(first) or _is_said(right):
            sets = [
                of
                for one, other in ((first, right), (right, first))
                for of in self._said(one, other.value.kinds)
            ]
            if self._joins.grammar.linking.issuperset(gap) and len(sets) == 2:
                yield from self._any([("set", one, 0.0, -1)] for one in sets)
            return
        names = isinstance(first.value, Named) and isinstance(right.value, Named)
        between = self._joins.language.prepositions | self._joins.grammar.articles
        if not names or not between.issuperset(gap):
            return
        values = is_value(first.value) and is_value(right.value)
        nodes = not is_value(first.value) and first.value.kinds & right.value.kinds
        if values or nodes:
            yield "either", (first.value, right.value), 0.0, -1

    def _said(self, item: Item, kinds: Kinds) -> list[Expression]:
        """What a verb says of something, or the one state that things of some kinds may be in."""
        of: Expression = item.value
        if not (isinstance(of, Named) and is_value(of)):
            return [of] if _is_said(item) else []
        steps = [step for step in of.steps if self._joins.leads(step.inverse, kinds)]
        return [self._joins.step(of, step) for step in steps] if len(steps) == 1 else []

    def open_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "1995 or 1996" """
        first: Item = left.value
        if first.category == "constant" and self._joins.language.prepositions.issuperset(gap):
            yield "constant", (*first.value, *right.value), 0.0, -1

    def constant_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "from 1990 to 2000" """
        grammar = self._joins.grammar
        if gap and (grammar.range - grammar.joining).issuperset(gap):
            bounds = Comparison(">=", left.value), Comparison("<=", right.value)
            if len(left.value) == len(right.value) == 1:
                yield "compared", (None, bounds), 0.0, -1

    def open_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "before 1980 or after 1990" """
        first: Item = left.value
        if first.category != "compared" or first.value[0] != right.value[0] or gap:
            return
        (scale, ones), (_, others) = first.value, right.value
        if len(ones) == len(others) == 1 and ones[0].other is None is others[0].other:
            unit = others[0].unit
            if ones[0].unit in (None, unit):
                either = replace(ones[0], either=others, unit=unit)
                yield "compared", (scale, (either,)), 0.0, -1

    def set_either(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "suppliers from Japan or France" """
        of: Expression = left.value
        names = right.value
        if isinstance(of, Named):
            same = is_value(of) == is_value(names[0])
            if same and self._joins.grammar.articles.issuperset(gap) and len(names) < MOST_VALUES:
                yield "either", (of, *names), 0.0, -1
            return
        if not is_value(names[0]) and left.head < 0:
            return  # a verb says what it does with them
        if not is_value(names[0]):  # "rivers in Texas or Ohio"
            for choice in product(*(self._joins.met(of, one, gap) for one in names)):
                met = [value for value, _ in choice]
                if all(alike(value, met[0]) for value in met):
                    cost = max(cost for _, cost in choice)
                    yield self._joins.said(gap), any_of(of, met), cost, left.head
            return
        steps = [
            step.inverse
            for step in sorted(self._common(right.value))
            if not is_value(of) and of.kinds and self._joins.leads(step.inverse, of.kinds)
        ]
        for step in steps:
            one = self._one_of(of, step, right.value)
            yield self._joins.said(gap), one, UNSAID + RIVAL * (len(steps) - 1), left.head

    def either_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "red or white wines" """
        if not gap and is_value(left.value[0]) and isinstance(right.value, OfType):
            yield from self.set_either(right, left, ())

    def relation_either(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "shipped to Japan or France" """
        if not is_value(right.value[0]):  # "border Texas or Ohio"
            yield from self._each(left, right, gap, self._relation_set)
            return
        step = Step(left.value.relation)
        if step.inverse in self._common(right.value):
            texts = tuple(name.text for name in right.value)
            yield "filter", (step, (Comparison("in", texts),)), 0.0, -1

    def either_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "that Ann or Ben bought" """
        if not is_value(left.value[0]):

            def turned(word: Item, of: Item, gap: Sequence[str]) -> Iterator[Joined]:
                return self._set_relation(of, word, gap)

            yield from self._each(right, left, gap, turned)

    def _each(self, word: Item, names: Item, gap: Sequence[str], rule: Rule) -> Iterator[Joined]:
        """What a relation leads to from any of several names, by the same step from each."""
        rows = [
            [j for j in rule(word, Item("set", one), gap) if j[0] == "set"] for one in names.value
        ]
        for choice in zip(*rows, strict=False):
            either = any_along([j[1] for j in choice], self._joins)
            if either is not None:
                yield "set", either, choice[0][2], -1

    def _common(self, names: Sequence[Named]) -> frozenset[Step]:
        """The steps that lead away from each of several values."""
        return frozenset.intersection(*(name.steps for name in names))

    def _one_of(self, of: Expression, step: Step, names: Sequence[Named]) -> Compared:
        return Compared(of, step, "in", tuple(name.text for name in names), of.kinds)


def is_of_chosen(of: Expression) -> bool:
    """Whether a set is what a name has of which one was to be chosen: "is older, Ann or Ben"."""
    chosen = any(
        isinstance(one, Compared) and isinstance(one.of, Named) and one.of.every and one.other
        for one in all_parts(of)
    )
    sides: list[Expression] = [of.left, of.right] if isinstance(of, Both) else [of]
    for n, side in enumerate(sides):
        while isinstance(side, Compared):
            side = sides[n] = side.of
    return chosen and not any(isinstance(side, Named) for side in sides)


def _is_said(item: Item) -> bool:
    """Whether a set is what a verb and its object say: "border Russia"."""
    return item.head < 0 and isinstance(item.value, (Along, Both)) and not is_value(item.value)

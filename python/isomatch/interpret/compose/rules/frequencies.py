"""The rules for "most common": what the most things have, of those that a relation leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Expression, Extreme, OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.rules.base import RuleSet, swapped
from isomatch.interpret.compose.sets.joins import Joined, Joins


class FrequencyRules(RuleSet):
    """Rules for what is the most common of a kind, or of the values of a relation.

    An item of category ``most common`` has places, as those of `Extreme`. It is a whole answer:
    "the most common fault of the pumps" is not the one of all, if that is theirs.
    """

    def __init__(self, joins: Joins):
        super().__init__(joins)
        self.table = {
            ("most common", "set"): self.common_set,
            ("set", "most common"): swapped(self.common_set),
            ("most common", "relation"): self.common_relation,
            ("relation", "most common"): swapped(self.common_relation),
        }

    def common_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most common genre", where one relation leads to genres"""
        of: Expression = right.value
        if not isinstance(of, OfType) or right.head < 0 or not self._is_small(gap):
            return
        leading = [
            r.id
            for r in self._kinds.relations
            if not (
                self._kinds.gives_value(r.id)
                or self._kinds.ends(Step(r.id))[1].isdisjoint(of.kinds)
            )
        ]
        away = any(
            not self._kinds.gives_value(r.id) and self._kinds.leads(Step(r.id), of.kinds)
            for r in self._kinds.relations
        )
        if len(leading) == 1 and not away:
            yield from self._most(Step(leading[0], True), of, left, right.head)

    def common_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the most common status", of all that have one"""
        word = right.value
        if word.role == "noun" and self._is_small(gap):
            sources, values = self._kinds.ends(Step(word.relation))
            if sources and values:
                of = self._joins.step(self._joins.all_of(sources), Step(word.relation))
                yield from self._most(Step(word.relation, True), of, left, right.head)

    def _most(self, step: Step, of: Expression, common: Item, head: int) -> Iterator[Joined]:
        counted = self._joins.all_of(self._kinds.ends(step)[1])
        yield "answer", Extreme(of, step, True, of.kinds, counted, common.value), 0.1, head

    def _is_small(self, gap: Sequence[str]) -> bool:
        grammar = self._joins.grammar
        return (grammar.being | grammar.articles).issuperset(gap)

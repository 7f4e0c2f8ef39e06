"""The rules for questions that ask for yes or no: "is Austin the capital of Texas"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from isomatch.interpret.compose.expressions import (
    Along,
    Apart,
    Expression,
    Extreme,
    Named,
    Valued,
    Whether,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.joins import Joined, Joins, Rule, Table
from isomatch.interpret.compose.traits import (
    is_of_all,
    is_of_name,
    is_turned,
    last_words,
    leaves_out,
)
from isomatch.interpret.compose.words import RelationWord


class YesNoRules:
    """Rules that ask whether a set has anything in it, or a fact holds.

    Args:
        joins: of the graph.
    """

    def __init__(self, joins: Joins):
        self._joins = joins
        self._kinds = joins.kinds
        self.table: Table = {
            ("whether", "fact"): self.whether,
            ("whether", "one of"): self._begun(joins.grammar.being),
            ("whether", "owner"): self._begun(joins.grammar.having),
            ("whether", "set"): self.whether,
            ("whether", "done"): self.whether_done,
            ("described", "set"): self.described_set,
            ("described", "described"): self.described_described,
            ("not", "described"): self.not_described,
        }

    def whether(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "is Austin the capital of Texas", "are there rivers in Alaska" """
        first = min(right.spans, key=lambda span: span.start)
        if first.kind == "name" and leaves_out(right.value):
            return  # "does Texas border no states" is not whether it borders something else
        if is_turned((left.spans[0].text.lower(),), right, self._kinds):
            return
        if not isinstance(right.value, Apart) and is_of_all(right, gap, self._joins.language):
            return
        if self._is_deed(right):
            return
        of: Expression = right.value
        if not isinstance(of, (Named, Extreme)) and not is_value(of):
            yield "number of", Whether(of), 0.0, -1

    def set_done(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "people who have died", "has Fido been adopted": a verb that says all by itself"""
        of, grammar, deeds = left.value, self._joins.grammar, self._joins.deeds
        if is_value(of) or not (grammar.having | grammar.relative | grammar.been).issuperset(gap):
            return
        passive = not grammar.been.isdisjoint(gap)
        if isinstance(of, Named):
            yield "done", (of, right, passive), 0.0, -1
            return
        does = not gap and any(s.kind == "name" for s in left.spans[-1:])  # what "did Ann launch"
        # Nothing follows, nor in a free order comes between: "born in Ulm", "not in Ulm died".
        if does or self._joins.language.free_order:
            return
        if ways := deeds.told(right, of.kinds, passive=passive):
            yield "answer", deeds.done(of, ways, self._joins.whole(of.kinds)), 0.3, left.head

    def described_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the sold cars": as those that "have been sold" """
        of: Expression = right.value
        last = max(right.spans, key=lambda span: span.start)
        told = isinstance(of, (Named, Extreme)) or is_value(of) or last.kind not in ("type", "name")
        if gap or right.head < 0 or told:
            return  # what follows belongs to them: "the sold cars in Ulm"
        deeds, every = self._joins.deeds, self._joins.whole(of.kinds)
        for verb in left.value:
            ways = deeds.ways(verb, of.kinds, passive=True)
            if not ways:
                return
            of = deeds.done(of, ways, every)
        yield "set", of, 0.0, right.head

    def described_described(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "sold and inspected cars" """
        if not gap or self._joins.grammar.joining.issuperset(gap):
            yield "described", left.value + right.value, 0.0, -1

    def not_described(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "not assigned devices", as the "unassigned" ones"""
        if not gap and len(right.value) == 1:
            yield "undone", right.value[0], 0.0, -1

    def whether_done(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "has Fido been adopted": by anybody, anywhere or on any day"""
        of, verb, passive = right.value
        passive = passive or left.spans[0].text.lower() in self._joins.grammar.being
        ways = self._joins.deeds.told(verb, of.kinds, passive=passive, named=True)
        if ways:
            first, *others = (Valued(of, step, of.kinds) for step in ways)
            sure = self._joins.deeds.is_sure(last_words(verb)[0], of.kinds, ways)
            yield "number of", Whether(first, tuple(others), may_deny=sure), 0.0, -1

    def _begun(self, words: Set[str]) -> Rule:
        """The rule for a question that begins with some verb: "has Ann a mentor", "is Ann a"."""

        def whether(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            if left.spans[0].text.lower() in words:
                yield from self.whether(left, right, gap)

        return whether

    def _is_deed(self, item: Item) -> bool:
        """Whether a set is what a verb says of a name, which `whether_done` reads as a whole."""
        of: Expression = item.value
        last = max(item.spans, key=lambda span: span.start)
        if not (is_of_name(of) and isinstance(of, Along) and last.kind == "relation"):
            return False
        verb = Item("relation", RelationWord(of.step.relation, "forward"), spans=(last,))
        ways = (
            self._joins.deeds.told(verb, of.of.kinds, passive=passive, named=True)
            for passive in (True, False)
        )
        return any(ways)

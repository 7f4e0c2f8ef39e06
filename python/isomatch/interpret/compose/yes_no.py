"""The rules for questions that ask for yes or no: "is Austin the capital of Texas"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from isomatch.chains.graph import Step
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
    is_turned,
    leaves_out,
    said_of_name,
    same_verb,
)
from isomatch.lexicon.folding import tokens

WITHOUT_DATE = 0.005  # for a fact that says that something was done, and not when


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
        of = self._done(right)
        if not isinstance(of, (Named, Extreme)) and not is_value(of):
            yield "number of", Whether(of), 0.0, -1
        if of is not right.value and self._was_done(right.value):
            # Where it has no date it is not "no" if somebody did it.
            yield "number of", Whether(right.value), WITHOUT_DATE, -1

    def _begun(self, words: Set[str]) -> Rule:
        """The rule for a question that begins with some verb: "has Ann a mentor", "is Ann a"."""

        def whether(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            if left.spans[0].text.lower() in words:
                yield from self.whether(left, right, gap)

        return whether

    def _was_done(self, of: Expression) -> bool:
        """Whether a fact implies that it was done: "paid by", and not "delivered to"."""
        if not isinstance(of, Along) or is_value(of):
            return False
        name = tokens(self._kinds.schema.by_id[of.step.relation].text)
        return self._joins.grammar.whither.isdisjoint(name[-1:])

    def _done(self, item: Item) -> Expression:
        """What says that something was done to a name: "has order 7 been delivered".

        Its date says so, where it has one: an order is "delivered to" a place beforehand.
        """
        of: Expression = item.value
        said = said_of_name(of, item, self._joins.language)
        if said is None:
            return of
        dates = self._joins.done_dates(same_verb(item, said.of.kinds, self._kinds))
        if len(dates) != 1 or self._kinds.is_symmetric(said.step.relation):
            return said  # who is "married to" somebody is married
        return Valued(said.of, Step(dates[0]), said.of.kinds)

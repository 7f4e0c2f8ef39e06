"""The rule for values of what records join: "the departure of IC 101 at Lindby"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Along, Both, Expression, Named, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import Kinds
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.lexicon.folding import tokens


def or_record_value(rule: Rule, joins: Joins) -> Rule:
    """A rule for two sets; of the value of a name's records, those that are of another name, too.

    Only where the records have one relation to things of each of the two kinds, and the other is
    where something is, or behind the preposition that its relation begins with.
    """
    grammar = joins.grammar

    def single(records: Kinds, of: Expression) -> Step | None:
        """The one step from records to things of a kind."""
        steps = [step for step in joins.kinds.between(records, of.kinds) if not step.back]
        return steps[0] if len(steps) == 1 else None

    def both(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        value, other = left.value, right.value
        records = value.of if isinstance(value, Along) and is_value(value) else None
        if not (isinstance(records, Along) and isinstance(records.of, Named)):
            return
        said = {*gap} - grammar.articles
        if value.step.back or not records.step.back or len(said) != 1 or is_value(other):
            return
        step = single(records.kinds, other)
        own = single(records.kinds, records.of)
        if step is None or own != records.step.inverse or step == own:
            return
        name = tokens(joins.kinds.schema.by_id[step.relation].text)
        # "The departure to Lindby" is at another station.
        if said <= grammar.placing or not said.isdisjoint(name[:1]):
            of = Both(records, Along(other, step.inverse, records.kinds), records.kinds)
            yield "set", replace(value, of=of), 0.1, left.head

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        yield from rule(left, right, gap)
        if isinstance(right.value, Named):
            yield from both(left, right, gap)

    return join

"""What all classes of rules have: what they share over one graph, and a table of what they join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Expression, Named, OfType, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import Kinds
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule, Table
from isomatch.lexicon.folding import tokens

OF_ALL = 0.4  # for what is asked of all people


class RuleSet:
    """Rules that join neighbouring parts of questions.

    Attributes:
        table: the rules, by the categories of the parts.

    Args:
        joins: of the graph.
    """

    table: Table = MappingProxyType({})

    def __init__(self, joins: Joins):
        self._joins = joins
        self._kinds = joins.kinds
        self._grammar = joins.grammar

    def _to_things(self, of: Expression, kinds: Kinds) -> list[Step]:
        """The steps from a named value to those things of some kinds that have it."""
        steps = of.steps if isinstance(of, Named) and is_value(of) else ()
        ends = self._kinds.ends
        return [step for step in steps if step.back and not kinds.isdisjoint(ends(step)[1])]

    def _own_preposition(self, word: RelationWord) -> list[str]:
        """The preposition that ends the name of a relation, if one does: "departs from"."""
        language = self._joins.language
        last = tokens(self._kinds.schema.by_id[word.relation].text)[-1:]
        apart = language.prepositions - self._grammar.by - self._grammar.of
        return [text for text in last if text in apart]


def set_or_fact(rule: Rule) -> Rule:
    """A rule that compares what is in a set; of a name, it says something of that."""

    def compare(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        named: Expression = left.value
        if not isinstance(named, Named):
            yield from rule(left, right, gap)
            return
        every = replace(left, value=OfType("", named.kinds))
        for _, value, cost, _ in rule(every, right, gap):
            yield "fact", replace(value, of=named), cost, -1

    return compare


def swapped(rule: Rule) -> Rule:
    """The rule for the same two in the other order."""
    return lambda left, right, gap: rule(right, left, gap)

"""What all classes of rules have: what they share over one graph, and a table of what they join."""

from __future__ import annotations

from types import MappingProxyType

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Expression, Named, is_value
from isomatch.interpret.compose.joins import Joins, Table
from isomatch.interpret.compose.kinds import Kinds

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

"""What all classes of rules have: what they share over one graph, and a table of what they join."""

from __future__ import annotations

from types import MappingProxyType

from isomatch.interpret.compose.joins import Joins, Table


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

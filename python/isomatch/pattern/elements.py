"""What a pattern is made of: nodes, edges, conditions and an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a pattern.

    Attributes:
        id: unique in the pattern; letters, digits and underscores.
        text: the name to look for; None for an unknown node.
        type: the kind of thing it should be, in words; None for any.
        every: whether it stands for all nodes of the name, and not for one of them: "people
            called Mary". It may be returned, counted and compared like an unknown node.
    """

    id: str
    text: str | None = None
    type: str | None = None
    every: bool = False

    @property
    def known(self) -> bool:
        """Whether the node has a name to look for."""
        return self.text is not None

    @property
    def is_variable(self) -> bool:
        """Whether it may be returned, counted and compared."""
        return self.text is None or self.every


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of a pattern, from node id to node id.

    ``relation`` is the text of a known relation, None for an unknown one. ``value`` is
    the id of a node that stands for a value on the edge itself, some property of the
    matched relationship: the role that an actor played, the stars that a rating gave.
    ``directed``: whether it is drawn as an arrow, and matched in that direction only
    (see `Options.direction`, which may say otherwise for all edges). ``key`` names the
    property that the value is of; None for any.
    """

    source: str
    relation: str | None
    target: str
    value: str | None = None
    directed: bool = False
    key: str | None = None

    @property
    def nodes(self) -> tuple[str, ...]:
        """Ids of the nodes that the edge touches: its ends, then its value."""
        ends = (self.source, self.target)
        return ends if self.value is None else (*ends, self.value)


MAX_EDGES = 32
MOST_NESTED = 4  # patterns inside each other

Operator = Literal["=", "!=", "<", "<=", ">", ">=", "between", "in", "contains", "starts with"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
COMPARISONS: tuple[Operator, ...] = ("=", "!=", "<", "<=", ">", ">=")  # of two nodes, or counts
MOST_CONSTANTS = 1000

EachFunction = Literal["count", "sum", "avg", "min", "max"]
EACH_FUNCTIONS: tuple[EachFunction, ...] = get_args(EachFunction)

PartOperator = Literal["in", "not in", "=", "!=", "<", "<=", ">", ">="]
PART_OPERATORS: tuple[PartOperator, ...] = get_args(PartOperator)


@dataclass(frozen=True, slots=True)
class Condition:
    """What the value of an unknown node must be; `isomatch.match.conditions` has the rules.

    Attributes:
        node: id of an unknown node of the pattern.
        operator: how the value compares with the constants, or with the other node.
        values: the constants as texts, ``2000`` or ``1995-07-01`` or ``noir``. One, two for
            ``between``, or for ``in`` up to 1,000; none where there is another node.
        other: id of another unknown node, which the node is compared with in each match.
        function: what is compared is not a value, but what this gives for each answer, as `Each`
            does; None for values.
        either: further conditions on the same node, of which one is enough instead; they have
            none themselves, and count as it does.
    """

    node: str
    operator: Operator
    values: tuple[str, ...] = ()
    other: str | None = None
    function: EachFunction | None = None
    either: tuple[Condition, ...] = ()

    @property
    def counted(self) -> bool:
        """Whether what is compared is how many different things the node stands for."""
        return self.function == "count"

    @property
    def alternatives(self) -> tuple[Condition, ...]:
        """It and `either`, each by itself."""
        return (self, *self.either) if self.either else (self,)


Function = Literal["sum", "avg", "min", "max"]
FUNCTIONS: tuple[Function, ...] = get_args(Function)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What is worked out of the values of a node; `isomatch.match.aggregate` has the rules.

    Attributes:
        function: which.
        node: id of an unknown node of the pattern.
    """

    function: Function
    node: str


@dataclass(frozen=True, slots=True)
class Each:
    """What is worked out for each answer; `isomatch.match.aggregate` has the rules.

    Attributes:
        function: ``count`` is how many different things the node stands for in the matches of
            the answer; the others work with its values in them.
        node: id of an unknown node of the pattern, which is not returned.
    """

    function: EachFunction
    node: str


@dataclass(frozen=True, slots=True)
class Order:
    """Which answers of an interpretation are kept: those with the greatest or least values.

    Attributes:
        node: id of the unknown node whose values are ordered.
        descending: whether the greatest come first.
        limit: how many different answers are kept, and all that share the last place; None
            for all.
        function: what is ordered is not a value, but what this gives for each answer, as `Each`
            does; None for values.
        offset: how many places are passed over, before the limit: each with all answers that
            share it, as those of the greatest value do.
    """

    node: str
    descending: bool = False
    limit: int | None = None
    function: EachFunction | None = None
    offset: int = 0

    @property
    def counted(self) -> bool:
        """Whether what is ordered is how many different things the node stands for."""
        return self.function == "count"

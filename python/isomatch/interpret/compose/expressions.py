"""What a question means, as an expression: everything is a set of nodes or values.

An expression becomes a pattern whose answer is the set; superlatives and negations inside
become parts of the pattern.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TypeAlias

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.units import measured
from isomatch.lexicon.tables import Unit
from isomatch.pattern.elements import EachFunction, Function
from isomatch.pattern.types import (
    Operator,
)
from isomatch.schema.types import LITERAL, node_types

NUMBERS: Kinds = frozenset((f"{LITERAL}number",))
TEXTS: Kinds = frozenset((f"{LITERAL}text",))


class _Hashed:
    """What is hashed once: a set is a part of many others, and each is looked up by its parts."""

    __slots__ = ("_hash",)
    _hash: int

    def __init_subclass__(cls) -> None:
        # A dataclass keeps a `__hash__` that is in the class itself.
        cls.__hash__ = _Hashed.__hash__  # type: ignore[method-assign]

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            parts = [getattr(self, one.name) for one in fields(self) if one.compare]  # type: ignore[arg-type]
            object.__setattr__(self, "_hash", hash((type(self), *parts)))
            return self._hash


@dataclass(frozen=True, slots=True)
class Named(_Hashed):
    """The nodes of a name, of one type where the name has nodes of several.

    Attributes:
        steps: those that lead away from the nodes in the graph.
        nodes: how many there are.
        every: whether all of them are meant together, and not one of them.
    """

    text: str
    type: str | None
    kinds: Kinds
    steps: frozenset[Step] = frozenset()
    nodes: int = 1
    every: bool = False


@dataclass(frozen=True, slots=True)
class OfType(_Hashed):
    """All nodes of a type."""

    type: str
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Along(_Hashed):
    """What a step leads to from a set.

    Attributes:
        either: whether the step is taken in both directions.
    """

    of: Expression
    step: Step
    kinds: Kinds
    either: bool = False


@dataclass(frozen=True, slots=True)
class Both(_Hashed):
    """What is in two sets.

    Attributes:
        beside: whether "with" joins them: "a film with Tom Hanks" has others beside him.
    """

    left: Expression
    right: Expression
    kinds: Kinds
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Apart(_Hashed):
    """Two sets of which each has a member, not the same one: "Paris and Cairo are capitals"."""

    left: Expression
    right: Expression
    kinds: Kinds = frozenset()


@dataclass(frozen=True, slots=True)
class Shared(_Hashed):
    """What several steps lead to from one and the same member of a set."""

    of: Expression
    steps: tuple[Step, ...]
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Linked(_Hashed):
    """What any relation leads to from a set, in either direction."""

    of: Expression
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Without(_Hashed):
    """What is in one set and not in another.

    Attributes:
        assumed: in words, what may be meant otherwise; empty for nothing.
    """

    of: Expression
    less: Expression
    kinds: Kinds
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Extreme(_Hashed):
    """Those of a set with the greatest or least value, or with the most things at a step.

    Attributes:
        counted: what is counted at the step; None where its value is compared.
        places: how many places are passed over, and how many are kept: (1, 1) for the second;
            (0, None) for all, in order.
        key: the property of the edges of the step that is compared; empty for what it leads to.
    """

    of: Expression
    step: Step
    descending: bool
    kinds: Kinds
    counted: Expression | None = None
    places: tuple[int, int | None] = (0, 1)
    key: str = ""


@dataclass(frozen=True, slots=True)
class Compared(_Hashed):
    """Those of a set whose value compares with constants, or with the values of a set.

    Attributes:
        either: further operators and constants, of which one is enough instead.
        unit: of the constants; None for that of the graph.
    """

    of: Expression
    step: Step
    operator: Operator
    values: tuple[str, ...]
    kinds: Kinds
    other: Expression | None = None
    either: tuple[tuple[Operator, tuple[str, ...]], ...] = ()
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Listed(_Hashed):
    """Each of a set with what some steps lead to, if anything; of a name, these alone.

    Attributes:
        things: the type of what the steps lead to, where they lead to others as well.
        records: the step to what has the steps, and its type; None where each has them itself.
    """

    of: Expression
    steps: tuple[Step, ...]
    kinds: Kinds
    things: str | None = None
    records: tuple[Step, OfType] | None = None


@dataclass(frozen=True, slots=True)
class Valued(_Hashed):
    """Those of a set that have any value at a step."""

    of: Expression
    step: Step
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Counted(_Hashed):
    """Those of a set with so many things at a step.

    Attributes:
        things: what is counted.
        operator, value: how its number compares with a constant.
    """

    of: Expression
    step: Step
    things: Expression
    operator: Operator
    value: str
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Onward(_Hashed):
    """What a step leads to from each of a set; only ever counted, for what has those of the set.

    Attributes:
        things: what is counted.
    """

    of: Expression
    step: Step
    things: Expression
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class Worked(_Hashed):
    """The sum, average, least or greatest of the values that a step leads to from a set.

    Attributes:
        step: None where the members of the set are the values.
    """

    function: Function
    of: Expression
    step: Step | None
    kinds: Kinds = field(default=NUMBERS)


@dataclass(frozen=True, slots=True)
class PerEach(_Hashed):
    """What is worked out of the things at a step for each member of a set.

    Those without any are left out.

    Attributes:
        things: None where the step leads to values, which are worked with.
        function, value: what is worked out of which values of the things; without a value they
            are counted.
        key: the property of the edges of the step that is worked with instead.
    """

    of: Expression
    step: Step
    things: Expression | None
    kinds: Kinds
    function: EachFunction = "count"
    value: Step | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class ExtremeEach(_Hashed):
    """Those of a set for which what is worked out is the greatest or least.

    Attributes:
        places: as those of `Extreme`.
    """

    of: PerEach
    descending: bool
    kinds: Kinds
    places: tuple[int, int | None] = (0, 1)


@dataclass(frozen=True, slots=True)
class ComparedEach(_Hashed):
    """Those of a set for which what is worked out compares with constants."""

    of: PerEach
    where: tuple[tuple[Operator, tuple[str, ...]], ...]
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class ComparedOwn(_Hashed):
    """Those of a set whose value compares with that of what another step leads to from them.

    Attributes:
        step: to the values.
        there: to whose value it is compared with, or to another value of their own.
    """

    of: Expression
    step: Step
    operator: Operator
    there: Step
    kinds: Kinds


@dataclass(frozen=True, slots=True)
class OnEdge(_Hashed):
    """The values of a property of the edges that a step takes between two sets.

    Attributes:
        source, target: the sets; None for any nodes.
        total: whether they are numbers of things, which are added up.
    """

    source: Expression | None
    target: Expression | None
    step: Step
    key: str
    total: bool = False
    kinds: Kinds = field(default=frozenset(("literal:of an edge",)))


@dataclass(frozen=True, slots=True)
class AlongValue(_Hashed):
    """What a step leads to from a set, by edges that have a value.

    Attributes:
        of: the set; None for any nodes.
        key, text: the property of the edges, and its value.
        where: operators and constants that it compares with, instead of the text.
    """

    of: Expression | None
    step: Step
    key: str
    text: str
    kinds: Kinds
    where: tuple[tuple[Operator, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Whether(_Hashed):
    """Whether a set has any member.

    Attributes:
        otherwise: other sets of which one may have a member, as the answer is the same.
        may_deny: whether it is "no" where none of them has one: there may be others still.
    """

    of: Expression
    otherwise: tuple[Expression, ...] = ()
    may_deny: bool = True
    kinds: Kinds = frozenset()


@dataclass(frozen=True, slots=True)
class Count(_Hashed):
    """How many there are in a set."""

    of: Expression
    kinds: Kinds = field(default=NUMBERS)


Expression: TypeAlias = (
    Named
    | OfType
    | Apart
    | Along
    | Shared
    | Linked
    | Both
    | Without
    | Extreme
    | Compared
    | ComparedEach
    | ComparedOwn
    | ExtremeEach
    | Listed
    | Valued
    | Count
    | Counted
    | Onward
)


def is_value(of: Expression) -> bool:
    """Whether the members of a set are values."""
    return _are_values(of.kinds)


@lru_cache(1_024)
def _are_values(kinds: Kinds) -> bool:
    return bool(kinds) and not node_types(kinds)


def is_of_kind(of: Along) -> bool:
    """Whether a set is what all with a named value have: who has a membership as "chair"."""
    return isinstance(of.of, Along) and isinstance(of.of.of, Named) and is_value(of.of.of)


def in_units(of: Compared, kinds: GraphKinds) -> list[tuple[str, ...]]:
    """The constants of a comparison, then those of `Compared.either`, in the graph's unit.

    Raises:
        PatternError: the values are of another kind than the unit.
    """
    constants = [of.values, *(values for _, values in of.either)]
    return [measured(values, of.unit, of.step.relation, kinds).values for values in constants]


def leads_back(of: Expression, step: Step) -> bool:
    """Whether a step goes back the way that led to a set."""
    if isinstance(of, Both):
        return leads_back(of.left, step) or leads_back(of.right, step)
    return isinstance(of, Along) and of.step == step.inverse


def alike(one: Expression, other: Expression) -> bool:
    """Whether two sets are made by the same step."""
    steps = [e.step if isinstance(e, Along) else None for e in (one, other)]
    rights = [
        e.right.step if isinstance(e, Both) and isinstance(e.right, Along) else None
        for e in (one, other)
    ]
    return steps[0] == steps[1] and rights[0] == rights[1]


def last_steps(of: Expression) -> set[Step]:
    """The last steps that led to a set."""
    if isinstance(of, Both):
        return last_steps(of.left) | last_steps(of.right)
    return {of.step} if isinstance(of, Along) else set()


def sides_of(of: Expression) -> tuple[Expression, ...]:
    """The two sets that one is the intersection of; itself where it is none."""
    return (of.left, of.right) if isinstance(of, Both) else (of,)

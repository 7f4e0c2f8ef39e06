"""Sets that are made by the values of edges, and by edges that have a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import Kinds
from isomatch.pattern.types import Operator

if TYPE_CHECKING:
    from isomatch.interpret.compose.expressions import Expression


@dataclass(frozen=True, slots=True)
class OnEdge:
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
class AlongValue:
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

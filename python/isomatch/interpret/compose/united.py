"""What is in any of several sets."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.compose.expressions import Along, Expression, Named, Without, alike
from isomatch.interpret.compose.joins import Joins
from isomatch.interpret.compose.traits import any_of


def any_along(sets: Sequence[Expression], joins: Joins) -> Without | None:
    """What is in any of several sets, all made by the same step; None where that is not one."""
    first = sets[0]
    every: Expression | None = joins.whole(first.kinds)
    if isinstance(first, Along) and isinstance(first.of, Named):
        doers = joins.whole(first.of.kinds)  # "directed": by whom it may be
        every = joins.step(doers, first.step) if doers else every
    if every is None or not all(alike(one, first) for one in sets):
        return None
    return any_of(every, sets)

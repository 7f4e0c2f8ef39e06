"""Unions of sets, and sets without a name: what is in any of several, or in all but one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isomatch.interpret.compose.analysis import any_of
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    Named,
    Without,
    alike,
    last_steps,
)
from isomatch.interpret.compose.sets.joins import Joins


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


def without_name(of: Expression, name: Named, joins: Joins) -> Expression:
    """The members of a set that a name does not stand for."""
    steps = [step for step in last_steps(of) if step.inverse in name.steps]
    every = joins.every(joins.kinds.ends(steps[0])[0]) if steps else None
    if every is None:
        return of  # it is none of them
    named = Both(replace(name, every=True), joins.step(every, steps[0]), name.kinds)
    return Without(of, named, of.kinds)

"""Areas, and what is at the places in them: "the area with the most crimes"."""

from __future__ import annotations

from collections.abc import Callable

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Expression, OfType, Onward
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.schema.types import Relation


def way_over_places(
    areas: Kinds, things: Expression, kinds: GraphKinds, says_where: Callable[[Relation], bool]
) -> list[tuple[Step, Expression]]:
    """The step from areas to the places in them, and from each of these to things that are there.

    None where there are several such ways, or things are at places of several types.

    Args:
        says_where: whether a relation leads to the one place that something is in.
    """
    where = [Step(relation.id) for relation in kinds.relations if says_where(relation)]
    found = [
        (inside, at)
        for inside in where
        if not kinds.ends(inside)[1].isdisjoint(areas)
        for at in where
        if not kinds.ends(inside)[0].isdisjoint(kinds.ends(at)[1])
        if not kinds.ends(at)[0].isdisjoint(things.kinds)
    ]
    if len(found) != 1:
        return []
    ((inside, at),) = found
    types = kinds.widest(kinds.ends(inside)[0] & kinds.schema.sizes.keys())
    if len(types) != 1:
        return []
    places = OfType(types[0], kinds.of_type(types[0]))
    return [(inside.inverse, Onward(places, at.inverse, things, places.kinds))]

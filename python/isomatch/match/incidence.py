"""Which edges can meet at a node: rules out interpretations without a query.

An incidence is a relation with the end at which a node has it: ``+r`` at its source,
``-r`` at its target. The schema tells which two incidences occur at one node of the
graph (`Schema.joins`, from its characteristic sets); the database tells those of the
known nodes. Together they give arc consistency over the pattern. The search stays
exact, because only interpretations without a match are ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isomatch.plan.planner import Slot
from isomatch.plan.structure import Structure

_OPPOSITE = {"+": "-", "-": "+"}


@dataclass(frozen=True, slots=True)
class _Step:
    """One edge of the search order.

    Attributes:
        ready: number of slots that must be decided before it can be checked.
        relation: slot of its relation.
        ends: slots of its source and target node, None where unknown.
        meets: for each end, earlier steps that touch the same unknown node, with
            which end of theirs it is.
        sides: on which its source can hold the relation: one of an arrow, else both.
    """

    ready: int
    relation: int
    ends: tuple[int | None, int | None]
    meets: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]
    sides: str


class Incidence:
    """Checks a prefix of an interpretation against the incidences that exist.

    Attributes:
        absent: by node id, incidences that the node is known not to have.
    """

    def __init__(
        self,
        structure: Structure,
        slots: Sequence[Slot],
        joins: frozenset[tuple[str, str]] | None,
    ):
        self.absent: dict[str, set[str]] = {}
        self._joins = joins
        self._one_fact = structure.nodes == "walk"  # may be what two edges fall on
        position = {(slot.kind, slot.index): i for i, slot in enumerate(slots)}
        self._steps: list[_Step] = []
        self._depths: set[int] = set()
        touched: dict[int, list[tuple[int, int]]] = {}
        for edge in structure.order:
            relation = position.get(("relation", edge))
            if relation is None:  # an unknown relation rules nothing out
                continue
            ends = structure.edges[edge]
            known = tuple(position.get(("node", n)) for n in ends)
            meets = tuple(
                () if known[end] is not None else tuple(touched.get(n, ()))
                for end, n in enumerate(ends)
            )
            ready = 1 + max(relation, *(k for k in known if k is not None), 0)
            sides = "+" if structure.directed[edge] else "+-"
            self._steps.append(
                _Step(ready, relation, (known[0], known[1]), (meets[0], meets[1]), sides)
            )
            self._depths.add(ready)
            for end, n in enumerate(ends):
                touched.setdefault(n, []).append((len(self._steps) - 1, end))

    def decides(self, depth: int) -> bool:
        """Whether a prefix of this length may be ruled out where a shorter one was not."""
        return depth in self._depths and (bool(self.absent) or self._joins is not None)

    def possible(self, ids: Sequence[str]) -> bool:
        """Whether a prefix, given as the ids of its slots, may have a match."""
        depth = len(ids)
        feasible: list[str] = []
        for step in self._steps:
            if step.ready > depth:
                feasible.append(step.sides)
                continue
            sides = self._sides_of(step, ids, feasible)
            if not sides:
                return False
            feasible.append(sides)
        return True

    def _sides_of(self, step: _Step, ids: Sequence[str], feasible: Sequence[str]) -> str:
        """On which sides the edge's source can hold its relation."""
        relation = ids[step.relation]
        sides = step.sides
        for end, node in enumerate(step.ends):
            if node is not None:
                absent = self.absent.get(ids[node], ())
                sides = "".join(s for s in sides if _incidence(s, end, relation) not in absent)
            elif self._joins is not None:
                for other, other_end in step.meets[end]:
                    if (at := self._steps[other].relation) >= len(ids):
                        continue
                    theirs = [_incidence(t, other_end, ids[at]) for t in feasible[other]]
                    sides = "".join(
                        s
                        for s in sides
                        if any(self._meet(_incidence(s, end, relation), t) for t in theirs)
                    )
        return sides

    def _meet(self, one: str, other: str) -> bool:
        """Whether two edges can have these incidences at one node."""
        if self._one_fact and one == other:
            return True
        return self._joins is None or (one, other) in self._joins


def _incidence(side: str, end: int, relation: str) -> str:
    """The incidence at an edge's source (end 0) or target (end 1)."""
    return (side if end == 0 else _OPPOSITE[side]) + relation

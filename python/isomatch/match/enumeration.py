"""Interpretations in ascending GSD, over candidate lists that are widened on demand.

Which edges can meet at a node: rules out interpretations without a query.

An incidence is a relation with the end at which a node has it: ``+r`` at its source,
``-r`` at its target. The schema tells which two incidences occur at one node of the
graph (`Schema.joins`, from its characteristic sets); the database tells those of the
known nodes. Together they give arc consistency over the pattern. The search stays
exact, because only interpretations without a match are ruled out.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import inf

from isomatch.link.candidates import Candidate, CandidateList, Candidates, CandidateSource, ListKey
from isomatch.plan.planner import Checkpoint, Slot
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
        if self._joins is None:  # nothing is said of what meets at unknown nodes
            near = (s for s in self._steps if s.ready <= depth and s.ends != (None, None))
            return all(self._sides_of(step, ids, ()) for step in near)
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


Indices = tuple[int, ...]
# How many times as many entries a widened list has, and the fewest.
# GSDs nearer than this are equal: the order of a sum changes its last bits.
TOLERANCE = 1e-9
GROWTH = 4
FEWEST = 16
MOST_LOOKED_AT = 4096  # choices that `Enumeration.prefixes` looks at


class SearchedList:
    """A candidate list in a search; the parts of the pattern with equal words share it.

    Attributes:
        found: the list as it is now.
    """

    def __init__(self, found: CandidateList, source: CandidateSource | None):
        self.found = found
        self._source = source
        self._asked = 0  # the longest list that was asked for

    def widen(self, limit: int = 0) -> bool:
        """Fetch up to ``limit`` entries or four times as many as now; whether more came."""
        before = self.found
        if before.exhausted or self._source is None:
            return False
        limit = max(limit, len(before) * GROWTH, FEWEST)
        if limit <= self._asked:
            return False
        self._asked = limit
        self.found = self._source.widened(before, limit)
        return len(self.found) > len(before)


def searched_lists(candidates: Candidates) -> dict[ListKey, SearchedList]:
    """The lists that a search begins with."""
    return {found.key: SearchedList(found, candidates.source) for found in candidates.lists}


def as_searched(candidates: Candidates, lists: Mapping[ListKey, SearchedList]) -> Candidates:
    """Candidates with the lists as a search widened them."""
    return replace(
        candidates,
        nodes={part: lists[one.key].found for part, one in candidates.nodes.items()},
        relations={part: lists[one.key].found for part, one in candidates.relations.items()},
        types={part: lists[one.key].found for part, one in candidates.types.items()},
    )


class Stream:
    """A candidate list as the search reads it: grown on demand, never reordered.

    A list from an approximate index may change its order when it is widened;
    what was read keeps its place here, and later entries come after it. Equal
    words share one list, so another stream may have widened it: `refresh` reads
    the new entries.
    """

    def __init__(self, source: SearchedList, weight: float = 1.0):
        self._source = source
        self._weight = weight
        self._seen: set[str] = set()
        self.entries: list[Candidate] = []
        self.distances: list[float] = []
        self.refresh()

    def refresh(self) -> None:
        """Read new entries of the list; call it before comparing `entries` with `frontier`."""
        entries = self._source.found.entries
        if len(entries) == len(self.entries):
            return
        for entry in entries:
            if entry.id not in self._seen:
                self._seen.add(entry.id)
                self.entries.append(entry)
                self.distances.append(entry.distance * self._weight)

    @property
    def least(self) -> float:
        """No entry is nearer; `math.inf` where there is none to come."""
        return self.distances[0] if self.distances else self.frontier

    @property
    def frontier(self) -> float:
        """No entry beyond `entries` is nearer; `math.inf` when there is none."""
        frontier = self._source.found.frontier
        return frontier * self._weight if frontier < inf else inf

    @property
    def open(self) -> bool:
        """Whether more can be fetched."""
        return not self._source.found.exhausted

    def chosen(self, index: int) -> Candidate:
        """An entry with its weighted distance."""
        entry = self.entries[index]
        return entry if self._weight == 1 else replace(entry, distance=self.distances[index])

    def same_choice(self, index: int) -> list[int]:
        """The entries that are one choice with this one."""
        group = self.entries[index].group
        if not group:
            return [index]
        while self._source.found.lacks_grouped and self.widen():
            pass
        self.refresh()  # another stream may have widened the list
        return [i for i, entry in enumerate(self.entries) if entry.group == group]

    def widen(self) -> bool:
        """Fetch more entries; whether there were any."""
        before = len(self.entries)
        self.refresh()
        if len(self.entries) == before:
            self._source.widen()
            self.refresh()
        return len(self.entries) > before


class Enumeration:
    """Tuples of list indices, one for each slot, by ascending sum of distances.

    A heap over the lists (ranked enumeration; Tziavelis et al., PVLDB 2020),
    as a tree of prefixes: a prefix without a match is cut with everything below it.
    Ties come in the order of the indices, so the order is the same in every run.
    """

    def __init__(
        self,
        streams: Sequence[Stream],
        checkpoints: Sequence[Checkpoint],
        incidence: Incidence,
        check: Callable[[], None] = lambda: None,
        distinct: Sequence[int] = (),
    ):
        """``check`` is called every 512 steps and may raise to end the search.

        ``distinct`` are the streams whose entries must differ from each other.
        """
        self.streams = streams
        self.checkpoints = checkpoints
        self.incidence = incidence
        self._check = check
        self._steps = 0
        # For each stream, the earlier ones that it must differ from.
        self._earlier = [
            [other for other in distinct if other < number] if number in distinct else []
            for number in range(len(streams))
        ]
        self._dead: list[set[Indices]] = [set() for _ in checkpoints]
        self._absent: dict[Indices, set[int]] = {}  # after some choices, entries of the next slot
        # _rest[d]: the least that the slots from d on can add.
        self._rest = [0.0]
        for stream in reversed(streams):
            self._rest.append(self._rest[-1] + stream.least)
        self._rest.reverse()
        self._stuck_at = inf  # least GSD behind a list that would not grow
        # (GSD bound, indices, sum before the last index, whether the last entry
        # is yet to be fetched)
        self._heap: list[tuple[float, Indices, float, bool]] = []
        if self._rest[0] < inf:
            self._push((), 0, 0.0)

    @property
    def bound(self) -> float:
        """No interpretation that is yet to come has a smaller GSD."""
        return self._heap[0][0] if self._heap else inf

    @property
    def waits(self) -> bool:
        """Whether a list has to be widened before it is known which interpretation is next."""
        if not self._heap:
            return False
        _, indices, _, pending = self._heap[0]
        return pending and indices[-1] >= len(self.streams[len(indices) - 1].entries)

    @property
    def cut_bound(self) -> float:
        """No interpretation with an entry beyond a list that does not grow has a smaller GSD."""
        ends = [s.frontier - s.least for s in self.streams if not s.open and s.frontier < inf]
        return min(self._stuck_at, self._rest[0] + min(ends, default=inf))

    def prune(self, checkpoint: int, indices: Indices) -> None:
        """The part up to a checkpoint has no match for this interpretation's choices."""
        here = self.checkpoints[checkpoint]
        self._dead[checkpoint].add(indices[here.start : here.stop])

    def rule_out(self, prefix: Indices, absent: Iterable[int]) -> None:
        """After these choices, none of these entries of the next slot has a match."""
        self._absent.setdefault(prefix, set()).update(absent)

    def prefixes(self, checkpoint: int, most: int, known: Container[Indices]) -> list[Indices]:
        """The nearest choices of a checkpoint's slots that are not ruled out, at most so many.

        Of the entries that are read by now: no list grows. Those that are ``known`` are left out.
        """
        stop = self.checkpoints[checkpoint].stop
        found: list[Indices] = []
        heap: list[tuple[float, Indices, float]] = []  # bound, choices, sum before the last one

        def push(prefix: Indices, index: int, before: float) -> None:
            distances = self.streams[len(prefix)].distances
            if index < len(distances):
                rest = self._rest[len(prefix) + 1]
                heappush(heap, (before + distances[index] + rest, (*prefix, index), before))

        push((), 0, 0.0)
        for _ in range(MOST_LOOKED_AT):
            if not heap or len(found) == most:
                break
            _, prefix, before = heappop(heap)
            push(prefix[:-1], prefix[-1] + 1, before)
            if self._pruned(prefix):
                continue
            if len(prefix) == stop:
                if prefix not in known:
                    found.append(prefix)
            else:
                push(prefix, 0, before + self.streams[len(prefix) - 1].distances[prefix[-1]])
        return found

    def left(self, prefix: Indices, most: int) -> list[int]:
        """After some choices, the first entries of the next slot that are not ruled out."""
        return [i for i in range(most) if not self._pruned((*prefix, i))]

    def next(
        self, until: float = inf, steps: float = inf, *, widen: bool = True
    ) -> tuple[float, Indices] | None:
        """The next interpretation and its GSD, or None when all have been given.

        With a GSD above ``until``, after as many ``steps``, and where a list would have to be
        widened and may not be, it stays where it is.
        """
        depth = len(self.streams)
        enough = self._steps + steps
        while self._heap and self._heap[0][0] <= until and self._steps < enough:
            self._steps += 1
            if self._steps % 512 == 0:
                self._check()
            if not widen and self.waits:
                return None
            bound, indices, before, pending = heappop(self._heap)
            last = len(indices) - 1
            stream = self.streams[last]
            if pending:
                if indices[last] < len(stream.entries) or stream.widen() or not stream.open:
                    self._push(indices[:-1], indices[last], before)
                else:
                    self._stuck_at = min(self._stuck_at, bound)
                continue
            self._push(indices[:-1], indices[last] + 1, before)
            total = before + stream.distances[indices[last]]
            while not self._pruned(indices):
                if len(indices) == depth:
                    return total, indices
                following = self.streams[len(indices)]
                if not following.entries:
                    self._push(indices, 0, total)
                    break
                self._push(indices, 1, total)
                total += following.distances[0]
                indices = (*indices, 0)
        return None

    def _push(self, prefix: Indices, index: int, before: float) -> None:
        stream = self.streams[len(prefix)]
        stream.refresh()
        rest = self._rest[len(prefix) + 1]
        if index < len(stream.entries):
            bound = before + stream.distances[index] + rest
            heappush(self._heap, (bound, (*prefix, index), before, False))
        elif stream.open:
            bound = before + stream.frontier + rest
            heappush(self._heap, (bound, (*prefix, index), before, True))

    def is_ruled_out(self, indices: Indices) -> bool:
        """Whether what was learnt since an interpretation was given rules it out."""
        return any(self._pruned(indices[:depth]) for depth in range(1, len(indices) + 1))

    def _pruned(self, indices: Indices) -> bool:
        depth = len(indices)
        if earlier := self._earlier[depth - 1]:
            newest = self.streams[depth - 1].entries[indices[-1]].id
            if any(newest == self.streams[i].entries[indices[i]].id for i in earlier):
                return True
        for here, dead in zip(self.checkpoints, self._dead, strict=True):
            if dead and here.stop <= depth and indices[here.start : here.stop] in dead:
                return True
        if self._absent:
            for at, index in enumerate(indices):
                if index in self._absent.get(indices[:at], ()):
                    return True
        if not self.incidence.decides(depth):
            return False
        ids = [s.entries[i].id for s, i in zip(self.streams, indices, strict=False)]
        return not self.incidence.possible(ids)

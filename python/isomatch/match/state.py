"""The state that the strategies of a search share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter

from isomatch.compile.base import Part, Terms
from isomatch.errors import PatternError
from isomatch.link.candidates import Candidate, Candidates
from isomatch.match.enumeration import Indices, Stream
from isomatch.match.query_executor import QueryExecutor
from isomatch.match.types import Certificate
from isomatch.options import Options
from isomatch.pattern.types import Pattern, shown
from isomatch.plan.planner import Plan, list_of
from isomatch.schema.types import Schema
from isomatch.store.base import Row, Store

# GSDs nearer than this are equal: the order of a sum changes its last bits.
TOLERANCE = 1e-9
MOST_PASSED_OVER = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """An interpretation that has matches.

    Attributes:
        gsd: its graph semantic distance.
        chosen: one candidate for each slot of the plan; a type's distance is
            weighted already.
        rows: node ids in the plan's column order, then ids of unknown relations.
        cut: whether the limit cut the rows.
    """

    gsd: float
    chosen: tuple[Candidate, ...]
    rows: tuple[Row, ...]
    cut: bool


class State:
    """What has been found, what can be asked, and what a choice of entries means."""

    memory = 0  # of the database's heap; see `SearchOutcome`

    def __init__(
        self, plan: Plan, candidates: Candidates, store: Store, schema: Schema, options: Options
    ):
        self.plan = plan
        self.options = options
        self.terms = Terms.of(schema)
        self.candidates = candidates
        seconds = options.budget_seconds
        self.executor = QueryExecutor(
            store,
            None if seconds is None else perf_counter() + seconds,
            options.budget_rows,
            heavy=_is_heavy(plan),
        )
        self.streams = [
            Stream(
                list_of(slot, candidates, plan.pattern),
                options.type_weight if slot.kind == "type" else 1.0,
            )
            for slot in plan.slots
        ]
        self.found: list[Found] = []
        self.examined = 0
        self.strategy = plan.strategy
        self._seen: set[Row] = set()

    def fetch(self, gsd: float, indices: Indices, known: bool = False) -> bool:
        """Get an interpretation's matches; whether it has any that count."""
        if not known:
            self.examined += 1
        part, nodes = self.branch(indices)
        single = self.options.results == "matches"
        # A match may come again under another type; at most the found ones do.
        limit = self.options.k if single else self.options.limit
        rows, cut = self.executor.matches(part, nodes, limit)
        return self._keep(gsd, indices, part, rows, cut)

    def fetch_first(self, asked: Sequence[tuple[float, Indices]]) -> list[bool]:
        """`fetch` for many in one round trip, up to the last one that is wanted.

        Whether each has matches, for as many of them as were decided.
        """
        single = self.options.results == "matches"
        limit = self.options.k if single else self.options.limit
        branches = [self.branch(indices) for _, indices in asked]
        found, decided = self.executor.find(branches, limit, self.wanted)
        self.examined += decided
        for i, (rows, cut) in sorted(found.items()):
            if self.wanted > 0:
                self._keep(*asked[i], branches[i][0], rows, cut)
        return [i in found for i in range(decided)]

    def _keep(
        self, gsd: float, indices: Indices, part: Part, rows: Sequence[Row], cut: bool
    ) -> bool:
        if not rows:
            return False
        single = self.options.results == "matches"
        chosen = self.chosen(indices)
        if not single:
            self.found.append(Found(gsd, chosen, tuple(rows), cut))
            return True
        for row in rows:
            identity = (*row, *part.relations)
            if identity not in self._seen and self.wanted > 0:
                self._seen.add(identity)
                self.found.append(Found(gsd, chosen, (row,), False))
        return True

    @property
    def wanted(self) -> int:
        """How many are still to be found."""
        return self.options.k - len(self.found)

    def passed_over(self) -> tuple[str, ...]:
        """See `SearchOutcome.passed_over`; the nearest of all where nothing was found."""
        passed = []
        for number, (slot, stream) in enumerate(zip(self.plan.slots, self.streams, strict=True)):
            if slot.kind == "node":
                best = self.found[0].chosen[number].distance if self.found else stream.least
                passed += [
                    entry.id
                    for entry, distance in zip(stream.entries, stream.distances, strict=True)
                    if distance < best or (not self.found and distance == best)
                ]
        return tuple(dict.fromkeys(passed))[:MOST_PASSED_OVER]

    def chosen(self, indices: Indices) -> tuple[Candidate, ...]:
        """The entries of an interpretation, with weighted distances."""
        return tuple(s.chosen(i) for s, i in zip(self.streams, indices, strict=True))

    def ids(self, indices: Indices) -> list[str]:
        """The ids of an interpretation, by slot."""
        return [s.entries[i].id for s, i in zip(self.streams, indices, strict=True)]

    def nodes(self, indices: Indices) -> dict[int, str]:
        """Graph node by number of known pattern node."""
        return {
            slot.index: stream.entries[i].id
            for slot, stream, i in zip(self.plan.slots, self.streams, indices, strict=True)
            if slot.kind == "node"
        }

    def branch(
        self, indices: Indices, edges: tuple[int, ...] | None = None
    ) -> tuple[Part, dict[int, str]]:
        """An interpretation as a compilable part, of the whole pattern or of some edges."""
        structure = self.plan.structure if edges is None else self.plan.structure.part(edges)
        relations: list[str | None] = [None] * len(structure.edges)
        types: list[str | None] = [None] * len(structure.known)
        for slot, stream, i in zip(self.plan.slots, self.streams, indices, strict=True):
            if slot.kind == "relation":
                relations[slot.index] = stream.entries[i].id
            elif slot.kind == "type":
                types[slot.index] = stream.entries[i].id
        nodes = {n: id for n, id in self.nodes(indices).items() if n in structure.used}
        return Part(structure, tuple(relations), tuple(types), self.terms), nodes

    def certificate(self, bound: float, ended_by: str | None) -> Certificate:
        """See `certified`."""
        approximate = any(s.approximate for s in self.streams)
        return certified(
            self.found, self.options.k, bound, ended_by, approximate, self.candidates.notes
        )


def certified(
    found: Sequence[Found],
    k: int,
    bound: float,
    ended_by: str | None,
    approximate: bool,
    notes: Sequence[str],
) -> Certificate:
    """What is proven when no unexamined interpretation has a GSD below ``bound``."""
    enough = len(found) >= k
    last = found[-1].gsd if found else -inf
    complete = (last <= bound + TOLERANCE) if enough else bound == inf
    if found and not enough and not complete:
        notes = (*notes, f"{len(found)} of {k} found")
    return Certificate(
        exact=ended_by is None,
        complete=complete,
        bound=bound,
        approximate=approximate,
        ended_by=ended_by,
        notes=tuple(notes),
    )


def check_edge_values(pattern: Pattern, store: Store, schema: Schema) -> None:
    """Refuse a pattern with values on edges where the database's edges have none.

    Raises:
        PatternError: with what to write instead.
    """
    if store.capabilities.edge_values or schema.relations_begin is not None:  # qualifiers
        return
    for edge in pattern.edges:
        if edge.value is not None:
            value = shown(pattern.node(edge.value).text or "?")
            raise PatternError(
                f"the pattern has a value on an edge, {value}, but edges of this graph carry none:"
                " say it with a node of its own, as in"
                ' (?part)-[actor]-("Tom Hanks"), (?part)-[role]-("Forrest Gump")'
            )


def _is_heavy(plan: Plan) -> bool:
    """Whether a part of the pattern has no known node: its queries may read the whole graph."""
    known = {n for n, known in enumerate(plan.structure.known) if known}
    return any(
        known.isdisjoint(end for e in component for end in plan.structure.edges[e])
        for component in plan.pattern.components()
    )

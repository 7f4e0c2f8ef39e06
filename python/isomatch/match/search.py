"""The exact top-k search over a database.

GSD depends only on the interpretation, so interpretations are examined in ascending
GSD until k of them have a match (the result of SimGRAG, section 5, by ranked
enumeration instead of expansion). After a miss the smallest part of the pattern that
has no match is looked for, and everything that contains it is skipped; after many, a
semi-join tells which (node, relation) pairs exist at all; brute force over the lists
comes last, or first where it is cheapest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from time import perf_counter

from isomatch.compile.base import Part, Terms
from isomatch.link.candidates import Candidate, Candidates
from isomatch.match.asking import Asker, BudgetSpent
from isomatch.match.enumeration import Enumeration, Indices, Stream
from isomatch.match.model import Certificate
from isomatch.match.ports import Ports
from isomatch.pattern.model import Pattern
from isomatch.plan.options import Options
from isomatch.plan.planner import Plan, list_of, plan
from isomatch.schema.model import Schema
from isomatch.store.base import Query, Row, Store
from isomatch.store.terms import is_blank

# Misses in a row before brute force is considered.
MISSES_BEFORE_BRUTE = 48
# Largest estimate of rows at which brute force is taken after misses, and the
# largest lists that one query carries.
BRUTE_ROWS = 200_000
QUERY_LIST = 1024
# How far in GSD the first semi-join looks ahead, halved; and most (node, relation)
# pairs of one.
FIRST_REACH = 0.05
LARGEST_SEMI_JOIN = 16_384
TOLERANCE = 1e-9


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


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a search found, proved and asked.

    Attributes:
        found: ascending by GSD.
        part: the whole pattern as compiled; its structure's ``used`` and
            ``order`` name the columns of the rows.
        certificate: see `Certificate`.
        examined: interpretations whose existence was asked of the database.
        stages: milliseconds of plan, compile, execute and match.
        queries: everything asked, in order.
    """

    plan: Plan
    found: tuple[Found, ...]
    certificate: Certificate
    strategy: str
    examined: int
    rounds: int
    rows: int
    stages: Mapping[str, float]
    queries: tuple[Query, ...]


def search(
    pattern: Pattern, candidates: Candidates, store: Store, schema: Schema, options: Options
) -> SearchOutcome:
    """The best ``options.k`` interpretations of a pattern, with their matches.

    Args:
        candidates: lists for the pattern's parts; widened where needed.
        store: the database, asked through its own dialect.
        schema: for degrees and for what is no relation.

    Raises:
        StoreError: the database failed.
    """
    started = perf_counter()
    chosen = plan(pattern, candidates, schema, options)
    planned = perf_counter()
    run = _Search(chosen, candidates, store, schema, options)
    found, certificate = run.run()
    asker = run.asker
    spent = (perf_counter() - planned) * 1e3
    return SearchOutcome(
        chosen,
        tuple(found),
        certificate,
        run.strategy,
        run.examined,
        asker.rounds,
        asker.rows,
        {
            "plan": (planned - started) * 1e3,
            "compile": asker.compile_ms,
            "execute": asker.execute_ms,
            "match": spent - asker.compile_ms - asker.execute_ms,
        },
        tuple(asker.queries),
    )


class _Search:
    """The state of one search."""

    def __init__(
        self, plan: Plan, candidates: Candidates, store: Store, schema: Schema, options: Options
    ):
        self.plan = plan
        self.options = options
        self.terms = Terms.of(schema)
        self.candidates = candidates
        seconds = options.budget_seconds
        self.asker = Asker(
            store,
            None if seconds is None else perf_counter() + seconds,
            options.budget_rows,
        )
        self.streams = [
            Stream(
                list_of(slot, candidates, plan.pattern),
                options.type_weight if slot.kind == "type" else 1.0,
            )
            for slot in plan.slots
        ]
        self.ports = Ports(plan.structure, plan.slots, schema.joins)
        # Known nodes must be apart unless everything may coincide.
        apart = [i for i, slot in enumerate(plan.slots) if slot.kind == "node"]
        self.enumeration = Enumeration(
            self.streams,
            plan.checkpoints,
            self.ports,
            self.asker.check,
            [] if options.nodes == "repeat" else apart,
        )
        self.found: list[Found] = []
        self.examined = 0
        self.strategy = plan.strategy
        self._seen: set[Row] = set()
        self._alive: set[tuple[int, Indices]] = set()
        self._missed: set[tuple[int, Indices]] = set()
        self._ported: set[tuple[str, str]] = set()  # (node, relation)
        self._ahead = FIRST_REACH
        self._misses = 0
        self._asked = inf  # GSD of the first interpretation that is being asked about

    def run(self) -> tuple[list[Found], Certificate]:
        """Search until k are found, nothing is left, or a budget is spent."""
        ended_by = None
        bound = inf
        try:
            if self.plan.strategy == "brute force":
                bound = self._brute()
            else:
                if self.plan.strategy == "semi-join":
                    self._semi_join()
                bound = self._ascend()
        except BudgetSpent as spent:
            ended_by = spent.which
            bound = min(self.enumeration.bound, self._asked)
        return self.found, self._certificate(bound, ended_by)

    # -- ascending -------------------------------------------------------------

    def _ascend(self) -> float:
        batch = 1
        while self._wanted() > 0:
            asked = self._take(batch)
            if not asked:
                break
            self._asked = asked[0][0]
            if len(asked) == 1:
                hits = [self._fetch(*asked[0])]
            else:
                self.examined += len(asked)
                exist = self.asker.exist([self._branch(indices) for _, indices in asked])
                hits = [
                    hit and (self._wanted() <= 0 or self._fetch(*one, known=True))
                    for hit, one in zip(exist, asked, strict=True)
                ]
            self._asked = inf
            if any(hits):
                self._misses, batch = 0, 1
            else:
                self._misses += len(asked)
                batch = min(batch * 2, self.asker.store.batch)
            missed = [r for (_, r), hit in zip(asked, hits, strict=True) if not hit]
            if missed:
                self._semi_join()
                self._learn([m for m in missed if self.ports.possible(self._ids(m))])
            if not any(hits):
                before = self._misses - len(asked)
                if before < MISSES_BEFORE_BRUTE <= self._misses and self._brute_is_feasible():
                    return self._brute()
        return self.enumeration.bound

    def _take(self, size: int) -> list[tuple[float, Indices]]:
        taken: list[tuple[float, Indices]] = []
        while len(taken) < size and (item := self.enumeration.next()) is not None:
            taken.append(item)
        return taken

    def _learn(self, missed: Sequence[Indices]) -> None:
        """Find the smallest part without a match for each missed interpretation."""
        whole = len(self.plan.structure.edges)
        for number, checkpoint in enumerate(self.plan.checkpoints):
            if len(checkpoint.edges) == whole or not missed:
                return
            span = slice(checkpoint.start, checkpoint.stop)
            unknown = list(
                {
                    r[span]: r
                    for r in missed
                    if (number, r[span]) not in self._alive and self._again(number, r[span])
                }.values()
            )
            dead: set[Indices] = set()
            if unknown:
                exist = self.asker.exist([self._branch(r, checkpoint.edges) for r in unknown])
                for indices, hit in zip(unknown, exist, strict=True):
                    if hit:
                        self._alive.add((number, indices[span]))
                    else:
                        dead.add(indices[span])
                        self.enumeration.bury(number, indices)
            missed = [r for r in missed if r[span] not in dead]

    def _again(self, checkpoint: int, part: Indices) -> bool:
        """Whether this part has missed before: only then is it worth a question."""
        before = (checkpoint, part) in self._missed
        self._missed.add((checkpoint, part))
        return before

    def _fetch(self, gsd: float, indices: Indices, known: bool = False) -> bool:
        """Get an interpretation's matches; whether it has any that count."""
        if not known:
            self.examined += 1
        part, nodes = self._branch(indices)
        single = self.options.results == "matches"
        # A match may come again under another type; at most the found ones do.
        limit = self.options.k if single else self.options.limit
        rows, cut = self.asker.matches(part, nodes, limit)
        if not rows:
            return False
        chosen = self._chosen(indices)
        if not single:
            self.found.append(Found(gsd, chosen, tuple(rows), cut))
            return True
        for row in rows:
            identity = (*row, *part.relations)
            if identity not in self._seen and self._wanted() > 0:
                self._seen.add(identity)
                self.found.append(Found(gsd, chosen, (row,), False))
        return True

    def _wanted(self) -> int:
        return self.options.k - len(self.found)

    # -- semi-join --------------------------------------------------------------

    def _semi_join(self) -> None:
        """Ask which relations known nodes have at all, and on which side.

        Asked for what is within reach: entries that the next interpretations may
        use, up to a GSD that lies further ahead with every call.
        """
        self._ahead *= 2
        position = {(slot.kind, slot.index): i for i, slot in enumerate(self.plan.slots)}
        for edge, ends in enumerate(self.plan.structure.edges):
            if (relation := position.get(("relation", edge))) is None:
                continue
            relations = self._within_reach(relation)
            for end in ends:
                if (node := position.get(("node", end))) is not None:
                    self._ask_ports(self._within_reach(node), relations)

    def _within_reach(self, slot: int) -> list[str]:
        stream = self.streams[slot]
        others = sum(s.least for s in self.streams) - stream.least
        reach = self.enumeration.bound + self._ahead - others
        return [
            c.id
            for c, distance in zip(stream.entries, stream.distances, strict=True)
            if distance <= reach
        ]

    def _ask_ports(self, nodes: Sequence[str], relations: Sequence[str]) -> None:
        fresh = [
            n
            for n in nodes
            if not is_blank(n) and any((n, r) not in self._ported for r in relations)
        ][: LARGEST_SEMI_JOIN // max(len(relations), 1)]
        asked = [r for r in relations if any((n, r) not in self._ported for n in fresh)]
        if not asked:
            return
        if self.strategy == "ascending":
            self.strategy = "ascending, semi-join"
        self._ported.update((n, r) for n in fresh for r in asked)
        found = self.asker.ports(fresh, asked)
        every = [side + r for r in asked for side in "+-"]
        for n in fresh:
            absent = {port for port in every if (n, port) not in found}
            self.ports.absent.setdefault(n, set()).update(absent)

    # -- brute force --------------------------------------------------------------

    def _brute_is_feasible(self) -> bool:
        return (
            self.plan.estimated_rows <= BRUTE_ROWS
            and self.options.strategy == "auto"
            and all(len(s.entries) <= QUERY_LIST for s in self.streams)
            and self._nameable()
        )

    def _nameable(self) -> bool:
        return not any(c.id.startswith("_:") for s in self.streams for c in s.entries)

    def _brute(self) -> float:
        """All interpretations within the lists in one query, widened until k are proven."""
        if not self._nameable():
            return self._ascend()
        self.strategy = (
            "brute force" if self.plan.strategy == "brute force" else "ascending, brute force"
        )
        done = {tuple(c.id for c in f.chosen) for f in self.found}
        total = sum(s.least for s in self.streams)
        if total == inf:
            return inf
        while True:
            for stream in self.streams:
                stream.refresh()
            existing = self._existing()
            bound = min(
                (s.frontier + total - s.least for s in self.streams if s.frontier < inf),
                default=inf,
            )
            proven = [r for r in existing if r[0] <= bound + TOLERANCE]
            growing = [
                s
                for s in self.streams
                if s.open and s.frontier + total - s.least <= bound + TOLERANCE
            ]
            if len(proven) >= self.options.k or not growing:
                for gsd, indices in proven if growing else existing:
                    chosen = tuple(c.id for c in self._chosen(indices))
                    if self._wanted() > 0 and chosen not in done:
                        done.add(chosen)
                        self._fetch(gsd, indices, known=True)
                # Under ``results="matches"`` some may be the same match again.
                if self._wanted() <= 0 or not growing:
                    return bound
            for stream in growing:
                stream.widen()
            if any(len(s.entries) > QUERY_LIST for s in self.streams):
                return self._ascend()

    def _existing(self) -> list[tuple[float, Indices]]:
        """Interpretations within the lists that have a match, ascending."""
        slots = self.plan.slots
        index = [{c.id: i for i, c in enumerate(s.entries)} for s in self.streams]
        # Kinds of literals are conditions, not values that a query can range
        # over: one query for each choice of them.
        kinds = [
            [None, *(c.id for c in s.entries if c.id.startswith("literal:"))]
            if slot.kind == "type"
            else [None]
            for slot, s in zip(slots, self.streams, strict=True)
        ]
        found = set()
        for fixed in product(*kinds):
            lists: dict[str, dict[int, list[str]]] = {"node": {}, "relation": {}, "type": {}}
            types: list[str | None] = [None] * len(self.plan.structure.known)
            for slot, stream, kind in zip(slots, self.streams, fixed, strict=True):
                if kind is not None:
                    types[slot.index] = kind
                else:
                    ids = [c.id for c in stream.entries if not c.id.startswith("literal:")]
                    lists[slot.kind][slot.index] = ids
            part = Part(
                self.plan.structure,
                (None,) * len(self.plan.structure.edges),
                tuple(types),
                self.terms,
            )
            limit = self.options.budget_rows or 10_000_000
            started = perf_counter()
            query = self.asker.store.dialect.brute(
                part, lists["node"], lists["relation"], lists["type"], limit
            )
            self.asker.compile_ms += (perf_counter() - started) * 1e3
            for row in self.asker.rows_of(query):
                value = dict(zip(query.columns, row, strict=True))
                found.add(
                    tuple(
                        places[
                            kind
                            if kind is not None
                            else value[f"{_COLUMN[slot.kind]}{slot.index}"] or ""
                        ]
                        for slot, places, kind in zip(slots, index, fixed, strict=True)
                    )
                )
        self.examined += len(found)
        ranked = [
            (sum(s.distances[i] for s, i in zip(self.streams, r, strict=True)), r) for r in found
        ]
        return sorted(ranked)

    # -- shared -----------------------------------------------------------------

    def _chosen(self, indices: Indices) -> tuple[Candidate, ...]:
        return tuple(
            replace(s.entries[i], distance=s.distances[i])
            for s, i in zip(self.streams, indices, strict=True)
        )

    def _ids(self, indices: Indices) -> list[str]:
        return [s.entries[i].id for s, i in zip(self.streams, indices, strict=True)]

    def _nodes(self, indices: Indices) -> dict[int, str]:
        return {
            slot.index: stream.entries[i].id
            for slot, stream, i in zip(self.plan.slots, self.streams, indices, strict=True)
            if slot.kind == "node"
        }

    def _branch(
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
        nodes = {n: id for n, id in self._nodes(indices).items() if n in structure.used}
        return Part(structure, tuple(relations), tuple(types), self.terms), nodes

    def _certificate(self, bound: float, ended_by: str | None) -> Certificate:
        bound = min(bound, self.enumeration.cut_bound)
        enough = self._wanted() <= 0
        last = self.found[-1].gsd if self.found else -inf
        complete = (last <= bound + TOLERANCE) if enough else bound == inf
        notes = list(self.candidates.notes)
        if self.found and not enough and not complete:
            notes.append(f"{len(self.found)} of {self.options.k} found")
        return Certificate(
            exact=ended_by is None,
            complete=complete,
            bound=bound,
            approximate=any(s.approximate for s in self.streams),
            ended_by=ended_by,
            notes=tuple(notes),
        )


_COLUMN = {"node": "n", "relation": "e", "type": "t"}

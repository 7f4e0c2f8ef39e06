"""The exact top-k search over a database.

GSD depends only on the interpretation, so interpretations are examined in ascending GSD
until k of them have a match (the result of SimGRAG, section 5, by ranked enumeration
instead of expansion). After a miss the search looks for the smallest part of the
pattern without a match, and skips everything that contains it; after many, a semi-join
tells which (node, relation) pairs exist at all. Brute force over the lists comes last,
or first where it is cheapest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from types import MappingProxyType

from isomatch.compile.dialects import dialect_of
from isomatch.link.candidates import Candidates
from isomatch.match.ahead import ENTRIES_AT_ONCE, LookAhead
from isomatch.match.base_search import FoundInterpretation
from isomatch.match.brute import brute_force, is_feasible
from isomatch.match.conditions import check_conditions
from isomatch.match.edge_keys import with_stored_keys
from isomatch.match.enumeration import TOLERANCE, Enumeration, Incidence, Indices, as_searched
from isomatch.match.parts import PartAnswers, hopeless, joined, unusable
from isomatch.match.procedure import ProcedureSearch, by_procedure, may_search
from isomatch.match.query_executor import BudgetSpent
from isomatch.match.same_as import join_same_nodes
from isomatch.match.state import State
from isomatch.match.types import Certificate, Profile
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.plan.planner import Plan, plan
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Row, Store
from isomatch.store.terms import is_blank

# Misses in a row before brute force is considered; in memory they cost no round trips.
MISSES_BEFORE_BRUTE = 48
MISSES_IN_MEMORY = 4096
# The same where two years of many days each are found, of which every pair is passed over,
AGAIN_BEFORE_BRUTE = 1024
# and where the incidences alone rule out one choice after another, without a query.
STEPS_BEFORE_BRUTE = 65_536
# Half of the GSD that the first semi-join looks ahead, and the most (node, relation) pairs
# of one.
FIRST_REACH = 0.05
LARGEST_SEMI_JOIN = 16_384
# Interpretations as near as the last one, of which one is looked for, and steps for each.
MOST_TIES = 16
TIE_STEPS = 256


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a search found and proved, and its queries.

    Attributes:
        candidates: as the search widened them.
        plan: how it was searched; its structure's ``used`` and ``order`` name the
            columns of the rows.
        found: ascending by GSD.
        certificate: see `Certificate`.
        profile: its stages are plan, compile, execute and match.
        queries: all that were run, in order.
        passed_over: known nodes that were nearer than those of the best
            interpretation, and have no match.
        memory: bytes of the database's heap that the plugin held at most; 0 without it.
        undecided, unsure: see `isomatch.match.filter.Filter`.
    """

    candidates: Candidates
    plan: Plan
    found: tuple[FoundInterpretation, ...]
    certificate: Certificate
    profile: Profile
    queries: tuple[Query, ...] = ()
    passed_over: tuple[str, ...] = ()
    memory: int = 0
    undecided: bool = False
    unsure: tuple[Row, ...] = ()


def search(
    pattern: Pattern,
    candidates: Candidates,
    store: Store,
    schema: Schema,
    options: Options,
    parts: Sequence[PartAnswers] = (),
    *,
    outside: bool = False,
    dates: Mapping[str, str] = MappingProxyType({}),
) -> SearchOutcome:
    """The best ``options.k`` interpretations of a pattern, with their matches.

    Args:
        candidates: lists for the pattern's words, and the source that widens them.
        store: the database.
        schema: for degrees and for what is no relation.
        parts: what the pattern's parts gave, in their order.
        outside: whether the plugin is not asked.
        dates: declared formats of dates, by relation.

    Raises:
        PatternError: the pattern has values on edges, and the graph has none; a condition
            compares with what is no number and no date; or see `isomatch.plan.planner.plan`.
        ConfigurationError: see `isomatch.match.same_as.join_same_nodes`.
        StoreError: the database failed.
    """
    started = perf_counter()
    check_conditions(pattern.where)
    parts = joined(parts)
    pattern = with_stored_keys(pattern, store, schema)
    if options.same_as:
        candidates, schema, options = join_same_nodes(pattern, candidates, store, schema, options)
    chosen = plan(pattern, candidates, schema, options)
    planned = perf_counter()
    run: _Search | ProcedureSearch
    # A strategy that the options name is one of those outside the database.
    inside = not outside and may_search(options, candidates, pattern, schema)
    if inside and (version := store.plugin) is not None:
        chosen = by_procedure(chosen, version)
        run = ProcedureSearch(chosen, candidates, store, schema, options)
    else:
        run = _Search(chosen, candidates, store, schema, options, parts, dates)
    if ended_by := unusable(parts, pattern):
        certificate = run.certificate(0.0, ended_by)
    elif hopeless(parts):
        certificate = run.certificate(inf, None)
    else:
        _, certificate = run.run()
    executor = run.executor
    spent = (perf_counter() - planned) * 1e3
    stages = {
        "plan": (planned - started) * 1e3,
        "compile": executor.compile_ms,
        "execute": executor.execute_ms,
        "match": spent - executor.compile_ms - executor.execute_ms,
    }
    return SearchOutcome(
        as_searched(candidates, run.lists),
        chosen,
        tuple(run.found),
        certificate,
        Profile(stages, run.strategy, executor.rounds, executor.rows, run.examined),
        tuple(executor.queries),
        run.passed_over(),
        run.memory,
        run.filter.undecided,
        tuple(run.filter.unsure),
    )


class _Search(State):
    """The ascending search, which learns from misses."""

    def __init__(
        self,
        plan: Plan,
        candidates: Candidates,
        store: Store,
        schema: Schema,
        options: Options,
        parts: Sequence[PartAnswers] = (),
        dates: Mapping[str, str] = MappingProxyType({}),
    ):
        super().__init__(plan, candidates, store, schema, options, parts, dates)
        self.incidence = Incidence(plan.structure, plan.slots, schema.joins)
        # Known nodes must be different unless everything may coincide.
        values = plan.structure.values
        distinct = [
            i
            for i, slot in enumerate(plan.slots)
            if slot.kind == "node" and slot.index not in values
        ]
        self.enumeration = Enumeration(
            self.streams,
            plan.checkpoints,
            self.incidence,
            self.executor.check,
            [] if options.nodes in ("repeat", "walk") else distinct,
        )
        self._alive: set[tuple[int, Indices]] = set()
        self._missed: set[tuple[int, Indices]] = set()
        self._checked: dict[str, set[str]] = {}  # relations by node
        capabilities = store.capabilities
        types = sum(r.id.startswith(":") for r in schema.relations)
        self._at_once = (
            capabilities.batched
            and not (capabilities.inline or capabilities.in_memory)
            and types > capabilities.dynamic_types
        )
        self._ahead = LookAhead(self, self.enumeration) if self._at_once else None
        self._reach = FIRST_REACH
        self._misses = 0
        self._again = 0  # interpretations passed over because they are part of one that is found
        self._long = False  # whether too many were ruled out for one more that may have a match
        self._pending: list[tuple[float, Indices]] = []  # of the last batch, not decided yet
        self._asked_from = inf  # GSD of the first interpretation that is being asked about

    def run(self) -> tuple[list[FoundInterpretation], Certificate]:
        """Search until k are found, nothing is left, or a budget is spent."""
        ended_by = None
        bound = inf
        try:
            if self.plan.strategy == "brute force":
                bound = self._brute_force()
            else:
                if self.plan.strategy == "semi-join" or self._at_once:
                    self._semi_join()
                bound = self._ascend()
        except BudgetSpent as spent:
            ended_by = spent.which
            bound = min(self._bound(), self._asked_from)
        bound = min(bound, self.enumeration.cut_bound)
        self.found.sort(key=lambda found: found.gsd)  # an approximate list may change its order
        return self.found, self.certificate(bound, ended_by)

    # -- ascending -------------------------------------------------------------

    def _ascend(self) -> float:
        capabilities = self.executor.store.capabilities
        batched = capabilities.batched
        batch = first = self._first_batch() if batched else 1
        while self.wanted > 0:
            if self._ahead is not None and not self._ahead.look():
                self._ahead = None
            asked = self._next_batch(batch)
            if self._again >= AGAIN_BEFORE_BRUTE:
                self._again = 0
                if is_feasible(self):
                    self._pending = [*asked, *self._pending]
                    return self._brute_force()
            if not asked:
                break
            if batched:
                hits = self.fetch_first(asked)
                undecided = asked[len(hits) :]
                asked, self._pending = asked[: len(hits)], [*undecided, *self._pending]
            elif len(asked) == 1:
                hits = [self.fetch(*asked[0])]
            else:
                self.examined += len(asked)
                exist = self.executor.exist([self.branch(indices) for _, indices in asked])
                hits = [
                    hit and (self._left_out(*one) or self.fetch(*one, known=True))
                    for hit, one in zip(exist, asked, strict=True)
                ]
            self._asked_from = inf
            if self.wanted <= 0:
                bound = self._bound()
                self._look_for_ties()
                return bound
            if any(hits) and not self._at_once:
                self._misses, batch = 0, first
            else:
                self._misses = 0 if any(hits) else self._misses + len(asked)
                batch = min(batch * 2, capabilities.batch)
            missed = [r for (_, r), hit in zip(asked, hits, strict=True) if not hit]
            if missed:
                self._semi_join()
                if self._ahead is None:
                    self._prune_missed([m for m in missed if self.incidence.possible(self.ids(m))])
            if not any(hits):
                before = self._misses - len(asked)
                if before < self._most_misses() <= self._misses and is_feasible(self):
                    return self._brute_force()
        return self._bound()

    def _most_misses(self) -> int:
        """How many misses there may be in a row before brute force is considered."""
        executor = self.executor
        free = executor.store.capabilities.in_memory and all(q.ways for q in executor.queries[-1:])
        return MISSES_IN_MEMORY if free else MISSES_BEFORE_BRUTE

    def _left_out(self, gsd: float, indices: Indices) -> bool:
        """Whether an interpretation, which exists, is found already or not wanted any more."""
        if self.has(indices):
            return True
        if self.wanted > 0:
            return False
        self.leave_out(gsd)
        return True

    def _look_for_ties(self) -> None:
        """Look whether one of the next interpretations is as near as the last and exists."""
        if self.ties is not False:
            return
        last = max(found.gsd for found in self.found) + TOLERANCE
        near = [i for i in self._pending if i[0] <= last and not self.has(i[1])][:MOST_TIES]
        if any(self.beyond.get(indices) for _, indices in near):
            self.leave_out(near[0][0])
            return
        try:
            for _ in range(TIE_STEPS):
                item = self.enumeration.next(last, TIE_STEPS)
                if item is not None and not self.has(item[1]):
                    near.append(item)
                if item is None or len(near) == MOST_TIES:
                    break
            asked = [self.branch(indices) for _, indices in near if indices not in self.beyond]
            if asked and any(self.executor.exist(asked)):
                self.leave_out(near[0][0])
        except BudgetSpent:
            self.ties = None  # what was found is proven without this
        if self.ties is False and (len(near) == MOST_TIES or self.enumeration.bound <= last):
            self.ties = None

    def _first_batch(self) -> int:
        store = self.executor.store
        return min(max(dialect_of(store).first_batch, self.wanted), store.capabilities.batch)

    def _bound(self) -> float:
        """No interpretation that was not examined has a smaller GSD."""
        return min(self.enumeration.bound, self._pending[0][0] if self._pending else inf)

    def _brute_force(self) -> float:
        bound = brute_force(self)
        return self._ascend() if bound is None else bound

    def _next_batch(self, size: int) -> list[tuple[float, Indices]]:
        pending, self._pending = self._pending, []
        batch = [
            one
            for one in pending
            if not self.has(one[1]) and not (self._ahead and self.enumeration.is_ruled_out(one[1]))
        ]
        self._asked_from = batch[0][0] if batch else inf
        while len(batch) < size:
            # Longer lists are only fetched for what is left: mostly these are enough.
            item = self.enumeration.next(steps=STEPS_BEFORE_BRUTE, widen=not batch)
            if item is None:
                if batch and self.enumeration.waits:
                    break
                if self.enumeration.bound == inf:
                    break
                if not self._long and is_feasible(self):
                    self._long, self._again = True, AGAIN_BEFORE_BRUTE
                    break
                continue
            if self.has(item[1]):
                self._again += 1
                if self._again == AGAIN_BEFORE_BRUTE and is_feasible(self):
                    break
                continue
            if batch and self._ahead and not self._ahead.covers(item[1]):
                self._pending = [item]
                break
            batch.append(item)
            self._asked_from = batch[0][0]  # before the next one, which may end the time
        return batch

    def _prune_missed(self, missed: Sequence[Indices]) -> None:
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
                    if (number, r[span]) not in self._alive and self._missed_before(number, r[span])
                }.values()
            )
            dead: set[Indices] = set()
            if unknown:
                exist = self.executor.exist([self.branch(r, checkpoint.edges) for r in unknown])
                for indices, hit in zip(unknown, exist, strict=True):
                    if hit:
                        self._alive.add((number, indices[span]))
                    else:
                        dead.add(indices[span])
                        self.enumeration.prune(number, indices)
            missed = [r for r in missed if r[span] not in dead]

    def _missed_before(self, checkpoint: int, part: Indices) -> bool:
        """Whether this part has missed before; only then is a query for it worth its time."""
        before = (checkpoint, part) in self._missed
        self._missed.add((checkpoint, part))
        return before

    # -- semi-join --------------------------------------------------------------

    def _semi_join(self) -> None:
        """Fetch which relations the known nodes have at all, and at which end.

        Covers the entries that the next interpretations may use, up to a GSD that
        is higher with every call.
        """
        if self.plan.structure.same_as:
            return  # the incidences of a class are those of all its nodes
        self._reach *= 2
        position = {(slot.kind, slot.index): i for i, slot in enumerate(self.plan.slots)}
        for edge, ends in enumerate(self.plan.structure.edges):
            if (relation := position.get(("relation", edge))) is None:
                continue
            nodes = [at for end in ends if (at := position.get(("node", end))) is not None]
            relations = self._within_reach(relation) if nodes else []
            for node in nodes:
                self._fetch_incidence(self._within_reach(node), relations)

    def _within_reach(self, slot: int) -> list[str]:
        stream = self.streams[slot]
        others = sum(s.least for s in self.streams) - stream.least
        reach = self.enumeration.bound + self._reach - others
        sure = ENTRIES_AT_ONCE if self._at_once else 0
        return [
            c.id
            for i, (c, distance) in enumerate(zip(stream.entries, stream.distances, strict=True))
            if distance <= reach or i < sure
        ]

    def _fetch_incidence(self, nodes: Sequence[str], relations: Sequence[str]) -> None:
        checked, none = self._checked, set[str]()
        wanted = set(relations)
        fresh = [n for n in nodes if not (is_blank(n) or wanted <= checked.get(n, none))]
        fresh = fresh[: LARGEST_SEMI_JOIN // max(len(relations), 1)]
        asked = [r for r in relations if any(r not in checked.get(n, none) for n in fresh)]
        if not asked:
            return
        if self.strategy == "ascending":
            self.strategy = "ascending, semi-join"
        present: dict[str, set[str]] = defaultdict(set)
        for n, incidence in self.executor.incidence(fresh, asked):
            present[n].add(incidence)
        every = {side + r for r in asked for side in "+-"}
        for n in fresh:
            checked.setdefault(n, set()).update(asked)
            self.incidence.absent.setdefault(n, set()).update(every - present[n])

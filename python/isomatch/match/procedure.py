"""The search by the plugin, inside the database: mostly one round trip.

The plugin finds the best k over the lists that it is given, and proves what it can of
what was not given: of each list goes the beginning, with the distance at which it
was cut. Where that does not prove the result, the lists that stand in the way are
sent again, longer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf
from time import perf_counter

from isomatch.compile.base import Terms
from isomatch.compile.dialects import dialect_of
from isomatch.compile.procedure import Prefix
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.query_executor import BudgetSpent, QueryExecutor
from isomatch.match.state import MOST_PASSED_OVER, TOLERANCE, Found, certified
from isomatch.match.types import Certificate
from isomatch.options import Options
from isomatch.plan.planner import Plan, Slot, list_of
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Ranked, Row, Store
from isomatch.store.terms import is_literal, literal_kind
from isomatch.store.values import from_id

STRATEGY = "procedure"
# Entries of each list in the first call, and how many times more in each further one.
FIRST = 512
GROWTH = 4
OUT_OF_MEMORY = (
    "the plugin ends a search that would hold more than 64 MiB in the database: ask for less, or "
    "search from outside (--no-plugin)"
)


def may_search(options: Options) -> bool:
    """Whether a plugin may be left the search; it knows no walks."""
    return options.strategy == "auto" and options.nodes != "walk"


def by_procedure(plan: Plan, version: str) -> Plan:
    """The plan of a search by the plugin of this version."""
    why = f"the database has isomatch's plugin {version}: its procedure searches there"
    return replace(plan, strategy=STRATEGY, why=why)


class ProcedureSearch:
    """One search by the plugin.

    Attributes:
        asker: what was asked, and when the time is up.
        examined: interpretations that the plugin looked at.
        memory: the most bytes of heap that one call held.
    """

    strategy = STRATEGY

    def __init__(
        self, plan: Plan, candidates: Candidates, store: Store, schema: Schema, options: Options
    ):
        self.plan = plan
        self.options = options
        self.candidates = candidates
        self.terms = Terms.of(schema)
        self.store = store
        seconds = options.budget_seconds
        deadline = None if seconds is None else perf_counter() + seconds
        self.executor = QueryExecutor(store, deadline, options.budget_rows)
        self.examined = 0
        self.memory = 0
        self.lists = [list_of(slot, candidates, plan.pattern) for slot in plan.slots]
        self.weights = [options.type_weight if s.kind == "type" else 1.0 for s in plan.slots]
        # How many entries are sent. By identity: equal words share one list.
        self._sent = {id(one): FIRST for one in self.lists}
        structure, edges = plan.structure, plan.pattern.edges
        unknown = [e for e, edge in enumerate(edges) if edge.relation is None]
        place = {e: len(plan.pattern.nodes) + i for i, e in enumerate(unknown)}
        # Of the plan's columns, in the rows of `Ranked`.
        self._columns = (*structure.used, *(place[e] for e in structure.order if e in place))
        self._gone = 0
        self._found: list[Found] = []

    def run(self) -> tuple[list[Found], Certificate]:
        """Search until k are found and proven, all lists are sent, or a budget is spent."""
        bound, ended_by = sum(self._least), None
        try:
            while bound < inf:
                found, proven, ended_by = self._ask()
                # What a budget cut short does not replace a longer result of shorter lists.
                if ended_by is None or (proven >= bound and len(found) >= len(self._found)):
                    self._found, bound = found, proven
                if ended_by or self._proven(bound) or not self._lengthen():
                    break
        except BudgetSpent as spent:
            ended_by = spent.which
        notes = self.candidates.notes
        return self._found, certified(
            self._found,
            self.options.k,
            bound,
            ended_by,
            any(one.approximate for one in self.lists),
            (*notes, OUT_OF_MEMORY) if ended_by == "memory" else notes,
        )

    def query(self) -> Query:
        """The call, with the lists as long as they are by now."""
        return dialect_of(self.store).procedure(
            self.plan.pattern,
            [self._prefix(*one) for one in zip(self.plan.slots, self.lists, strict=True)],
            self.options.with_(budget_rows=self.executor.rows_left),
            self.terms,
            self.executor.seconds_left,
        )

    def passed_over(self) -> tuple[str, ...]:
        """See `SearchOutcome.passed_over`; only where the plugin says that some are gone."""
        if not self._gone:
            return ()
        passed = []
        for number, (slot, entries) in enumerate(zip(self.plan.slots, self.lists, strict=True)):
            if slot.kind == "node" and len(entries):
                best = self._found[0].chosen[number].distance if self._found else inf
                least = entries[0].distance
                passed += [
                    e.id
                    for e in entries
                    if (e.distance < best if self._found else e.distance == least)
                ]
        return tuple(dict.fromkeys(passed))[:MOST_PASSED_OVER]

    @property
    def _least(self) -> list[float]:
        return [
            one[0].distance * weight if len(one) else inf
            for one, weight in zip(self.lists, self.weights, strict=True)
        ]

    def _prefix(self, slot: Slot, entries: CandidateList) -> Prefix:
        of_edge = slot.kind == "relation"
        return Prefix(
            slot.kind,
            str(slot.index) if of_edge else self.plan.pattern.nodes[slot.index].id,
            entries.entries[: self._sent[id(entries)]],
            self._frontier(entries),
            entries.approximate,
        )

    def _ask(self) -> tuple[list[Found], float, str | None]:
        """What the plugin finds, the bound that it proves, and the budget that ended it."""
        if self.executor.rows_left == 0:
            raise BudgetSpent("rows")
        started = perf_counter()
        query = self.query()
        self.executor.compile_ms += (perf_counter() - started) * 1e3
        ranked, proof = self.executor.ranked(query)
        self.examined += proof["examined"]
        self.memory = max(self.memory, proof["memory"])
        self._gone = proof["gone"]
        found = [self._read(one) for one in ranked]
        ended_by = proof["ended_by"]
        if ended_by and found:  # perhaps amid the matches of the last
            found[-1] = replace(found[-1], cut=True)
        return found, inf if proof["bound"] is None else proof["bound"], ended_by

    def _read(self, ranked: Ranked) -> Found:
        """One interpretation, its rows in the plan's order of columns."""
        chosen = []
        stored = ranked.rows[0]
        asked: dict[int, str] = {}
        for slot, entries, weight in zip(self.plan.slots, self.lists, self.weights, strict=True):
            ids = {"node": stored, "relation": ranked.relations, "type": ranked.types}[slot.kind]
            entry = _entry(entries, ids[slot.index] or "")
            if slot.kind == "node" and entry.id != stored[slot.index]:
                asked[slot.index] = entry.id
            chosen.append(replace(entry, distance=entry.distance * weight))
        rows: Iterable[Row] = ranked.rows[: self.options.limit]
        if asked:
            rows = (tuple(asked.get(n, id) for n, id in enumerate(row)) for row in rows)
        return Found(
            ranked.gsd,
            tuple(chosen),
            tuple(tuple(row[place] for place in self._columns) for row in rows),
            len(ranked.rows) > self.options.limit,
        )

    def _proven(self, bound: float) -> bool:
        """Whether nothing that was not sent can be better."""
        enough = len(self._found) >= self.options.k
        return bound == inf or (enough and self._found[-1].gsd <= bound + TOLERANCE)

    def _lengthen(self) -> bool:
        """Send more of what may be better than the last that is found; whether there is more."""
        enough = len(self._found) >= self.options.k
        last = self._found[-1].gsd if enough else inf
        least = self._least
        short = {}
        for i, (entries, weight) in enumerate(zip(self.lists, self.weights, strict=True)):
            frontier = self._frontier(entries)
            nearest = sum(least) - least[i] + frontier * weight
            if frontier < inf and nearest < last - TOLERANCE:
                short[id(entries)] = entries
        longer = False
        for entries in short.values():
            sent = min(self._sent[id(entries)], len(entries))
            if len(entries) < sent * GROWTH:
                entries.widen(sent * GROWTH)
            if len(entries) > sent:
                self._sent[id(entries)] = sent * GROWTH
                longer = True
        return longer

    def _frontier(self, entries: CandidateList) -> float:
        """No entry that is not sent is nearer."""
        sent = self._sent[id(entries)]
        return entries[sent].distance if len(entries) > sent else entries.frontier


def _entry(entries: CandidateList, id: str) -> Candidate:
    """The entry of this id, or of an equal value: 7 may be stored as 7.0."""
    for entry in entries:
        if entry.id == id:
            return entry
    value = from_id(id)
    return next(
        entry
        for entry in entries
        if is_literal(entry.id)
        and literal_kind(entry.id) == literal_kind(id)
        and from_id(entry.id) == value
    )

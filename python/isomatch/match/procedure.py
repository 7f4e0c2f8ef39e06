"""The search by the plugin, inside the database: mostly one round trip.

The plugin finds the best k over the lists that it is given, and proves what it can of
what was not given: of each list goes the beginning, with the distance at which it
was cut. Where that does not prove the result, the lists that stand in the way are
sent again, longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf
from time import perf_counter
from typing import Any

from isomatch.compile.base import Terms
from isomatch.compile.procedure import Prefix
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.asking import Asker, BudgetSpent
from isomatch.match.model import Certificate
from isomatch.match.state import MOST_PASSED_OVER, TOLERANCE, Found, certified
from isomatch.plan.options import Options
from isomatch.plan.planner import Plan, Slot, list_of
from isomatch.schema.model import Schema
from isomatch.store.base import Query, Ranked, Store

STRATEGY = "procedure"
# Entries of each list in the first call, and how many times more in each further one.
FIRST = 512
GROWTH = 4


def by_procedure(plan: Plan, version: str) -> Plan:
    """The plan of a search by the plugin of this version."""
    why = f"the database has isomatch's plugin {version}: its procedure searches there"
    return replace(plan, strategy=STRATEGY, why=why)


class ProcedureSearch:
    """One search by the plugin.

    Attributes:
        asker: what was asked, and when the time is up.
        examined: interpretations that the plugin looked at.
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
        self.asker = Asker(store, deadline, options.budget_rows)
        self.examined = 0
        self.lists = [list_of(slot, candidates, plan.pattern) for slot in plan.slots]
        self.weights = [options.type_weight if s.kind == "type" else 1.0 for s in plan.slots]
        # How many entries are sent. By identity: equal words share one list.
        self._sent = {id(one): FIRST for one in self.lists}
        self._gone = 0
        self._found: list[Found] = []

    def run(self) -> tuple[list[Found], Certificate]:
        """Search until k are found and proven, all lists are sent, or a budget is spent."""
        bound, ended_by = sum(self._least), None
        notes: Sequence[str] = ()
        try:
            while bound < inf:
                found, proof = self._ask()
                notes, ended_by = proof["notes"], proof["ended_by"]
                if ended_by is None or proof["bound"] >= bound:
                    self._found, bound = found, proof["bound"]
                if cut := self._cut_to_budget():
                    bound, ended_by = min(bound, cut[0].gsd), "rows"
                if ended_by or self._proven(bound) or not self._lengthen():
                    break
        except BudgetSpent as spent:
            ended_by = spent.which
        return self._found, certified(
            self._found,
            self.options.k,
            bound,
            ended_by,
            any(one.approximate for one in self.lists),
            tuple(dict.fromkeys((*self.candidates.notes, *notes))),
        )

    def query(self) -> Query:
        """The call, with the lists as long as they are by now."""
        return self.store.dialect.procedure(
            self.plan.pattern,
            [self._prefix(*one) for one in zip(self.plan.slots, self.lists, strict=True)],
            self.options,
            self.terms,
            self.asker.seconds_left,
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

    def _ask(self) -> tuple[list[Found], Mapping[str, Any]]:
        self.asker.check()
        started = perf_counter()
        query = self.query()
        self.asker.compile_ms += (perf_counter() - started) * 1e3
        rows, proof = self.asker.ranked(query)
        self.examined += proof["examined"]
        self._gone = proof["gone"]
        by_rank = (list(some) for _, some in groupby(rows, key=lambda row: row.rank))
        return [self._read(some) for some in by_rank], proof

    def _read(self, rows: Sequence[Ranked]) -> Found:
        """One interpretation with its matches."""
        first, limit = rows[0], self.options.limit
        chosen = tuple(
            self._chosen(slot, entries, weight, first)
            for slot, entries, weight in zip(self.plan.slots, self.lists, self.weights, strict=True)
        )
        structure = self.plan.structure
        unknown = [e for e in structure.order if self.plan.pattern.edges[e].relation is None]
        return Found(
            first.gsd,
            chosen,
            tuple(
                (*(row.nodes[n] for n in structure.used), *(row.relations[e] for e in unknown))
                for row in rows[:limit]
            ),
            len(rows) > limit,
        )

    def _chosen(self, slot: Slot, entries: CandidateList, weight: float, row: Ranked) -> Candidate:
        ids = {"node": row.nodes, "relation": row.relations, "type": row.types}[slot.kind]
        entry = next(entry for entry in entries if entry.id == ids[slot.index])
        return entry if weight == 1 else replace(entry, distance=entry.distance * weight)

    def _proven(self, bound: float) -> bool:
        """Whether nothing that was not sent can be better."""
        enough = len(self._found) >= self.options.k
        return bound == inf or (enough and self._found[-1].gsd <= bound + TOLERANCE)

    def _cut_to_budget(self) -> list[Found]:
        """Drop, and return, what is beyond the budget of rows."""
        left = self.options.budget_rows
        if left is None or self.asker.rows <= left:
            return []
        left -= self.asker.rows - sum(len(found.rows) for found in self._found)
        kept = 0
        for found in self._found:
            left -= len(found.rows)
            if left < 0:
                break
            kept += 1
        self._found, cut = self._found[:kept], self._found[kept:]
        return cut

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

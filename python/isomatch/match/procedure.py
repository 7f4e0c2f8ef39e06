"""The search by the plugin, inside the database: mostly one round trip.

The plugin finds the best k over the lists that it is given. Only the beginning of each
list is sent, with the distance at which it was cut; from these distances the plugin
computes the bound of what it proves. Where that is too low, the lists that limit it are
sent again, longer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from isomatch.compile.dialects import dialect_of
from isomatch.compile.procedure import Prefix
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.match.base_search import BaseSearch, FoundInterpretation
from isomatch.match.enumeration import TOLERANCE
from isomatch.match.query_executor import BudgetSpent
from isomatch.match.types import Certificate
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.plan.planner import Plan, Slot
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


def may_search(options: Options, candidates: Candidates, pattern: Pattern, schema: Schema) -> bool:
    """Whether the plugin may do the search.

    It knows no nodes alone, walks, conditions, parts, counts, orders and aggregates, takes
    values one by one, and does not know what the settings leave out.
    """
    if options.strategy != "auto" or options.nodes == "walk" or schema.left_out_labels:
        return False
    if not pattern.edges or pattern.where or pattern.parts or pattern.judged_together:
        return False
    if pattern.count is not None:
        return False
    if schema.unsearched_names["no_keys"] and any(
        edge.value is not None and edge.key is None for edge in pattern.edges
    ):
        return False
    nodes = candidates.nodes.values()
    several = any(found.every or sum(bool(c.group) for c in found) > 1 for found in nodes)
    return not several or options.results == "matches"


def by_procedure(plan: Plan, version: str) -> Plan:
    """The plan of a search by the plugin of this version."""
    why = f"the database has isomatch's plugin {version}: its procedure searches there"
    return replace(plan, strategy=STRATEGY, why=why)


class ProcedureSearch(BaseSearch):
    """One search by the plugin. ``examined`` counts what the plugin looked at."""

    def __init__(
        self, plan: Plan, candidates: Candidates, store: Store, schema: Schema, options: Options
    ):
        super().__init__(plan, candidates, store, schema, options)
        self._sent = dict.fromkeys(self.lists, FIRST)  # how many entries are sent
        structure, edges = plan.structure, plan.pattern.edges
        unknown = [e for e, edge in enumerate(edges) if edge.relation is None]
        place = {e: len(plan.pattern.nodes) + i for i, e in enumerate(unknown)}
        # Of the plan's columns, in the rows of `Ranked`.
        self._columns = (*structure.used, *(place[e] for e in structure.order if e in place))
        self._missing = 0  # candidates that are not in the graph any more

    def run(self) -> tuple[list[FoundInterpretation], Certificate]:
        """Search until k are found and proven, all lists are sent, or a budget is spent."""
        bound, ended_by = sum(self._least), None
        try:
            while bound < inf:
                found, proven, ended_by = self._ask()
                # A result that a budget cut does not replace a longer one from shorter lists.
                if ended_by is None or (proven >= bound and len(found) >= len(self.found)):
                    self.found, bound = found, proven
                if ended_by or self._proven(bound) or not self._lengthen():
                    break
        except BudgetSpent as spent:
            ended_by = spent.which
        if (
            self.ties is False
            and self.found
            and self._nearest_unsent() <= (max(found.gsd for found in self.found) + TOLERANCE)
        ):
            self.ties = None  # the plugin knows the entries that it was sent
        notes = (OUT_OF_MEMORY,) if ended_by == "memory" else ()
        return self.found, self.certificate(bound, ended_by, notes)

    def query(self) -> Query:
        """The call, with the lists in their current lengths."""
        return dialect_of(self.executor.store).procedure(
            self.plan.pattern,
            [self._prefix(*one) for one in zip(self.plan.slots, self._current, strict=True)],
            self.options.with_(budget_rows=self.executor.rows_left),
            self.terms,
            self.executor.seconds_left,
        )

    def passed_over(self) -> tuple[str, ...]:
        """See `SearchOutcome.passed_over`; only where the plugin missed some."""
        return super().passed_over() if self._missing else ()

    @property
    def _current(self) -> list[CandidateList]:
        """The list of each slot, as it is now."""
        return [searched.found for searched in self.by_slot]

    @property
    def _least(self) -> list[float]:
        least = [one[0].distance if len(one) else one.frontier for one in self._current]
        return [
            distance * weight if distance < inf else inf
            for distance, weight in zip(least, self.weights, strict=True)
        ]

    def _prefix(self, slot: Slot, entries: CandidateList) -> Prefix:
        of_edge = slot.kind == "relation"
        return Prefix(
            slot.kind,
            str(slot.index) if of_edge else self.plan.pattern.nodes[slot.index].id,
            entries.entries[: self._sent[entries.key]],
            self._frontier(entries),
            entries.approximate,
        )

    def _ask(self) -> tuple[list[FoundInterpretation], float, str | None]:
        """What the plugin finds, the bound that it proves, and the budget that ended it."""
        if self.executor.rows_left == 0:
            raise BudgetSpent("rows")
        with self.executor.compiling():
            query = self.query()
        ranked, proof = self.executor.ranked(query)
        self.examined += proof["examined"]
        self.memory = max(self.memory, proof["memory"])
        self._missing = proof["gone"]
        self.ties = proof.get("ties")
        found = [self._read(one) for one in ranked]
        ended_by = proof["ended_by"]
        if ended_by and found:  # perhaps within the matches of the last
            found[-1] = replace(found[-1], cut=True)
        return found, inf if proof["bound"] is None else proof["bound"], ended_by

    def _read(self, ranked: Ranked) -> FoundInterpretation:
        """One interpretation, its rows in the plan's order of columns."""
        chosen = []
        stored = ranked.rows[0]
        asked: dict[int, str] = {}
        for slot, entries, weight in zip(self.plan.slots, self._current, self.weights, strict=True):
            ids = {"node": stored, "relation": ranked.relations, "type": ranked.types}[slot.kind]
            entry = _entry(entries, ids[slot.index] or "")
            if slot.kind == "node" and entry.id != stored[slot.index]:
                asked[slot.index] = entry.id
            chosen.append(replace(entry, distance=entry.distance * weight))
        limit = self.options.limit
        kept: Iterable[Row] = ranked.rows[:limit]
        if asked:
            kept = (tuple(asked.get(n, id) for n, id in enumerate(row)) for row in kept)
        return FoundInterpretation(
            ranked.gsd,
            tuple(chosen),
            tuple(tuple(row[place] for place in self._columns) for row in kept),
            ranked.cut or len(ranked.rows) > limit,
        )

    def _proven(self, bound: float) -> bool:
        """Whether nothing that was not sent can be better."""
        enough = len(self.found) >= self.options.k
        return bound == inf or (enough and self.found[-1].gsd <= bound + TOLERANCE)

    def _nearest_unsent(self) -> float:
        """No interpretation with an entry that was not sent is nearer."""
        least = self._least
        frontiers = (
            self._frontier(entries) * weight - nearest
            for entries, weight, nearest in zip(self._current, self.weights, least, strict=True)
            if self._frontier(entries) < inf
        )
        return sum(least) + min(frontiers, default=inf)

    def _lengthen(self) -> bool:
        """Send more of what may be better than the last that is found; whether there is more."""
        enough = len(self.found) >= self.options.k
        last = self.found[-1].gsd if enough else inf
        least = self._least
        short = {}
        for i, (entries, weight) in enumerate(zip(self._current, self.weights, strict=True)):
            frontier = self._frontier(entries)
            nearest = sum(least) - least[i] + frontier * weight
            if frontier < inf and nearest < last - TOLERANCE:
                short[entries.key] = self.lists[entries.key]
        longer = False
        for key, searched in short.items():
            sent = min(self._sent[key], len(searched.found))
            if len(searched.found) < sent * GROWTH:
                searched.widen(sent * GROWTH)
            if len(searched.found) > sent:
                self._sent[key] = sent * GROWTH
                longer = True
        return longer

    def _frontier(self, entries: CandidateList) -> float:
        """No entry that is not sent is nearer."""
        sent = self._sent[entries.key]
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

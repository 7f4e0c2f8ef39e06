"""What the strategies of a search share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter
from types import MappingProxyType

from isomatch.compile.base import Branch, Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryRefused
from isomatch.link.candidates import Candidate, Candidates, Kind
from isomatch.match.aggregate import Groups
from isomatch.match.enumeration import TOLERANCE, Indices, Stream, searched_lists
from isomatch.match.filter import Filter
from isomatch.match.notations import Notations, sample_query
from isomatch.match.parts import PartAnswers
from isomatch.match.query_executor import BudgetSpent, QueryExecutor, is_heavy
from isomatch.match.types import Certificate
from isomatch.match.values import add_other_values, ranges_of
from isomatch.options import Options
from isomatch.plan.planner import Plan, Slot, list_of
from isomatch.plan.structure import Structure
from isomatch.schema.types import Schema
from isomatch.store.base import Row, Store

MOST_PASSED_OVER = 1000
MOST_CUT_NAMES = 3  # of types, in a note
GLANCE = 256  # rows of one interpretation that come whole, even if a condition leaves some out
WHOLE = 100_000  # rows of one interpretation that are read where there are conditions


@dataclass(frozen=True, slots=True)
class FoundInterpretation:
    """An interpretation that has matches.

    Attributes:
        gsd: its graph semantic distance.
        chosen: one candidate for each slot of the plan; a type's distance is
            weighted already.
        rows: node ids in the plan's column order, then ids of unknown relations.
        cut: whether the limit cut the rows.
        value: id of what the pattern works out of all rows, cut or not; None for nothing.
        groups: what it works out for each answer.
        counted: how many different nodes the pattern counts in all rows, cut or not, and whether
            there may be more; None where that is to be told from the rows.
    """

    gsd: float
    chosen: tuple[Candidate, ...]
    rows: tuple[Row, ...]
    cut: bool
    value: str | None = None
    groups: Groups = field(default_factory=dict)
    counted: tuple[int, bool] | None = None


class BaseSearch:
    """What every kind of search has.

    Attributes:
        executor: runs the queries, within the budgets.
        lists: the candidate lists, by key, as they are now.
        weights: factor on the distances of each slot.
        found: ascending by GSD.
        examined: interpretations that were looked for in the database.
        strategy: how the search went, in words.
        ties: see `Certificate.ties`.
        memory: bytes of the database's heap; see `SearchOutcome`.
    """

    def __init__(
        self,
        plan: Plan,
        candidates: Candidates,
        store: Store,
        schema: Schema,
        options: Options,
        parts: Sequence[PartAnswers] = (),
    ):
        self.plan = plan
        self.options = options
        self.terms = Terms.of(schema)
        self._cut_types = frozenset(schema.subclasses_cut)
        self._partial = schema.partial
        self.candidates = candidates
        self.executor = QueryExecutor(
            store,
            options.deadline(perf_counter()),
            options.budget_rows,
            heavy=is_heavy(plan),
        )
        self.filter = Filter(plan.pattern, plan.structure.used, parts, self.executor.check)
        self.lists = searched_lists(candidates)
        self.by_slot = [
            self.lists[list_of(slot, candidates, plan.pattern).key] for slot in plan.slots
        ]
        self.weights = [options.type_weight if s.kind == "type" else 1.0 for s in plan.slots]
        self.found: list[FoundInterpretation] = []
        self.examined = 0
        self.strategy = plan.strategy
        self.ties: bool | None = False
        self.memory = 0

    def passed_over(self) -> tuple[str, ...]:
        """See `SearchOutcome.passed_over`; the nearest of all where nothing was found."""
        passed: list[str] = []
        for number, (slot, searched) in enumerate(zip(self.plan.slots, self.by_slot, strict=True)):
            entries = searched.found.entries
            if slot.kind != "node" or not entries:
                continue
            if self.found:
                best = self.found[0].chosen[number].distance
                passed += [entry.id for entry in entries if entry.distance < best]
            else:
                least = entries[0].distance
                passed += [entry.id for entry in entries if entry.distance == least]
        return tuple(dict.fromkeys(passed))[:MOST_PASSED_OVER]

    def certificate(
        self, bound: float, ended_by: str | None, notes: Sequence[str] = ()
    ) -> Certificate:
        """What is proven when no unexamined interpretation has a GSD below ``bound``."""
        notes = (*self.candidates.notes, *notes, *self.filter.notes(), *self.notes())
        enough = len(self.found) >= self.options.k
        last = self.found[-1].gsd if self.found else -inf
        complete = (last <= bound + TOLERANCE) if enough else bound == inf
        for number, searched in enumerate(self.by_slot):
            # An interpretation has the values that are on the list.
            if any(found.chosen[number].group for found in self.found):
                complete = complete and not searched.found.lacks_grouped
        # Such a type may have nodes, and so its interpretations matches, that are not found.
        cut, nearest = self._cut_names(last if enough else inf)
        if cut:
            complete, bound = False, min(bound, nearest)
            named = ", ".join(f'"{text}"' for text in cut[:MOST_CUT_NAMES])
            more = f" and {len(cut) - MOST_CUT_NAMES} more" if len(cut) > MOST_CUT_NAMES else ""
            notes = (
                *notes,
                f"not all subclasses of {named}{more} are known, so nodes may be missing: "
                "`isomatch schema` says why",
            )
        ties = self.ties if enough else False
        missing, least = self._not_listed()
        bound = min(bound, least)
        if enough and last <= least + TOLERANCE:
            # What is not listed cannot be nearer, but it may be as near.
            ties = ties if ties or last < least - TOLERANCE else None
        elif least < inf:
            complete = False
            notes = (
                *notes,
                f"not all {missing} of the graph are known, and one that is not may be nearer: "
                "`isomatch schema` says why",
            )
        if self.found and not enough and not complete:
            notes = (*notes, f"{len(self.found)} of {self.options.k} found")
        return Certificate(
            exact=ended_by is None and not cut,
            complete=complete,
            bound=bound,
            approximate=any(searched.found.approximate for searched in self.by_slot),
            ended_by=ended_by,
            notes=notes,
            ties=ties,
        )

    def notes(self) -> Iterator[str]:
        """How values were read, in words."""
        return iter(())

    def _not_listed(self) -> tuple[str, float]:
        """What the pattern names of which the schema may lack some, and the least GSD with it.

        A relation that the schema lacks may be at distance 0, in each place of one.
        """
        kinds = {s.kind for s in self.plan.slots if f"{s.kind}s" in self._partial}
        least = 0.0 if kinds else inf
        for slot, searched, weight in zip(self.plan.slots, self.by_slot, self.weights, strict=True):
            if slot.kind not in kinds:
                found = searched.found
                nearest = found.entries[0].distance if found.entries else found.frontier
                least += nearest * weight if nearest < inf else inf
        return " and ".join(sorted(f"{kind}s" for kind in kinds)), least

    def _cut_names(self, until: float) -> tuple[list[str], float]:
        """Types of which not all subclasses are known, and the least GSD with one of them.

        Those that an interpretation of a GSD up to ``until`` may have.
        """
        names: dict[str, None] = {}
        nearest = inf
        places = zip(self.plan.slots, self.by_slot, self.weights, strict=True)
        lists = [(slot, list.found.entries, weight) for slot, list, weight in places]
        least = sum(entries[0].distance * weight for _, entries, weight in lists if entries)
        for slot, entries, weight in lists:
            for entry in entries if slot.kind == "type" and self._cut_types else ():
                gsd = least + (entry.distance - entries[0].distance) * weight
                if entry.id in self._cut_types and gsd <= until + TOLERANCE:
                    names[entry.name] = None
                    nearest = min(nearest, gsd)
        return list(names), nearest


class State(BaseSearch):
    """The search from outside the database: what its strategies share."""

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
        super().__init__(plan, candidates, store, schema, options, parts)
        self.streams = [Stream(*source) for source in zip(self.by_slot, self.weights, strict=True)]
        self._seen: set[Row] = set()
        narrows = dialect_of(store).narrows
        self._ranges = ranges_of(plan.pattern) if narrows else ()
        self._notations = Notations(plan.pattern, self._some_values, dates)
        self._last: Part | None = None
        self._found_keys: set[tuple[str, ...]] = set()
        # Of the last batch: whether those that it did not decide have a match, where told.
        self.beyond: dict[Indices, bool] = {}

    def fetch(self, gsd: float, indices: Indices, known: bool = False) -> bool:
        """Get an interpretation's matches; whether it has any that count."""
        if not known:
            self.examined += 1
        part, nodes = self.branch(indices)
        # A match may come again under another type; at most the found ones do.
        rows, cut = self.executor.matches(part, nodes, self._glance)
        if not rows:
            return False
        if again := cut and bool(self._ranges):
            rows, cut = self._narrowed([indices])[0]
        self._keep(gsd, indices, part, rows, cut, narrowed=again)
        return True

    def fetch_first(self, asked: Sequence[tuple[float, Indices]]) -> list[bool]:
        """`fetch` for many in one round trip, up to the last one that is wanted.

        Whether each has matches, for as many of them as were decided.
        """
        branches = [self.branch(indices) for _, indices in asked]
        found, decided = self.executor.find(branches, self._glance, self.wanted)
        self.examined += decided
        rest = (indices for _, indices in asked[decided:])
        self.beyond = dict(zip(rest, self.executor.beyond, strict=False))  # others were not asked
        long = [i for i, (_, cut) in sorted(found.items()) if cut and self._ranges]
        if long:
            found |= zip(long, self._narrowed([asked[i][1] for i in long]), strict=True)
        for i, (rows, cut) in sorted(found.items()):
            if self.has(asked[i][1]):
                continue
            if self.wanted > 0:
                self._keep(*asked[i], branches[i][0], rows, cut, narrowed=i in long)
            else:
                self.leave_out(asked[i][0])
        return [i in found for i in range(decided)]

    def _narrowed(self, asked: Sequence[Indices]) -> list[tuple[list[Row], bool]]:
        """The rows of interpretations, less those that the database can tell to be out."""
        branches = [
            (replace(p, ranges=self._ranges), nodes) for p, nodes in map(self.branch, asked)
        ]
        rows: list[tuple[list[Row], bool]] = []
        try:
            if not self.executor.store.capabilities.batched:
                return [self.executor.matches(*branch, self._limit) for branch in branches]
            while rest := branches[len(rows) :]:
                found, decided = self.executor.find(rest, self._limit, len(rest))
                rows += [found.get(i, ([], False)) for i in range(decided)]
        except QueryRefused:
            if not self._ranges:
                raise
            self._ranges = ()  # an engine without these functions: all rows, then
            return self._narrowed(asked)
        return rows

    def _keep(
        self,
        gsd: float,
        indices: Indices,
        part: Part,
        rows: Sequence[Row],
        cut: bool,
        *,
        narrowed: bool,
    ) -> None:
        chosen = self.chosen(indices)
        self._found_keys.add(self.key(indices))
        if self.filter:
            self._last = part
            self.filter.read_as(self._notations.of(part, self.plan.structure.used, rows))
        if self.options.results != "matches":
            most, count = self._most(gsd), None
            if cut and most > self._limit:
                with suppress(BudgetSpent):  # then it is "at least" as many as were read
                    count = self._count_there(indices, chosen)
                    if count is None:
                        rows, cut = self.executor.matches(*self.branch(indices), most)
            kept, more, unread, lacks = list(rows), True, True, True
            try:
                unread = cut or add_other_values(self, indices, kept, most)
                lacks = self.filter.lacks or any(
                    (one.group and searched.found.lacks_grouped)
                    or (slot.kind == "type" and one.id in self._cut_types)
                    for slot, one, searched in zip(
                        self.plan.slots, chosen, self.by_slot, strict=True
                    )
                )
                more = unread or lacks
                if more and self.filter.together:
                    raise BudgetSpent("rows")  # what was not read may come first
            finally:  # what was found is kept where a budget ends the search
                if not (more and self.filter.together):
                    kept = self.filter.rows(kept, whole=not (narrowed or unread))
                    self.filter.unread |= unread
                    if kept or not (unread and self.filter):
                        found = self._found(gsd, chosen, kept, more)
                        counted = found.counted if count is None else (count, lacks)
                        self.found.append(replace(found, counted=counted))
            if unread and self.filter and not kept:
                raise BudgetSpent("rows")  # what was not read may satisfy the conditions
            return
        if cut and self.filter:
            raise BudgetSpent("rows")  # what was not read may satisfy the conditions
        for row in self.filter.rows(rows):
            identity = (*row, *part.relations)
            if identity in self._seen:
                continue
            if self.wanted <= 0:
                self.ties = True
                break
            self._seen.add(identity)
            self.found.append(FoundInterpretation(gsd, chosen, (row,), False))
        if cut and self.wanted <= 0:
            self.leave_out(gsd)

    def _found(
        self, gsd: float, chosen: tuple[Candidate, ...], rows: Sequence[Row], more: bool
    ) -> FoundInterpretation:
        """An interpretation with as many of its rows as are listed, and maybe ``more``."""
        limit = self.options.limit
        counted = None if self.plan.structure.same_as else self.filter.counted(rows)
        return FoundInterpretation(
            gsd,
            chosen,
            tuple(self.filter.shown(rows, limit)),
            more or len(rows) > limit,
            self.filter.value(rows),
            self.filter.groups(rows),
            None if counted is None else (counted, more),
        )

    def _count_there(self, indices: Indices, chosen: Sequence[Candidate]) -> int | None:
        """What the pattern counts, by the database; None where it cannot, or values go together."""
        column = self.filter.count_column
        ours = self.filter or self.plan.structure.same_as or any(one.group for one in chosen)
        if ours or column is None:
            return None
        return self.executor.count(*self.branch(indices), self.plan.structure.used[column])

    def _some_values(self, relation: str) -> list[str]:
        query = sample_query(self.executor.store, self.terms, relation)
        return [id for _, id in self.executor.rows_of(query) if id is not None]

    def notes(self) -> Iterator[str]:
        yield from self._notations.notes(self._last)

    @property
    def _glance(self) -> int:
        """Most rows of one interpretation that are read before the database narrows them."""
        return min(GLANCE, self._limit) if self._ranges else self._limit

    def _most(self, gsd: float) -> int:
        """Most rows of an interpretation of this GSD: all are counted, if none is nearer."""
        nearest = not self.found or gsd <= self.found[0].gsd + TOLERANCE
        return WHOLE if nearest and self.plan.pattern.count is not None else self._limit

    @property
    def _limit(self) -> int:
        """Most rows of one interpretation that are read."""
        if self.filter:
            return WHOLE
        return self.options.k if self.options.results == "matches" else self.options.limit

    @property
    def wanted(self) -> int:
        """How many are still to be found."""
        return self.options.k - len(self.found)

    def ties_with_last(self, gsd: float) -> bool:
        """Whether an interpretation of this GSD is as near as the last one found."""
        return bool(self.found) and gsd <= max(f.gsd for f in self.found) + TOLERANCE

    def leave_out(self, gsd: float) -> None:
        """Note an interpretation that has matches, when enough are found."""
        if self.ties_with_last(gsd) and not self.ties:
            # The same match may have been given under another type.
            again = self.options.results == "matches" and any(
                slot.kind == "type" for slot in self.plan.slots
            )
            self.ties = None if again else True

    def chosen(self, indices: Indices) -> tuple[Candidate, ...]:
        """The entries of an interpretation, with weighted distances."""
        return tuple(s.chosen(i) for s, i in zip(self.streams, indices, strict=True))

    def ids(self, indices: Indices) -> list[str]:
        """The ids of an interpretation, or of its first choices, by slot."""
        return [s.entries[i].id for s, i in zip(self.streams, indices, strict=False)]

    def key(self, indices: Indices) -> tuple[str, ...]:
        """What tells an interpretation from others: the entries of a group are one."""
        together = self.options.results != "matches"
        entries = (s.entries[i] for s, i in zip(self.streams, indices, strict=True))
        return tuple(f" {e.group}" if together and e.group else e.id for e in entries)

    def has(self, indices: Indices) -> bool:
        """Whether the interpretation is among those found."""
        return bool(self._found_keys) and self.key(indices) in self._found_keys

    def branch(self, indices: Indices, edges: tuple[int, ...] | None = None) -> Branch:
        """An interpretation as a compilable part, of the whole pattern or of some edges.

        For some edges, the choices that they depend on are enough.
        """
        structure = self.plan.structure if edges is None else self.plan.structure.part(edges)
        return branch_of(
            structure, zip(self.plan.slots, self.ids(indices), strict=False), self.terms
        )


def branch_of(structure: Structure, ids: Iterable[tuple[Slot, str]], terms: Terms) -> Branch:
    """The compilable part that a choice of ids for the slots makes of a structure."""
    chosen: dict[Kind, dict[int, str]] = {"node": {}, "relation": {}, "type": {}}
    for slot, id in ids:
        chosen[slot.kind][slot.index] = id
    relations = tuple(map(chosen["relation"].get, range(len(structure.edges))))
    types = tuple(map(chosen["type"].get, range(len(structure.known))))
    nodes = {n: id for n, id in chosen["node"].items() if n in structure.used}
    return Part(structure, relations, types, terms), nodes

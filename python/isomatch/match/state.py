"""What the strategies of a search share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from isomatch.compile.base import Branch, Part
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryRefused
from isomatch.link.candidates import Candidate, Candidates
from isomatch.match.base_search import BaseSearch, FoundInterpretation
from isomatch.match.branches import branch_of
from isomatch.match.enumeration import TOLERANCE, Indices, Stream
from isomatch.match.notations import Notations, sample_query
from isomatch.match.parts import PartAnswers
from isomatch.match.query_executor import BudgetSpent
from isomatch.match.values import add_other_values, ranges_of
from isomatch.options import Options
from isomatch.plan.planner import Plan
from isomatch.schema.types import Schema
from isomatch.store.base import Row, Store

GLANCE = 256  # rows of one interpretation that come whole, even if a condition leaves some out
SHARE = 0.5  # of what is left of the budgets, for the answers of a list that is cut
WHOLE = 100_000  # rows of one interpretation that are read where there are conditions


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
            most, number = self._most(gsd, rows, cut), None
            if cut and most > self._limit:
                rows, cut, number = self._read_on(indices, chosen, rows, most)
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
                        if number is not None and self.filter.count_column is not None:
                            found = replace(found, counted=(number, lacks))
                        elif number is not None:
                            found = replace(found, answers=(number, lacks))
                        self.found.append(found)
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
        same_as = self.plan.structure.same_as
        counted = None if same_as else self.filter.counted(rows)
        answers = None if same_as or not self.filter.answers else self.filter.answered(rows)
        return FoundInterpretation(
            gsd,
            chosen,
            tuple(self.filter.shown(rows, limit)),
            more or len(rows) > limit,
            self.filter.value(rows),
            self.filter.groups(rows),
            None if counted is None else (counted, more),
            None if answers is None else (answers, more),
        )

    def _read_on(
        self, indices: Indices, chosen: Sequence[Candidate], rows: Sequence[Row], most: int
    ) -> tuple[Sequence[Row], bool, int | None]:
        """Count what is wanted of an interpretation of more rows than are read, or read them.

        Returns:
            Rows, whether there are more, and what the database counted; None where the rows are
            to tell. Where a budget ends it, it is "at least" as many as were read.
        """
        column, number, cut = self.filter.count_column, None, True
        lists = column is None
        counted = self.filter.answers if column is None else [column]
        left = self.executor.rows_left
        if lists and left is not None:
            most = min(most, round(left * SHARE))
        if most <= len(rows) and lists:
            return rows, cut, number
        with suppress(BudgetSpent, QueryRefused), self.executor.within(SHARE if lists else 1):
            if len(counted) == 1:
                number = self._count_there(indices, chosen, *counted)
            if number is None or (lists and self.filter.answered(rows) < number <= self._limit):
                rows, cut = self.executor.matches(*self.branch(indices), most)
        return rows, cut, number

    def _count_there(
        self, indices: Indices, chosen: Sequence[Candidate], column: int
    ) -> int | None:
        """How many different things a column has in all rows, as the database counts them.

        None where it cannot, or values go together.
        """
        if self.filter or self.plan.structure.same_as or any(one.group for one in chosen):
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

    def _most(self, gsd: float, rows: Sequence[Row], cut: bool) -> int:
        """Most rows of an interpretation of this GSD, of which some are read.

        All are wanted to count them, and where they are cut and answers come again, to have each
        answer; but only if no interpretation is nearer.
        """
        nearest = not self.found or gsd <= self.found[0].gsd + TOLERANCE
        wanted = self.filter.count_column is not None or (cut and self.filter.repeats(rows))
        return WHOLE if nearest and wanted else self._limit

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

"""Run the queries of a search, counted, timed and within its budgets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from sys import maxsize
from time import perf_counter
from typing import Any

from isomatch import cancel
from isomatch.compile.base import Branch, Onward, Part
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryRefused, QueryTimeout
from isomatch.plan.planner import Plan
from isomatch.store.base import Query, Ranked, Row, Store
from isomatch.store.terms import display_name, is_blank

# Characters of a query text beyond which it counts as heavy.
LONG = 8_000
# Seconds that a search inside the database has, after its time, to send what it found.
GRACE = 2.0


class BudgetSpent(Exception):
    """A budget ended the search; ``which`` becomes the certificate's ``ended_by``."""

    def __init__(self, which: str):
        super().__init__(which)
        self.which = which


@dataclass
class QueryExecutor:
    """Compiles, runs and counts the queries of one search.

    Attributes:
        store: the database.
        deadline: `time.perf_counter` value at which the search ends, or None.
        rows_left: rows until the row budget ends, or None.
        heavy: whether the pattern's queries may take long (see `Query.heavy`).
        together: most interpretations in one query, lowered when the database refuses more.
        compile_ms, execute_ms: time spent so far.
        rounds, rows: round trips and rows so far.
        beyond: of the last `find`: for the branches behind those that it decides, whether
            they have a match; as many as the database told of.
    """

    store: Store
    deadline: float | None = None
    rows_left: int | None = None
    heavy: bool = False
    together: int = maxsize
    compile_ms: float = 0.0
    execute_ms: float = 0.0
    rounds: int = 0
    rows: int = 0
    queries: list[Query] = field(default_factory=list)
    beyond: list[bool] = field(default_factory=list)

    def matches(self, part: Part, nodes: Mapping[int, str], limit: int) -> tuple[list[Row], bool]:
        """Distinct rows of one interpretation, at most ``limit``, and whether more exist."""
        if self.store.capabilities.batched:
            return self.find([(part, nodes)], limit, 1)[0].get(0, ([], False))
        want = limit + 1
        while True:
            with self.compiling():
                query = dialect_of(self.store).match(part, nodes, want)
            rows = self.rows_of(query)
            # An undirected edge whose two nodes are linked both ways comes twice.
            # What is bound to a term without an id is no match.
            distinct = list(dict.fromkeys(row for row in rows if None not in row))
            if len(rows) < want or len(distinct) > limit:
                return distinct[:limit], len(distinct) > limit
            want *= 2

    @contextmanager
    def within(self, share: float) -> Iterator[None]:
        """Give queries no more than a share of the time that is left."""
        deadline = self.deadline
        if deadline is not None:
            now = perf_counter()
            self.deadline = now + (deadline - now) * share
        try:
            yield
        finally:
            self.deadline = deadline

    def count(self, part: Part, nodes: Mapping[int, str], node: int) -> int | None:
        """See `Dialect.count`; None where the database is not asked."""
        with self.compiling():
            query = dialect_of(self.store).count(part, nodes, node)
        if query is None:
            return None
        [[count]] = self.rows_of(query)
        return int(display_name(count or ""))

    def find(
        self, branches: Sequence[Branch], limit: int, wanted: int
    ) -> tuple[dict[int, tuple[list[Row], bool]], int]:
        """Rows of the first ``wanted`` interpretations that have a match, in one round trip.

        Returns:
            Distinct rows, at most ``limit``, and whether more exist, by number of
            the branch; and how many branches, from the first on, that decides.
        """
        with self.compiling():
            branches = branches[: min(self.together, dialect_of(self.store).together(branches))]
            query = dialect_of(self.store).find(branches, limit + 1, wanted)
        try:
            answer = self.rows_of(query) if query else []
        except (QueryRefused, BudgetSpent) as error:
            # An endpoint may refuse a query that it answers in parts.
            if len(branches) == 1 or (isinstance(error, BudgetSpent) and error.which != "time"):
                raise
            self.check()
            self.together = len(branches) // 2
            return self.find(branches, limit, wanted)
        rows: dict[int, list[Row]] = {}
        for number, *row in answer:
            branch = int(number or 0)
            if None in row:
                part, nodes = branches[branch]
                # A dialect may leave out what is known (Virtuoso changes some literals).
                ends = zip(part.structure.used, row, strict=False)  # unknown relations follow
                known = [nodes.get(n) if id is None else id for n, id in ends]
                row = [*known, *row[len(known) :]]
                if None in row:  # a term without an id is no match
                    continue
            rows.setdefault(branch, []).append(tuple(row))
        first = sorted(rows)[:wanted]  # a database may send more, and in any order
        found = {i: (rows[i][:limit], len(rows[i]) > limit) for i in first}
        decided = first[-1] + 1 if len(first) == wanted else len(branches)
        told = len(branches) if dialect_of(self.store).finds_all else decided
        self.beyond = [i in rows for i in range(decided, told)]
        return found, decided

    def exist(self, branches: Sequence[Branch]) -> list[bool]:
        """For each interpretation of a part: whether it has a match, in few round trips."""
        if self.store.capabilities.batched:
            exist: list[bool] = []
            while rest := branches[len(exist) :]:
                there, decided = self.find(rest, 1, len(rest))
                exist += [i in there for i in range(decided)]
            return exist
        found = [False] * len(branches)
        asked = []
        for i, (part, nodes) in enumerate(branches):
            # One alone uses the cached text; and a text cannot name a blank node.
            alone = len(branches) == 1 or self.store.capabilities.batch == 1
            if alone or any(map(is_blank, nodes.values())):
                found[i] = bool(self.matches(part, nodes, 1)[0])
            else:
                asked.append(i)
        if asked:
            with self.compiling():
                query = dialect_of(self.store).probe([branches[i] for i in asked])
            for row in self.rows_of(query):
                found[asked[int(display_name(row[0] or ""))]] = True
        return found

    def incidence(self, nodes: Sequence[str], relations: Sequence[str]) -> set[tuple[str, str]]:
        """See `Store.incidence`; one round trip."""
        with self._round_trip() as timeout:
            return self.store.incidence(nodes, relations, timeout=timeout)

    def onward(self, asked: Sequence[Onward]) -> list[set[str] | None] | None:
        """See `Dialect.onward`: the relations that are there, None where any may be.

        One round trip; None where the database is not asked.
        """
        with self.compiling():
            query = dialect_of(self.store).onward(asked)
        if query is None:
            return None
        found: list[set[str] | None] = [set() for _ in asked]
        for number, relation in self.rows_of(query):
            here = found[int(number or 0)]
            if relation is None:
                found[int(number or 0)] = None
            elif here is not None:
                here.add(relation)
        return found

    def ranked(self, query: Query) -> tuple[list[Ranked], Mapping[str, Any]]:
        """See `Store.ranked`; one round trip. The search ends itself in time.

        Raises:
            BudgetSpent: it did not.
        """
        with self._round_trip(query) as left:
            found, proof = self.store.ranked(query, timeout=None if left is None else left + GRACE)
        self._count_rows(sum(len(ranked.rows) for ranked in found))
        return found, proof

    def rows_of(self, query: Query) -> list[Row]:
        """All rows of a query, within the budgets; one round trip.

        Raises:
            BudgetSpent: the time or the rows ran out.
        """
        if self.heavy or query.name == "brute" or len(query.text) > LONG:
            query = replace(query, heavy=True)
        with self._round_trip(query) as timeout:
            rows = list(self.store.run(query, timeout=timeout))
        self._count_rows(len(rows))
        if self.rows_left is not None and self.rows_left < 0:
            raise BudgetSpent("rows")
        return rows

    @property
    def seconds_left(self) -> float | None:
        """Until the time is up; None where it never is.

        Raises:
            BudgetSpent: it is.
        """
        self.check()
        return None if self.deadline is None else max(self.deadline - perf_counter(), 1e-3)

    def check(self) -> None:
        """Raise `BudgetSpent` when the time is up, `SearchCancelled` when it is given up."""
        cancel.check()
        if self.deadline is not None and perf_counter() > self.deadline:
            raise BudgetSpent("time")

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Add the time spent inside to `compile_ms`."""
        started = perf_counter()
        yield
        self.compile_ms += (perf_counter() - started) * 1e3

    @contextmanager
    def _round_trip(self, query: Query | None = None) -> Iterator[float | None]:
        """Count and time a round trip to the database; yields the seconds left."""
        left = self.seconds_left
        started = perf_counter()
        self.rounds += 1
        if query is not None:
            self.queries.append(query)
        try:
            yield left
        except QueryTimeout as error:
            raise BudgetSpent("time") from error
        finally:
            self.execute_ms += (perf_counter() - started) * 1e3

    def _count_rows(self, count: int) -> None:
        self.rows += count
        if self.rows_left is not None:
            self.rows_left -= count


def is_heavy(plan: Plan) -> bool:
    """Whether a part of the pattern has no known node: its queries may read the whole graph."""
    known = {n for n, known in enumerate(plan.structure.known) if known}
    return any(
        known.isdisjoint(end for e in component for end in plan.structure.edges[e])
        for component in plan.pattern.components()
    )

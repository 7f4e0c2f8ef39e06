"""What the search asks of the database, counted and timed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from sys import maxsize
from time import perf_counter
from typing import Any

from isomatch.compile.base import Branch, Part
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryRefused, QueryTimeout
from isomatch.store.base import Query, Ranked, Row, Store
from isomatch.store.terms import display_name, is_blank

# Characters of a query text beyond which it counts as heavy.
LONG = 8_000
# Seconds in which a search inside the database is to end itself and send what it has.
GRACE = 2.0


class BudgetSpent(Exception):
    """A budget ended the search. Private to the match station: it becomes the
    certificate's ``ended_by``."""

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
        together: interpretations in one query at most, as the database has shown.
        compile_ms, execute_ms: time spent so far.
        rounds, rows: round trips and rows so far.
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

    def matches(self, part: Part, nodes: Mapping[int, str], limit: int) -> tuple[list[Row], bool]:
        """Distinct rows of one interpretation, at most ``limit``, and whether more exist."""
        if self.store.capabilities.batched:
            return self.find([(part, nodes)], limit, 1)[0].get(0, ([], False))
        want = limit + 1
        while True:
            started = perf_counter()
            query = dialect_of(self.store).match(part, nodes, want)
            self.compile_ms += (perf_counter() - started) * 1e3
            rows = self.rows_of(query)
            # An undirected edge whose two nodes are linked both ways comes twice.
            # What is bound to a term without an id is no match.
            distinct = list(dict.fromkeys(row for row in rows if None not in row))
            if len(rows) < want or len(distinct) > limit:
                return distinct[:limit], len(distinct) > limit
            want *= 2

    def find(
        self, branches: Sequence[Branch], limit: int, wanted: int
    ) -> tuple[dict[int, tuple[list[Row], bool]], int]:
        """Rows of the first ``wanted`` interpretations that have a match, in one round trip.

        Returns:
            Distinct rows, at most ``limit``, and whether more exist, by number of
            the branch; and how many branches, from the first on, that decides.
        """
        started = perf_counter()
        branches = branches[: min(self.together, dialect_of(self.store).together(branches))]
        query = dialect_of(self.store).find(branches, limit + 1, wanted)
        self.compile_ms += (perf_counter() - started) * 1e3
        try:
            answer = self.rows_of(query) if query else []
        except (QueryRefused, BudgetSpent) as error:
            # An endpoint may find a question too large that it answers in parts.
            if len(branches) == 1 or (isinstance(error, BudgetSpent) and error.which != "time"):
                raise
            self.check()
            self.together = len(branches) // 2
            return self.find(branches, limit, wanted)
        rows: dict[int, list[Row]] = {}
        for number, *row in answer:
            part, nodes = branches[int(number or 0)]
            ends = zip(part.structure.used, row, strict=False)  # unknown relations follow
            # A dialect may leave out what is known (Virtuoso changes some literals).
            known = [nodes.get(n) if id is None else id for n, id in ends]
            whole = (*known, *row[len(known) :])
            if None not in whole:  # a term without an id is no match
                rows.setdefault(int(number or 0), []).append(whole)
        first = sorted(rows)[:wanted]  # a database may send more, and in any order
        found = {i: (rows[i][:limit], len(rows[i]) > limit) for i in first}
        return found, first[-1] + 1 if len(first) == wanted else len(branches)

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
            # One alone goes by the text that is kept; and a text cannot name a blank node.
            alone = len(branches) == 1 or self.store.capabilities.batch == 1
            if alone or any(map(is_blank, nodes.values())):
                found[i] = bool(self.matches(part, nodes, 1)[0])
            else:
                asked.append(i)
        if asked:
            started = perf_counter()
            query = dialect_of(self.store).probe([branches[i] for i in asked])
            self.compile_ms += (perf_counter() - started) * 1e3
            for row in self.rows_of(query):
                found[asked[int(display_name(row[0] or ""))]] = True
        return found

    def incidence(self, nodes: Sequence[str], relations: Sequence[str]) -> set[tuple[str, str]]:
        """See `Store.incidence`; one round trip."""
        self.check()
        started = perf_counter()
        timeout = None if self.deadline is None else self.deadline - started
        self.rounds += 1
        try:
            return self.store.incidence(nodes, relations, timeout=timeout)
        except QueryTimeout as error:
            raise BudgetSpent("time") from error
        finally:
            self.execute_ms += (perf_counter() - started) * 1e3

    @property
    def seconds_left(self) -> float | None:
        """Until the time is up; None where it never is.

        Raises:
            BudgetSpent: it is.
        """
        self.check()
        return None if self.deadline is None else max(self.deadline - perf_counter(), 1e-3)

    def ranked(self, query: Query) -> tuple[list[Ranked], Mapping[str, Any]]:
        """See `Store.ranked`; one round trip. The search ends itself in time.

        Raises:
            BudgetSpent: the time ran out all the same.
        """
        left = self.seconds_left
        started = perf_counter()
        self.rounds += 1
        self.queries.append(query)
        try:
            found, proof = self.store.ranked(query, timeout=None if left is None else left + GRACE)
        except QueryTimeout as error:
            raise BudgetSpent("time") from error
        finally:
            self.execute_ms += (perf_counter() - started) * 1e3
        rows = sum(len(ranked.rows) for ranked in found)
        self.rows += rows
        if self.rows_left is not None:
            self.rows_left -= rows
        return found, proof

    def check(self) -> None:
        """Raise `BudgetSpent` when the time is up."""
        if self.deadline is not None and perf_counter() > self.deadline:
            raise BudgetSpent("time")

    def rows_of(self, query: Query) -> list[Row]:
        """All rows of a query, within the budgets; one round trip.

        Raises:
            BudgetSpent: the time or the rows ran out.
        """
        started = perf_counter()
        timeout = None if self.deadline is None else self.deadline - started
        if timeout is not None and timeout <= 0:
            raise BudgetSpent("time")
        self.rounds += 1
        self.queries.append(query)
        if self.heavy or query.name == "brute" or len(query.text) > LONG:
            query = replace(query, heavy=True)
        try:
            rows = list(self.store.run(query, timeout=timeout))
        except QueryTimeout as error:
            raise BudgetSpent("time") from error
        finally:
            self.execute_ms += (perf_counter() - started) * 1e3
        self.rows += len(rows)
        if self.rows_left is not None:
            self.rows_left -= len(rows)
            if self.rows_left < 0:
                raise BudgetSpent("rows")
        return rows

"""Brute force: all interpretations within the lists, in one query."""

from __future__ import annotations

from itertools import product
from math import inf

from isomatch.compile.base import Part
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryRefused
from isomatch.match.enumeration import Indices
from isomatch.match.query_executor import BudgetSpent
from isomatch.match.state import TOLERANCE, State

# Largest estimate of rows at which brute force is taken after misses, and the
# largest lists that one query carries.
BRUTE_ROWS = 200_000
QUERY_LIST = 1024
# Most interpretations that one query may return.
MOST = 1_000_000

_COLUMN = {"node": "n", "relation": "e", "type": "t"}


def is_feasible(state: State) -> bool:
    """Whether one query over the lists is small enough to be tried after misses."""
    return (
        state.plan.estimated_rows <= BRUTE_ROWS
        and state.options.strategy == "auto"
        and all(len(s.entries) <= QUERY_LIST for s in state.streams)
        and _nameable(state)
    )


def _nameable(state: State) -> bool:
    return not any(c.id.startswith("_:") for s in state.streams for c in s.entries)


def brute_force(state: State) -> float | None:
    """All interpretations within the lists in one query, widened until k are proven.

    Returns:
        The bound of what is proven over lists that can grow, or None where the lists
        cannot be written into a query (too long, or with blank nodes), or the database
        finds that query too large: the search must ascend.
    """
    done = {tuple(c.id for c in f.chosen) for f in state.found}
    total = sum(s.least for s in state.streams)
    if total == inf:
        return inf
    while True:
        for stream in state.streams:
            stream.refresh()
        if not _nameable(state):
            return None
        state.strategy = (
            "brute force" if state.plan.strategy == "brute force" else "ascending, brute force"
        )
        try:
            existing = _existing(state)
        except (QueryRefused, BudgetSpent) as error:
            # Virtuoso refuses queries that it estimates to be costly, often wrongly.
            if isinstance(error, BudgetSpent) and error.which != "time":
                raise
            state.executor.check()
            return None
        bounds = [(s.frontier + total - s.least, s) for s in state.streams if s.open]
        bound = min((least for least, _ in bounds), default=inf)
        proven = [r for r in existing if r[0] <= bound + TOLERANCE]
        growing = [s for least, s in bounds if least <= bound + TOLERANCE]
        if len(proven) >= state.options.k or not growing:
            for gsd, indices in proven if growing else existing:
                chosen = tuple(c.id for c in state.chosen(indices))
                if chosen in done:
                    continue
                if state.wanted <= 0:
                    state.leave_out(gsd)
                    break
                done.add(chosen)
                state.fetch(gsd, indices, known=True)
            # Under ``results="matches"`` some may be the same match again.
            if state.wanted <= 0 or not growing:
                if growing and state.ties is False and state.as_last(bound):
                    state.ties = None
                return bound
        grown = [stream.widen() for stream in growing]
        if not any(grown) or any(len(s.entries) > QUERY_LIST for s in state.streams):
            return None


def _existing(state: State) -> list[tuple[float, Indices]]:
    """Interpretations within the lists that have a match, ascending."""
    slots = state.plan.slots
    index = [{c.id: i for i, c in enumerate(s.entries)} for s in state.streams]
    # Kinds of literals are conditions, not values that a query can range
    # over: one query for each choice of them.
    kinds = [
        [None, *(c.id for c in s.entries if c.id.startswith("literal:"))]
        if slot.kind == "type"
        else [None]
        for slot, s in zip(slots, state.streams, strict=True)
    ]
    found = set()
    for fixed in product(*kinds):
        lists: dict[str, dict[int, list[str]]] = {"node": {}, "relation": {}, "type": {}}
        types: list[str | None] = [None] * len(state.plan.structure.known)
        for slot, stream, kind in zip(slots, state.streams, fixed, strict=True):
            if kind is not None:
                types[slot.index] = kind
            else:
                ids = [c.id for c in stream.entries if not c.id.startswith("literal:")]
                lists[slot.kind][slot.index] = ids
        if not all(ids for listed in lists.values() for ids in listed.values()):
            continue
        part = Part(
            state.plan.structure,
            (None,) * len(state.plan.structure.edges),
            tuple(types),
            state.terms,
        )
        with state.executor.compiling():
            query = dialect_of(state.executor.store).brute(
                part, lists["node"], lists["relation"], lists["type"], MOST + 1
            )
        rows = state.executor.rows_of(query)
        if len(rows) > MOST:
            raise BudgetSpent("rows")
        for row in rows:
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
    state.examined += len(found)
    ranked = [
        (sum(s.distances[i] for s, i in zip(state.streams, r, strict=True)), r) for r in found
    ]
    return sorted(ranked)

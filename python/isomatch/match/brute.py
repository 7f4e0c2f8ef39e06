"""Brute force: all interpretations within the lists, in one query."""

from __future__ import annotations

from math import inf

from isomatch.errors import QueryRefused
from isomatch.match.enumeration import TOLERANCE, Indices
from isomatch.match.query_executor import BudgetSpent
from isomatch.match.state import State
from isomatch.match.values import QUERY_LIST, existing

# Largest estimate of rows at which brute force is taken after misses.
BRUTE_ROWS = 200_000


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
            found = _existing(state)
        except (QueryRefused, BudgetSpent) as error:
            # Virtuoso refuses queries that it estimates to be costly, often wrongly.
            if isinstance(error, BudgetSpent) and error.which != "time":
                raise
            state.executor.check()
            return None
        bounds = [(s.frontier + total - s.least, s) for s in state.streams if s.open]
        bound = min((least for least, _ in bounds), default=inf)
        proven = [r for r in found if r[0] <= bound + TOLERANCE]
        growing = [s for least, s in bounds if least <= bound + TOLERANCE]
        if len({state.key(r) for _, r in proven}) >= state.options.k or not growing:
            for gsd, indices in proven if growing else found:
                if state.has(indices):
                    continue
                if state.wanted <= 0:
                    state.leave_out(gsd)
                    break
                state.fetch(gsd, indices, known=True)
            # Under ``results="matches"`` some may be the same match again.
            if state.wanted <= 0 or not growing:
                if growing and state.ties is False and state.ties_with_last(bound):
                    state.ties = None
                return bound
        grown = [stream.widen() for stream in growing]
        if not any(grown) or any(len(s.entries) > QUERY_LIST for s in state.streams):
            return None


def _existing(state: State) -> list[tuple[float, Indices]]:
    """Interpretations within the lists that have a match, ascending."""
    found = existing(state, [range(len(s.entries)) for s in state.streams])
    state.examined += len(found)
    ranked = [
        (sum(s.distances[i] for s, i in zip(state.streams, r, strict=True)), r) for r in found
    ]
    return sorted(ranked)

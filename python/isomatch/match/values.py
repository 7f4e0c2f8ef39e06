"""Values that a text means together, such as the days of a year: one interpretation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Protocol

from isomatch.compile.base import Branch, Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryRefused
from isomatch.match.query_executor import BudgetSpent, QueryExecutor
from isomatch.store.terms import is_blank

if TYPE_CHECKING:
    from isomatch.link.candidates import Kind
    from isomatch.match.enumeration import Indices, Stream
    from isomatch.plan.planner import Plan, Slot
    from isomatch.store.base import Row

# The longest list that one query carries, the most interpretations that one may return, and the
# round trips that are not worth one that asks which interpretations exist.
QUERY_LIST = 1024
MOST = 1_000_000
FEW_ROUNDS = 4

_COLUMN = {"node": "n", "relation": "e", "type": "t"}


class Searching(Protocol):
    """What is needed of `isomatch.match.state.State`."""

    @property
    def plan(self) -> Plan: ...

    @property
    def terms(self) -> Terms: ...

    @property
    def executor(self) -> QueryExecutor: ...

    @property
    def streams(self) -> Sequence[Stream]: ...

    def branch(self, indices: Indices) -> Branch: ...


def add_other_values(state: Searching, first: Indices, rows: list[Row], limit: int) -> bool:
    """Add the matches of the values that are meant with those of ``first``.

    Args:
        rows: of ``first``; at most ``limit`` in the end.

    Returns:
        Whether there are more.
    """
    meant = [s.meant_with(i) for s, i in zip(state.streams, first, strict=True)]
    if all(len(indices) == 1 for indices in meant):
        return False
    store = state.executor.store
    found = [indices for indices in _existing_of(state, meant) if indices != first]
    while found:
        room = max(limit - len(rows), 1)
        branches = [state.branch(indices) for indices in found[: store.capabilities.batch]]
        if store.capabilities.batched:
            hits, decided = state.executor.find(branches, room, len(branches))
            more = [hit for _, hit in sorted(hits.items())]
        else:
            decided = 1
            more = [state.executor.matches(*branches[0], room)]
        found = found[decided:]
        for some, cut in more:
            rows += some
            if cut or len(rows) > limit:
                del rows[limit:]
                return True
    return False


def _existing_of(state: Searching, meant: Sequence[Sequence[int]]) -> Iterator[Indices]:
    """Those of these choices that have a match, or all where they are few or it cannot be told."""
    can = state.executor.store.capabilities
    if can.batched and prod(map(len, meant)) <= FEW_ROUNDS * can.batch:
        yield from product(*meant)
        return
    parts = [
        [indices[i : i + QUERY_LIST] for i in range(0, len(indices), QUERY_LIST)]
        for indices in meant
    ]
    for choices in product(*parts):
        try:
            entries = zip(state.streams, choices, strict=True)
            if any(is_blank(s.entries[i].id) for s, some in entries for i in some):
                yield from product(*choices)
            else:
                yield from sorted(existing(state, choices))
        except (QueryRefused, BudgetSpent) as error:
            if isinstance(error, BudgetSpent) and error.which != "time":
                raise
            state.executor.check()
            yield from product(*choices)


def existing(state: Searching, choices: Sequence[Sequence[int]]) -> set[Indices]:
    """Which interpretations have a match, of the product of some entries of each list."""
    slots, found = state.plan.slots, set[tuple[int, ...]]()
    listed = [
        {s.entries[i].id: i for i in indices}
        for s, indices in zip(state.streams, choices, strict=True)
    ]
    # Kinds of literals are conditions, not values that a query can range over: one query
    # for each choice of them.
    kinds = [
        [None, *(id for id in ids if id.startswith("literal:"))] if slot.kind == "type" else [None]
        for slot, ids in zip(slots, listed, strict=True)
    ]
    # A query ranges over the types that nodes have, each of them one of several types maybe.
    meant = [_meant(slot, ids, state.terms) for slot, ids in zip(slots, listed, strict=True)]
    for chosen in product(*kinds):
        lists: dict[Kind, dict[int, list[str]]] = {"node": {}, "relation": {}, "type": {}}
        types: list[str | None] = [None] * len(state.plan.structure.known)
        for slot, ids, kind in zip(slots, meant, chosen, strict=True):
            if kind is not None:
                types[slot.index] = kind
            else:
                lists[slot.kind][slot.index] = [id for id in ids if not id.startswith("literal:")]
        if not all(ids for some in lists.values() for ids in some.values()):
            continue
        untold = (None,) * len(state.plan.structure.edges)
        part = Part(state.plan.structure, untold, tuple(types), state.terms)
        with state.executor.compiling():
            query = dialect_of(state.executor.store).brute(
                part, lists["node"], lists["relation"], lists["type"], MOST + 1
            )
        rows = state.executor.rows_of(query)
        if len(rows) > MOST:
            raise BudgetSpent("rows")
        for row in rows:
            value = dict(zip(query.columns, row, strict=True))
            found.update(
                product(
                    *(
                        ids[kind or value[f"{_COLUMN[slot.kind]}{slot.index}"] or ""]
                        for slot, ids, kind in zip(slots, meant, chosen, strict=True)
                    )
                )
            )
    return found


def _meant(slot: Slot, listed: Mapping[str, int], terms: Terms) -> dict[str, list[int]]:
    """By id that a query may give, the entries that it stands for.

    Raises:
        QueryRefused: there are more than a query lists.
    """
    found: dict[str, list[int]] = {}
    for id, index in listed.items():
        below = terms.subclasses.get(id, ()) if slot.kind == "type" else ()
        for one in (id, *below):
            found.setdefault(one, []).append(index)
    if len(found) > max(QUERY_LIST, len(listed)):
        raise QueryRefused(f"the types have {len(found):,} subclasses, more than a query lists")
    return found

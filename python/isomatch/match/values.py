"""Values that a text means together, such as the days of a year: one interpretation.

What the conditions of a pattern let a database leave out.

A database compares in its own way: in doubles, by the year of a time zone, with an error for a
text. So it is asked only to leave out what is sure to break a condition: numbers and years
beyond a range that is wider than the conditions, or in a hole between two constants of ``in``,
and nothing else. What comes back is judged by `isomatch.match.filter` all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import floor, inf, prod
from typing import TYPE_CHECKING, Protocol

from isomatch.compile.base import Branch, Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.compile.ranges import Range
from isomatch.errors import QueryRefused
from isomatch.match.conditions import meaning_of
from isomatch.match.query_executor import BudgetSpent, QueryExecutor
from isomatch.pattern.types import Condition, Pattern
from isomatch.store.terms import is_blank, literal

if TYPE_CHECKING:
    from isomatch.link.candidates import Kind
    from isomatch.match.enumeration import Indices, Stream
    from isomatch.plan.planner import Plan, Slot
    from isomatch.store.base import Row
from isomatch.schema.types import LITERAL, node_types

# How much wider the range of numbers is, relative to a number and at least; and that of years.
SLACK = 1e-6
LEAST_SLACK = 1e-9
YEARS = 2
MOST_HOLES = 16  # the widest ones; a query text has each

_YEAR = 31_556_952  # seconds of a mean year
_LARGEST, _LAST_YEAR = 1e300, 1_000_000  # beyond, engines cannot compare
_UPWARDS, _DOWNWARDS, _WITHIN = (">", ">="), ("<", "<="), ("=", "in", "between")

Ends = tuple[float, float]
Intervals = tuple[Ends, ...]
"""Ascending, without anything in common."""
ANY: Intervals = ((-inf, inf),)


def ranges_of(pattern: Pattern) -> tuple[Range, ...]:
    """The numbers and years that nodes with conditions may have; none for nodes without."""
    numbers: dict[int, Intervals] = {}
    years: dict[int, Intervals] = {}
    places = {node.id: number for number, node in enumerate(pattern.nodes)}
    for condition in pattern.where:
        if condition.function:
            continue
        node = places[condition.node]
        for found, read in ((numbers, _numbers), (years, _years)):
            allowed = _union([one for c in condition.alternatives for one in read(c)])
            found[node] = _both(found.get(node, ANY), allowed)
    ranges = (_range(node, numbers[node], years[node]) for node in numbers)
    return tuple(one for one in ranges if one != Range(one.node))


def _range(node: int, numbers: Intervals, years: Intervals) -> Range:
    # Of what nothing satisfies, every number is left out, but infinity and NaN.
    (least, *_), (*_, most) = (numbers[0], numbers[-1]) if numbers else ((0.0, 0.0), (-1.0, -1.0))
    (first, *_), (*_, last) = (years[0], years[-1]) if years else ((0.0, 0.0), (-1.0, -1.0))
    return Range(node, least, most, first, last, _holes(numbers), _holes(years))


def _holes(allowed: Intervals) -> Intervals:
    """What is between the intervals, as far as it is worth asking about."""
    holes = ((before[1], after[0]) for before, after in pairwise(allowed))
    widest = sorted(holes, key=lambda ends: ends[0] - ends[1])[:MOST_HOLES]
    return tuple(sorted(widest))


def _union(intervals: Iterable[Ends]) -> Intervals:
    found: list[Ends] = []
    for least, most in sorted(intervals):
        if found and least <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], most))
        else:
            found.append((least, most))
    return tuple(found)


def _both(left: Intervals, right: Intervals) -> Intervals:
    """What two have in common."""
    shared = ((max(a[0], b[0]), min(a[1], b[1])) for a in left for b in right)
    return _union(ends for ends in shared if ends[0] <= ends[1])


def _numbers(condition: Condition) -> Intervals:
    """The numbers that satisfy a condition.

    Any, where a number may be what cannot be compared with it: that is told.
    """
    meant = [meaning_of(literal(text)).number for text in condition.values]
    constants = [float(n) for n in meant if n is not None and abs(n) < _LARGEST]
    if len(constants) < len(meant):
        return ANY
    return _allowed(condition, [(n, max(abs(n) * SLACK, LEAST_SLACK)) for n in constants])


def _years(condition: Condition) -> Intervals:
    """The years of which some time satisfies a condition, or may."""
    meant = [meaning_of(literal(text)).period for text in condition.values]
    years = [floor(period.start / _YEAR) for period in meant if period is not None]
    if len(years) < len(meant) or any(abs(year) > _LAST_YEAR for year in years):
        return ANY
    return _allowed(condition, [(year, YEARS) for year in years])


def _allowed(condition: Condition, constants: Sequence[tuple[float, float]]) -> Intervals:
    """What compares so with numbers, each with its slack."""
    operator = condition.operator
    if not constants or operator not in (*_UPWARDS, *_DOWNWARDS, *_WITHIN):
        return ANY
    around = [(number - slack, number + slack) for number, slack in constants]
    if operator == "in":
        return _union(around)
    least, most = min(ends[0] for ends in around), max(ends[1] for ends in around)
    return ((-inf if operator in _DOWNWARDS else least, inf if operator in _UPWARDS else most),)


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
    meant = [s.same_choice(i) for s, i in zip(state.streams, first, strict=True)]
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
        [None, *(id for id in ids if id.startswith(LITERAL))] if slot.kind == "type" else [None]
        for slot, ids in zip(slots, listed, strict=True)
    ]
    # A query ranges over the types that nodes have, each of them one of several types maybe.
    meant = [_meant(slot, ids, state.terms) for slot, ids in zip(slots, listed, strict=True)]
    for chosen in product(*kinds):
        if any(chosen) and not state.plan.structure.edges:
            continue  # no value stands alone
        lists: dict[Kind, dict[int, list[str]]] = {"node": {}, "relation": {}, "type": {}}
        types: list[str | None] = [None] * len(state.plan.structure.known)
        for slot, ids, kind in zip(slots, meant, chosen, strict=True):
            if kind is not None:
                types[slot.index] = kind
            else:
                lists[slot.kind][slot.index] = node_types(ids)
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

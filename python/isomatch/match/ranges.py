"""What the conditions of a pattern let a database leave out.

A database compares in its own way: in doubles, by the year of a time zone, with an error for a
text. So it is asked only to leave out what is sure to break a condition: numbers and years
beyond a range that is wider than the conditions, or in a hole between two constants of ``in``,
and nothing else. What comes back is judged by `isomatch.match.filter` all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import floor, inf

from isomatch.compile.ranges import Range
from isomatch.match.conditions import meaning_of
from isomatch.pattern.types import Condition, Pattern
from isomatch.store.terms import literal

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
        if condition.counted:
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

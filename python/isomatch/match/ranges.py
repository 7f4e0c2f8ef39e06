"""What the conditions of a pattern let a database leave out.

A database compares in its own way: in doubles, by the year of a time zone, with an error for a
text. So it is asked only to leave out what is sure to break a condition: numbers and years
beyond a range that is wider than the conditions, and nothing else. What comes back is judged by
`isomatch.match.filter` all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import floor, inf

from isomatch.compile.ranges import Range
from isomatch.match.conditions import meaning_of
from isomatch.pattern.types import Condition, Pattern
from isomatch.store.terms import literal

# How much wider the range of numbers is, relative to a number and at least; and that of years.
SLACK = 1e-6
LEAST_SLACK = 1e-9
YEARS = 2

_YEAR = 31_556_952  # seconds of a mean year
_LARGEST, _LAST_YEAR = 1e300, 1_000_000  # beyond, engines cannot compare
_UPWARDS, _DOWNWARDS, _WITHIN = (">", ">="), ("<", "<="), ("=", "in", "between")

Ends = tuple[float, float]
ANY: Ends = (-inf, inf)


def ranges_of(pattern: Pattern) -> tuple[Range, ...]:
    """The numbers and years that nodes with conditions may have; none for nodes without."""
    found: dict[int, Range] = {}
    numbers = {node.id: number for number, node in enumerate(pattern.nodes)}
    for condition in pattern.where:
        if condition.counted:
            continue
        node = numbers[condition.node]
        least, most = _any_of([_number(one) for one in condition.alternatives])
        first, last = _any_of([_year(one) for one in condition.alternatives])
        old = found.get(node, Range(node))
        found[node] = replace(
            old,
            least=max(old.least, least),
            most=min(old.most, most),
            first=max(old.first, first),
            last=min(old.last, last),
        )
    return tuple(one for one in found.values() if one != Range(one.node))


def _any_of(ends: Sequence[Ends]) -> Ends:
    return min(least for least, _ in ends), max(most for _, most in ends)


def _number(condition: Condition) -> Ends:
    """The least and the greatest number that satisfies a condition.

    Any, where a number may be what cannot be compared with it: that is told.
    """
    meant = [meaning_of(literal(text)).number for text in condition.values]
    constants = [float(n) for n in meant if n is not None and abs(n) < _LARGEST]
    if len(constants) < len(meant):
        return ANY
    return _ends(condition.operator, [(n, max(abs(n) * SLACK, LEAST_SLACK)) for n in constants])


def _year(condition: Condition) -> Ends:
    """The first and the last year of which some time satisfies a condition, or may."""
    meant = [meaning_of(literal(text)).period for text in condition.values]
    years = [floor(period.start / _YEAR) for period in meant if period is not None]
    if len(years) < len(meant) or any(abs(year) > _LAST_YEAR for year in years):
        return ANY
    return _ends(condition.operator, [(year, YEARS) for year in years])


def _ends(operator: str, constants: Sequence[tuple[float, float]]) -> Ends:
    """The range of what compares so with numbers, each with its slack."""
    if not constants or operator not in (*_UPWARDS, *_DOWNWARDS, *_WITHIN):
        return ANY
    least = min(number - slack for number, slack in constants)
    most = max(number + slack for number, slack in constants)
    return (-inf if operator in _DOWNWARDS else least, inf if operator in _UPWARDS else most)

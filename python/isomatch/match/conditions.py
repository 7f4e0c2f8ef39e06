"""Conditions of a pattern on values: what compares with what, and what holds.

Numbers are compared as decimal numbers, whatever their datatypes. A date is the time from
its beginning to its end, so a year has its days in it: `<` means "ends before the other
begins", `>=` "does not begin before the other", `=` "lies in the other". A time without a zone
is one of UTC. Texts that are numbers or dates as a whole are compared as these; other texts are
equal to a constant or not, and neither less nor greater. What cannot be compared (a node, NaN, a
number with a date) satisfies no condition, not even `!=`, and is told.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

from isomatch.errors import PatternError
from isomatch.link.normalise import Value, as_iso, as_number, normalise, value_of
from isomatch.pattern.rules import of_node
from isomatch.pattern.types import Condition, shown
from isomatch.store.terms import is_literal, literal, literal_kind, split_literal

_ISO = re.compile(
    r"(?P<year>-?\d{4,})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:T(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d(?:\.\d+)?))?"
    r"(?P<zone>Z|[+-]\d\d:\d\d)?)?)?)?"
)
TEXT_OPERATORS = ("contains", "starts with")
_ORDERED = {"=": eq, "in": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_DAY, _MINUTE = 86_400, 60
_INSTANT = Decimal("1e-9")


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time, in seconds from the year 0 on: from ``start`` to before ``end``."""

    start: Decimal
    end: Decimal


def holds(condition: Condition, id: str) -> bool | None:
    """Whether a graph element satisfies a condition; None where they cannot be compared.

    The condition alone, without what it has in `Condition.either`.
    """
    if condition.operator == "between":
        results = [_compare(*pair) for pair in _ends(condition, id)]
        return None if None in results else all(results)
    results = [_compare(condition.operator, id, value) for value in condition.values]
    if any(results):
        return True
    return None if None in results else False


def compare(operator: str, id: str, other: str) -> bool | None:
    """Whether an operator holds between two graph elements; None where they cannot be compared.

    Nodes are equal or not, by their ids.
    """
    if is_literal(id) and is_literal(other):
        return _related(operator, id, split_literal(other)[0], meaning_of(other))
    if is_literal(id) or is_literal(other) or operator not in ("=", "!="):
        return None
    return (id == other) == (operator == "=")


def may_hold(condition: Condition, id: str) -> bool:
    """Whether a value that does not satisfy a condition may, if it were known more exactly.

    Of the year 1995 nobody can say whether it is before the first of July 1995.
    """
    if condition.operator == "between":
        return all(may_compare(o, id, literal(value)) for o, id, value in _ends(condition, id))
    return any(may_compare(condition.operator, id, literal(value)) for value in condition.values)


def _ends(condition: Condition, id: str) -> Iterator[tuple[str, str, str]]:
    """The two comparisons that between stands for."""
    first, last = condition.values
    yield ">=", id, first
    yield "<=", id, last


def may_compare(operator: str, id: str, other: str) -> bool:
    """`may_hold` for the operator between two graph elements."""
    if not (is_literal(id) and is_literal(other)):
        return compare(operator, id, other) is None
    if operator in TEXT_OPERATORS:
        return False  # letters are known exactly
    mine, meant = meaning_of(id).period, meaning_of(other).period
    if mine is None or meant is None:
        return compare(operator, id, other) is None
    apart = mine.end <= meant.start or meant.end <= mine.start
    return {
        "=": not apart,
        "in": not apart,
        "!=": not _placed("in", mine, meant),
        "<": mine.start < meant.start,
        "<=": mine.start < meant.end,
        ">": mine.end > meant.end,
        ">=": mine.end > meant.start,
    }[operator]


def _compare(operator: str, id: str, constant: str) -> bool | None:
    if not is_literal(id):
        return None
    if operator in TEXT_OPERATORS:
        form, kind = _parts(id)
        if kind != "text":
            return None
        text, part = form.casefold(), constant.casefold()
        return part in text if operator == "contains" else text.startswith(part)
    return _related(operator, id, constant, _read(constant))


def _related(operator: str, id: str, constant: str, other: Meaning) -> bool | None:
    value, kind = _parts(id)
    mine = _read(value, kind)
    if kind == "boolean":
        same = None if other.boolean is None else mine.boolean == other.boolean
        return _equality(operator, same)
    if mine.number is not None and other.number is not None:
        return _ordered(operator, mine.number, other.number)
    if mine.period is not None and other.period is not None:
        return _placed(operator, mine.period, other.period)
    if kind == "text":
        return _equality(operator, normalise(value) == normalise(constant))
    return None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text is as a number, a time and a boolean; each None where it is none."""

    number: Decimal | None = None
    period: Period | None = None
    boolean: str | None = None


def meaning_of(id: str) -> Meaning:
    """What a value is as a number, a time and a boolean.

    Args:
        id: of a literal.
    """
    return _read(*_parts(id))


@lru_cache(maxsize=65536)
def _parts(id: str) -> tuple[str, str]:
    """A literal's text, and its kind."""
    return split_literal(id)[0], literal_kind(id)


@lru_cache(maxsize=65536)
def _read(text: str, kind: str = "text") -> Meaning:
    """The meaning of a constant, or of the lexical form of a value of a kind."""
    if kind == "number":
        return Meaning(number=as_number(text))
    if kind == "date":
        return Meaning(period=period(as_iso(text)))
    if kind == "boolean":
        return Meaning(boolean={"1": "true", "0": "false"}.get(text, text))
    value = value_of(text) if kind == "text" else Value()
    return Meaning(value.number, period(value.iso) if value.iso else None, value.boolean)


def _equality(operator: str, same: bool | None) -> bool | None:
    if same is None or operator not in ("=", "!=", "in"):
        return None
    return same != (operator == "!=")


def _ordered(operator: str, mine: Decimal, other: Decimal) -> bool:
    return bool(_ORDERED[operator](mine, other))


def _placed(operator: str, mine: Period, other: Period) -> bool:
    if operator in ("=", "in"):
        return other.start <= mine.start and mine.end <= other.end
    if operator == "!=":
        return mine.end <= other.start or other.end <= mine.start
    if operator in ("<", "<="):
        return mine.end <= (other.start if operator == "<" else other.end)
    return (other.end if operator == ">" else other.start) <= mine.start


@lru_cache(maxsize=65536)
def period(iso: str) -> Period | None:
    """The time that a date in ISO 8601 means; None where there is no such date.

    Example:
        >>> period("2001").start < period("2001-12-31").start, period("2001-02-30")
        (True, None)
    """
    match = _ISO.fullmatch(iso)
    if match is None:
        return None
    year, month, day = (int(match[k]) if match[k] else None for k in ("year", "month", "day"))
    assert year is not None
    if month is None:
        return Period(_midnight(year, 1, 1), _midnight(year + 1, 1, 1))
    if not 1 <= month <= 12:
        return None
    if day is None:
        following = (year + month // 12, month % 12 + 1)
        return Period(_midnight(year, month, 1), _midnight(*following, 1))
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    start = _midnight(year, month, day)
    if match["hour"] is None:
        return Period(start, start + _DAY)
    start += int(match["hour"]) * 3600 + int(match["minute"]) * 60 + Decimal(match["second"] or 0)
    zone = match["zone"]
    if zone and zone != "Z":
        offset = int(zone[1:3]) * 3600 + int(zone[4:]) * 60
        start += offset if zone[0] == "-" else -offset
    return Period(start, start + (_MINUTE if match["second"] is None else _INSTANT))


def _midnight(year: int, month: int, day: int) -> Decimal:
    """Seconds to the beginning of a day of the proleptic Gregorian calendar."""
    before = year - (month <= 2)  # years that begin in March have their leap day at the end
    days = 365 * before + before // 4 - before // 100 + before // 400
    days += (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return Decimal(days * _DAY)


def check_conditions(conditions: Iterable[Condition]) -> None:
    """Check that what values are to be less or greater than is a number or a date.

    Raises:
        PatternError: it is not; with what to write instead.
    """
    for condition in (one for found in conditions for one in found.alternatives):
        if condition.function in ("count", "sum", "avg"):
            _check_number(condition)
        if condition.operator not in ("<", "<=", ">", ">=", "between"):
            continue
        for text in condition.values:
            meant = _read(text)
            if meant.number is None and meant.period is None:
                compared = f"{of_node(condition)} {condition.operator}"
                raise PatternError(
                    f"{compared} {shown(text)}: that is no number, and "
                    f"no date that exists. Write {compared} 2000, or "
                    f"1995-07-01; texts are compared by =, !=, in, contains and starts with"
                )


def _check_number(condition: Condition) -> None:
    compared = f"{of_node(condition)} {condition.operator}"
    for text in condition.values:
        if _read(text).number is None:
            raise PatternError(f"{compared} {shown(text)}: that is no number. Write {compared} 3")

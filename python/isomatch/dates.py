"""Formats of dates: which may be declared, texts read by one, and dates with slashes."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache

RIGHT = '"%d/%m/%Y", "%m/%d/%Y %I:%M %p", "%d.%m.%Y %H:%M:%S" or "%Y%m%d"'
"""Formats to show beside one that is wrong."""

_SLASHED = re.compile(r"\d{1,2}/\d{1,2}/\d{4}")
_LAST_MONTH = 12
_DIRECTIVE = re.compile(r"%(.?)", re.DOTALL)
_YEARS, _MONTHS, _HOURS = ("Y", "y"), ("m", "b", "B"), ("H", "I")
_ALLOWED = (*_YEARS, *_MONTHS, "d", *_HOURS, "p", "M", "S", "f", "z", "%")
# What a part of a date needs beside it, to be a date.
_NEEDS = {
    "d": (_MONTHS, "a month, %m"),
    "H": (("d",), "a day, %d"),
    "I": (("p",), "%p, for the half of the day"),
    "p": (("I",), "%I, for the hour"),
    "M": (_HOURS, "an hour, %H"),
    "S": (("M",), "minutes, %M"),
    "f": (("S",), "seconds, %S"),
    "z": (_HOURS, "an hour, %H"),
}


def format_problem(format: str) -> str:
    """What is wrong with a declared format, in words; empty where nothing is.

    Example:
        >>> format_problem("%d/%m/%Y"), format_problem("%d/%m")
        ('', 'it has no year, %Y')
    """
    found = _DIRECTIVE.findall(format)
    used = [one for one in found if one != "%"]
    if unknown := [one for one in found if one not in _ALLOWED]:
        listed = ", ".join(f"%{one}" for one in _ALLOWED[:-1])
        return f"%{unknown[0]} is none of {listed}"
    if twice := [one for one in used if used.count(one) > 1]:
        return f"%{twice[0]} stands twice in it"
    for kinds, what in ((_YEARS, "year, %Y"), (_MONTHS, "month, %m"), (_HOURS, "hour, %H")):
        several = [one for one in used if one in kinds]
        if len(several) > 1:
            return f"it has two of a {what}: leave one out"
        if not several and kinds is _YEARS:
            return f"it has no {what}"
    for one, (others, what) in _NEEDS.items():
        if one in used and not set(others).intersection(used):
            return f"%{one} needs {what}"
    if "I" in used and "d" not in used:
        return "%I needs a day, %d"
    return ""


@lru_cache(maxsize=65536)
def read_date(text: str, format: str) -> str | None:
    """A text as a date in ISO 8601, as exact as the format; None where it does not fit.

    Args:
        format: one without a `format_problem`.

    Example:
        >>> read_date("29/08/2017 1:45 PM", "%d/%m/%Y %I:%M %p"), read_date("soon", "%Y")
        ('2017-08-29T13:45', None)
    """
    try:
        moment = datetime.strptime(text.strip(), format)
    except ValueError:
        return None
    used = set(_DIRECTIVE.findall(format))
    iso = f"{moment.year:04}"
    if used.intersection(_MONTHS):
        iso += f"-{moment.month:02}"
    if "d" in used:
        iso += f"-{moment.day:02}"
    if used.intersection(_HOURS):
        spec = "microseconds" if moment.microsecond else "seconds" if "S" in used else "minutes"
        iso = moment.isoformat(timespec=spec)
    return iso if iso.isascii() else None


def iso_of_slashed(text: str) -> str:
    """A date as ``29/08/2017`` in ISO 8601; empty where each of its numbers may be the month.

    And where the text is none, or there is no such day.

    Example:
        >>> iso_of_slashed("29/08/2017"), iso_of_slashed("4/08/2017")
        ('2017-08-29', '')
    """
    if _SLASHED.fullmatch(text) is None:
        return ""
    first, second, year = map(int, text.split("/"))
    day, month = (first, second) if first > _LAST_MONTH else (second, first)
    try:
        return date(year, month, day).isoformat() if day > _LAST_MONTH else ""
    except ValueError:
        return ""

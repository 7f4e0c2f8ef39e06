"""Values of a property graph as id strings and back.

A value's id is the literal that RDF stores use too (`isomatch.store.terms`), so
``1995`` of a property and ``"1995"^^xsd:integer`` of a triple are one id. The way
back is exact: what the driver gave is what it is given again as a parameter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from isomatch.store.terms import XSD, literal, split_literal

if TYPE_CHECKING:
    from neo4j.time import DateTime

WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"

_POINT = re.compile(r"SRID=(\d+);POINT(?: Z)?\((\S+) (\S+)(?: (\S+))?\)")
_MOMENT = re.compile(
    r"(?P<local>[^+\-Z\[]{1,4}-\d\d-\d\dT[\d:.]+)"
    r"(?P<offset>Z|[+-]\d\d:\d\d(?::\d\d)?)?(?:\[(?P<zone>[^\]]+)\])?"
)


def to_id(value: Any) -> str | None:
    """The id of a value as the Neo4j driver gives it.

    Returns:
        None for what has no id: maps, lists, vectors, nodes, and dates outside the
        years 1 to 9999, which the driver cannot read.

    Example:
        >>> to_id(7.5), to_id("Heat")
        ('"7.5"^^<http://www.w3.org/2001/XMLSchema#double>', '"Heat"')
    """
    write = _WRITERS.get(type(value).__name__)
    # By name, so that the driver's classes need not be imported; then by its module,
    # because other libraries have a `Duration` too.
    if write is None or type(value).__module__.split(".")[0] not in ("builtins", "neo4j"):
        return None
    datatype, text = write(value)
    return literal(text, datatype=datatype)


def from_id(id: str) -> Any:
    """The value of an id that `to_id` made, as the driver takes it.

    Raises:
        ValueError: not the id of a value, or of a datatype that `to_id` never writes.

    Example:
        >>> from_id('"7.5"^^<http://www.w3.org/2001/XMLSchema#double>')
        7.5
    """
    text, datatype, _ = split_literal(id)
    read = _READERS.get(datatype)
    if read is None:
        raise ValueError(f"a property cannot hold a value of the datatype <{datatype}>: {id[:80]}")
    return read(text)


def plain(value: Any) -> Any:
    """A value of JSON's types for reports: dates, points and the like as text.

    Example:
        >>> plain({"roles": ["Neil"], "share": float("inf")})
        {'roles': ['Neil'], 'share': 'INF'}
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else _double(value)[1]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if (id := to_id(value)) is not None:
        return split_literal(id)[0]
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else str(value)


# -- writing ------------------------------------------------------------------------


def _double(value: float) -> tuple[str, str]:
    if math.isfinite(value):
        return XSD + "double", repr(value)
    return XSD + "double", "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"


def _seconds(text: str) -> str:
    """A time as the driver writes it, without the zeros at the end of its seconds."""
    return re.sub(r"\.(\d*?)0*(?=$|[+-])", lambda m: f".{m[1]}" if m[1] else "", text)


def _moment(value: DateTime) -> tuple[str, str]:
    local = _seconds(value.replace(tzinfo=None).iso_format())
    offset = value.utc_offset()
    if offset is None:
        return XSD + "dateTime", local
    seconds = round(offset.total_seconds())
    zone = getattr(value.tzinfo, "zone", None)
    # The driver gives the same zone for an offset of zero and for the zone named UTC.
    # The first is what `datetime()` makes, and nearly all there is.
    if not seconds and zone in (None, "UTC"):
        return XSD + "dateTime", local + "Z"
    minutes, rest = divmod(abs(seconds), 60)
    text = f"{local}{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    text += f":{rest:02}" if rest else ""
    return XSD + "dateTime", f"{text}[{zone}]" if zone else text


def _point(value: Any) -> tuple[str, str]:
    numbers = " ".join(map(repr, value))
    return WKT, f"SRID={value.srid};POINT{' Z' if len(value) == 3 else ''}({numbers})"


_WRITERS: dict[str, Callable[[Any], tuple[str | None, str]]] = {
    "str": lambda value: (None, value),
    "int": lambda value: (XSD + "integer", str(value)),
    "float": _double,
    "bool": lambda value: (XSD + "boolean", "true" if value else "false"),
    "bytes": lambda value: (XSD + "hexBinary", value.hex()),
    "bytearray": lambda value: (XSD + "hexBinary", value.hex()),
    "Date": lambda value: (XSD + "date", value.iso_format()),
    "Time": lambda value: (XSD + "time", _seconds(value.iso_format())),
    "DateTime": _moment,
    "Duration": lambda value: (XSD + "duration", value.iso_format()),
    "CartesianPoint": _point,
    "WGS84Point": _point,
}


# -- reading ------------------------------------------------------------------------


def _read_boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"not a boolean: {text!r}")
    return text == "true"


def _read_date(text: str) -> Any:
    from neo4j.time import Date

    return Date.from_iso_format(text)


def _read_time(text: str) -> Any:
    from neo4j.time import Time

    return Time.from_iso_format(text)


def _read_duration(text: str) -> Any:
    from neo4j.time import Duration

    return Duration.from_iso_format(text)


def _read_moment(text: str) -> Any:
    from datetime import timedelta, timezone

    from neo4j.time import DateTime

    if (match := _MOMENT.fullmatch(text)) is None:
        raise ValueError(f"not a date with time: {text!r}")
    local = DateTime.from_iso_format(match["local"])
    if match["offset"] is None:
        return local
    if match["offset"] == "Z":
        # Of the standard library: pytz's UTC would go to the server as a named zone,
        # and no value with an offset equals it.
        return local.replace(tzinfo=timezone.utc)
    sign, *parts = match["offset"][0], *map(int, match["offset"][1:].split(":"))
    hours, minutes, seconds = (*parts, 0)[:3]
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    moment = local.replace(tzinfo=timezone(-offset if sign == "-" else offset))
    if match["zone"] is None:
        return moment
    import pytz  # type: ignore[import-untyped]  # as the driver does

    return moment.as_timezone(pytz.timezone(match["zone"]))


def _read_point(text: str) -> Any:
    from neo4j.spatial import CartesianPoint, WGS84Point

    if (match := _POINT.fullmatch(text)) is None:
        raise ValueError(f"not a point: {text!r}")
    numbers = [float(n) for n in match.groups()[1:] if n is not None]
    for kind in (CartesianPoint, WGS84Point):
        if (point := kind(numbers)).srid == int(match[1]):
            return point
    raise ValueError(f"not a point that Neo4j has: {text!r}")


_READERS: dict[str, Callable[[str], Any]] = {
    XSD + "string": str,
    XSD + "integer": int,
    XSD + "double": float,
    XSD + "boolean": _read_boolean,
    XSD + "hexBinary": bytes.fromhex,
    XSD + "date": _read_date,
    XSD + "time": _read_time,
    XSD + "dateTime": _read_moment,
    XSD + "duration": _read_duration,
    WKT: _read_point,
}

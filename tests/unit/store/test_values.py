"""Values of a property graph: an id for each, and the same value back."""

from __future__ import annotations

import json
import math
from datetime import timezone
from typing import Any

import pytest
import pytz
from hypothesis import given
from hypothesis import strategies as st
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from isomatch.store.terms import XSD, is_literal, literal_kind, split_literal
from isomatch.store.values import WKT, from_id, plain, to_id

INTEGERS = st.integers(min_value=-(2**63), max_value=2**63 - 1)
DATES = st.builds(Date, st.integers(1, 9999), st.integers(1, 12), st.integers(1, 28))
TIMES = st.builds(
    Time, st.integers(0, 23), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999_999_999)
)
OFFSETS = st.integers(-18 * 60, 18 * 60).map(pytz.FixedOffset)
LOCAL = st.builds(DateTime.combine, DATES, TIMES)
ZONES = st.sampled_from(["Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "Etc/GMT+5"])
# A year from the ends, so that no zone leads out of the years that there are.
INSTANTS = LOCAL.filter(lambda t: 1 < t.year < 9999).map(lambda t: t.replace(tzinfo=timezone.utc))
MONTHS = st.integers(-12_000, 12_000)
DURATIONS = st.builds(
    lambda months, days, seconds, rest: Duration(
        months=months, days=days, seconds=seconds, nanoseconds=rest
    ),
    MONTHS,
    MONTHS,
    st.integers(-(10**9), 10**9),
    st.integers(0, 999_999_999),
)
NUMBERS = st.floats(allow_nan=False)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
POINTS = st.one_of(
    st.builds(kind, st.lists(FINITE, min_size=n, max_size=n))
    for kind in (CartesianPoint, WGS84Point)
    for n in (2, 3)
)
VALUES = st.one_of(
    st.text(),
    INTEGERS,
    NUMBERS,
    st.booleans(),
    DATES,
    TIMES,
    st.builds(lambda t, z: t.replace(tzinfo=z), TIMES, OFFSETS),
    LOCAL,
    st.builds(lambda t, z: t.replace(tzinfo=z), LOCAL, OFFSETS),
    st.builds(lambda t, z: t.as_timezone(pytz.timezone(z)), INSTANTS, ZONES),
    DURATIONS,
    POINTS,
)


def zone_of(value: Any) -> Any:
    """What the driver sends of a zone: its name, or its offset."""
    zone = getattr(value, "tzinfo", None)
    return zone and (getattr(zone, "zone", None) or value.utc_offset())


@given(VALUES)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    id = to_id(value)
    assert id is not None
    assert is_literal(id)
    back = from_id(id)
    assert type(back) is type(value)
    assert back == value
    if zone_of(value) != "UTC":
        assert zone_of(back) == zone_of(value)
    assert to_id(back) == id


@given(VALUES, VALUES)
def test_different_values_have_different_ids(left: Any, right: Any) -> None:
    if to_id(left) == to_id(right):
        assert left == right


@pytest.mark.parametrize(
    ("value", "text", "datatype"),
    [
        ('a "quoted"\\ text\n', 'a "quoted"\\ text\n', XSD + "string"),
        (1995, "1995", XSD + "integer"),
        (True, "true", XSD + "boolean"),
        (7.5, "7.5", XSD + "double"),
        (math.inf, "INF", XSD + "double"),
        (-math.inf, "-INF", XSD + "double"),
        (Date(1995, 12, 15), "1995-12-15", XSD + "date"),
        (Time(20, 30, 0), "20:30:00", XSD + "time"),
        (Time(20, 30, 0, 120_000_000, pytz.FixedOffset(60)), "20:30:00.12+01:00", XSD + "time"),
        (DateTime(1995, 12, 15, 20, 30, 10), "1995-12-15T20:30:10", XSD + "dateTime"),
        (
            pytz.timezone("Europe/Berlin").localize(DateTime(1995, 12, 15, 20)),
            "1995-12-15T20:00:00+01:00[Europe/Berlin]",
            XSD + "dateTime",
        ),
        (Duration(months=14, days=3, seconds=4), "P1Y2M3DT4S", XSD + "duration"),
        (WGS84Point((12.5, 55.75)), "SRID=4326;POINT(12.5 55.75)", WKT),
        (CartesianPoint((1, 2, 3)), "SRID=9157;POINT Z(1.0 2.0 3.0)", WKT),
    ],
)
def test_ids_read_as_people_write(value: Any, text: str, datatype: str) -> None:
    id = to_id(value)
    assert id is not None
    assert split_literal(id)[:2] == (text, datatype)


def test_kinds_are_those_of_rdf() -> None:
    found = [literal_kind(to_id(v) or "") for v in ("a", 1, 1.5, True, Date(1995, 1, 1))]
    assert found == ["text", "number", "number", "boolean", "date"]


def test_not_a_number_is_one_value() -> None:
    id = to_id(math.nan)
    assert id is not None
    assert math.isnan(from_id(id))


def test_bytes_are_one_value() -> None:
    id = to_id(b"ab\x01")
    assert id == f'"616201"^^<{XSD}hexBinary>'
    assert from_id(id) == b"ab\x01"


@pytest.mark.parametrize("zone", [pytz.UTC, timezone.utc])
def test_utc_is_an_offset_and_no_named_zone(zone: Any) -> None:
    """The driver would send pytz's as a zone of the name UTC, which equals no offset."""
    id = to_id(DateTime(2020, 1, 1, tzinfo=zone))
    assert id == f'"2020-01-01T00:00:00Z"^^<{XSD}dateTime>'
    assert from_id(id).tzinfo is timezone.utc


@pytest.mark.parametrize("value", [{"a": 1}, ["list"], None, object()])
def test_what_has_no_id_gives_none(value: Any) -> None:
    assert to_id(value) is None


@pytest.mark.parametrize(
    "id",
    [
        "http://example.org/a",
        '"1995"^^<http://www.w3.org/2001/XMLSchema#gYear>',
        f'"many"^^<{XSD}integer>',
        f'"yes"^^<{XSD}boolean>',
        f'"1995-13-45"^^<{XSD}date>',
        f'"yesterday"^^<{XSD}dateTime>',
        f'"P"^^<{WKT}>',
        f'"SRID=1;POINT(1 2)"^^<{WKT}>',
    ],
)
def test_what_is_no_value_is_refused(id: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        from_id(id)


@given(st.recursive(VALUES, lambda v: st.lists(v) | st.dictionaries(st.text(), v), max_leaves=5))
def test_plain_values_are_json(value: Any) -> None:
    json.dumps(plain(value), allow_nan=False)


def test_plain_values_read_as_people_write() -> None:
    value = {
        "since": Date(1995, 1, 1),
        "roles": ["Neil"],
        "at": CartesianPoint((1, 2)),
        "raw": b"A",
    }
    assert plain(value) == {
        "since": "1995-01-01",
        "roles": ["Neil"],
        "at": "SRID=7203;POINT(1.0 2.0)",
        "raw": "41",
    }

"""Equal names, and texts that are values."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.link.normalise import (
    LONGEST,
    Value,
    as_iso,
    as_number,
    is_identifier,
    normalise,
    value_of,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ACTED_IN", "acted in"),
        ("Amélie", "AMELIE"),
        ("Schindler's List", "Schindlers   list"),
        ("Ocean’s Eleven", "Oceans Eleven"),
        ("AC/DC", "ac-dc"),
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("ﬁlm", "film"),
        ("Ａｌｉｅｎ", "alien"),
        ("مُحَمَّد", "محمد"),
        ("Dr. No\n", "dr no"),
    ],
)
def test_names_that_differ_in_form_alone_are_equal(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C"), ("が", "か"), ("!!!", "???"), ("Heat", "The Heat"), ("नि", "न"), ("🎬", "🎥")],
)
def test_names_that_differ_in_words_are_different(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text())
def test_normalised_text_stays_as_it_is(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert bool(once) == bool(text.strip())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1995", Value(number=Decimal(1995), iso="1995")),
        ("1,995", Value(number=Decimal(1995))),
        (" 1995.0 ", Value(number=Decimal("1995.0"))),
        ("-2.5e3", Value(number=Decimal(-2500))),
        ("12345678901234567891", Value(number=Decimal("12345678901234567891"), iso=None)),
        ("1995-07", Value(iso="1995-07")),
        ("July 1, 1995", Value(iso="1995-07-01")),
        ("1st Jul 1995", Value(iso="1995-07-01")),
        ("march 2001", Value(iso="2001-03")),
        ("True", Value(boolean="true")),
        ("19,95", Value()),
        ("Heat", Value()),
        ("1 July 2 1995", Value()),
        ("Heat 1995", Value()),
        ("", Value()),
        ("9" * 200, Value()),
    ],
)
def test_texts_become_the_values_they_write(text: str, value: Value) -> None:
    found = value_of(text)
    assert found.number == value.number
    assert found.boolean == value.boolean
    if value.number is None or value.number < 10_000:
        assert found.iso == value.iso
    assert bool(found) == bool(value)


def test_lexical_forms_become_numbers_and_dates() -> None:
    assert as_number("INF") is None
    assert as_number("NaN") is None
    assert as_number("ten") is None
    assert as_number(" +1.50 ") == Decimal("1.5")
    assert as_iso("1995-07-01+02:00") == "1995-07-01"
    assert as_iso("1995Z") == "1995"
    assert as_iso("1995-07-01T10:00:00+02:00") == "1995-07-01T10:00:00+02:00"


def test_a_long_text_stands_for_itself() -> None:
    assert normalise("A_B" * LONGEST) == "A_B" * LONGEST
    assert normalise("A_" * (LONGEST // 2)) == " ".join("a" * (LONGEST // 2))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("6f1c1e6a-2b7e-4d0b-9a65-1b8f0f2f7c11", True),
        ("{6F1C1E6A-2B7E-4D0B-9A65-1B8F0F2F7C11}", True),
        ("5eb63bbbe01eeed093cb22bb8f5acdc3", True),
        ("tt0113277", True),
        ("Q44578", True),
        ("978-3-16-148410-0", False),
        ("1995-07-01", False),
        ("Apollo13", False),
        ("defaced", False),
        ("Michael Mann", False),
        ("DeadBeefDeadBeefDead", False),
        ("x" * 200 + "1234", False),
        ("", False),
    ],
)
def test_what_looks_like_an_identifier(text: str, is_one: bool) -> None:
    assert is_identifier(text) is is_one

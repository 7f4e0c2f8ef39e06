"""Declared formats of dates: which are refused, and what they read."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.dates import RIGHT, format_problem, read_date


@pytest.mark.parametrize(
    ("format", "problem"),
    [
        ("%d/%m", "it has no year, %Y"),
        ("", "it has no year, %Y"),
        ("DD/MM/YYYY", "it has no year, %Y"),
        ("%Y-%q", "%q is none of"),
        ("%Y-%", "% is none of"),
        ("%Y %y", "it has two of a year, %Y"),
        ("%Y %m %b", "it has two of a month, %m"),
        ("%Y %Y", "%Y stands twice in it"),
        ("%d %Y", "%d needs a month, %m"),
        ("%Y-%m %H:%M", "%H needs a day, %d"),
        ("%Y-%m-%d %I:%M", "%I needs %p"),
        ("%Y-%m-%d %p", "%p needs %I"),
        ("%Y-%m-%d %M", "%M needs an hour, %H"),
        ("%Y-%m-%d %H %S", "%S needs minutes, %M"),
        ("%Y-%m %I %p", "%I needs a day, %d"),
    ],
)
def test_wrong_formats_are_named(format: str, problem: str) -> None:
    assert format_problem(format).startswith(problem)


def test_the_formats_that_are_shown_are_right() -> None:
    shown = [part for part in RIGHT.split('"') if "%" in part]
    assert len(shown) == 4
    assert [format_problem(format) for format in shown] == [""] * 4


@given(
    st.datetimes(datetime(1000, 1, 1), datetime(2999, 12, 31)),
    st.sampled_from(
        [("%d/%m/%Y", 10), ("%m.%Y", 7), ("%Y", 4), ("%d %B %Y %H:%M", 16), ("%Y%m%d%H%M%S", 19)]
    ),
)
def test_what_a_format_writes_it_reads_as_exactly(
    moment: datetime, format: tuple[str, int]
) -> None:
    assert read_date(moment.strftime(format[0]), format[0]) == moment.isoformat()[: format[1]]


@pytest.mark.parametrize("text", ["", "soon", "32/01/2017", "29/02/2017", "29/08/2017 or so"])
def test_other_texts_do_not_fit(text: str) -> None:
    assert read_date(text, "%d/%m/%Y") is None

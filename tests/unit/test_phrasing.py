"""Names as text that is safe to print."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.match.types import Bound, Triple
from isomatch.phrasing import (
    MAX_NAME,
    clean,
    printable,
    relation_label,
    relation_words,
    triple_words,
)


@given(st.text())
def test_a_name_is_one_short_line_without_controls(name: str) -> None:
    text = clean(name)
    assert 1 <= len(text) <= MAX_NAME
    assert all(unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Heat", "Heat"),
        ("two\nlines\tand  spaces ", "two lines and spaces"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("\u202egnp.exe", "gnp.exe"),
        ("قلب", "قلب"),
        ("👩‍🚀 in space", "👩‍🚀 in space"),
        ("", "(empty)"),
        ("x" * 100_000, "x" * (MAX_NAME - 1) + "…"),
    ],
)
def test_names_are_cleaned_for_prompts(name: str, text: str) -> None:
    assert clean(name) == text


def test_a_text_keeps_its_lines() -> None:
    assert printable("one\ntwo\x1b[2J") == "one\ntwo\ufffd[2J"


def fact(**properties: object) -> Triple:
    ends = [Bound(name, name) for name in ("Tom Hanks", "acted in", "Forrest Gump")]
    return Triple(*ends, id="r1", properties=properties)


def test_a_fact_is_told_with_its_properties() -> None:
    assert triple_words(fact()) == "Tom Hanks ─acted in→ Forrest Gump"
    told = "Tom Hanks ─acted in (lead: true; roles: Forrest, Bubba's friend)→ Forrest Gump"
    assert triple_words(fact(roles=["Forrest", "Bubba's friend"], lead=True)) == told


def test_long_properties_are_cut_and_data() -> None:
    words = relation_words(fact(vector=[0.5] * 300, note="\x1b[2J" + "x" * 500))
    assert words.count("0.5") == 10
    assert "…" in words
    assert "\x1b" not in words
    assert len(words) < 200
    assert words == relation_words(fact(note="\x1b[2J" + "x" * 500, vector=[0.5] * 300))
    many = relation_words(fact(**{f"k{n:02}": n for n in range(50)}))
    assert many.endswith("k09: 9; …)")


def test_a_picture_has_room_for_short_properties_only() -> None:
    assert relation_label(fact(roles=["Forrest"])) == "acted in (roles: Forrest)"
    assert relation_label(fact(roles=["Forrest"], note="x" * 40)) == "acted in"

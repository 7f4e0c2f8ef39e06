"""Names as text that is safe to print, and who may import what prints."""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import isomatch
from isomatch.match.types import Bound, Triple
from isomatch.phrasing import (
    MAX_NAME,
    clean,
    printable,
    relation_label,
    relation_words,
    triple_words,
)

PACKAGE = Path(isomatch.__file__).parent
# What stands above the stations: the only parts that show results to people or programs.
SURFACES = ("cli", "demo", "output", "serve", "adapters", "__init__.py")


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


def test_no_station_imports_what_shows_its_results() -> None:
    guilty = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in SURFACES
        and any(m.startswith("isomatch.output") for m in _imported(path))
    ]
    assert guilty == []
    render = {m for path in (PACKAGE / "output").glob("*.py") for m in _imported(path)}
    assert not {m for m in render if m.startswith(("isomatch.cli", "isomatch.demo"))}


def _imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    names = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    return names | {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}


def fact(**properties: object) -> Triple:
    ends = [Bound(name, name) for name in ("Tom Hanks", "acted in", "Forrest Gump")]
    return Triple(*ends, id="r1", properties=properties)


def test_a_fact_is_told_with_its_properties() -> None:
    assert triple_words(fact()) == "Tom Hanks ─acted in→ Forrest Gump"
    told = "Tom Hanks ─acted in (roles: Forrest, Bubba's friend; lead: true)→ Forrest Gump"
    assert triple_words(fact(roles=["Forrest", "Bubba's friend"], lead=True)) == told


def test_long_properties_are_cut_and_data() -> None:
    words = relation_words(fact(vector=[0.5] * 300, note="\x1b[2J" + "x" * 500))
    assert words.count("0.5") == 10
    assert "…" in words
    assert "\x1b" not in words
    assert len(words) < 200
    many = relation_words(fact(**{f"k{n}": n for n in range(50)}))
    assert many.endswith("k9: 9; …)")


def test_a_picture_has_room_for_short_properties_only() -> None:
    assert relation_label(fact(roles=["Forrest"])) == "acted in (roles: Forrest)"
    assert relation_label(fact(roles=["Forrest"], note="x" * 40)) == "acted in"

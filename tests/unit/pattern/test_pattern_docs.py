"""Every example of docs/patterns.md and of the docstrings runs."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from isomatch.pattern import format_text, parse, parse_json, parse_text, parse_triples

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "patterns.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
READS = {"pattern": parse_text, "triples": parse_triples, "json": parse_json}
MODULES = ("types", "draft", "text", "triples", "wire")


def test_every_block_is_of_a_kind_that_runs() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python", *READS}


@pytest.mark.parametrize(("kind", "block"), [b for b in BLOCKS if b[0] in READS])
def test_the_page_s_patterns_are_read_as_what_they_are(kind: str, block: str) -> None:
    pattern = READS[kind](block)
    assert parse(block) == pattern
    assert parse_text(format_text(pattern)) == pattern


def test_the_three_forms_at_the_top_are_one_pattern() -> None:
    first, second, third = (READS[kind](block) for kind, block in BLOCKS[:3])
    assert first == second == third


def test_the_page_s_python_gives_what_it_shows() -> None:
    source = "\n".join(block for kind, block in BLOCKS if kind == "python")
    page = doctest.DocTestParser().get_doctest(source, {}, "patterns.md", None, 0)
    result = doctest.DocTestRunner().run(page)
    assert (result.failed, result.attempted) == (0, len(page.examples))
    assert page.examples


@pytest.mark.parametrize("module", ["", *(f".{name}" for name in MODULES)])
def test_docstrings_give_what_they_show(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"isomatch.pattern{module}"))
    assert result.attempted > 0
    assert result.failed == 0

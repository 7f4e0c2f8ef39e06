"""The page about answers says what is so."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from isomatch.answer.types import REFUSAL
from isomatch.interpret.llm.frames import SHAPES
from isomatch.interpret.llm.interpreter import _WORDS
from isomatch.llm import Retry
from isomatch.match.nearness import Nearness
from isomatch.settings import Settings

PAGE = Path(__file__).resolve().parents[3] / "docs" / "answers.md"
TEXT = " ".join(PAGE.read_text(encoding="utf-8").split())


def test_its_examples_run():
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted
    assert not found.failed


def test_its_defaults_are_the_settings():
    rows = re.findall(r"\| `ISOMATCH_(\w+)` \| (\w+) \|", TEXT)
    assert len(rows) == 4
    for name, default in rows:
        value = Settings.model_fields[name.lower()].default
        assert default == ("none" if value is None else f"{value:g}")


def test_its_numbers_are_the_codes():
    assert f"{Retry().total_seconds:g} seconds" in TEXT
    assert f"at most {Nearness().name} for names and {Nearness().relation} for relations" in TEXT
    assert f"up to {_WORDS} words for relations and {_WORDS} for types" in TEXT
    assert "the facts of up to nine examples" in TEXT
    assert len(SHAPES) == 9
    assert REFUSAL in TEXT

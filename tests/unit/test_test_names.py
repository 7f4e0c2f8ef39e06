"""A test's name is the name of one test."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.conftest import LONGEST_FIRST, not_in_quick

TESTS = Path(__file__).resolve().parents[1]


@cache
def names() -> list[tuple[str, str]]:
    """Of all tests, with the file of each."""
    return [
        (path.relative_to(TESTS).as_posix(), node.name)
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    ]


def test_no_two_files_have_tests_of_the_same_name() -> None:
    files: dict[str, list[str]] = defaultdict(list)
    for file, name in names():
        files[name].append(file)
    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def test_every_name_of_a_test_says_what_is_expected() -> None:
    """By a rough measure, three words: `test_json` says nothing."""
    assert [f"{file}: {name}" for file, name in names() if name.count("_") < 3] == []


def test_what_quick_leaves_out_are_tests_that_there_are() -> None:
    there = {f"tests/{file}::{name}" for file, name in names()}
    assert sorted(not_in_quick() - there) == []


def test_files_of_tests_that_run_first_are_there() -> None:
    files = {name for name in LONGEST_FIRST if name.endswith(".py")}
    assert sorted(files - {f"tests/{file}" for file, _ in names()}) == []

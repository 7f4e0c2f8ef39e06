"""A test's name is the name of one test."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_no_two_files_have_tests_of_the_same_name() -> None:
    files: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                files[node.name].append(path.relative_to(TESTS).as_posix())
    recurring = {
        name: found for name, found in files.items() if name.startswith("test_") and len(found) > 1
    }
    assert recurring == {}


def test_every_name_of_a_test_says_what_is_expected() -> None:
    """By a rough measure, three words: `test_json` says nothing."""
    short = [
        f"{path.relative_to(TESTS).as_posix()}: {node.name}"
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and node.name.count("_") < 3
    ]
    assert short == []

"""The examples of the docstrings run."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["output.tree", "phrasing", "settings"])
def test_docstring_examples_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"isomatch.{name}"))
    assert result.attempted > 0
    assert result.failed == 0

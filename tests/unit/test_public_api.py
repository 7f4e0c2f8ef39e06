"""The public surface: every listed name exists, and every error is listed."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import isomatch
from isomatch import errors


def test_every_public_name_can_be_imported() -> None:
    for name in isomatch.__all__:
        assert getattr(isomatch, name) is not None


def test_what_type_checkers_see_is_what_is_there() -> None:
    tree = ast.parse(Path(isomatch.__file__).read_text(encoding="utf-8"))
    block = next(n for n in tree.body if isinstance(n, ast.If))
    seen = {
        (node.module, alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {(f"isomatch.{home}", name) for name, home in isomatch._HOME.items()}


def test_every_error_is_public_and_under_one_root() -> None:
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, Exception):
            assert issubclass(kind, errors.IsomatchError)
            assert name in isomatch.__all__
            assert kind.__doc__

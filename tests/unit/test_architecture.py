"""Limits on the size of modules and functions; `make lint` holds the layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import isomatch

PACKAGE = Path(isomatch.__file__).parent
LINES_OF_MODULE = 450
LINES_OF_FUNCTION = 60
PARAMETERS = 8


def modules() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (name, node)
        for name, text in modules()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines without the docstring, which grows with the parameters."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return sum(argument.arg not in ("self", "cls") for argument in named)


def test_modules_are_short_enough_to_read_at_once() -> None:
    long = {name: n for name, text in modules() if (n := text.count("\n")) > LINES_OF_MODULE}
    assert long == {}


def test_functions_fit_on_a_screen() -> None:
    long = {
        f"{name}:{f.name}": lines_of(f)
        for name, f in functions()
        if lines_of(f) > LINES_OF_FUNCTION and not name.startswith("cli/")
    }
    assert long == {}


def test_functions_have_few_parameters() -> None:
    many = {
        f"{name}:{f.name}": parameters_of(f)
        for name, f in functions()
        if parameters_of(f) > PARAMETERS and not name.startswith("cli/")
    }
    assert many == {}

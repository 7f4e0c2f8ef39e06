"""Checks JSON objects against their declared types."""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import TypeAdapter
from typing_extensions import (
    NotRequired,
    get_type_hints,
    is_typeddict,
)

from isomatch.output import wire


class PrintedResult(wire.Result, wire.ShownQuery):
    """With the query that --show-query adds."""


class PrintedAnswer(wire.Answer, wire.ShownQuery):
    """With the query that --show-query adds."""


PRINTED: dict[str, type] = {
    "match": PrintedResult,
    "ask": PrintedAnswer,
    "explain": wire.Explanation,
    "find": wire.Found,
}
"""By command: what it prints with --json."""


@cache
def _adapter(of: type) -> TypeAdapter[Any]:
    return TypeAdapter(of)


def checked(of: type, form: Any) -> Any:
    """A form as JSON has it; it must be of the type, without further keys."""
    text = json.dumps(form, allow_nan=False)
    _adapter(of).validate_json(text, strict=True, extra="forbid")
    return json.loads(text)


def _keys(of: type) -> Iterator[tuple[str, Any, bool]]:
    """The keys of a type, what each holds, and whether it may be left out."""
    # `__optional_keys__` misses what is annotated in modules with annotations from __future__.
    for key, inner in get_type_hints(of, include_extras=True).items():
        may_lack = get_origin(inner) is NotRequired
        yield key, get_args(inner)[0] if may_lack else inner, may_lack


def optional_keys(of: type) -> set[tuple[str, str]]:
    """Keys that a type, and the types inside it, may lack: pairs of the type's name and the key."""
    seen: set[type] = set()

    def walk(of: Any) -> None:
        for inner in get_args(of):
            walk(inner)
        if is_typeddict(of) and of not in seen:
            seen.add(of)
            for _, inner, _ in _keys(of):
                walk(inner)

    walk(of)
    return {(one.__name__, key) for one in seen for key, _, may_lack in _keys(one) if may_lack}


def occurrences(of: Any, form: Any) -> Iterator[tuple[str, str, bool]]:
    """Every optional key of a form and of what it holds, and whether it is there."""
    if is_typeddict(of):
        for key, inner, may_lack in _keys(of):
            if may_lack:
                yield of.__name__, key, key in form
            if key in form:
                yield from occurrences(inner, form[key])
    elif get_origin(of) is Annotated:
        yield from occurrences(get_args(of)[0], form)
    elif get_origin(of) in (Union, types.UnionType):
        if form is not None:
            yield from _inside((one for one in get_args(of) if one is not type(None)), [form])
    elif get_origin(of) is list:
        yield from _inside(get_args(of), form)
    elif get_origin(of) is dict:
        yield from _inside(get_args(of)[1:], form.values())


def _inside(of: Iterable[Any], forms: Iterable[Any]) -> Iterator[tuple[str, str, bool]]:
    inner = next(iter(of))
    for form in forms:
        yield from occurrences(inner, form)

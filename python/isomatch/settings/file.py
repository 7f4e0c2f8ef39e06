"""The file of settings: where it is, formats of dates in it, and what is wrong with it in words."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, ValidationError

from isomatch.dates import RIGHT, format_problem
from isomatch.errors import ConfigurationError
from isomatch.settings.endpoint import Endpoint
from isomatch.settings.service import ServiceSettings


def _checked(format: str) -> str:
    if problem := format_problem(format):
        raise ValueError(f"{format!r} is no format of dates: {problem}. Write {RIGHT}")
    return format


DateFormat = Annotated[str, AfterValidator(_checked)]


CONFIG_FILE = "isomatch.toml"
CONFIG_VARIABLE = "ISOMATCH_CONFIG"


def config_file() -> Path | None:
    """The file of settings: ``ISOMATCH_CONFIG``, else ``isomatch.toml`` here, else None.

    Raises:
        ConfigurationError: ``ISOMATCH_CONFIG`` names a file that is not there.
    """
    if named := os.environ.get(CONFIG_VARIABLE):
        path = Path(named)
        if not path.is_file():
            raise ConfigurationError(
                f"{CONFIG_VARIABLE} names {named!r}, which is no file: "
                f"correct the path, or unset the variable"
            )
        return path
    path = Path(CONFIG_FILE)
    return path if path.is_file() else None


_FORMS = {
    "name": ("name", "write letters, digits and _, beginning with a letter"),
    "prefixes": ("namespace", "write the IRI that names begin with, such as https://my.example/"),
}


def problem_of(error: ValidationError) -> str:
    """One thing that is wrong, with its place below the setting; slips of the pen first."""
    wrong = error.errors()
    first = next((e for e in wrong if e["type"] == "extra_forbidden"), wrong[0])
    place = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        table = ServiceSettings if place[0] == "serve" else Endpoint
        unknown = unknown_key("key", place[-1], table.model_fields)
        return f"[{'.'.join(place[:-1])}]: {unknown}" if place[:-1] else unknown
    key = place[-1] == "[key]"
    if first["type"] == "string_pattern_mismatch" and (key or place[0] in _FORMS):
        kind, form = _FORMS["name" if key else place[0]]
        where = place[0] if key else ".".join(place[:-1])
        return f"[{where}] {'' if key else f'{place[-1]}: '}{first['input']!r} is no {kind}: {form}"
    problem = first["msg"].removeprefix("Value error, ").removesuffix(" for <class 'pathlib.Path'>")
    problem = f"{problem[0].lower()}{problem[1:]}"
    in_table = len(place) > (1 if place[0] in ("prefixes", "serve") else 2)
    return f"[{'.'.join(place[:-1])}] {place[-1]}: {problem}" if in_table else problem


def unknown_key(kind: str, key: str, known: Mapping[str, Any] | set[str]) -> str:
    """That there is no such key, with the one that may be meant."""
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(known))}"
    return f"unknown {kind} {key!r}; {hint}"

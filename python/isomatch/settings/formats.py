"""Formats of dates, as they are declared in the settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from isomatch.dates import RIGHT, format_problem


def _checked(format: str) -> str:
    if problem := format_problem(format):
        raise ValueError(f"{format!r} is no format of dates: {problem}. Write {RIGHT}")
    return format


DateFormat = Annotated[str, AfterValidator(_checked)]

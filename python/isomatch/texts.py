"""Texts of ours as Jinja2 templates of a package: prompts, questions, model cards."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache(maxsize=8)
def templates(package: str, folder: str) -> Environment:
    """The templates in a folder of a package; reading them takes longer than using them.

    They are plain text: nothing is escaped, a name without a value is an error, and
    lines of instructions leave no line behind. The filter ``json`` writes a value as JSON.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package, folder),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment

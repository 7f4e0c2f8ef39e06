"""Whole words in texts, and the package's own texts: Jinja2 templates and TOML."""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

if TYPE_CHECKING:
    from jinja2 import Environment


def is_word(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]``, which is not empty, cuts no word at either end.

    Example:
        >>> is_word("aliens in Alien", 0, 5), is_word("aliens in Alien", 10, 15)
        (False, True)
    """
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    return not (before or after)


def find_word(text: str, name: str) -> int | None:
    """Where a name first stands in a text as whole words; None where it does not."""
    start = text.find(name)
    while start >= 0:
        if is_word(text, start, start + len(name)):
            return start
        start = text.find(name, start + 1)
    return None


@lru_cache(maxsize=8)
def templates(package: str, folder: str) -> Environment:
    """The templates in a folder of a package, cached: loading is slower than rendering.

    They are plain text: nothing is escaped, an undefined name is an error, and a line that
    holds only a statement leaves no blank line. The filter ``json`` writes a value as JSON.
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


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; a ValueError where it is none."""
    return dict(toml.loads(text))


def data(package: str, name: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return parse_toml(resources.files(package).joinpath(name).read_text(encoding="utf-8"))

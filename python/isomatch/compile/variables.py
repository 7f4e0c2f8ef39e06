"""Queries for people, with the variables of their pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping


def renamed(
    text: str,
    tokens: re.Pattern[str],
    names: Mapping[str, str],
    written: Callable[[str], str] = str,
) -> str:
    """A query whose variables have other names.

    A name that another variable of the text has gets an underscore at its end.

    Args:
        tokens: whatever may hold no variable, and the group ``variable``.
        names: by the variables of the text.
        written: a name as the language writes it.
    """
    others = {token["variable"] for token in tokens.finditer(text)}.difference(names)
    chosen: dict[str, str] = {}
    for variable, name in names.items():
        while name in others:
            name += "_"
        others.add(name)
        chosen[variable] = written(name)

    def other(token: re.Match[str]) -> str:
        name = token["variable"]
        return token[0].removesuffix(name) + chosen[name] if name in chosen else token[0]

    return tokens.sub(other, text)

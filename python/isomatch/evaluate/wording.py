"""Gold patterns in other words: how well a search does without the graph's own."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from isomatch.errors import ConfigurationError
from isomatch.pattern.types import Pattern

Wording = Literal["names", "unknown relation"] | Mapping[str, str]


def reword(pattern: Pattern, wording: Wording, seed: str) -> Pattern:
    """The pattern in another wording.

    Args:
        wording: ``names`` changes nothing; ``unknown relation`` takes one
            relation's words away; a mapping gives other words for relations,
            and those it does not have keep theirs.
        seed: which relation is taken; the same seed takes the same.

    Raises:
        ConfigurationError: an unknown wording.
    """
    if wording == "names":
        return pattern
    edges = list(pattern.edges)
    if wording == "unknown relation":
        place = random.Random(seed).randrange(len(edges))  # noqa: S311 - repeatable, not secret
        edges[place] = replace(edges[place], relation=None)
    elif isinstance(wording, Mapping):
        edges = [replace(e, relation=wording.get(e.relation or "", e.relation)) for e in edges]
    else:
        raise ConfigurationError(
            f"wording must be 'names', 'unknown relation' or a mapping, not {wording!r}"
        )
    return replace(pattern, edges=tuple(edges))


def wording_name(wording: Wording) -> str:
    """The wording, for a report."""
    return wording if isinstance(wording, str) else "paraphrases"

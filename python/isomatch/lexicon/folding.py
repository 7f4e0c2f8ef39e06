"""Texts without case and accents, and their words; the same in every language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from isomatch.texts import fold, fold_with_offsets

__all__ = ["any_word", "fold", "fold_with_offsets", "tokens"]

_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’][^\W_]+)*", re.UNICODE)
_SHORT = 60
"""Letters of a text whose words are kept: a relation's name is asked for all over a question."""
_KEPT = 8_192
"""Such texts."""


def any_word(words: Iterable[str]) -> str:
    """A regular expression of some words; of none, one that nothing matches.

    Example:
        >>> any_word(["of", "by"]), any_word([])
        ('by|of', '(?!)')
    """
    return "|".join(map(re.escape, sorted(words))) or "(?!)"


def tokens(text: str) -> list[str]:
    """Words in lower case; a possessive 's is left out."""
    return [*(_kept(text) if len(text) <= _SHORT else _words(text))]


def _words(text: str) -> tuple[str, ...]:
    found = (t.lower().replace("’", "'") for t in _TOKEN.findall(text.replace("_", " ")))
    return tuple(t[:-2] if t.endswith("'s") else t for t in found)


_kept = lru_cache(_KEPT)(_words)

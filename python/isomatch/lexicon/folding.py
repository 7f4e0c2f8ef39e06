"""Texts without case and accents, and their words; the same in every language."""

from __future__ import annotations

import re

from isomatch.texts import fold, fold_with_offsets

__all__ = ["fold", "fold_with_offsets", "tokens"]

_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’][^\W_]+)*", re.UNICODE)


def tokens(text: str) -> list[str]:
    """Words in lower case; a possessive 's is left out."""
    found = (t.lower().replace("’", "'") for t in _TOKEN.findall(text.replace("_", " ")))
    return [t[:-2] if t.endswith("'s") else t for t in found]

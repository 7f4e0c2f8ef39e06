"""Texts without case and accents, and their words; the same in every language."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"[^\W_]+(?:[.\-'’][^\W_]+)*", re.UNICODE)


def fold(text: str) -> str:
    """Lower case, without accents, underscores as blanks, single blanks."""
    if text.isascii():  # as most names of a graph, which are all folded at the start
        return " ".join(text.replace("_", " ").lower().split())
    return fold_with_offsets(text)[0].strip()


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the offset it came from."""
    folded: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character.isspace() or character == "_":
            plain = "" if folded and folded[-1] == " " else " "
        elif character in "‘’ʼ":
            plain = "'"
        elif character.isascii():
            plain = character.lower()
        else:
            parts = unicodedata.normalize("NFKD", character)
            plain = "".join(p for p in parts if not unicodedata.combining(p)).casefold()
        folded.extend(plain)
        offsets.extend([offset] * len(plain))
    return "".join(folded), offsets


def tokens(text: str) -> list[str]:
    """Words in lower case; a possessive 's is left out."""
    found = (t.lower().replace("’", "'") for t in _TOKEN.findall(text.replace("_", " ")))
    return [t[:-2] if t.endswith("'s") else t for t in found]

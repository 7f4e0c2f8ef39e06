"""Questions without their topics: what chain models read in place of a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from isomatch.lexicon.folding import fold, fold_with_offsets
from isomatch.texts import find_word

MASK = "[MASK]"
"""Replaces the mention that a question's chains start from."""
_HEARD = re.compile(r"\[(\d+) [^\]]*\]|[\w'’]+")


def mask(text: str, start: int, end: int) -> str:
    """The text with a part of it masked.

    Example:
        >>> mask("who directed Heat", 13, 17)
        'who directed [MASK]'
    """
    return f"{text[:start]}{MASK}{text[end:]}"


def mask_topic(text: str, name: str) -> str | None:
    """The text with a name in it masked; None where the text lacks the name.

    The first exact occurrence counts, else the first that differs only in case and
    accents. Underscores are blanks.

    Example:
        >>> mask_topic("who acted in heat_2 and Heat 2", "Heat 2")
        'who acted in heat_2 and [MASK]'
        >>> mask_topic("aliens in Alien", "Ali") is None
        True
    """
    plain = name.replace("_", " ").strip()
    if not plain:
        return None
    # Exact first: folding a text is slow, and most names are as written.
    place = find_word(text.replace("_", " "), plain)
    if place is not None:
        return mask(text, place, place + len(plain))
    wanted = fold(name)
    folded, offsets = fold_with_offsets(text)
    place = find_word(folded, wanted) if wanted else None
    if place is None:
        return None
    return mask(text, offsets[place], offsets[place + len(wanted) - 1] + 1)


def same_wording(masked: str) -> str:
    """Equal for masked texts that differ in letter case, blanks or the mark at the end only.

    Example:
        >>> same_wording("Who directed  [MASK]?") == same_wording("who directed [MASK]")
        True
    """
    return " ".join(masked.casefold().split()).rstrip(" ?.!")


def wording_of(text: str, topics: Iterable[str]) -> str:
    """The text in lower case with all its topics masked."""
    for topic in sorted(topics, key=len, reverse=True):
        text = mask_topic(text, topic) or text
    return " ".join(text.lower().split())


def heard(text: str) -> list[str]:
    """The words of a masked question, a name as its number.

    Example:
        >>> heard("Which [0 post code] is in [1 area or city]?")
        ['which', '@0', 'is', 'in', '@1']
    """
    found = (f"@{m[1]}" if m[1] else m[0].lower() for m in _HEARD.finditer(text))
    return list(found)

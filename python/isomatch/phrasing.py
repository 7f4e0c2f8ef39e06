"""Names and facts as text that is safe to print: in prompts, answers and pictures."""

from __future__ import annotations

import unicodedata

from isomatch.match.model import Bound, Triple

MAX_NAME = 80
# Overrides and isolates of the direction of writing: a name must not turn the
# rest of its line around.
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(name: str, limit: int | None = MAX_NAME) -> str:
    """A name on one line, without control characters, cut at ``limit`` characters.

    Names are data: one with terminal escapes must not reach a terminal.

    Example:
        >>> clean("two\\nlines \\x1b[31m")
        'two lines \ufffd[31m'
    """
    if limit is not None and len(name) > limit * 4:
        name = name[: limit * 4]  # a name of 100 kB need not be walked through
    line = " ".join(name.split())
    text = "".join(
        "\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c for c in line if c not in _BIDI
    )
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    return text or "(empty)"


def printable(text: str) -> str:
    """A text of several lines without control characters, line ends excepted."""
    return "".join(
        c if c == "\n" or unicodedata.category(c) != "Cc" else "\ufffd"
        for c in text
        if c not in _BIDI
    )


def bound_words(bound: Bound, limit: int | None = MAX_NAME) -> str:
    """The name of a graph element, cut as by `clean`; its id where it has none."""
    return clean(bound.name or bound.id, limit)


def triple_words(triple: Triple) -> str:
    """A fact as stored: ``Heat ─directed by→ Michael Mann``."""
    source, relation, target = map(bound_words, (triple.source, triple.relation, triple.target))
    return f"{source} ─{relation}→ {target}"

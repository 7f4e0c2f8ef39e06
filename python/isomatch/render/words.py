"""Graph elements and proofs in words, safe to print."""

from __future__ import annotations

import unicodedata
from math import isinf

from isomatch.match.model import Bound, Certificate, Interpretation, Match, Triple
from isomatch.pattern.model import Pattern

MAX_NAME = 80
# A vector list has a nearest entry for every nonsense; 1.1 is a cosine of 0.4.
FURTHEST = 1.1
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


def is_near(interpretation: Interpretation) -> bool:
    """Whether every name and relation was found under words that resemble it."""
    return all(c.distance <= FURTHEST for c in interpretation.choices if c.part != "type")


def bound_words(bound: Bound) -> str:
    """The name of a graph element; its id where it has none."""
    return clean(bound.name or bound.id)


def triple_words(triple: Triple) -> str:
    """A fact as stored: ``Heat ─directed by→ Michael Mann``."""
    source, relation, target = map(bound_words, (triple.source, triple.relation, triple.target))
    return f"{source} ─{relation}→ {target}"


def answer_words(pattern: Pattern, match: Match) -> str:
    """What the asked-for nodes are bound to; the id too where there are several."""
    ids = pattern.answers
    if len(ids) == 1:
        return bound_words(match.bindings[ids[0]])
    return ", ".join(f"?{id} = {bound_words(match.bindings[id])}" for id in ids)


def certificate_words(certificate: Certificate, found: bool = True) -> str:
    """What a certificate proves, in one line.

    Args:
        certificate: of the result.
        found: whether the result has any match.
    """
    bound = "" if isinf(certificate.bound) else f"{certificate.bound:.3f}"
    if not certificate.exact:
        ended = f"the {certificate.ended_by} budget" if certificate.ended_by else "a limit"
        text = f"not proven: {ended} ended the search"
        text += f"; a reading from {bound} on may be missing" if bound else ""
    elif not found:
        text = "proven: no reading of the pattern has a match"
        if not certificate.complete:
            text = f"no reading that is nearer than {bound or 'the lists reach'} has a match"
    elif certificate.complete:
        text = "proven complete: no other reading of the whole graph is nearer than these"
    else:
        text = "exact over the candidate lists"
        text += f"; a reading outside them may be as near as {bound}" if bound else ""
    if certificate.approximate:
        text += " (relative to an approximate vector index; --exact-vectors scans every vector)"
    return text

"""Names and facts as text that is safe to print: in prompts, answers and pictures."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from isomatch.match.types import Bound, Choice, Interpretation, Triple
from isomatch.store.terms import is_literal

MAX_NAME = 80
_MEMBERS = 10  # of a list, and properties of a relationship, that are shown
_LABEL = 40  # characters of a relation and its properties that a picture has room for
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
    text = " ".join(name.split())
    if not (text.isascii() and text.isprintable()):  # most are, and need no second look
        text = "".join(
            "\ufffd" if unicodedata.category(c) in ("Cc", "Cs") else c
            for c in text
            if c not in _BIDI
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


def sentence(text: str) -> str:
    """A text with its end: no second one where a name has it already.

    Example:
        >>> sentence("Heat and Airplane!"), sentence("pt."), sentence("Heat")
        ('Heat and Airplane!', 'pt.', 'Heat.')
    """
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def bound_words(bound: Bound, limit: int | None = MAX_NAME) -> str:
    """The name of a graph element, cut as by `clean`; its id where it has none."""
    return clean(bound.name or bound.id, limit)


def identified_words(bound: Bound) -> str:
    """The name of a graph element and its id, where it is no value."""
    words = bound_words(bound)
    return words if bound.id.startswith(('"', "[")) else f"{words} <{clean(bound.id, None)}>"


def relation_words(triple: Triple, limit: int | None = MAX_NAME) -> str:
    """A fact's relation with its properties: ``acted in (roles: Forrest)``.

    Names, keys and values are cut as by `clean`, long lists after ten members.
    """
    name = bound_words(triple.relation, limit)
    properties = sorted(triple.properties.items())  # databases give them in any order
    shown = [f"{clean(key, limit)}: {_value_words(value, limit)}" for key, value in properties]
    return f"{name} ({'; '.join(_first(shown))})" if shown else name


def relation_label(triple: Triple) -> str:
    """`relation_words` for a picture, which has properties only where they are short."""
    words = relation_words(triple)
    return words if len(words) <= _LABEL else bound_words(triple.relation)


def triple_words(triple: Triple, ids: bool = False) -> str:
    """A fact as stored: ``Heat ─directed by→ Michael Mann``, with the ids of its nodes."""
    words = identified_words if ids else bound_words
    source, target = words(triple.source), words(triple.target)
    return arrow_words(source, relation_words(triple), target)


def arrow_words(source: str, relation: str, target: str, *, directed: bool = True) -> str:
    """A fact of which each part is in words; without a tip where it may hold either way."""
    return f"{source} ─{relation}{'→' if directed else '─'} {target}"


def choices_words(choices: Iterable[Choice]) -> str:
    """How the words of a pattern were read, where the graph has other words.

    Example:
        >>> choices_words([Choice("node", "Micheal Man", "e:1", "Michael Mann", 0.62)])
        '“Micheal Man” read as “Michael Mann” (distance 0.62)'
    """
    return ", ".join(
        f"“{clean(c.text)}” read as {_read_words(c)}"
        for c in choices
        if c.called or c.ids or (c.distance > 0 and c.name != c.text)
    )


def reading_words(interpretation: Interpretation) -> str:
    """How an interpretation reads the words of a pattern and of its parts; see `choices_words`."""
    inner = (reading_words(part) for part in interpretation.parts)
    told = [choices_words(interpretation.choices), *(f"in a part: {w}" for w in inner if w)]
    return "; ".join(dict.fromkeys(filter(None, told)))


def _read_words(choice: Choice) -> str:
    name = f"“{clean(choice.name)}”"
    called = f"“{clean(choice.called)}”, also called {name}" if choice.called else name
    if any(map(is_literal, choice.ids)):
        return f"{len(choice.ids)} values"
    if choice.ids:
        called = f"{len(choice.ids)} nodes" + (f" called {name}" if choice.distance else "")
    return f"{called} (distance {choice.distance:.2f})" if choice.distance else called


def _value_words(value: Any, limit: int | None) -> str:
    members = value if isinstance(value, list) else [value]
    return ", ".join(_first([_scalar_words(member, limit) for member in members]))


def _scalar_words(value: Any, limit: int | None) -> str:
    # As the ids of values write them: JSON's true, not Python's True.
    return clean(str(value).lower() if isinstance(value, bool) else str(value), limit)


def _first(texts: list[str]) -> list[str]:
    return texts if len(texts) <= _MEMBERS else [*texts[:_MEMBERS], "…"]

"""Which names and words of a question were taken for others, for its answer to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from isomatch.lexicon.mentions import Mention

_TOLD = 5  # names as near as another that are told
_AWAY = ("", ", one letter away", ", two letters away")


def spelling_notes(mentions: Iterable[Mention]) -> tuple[str, ...]:
    """In words, which names were taken for others: one or two edits away, or a part of them.

    Each says which others are as near: one reading has one of them, and a proof of it says
    nothing of the others.
    """
    return tuple(
        f"“{m.written}” read as “{m.text}”{_AWAY[m.edits]}{_as_near(m.rivals)}"
        for m in mentions
        if m.written
    )


class Substitution(NamedTuple):
    """Words, and the name or type that they were taken for.

    Attributes:
        written: the words.
        meant: what they were taken for.
        may_deny: whether what is not so of this is not so of the words: it is wider than they
            are, or the one name that they are a part of.
    """

    written: str
    meant: str
    may_deny: bool = False


def misspelled(mentions: Iterable[Mention]) -> tuple[Substitution, ...]:
    """What was written and the name that it was taken for, where these differ in letters."""
    return tuple(
        Substitution(m.written, m.text, may_deny=m.part and not m.rivals)
        for m in mentions
        if m.written and m.is_guess
    )


def _as_near(rivals: Sequence[str]) -> str:
    listed = ", ".join(f"“{name}”" for name in rivals[:_TOLD])
    more = f" and {len(rivals) - _TOLD} more" if len(rivals) > _TOLD else ""
    return f"; as near: {listed}{more}" if rivals else ""

"""Which names and words of a question were taken for others, for its answer to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from isomatch.lexicon.language import Language
    from isomatch.lexicon.mention import Mention

_TOLD = 5  # names as near as another that are told


def spelling_notes(mentions: Iterable[Mention], language: Language) -> tuple[str, ...]:
    """In words, which names were taken for others: one or two edits away, or a part of them.

    Each says which others are as near: one reading has one of them, and a proof of it says
    nothing of the others.
    """
    quoted, assumed = language.answers.quoted.format, language.assumed
    away = ("", assumed.one_letter, assumed.two_letters)
    return tuple(
        assumed.spelled.format(quoted(m.written), quoted(m.text))
        + f"{away[m.edits]}{_as_near(m.rivals, language)}"
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


def _as_near(rivals: Sequence[str], language: Language) -> str:
    answers = language.answers
    listed = ", ".join(map(answers.quoted.format, rivals[:_TOLD]))
    if len(rivals) > _TOLD:
        listed += answers.conjunction + answers.more.format(len(rivals) - _TOLD)
    return language.assumed.as_near.format(listed) if rivals else ""

"""Words of a question that have a capital letter, and runs of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

_SENTENCE_ENDS = re.compile(r"[.?!:;\"“«(\[]\s*$")
_TITLE = 0.5  # of the words: where more have a capital, none says anything


def is_name_like(question: str, start: int) -> bool:
    """Whether the capital of a word makes it a name: inside a sentence, and not in a title.

    Example:
        >>> is_name_like("Who manages Will", 12)
        True
        >>> is_name_like("Who Manages The Team", 12)
        False
    """
    before, words = question[:start], question.split()
    inside = bool(before.strip()) and not _SENTENCE_ENDS.search(before)
    capitals = sum(word[0].isupper() for word in words[1:])
    return inside and question[start].isupper() and capitals <= _TITLE * len(words)


def said(question: str, start: int, end: int) -> str:
    """The words of a question without the ending of an owner: "Ann", of "Ann's"."""
    return re.sub(r"['’]s?$", "", question[start:end])


def runs_of(
    words: Sequence[re.Match[str]], wanted: Callable[[re.Match[str]], bool]
) -> list[tuple[int, int]]:
    """Start and end of each stretch of wanted words."""
    stretches = (list(group) for is_wanted, group in groupby(words, key=wanted) if is_wanted)
    return [(stretch[0].start(), stretch[-1].end()) for stretch in stretches]


def is_lowered(name: str, written: str) -> bool:
    """Whether a name in capitals only is written otherwise: "is", or "Who", and the model "IS"."""
    return name.isupper() and not written.isupper() and len(written) > 1

"""Names by their last words, among millions: "Lee" is said for "Ann Lee".

A name of a few words has a number: the CRC-32 of its last word, then its point. They are sorted,
so that the points of a word are next to each other. Words of one CRC-32 are told apart by the
names themselves. What names begin with, their trie has.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from zlib import crc32

import numpy as np

from isomatch.link.spellings import Vector, mapped

FILE = "last_words.npy"
MOST = 100  # names that begin or end with a text: of more, none is meant
_MOST_WORDS = 4
_POINTS = 32  # bits of a point


class LastWords:
    """The points of names by their last words.

    Args:
        numbers: sorted, uint64; None for those of names that are added.
    """

    def __init__(self, numbers: Vector | None = None):
        self._added = array("Q")
        self._numbers = np.zeros(0, np.uint64) if numbers is None else numbers

    def add(self, form: str, point: int) -> None:
        """Add a folded name, for `write`; one of one word or of many is left out."""
        if is_short(form):
            self._added.append(crc32(last_word(form).encode()) << _POINTS | point)

    def points(self, word: str) -> list[int]:
        """The points of names that end with a word, and of some others; `MOST` and one more."""
        first = crc32(word.encode()) << _POINTS
        last = first | ((1 << _POINTS) - 1)
        ends = np.array([first, last], np.uint64)
        start = int(np.searchsorted(self._numbers, ends[0], "left"))
        end = int(np.searchsorted(self._numbers, ends[1], "right"))
        numbers = self._numbers[start : min(end, start + MOST + 1)]
        points: list[int] = (numbers & np.uint64(last - first)).tolist()
        return points

    def write(self, folder: Path) -> None:
        """Write the file that `open` reads; OSError where it cannot be written."""
        np.save(folder / FILE, np.sort(np.array(self._added, np.uint64)))

    @classmethod
    def open(cls, folder: Path) -> LastWords:
        """Memory-mapped from the file of a folder; empty where an earlier version wrote none.

        Raises:
            OSError, ValueError: it is damaged.
        """
        path = folder / FILE
        return cls(mapped(path) if path.exists() else None)


def is_short(form: str) -> bool:
    """Whether a folded name has so few words, from two, that a part of it may be said for it."""
    return 0 < form.count(" ") < _MOST_WORDS and "(" not in form


def last_word(form: str) -> str:
    """Of a folded name."""
    return form.rpartition(" ")[2]

"""Names that are one or two edits from a text, among millions.

An edit is one letter more, less or other, or two neighbours swapped (Damerau-Levenshtein).
Each name has 64 bits, one or more for each of its letters: an edit changes at most two of
them, and the length by at most one. So a pass over these bits, which takes a few
milliseconds for a million names, leaves out no name that is so near, and few others stay
to be compared in full, by RapidFuzz. Libraries that look edits up (SymSpell) need some
thirty entries for a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

MOST = 2  # edits
SHORTEST, LONGEST = 3, 100  # characters: of less, another name is one letter away
_KEPT = LONGEST + MOST  # characters of the longest name that may be so near
_CHUNK = 100_000  # names whose bits are made together
_COUNTED = 3  # occurrences of a letter that have bits of their own
_PARTS = ("signs", "points", "bounds")
FILES = tuple(f"{name}.npy" for name in _PARTS)

Vector = Any  # numpy.ndarray, of one dimension


class Spellings:
    """The bits of normalised names, by length.

    Args:
        signs: bits, uint64.
        points: numbers of the names, int64, in the same order.
        bounds: where the names of each length begin, from 0; one more for the end.
    """

    def __init__(self, signs: Vector, points: Vector, bounds: Vector):
        if not (len(signs) == len(points) == bounds[-1] and len(bounds) == _KEPT + 2):
            raise ValueError("the parts of the spellings do not fit together")
        self._signs, self._points, self._bounds = signs, points, bounds

    @classmethod
    def of(cls, names: Iterable[tuple[int, str]]) -> Spellings:
        """From (number, normalised name) pairs."""
        signs, points, sizes = [], [], []
        fitting = ((point, form) for point, form in names if 0 < len(form) <= _KEPT)
        while chunk := list(islice(fitting, _CHUNK)):
            forms = [form for _, form in chunk]
            signs.append(_signs(forms))
            points.append(np.array([point for point, _ in chunk], np.int64))
            sizes.append(np.fromiter(map(len, forms), np.int64, len(forms)))
        if not signs:
            return cls(*(np.zeros(n, t) for n, t in ((0, "u8"), (0, "i8"), (_KEPT + 2, "i8"))))
        lengths = np.concatenate(sizes)
        order = np.argsort(lengths, kind="stable")
        counts = np.bincount(lengths, minlength=_KEPT + 1)
        bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(np.concatenate(signs)[order], np.concatenate(points)[order], bounds)

    def near(self, form: str, edits: int) -> list[int]:
        """Numbers of all names that are at most so many edits from a text, and of some others.

        None for texts of fewer than `SHORTEST` or more than `LONGEST` characters.
        """
        if not SHORTEST <= len(form) <= LONGEST:
            return []
        (sign,) = _signs([form])
        found: list[int] = []
        for length in range(max(len(form) - edits, 1), len(form) + edits + 1):
            apart = abs(length - len(form))  # edits that change the length
            part = slice(int(self._bounds[length]), int(self._bounds[length + 1]))
            few = _count(self._signs[part] ^ sign) <= apart + 2 * (edits - apart)
            found += self._points[part][few].tolist()
        return found

    def write(self, folder: Path) -> None:
        """Write the files that `open` reads; OSError where they cannot be written."""
        for name in _PARTS:
            np.save(folder / f"{name}.npy", getattr(self, f"_{name}"))

    @classmethod
    def open(cls, folder: Path) -> Spellings:
        """Memory-mapped from the files of a folder.

        Raises:
            OSError, ValueError: they are missing or damaged.
        """
        return cls(*(mapped(folder / f"{name}.npy") for name in _PARTS))


def mapped(path: Path) -> Vector:
    """An array in a file, memory-mapped.

    Raises:
        OSError, ValueError: it is missing or damaged.
    """
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (EOFError, TypeError, SyntaxError) as error:
        raise ValueError(f"{path.name}: {error}") from error


def within(form: str, others: Mapping[int, str], edits: int) -> dict[int, int]:
    """Edits from a text, by number, of those names that are at most so many away."""
    from rapidfuzz.distance import DamerauLevenshtein

    found = {
        number: DamerauLevenshtein.distance(form, other, score_cutoff=edits)
        for number, other in others.items()
    }
    return {number: distance for number, distance in found.items() if distance <= edits}


def _signs(forms: Sequence[str]) -> Vector:
    """The bits of texts, none of them empty."""
    codes = np.frombuffer("".join(forms).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, forms), np.int64, len(forms))
    owners = np.repeat(np.arange(len(forms)), lengths)
    sorted_ = np.sort(owners << 21 | codes)  # code points have 21 bits
    places = np.arange(len(sorted_))
    begins = np.concatenate([[True], sorted_[1:] != sorted_[:-1]])
    times = places - np.maximum.accumulate(np.where(begins, places, 0))
    # Odd factors, so that neighbours in the alphabet have different bits.
    bits = ((sorted_ & 0x1FFFFF) * 37 + np.minimum(times, _COUNTED - 1) * 29) & 63
    ones = np.left_shift(np.uint64(1), bits.astype(np.uint64))
    return np.bitwise_or.reduceat(ones, np.concatenate([[0], np.cumsum(lengths)[:-1]]))


def _count(bits: Vector) -> Vector:
    """How many bits are set in each number; NumPy has it from version 2 on."""
    return np.bitwise_count(bits) if hasattr(np, "bitwise_count") else _sums(bits)


def _sums(bits: Vector) -> Vector:
    """As NumPy's: the bits of pairs, of fours, of eights, and of all are added up."""
    pairs = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    quads = np.uint64(0x3333333333333333)
    fours = (pairs & quads) + ((pairs >> np.uint64(2)) & quads)
    eights = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (eights * np.uint64(0x0101010101010101)) >> np.uint64(56)

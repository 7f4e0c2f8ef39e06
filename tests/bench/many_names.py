"""Names by the million, of real shape, the same for the same seed.

They are made from the names of MetaQA, of people and films: a name gets the first words of one
and the last words of another of the same length, and one in four is a near-duplicate of an
earlier one: with a year in brackets, with a numeral, or with one letter changed.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from isomatch.seed import SEED

NEAR = 0.25  # of the names that are made are near-duplicates
LENGTHS = range(2, 7)  # words of a name that others are made of
NUMERALS = ("II", "III", "IV", "2", "3", "Jr.", "The Series", "Part One")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def real_names(metaqa: Path) -> list[str]:
    """All names of MetaQA's graph, by the alphabet."""
    lines = (metaqa / "kb.txt").read_text(encoding="utf-8").splitlines()
    return sorted({cell for line in lines for cell in line.split("|")[::2]})


def many_names(metaqa: Path, count: int) -> list[str]:
    """So many different names, those of MetaQA among them; in no order."""
    random = Random(f"{SEED} names")
    real = real_names(metaqa)
    split = [words for words in map(str.split, real) if len(words) in LENGTHS]
    by_length: dict[int, list[list[str]]] = {}
    for words in split:
        by_length.setdefault(len(words), []).append(words)
    made = real[:count]
    found = set(made)
    while len(made) < count:
        if random.random() < NEAR:
            name = _near(random.choice(made), random)
        else:
            first = random.choice(split)
            last = random.choice(by_length[len(first)])
            cut = random.randint(1, len(first) - 1)
            name = " ".join(first[:cut] + last[cut:])
        if name not in found:
            found.add(name)
            made.append(name)
    random.shuffle(made)
    return made


def _near(name: str, random: Random) -> str:
    """Almost the same name."""
    how = random.randrange(3)
    if how == 0:
        return f"{name} ({random.randint(1900, 2025)})"
    if how == 1:
        return f"{name} {random.choice(NUMERALS)}"
    at = random.randrange(len(name))
    return name[:at] + random.choice(LETTERS) + name[at + 1 :]

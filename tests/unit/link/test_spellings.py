"""Names that are near to a text: against a comparison with every name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.link import spellings
from isomatch.link.spellings import LONGEST, SHORTEST, Spellings, within

FORMS = st.text("abcdé яł", min_size=1, max_size=9) | st.sampled_from(["aaaaaa", "a" * 101])


def edits(one: str, other: str) -> int:
    """The Damerau-Levenshtein distance, by its definition (Lowrance and Wagner)."""
    far = len(one) + len(other)
    table = {(-1, -1): far}
    last: dict[str, int] = {}
    for i in range(len(one) + 1):
        table[i, -1], table[i, 0] = far, i
    for j in range(len(other) + 1):
        table[-1, j], table[0, j] = far, j
    for i in range(1, len(one) + 1):
        match = 0
        for j in range(1, len(other) + 1):
            k, here = last.get(other[j - 1], 0), match
            same = one[i - 1] == other[j - 1]
            match = j if same else match
            table[i, j] = min(
                table[i - 1, j - 1] + (not same),
                table[i, j - 1] + 1,
                table[i - 1, j] + 1,
                table[k - 1, here - 1] + (i - k - 1) + 1 + (j - here - 1),
            )
        last[one[i - 1]] = i
    return table[len(one), len(other)]


@given(st.lists(FORMS, max_size=12), FORMS, st.sampled_from([1, 2]), st.data())
def test_the_names_near_a_text_are_those_that_a_comparison_finds(
    names: list[str], text: str, most: int, data: st.DataObject
) -> None:
    if names and data.draw(st.booleans()):
        text = _changed(data.draw(st.sampled_from(names)), data)
    found = Spellings.of(enumerate(names))
    near = within(text, {n: names[n] for n in found.near(text, most)}, most)
    fits = SHORTEST <= len(text) <= LONGEST
    distances = {n: edits(text, name) for n, name in enumerate(names) if fits}
    assert near == {n: far for n, far in distances.items() if far <= most}


def _changed(text: str, data: st.DataObject) -> str:
    for _ in range(2):
        place = data.draw(st.integers(0, len(text)))
        head, tail = text[:place], text[place:]
        changes = [head + "q" + tail, head + tail[1:], head + "b" + tail[1:]]
        text = data.draw(st.sampled_from([*changes, head + tail[1:2] + tail[:1] + tail[2:]]))
    return text


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=50))
def test_bits_are_counted_alike_by_every_numpy(numbers: list[int]) -> None:
    bits = np.array(numbers, np.uint64)
    assert spellings._sums(bits).tolist() == [bin(number).count("1") for number in numbers]


def test_they_are_the_same_from_files(tmp_path: Path) -> None:
    made = Spellings.of([(7, "michael mann"), (9, "heat"), (12, "x" * 500)])
    made.write(tmp_path)
    opened = Spellings.open(tmp_path)
    assert opened.near("micheal mann", 1) == made.near("micheal mann", 1) == [7]
    assert opened.near("heat", 1) == [9]


@pytest.mark.parametrize("file", ["signs", "points", "bounds"])
@pytest.mark.parametrize("content", [b"", b"no array", "other"])
def test_damaged_files_are_an_error(tmp_path: Path, file: str, content: bytes | str) -> None:
    Spellings.of([(7, "michael mann")]).write(tmp_path)
    if isinstance(content, bytes):
        (tmp_path / f"{file}.npy").write_bytes(content)
    else:
        np.save(tmp_path / f"{file}.npy", np.zeros(5, np.int64))
    with pytest.raises(ValueError, match=r".+"):
        Spellings.open(tmp_path)

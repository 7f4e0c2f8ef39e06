"""The names of a graph by their letters: which a text begins with, and which are near to it.

The names of an index are in files that are memory-mapped, so that a start takes no longer
for a million names than for a thousand, and several processes share them: a trie of the
folded names (marisa-trie, some 10 bytes a name), the points that each of them has in
``names.db``, and their spellings. Like the vectors, these files are read as they are:
their checksums are in the manifest.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isomatch.link.names import Names, Text
from isomatch.link.normalise import normalise
from isomatch.link.spellings import Spellings, mapped, within
from isomatch.schema.naming import LONGEST_NAME
from isomatch.texts import fold

FOLDER = "mentions"  # of a generation
_TRIE, _STARTS, _POINTS = "forms.trie", "starts.npy", "form_points.npy"
_RECENT = 4096  # names whose ids are kept in memory
# NUL, which ends a key of the trie, and halves of characters, which have no UTF-8.
_UNFIT = re.compile("[\0\ud800-\udfff]")

Same = Mapping[str, Sequence[str]]  # name → ids


class NearName(NamedTuple):
    """A name that is so many edits from a text, without case, accents and punctuation."""

    edits: int
    name: str
    ids: Sequence[str]


class NameTable(ABC):
    """The names of a graph; see `isomatch.texts.fold` for folded ones. Thread-safe.

    A text of nothing but spaces and underscores folds to nothing, and is no name.
    """

    @abstractmethod
    def beginning(self, text: str) -> list[str]:
        """The folded names that a folded text begins with."""

    @abstractmethod
    def of(self, form: str) -> Same:
        """Names that are the same when folded, with their ids; both in a fixed order."""

    @abstractmethod
    def near(self, text: str, edits: int) -> list[NearName]:
        """All names at most so many edits from a text, without case, accents, punctuation.

        Ordered by edits and name. None for very short and long texts.

        Raises:
            VectorIndexError: the names cannot be read.
        """


class MemoryTable(NameTable):
    """Names that are given; texts over `LONGEST_NAME` characters are no names.

    Args:
        names: (name, id) pairs.
    """

    def __init__(self, names: Iterable[tuple[str, str]]):
        self._same: dict[str, dict[str, list[str]]] = {}
        for name, id in names:
            if form := _encodable(_form(name)):
                self._same.setdefault(form, {}).setdefault(name, []).append(id)
        self._trie = _trie(self._same)

    def beginning(self, text: str) -> list[str]:
        """See `NameTable`."""
        return list(self._trie.prefixes(_encodable(text)))

    def of(self, form: str) -> Same:
        """See `NameTable`."""
        return self._same.get(_encodable(form), {})

    def near(self, text: str, edits: int) -> list[NearName]:
        """See `NameTable`."""
        names, spellings = self._spellings
        form = normalise(text)
        others = {point: normalise(names[point][0]) for point in spellings.near(form, edits)}
        found = within(form, others, edits)
        return sorted(NearName(far, *names[point]) for point, far in found.items())

    @cached_property
    def _spellings(self) -> tuple[list[tuple[str, list[str]]], Spellings]:
        names = [pair for same in self._same.values() for pair in same.items()]
        return names, Spellings.of(enumerate(normalise(name) for name, _ in names))


class IndexedTable(NameTable):
    """The names of an index.

    Args:
        folder: that `write_table` wrote.
        names: of the same index.

    Raises:
        OSError, ValueError: a file is missing or damaged.
    """

    def __init__(self, folder: Path, names: Names):
        import marisa_trie

        self._names = names
        try:
            self._trie = marisa_trie.Trie().mmap(str(folder / _TRIE))
        except RuntimeError as error:
            raise ValueError(f"{_TRIE}: {error}") from error
        self._starts, self._points = mapped(folder / _STARTS), mapped(folder / _POINTS)
        if len(self._starts) != len(self._trie) + 1 or self._starts[-1] != len(self._points):
            raise ValueError("its parts do not fit together")
        self._spellings = Spellings.open(folder)
        self._recent = lru_cache(_RECENT)(self._of)

    def beginning(self, text: str) -> list[str]:
        """See `NameTable`."""
        return list(self._trie.prefixes(_encodable(text)))

    def of(self, form: str) -> Same:
        """See `NameTable`."""
        return self._recent(form)

    def _of(self, form: str) -> Same:
        number = self._trie.get(_encodable(form))
        if number is None:
            return {}
        points = self._points[self._starts[number] : self._starts[number + 1]].tolist()
        return {name: ids for _, name, ids in self._named(points)}

    def near(self, text: str, edits: int) -> list[NearName]:
        """See `NameTable`."""
        found = self.near_points(text, edits)
        return sorted(NearName(found[p], name, ids) for p, name, ids in self._named(found))

    def near_points(self, text: str, edits: int) -> dict[int, int]:
        """Edits by point of the names at most so many edits from a text.

        Raises:
            VectorIndexError: the names cannot be read.
        """
        form = normalise(text)
        texts = self._names.texts(self._spellings.near(form, edits))
        return within(form, {p: normalise(t.text) for p, t in texts.items()}, edits)

    def _named(self, points: Iterable[int]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        texts: dict[int, Text] = self._names.texts(list(points))
        keys = self._names.keys(texts.values(), sys.maxsize)
        for point in sorted(texts):
            yield point, texts[point].text, tuple(sorted(keys[point]))


def open_table(folder: Path, names: Names) -> IndexedTable | None:
    """The table of a generation; None where it was made by a version that wrote none.

    Raises:
        OSError, ValueError: a file is missing or damaged.
    """
    return IndexedTable(folder, names) if folder.exists() else None


def write_table(folder: Path, file: sqlite3.Connection) -> None:
    """Write the table of the nodes in a ``names.db``, atomically.

    What is there already is of an earlier state of the same file: a point never gets
    another text, so the spellings of those that stay are used again.

    Raises:
        OSError: the files cannot be written.
    """
    fresh = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    query = "SELECT point, text FROM texts WHERE collection = 'nodes' AND keys > 0 ORDER BY point"
    named = [(p, form) for p, text in file.execute(query) if (form := _form(text))]
    trie = _trie(form for _, form in named)
    (fresh / _TRIE).write_bytes(trie.tobytes())
    numbers = np.fromiter((trie[_encodable(form)] for _, form in named), np.int64, len(named))
    counts = np.bincount(numbers, minlength=len(trie))
    np.save(fresh / _STARTS, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
    points = np.fromiter((point for point, _ in named), np.int64, len(named))
    np.save(fresh / _POINTS, points[np.argsort(numbers, kind="stable")])
    del named, trie, numbers
    kept = _kept(folder, points)
    new = points if kept is None else points[~np.isin(points, kept.points)]
    if kept is not None and 2 * len(new) < len(points):
        marks = ((point, file.execute(_TEXT, (point,)).fetchone()[0]) for point in new.tolist())
    else:
        wanted = set(new.tolist())
        marks = ((point, text) for point, text in file.execute(query) if point in wanted)
    Spellings.of(((point, normalise(text)) for point, text in marks), kept).write(fresh)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


_TEXT = "SELECT text FROM texts WHERE point = ?"


def _kept(folder: Path, points: Any) -> Spellings | None:
    """The spellings that an earlier table has of some points."""
    try:
        return Spellings.open(folder).only(points)
    except (OSError, ValueError):
        return None


def _form(text: str) -> str:
    return fold(text) if len(text) <= LONGEST_NAME else ""


def _trie(forms: Iterable[str]) -> Any:
    import marisa_trie

    return marisa_trie.Trie(map(_encodable, forms))


def _encodable(text: str) -> str:
    return _UNFIT.sub("\ufffd", text)

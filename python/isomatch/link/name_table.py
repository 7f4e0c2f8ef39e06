"""The names of a graph by their letters: which a text begins with, and which are near to it.

The names of an index are in files that are memory-mapped, so that a start takes no longer
for a million names than for a thousand, and several processes share them: a trie of the
folded names (marisa-trie, some 10 bytes a name), the points that each of them has in
``names.db``, their spellings, and their last words. Like the vectors, these files are read as
they are: their checksums are in the manifest. Names that are gone are known by ``names.db``,
which does not have them any more.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import sys
import tempfile
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isomatch.files import drop, link
from isomatch.link.last_words import FILE as LAST_WORDS
from isomatch.link.last_words import MOST, LastWords, is_short, last_word
from isomatch.link.legal_forms import legal_forms
from isomatch.link.names import Names, Text
from isomatch.link.normalise import normalise
from isomatch.link.spellings import FILES, Spellings, mapped, within
from isomatch.schema.naming import LONGEST_NAME
from isomatch.texts import fold

FOLDER = "mentions"  # of a generation
ADDED = "added"  # in it: the table of the names that came after those of the base
SHARE = 0.1  # of the names: where more was added or is gone, the whole table is written
_TRIE, _STARTS, _POINTS = "forms.trie", "starts.npy", "form_points.npy"
_EXTENT = "extent.json"  # {"texts": how many there were, "last": the last one's point}
_FILES = (_TRIE, _STARTS, _POINTS, _EXTENT, LAST_WORDS, *FILES)
BASE = frozenset(f"{FOLDER}/{name}" for name in _FILES)
_RECENT = 4096  # names whose ids are kept in memory
_QUALIFIED = 8  # names that differ in what is in brackets: of more, none is meant
_SPELLED = 5  # letters, from which on a name one edit away is meant
_SPELLED_WORSE = 9  # letters of text and name, from which on one that is two edits away is
_FEW = 5  # names two edits away: of more, none is meant
_HOLDING = 8  # names that a text is a part of: of more, none is meant
_DIGIT = re.compile(r"\d")
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

    def corrections(self, text: str, edits: int) -> list[NearName]:
        """The names that a text which is none may be meant for, ordered by name.

        Those that have it with a qualifier, else the nearest ones, at most so many edits away.
        Another number is another name, and few letters are near too many names.

        Raises:
            VectorIndexError: the names cannot be read.
        """
        form = normalise(text)
        digits = _DIGIT.findall(form)
        near = [
            name
            for name in (self.near(text, edits) if len(form) >= _SPELLED else ())
            if _DIGIT.findall(normalise(name.name)) == digits
        ]
        least = min((name.edits for name in near), default=0)
        near = [name for name in near if name.edits == least]
        if least > 1 and (len(near) > _FEW or not all(_is_slip(form, name) for name in near)):
            near = []
        if near and not least:
            return near
        return self.qualified(text) or near  # "Jaws" rather is "Jaws (film)" than "Jars"

    @abstractmethod
    def continuing(self, text: str) -> Iterator[str]:
        """The folded names that begin with a folded text, once each, in a fixed order."""

    def qualified(self, text: str) -> list[NearName]:
        """The names that are a text and what tells it from others, ordered by name.

        That is something in brackets, or the legal form of a company: "Jaws (film)",
        "Nippon Bearing Co.". None for a text with very many such names.

        Raises:
            VectorIndexError: the names cannot be read.
        """
        form = fold(text)
        if not form or not any(True for mark in (" ", ",") for _ in self.continuing(form + mark)):
            return []
        forms = list(islice(self.continuing(f"{form} ("), _QUALIFIED + 1))
        forms = [name for name in forms if name.endswith(")")] if len(forms) <= _QUALIFIED else []
        forms += (form + mark + legal for mark in (" ", ", ") for legal in legal_forms())
        return sorted(NearName(0, *pair) for form in forms for pair in self.of(form).items())

    @abstractmethod
    def ending(self, word: str) -> Iterator[str]:
        """The folded names of two to four words of which a folded word is the last one."""

    def holding(self, text: str) -> list[NearName]:
        """The names of two to four words that begin or end with a text, ordered by name.

        "Ann" and "Lee" are said for "Ann Lee". None for a text with very many such names.

        Raises:
            VectorIndexError: the names cannot be read.
        """
        form = _encodable(fold(text))
        begin = list(islice(self.continuing(f"{form} "), MOST + 1)) if form else []
        end = list(islice(self.ending(last_word(form)), MOST + 1)) if form else []
        if max(len(begin), len(end)) > MOST:
            return []
        forms = {f for f in begin if is_short(f)} | {f for f in end if f.endswith(f" {form}")}
        found = [NearName(0, *pair) for one in forms for pair in self.of(one).items()]
        return sorted(found) if len(found) <= _HOLDING else []


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
        return list(self._trie.prefixes(_encodable(text)))

    def continuing(self, text: str) -> Iterator[str]:
        yield from self._trie.iterkeys(_encodable(text))

    def ending(self, word: str) -> Iterator[str]:
        yield from self._last_words.get(word, ())

    @cached_property
    def _last_words(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for form in filter(is_short, self._same):
            found.setdefault(last_word(form), []).append(form)
        return found

    def of(self, form: str) -> Same:
        return self._same.get(_encodable(form), {})

    def near(self, text: str, edits: int) -> list[NearName]:
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
    """The names of an index: a base, and those that were added since, if any.

    Args:
        folder: that `write_table` wrote.
        names: of the same index.

    Raises:
        OSError, ValueError: a file is missing or damaged.
    """

    def __init__(self, folder: Path, names: Names):
        self._names = names
        self._parts = [_Part(folder)]
        if (folder / ADDED).exists():
            self._parts.append(_Part(folder / ADDED))
        self._recent = lru_cache(_RECENT)(self._of)

    def beginning(self, text: str) -> list[str]:
        text = _encodable(text)
        found = {form for part in self._parts for form in part.trie.prefixes(text)}
        if len(self._parts) > 1:  # the base has names that are gone
            found = {form for form in found if self.of(form)}
        return sorted(found, key=len)

    def continuing(self, text: str) -> Iterator[str]:
        base, *added = (part.trie for part in self._parts)
        yield from base.iterkeys(_encodable(text))
        for trie in added:
            yield from (form for form in trie.iterkeys(_encodable(text)) if form not in base)

    def ending(self, word: str) -> Iterator[str]:
        points = [point for part in self._parts for point in part.last_words.points(word)]
        forms = {_encodable(_form(text.text)) for text in self._names.texts(points).values()}
        yield from (form for form in forms if is_short(form) and last_word(form) == word)

    def of(self, form: str) -> Same:
        return self._recent(form)

    def _of(self, form: str) -> Same:
        form = _encodable(form)
        points = [point for part in self._parts for point in part.points_of(form)]
        if not points:
            return {}
        return {name: ids for _, name, ids in self._named(points)}

    def near(self, text: str, edits: int) -> list[NearName]:
        found = self.near_points(text, edits)
        return sorted(NearName(found[p], name, ids) for p, name, ids in self._named(found))

    def near_points(self, text: str, edits: int) -> dict[int, int]:
        """Edits by point of the names at most so many edits from a text.

        Raises:
            VectorIndexError: the names cannot be read.
        """
        form = normalise(text)
        near = [point for part in self._parts for point in part.spellings.near(form, edits)]
        texts = self._names.texts(near)
        return within(form, {p: normalise(t.text) for p, t in texts.items()}, edits)

    def _named(self, points: Iterable[int]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        texts: dict[int, Text] = self._names.texts(list(points))
        keys = self._names.keys(texts.values(), sys.maxsize)
        for point in sorted(texts):
            yield point, texts[point].text, tuple(sorted(keys[point]))


class _Part:
    """The files of one table; what they have of points that are gone is no matter."""

    def __init__(self, folder: Path):
        import marisa_trie

        try:
            self.trie = marisa_trie.Trie().mmap(str(folder / _TRIE))
        except RuntimeError as error:
            raise ValueError(f"{_TRIE}: {error}") from error
        self._starts, self._points = mapped(folder / _STARTS), mapped(folder / _POINTS)
        if len(self._starts) != len(self.trie) + 1 or self._starts[-1] != len(self._points):
            raise ValueError("its parts do not fit together")
        self.spellings = Spellings.open(folder)
        self.last_words = LastWords.open(folder)

    def points_of(self, form: str) -> list[int]:
        """The points of the names with a folded form."""
        number = self.trie.get(form)
        if number is None:
            return []
        points: list[int] = self._points[self._starts[number] : self._starts[number + 1]].tolist()
        return points


def open_table(folder: Path, names: Names) -> IndexedTable | None:
    """The table of a generation; None where it was made by a version that wrote none.

    Raises:
        OSError, ValueError: a file is missing or damaged.
    """
    return IndexedTable(folder, names) if folder.exists() else None


def has_table(folder: Path) -> bool:
    """Whether a table has all its files; one of an earlier version may lack some."""
    return all((folder.parent / name).exists() for name in BASE)


def copy_table(folder: Path, target: Path) -> None:
    """Begin a table with the base of another one, whose files are shared.

    Raises:
        OSError: a file cannot be written.
    """
    if has_table(folder):
        target.mkdir()
        for name in BASE:
            link(folder.parent / name, target.parent / name)


def write_table(folder: Path, file: sqlite3.Connection) -> None:
    """Write the table of the nodes in a ``names.db``, atomically.

    What is there already is of an earlier state of the same file. A point never gets another
    text, and later ones have greater numbers: so of few changes only what was added is written.

    Raises:
        OSError: the files cannot be written.
    """
    (count,) = file.execute("SELECT count(*) FROM texts").fetchone()
    drop(folder / ADDED)
    if (base := _extent(folder)) is not None:
        last = base["last"]
        (later,) = file.execute("SELECT count(*) FROM texts WHERE point > ?", (last,)).fetchone()
        gone = base["texts"] - (count - later)
        if not later and not gone:
            return
        if later + gone <= SHARE * base["texts"]:
            _write(folder / ADDED, file, last)
            return
    drop(folder)
    _write(folder, file, 0)


def _extent(folder: Path) -> dict[str, int] | None:
    """What the base covers; None where there is none, or it is damaged."""
    try:
        _Part(folder)
        found = json.loads((folder / _EXTENT).read_text("utf-8"))
        return {key: int(found[key]) for key in ("texts", "last")}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(folder: Path, file: sqlite3.Connection, after: int) -> None:
    """Write the table of the names of nodes after a point."""
    import marisa_trie

    fresh = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    (texts, last) = file.execute("SELECT count(*), coalesce(max(point), 0) FROM texts").fetchone()
    query = (
        "SELECT point, text FROM texts WHERE collection = 'nodes' AND keys > 0 AND point > ? "
        "ORDER BY point"
    )

    points, ends = array("q"), LastWords()
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=fresh) as folded:

        def names() -> Iterator[tuple[int, str]]:
            for point, text in file.execute(query, (after,)):
                if form := _form(text):
                    form = _encodable(form)
                    points.append(point)
                    folded.write(f"{form}\n")  # a form has no line break
                    ends.add(form, point)
                    yield point, normalise(text)

        def forms() -> Iterator[str]:  # read again each time: millions do not fit
            folded.seek(0)
            return (line[:-1] for line in folded)

        Spellings.of(names()).write(fresh)
        trie = marisa_trie.Trie(forms())
        numbers = np.fromiter(map(trie.__getitem__, forms()), np.int64, len(points))
    (fresh / _TRIE).write_bytes(trie.tobytes())
    counts = np.bincount(numbers, minlength=len(trie))
    np.save(fresh / _STARTS, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
    np.save(fresh / _POINTS, np.array(points, np.int64)[np.argsort(numbers, kind="stable")])
    ends.write(fresh)
    (fresh / _EXTENT).write_text(json.dumps({"texts": texts, "last": last}) + "\n", "utf-8")
    fresh.rename(folder)


def _is_slip(form: str, near: NearName) -> bool:
    """Whether a name two edits from a normalised text may be meant by it.

    Not where a short word would have both: North Korea is not South Korea.
    """
    other = normalise(near.name)
    if min(len(form), len(other)) < _SPELLED_WORSE:
        return False
    words, others = form.split(), other.split()
    return len(words) != len(others) or all(
        min(len(word), len(meant)) >= _SPELLED_WORSE or within(word, {0: meant}, 1)
        for word, meant in zip(words, others, strict=True)
    )


def _form(text: str) -> str:
    return fold(text) if len(text) <= LONGEST_NAME else ""


def _trie(forms: Iterable[str]) -> Any:
    import marisa_trie

    return marisa_trie.Trie(map(_encodable, forms))


def _encodable(text: str) -> str:
    return _UNFIT.sub("\ufffd", text)

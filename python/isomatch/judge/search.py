"""Searches that a judge checks facts with: over texts, and over the graph."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import numpy as np

from isomatch.errors import ConfigurationError, EmptyReferenceError
from isomatch.phrasing import clean
from isomatch.triples.features import Elements
from isomatch.triples.neighbourhood import neighbourhood

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import Matrix
    from isomatch.session import Session

PASSAGES = 5
LONGEST = 800  # characters of a passage
FILES = (".txt", ".md", ".rst")
_FUSION = 60  # of reciprocal ranks, as Cormack et al. (2009) have it
_FACTS = 20
_READ = 2_000  # facts that are read around what a query names
_NAME = 400
_NAMES = 3  # nearest ones, where a query has no name of the graph


class Search(Protocol):
    """A search for passages of text.

    Attributes:
        name: tells it, and what it searches, from another; verdicts are kept under it.
    """

    @property
    def name(self) -> str: ...

    def __call__(self, query: str, k: int = PASSAGES) -> Sequence[str]:
        """At most about ``k`` passages, the best first; none where nothing is found."""


class PassageSearch:
    """A search over texts, by their words and by vectors.

    Words are found by SQLite's full-text index (BM25), vectors by an embedder; a passage's
    place in both lists decides.

    Args:
        texts: each is cut into passages of at most 800 characters.
        embedder: None for words alone.

    Raises:
        EmptyReferenceError: the texts hold no words.
        ConfigurationError: SQLite is without its full-text search.
    """

    def __init__(self, texts: Sequence[str], embedder: Embedder | None = None):
        self.passages = [passage for text in texts for passage in passages_of(text)]
        self.embedder = embedder
        if not self.passages:
            raise EmptyReferenceError("there is no text to search: the texts are empty")
        self._lock = Lock()
        self._words = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            self._words.execute(
                "CREATE VIRTUAL TABLE passages USING fts5(text, "
                "tokenize = 'porter unicode61 remove_diacritics 2')"
            )
        except sqlite3.OperationalError as error:
            raise ConfigurationError(
                f"the SQLite of this Python has no full-text search, FTS5 ({error}): "
                "use a Python with it"
            ) from error
        rows = list(enumerate(self.passages, 1))
        self._words.executemany("INSERT INTO passages(rowid, text) VALUES (?, ?)", rows)

    @classmethod
    def of_folder(cls, folder: Path | str, embedder: Embedder | None = None) -> PassageSearch:
        """Over the text files of a folder and the folders in it, or over one file.

        Raises:
            EmptyReferenceError: there is no text in it.
            ConfigurationError: it is not there, or a file is not UTF-8.
        """
        return cls(texts_of(folder), embedder)

    @cached_property
    def name(self) -> str:
        """A digest of the passages, and the embedder."""
        digest = hashlib.sha256("\0".join(self.passages).encode(errors="replace")).hexdigest()
        return f"texts {digest[:16]} {self.embedder.name if self.embedder else 'words'}"

    def __call__(self, query: str, k: int = PASSAGES) -> list[str]:
        """See `Search`."""
        ranks: dict[int, float] = {}
        for found in (self._by_words(query, 4 * k), self._by_vectors(query, 4 * k)):
            for place, number in enumerate(found, 1):
                ranks[number] = ranks.get(number, 0.0) + 1 / (_FUSION + place)
        best = sorted(ranks, key=lambda number: (-ranks[number], number))[:k]
        return [self.passages[number] for number in best]

    def _by_words(self, query: str, most: int) -> list[int]:
        words = dict.fromkeys(re.findall(r"\w+", query.casefold()))
        if not words:
            return []
        either = " OR ".join(f'"{word}"' for word in words)
        statement = "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"
        with self._lock:
            return [row - 1 for (row,) in self._words.execute(statement, (either, most))]

    def _by_vectors(self, query: str, most: int) -> list[int]:
        if self.embedder is None or not query.strip():
            return []
        likeness = self._vectors @ self.embedder.embed([query])[0]
        return [int(number) for number in np.argsort(-likeness, kind="stable")[:most]]

    @cached_property
    def _vectors(self) -> Matrix:
        assert self.embedder is not None
        return self.embedder.embed(self.passages)


def texts_of(place: Path | str) -> list[str]:
    """The texts in a folder and the folders in it, or in one file.

    Raises:
        EmptyReferenceError: there is none.
        ConfigurationError: it is not there, or a file is not UTF-8.
    """
    place = Path(place)
    if not place.exists():
        raise ConfigurationError(f"no folder or file of texts: {place}")
    files = [place]
    if place.is_dir():
        files = sorted(file for file in place.rglob("*") if file.suffix.lower() in FILES)
    texts = []
    for file in files:
        try:
            texts.append(file.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{file} cannot be read as UTF-8 text: {error}") from error
    if not any(text.strip() for text in texts):
        kinds = ", ".join(FILES)
        raise EmptyReferenceError(f"{place} holds no text (files that end in {kinds})")
    return texts


def passages_of(text: str, longest: int = LONGEST) -> list[str]:
    """A text in passages: its paragraphs, and long ones cut between words.

    Example:
        >>> passages_of("One two three.\\n\\nFour.", longest=8)
        ['One two', 'three.', 'Four.']
    """
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        passage = ""
        for word in paragraph.split():
            if passage and len(passage) + 1 + len(word) > longest:
                found.append(passage)
                passage = ""
            passage = f"{passage} {word}" if passage else word
        found.append(passage)
    return [passage for passage in found if any(map(str.isalnum, passage))]


class GraphSearch:
    """A search over the facts of a graph: those around what a query names.

    Facts between two things that a query names come first, then those whose relation and
    ends are most like it. Where it has no name of the graph, the nearest names are taken.

    Args:
        facts: most of one search.
    """

    def __init__(self, session: Session, facts: int = _FACTS):
        self._session = session
        self._facts = facts

    @cached_property
    def name(self) -> str:
        """The graph's identity."""
        return f"graph {self._session.store.identity()}"

    def __call__(self, query: str, k: int = PASSAGES) -> list[str]:
        """See `Search`; a passage is a fact, and there are more of these than ``k``."""
        session = self._session
        named = dict.fromkeys(i for m in session.mentions.find(query) for i in m.ids)
        start = list(named) or self._nearest(query)
        if not start:
            return []
        resources = session.resources
        elements = resources.derived("elements", lambda: Elements(resources))
        hood = neighbourhood(
            session.store, session.schema, start, elements.names, hops=1, budget=_READ
        )
        if not len(hood):
            return []
        nodes, _ = elements.nodes(hood)
        asked = elements.question(query)
        ends = nodes @ asked
        score = ends[hood.heads] + ends[hood.tails] + (elements.relations(hood) @ asked)[hood.links]
        known = np.array([node in named for node in hood.nodes], bool)
        score = score + 3.0 * (known[hood.heads] & known[hood.tails])  # more than any likeness
        best = np.argsort(-score, kind="stable")[: max(self._facts, k)]
        relations = [session.schema.by_id[id].text for id in hood.relations]
        return [
            fact_line(
                hood.names[hood.heads[i]], relations[hood.links[i]], hood.names[hood.tails[i]]
            )
            for i in best
        ]

    def _nearest(self, query: str) -> list[str]:
        if not query.strip():
            return []
        return [found.id for found in self._session.find(query, kinds=("node",), limit=_NAMES)]


def fact_line(source: str, relation: str, target: str) -> str:
    """A fact as a judge is shown it.

    Example:
        >>> fact_line("Heat", "directed by", "Michael Mann")
        'Heat | directed by | Michael Mann'
    """
    return " | ".join(clean(text, _NAME) for text in (source, relation, target))

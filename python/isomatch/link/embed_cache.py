"""A cache of vectors by text, on disk and in memory."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from isomatch.errors import EmbeddingError

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import Matrix

FILE = "vectors.db"
_LOG = logging.getLogger(__name__)
_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'vectors'"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL,
    digest BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (embedder, digest)
) WITHOUT ROWID
"""


class CachedEmbedder:
    """An embedder with a cache of its vectors, on disk and in memory.

    On disk the key is the embedder's name and the sha256 of the text, so one
    file serves any number of embedders and processes. The vectors of the last texts
    are also held in memory. A file that cannot be written (read-only, disk
    full) is only read. Thread-safe.
    """

    def __init__(self, embedder: Embedder, path: Path | str | None = None, *, recent: int = 1024):
        """``path`` is the SQLite file; None caches in memory only."""
        self.embedder = embedder
        self._recent: OrderedDict[str, Matrix] = OrderedDict()
        self._most = recent
        self._lock = Lock()  # not held while texts are embedded, which takes longest
        self._path = None if path is None else Path(path)
        self._file = None if self._path is None else _open(self._path)

    @property
    def name(self) -> str:
        return self.embedder.name

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `Embedder.embed`."""
        import numpy as np

        with self._lock:
            found = {text: self._recent[text] for text in texts if text in self._recent}
            found.update(self._read([t for t in dict.fromkeys(texts) if t not in found]))
        made: dict[str, Matrix] = {}
        if missing := [t for t in dict.fromkeys(texts) if t not in found]:
            made = dict(zip(missing, self.embedder.embed(missing), strict=True))
            found.update(made)
        with self._lock:
            self._write(made)
            self._remember(found)
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([found[text] for text in texts])

    def _remember(self, found: dict[str, Matrix]) -> None:
        for text in list(found)[-self._most :]:
            self._recent[text] = found[text]
            self._recent.move_to_end(text)
        while len(self._recent) > self._most:
            self._recent.popitem(last=False)

    def _read(self, texts: list[str]) -> dict[str, Matrix]:
        import numpy as np

        if self._file is None:
            return {}
        found = {}
        with _cache_errors(self._path):
            for text in texts:
                row = self._file.execute(
                    "SELECT vector FROM vectors WHERE embedder = ? AND digest = ?",
                    (self.name, _digest(text)),
                ).fetchone()
                if row is not None:
                    vector = np.frombuffer(row[0], np.float32)
                    # Vectors have the length 1; that of an empty text may be 0.
                    length = float(vector @ vector)
                    if len(vector) != self.dimension or not (length == 0 or 0.99 < length < 1.01):
                        raise ValueError("it holds what is no vector of this embedder")
                    found[text] = vector
        return found

    def _write(self, vectors: dict[str, Matrix]) -> None:
        if self._file is None or not vectors:
            return
        rows = [(self.name, _digest(text), row.tobytes()) for text, row in vectors.items()]
        with _cache_errors(self._path):
            try:
                with self._file:
                    self._file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            except sqlite3.OperationalError as error:
                # The cache only saves time; the vectors are made again next time.
                _LOG.debug("the cache of vectors %s cannot be written: %s", self._path, error)

    def close(self) -> None:
        """Close the file and the embedder; safe to call twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self.embedder.close()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def word_embedder(embedder: Embedder, folder: Path) -> Embedder:
    """The embedder of what questions and relations say: MiniLM, beside static vectors of names.

    Their distances are compared with each other only, and never with those of names.

    Args:
        embedder: of the names.
        folder: of the cache.

    Raises:
        EmbeddingError: the model or the cache cannot be used.
    """
    from isomatch.link.embedder import built_in, open_embedder

    if built_in(embedder.name) != "static":
        return embedder
    return CachedEmbedder(open_embedder("minilm"), folder / FILE)


def _open(path: Path) -> sqlite3.Connection | None:
    """The file, for reading alone where it cannot be written; None where there is none then."""
    with _cache_errors(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = sqlite3.connect(path, check_same_thread=False)
            if file.execute(_TABLE).fetchone() is None:
                file.execute("PRAGMA journal_mode=WAL")  # readers and a writer at once
                file.execute(_SCHEMA)
            file.execute("PRAGMA synchronous=NORMAL")
        except (OSError, sqlite3.OperationalError) as error:
            _LOG.debug("the cache of vectors %s cannot be written: %s", path, error)
            if not path.is_file():
                return None
            place = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
            file = sqlite3.connect(place, uri=True, check_same_thread=False)
            if file.execute(_TABLE).fetchone() is None:
                return None
    return file


@contextmanager
def _cache_errors(path: Path | None) -> Iterator[None]:
    """Turn what goes wrong with the file into ours."""
    try:
        yield
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise EmbeddingError(
            f"the cache of vectors {path} cannot be used: {error}. "
            "Everything in it can be computed again: delete it"
        ) from error

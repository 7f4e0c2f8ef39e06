"""Sessions over the graphs of question sets, which are loaded and indexed once."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO, cast

from platformdirs import user_cache_path

from isomatch import factories
from isomatch.errors import StoreError, VectorIndexError
from isomatch.questions.datasets import Part
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

Progress = Callable[..., None]


def open_session(
    part: Part, home: Path | str | None, progress: Progress | None = None, **given: Any
) -> Session:
    """Open a session over the part's graph, held in memory.

    Args:
        home: the folder for graphs and indexes; None for the user's cache folder.
        progress: called with (texts embedded, total, texts per second) while the index
            is made.
        given: further settings by name.

    Raises:
        LoadError, VectorIndexError, EmbeddingError: graph or index could not be made.
    """
    settings = settings_for(part, home)
    try:
        return Session.open(settings, **given)
    except (StoreError, VectorIndexError):  # missing, incomplete, or of an older version
        with TemporaryDirectory() as folder:
            load(
                [_three_columns(part, Path(folder))],
                settings.graph_path,
                format="table",
                delimiter=part.delimiter,
                replace=True,
            )
        factories.make_index(settings, progress=progress)
        return Session.open(settings, **given)


def settings_for(part: Part, home: Path | str | None) -> Settings:
    """Settings of the home folder for the part's graph and its index.

    The folder's name has a hash of the graph's file and the embedder, so that another
    graph of the same name has a folder of its own.
    """
    if home is None:
        home = user_cache_path("isomatch") / "eval"
    base = Settings(memory=True, neo4j_uri=None, neo4j_vector_index=())
    content = hashlib.sha256(part.graph.read_bytes())
    embedder = "minilm" if base.embedder == "auto" else base.embedder  # as for graphs of this size
    content.update(f"{part.delimiter}\0{embedder}\0{base.qdrant_url}".encode())
    folder = Path(home) / f"{part.graph.stem}-{content.hexdigest()[:16]}"
    return base.model_copy(update={"home": folder})


def _three_columns(part: Part, folder: Path) -> Path:
    """The file of the graph, or a copy with its first three columns."""
    with _open_text(part.graph) as lines:
        if next(lines, "").count(part.delimiter) < 3:
            return part.graph
    copy = folder / "graph.txt"
    with _open_text(part.graph) as lines, copy.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(part.delimiter.join(line.rstrip("\r\n").split(part.delimiter)[:3]) + "\n")
    return copy


def _open_text(path: Path) -> TextIO:
    with path.open("rb") as start:
        compressed = start.read(2) == b"\x1f\x8b"
    if compressed:
        return cast("TextIO", gzip.open(path, "rt", encoding="utf-8"))
    return path.open(encoding="utf-8")

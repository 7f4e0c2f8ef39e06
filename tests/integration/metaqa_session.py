"""MetaQA as `isomatch load` loads it, with vectors of letters: loaded and indexed once a run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.servers import metaqa
from tests.servers.sessions import session_over
from tests.shared import made_once
from tests.unit.interpret.words_embedder import LettersEmbedder

from isomatch.link.index import Index
from isomatch.schema.cache import schema_for
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.base import Store
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore

NEEDED = [
    pytest.mark.slow,
    pytest.mark.skipif(not metaqa.DATA.exists(), reason=f"MetaQA is not here: {metaqa.DATA}"),
]


class Letters:
    """Vectors of letters: made in seconds for all of MetaQA, and the same everywhere."""

    name, dimension = "letters@1", 512

    def embed(self, texts: Sequence[str]) -> Any:
        return LettersEmbedder().embed(texts) if texts else np.zeros((0, 512), np.float32)

    def close(self) -> None:
        pass


@contextmanager
def metaqa_session(factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A session over a copy of the graph and its index."""
    home = factory.mktemp("metaqa")
    shutil.copytree(made_once(factory, "metaqa-letters", _make), home, dirs_exist_ok=True)
    settings, embedder = Settings(home=home), Letters()
    store = OxigraphStore.open(settings.graph_path)
    schema = schema_for(store, settings.schema_path)
    index = Index.open(settings.index_path, embedder=embedder, fingerprint=store.fingerprint())
    with Session(store, schema, index, embedder, settings=settings) as session:
        yield session


def _make(home: Path) -> None:
    graph = Settings(home=home).graph_path
    load([metaqa.DATA / "kb.txt"], graph, format="table", delimiter="|")
    session_over(OxigraphStore.open(graph), home, Letters()).close()


def over(store: Store, reference: Session) -> Session:
    """A session over the same graph by another store, with the reference's schema and index.

    It is not to be closed: the reference is, and the store where it holds anything.
    """
    return Session(
        store, reference.schema, reference.index, reference.embedder, settings=reference.settings
    )

"""Sessions over stores that a test or a benchmark has made itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from isomatch.link.build import Origin, build_index
from isomatch.link.embedder import Embedder
from isomatch.link.index import Index
from isomatch.schema.cache import schema_for
from isomatch.schema.names import names
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.base import Store


class KnownVectors:
    """An embedder that takes from a finished index what that holds, letter for letter.

    The same names in another store get the same vectors, and get them in seconds.
    """

    def __init__(self, index: Index, embedder: Embedder):
        self._index = index
        self._embedder = embedder
        self.name = embedder.name
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> Any:
        """See `Embedder.embed`."""
        import numpy as np

        vectors = self._index.vectors_of(texts)
        if missing := [text for text in texts if text not in vectors]:
            vectors.update(zip(missing, self._embedder.embed(missing), strict=True))
        return np.stack([vectors[text] for text in texts])

    def close(self) -> None:
        """Nothing: index and embedder are another session's."""


def session_over(store: Store, home: Path, embedder: Embedder) -> Session:
    """A session that has read the store's schema, and indexed its names under ``home``."""
    settings = Settings(home=home)
    schema = schema_for(store, settings.schema_path)
    fingerprint = store.fingerprint()
    build_index(
        settings.index_path, names(store, schema), schema, embedder, origin=Origin(fingerprint)
    )
    index = Index.open(settings.index_path, embedder=embedder, fingerprint=fingerprint)
    return Session(store, schema, index, embedder, settings=settings)

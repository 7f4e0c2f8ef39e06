"""Small indexes without a model: an embedder by digest, names, and a builder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from isomatch.link.build import Origin, build_index
from isomatch.link.index import Index
from isomatch.link.reading import IndexReport
from isomatch.schema.types import Relation, Schema, Type


class Name(NamedTuple):
    id: str
    text: str
    kind: str = "node"
    place: int = 0


class DigestEmbedder:
    """Few distinct directions, so that different texts often tie; counts its work."""

    def __init__(
        self, dimension: int = 3, *, name: str = "digest@1", fail_after: int | None = None
    ):
        self.name = name
        self.dimension = dimension
        self.embedded: list[str] = []
        self.fail_after = fail_after

    def embed(self, texts: Sequence[str]) -> Any:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            if self.fail_after is not None and len(self.embedded) >= self.fail_after:
                raise RuntimeError("stopped here")
            self.embedded.append(text)
            # As a real model would: case does not count.
            digest = hashlib.shake_256(text.lower().encode()).digest(self.dimension)
            row[:] = [byte % 4 - 1.5 for byte in digest]
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def close(self) -> None:
        pass


def schema_of(
    relations: Sequence[tuple[str, str]] = (("urn:r", "directed by"),),
    types: Sequence[tuple[str, str]] = (),
    fingerprint: str = "f1",
) -> Schema:
    return Schema(
        fingerprint=fingerprint,
        triples=0,
        nodes=0,
        relations=tuple(Relation(id, text, 1) for id, text in relations),
        types=tuple(Type(id, text, 1) for id, text in types),
    )


def build(
    folder: Path,
    names: Sequence[Name],
    schema: Schema | None = None,
    embedder: Any = None,
    *,
    page: int = 7,
    without_nodes: bool = False,
    **options: Any,
) -> IndexReport:
    pages = [names[i : i + page] for i in range(0, len(names), page)]
    origin = Origin(without_nodes=without_nodes)
    return build_index(
        folder, pages, schema or schema_of(), embedder or DigestEmbedder(), origin=origin, **options
    )


def content(folder: Path, embedder: Any = None, **options: Any) -> dict[str, Any]:
    """Everything that an index answers with, without its internal numbers."""
    embedder = embedder or DigestEmbedder()
    with Index.open(folder, embedder=embedder, **options) as index:
        vectors: dict[str, list[float]] = {}
        names = {}
        for collection in ("nodes", "relations", "types"):
            entries = sorted(index.all_names(collection))
            names[collection] = entries
            texts = [text for text, _ in entries]
            found = index.vectors_of(texts)
            vectors.update({text: found[text].tolist() for text in texts})
            hits = index.search(collection, np.zeros((1, embedder.dimension), np.float32), 10_000)
            points = hits[0][0].tolist()
            assert len(points) == index.count(collection) == len(set(texts))
            assert sorted(t.text for t in index.texts(points).values()) == sorted(set(texts))
        literals = sorted(index._names.file.execute("SELECT key, kind, number, iso FROM literals"))
        return {"names": names, "vectors": vectors, "literals": literals}

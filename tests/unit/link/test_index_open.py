"""What is refused when an index is opened or synced, in exact words."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import Any

import pytest
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.errors import VectorIndexError
from isomatch.link.candidates import Page
from isomatch.link.index import Index
from isomatch.link.qdrant import QdrantHome

NAMES = [Name("urn:heat", "Heat")]


def _refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(VectorIndexError) as caught:
        call()
    return str(caught.value)


def _edit(folder: Path, **changes: Any) -> None:
    path = folder / "manifest.json"
    data = json.loads(path.read_text())
    data.update(changes)
    path.write_text(json.dumps({key: value for key, value in data.items() if value is not None}))


def test_a_missing_index_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        assert _refusal(lambda f=folder: Index.open(f, embedder=DigestEmbedder())) == (
            f"no index in {folder}: run `isomatch index`"
        )
    assert not (tmp_path / "none").exists()


def test_a_half_written_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        build(tmp_path, NAMES, embedder=DigestEmbedder(fail_after=1))
    assert _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder())) == (
        f"the index in {tmp_path} is half-written: its first build did not finish. "
        "Run `isomatch index`: it continues where it stopped"
    )


def test_an_index_of_another_embedder_is_refused(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    other = DigestEmbedder(name="digest@2")
    assert _refusal(lambda: Index.open(tmp_path, embedder=other)) == (
        f"the index in {tmp_path} was made with the embedder 'digest@1', but 'digest@2' is in "
        "use: use the former, or run `isomatch index` to rebuild the index"
    )
    assert _refusal(lambda: build(tmp_path, NAMES, embedder=other, sync=True)) == (
        f"the index in {tmp_path} was made with the embedder 'digest@1' and cannot be synced "
        "with 'digest@2': run `isomatch index` to rebuild it"
    )
    build(tmp_path, NAMES, embedder=other)
    Index.open(tmp_path, embedder=other).close()


def test_an_index_of_another_dimension_is_refused(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    assert _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder(4))) == (
        f"the index in {tmp_path} has vectors of 3 numbers (Euclid), the embedder 'digest@1' "
        "makes 4 (Euclid): run `isomatch index` to rebuild the index"
    )


def test_an_index_of_another_graph_is_refused(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    embedder = DigestEmbedder()
    assert _refusal(lambda: Index.open(tmp_path, embedder=embedder, fingerprint="f2")) == (
        f"the graph has changed since the index in {tmp_path} was made, or is another "
        "(fingerprint 'f1' then, 'f2' now): run `isomatch index --sync`, or name the right "
        "folder with --home"
    )
    assert _refusal(
        lambda: Index.open(tmp_path, embedder=embedder, fingerprint="f1 without a b")
    ) == (
        f"the index in {tmp_path} was made with other settings exclude or subclasses (left out: "
        "nothing then, a b now): run `isomatch index`, or set them as they were"
    )
    build(tmp_path, NAMES, schema_of(fingerprint="f2"), sync=True)
    Index.open(tmp_path, embedder=embedder, fingerprint="f2").close()


def test_an_index_of_another_vector_store_is_refused(tmp_path: Path) -> None:
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    server = QdrantHome(client=client)
    build(tmp_path, NAMES)
    assert _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder(), vectors=server)) == (
        f"the index in {tmp_path} has its vectors in 'edge', but 'qdrant' is in use: set or "
        "unset QDRANT_URL, or run `isomatch index` to rebuild the index"
    )
    assert _refusal(lambda: build(tmp_path, NAMES, vectors=server, sync=True)) == (
        f"the index in {tmp_path} has its vectors in 'edge' and cannot be synced with 'qdrant': "
        "run `isomatch index` to rebuild it"
    )
    client.close()


def test_an_index_of_another_format_is_refused(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    _edit(tmp_path, format=9)
    assert _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder())) == (
        f"the index in {tmp_path} has format 9, this version of isomatch reads 4: "
        "run `isomatch index` to rebuild it"
    )


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}'])
def test_a_damaged_manifest_is_refused_until_a_rebuild(tmp_path: Path, text: str) -> None:
    build(tmp_path, NAMES)
    (tmp_path / "manifest.json").write_text(text)
    assert "`isomatch index`" in _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder()))
    assert "`isomatch index`" in _refusal(lambda: build(tmp_path, NAMES, sync=True))
    build(tmp_path, NAMES)
    Index.open(tmp_path, embedder=DigestEmbedder()).close()


@pytest.mark.parametrize("damage", ["names.db", "vectors", "vectors/nodes"])
@pytest.mark.parametrize("how", ["gone", "garbage"])
def test_damaged_files_are_refused_with_their_folder(tmp_path: Path, damage: str, how: str) -> None:
    import shutil

    build(tmp_path, NAMES)
    path = tmp_path / "g1" / damage
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    if how == "garbage":
        path.write_bytes(b"garbage" * 1000)
    message = _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder()))
    assert str(tmp_path) in message
    assert "`isomatch index`" in message
    build(tmp_path, NAMES)
    Index.open(tmp_path, embedder=DigestEmbedder()).close()


def test_lost_vectors_are_refused_with_their_number(tmp_path: Path) -> None:
    build(tmp_path, NAMES)
    _edit(tmp_path, counts={"nodes": 5, "relations": 1})
    assert _refusal(lambda: Index.open(tmp_path, embedder=DigestEmbedder())) == (
        f"the index in {tmp_path} is damaged: 1 of 5 vectors of nodes are there. "
        "Run `isomatch index` to rebuild it"
    )


class Elsewhere:
    """A place where nodes are found that has none."""

    setting = "ISOMATCH_TEXT_SEARCH"

    def pages(
        self, vectors: Any, limit: int, *, exact: bool = False, texts: Sequence[str] = ()
    ) -> list[Page]:
        return [Page((), inf) for _ in vectors]


def test_nodes_in_the_index_or_elsewhere(tmp_path: Path) -> None:
    embedder, elsewhere = DigestEmbedder(), Elsewhere()
    build(tmp_path, NAMES)
    assert _refusal(lambda: Index.open(tmp_path, embedder=embedder, nodes=elsewhere)) == (
        f"the index in {tmp_path} has the nodes itself, but ISOMATCH_TEXT_SEARCH asks for others: "
        "unset it, or run `isomatch index` to rebuild the index, without them"
    )
    build(tmp_path, NAMES, without_nodes=True)
    assert _refusal(lambda: Index.open(tmp_path, embedder=embedder)) == (
        f"the index in {tmp_path} was made without nodes, for a database that finds them itself: "
        "set ISOMATCH_NEO4J_VECTOR_INDEX to its vector index, or ISOMATCH_TEXT_SEARCH to true for "
        "an endpoint's search; or run `isomatch index` to rebuild the index"
    )
    Index.open(tmp_path, embedder=embedder, nodes=elsewhere).close()

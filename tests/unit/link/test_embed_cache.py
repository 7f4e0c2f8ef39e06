"""Vectors cached by content: what is asked of the embedder, and what is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.unit.link.tiny_index import DigestEmbedder

from isomatch.errors import EmbeddingError
from isomatch.link.embed_cache import CachedEmbedder


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_text_is_embedded_once(tmp_path: Path, on_disk: bool) -> None:
    inner = DigestEmbedder()
    cached = CachedEmbedder(inner, tmp_path / "sub" / "cache.db" if on_disk else None)
    rows = cached.embed(["Heat", "Ali", "Heat"])
    np.testing.assert_array_equal(rows, DigestEmbedder().embed(["Heat", "Ali", "Heat"]))
    np.testing.assert_array_equal(cached.embed(["Ali", "Blow", "Heat"])[[2, 0]], rows[:2])
    assert inner.embedded == ["Heat", "Ali", "Blow"]
    assert (cached.name, cached.dimension) == (inner.name, inner.dimension)
    assert cached.embed([]).shape == (0, 3)
    cached.close()
    cached.close()


def test_the_file_serves_later_processes_and_other_embedders(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    CachedEmbedder(DigestEmbedder(), path).embed(["Heat", "a\x00b", "🎬" * 9])
    again, other = DigestEmbedder(), DigestEmbedder(4, name="digest@2")
    rows = CachedEmbedder(again, path).embed(["🎬" * 9, "a\x00b"])
    assert again.embedded == []
    np.testing.assert_array_equal(rows, DigestEmbedder().embed(["🎬" * 9, "a\x00b"]))
    assert CachedEmbedder(other, path).embed(["Heat"]).shape == (1, 4)
    assert other.embedded == ["Heat"]


def test_memory_holds_only_the_last_texts() -> None:
    inner = DigestEmbedder()
    cached = CachedEmbedder(inner, recent=2)
    cached.embed(["a", "b", "c"])
    cached.embed(["c", "b"])
    assert inner.embedded == ["a", "b", "c"]
    cached.embed(["a"])
    assert inner.embedded == ["a", "b", "c", "a"]


def test_two_writers_at_once(tmp_path: Path) -> None:
    one, other = (CachedEmbedder(DigestEmbedder(), tmp_path / "cache.db") for _ in range(2))
    one.embed(["Heat"])
    other.embed(["Ali"])
    assert one.embed(["Ali"]).shape == (1, 3)
    assert one.embedder.embedded == ["Heat"]


def test_a_file_that_is_no_cache(tmp_path: Path) -> None:
    path = tmp_path / "cache.db"
    path.write_text("garbage" * 1000)
    with pytest.raises(EmbeddingError, match=f"{path} cannot be used: .* delete it"):
        CachedEmbedder(DigestEmbedder(), path)

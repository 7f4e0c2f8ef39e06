"""Vectors cached by content: what is asked of the embedder, and what is kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

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


def test_two_writers_share_one_cache(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE vectors SET vector = x'00'",
        "UPDATE vectors SET vector = x'0000803f0000803f0000803f'",
        "UPDATE vectors SET vector = x'0000c07f0000c07f0000c07f'",
        "UPDATE vectors SET vector = x'0000803f'",
        "UPDATE vectors SET vector = 7",
        "ALTER TABLE vectors RENAME vector TO other",
    ],
)
def test_a_cache_with_what_is_no_vector_is_told_in_words(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "cache.db"
    made = CachedEmbedder(DigestEmbedder(), path)
    made.embed(["Heat"])
    made.close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(statement)
    with pytest.raises(EmbeddingError, match=f"{path} cannot be used: .* delete it"):
        CachedEmbedder(DigestEmbedder(), path).embed(["Heat"])


def test_a_cache_that_cannot_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cache.db"
    made = CachedEmbedder(DigestEmbedder(), path)
    made.embed(["Heat"])
    made.close()
    connect = sqlite3.connect

    def read_only(place: object, **options: Any) -> sqlite3.Connection:
        if not str(place).endswith("immutable=1"):
            raise sqlite3.OperationalError("unable to open database file")
        return connect(str(place), **options)

    monkeypatch.setattr("sqlite3.connect", read_only)
    inner = DigestEmbedder()
    cached = CachedEmbedder(inner, path)
    assert cached.embed(["Heat", "Ali"]).shape == (2, 3)
    assert inner.embedded == ["Ali"]


def test_a_cache_without_a_place_is_held_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    inner = DigestEmbedder()
    cached = CachedEmbedder(inner, tmp_path / "file" / "cache.db")
    cached.embed(["Heat"])
    cached.embed(["Heat"])
    assert inner.embedded == ["Heat"]

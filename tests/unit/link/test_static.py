"""The static embedder, over token vectors made up here: no model is run."""

from __future__ import annotations

import json
import string
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tokenizers import Tokenizer

from isomatch.errors import EmbeddingError
from isomatch.link import static
from isomatch.link.minilm import tokenizer_file
from isomatch.link.normalise import beginnings
from isomatch.link.static import StaticEmbedder, distil

TOKENIZER = Tokenizer.from_file(str(tokenizer_file()))
UUIDS = ["6f1c1e6a-2b7e-4d0b-9a65-1b8f0f2f7c11", "6f1c1e6a-2b7e-4d0b-9a65-1b8f0f2f7c12"]
TEXTS = [
    *("Heat", "Michael Mann", "Mann Michael", "directed by", "", "a", "שלום", "🎬", "🎥", "渋谷"),
    *("The Lord of the Rings: The Two Towers", "Amélie", "x" * 5000, "word " * 2000, *UUIDS),
]


class MadeUp:
    """Token vectors at random, of fewer directions than MiniLM's; counts its work."""

    def __init__(self, seed: int = 0, directions: int = 300):
        self.seed = seed
        self.directions = directions
        self.asked = self.closed = 0

    def token_vectors(self) -> tuple[dict[str, int], Any]:
        self.asked += 1
        vocabulary = TOKENIZER.get_vocab()
        random = np.random.default_rng(self.seed)
        rows = random.normal(1, 1, (len(vocabulary), self.directions))
        return vocabulary, (rows * np.linspace(2, 0.1, self.directions)).astype(np.float32)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(cache: Path) -> StaticEmbedder:
    return StaticEmbedder(cache=cache, model=MadeUp())


def expected(text: str, vectors: Any) -> Any:
    """The vector of a text, by the definition."""
    (text,) = beginnings([text])
    marks = [0] * static.COMPONENTS
    ids = TOKENIZER.encode(text, add_special_tokens=False).ids[: static.MOST_TOKENS]
    meaning = sum((vectors[id].astype(np.float64) for id in ids), np.array(marks, float))
    spelling = np.zeros(static.LETTERS)
    spaced = f" {TOKENIZER.normalizer.normalize_str(text).strip()} "
    for size in (2, 3):
        for start in range(len(spaced) - size + 1):
            code = 0
            for character in spaced[start : start + size]:
                code = ((code ^ ord(character)) * 0x9E3779B97F4A7C15) % 2**64
                code ^= code >> 29
            spelling[code % static.LETTERS] += -1 if code >> 40 & 1 else 1
    parts = [(meaning, 1 - static.SHARE), (spelling, static.SHARE)]
    row = np.hstack([v / max(np.linalg.norm(v), 1e-12) * share**0.5 for v, share in parts])
    return row / np.linalg.norm(row)


def test_vectors_are_as_defined(embedder: StaticEmbedder) -> None:
    rows = embedder.embed(TEXTS)
    vectors = distil(MadeUp())
    assert (rows.shape, rows.dtype) == ((len(TEXTS), 384), np.float32)
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_allclose(row, expected(text, vectors), atol=2e-6, err_msg=text)
    assert embedder.embed([]).shape == (0, 384)


def test_sums_of_tokens_are_those_of_earlier_versions_to_the_bit(embedder: StaticEmbedder) -> None:
    """An index has their vectors, and the same text must be at distance 0 of its own."""
    embedder.embed([])
    random = np.random.default_rng(1)
    ids = [random.integers(0, 30_000, size).tolist() for size in [*range(20), 256, 0, 3]]
    sums = embedder._sums(ids)
    for row, some in zip(sums, ids, strict=True):
        vectors = embedder._tokens[some]
        expected = np.add.reduceat(vectors, [0], axis=0)[0] if some else np.zeros_like(row)
        np.testing.assert_array_equal(row, expected)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.text(string.printable + "éüßœ渋谷🎬", max_size=40), max_size=30))
def test_a_static_row_is_the_same_in_every_batch(
    embedder: StaticEmbedder, texts: list[str]
) -> None:
    together = embedder.embed(texts)
    assert np.isfinite(together).all()
    for text, row in zip(texts, together, strict=True):
        np.testing.assert_array_equal(row, embedder.embed([text])[0])


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.text(string.printable + "[]é渋", max_size=60) | st.just("a [MASK]b'C " * 200)))
def test_tokens_of_remembered_words_are_those_of_the_whole_text(
    embedder: StaticEmbedder, texts: list[str]
) -> None:
    embedder.embed([])
    plain = [TOKENIZER.normalizer.normalize_str(text) for text in texts]
    assert [embedder._plain(text) for text in texts] == plain
    assert embedder._ids(texts, plain) == embedder._encoded(texts)


def test_threads_do_not_clear_words_of_each_other(
    embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "MOST_WORDS", 50)
    parts = [[f"w{part}x{number} of it" for number in range(60)] for part in range(40)]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(embedder.embed, parts))
    for texts, some in zip(parts, rows, strict=True):
        np.testing.assert_array_equal(some, embedder.embed(texts))


def test_many_texts_are_embedded_in_parts(
    embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = embedder.embed(TEXTS)
    for most in (1, 7, 6000):
        monkeypatch.setattr(static, "MOST_CHARACTERS", most)
        np.testing.assert_array_equal(embedder.embed(TEXTS), whole)


def test_other_texts_are_not_at_distance_zero(embedder: StaticEmbedder) -> None:
    rows = embedder.embed(TEXTS)
    apart = np.linalg.norm(rows[:, None] - rows[None], axis=2)
    np.fill_diagonal(apart, 1)
    assert apart.min() > 1e-2
    upper = embedder.embed(["HEAT", "amelie"])
    np.testing.assert_array_equal(upper, embedder.embed(["Heat", "Amélie"]))


def test_a_word_with_one_letter_wrong_is_nearer_than_another(embedder: StaticEmbedder) -> None:
    right, wrong, other = embedder.embed(["Schwarzenegger", "Schwarzeneger", "Kieslowski"])
    assert np.linalg.norm(right - wrong) < np.linalg.norm(right - other) - 0.1


def test_vectors_of_tokens_are_principal_components_weighed_by_rank() -> None:
    model = MadeUp(1)
    vectors = distil(model)
    assert (model.asked, model.closed) == (1, 1)
    vocabulary, states = model.token_vectors()
    ids = [id for word, id in sorted(vocabulary.items(), key=lambda p: p[1]) if len(word) == 1]
    marks = [word for word in vocabulary if word.startswith("[") and len(word) > 1]
    assert "[UNK]" in marks
    assert not vectors[[vocabulary[word] for word in marks]].any()
    words = np.array(
        [i for w, i in sorted(vocabulary.items(), key=lambda p: p[1]) if w not in marks]
    )
    centred = states[words].astype(float) - states[words].astype(float).mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    ranks = {id: rank for rank, id in enumerate(words)}
    total = sum(1 / (rank + 2) for rank in range(len(words)))
    for id in [ids[0], ids[-1], words[-1]]:
        weight = 1e-4 / (1e-4 + 1 / (ranks[id] + 2) / total)
        found = np.abs(centred[ranks[id]] @ axes[:256].T) * weight
        np.testing.assert_allclose(np.abs(vectors[id]), found, rtol=2e-3, atol=1e-4)


def test_distilled_once_and_the_same_again(tmp_path: Path) -> None:
    first, second = MadeUp(), MadeUp()
    one = StaticEmbedder(cache=tmp_path / "a", model=first)
    rows = one.embed(TEXTS)
    again = StaticEmbedder(cache=tmp_path / "a", model=second)
    np.testing.assert_array_equal(again.embed(TEXTS), rows)
    assert (first.asked, second.asked) == (1, 0)
    elsewhere = StaticEmbedder(cache=tmp_path / "b", model=MadeUp())
    assert elsewhere.name == one.name == again.name
    assert one.name.startswith("static-minilm@")
    assert StaticEmbedder(cache=tmp_path / "c", model=MadeUp(seed=2)).name != one.name
    one.close()
    one.close()
    np.testing.assert_array_equal(one.embed(TEXTS), rows)
    files = [path.read_bytes() for path in sorted((tmp_path / "a").glob("*/*"))]
    assert files == [path.read_bytes() for path in sorted((tmp_path / "b").glob("*/*"))]
    assert len(files) == 3


@pytest.mark.parametrize("damage", ["model.safetensors", "config.json"])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: str) -> None:
    name = StaticEmbedder(cache=tmp_path, model=MadeUp()).name
    (path,) = tmp_path.glob(f"*/{damage}")
    data = path.read_bytes()
    path.write_bytes(data[:-9] + b"damaged!!")
    model = MadeUp()
    assert StaticEmbedder(cache=tmp_path, model=model).name == name
    assert model.asked == 1
    assert json.loads((path.parent / "config.json").read_text())["sha256"].startswith(name[-12:])


def test_vectors_that_cannot_be_kept_are_used(tmp_path: Path, embedder: StaticEmbedder) -> None:
    (tmp_path / "file").write_text("no folder")
    found = StaticEmbedder(cache=tmp_path / "file" / "models", model=MadeUp())
    assert found.name == embedder.name


def test_a_model_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    class Broken(MadeUp):
        def token_vectors(self) -> tuple[dict[str, int], Any]:
            raise EmbeddingError("the embedding model failed: no memory")

    model = Broken()
    with pytest.raises(EmbeddingError, match="no memory"):
        StaticEmbedder(cache=tmp_path, model=model).embed(["Heat"])
    assert model.closed == 1
    assert not list(tmp_path.iterdir())

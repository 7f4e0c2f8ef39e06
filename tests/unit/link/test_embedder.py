"""Embedders: the default model, endpoints over a fake transport, and the rest's errors."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from isomatch.errors import ConfigurationError, EmbeddingError, MissingExtraError
from isomatch.link.embedder import OpenAIEmbedder, SentenceTransformerEmbedder, open_embedder
from isomatch.link.minilm import OnnxEmbedder
from isomatch.link.normalise import LONGEST

NAMES = [
    *("Heat", "Michael Mann", "The Lord of the Rings: The Two Towers", "", "שלום", "🎬", "a\nb"),
    *("directed by", "was the director of", "release year", "x" * 5000, "word " * 2000),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def minilm(cache: Path) -> Iterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(cache=cache)
    yield embedder
    embedder.close()
    embedder.close()


def test_minilm_vectors_have_length_one(minilm: OnnxEmbedder) -> None:
    rows = minilm.embed(NAMES)
    assert rows.shape == (len(NAMES), minilm.dimension) == (len(NAMES), 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert minilm.embed([]).shape == (0, 384)


def test_minilm_knows_what_is_alike(minilm: OnnxEmbedder) -> None:
    film, paraphrase, other = minilm.embed(["directed by", "was the director of", "release year"])
    assert np.linalg.norm(film - paraphrase) < np.linalg.norm(film - other) - 0.1


def test_a_row_does_not_depend_on_its_batch(minilm: OnnxEmbedder) -> None:
    together = minilm.embed([*NAMES, *(f"name {n}" for n in range(100)), *NAMES])
    for number, name in enumerate(NAMES):
        alone = minilm.embed([name])[0]
        assert np.abs(together[number] - alone).max() < 1e-6
        assert np.abs(together[len(NAMES) + 100 + number] - alone).max() < 1e-6


def test_minilm_is_loaded_from_what_was_prepared(tmp_path: Path) -> None:
    first = OnnxEmbedder(cache=tmp_path, threads=1)
    rows = first.embed(NAMES)
    first.close()  # else it would be shared
    (prepared,) = tmp_path.iterdir()
    before = (prepared / "model.onnx").stat().st_mtime_ns
    again = OnnxEmbedder(cache=tmp_path, threads=1)
    np.testing.assert_allclose(again.embed(NAMES), rows, atol=1e-6)
    assert (prepared / "model.onnx").stat().st_mtime_ns == before


def test_embedders_share_one_model(minilm: OnnxEmbedder, cache: Path) -> None:
    rows = minilm.embed(["Heat"])
    other = OnnxEmbedder(cache=cache, threads=1)
    other.embed(["Heat"])
    assert other._loaded() is minilm._loaded()
    other.close()
    np.testing.assert_array_equal(minilm.embed(["Heat"]), rows)


@pytest.mark.parametrize("damage", ["model.onnx", "weights.bin"])
def test_a_damaged_preparation_is_made_again(tmp_path: Path, damage: str) -> None:
    first = OnnxEmbedder(cache=tmp_path)
    rows = first.embed(["Heat"])
    first.close()
    (prepared,) = tmp_path.iterdir()
    (prepared / damage).write_bytes(b"garbage")
    np.testing.assert_array_equal(OnnxEmbedder(cache=tmp_path).embed(["Heat"]), rows)


def test_a_cache_that_cannot_be_written(tmp_path: Path, minilm: OnnxEmbedder) -> None:
    (tmp_path / "file").write_text("no folder")
    rows = OnnxEmbedder(cache=tmp_path / "file" / "models").embed(["Heat"])
    np.testing.assert_array_equal(rows, minilm.embed(["Heat"]))


def test_embedders_are_opened_by_name() -> None:
    minilm = open_embedder("minilm")
    assert minilm.name.startswith("all-MiniLM-L6-v2-onnx-int8@8199be6f")
    assert open_embedder().name == minilm.name
    assert open_embedder("openai:text-embedding-3-small").name == "openai:text-embedding-3-small"
    for wrong in ("", "minilm:x", "openai:", "openai", "word2vec"):
        with pytest.raises(ConfigurationError, match="no embedder"):
            open_embedder(wrong)


def test_sentence_transformers_is_an_extra() -> None:
    if importlib.util.find_spec("sentence_transformers") is not None:
        pytest.skip("sentence-transformers is installed")
    with pytest.raises(MissingExtraError) as caught:
        SentenceTransformerEmbedder("all-MiniLM-L6-v2").embed(["Heat"])
    assert str(caught.value) == (
        "the embedder 'sentence-transformers:all-MiniLM-L6-v2' needs torch and "
        "sentence-transformers: pip install isomatch[torch]"
    )


Reply = Callable[[httpx.Request], httpx.Response]


def endpoint(reply: Reply, **settings: Any) -> OpenAIEmbedder:
    client = httpx.Client(transport=httpx.MockTransport(reply))
    return OpenAIEmbedder("m", base_url="http://model.test/v1", http_client=client, **settings)


def vectors(request: httpx.Request) -> httpx.Response:
    """Like a real endpoint, but in another order: (length of the text, 1)."""
    texts = json.loads(request.content)["input"]
    data = [
        {"object": "embedding", "index": i, "embedding": [len(text), 1.0]}
        for i, text in enumerate(texts)
    ]
    body = {"object": "list", "model": "m", "data": data[::-1], "usage": {}}
    return httpx.Response(200, json=body)


def test_an_endpoint_is_asked_in_batches() -> None:
    sent: list[Any] = []

    def reply(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        assert request.url == "http://model.test/v1/embeddings"
        return vectors(request)

    embedder = endpoint(reply, dimensions=2)
    texts = [" ", *("x" * (n % 7 + 1) for n in range(299))]
    rows = embedder.embed(texts)
    assert [len(s["input"]) for s in sent] == [256, 44]
    assert sent[0]["input"][0] == "-"
    assert sent[0]["model"] == "m"
    assert sent[0]["dimensions"] == 2
    expected = np.array([[max(len(t), 1), 1] for t in texts], np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert (embedder.dimension, embedder.name) == (2, "openai:m/2")
    assert len(sent) == 2
    embedder.close()
    embedder.close()


def test_an_endpoint_that_fails_twice_is_asked_again() -> None:
    failures = iter([500, 429])

    def reply(request: httpx.Request) -> httpx.Response:
        status = next(failures, 200)
        if status == 200:
            return vectors(request)
        return httpx.Response(status, headers={"retry-after-ms": "1"}, json={"error": "busy"})

    assert endpoint(reply).embed(["Heat"]).shape == (1, 2)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda r: httpx.Response(401, json={"error": {"message": "no key"}}), "no key"),
        (lambda r: httpx.Response(200, json={"data": []}), "0 vectors|no embeddings|No embedding"),
        (lambda r: httpx.Response(200, json={"nonsense": 1}), "no embeddings|No embedding"),
        (lambda r: httpx.Response(200, text="<html>"), "no embeddings|failed"),
    ],
)
def test_an_endpoint_that_answers_nonsense(reply: Reply, words: str) -> None:
    with pytest.raises(EmbeddingError, match=words) as caught:
        endpoint(reply).embed(["Heat"])
    assert "http://model.test/v1 (model 'm')" in str(caught.value)


def test_an_endpoint_that_is_down() -> None:
    calls = []

    def reply(request: httpx.Request) -> httpx.Response:
        calls.append(request)
        raise httpx.ConnectError("refused")

    with pytest.raises(EmbeddingError, match="failed: Connection error"):
        endpoint(reply, retries=1).embed(["Heat"])
    assert len(calls) == 2


def test_only_the_beginning_of_a_long_text_is_looked_at(minilm: OnnxEmbedder) -> None:
    text = "lorem ipsum dolor " * 300_000
    np.testing.assert_array_equal(minilm.embed([text]), minilm.embed([text[:LONGEST]]))

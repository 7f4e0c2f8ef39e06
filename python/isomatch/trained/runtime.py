"""Inference of a trained chain model by onnxruntime, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch import cancel
from isomatch.errors import ArtifactError
from isomatch.onnx import onnx_runtime

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENCODER = "encoder.onnx"
DECODER = "decoder.onnx"
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Encoded:
    """Encoded texts.

    Attributes:
        memory: the decoder's input, (texts, tokens, numbers).
        mask: 0 for padding, else 1: (texts, tokens).
        past: cached keys and values of chains, by text and steps.
    """

    memory: NDArray[np.float32]
    mask: NDArray[np.int64]
    past: dict[tuple[int, bytes], NDArray[np.float32]] = field(default_factory=dict)


class ChainModel:
    """The encoder and decoder of an artifact; each runs in one thread.

    Raises:
        ArtifactError: a file is missing or damaged.
    """

    def __init__(self, folder: Path):
        from tokenizers import Tokenizer

        for name in (TOKENIZER, ENCODER, DECODER):
            if not (folder / name).is_file():
                raise ArtifactError(
                    f"{folder / name} is missing: train the model again, or go on with "
                    "`isomatch train gsr --resume`"
                )
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
            self._encoder = _session(folder / ENCODER)
            self._decoder = _session(folder / DECODER)
            past = [i for i in self._decoder.get_inputs() if i.name == "past"]
            self._kept = int(past[0].shape[-1]) if past else None
        except Exception as error:
            raise ArtifactError(
                f"the model in {folder} cannot be loaded: {error}. Train it again"
            ) from error

    def encode(self, texts: Sequence[str]) -> Encoded:
        rows = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask}
        memory: NDArray[np.float32] = self._encoder.run(["memory"], inputs)[0]
        return Encoded(memory, mask)

    def decode_last(self, encoded: Encoded, steps: NDArray[np.int64]) -> NDArray[np.float32]:
        """`decode`, also of a model that gives the log-probabilities after each place."""
        found = self.decode(encoded, steps)
        return found if found.ndim == 3 else found[:, :, -1]

    def decode(self, encoded: Encoded, steps: NDArray[np.int64]) -> NDArray[np.float32]:
        """Log-probabilities of the next number: (texts, chains, places) → (…, numbers).

        Keys and values of a chain are cached for longer ones. Rows that are all `BEGIN`
        fill up a short beam, and their results have no meaning. Of a channel, those after
        each place: (texts, chains, places, numbers).
        """
        cancel.check()
        inputs = {"memory": encoded.memory, "attention_mask": encoded.mask, "steps": steps}
        if self._kept is None:
            whole: NDArray[np.float32] = self._decoder.run(["log_probabilities"], inputs)[0]
            return whole
        texts, chains, places = steps.shape
        keys = [(t, steps[t, row].tobytes()) for t in range(texts) for row in range(chains)]
        past = np.zeros((len(keys), places - 1, self._kept), np.float32)
        if places > 1:
            before = [(t, key[: -steps.itemsize]) for t, key in keys]
            begun = np.flatnonzero(steps.any(axis=2)).tolist()
            if any(before[row] not in encoded.past for row in begun):
                self.decode(encoded, steps[:, :, :-1])
            for row in begun:
                past[row] = encoded.past[before[row]]
        names = ["log_probabilities", "kept"]
        found, kept = self._decoder.run(names, {**inputs, "past": past})
        encoded.past.update(zip(keys, kept, strict=True))
        probable: NDArray[np.float32] = found
        return probable


def _session(path: Path) -> Any:
    onnxruntime = onnx_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The files were optimised when they were written.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

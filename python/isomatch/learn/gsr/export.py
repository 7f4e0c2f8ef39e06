"""Export a trained chain model for serving: two ONNX files."""

# mypy: allow-subclassing-any

from __future__ import annotations

import logging
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from isomatch.errors import MissingExtraError
from isomatch.learn.gsr.backbones import Backbone, EncoderWithDecoder
from isomatch.learn.gsr.batches import Row
from isomatch.onnx import onnx_runtime
from isomatch.trained.artifact import whole
from isomatch.trained.beam import Beam, search
from isomatch.trained.runtime import DECODER, ENCODER, ChainModel
from isomatch.trained.vocabulary import BEGIN, Vocabulary

_COMPARED = 200  # texts
_OPSET = 17


def export(out: Path, network: Backbone, *, int8: bool, whole: bool = False) -> None:
    """Write ``encoder.onnx`` and ``decoder.onnx``, for any number and length of texts.

    Args:
        int8: quantise to 8 bits: a quarter of the size, about half of the time.
        whole: of a BERT encoder's, that the decoder weighs steps which are known, all at once.

    Raises:
        ArtifactError: a file cannot be written.
        MissingExtraError: onnx is not installed.
    """
    ids, mask = network.padded(network.tokens(["who directed this film", "films"]))
    encoder = _Exported(network, lambda ids, mask: network.memory(network.encode(ids, mask), mask))
    steps = torch.full((2, 3, 2), BEGIN)
    with torch.no_grad():
        read = {"memory": encoder(ids, mask), "attention_mask": mask, "steps": steps}
    texts, chains = {0: "texts", 1: "tokens"}, {0: "texts", 1: "chains"}
    axes = {"memory": texts, "attention_mask": texts, "steps": {**chains, 2: "places"}}
    outputs = {"log_probabilities": chains}
    decoder = _Exported(network, network.decode)
    if isinstance(network, EncoderWithDecoder) and whole:
        decoder = _Exported(network, network.decode_whole)
        outputs["log_probabilities"] = axes["steps"]
    elif isinstance(network, EncoderWithDecoder):
        decoder = _Exported(network, network.decode_cached)
        read["past"] = torch.zeros(6, 1, network.cached_width)
        axes["past"], outputs["kept"] = {0: "rows", 1: "past"}, {0: "rows", 1: "places"}
    with _prepared(out / ENCODER, int8=int8) as path:
        tokens = {"input_ids": ids, "attention_mask": mask}
        _write(path, encoder, tokens, {"memory": texts}, dict.fromkeys(tokens, texts))
    with _prepared(out / DECODER, int8=int8) as path:
        _write(path, decoder, read, outputs, axes)


def agreement(
    out: Path, network: Backbone, vocabulary: Vocabulary[Any], rows: Sequence[Row], longest: int
) -> dict[str, float]:
    """Compare the exported model with the network, on some texts.

    Returns:
        ``texts``; ``same_best_chain``, the share of them with the same most probable chain;
        ``mean_difference`` and ``most_difference`` of its log-probability.
    """
    model = ChainModel(out)
    same, differences = [], []
    for row in rows[:: max(1, len(rows) // _COMPARED)][:_COMPARED]:
        encoded = model.encode([row.prompt])
        ids, mask = network.padded([row.tokens])
        with torch.no_grad():
            states = network.encode(ids, mask)

        decoders = network.decoder(states, mask), partial(model.decode_last, encoded)
        with torch.no_grad():
            found = [
                search(decode, vocabulary, 1, Beam(width=3, top=1, longest=longest))[0][0]
                for decode in decoders
            ]
        same.append(found[0].chain == found[1].chain)
        if same[-1]:
            differences.append(abs(found[0].log_probability - found[1].log_probability))
    return {
        "texts": len(same),
        "same_best_chain": sum(same) / len(same),
        "mean_difference": round(float(np.mean(differences or [0.0])), 6),
        "most_difference": round(float(np.max(differences or [0.0])), 6),
    }


class _Exported(nn.Module):
    """A network whose ``forward`` is another of its functions."""

    def __init__(self, network: Backbone, forward: Callable[..., Any]):
        super().__init__()
        self.network = network
        self.forward = forward


def _write(
    path: Path,
    module: nn.Module,
    inputs: dict[str, Tensor],
    outputs: dict[str, dict[int, str]],
    axes: dict[str, dict[int, str]],
) -> None:
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter that traces is deprecated; it takes 2 s where the other takes 30.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(),
            tuple(inputs.values()),
            str(path),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={**axes, **outputs},
            opset_version=_OPSET,
            dynamo=False,
        )


@contextmanager
def _prepared(path: Path, *, int8: bool) -> Iterator[Path]:
    """Yields a path for an ONNX model, which is then quantised, optimised and written."""
    try:
        onnxruntime = onnx_runtime()
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtraError(
            "writing the model that serves needs onnx: pip install 'isomatch[train]'"
        ) from error
    with tempfile.TemporaryDirectory() as folder, whole(path) as partial:
        raw, small = Path(folder) / "raw.onnx", Path(folder) / "small.onnx"
        yield raw
        if int8:
            logging.getLogger().addFilter(_silent)
            try:
                # 7 bits: sums of 8-bit products overflow on CPUs without VNNI.
                quantize_dynamic(
                    raw, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
                )
            finally:
                logging.getLogger().removeFilter(_silent)
        options = onnxruntime.SessionOptions()
        # The highest level whose result does not depend on the CPU.
        levels = onnxruntime.GraphOptimizationLevel
        options.graph_optimization_level = levels.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(partial)
        options.log_severity_level = 3
        source = small if int8 else raw
        onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


def _silent(record: logging.LogRecord) -> bool:
    """Filter out the advice that quantising logs."""
    return "pre-processing" not in record.getMessage()

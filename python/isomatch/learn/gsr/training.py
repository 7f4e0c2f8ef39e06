"""Training of chain models, jointly on indexing and retrieval data (GSR, section 4.2).

Needs torch; only the command that trains imports this module.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from isomatch._version import __version__
from isomatch.chains.graph import Nodes
from isomatch.errors import ArtifactError, ConfigurationError
from isomatch.learn.checkpoint import Checkpoint
from isomatch.learn.examples import Example
from isomatch.learn.gsr.backbones import MINILM, SEQ2SEQ, build
from isomatch.learn.gsr.batches import Row, rows_of, split
from isomatch.learn.gsr.loop import Options, Run
from isomatch.learn.gsr.save import WEIGHTS, begin_with, keep
from isomatch.learn.resumable import Progress, peak_memory
from isomatch.seed import SEED
from isomatch.trained.artifact import CHECKPOINT, ArtifactConfig, read_config
from isomatch.trained.vocabulary import StepVocabulary

RATE = 1e-3
ENCODER_RATE = 2e-4
SEQ2SEQ_RATE = 5e-4  # of T5-base, as published (appendix A.3)


def train(
    examples: Iterable[Example],
    vocabulary: StepVocabulary,
    out: Path | str,
    *,
    backbone: str = MINILM,
    freeze: bool = False,
    epochs: int | None = None,
    batch: int = 16,
    rate: float | None = None,
    seed: int = SEED,
    nodes: Nodes = "anchored",
    words: float = 0.0,
    fingerprint: str = "",
    initial: Path | str | None = None,
    about: Mapping[str, Any] | None = None,
    resume: bool = False,
    validation: float = 0.1,
    patience: int = 5,
    smoothing: float = 0.0,
    dropped: float = 0.1,
    power: float = 0.5,
    int8: bool = True,
    export: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> ArtifactConfig:
    """Train a chain model and write its artifact.

    Args:
        examples: indexing and retrieval data together.
        vocabulary: of the graph that the chains are of.
        out: the artifact's folder.
        backbone: see `isomatch.learn.gsr.backbones.build`.
        freeze: train the decoder only, over states of the texts that are made
            once: four times as fast, worse on chains that no example has.
        epochs: None takes as many as the amount of data asks for.
        batch: texts in one step; a text that several examples have is one.
        rate: the decoder's learning rate; an encoder's is a fifth of it.
        seed: the same seed gives the same model on the same machine.
        nodes: how the chains are meant; kept for who runs them.
        words: see `ArtifactConfig`; kept for who runs them.
        fingerprint: of the graph; kept in the config.
        initial: an artifact to begin with, in place of an untrained decoder; the seconds
            of its training count too.
        about: what else the config says of the training: where the examples are from.
        resume: go on from the checkpoint in ``out``, where there is one.
        validation: share of the questions' texts that are held back, to keep the
            best epoch and to stop early; none where that were under 8 texts.
        patience: epochs without a better one before it stops.
        smoothing: of the labels.
        dropped: share of the words of a text that are masked each time it is
            seen, for wordings that no example has.
        power: a text that n examples have weighs n to this power.
        int8: what serves has weights of 8 bits.
        export: write what serves; False for a model that only begins another.
        progress: called after each step.

    Returns:
        The config of the artifact.

    Raises:
        ArtifactError: no example can be used, the loss is no number any more, the
            folder cannot be written, or the checkpoint is of another run.
        ConfigurationError: the backbone cannot be loaded, or an option is wrong.
        KeyboardInterrupt: as it came; the best model so far is written before.
    """
    out = Path(out)
    for name, value in (("batch", batch), ("epochs", epochs)):
        if value is not None and value < 1:
            raise ConfigurationError(f"{name} must be from 1 on, not {value}")
    spent = 0.0 if initial is None else read_config(Path(initial)).training.get("seconds", 0.0)
    started = time.monotonic() - spent
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = build(backbone, vocabulary)
        if initial is not None:
            begin_with(network, Path(initial), vocabulary)
        rows, fell = rows_of(examples, vocabulary, network, power)
        if not rows:
            raise ArtifactError(
                "there is nothing to train on: no example has a chain of relations that the "
                "model knows"
            )
        held_back = validation if validation * sum(r.question for r in rows) >= 8 else 0.0
        learned, held = split(rows, held_back, seed)
        published = backbone.startswith(SEQ2SEQ)
        decoder_rate = rate or (SEQ2SEQ_RATE if published else RATE)
        options = Options(
            epochs=epochs or _epochs(len(learned), freeze),
            batch=batch,
            rate=decoder_rate,
            encoder_rate=decoder_rate * (1 if published else ENCODER_RATE / RATE),
            freeze=freeze,
            smoothing=smoothing,
            dropped=dropped,
            patience=patience,
            seed=seed,
        )
        begun = (initial and _content(Path(initial)), vocabulary.form(), fingerprint)
        checkpoint = Checkpoint(out / CHECKPOINT, _digest(backbone, options, rows, held, begun))
        run = Run(network, vocabulary, learned, held, options, checkpoint)

        def write(complete: bool) -> ArtifactConfig:
            run.take_best()
            config = ArtifactConfig(
                kind="gsr",
                isomatch=__version__,
                fingerprint=fingerprint,
                seed=seed,
                nodes=nodes,
                words=words,
                model={**network.description, "longest": run.longest, "int8": int8},
                training={
                    **asdict(options),
                    **(about or {}),
                    "backbone": backbone,
                    "texts": len(learned),
                    "texts_held_back": len(held),
                    "examples_left_out": fell,
                    "epochs_done": run.epoch,
                    "best_epoch": run.best_epoch,
                    "validation": run.best[0] if held else None,
                    "seconds": round(time.monotonic() - started, 1),
                    "peak_memory_mb": peak_memory(),
                },
                complete=complete,
            )
            return keep(out, config, network, vocabulary, run.points, learned, export=export)

        return run.to_the_end(write, resume=resume, progress=progress)


def _epochs(texts: int, freeze: bool) -> int:
    """Fewer for more data, 3 at least: 6,000 texts seen in all.

    With a frozen encoder, which is quick, 8,000; and each text 10 times up to 32,000.
    """
    seen, most = (max(8_000, min(10 * texts, 32_000)), 30) if freeze else (6_000, 20)
    return max(3, min(most, round(seen / texts)))


def _digest(
    backbone: str, options: Options, rows: Sequence[Row], held: Sequence[Row], begun: object
) -> str:
    """Of what a resumed run must have in common with the one that was stopped."""
    learned = [(r.prompt, r.chains, r.weights) for r in rows]
    content = (backbone, asdict(options), learned, [r.prompt for r in held], begun)
    return hashlib.sha256(repr(content).encode()).hexdigest()


def _content(folder: Path) -> str:
    """Of an artifact: changes with its weights."""
    return hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()

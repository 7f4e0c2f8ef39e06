"""Training of chain models, jointly on indexing and retrieval data (GSR, section 4.2).

Needs torch; only the command that trains imports this module.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_model, save_model
from torch import Tensor
from torch.nn import functional

from isomatch._version import __version__
from isomatch.errors import ArtifactError
from isomatch.learn.config import SEQ2SEQ, GsrConfig
from isomatch.learn.examples import Example
from isomatch.learn.gsr.backbones import PREFIXES, Backbone, build
from isomatch.learn.gsr.batches import IGNORED, Batch, Row, batches, rows_of, shown, split
from isomatch.learn.gsr.export import agreement, export
from isomatch.learn.loop import Learner, Loop, best_device
from isomatch.learn.report import Watch, ignore, write_card, write_curves
from isomatch.learn.workdir import written_at
from isomatch.trained.artifact import (
    CHECKPOINT,
    CONFIG,
    METRICS,
    VOCABULARY,
    ArtifactConfig,
    in_place,
    open_artifact,
    read_config,
    read_json,
    write_json,
    write_text,
)
from isomatch.trained.beam import Beam, ScoredChain, search
from isomatch.trained.masking import MASK
from isomatch.trained.runtime import TOKENIZER
from isomatch.trained.vocabulary import Vocabulary

WEIGHTS = "weights.safetensors"
RATE = 1e-3
ENCODER_SHARE = 2e-4 / 1e-3  # of the decoder's rate
SEQ2SEQ_RATE = 5e-4  # of T5-base, as published (appendix A.3)
WARM_UP = 0.06  # share of the steps


def train(
    examples: Iterable[Example],
    vocabulary: Vocabulary[Any],
    out: Path,
    config: GsrConfig,
    *,
    record: ArtifactConfig | None = None,
    initial: Path | None = None,
    resume: bool = False,
    watch: Watch = ignore,
) -> ArtifactConfig:
    """Train a chain model on indexing and retrieval data, and write its artifact.

    Args:
        record: what its config says beside what is known here: fingerprint, nodes, words,
            and where the examples are from.
        initial: an artifact whose weights to begin with; its training time is included.
        resume: go on from the checkpoint in ``out``, if there is one.
        watch: called after each step.

    Raises:
        ArtifactError: no example can be used, the loss is not finite, the folder cannot be
            written, or the checkpoint is of another run.
        ConfigurationError: the backbone cannot be loaded.
        KeyboardInterrupt: unchanged; the best model so far is written before.
    """
    record = record or ArtifactConfig(kind="gsr")
    spent = 0.0 if initial is None else read_config(initial).training.get("seconds", 0.0)
    started = time.monotonic() - spent
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        learner, dropped = _learner(examples, vocabulary, config, initial)
        loop = Loop(learner, out / CHECKPOINT, _digest(learner, initial, record.fingerprint))

        def write(complete: bool) -> ArtifactConfig:
            loop.take_best()
            figures = {
                "examples_left_out": dropped,
                "seconds": round(time.monotonic() - started, 1),
            }
            return save(out, loop, record, figures, complete=complete)

        return loop.run(write, watch, resume=resume)


def _learner(
    examples: Iterable[Example],
    vocabulary: Vocabulary[Any],
    config: GsrConfig,
    initial: Path | None,
) -> tuple[ChainLearner, int]:
    """The network with its data, and how many examples cannot be used."""
    network = build(
        config.backbone,
        vocabulary,
        width=config.width,
        over=config.over or 0,
        unseen=config.unseen or 0.0,
        deep=config.deep,
    )
    if initial is not None:
        initialise(network, initial, vocabulary)
    rows, dropped = rows_of(examples, vocabulary, network, config.power)
    if not rows:
        raise ArtifactError(
            "there is nothing to train on: no example has a chain of relations that the model knows"
        )
    enough = config.validation * sum(row.question and not row.corrected for row in rows) >= 8
    learned, held = split(rows, config.validation if enough else 0.0, config.seed)
    config = resolved(config, len(learned))
    return ChainLearner(network, vocabulary, learned, held, config), dropped


def _digest(learner: ChainLearner, initial: Path | None, fingerprint: str) -> str:
    rows = [(r.prompt, r.chains, r.weights, r.corrected) for r in learner.rows]
    held = [r.prompt for r in learner.held]
    weights = initial and hashlib.sha256((initial / WEIGHTS).read_bytes()).hexdigest()
    content = (learner.config, rows, held, weights, learner.vocabulary.form(), fingerprint)
    return hashlib.sha256(repr(content).encode()).hexdigest()


def resolved(config: GsrConfig, texts: int) -> GsrConfig:
    """The config with its defaults that depend on backbone and amount of data."""
    freeze = bool(config.freeze)
    epochs = config.epochs or _epochs(texts, freeze)
    rate = config.rate or (SEQ2SEQ_RATE if config.backbone.startswith(SEQ2SEQ) else RATE)
    return config.model_copy(update={"epochs": epochs, "rate": rate, "freeze": freeze})


def _epochs(texts: int, freeze: bool) -> int:
    """Fewer for more data, 3 at least: about 6,000 texts in all.

    With a frozen encoder, which is fast, 8,000; and each text 10 times up to 32,000.
    """
    seen, most = (max(8_000, min(10 * texts, 32_000)), 30) if freeze else (6_000, 20)
    return max(3, min(most, round(seen / texts)))


class ChainLearner(Learner[Batch]):
    """A chain model with its data.

    Args:
        held: to choose the best epoch by; none takes the last epoch.
        config: see `resolved`.
    """

    clip = 1.0

    def __init__(
        self,
        network: Backbone,
        vocabulary: Vocabulary[Any],
        rows: Sequence[Row],
        held: Sequence[Row],
        config: GsrConfig,
    ):
        self.network: Backbone = network
        self.vocabulary = vocabulary
        self.rows, self.held = rows, held
        self.config = config
        self.epochs, self.patience = config.epochs or 1, config.patience
        self._shown = shown(rows)
        self.steps = -(-len(self._shown) // config.batch)
        self.longest = max(len(chain) for row in (*rows, *held) for chain in row.chains)
        self.device = best_device()
        network.to(self.device)
        if config.freeze:
            for parameter in network.encoder_parameters():
                parameter.requires_grad_(False)
        self._states_of: dict[str, Tensor] = {}  # of texts, where the encoder is frozen
        self.optimizer, self.schedule = self._optimise(config.rate or RATE)
        self._mask = network.tokenizer.token_to_id(MASK)
        special = network.tokens([*PREFIXES, MASK])
        self._special = sorted({token for row in special for token in row})

    @property
    def encoder_rate(self) -> float:
        """The learning rate of the encoder."""
        share = 1 if self.config.backbone.startswith(SEQ2SEQ) else ENCODER_SHARE
        return (self.config.rate or RATE) * share

    def batches(self, epoch: int) -> Iterator[Batch]:
        return batches(self._shown, self.config.batch, self.network, f"{self.config.seed} {epoch}")

    def example(self, batch: Batch) -> str:
        return batch.rows[0].prompt

    def loss(self, batch: Batch) -> Tensor:
        return self._loss(batch, train=True)

    def score(self) -> tuple[float, ...] | None:
        """Share of right chains, then minus the loss; see `Learner.score`."""
        if not self.held:
            return None
        right = [
            bool(chains) and tuple(self.vocabulary.encode(chains[0].chain)) in row.best
            for row, chains in zip(self.held, self.decoded(self.held), strict=True)
        ]
        with torch.no_grad():
            losses = [
                float(self._loss(batch, train=False)) * len(batch.rows)
                for batch in batches(self.held, 64, self.network)
            ]
        return sum(right) / len(right), -sum(losses) / len(self.held)

    def decoded(self, rows: Sequence[Row]) -> list[list[ScoredChain[Any]]]:
        """The most probable chain of each text, over all steps of the vocabulary."""
        found: dict[str, list[ScoredChain[Any]]] = {}
        self.network.eval()
        with torch.no_grad():
            for batch in batches(rows, 64, self.network):
                states, mask = self._states(batch, train=False)
                beam = Beam(width=3, top=1, longest=self.longest)
                decode = self.network.decoder(states, mask)
                chains = search(decode, self.vocabulary, len(batch.rows), beam)
                for row, best in zip(batch.rows, chains, strict=True):
                    found[row.prompt] = best
        return [found[row.prompt] for row in rows]

    def _loss(self, batch: Batch, *, train: bool) -> Tensor:
        """Cross-entropy, the mean over tokens weighted by their chains' weights."""
        states, mask = self._states(batch, train=train)
        scores = self.network.scores(states, mask, batch.steps.to(self.device))
        targets = batch.targets.to(self.device)
        # `BEGIN` never follows: it is left out.
        entropy = functional.cross_entropy(
            scores[..., 1:].flatten(0, 2).float(),
            torch.where(targets == IGNORED, IGNORED, targets - 1).flatten(),
            ignore_index=IGNORED,
            reduction="none",
            label_smoothing=self.config.smoothing if train else 0.0,
        ).reshape(targets.shape)
        weights = batch.weights.to(self.device)[..., None] * (targets != IGNORED)
        return (entropy * weights).sum() / weights.sum()

    def _states(self, batch: Batch, *, train: bool) -> tuple[Tensor, Tensor]:
        """The encoder's states of a batch and their mask; cached where it is frozen."""
        ids, mask = batch.input_ids.to(self.device), batch.attention_mask.to(self.device)
        if not self.config.freeze:
            return self.network.encode(self._dropped(ids) if train else ids, mask), mask
        if any(row.prompt not in self._states_of for row in batch.rows):
            training = self.network.training
            self.network.eval()
            with torch.no_grad():
                states = self.network.encode(ids, mask)
            self.network.train(training)
            for row, state in zip(batch.rows, states, strict=True):
                # Half precision: the states of all texts are in memory.
                self._states_of[row.prompt] = state[: len(row.tokens)].half()
        cached = [self._states_of[row.prompt].float() for row in batch.rows]
        return torch.nn.utils.rnn.pad_sequence(cached, batch_first=True), mask

    def _dropped(self, ids: Tensor) -> Tensor:
        """Some words masked, so that the model does not depend on any one of them."""
        if self._mask is None or not self.config.dropped:
            return ids
        special = torch.isin(ids, torch.tensor([*self._special, self.network.pad]))
        chosen = torch.rand(ids.shape) < self.config.dropped
        return torch.where(chosen.to(ids.device) & ~special, self._mask, ids)

    def _optimise(self, rate: float) -> tuple[Any, Any]:
        """AdamW, the encoder at a rate of its own; warm-up, then linear decay."""
        encoder = {id(p) for p in self.network.encoder_parameters()}
        trained = [p for p in self.network.parameters() if p.requires_grad]
        groups = [
            {"params": [p for p in trained if id(p) not in encoder], "lr": rate},
            {"params": [p for p in trained if id(p) in encoder], "lr": self.encoder_rate},
        ]
        groups = [group for group in groups if group["params"]]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        total = self.epochs * self.steps
        warm = max(1, int(WARM_UP * total))

        def factor(step: int) -> float:
            return min((step + 1) / warm, max(0.0, (total - step) / (total - warm + 1)))

        return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def save(
    out: Path,
    loop: Loop[ChainLearner],
    record: ArtifactConfig,
    figures: dict[str, Any],
    *,
    complete: bool,
) -> ArtifactConfig:
    """Write a trained network as an artifact, atomically.

    Args:
        record: see `train`.
        figures: of the training, beside those that the loop knows.

    Raises:
        ArtifactError: a file cannot be written; the artifact before is unchanged.
    """
    learner = loop.learner
    config, network, vocabulary = learner.config, learner.network, learner.vocabulary
    training = {
        **config.record(),
        "encoder_rate": learner.encoder_rate,
        "warm_up": WARM_UP,
        **record.training,
        "texts": len(learner.rows),
        "texts_held_back": len(learner.held),
        "validation": loop.best[0] if learner.held else None,
        **loop.figures(),
        **figures,
    }
    model = {**network.description, "longest": learner.longest, "int8": config.int8}
    known = {"isomatch": __version__, "seed": config.seed, "complete": complete}
    saved = record.model_copy(update={**known, "model": model, "training": training})
    network.to("cpu")
    network.eval()
    measured: dict[str, dict[str, Any]] = {}
    with in_place(out) as fresh:
        write_text(fresh / TOKENIZER, network.tokenizer.to_str())
        try:
            save_model(network, str(fresh / WEIGHTS))
        except SafetensorError as error:  # raised for a full disk
            raise OSError(str(error)) from error
        write_json(fresh / VOCABULARY, vocabulary.form())
        write_curves(fresh, loop.points, "right chains of held-back texts")
        if config.export:
            export(fresh, network, int8=config.int8, whole=record.kind == "channel")
            measured["what_serves_beside_what_was_trained"] = agreement(
                fresh, network, vocabulary, learner.rows, learner.longest
            )
        write_json(fresh / METRICS, {"training": saved.training, **measured})
        write_card(fresh, saved, measured, vocabulary)
        write_json(fresh / CONFIG, saved.model_dump())
    return saved


@contextmanager
def or_first(first: Path, out: Path) -> Iterator[None]:
    """Where a run is stopped before its own model is written, that of its first stage is it.

    Raises:
        ArtifactError: that cannot be read or copied.
    """
    before = written_at(out)
    try:
        yield
    except KeyboardInterrupt:
        if written_at(out) == before and (first / CONFIG).is_file():
            _copy_stopped(first, out)
        raise


def learned(folder: Path) -> ArtifactConfig | None:
    """The config of the artifact of a stage that is done; None where it is not."""
    config = read_config(folder) if (folder / CONFIG).is_file() else None
    return config if config is not None and config.complete else None


def _copy_stopped(first: Path, out: Path) -> None:
    artifact = open_artifact(first, read_config(first).kind)
    config = artifact.config.model_copy(update={"complete": False})
    with in_place(out) as fresh:
        for path in first.iterdir():
            if path.is_file() and path.name != CONFIG:
                shutil.copyfile(path, fresh / path.name)
        measured = {k: v for k, v in read_json(fresh / METRICS).items() if k != "training"}
        write_card(fresh, config, measured, artifact.programs or artifact.vocabulary)
        write_json(fresh / CONFIG, config.model_dump())


def initialise(network: Backbone, folder: Path, vocabulary: Vocabulary[Any]) -> None:
    """Load the parameters of an artifact of the same backbone and relations.

    Raises:
        ArtifactError: it is of another backbone or vocabulary.
    """
    artifact = open_artifact(folder, read_config(folder).kind)
    same = artifact.config.model.get("backbone") == network.description["backbone"]
    known = artifact.programs or artifact.vocabulary
    if not same or known is None or known.texts != vocabulary.texts:
        raise ArtifactError(
            f"{folder} cannot begin this model: it has another backbone or other relations"
        )
    load_model(network, folder / WEIGHTS)

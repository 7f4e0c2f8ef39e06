"""The training loop: steps, validation, early stopping and checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from isomatch.errors import ArtifactError
from isomatch.learn.checkpoint import Checkpoint
from isomatch.learn.curves import Point
from isomatch.learn.gsr.backbones import PREFIXES, Backbone
from isomatch.learn.gsr.batches import IGNORED, Batch, Row, batches
from isomatch.learn.resumable import Progress, Resumable
from isomatch.trained.beam import Found, search
from isomatch.trained.masking import MASK
from isomatch.trained.vocabulary import StepVocabulary

_CLIP = 1.0


@dataclass(frozen=True, slots=True)
class Options:
    """How to train; `isomatch.learn.gsr.training.train` says what each means."""

    epochs: int
    batch: int
    rate: float
    encoder_rate: float
    freeze: bool
    smoothing: float
    dropped: float
    patience: int
    seed: int
    warm_up: float = 0.06


class Run(Resumable):
    """One training run of a network.

    Args:
        rows: to learn from.
        held: to choose the best epoch by; none takes the last epoch.
        checkpoint: where each epoch is kept.
    """

    def __init__(
        self,
        network: Backbone,
        vocabulary: StepVocabulary,
        rows: Sequence[Row],
        held: Sequence[Row],
        options: Options,
        checkpoint: Checkpoint,
    ):
        self.network = network
        self.rows, self.held = rows, held
        self.options = options
        self.points: list[Point] = []
        self.epoch = self.step = self.best_epoch = 0
        self.best = (-math.inf, -math.inf)
        self.longest = max(len(chain) for row in (*rows, *held) for chain in row.chains)
        self._vocabulary = vocabulary
        self.checkpoint = checkpoint
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        network.to(self._device)
        if options.freeze:
            network.freeze_encoder()
        self._kept_states: dict[str, Tensor] = {}
        self._optimizer, self._schedule = self._optimise()
        self._mask = network.tokenizer.token_to_id(MASK)
        spared = network.tokens([*PREFIXES, MASK])
        self._spared = sorted({token for row in spared for token in row})

    @property
    def steps(self) -> int:
        """Of the whole run, when nothing stops it."""
        return self.options.epochs * -(-len(self.rows) // self.options.batch)

    def go(self, progress: Callable[[Progress], None] | None = None) -> None:
        """Train to the end, from where the run is.

        Raises:
            ArtifactError: the loss is no number any more; the checkpoint is from
                before.
        """
        started, first = time.monotonic(), self.step
        while self.epoch < self.options.epochs:
            if self.epoch - self.best_epoch >= self.options.patience and self.held:
                break
            self.epoch += 1
            last = None
            for batch in batches(
                self.rows,
                self.options.batch,
                self.network,
                f"{self.options.seed} {self.epoch}",
            ):
                if last is not None and progress:
                    progress(last)
                loss = self._learn(batch)
                pace = (time.monotonic() - started) / (self.step - first)
                rate = float(self._optimizer.param_groups[0]["lr"])
                self.points.append(Point(self.epoch, self.step, loss, rate))
                last = Progress(
                    self.epoch,
                    self.options.epochs,
                    self.step,
                    self.steps,
                    loss,
                    rate,
                    (self.steps - self.step) * pace,
                )
            score = self._end_epoch()
            if last is not None and progress:
                progress(Progress(**{**asdict(last), "validation": score}))

    def found(self, rows: Sequence[Row]) -> list[list[Found]]:
        """The chains that the network makes of texts, with no graph to bound them."""
        found: dict[str, list[Found]] = {}
        self.network.eval()
        with torch.no_grad():
            for batch in batches(rows, 64, self.network):
                states, mask = self._states(batch, train=False)

                def decode(
                    steps: np.ndarray[Any, Any], states: Tensor = states, mask: Tensor = mask
                ) -> np.ndarray[Any, Any]:
                    numbers = torch.from_numpy(steps).to(self._device)
                    scores = self.network.decode(states, mask, numbers)
                    decoded: np.ndarray[Any, Any] = scores.float().cpu().numpy()
                    return decoded

                chains = search(
                    decode,
                    self._vocabulary,
                    len(batch.rows),
                    width=3,
                    top=1,
                    longest=self.longest,
                )
                for row, best in zip(batch.rows, chains, strict=True):
                    found[row.prompt] = best
        return [found[row.prompt] for row in rows]

    def _learn(self, batch: Batch) -> float:
        self.network.train()
        with self._cast():
            loss = self._loss(batch, train=True)
        self.step += 1
        value = float(loss.detach())
        if not math.isfinite(value):
            kept = f"that of epoch {self.best_epoch}" if self.best_epoch else "none"
            raise ArtifactError(
                f"the loss became {value} in epoch {self.epoch}, step {self.step} (texts such as "
                f"{batch.rows[0].prompt!r}); of the models until then {kept} is kept. Train with "
                "a lower --rate"
            )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        trained = [p for group in self._optimizer.param_groups for p in group["params"]]
        torch.nn.utils.clip_grad_norm_(trained, _CLIP)
        self._optimizer.step()
        self._schedule.step()
        return value

    def _loss(self, batch: Batch, *, train: bool) -> Tensor:
        """Cross-entropy, the mean over tokens weighted as their chains are."""
        states, mask = self._states(batch, train=train)
        scores = self.network.scores(states, mask, batch.steps.to(self._device))
        targets = batch.targets.to(self._device)
        # The number that begins a chain is never meant: it takes no part.
        entropy = functional.cross_entropy(
            scores[..., 1:].flatten(0, 2).float(),
            torch.where(targets == IGNORED, IGNORED, targets - 1).flatten(),
            ignore_index=IGNORED,
            reduction="none",
            label_smoothing=self.options.smoothing if train else 0.0,
        ).reshape(targets.shape)
        weights = batch.weights.to(self._device)[..., None] * (targets != IGNORED)
        return (entropy * weights).sum() / weights.sum()

    def _states(self, batch: Batch, *, train: bool) -> tuple[Tensor, Tensor]:
        """The encoder's states of a batch, from memory where the encoder is frozen."""
        ids, mask = batch.input_ids.to(self._device), batch.attention_mask.to(self._device)
        if not self.options.freeze:
            return self.network.encode(self._dropped(ids) if train else ids, mask), mask
        if any(row.prompt not in self._kept_states for row in batch.rows):
            training = self.network.training
            self.network.eval()
            with torch.no_grad():
                states = self.network.encode(ids, mask)
            self.network.train(training)
            for row, state in zip(batch.rows, states, strict=True):
                # Half precision: a frozen run keeps the states of all texts.
                self._kept_states[row.prompt] = state[: len(row.tokens)].half()
        kept = [self._kept_states[row.prompt].float() for row in batch.rows]
        return torch.nn.utils.rnn.pad_sequence(kept, batch_first=True), mask

    def _dropped(self, ids: Tensor) -> Tensor:
        """Some words masked, so that the model does not rest on any one of them."""
        if self._mask is None or not self.options.dropped:
            return ids
        spared = torch.isin(ids, torch.tensor([*self._spared, self.network.pad]))
        chosen = torch.rand(ids.shape) < self.options.dropped
        return torch.where(chosen.to(ids.device) & ~spared, self._mask, ids)

    def _end_epoch(self) -> float | None:
        score = None
        now: tuple[float, float] = (0.0, float(self.epoch))
        if self.held:
            found = self.found(self.held)
            right = [
                bool(chains) and tuple(self._vocabulary.encode(chains[0].chain)) in row.best
                for row, chains in zip(self.held, found, strict=True)
            ]
            score = sum(right) / len(right)
            with torch.no_grad():
                losses = [
                    float(self._loss(batch, train=False)) * len(batch.rows)
                    for batch in batches(self.held, 64, self.network)
                ]
            now = (score, -sum(losses) / len(self.held))
            self.points[-1] = replace(self.points[-1], validation=score)
        self._keep_epoch(now)
        return score

    def _optimise(self) -> tuple[Any, Any]:
        """AdamW, the encoder at a rate of its own; warm-up, then linear decay."""
        options = self.options
        encoder = {id(p) for p in self.network.encoder_parameters()}
        trained = [p for p in self.network.parameters() if p.requires_grad]
        groups = [
            {"params": [p for p in trained if id(p) not in encoder], "lr": options.rate},
            {"params": [p for p in trained if id(p) in encoder], "lr": options.encoder_rate},
        ]
        groups = [group for group in groups if group["params"]]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        warm = max(1, int(options.warm_up * self.steps))

        def factor(step: int) -> float:
            return min((step + 1) / warm, max(0.0, (self.steps - step) / (self.steps - warm + 1)))

        return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor)

"""The training loop of both kinds of model: epochs, early stopping and checkpoints.

A `Learner` gives the network, its batches, losses and scores; `Loop` does the rest. Needs
torch.
"""

from __future__ import annotations

import math
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from isomatch.errors import ArtifactError
from isomatch.learn.report import Event, Point, Watch
from isomatch.trained.artifact import ArtifactConfig, whole

Batch = TypeVar("Batch")
Learned = TypeVar("Learned", bound="Learner[Any]")

_STATE = "state.pt"
_BEST = "best.safetensors"


class Learner(ABC, Generic[Batch]):
    """A network with its data.

    Attributes:
        network, device: what is trained, and where.
        epochs, patience: the maximum, and those without a better one before training stops.
        steps: of an epoch.
        clip: greatest norm of the gradients; None for no limit.
    """

    network: nn.Module
    device: torch.device
    optimizer: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LambdaLR
    epochs: int
    patience: int
    steps: int
    clip: float | None = None

    @abstractmethod
    def batches(self, epoch: int) -> Iterator[Batch]:
        """The batches of an epoch, ``steps`` of them."""

    @abstractmethod
    def loss(self, batch: Batch) -> Tensor:
        """The loss of a batch, in training."""

    @abstractmethod
    def example(self, batch: Batch) -> str:
        """A text of a batch, for error messages."""

    @abstractmethod
    def score(self) -> tuple[float, ...] | None:
        """The score of the data held back, higher is better; None where there are none.

        The first number is what the curves show; the others decide among equals.
        """


class Loop(Generic[Learned]):
    """A training run, which can be stopped at any moment and resumed.

    Args:
        folder: of the checkpoint.
        run: identifies data and options; a checkpoint of another run is refused.

    Attributes:
        epoch, step: done so far.
        best, best_epoch: score and number of the best epoch; 0 before the first.
        points: of the curves.
    """

    def __init__(self, learner: Learned, folder: Path, run: str):
        self.learner = learner
        self.checkpoint = Checkpoint(folder, run)
        self.epoch = self.step = self.best_epoch = 0
        self.best: tuple[float, ...] = (-math.inf,)
        self.points: list[Point] = []

    def run(
        self, write: Callable[[bool], ArtifactConfig], watch: Watch, *, resume: bool
    ) -> ArtifactConfig:
        """Train and write the artifact, also where the run is stopped.

        Args:
            write: writes the artifact; called with whether the training is complete.
            resume: begin at the checkpoint, if there is one.

        Raises:
            ArtifactError: the loss is not finite, or the artifact cannot be written.
            KeyboardInterrupt: unchanged; the best model so far is written before.
        """
        try:
            if resume:
                self._resume()
            self.train(watch)
        except (KeyboardInterrupt, ArtifactError):
            if self.best_epoch:
                write(False)
            raise
        config = write(True)
        self.checkpoint.remove()
        return config

    def train(self, watch: Watch) -> None:
        """Train from the current epoch to the last one.

        Raises:
            ArtifactError: the loss is not finite; the checkpoint is of the epoch before.
        """
        learner, total = self.learner, self.learner.epochs * self.learner.steps
        started, first = time.monotonic(), self.step
        while self.epoch < learner.epochs:
            if self.epoch - self.best_epoch >= learner.patience:
                break
            self.epoch += 1
            last = None
            for batch in learner.batches(self.epoch):
                if last is not None:
                    watch(last)
                loss = self._learn(batch)
                rate = float(learner.optimizer.param_groups[0]["lr"])
                self.points.append(Point(self.epoch, self.step, loss, rate))
                left = (total - self.step) * (time.monotonic() - started) / (self.step - first)
                last = Event("train", self.step, total, self.epoch, loss, rate, left)
            score = self._end_epoch()
            if last is not None:
                watch(replace(last, validation=score))

    def figures(self) -> dict[str, Any]:
        """What the artifact's config says of the run."""
        return {
            "epochs_done": self.epoch,
            "best_epoch": self.best_epoch,
            "peak_memory_mb": peak_memory(),
        }

    def take_best(self) -> None:
        """Give the network the parameters of the best epoch."""
        self.checkpoint.read_best(self.learner.network)

    def _learn(self, batch: Any) -> float:
        learner = self.learner
        learner.network.train()
        with autocast(learner.device):
            loss = learner.loss(batch)
        self.step += 1
        value = float(loss.detach())
        if not math.isfinite(value):
            kept = f"that of epoch {self.best_epoch}" if self.best_epoch else "none"
            raise ArtifactError(
                f"the loss became {value} in epoch {self.epoch}, step {self.step} (texts such as "
                f"{learner.example(batch)!r}); of the models until then {kept} is kept. Train with "
                "a lower --rate"
            )
        learner.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if learner.clip is not None:
            trained = [p for group in learner.optimizer.param_groups for p in group["params"]]
            torch.nn.utils.clip_grad_norm_(trained, learner.clip)
        learner.optimizer.step()
        learner.schedule.step()
        return value

    def _end_epoch(self) -> float | None:
        """Validate and write the checkpoint; the score that the curves show."""
        score = self.learner.score()
        if score is not None:
            self.points[-1] = replace(self.points[-1], validation=score[0])
        now = score or (float(self.epoch),)  # without validation the last epoch is the best
        better = now > self.best
        best, best_epoch = (now, self.epoch) if better else (self.best, self.best_epoch)
        state = {
            "optimizer": self.learner.optimizer.state_dict(),
            "schedule": self.learner.schedule.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": self.epoch,
            "step": self.step,
            "best": list(best),
            "best_epoch": best_epoch,
            "points": [list(astuple(point)) for point in self.points],
        }
        self.checkpoint.write(self.learner.network, better, state)
        self.best, self.best_epoch = best, best_epoch  # now that it is written
        return score[0] if score is not None else None

    def _resume(self) -> None:
        state = self.checkpoint.read(self.learner.network)
        if state is None:
            return
        self.learner.optimizer.load_state_dict(state["optimizer"])
        self.learner.schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        self.epoch, self.step, self.best_epoch = state["epoch"], state["step"], state["best_epoch"]
        self.best = tuple(state["best"])
        self.points = [Point(*point) for point in state["points"]]


class Checkpoint:
    """A folder with the state of the last epoch and the parameters of the best one.

    It holds trained parameters only; ``run`` identifies data and options.
    """

    def __init__(self, folder: Path, run: str):
        self._folder = folder
        self._run = run

    def write(self, network: nn.Module, best: bool, state: Mapping[str, Any]) -> None:
        """Write the state of an epoch, and its parameters where it is the best so far.

        Raises:
            ArtifactError: it cannot be written; the previous checkpoint is unchanged.
        """
        parameters = {
            name: parameter.detach().cpu().contiguous()
            for name, parameter in network.named_parameters()
            if parameter.requires_grad
        }
        try:
            if best:
                with whole(self._folder / _BEST) as partial:
                    save_file(parameters, partial)
            with whole(self._folder / _STATE) as partial:
                torch.save({**state, "run": self._run, "parameters": parameters}, partial)
        except (RuntimeError, SafetensorError) as error:  # raised for a full disk
            raise ArtifactError(
                f"the checkpoint cannot be written to {self._folder}: {error}. Make room or choose "
                "another folder with --out"
            ) from error

    def read(self, network: nn.Module) -> dict[str, Any] | None:
        """Load the parameters of the last epoch; its state, or None without a checkpoint.

        Raises:
            ArtifactError: it is of a run with other data or options, or damaged.
        """
        path = self._folder / _STATE
        if not path.exists():
            return None
        try:
            state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
            same = state["run"] == self._run
        except Exception as error:
            raise ArtifactError(
                f"the checkpoint {path} is damaged ({error}): train without --resume"
            ) from error
        if not same:
            raise ArtifactError(
                f"the checkpoint in {self._folder} is of a run with other data or options: give "
                "the same ones as before, or train without --resume"
            )
        network.load_state_dict(state["parameters"], strict=False)
        return state

    def read_best(self, network: nn.Module) -> None:
        network.load_state_dict(load_file(self._folder / _BEST), strict=False)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def best_device() -> torch.device:
    """CUDA where it is available, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def autocast(device: torch.device) -> Any:
    """Mixed precision on CUDA; nothing on the CPU."""
    if device.type != "cuda":
        return nullcontext()
    return torch.autocast("cuda", dtype=torch.bfloat16)


def peak_memory() -> int | None:
    """Peak memory of this process in megabytes; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)

"""What the training loops have in common: an epoch is kept, a stopped run goes on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from isomatch.errors import ArtifactError
from isomatch.learn.checkpoint import Checkpoint
from isomatch.learn.curves import Point
from isomatch.trained.artifact import ArtifactConfig


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training run is.

    Attributes:
        epoch, epochs, step, steps: from 1 on; steps count through all epochs.
        loss: of the step.
        rate: of learning; a chain model's is the decoder's.
        seconds_left: at the speed so far; early stopping may end it sooner.
        validation: the score of what is held back, of which the best epoch is kept; at the
            end of an epoch, and None where nothing is held back.
    """

    epoch: int
    epochs: int
    step: int
    steps: int
    loss: float
    rate: float
    seconds_left: float
    validation: float | None = None


class Resumable(ABC):
    """The state of a run that its checkpoint holds; both kinds of model are trained so.

    Attributes:
        best: what the best epoch scored; greater is better.
        points: of the curves.
    """

    network: nn.Module
    checkpoint: Checkpoint
    epoch: int
    step: int
    best: tuple[float, ...]
    best_epoch: int
    points: list[Point]
    _device: Any
    _optimizer: Any
    _schedule: Any

    @abstractmethod
    def go(self, progress: Callable[[Progress], None] | None = None) -> None:
        """Train to the end, from where the run is."""

    def to_the_end(
        self,
        write: Callable[[bool], ArtifactConfig],
        *,
        resume: bool,
        progress: Callable[[Progress], None] | None = None,
    ) -> ArtifactConfig:
        """Train and write what was learnt, also where the run is stopped.

        Args:
            write: writes the artifact; called with whether the training is complete.
            resume: whether to begin where the checkpoint is.

        Raises:
            ArtifactError: the loss is no number any more, or the artifact cannot be written.
            KeyboardInterrupt: as it came.
        """
        try:
            if resume:
                self.resume()
            self.go(progress)
        except (KeyboardInterrupt, ArtifactError):
            if self.best_epoch:
                write(False)
            raise
        config = write(True)
        self.checkpoint.remove()
        return config

    def resume(self) -> bool:
        """Go back to where the checkpoint is, if there is one."""
        kept = self.checkpoint.read(self.network)
        if kept is None:
            return False
        self._optimizer.load_state_dict(kept["optimizer"])
        self._schedule.load_state_dict(kept["schedule"])
        torch.set_rng_state(kept["random"])
        self.epoch, self.step, self.best_epoch = kept["epoch"], kept["step"], kept["best_epoch"]
        self.best = tuple(kept["best"])
        self.points = [Point(*point) for point in kept["points"]]
        return True

    def take_best(self) -> None:
        """Give the network the parameters of the best epoch."""
        self.checkpoint.read_best(self.network)

    def _keep_epoch(self, now: tuple[float, ...]) -> None:
        """Write the checkpoint of an epoch that scored so."""
        better = now > self.best
        best, best_epoch = (now, self.epoch) if better else (self.best, self.best_epoch)
        self.checkpoint.write(
            self.network,
            better,
            {
                "optimizer": self._optimizer.state_dict(),
                "schedule": self._schedule.state_dict(),
                "random": torch.get_rng_state(),
                "epoch": self.epoch,
                "step": self.step,
                "best": list(best),
                "best_epoch": best_epoch,
                "points": [[p.epoch, p.step, p.loss, p.rate, p.validation] for p in self.points],
            },
        )
        self.best, self.best_epoch = best, best_epoch  # now that it is kept

    def _cast(self) -> Any:
        """Mixed precision where the device is made for it."""
        if self._device.type != "cuda":
            return nullcontext()
        return torch.autocast("cuda", dtype=torch.bfloat16)


def peak_memory() -> int | None:
    """Megabytes that this process has held at most; None where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)

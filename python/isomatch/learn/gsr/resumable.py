"""What every training loop keeps at the end of an epoch, and how it goes on from there."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import torch
from torch import nn

from isomatch.learn.curves import Point
from isomatch.learn.gsr.checkpoint import Checkpoint


class Resumable:
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

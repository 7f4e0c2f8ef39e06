"""What a training run keeps from epoch to epoch, to stop at any moment and go on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from isomatch.errors import ArtifactError
from isomatch.trained.artifact import whole

_STATE = "state.pt"
_BEST = "best.safetensors"


class Checkpoint:
    """A folder with the state of the last epoch and the parameters of the best one.

    Only parameters that are trained are in it.

    Args:
        run: what tells this run from others; a checkpoint of another is refused.
    """

    def __init__(self, folder: Path, run: str):
        self._folder = folder
        self._run = run

    def write(self, network: nn.Module, best: bool, state: Mapping[str, Any]) -> None:
        """Keep an epoch.

        Args:
            best: whether it is the best so far.

        Raises:
            ArtifactError: it cannot be written; the one before is as it was.
        """
        parameters = _trained(network)
        try:
            if best:
                with whole(self._folder / _BEST) as partial:
                    save_file(parameters, partial)
            with whole(self._folder / _STATE) as partial:
                torch.save({**state, "run": self._run, "parameters": parameters}, partial)
        except (RuntimeError, SafetensorError) as error:  # their words for a full disk
            raise ArtifactError(
                f"the checkpoint cannot be written to {self._folder}: {error}. Make room or choose "
                "another folder with --out"
            ) from error

    def read(self, network: nn.Module) -> dict[str, Any] | None:
        """Give the network the parameters of the last epoch; the state that was kept.

        None where there is no checkpoint.

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
        """Give the network the parameters of the best epoch."""
        network.load_state_dict(load_file(self._folder / _BEST), strict=False)

    def remove(self) -> None:
        """The run is done."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _trained(network: nn.Module) -> dict[str, Any]:
    return {
        name: parameter.detach().cpu().contiguous()
        for name, parameter in network.named_parameters()
        if parameter.requires_grad
    }

"""Progress of a training run, for whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Stage = Literal["label", "index", "synthesise", "train", "train on"]


@dataclass(frozen=True, slots=True)
class Event:
    """How far a training run is.

    Attributes:
        stage: what is being done.
        done, total: questions, examples or steps.
        epoch: from 1 on, while a model is trained; likewise the following.
        loss, rate: of the last step; the rate of a chain model is its decoder's.
        seconds_left: of this stage, at the speed so far; None where it is not known.
        validation: the last epoch's score on the questions held back.
    """

    stage: Stage
    done: int
    total: int
    epoch: int | None = None
    loss: float | None = None
    rate: float | None = None
    seconds_left: float | None = None
    validation: float | None = None


Watch = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Do nothing with an event."""

"""How far a training run is: what it tells whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Stage = Literal["label", "index", "synthesise", "train", "train on"]


@dataclass(frozen=True, slots=True)
class Event:
    """How far a training run is.

    Attributes:
        stage: what is being done.
        done, total: questions, examples or steps.
        loss, rate: of the last step, while a model is trained.
        seconds_left: of this stage; None where it is not known.
        validation: what the last epoch's model scored on what was held back.
    """

    stage: Stage
    done: int
    total: int
    loss: float | None = None
    rate: float | None = None
    seconds_left: float | None = None
    validation: float | None = None


Watch = Callable[[Event], None]


def nobody(event: Event) -> None:
    """Watches nothing."""


def watched(watch: Watch, stage: Stage) -> Callable[[Any], None]:
    """What a training loop calls, as events."""

    def told(progress: Any) -> None:
        watch(
            Event(
                stage,
                progress.step,
                progress.steps,
                progress.loss,
                progress.rate,
                progress.seconds_left,
                progress.validation,
            )
        )

    return told

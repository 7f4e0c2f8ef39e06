"""Curves of a training run: a CSV file and a picture of it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from io import StringIO
from pathlib import Path

from isomatch.errors import MissingExtraError
from isomatch.trained.artifact import whole, write_text

CSV = "curves.csv"
PNG = "curves.png"


@dataclass(frozen=True, slots=True)
class Point:
    """One step of a training run; what was not measured there is None.

    Attributes:
        epoch, step: from 1 on; steps count through all epochs.
        loss: of the step's batch.
        rate: the learning rate.
        validation: a score of the validation part, at the end of an epoch.
    """

    epoch: int
    step: int
    loss: float
    rate: float
    validation: float | None = None


def write_curves(folder: Path, points: Sequence[Point], validation: str = "validation") -> None:
    """Write ``curves.csv`` and ``curves.png``.

    Args:
        validation: what the score of the validation part is, for its axis.

    Raises:
        ArtifactError: they cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    table = StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(field.name for field in fields(Point))
    rows.writerows(astuple(point) for point in points)
    write_text(folder / CSV, table.getvalue())
    if points:
        _draw(folder / PNG, points, validation)


def _draw(path: Path, points: Sequence[Point], validation: str) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "drawing curves needs matplotlib: pip install 'isomatch[train]'"
        ) from error
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    losses, rates = figure.subplots(1, 2)
    steps = [point.step for point in points]
    losses.plot(steps, [point.loss for point in points], linewidth=1, label="loss")
    losses.set_xlabel("step")
    losses.set_ylabel("loss")
    losses.set_yscale("log")
    measured = [point for point in points if point.validation is not None]
    if measured:
        beside = losses.twinx()
        scores = [point.validation for point in measured]
        beside.plot([p.step for p in measured], scores, "o-", color="C1", label=validation)
        beside.set_ylabel(validation)
    rates.plot(steps, [point.rate for point in points], linewidth=1, color="C2")
    rates.set_xlabel("step")
    rates.set_ylabel("learning rate")
    with whole(path) as partial:
        figure.savefig(partial, format="png", dpi=120)

"""What a training run tells and leaves to look at: progress, a report, the model card, curves."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, fields
from io import StringIO
from pathlib import Path
from typing import Any, Literal, Protocol

from isomatch.errors import MissingExtraError
from isomatch.learn.examples import Example
from isomatch.questions.sets import QuestionSet
from isomatch.texts import templates
from isomatch.trained.artifact import (
    METRICS,
    ArtifactConfig,
    read_json,
    whole,
    write_json,
    write_text,
)
from isomatch.trained.vocabulary import Vocabulary

Stage = Literal["label", "index", "synthesise", "train channel", "train", "train on"]


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


CARD = "README.md"
CSV = "curves.csv"
PNG = "curves.png"
_LABELS = {  # of keys of an artifact's training
    "texts": "texts",
    "questions": "questions",
    "epochs_done": "epochs",
    "best_epoch": "best epoch",
    "validation": "right chains of held-back texts",
    "recall_at_100": "recall@100 of held-back questions",
}


class LabelReport(Protocol):
    """How many questions were labelled, and why the others were left out."""

    def rows(self) -> Iterable[tuple[str, int]]:
        """Pairs of label and value, for a table."""


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The result of a training run.

    Attributes:
        folder, config: of the artifact.
        examples: number of training examples, by source.
        labels: what the rule made of the questions; None without questions.
        problems: number of lines and names of the question set left out, by kind.
        left_out: the first of them, in words.
        corrections: number of corrections by what became of them; empty without feedback.
    """

    folder: Path
    config: ArtifactConfig
    examples: dict[str, int] = field(default_factory=dict)
    labels: LabelReport | None = None
    problems: dict[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    corrections: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        folder: Path,
        config: ArtifactConfig,
        examples: Iterable[Example],
        labels: LabelReport | None,
        asked: QuestionSet | None,
    ) -> TrainingReport:
        """The report of a run; what it was trained on is added to the artifact's metrics."""
        report = cls(
            folder,
            config,
            dict(Counter(example.source for example in examples)),
            labels,
            asked.counts if asked else {},
            tuple(map(str, asked.problems[:10])) if asked else (),
        )
        form = report.form()
        data = {key: form[key] for key in ("examples", "labels", "problems")}
        write_json(folder / METRICS, {**read_json(folder / METRICS), "data": data})
        return report

    def form(self) -> dict[str, Any]:
        """For JSON."""
        config = self.config.model_dump()
        return {**asdict(self), "folder": str(self.folder), "config": config}

    def rows(self) -> Iterator[tuple[str, str]]:
        """Pairs of label and value, for a table."""
        for what, count in self.problems.items():
            yield f"left out: {what}", f"{count:,}"
        for what, count in self.labels.rows() if self.labels else ():
            yield what, f"{count:,}"
        for source, count in self.examples.items():
            yield f"trained on: {source}", f"{count:,}"
        for what, count in self.corrections.items():
            yield what, f"{count:,}"
        training = self.config.training
        for key, words in _LABELS.items():
            if (value := training.get(key)) is not None:
                yield words, f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
        yield "took", f"{training['seconds']:.0f} s, {training['peak_memory_mb']:,} MB at most"
        yield "model", str(self.folder)


def write_card(
    folder: Path,
    config: ArtifactConfig,
    measured: Mapping[str, Mapping[str, Any]],
    vocabulary: Vocabulary[Any] | None = None,
) -> None:
    """Write the model card, ``README.md``, with the figures ``measured``, by title.

    Raises:
        ArtifactError: it cannot be written.
    """
    template = templates("isomatch.learn", "templates").get_template("card.md.j2")
    text = template.render(
        config=config,
        measured=measured,
        relations=vocabulary.relations if vocabulary else "own",
        left_out=vocabulary.left_out if vocabulary else 0,
    )
    write_text(folder / CARD, text)


@dataclass(frozen=True, slots=True)
class Point:
    """One step of a training run.

    Attributes:
        step: from 1 on, through all epochs.
        validation: the score of the data held back, at the end of an epoch.
    """

    epoch: int
    step: int
    loss: float
    rate: float
    validation: float | None = None


def write_curves(folder: Path, points: Sequence[Point], validation: str = "validation") -> None:
    """Write ``curves.csv`` and ``curves.png``, with a label for the axis of validation scores.

    Raises:
        ArtifactError: they cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    table = StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(column.name for column in fields(Point))
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
    figure = Figure(figsize=(8, 3.2))
    # Margins that fit take matplotlib as long to find as all else.
    margins = {"left": 0.09, "right": 0.98, "bottom": 0.16, "top": 0.95, "wspace": 0.65}
    losses, rates = figure.subplots(1, 2, gridspec_kw=margins)
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

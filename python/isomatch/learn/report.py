"""What a training run did, in words and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.learn.examples import Example
from isomatch.questions.sets import QuestionSet
from isomatch.trained.artifact import METRICS, ArtifactConfig, read_json, write_json

if TYPE_CHECKING:
    from isomatch.learn.weak import WeakLabels, WeakReport

_TOLD = {  # of a model's training, in words
    "texts": "texts",
    "questions": "questions",
    "epochs_done": "epochs",
    "best_epoch": "best epoch",
    "validation": "right chains of held-back texts",
    "recall_at_100": "recall@100 of held-back questions",
}


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What a training run did.

    Attributes:
        folder: of the artifact.
        config: of the artifact.
        examples: what it was trained on, by source.
        labels: what the rule made of the questions; None without questions.
        problems: lines and names of the question set that were left out, by kind.
        left_out: the first of them, in words.
    """

    folder: Path
    config: ArtifactConfig
    examples: dict[str, int] = field(default_factory=dict)
    labels: WeakReport | None = None
    problems: dict[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    def form(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "folder": str(self.folder),
            "config": self.config.model_dump(),
            "examples": self.examples,
            "labels": self.labels.form() if self.labels else None,
            "problems": self.problems,
            "left_out": list(self.left_out),
        }

    def rows(self) -> Iterator[tuple[str, str]]:
        """(what, value), for a table."""
        for what, count in self.problems.items():
            yield f"left out: {what}", f"{count:,}"
        for what, count in self.labels.rows() if self.labels else ():
            yield what, f"{count:,}"
        for source, count in self.examples.items():
            yield f"trained on: {source}", f"{count:,}"
        training = self.config.training
        for key, words in _TOLD.items():
            if (value := training.get(key)) is not None:
                yield words, f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
        yield "took", f"{training['seconds']:.0f} s, {training['peak_memory_mb']:,} MB at most"
        yield "model", str(self.folder)


def report_of(
    folder: Path,
    config: ArtifactConfig,
    examples: Iterable[Example],
    labels: WeakLabels | None,
    asked: QuestionSet | None,
) -> TrainingReport:
    return TrainingReport(
        folder,
        config,
        dict(Counter(example.source for example in examples)),
        labels.report if labels else None,
        asked.counts if asked else {},
        tuple(map(str, asked.problems[:10])) if asked else (),
    )


def describe(report: TrainingReport) -> None:
    """Add what the model was trained on to the artifact's metrics."""
    path = report.folder / METRICS
    data = {
        "examples": report.examples,
        "labels": report.labels.form() if report.labels else None,
        "problems": report.problems,
    }
    write_json(path, {**read_json(path), "data": data})

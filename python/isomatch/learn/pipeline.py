"""A training run: from questions, or from none, to a trained model.

    questions → weak labels ─┐
    graph → indexing data    ├→ train → break ties by the model, train on → artifact
    graph → synthetic data ──┘

What is made before training is cached in the home folder, so that a stopped run can be
resumed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.learn.choices import Device, Paths
from isomatch.learn.config import GsrConfig, TriplesConfig
from isomatch.learn.data import (
    check_questions,
    index_questions,
    label_questions,
    names_in,
    origin,
    synthetic_questions,
)
from isomatch.learn.events import Watch, ignore
from isomatch.learn.examples import Example
from isomatch.learn.report import TrainingReport
from isomatch.learn.tie_breaking import chain_scorer, settle
from isomatch.learn.walks import Entities
from isomatch.learn.weak import WeakLabels, digest
from isomatch.learn.workdir import stoppable, work_folder, written_at
from isomatch.questions.sets import QuestionSet
from isomatch.trained.artifact import CONFIG, ArtifactConfig, read_config
from isomatch.trained.vocabulary import StepVocabulary

if TYPE_CHECKING:
    from isomatch.resources import Resources

WORDS = 32.0  # of `ArtifactConfig.words`, where most questions are synthetic


def train_gsr(
    resources: Resources,
    questions: QuestionSet | None = None,
    config: GsrConfig | None = None,
    *,
    out: Path | str | None = None,
    resume: bool = False,
    strict: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> TrainingReport:
    """Train a model that interprets questions as relation chains.

    Args:
        resources: the graph, its index and lexicon.
        questions: to label weakly, see `isomatch.questions.sets.read_questions`;
            None for none.
        config: see `GsrConfig`; None for its defaults.
        out: the artifact's folder; None for that of the settings.
        resume: continue a stopped run. It starts again where its arguments, the graph or
            the lexicon have changed.
        strict: whether a question with a name that the graph lacks is an error.
        watch: called with the run's progress.
        options: fields of `GsrConfig`, in place of those of ``config``.

    Raises:
        ConfigurationError: there are neither questions nor synthetic ones, or an option
            is wrong.
        LoadError: a question is wrong, and ``strict``.
        ArtifactError: the model cannot be trained or written.
        MissingExtraError: the extra ``train`` is not installed.
        TrainingStopped: Ctrl-C; what was learnt so far is in ``out``.
    """
    config = GsrConfig.of(config, **options)
    if questions is None and config.synthetic < 1:
        raise ConfigurationError(
            "there is nothing to train on: give questions (--questions), or say how many to "
            "make from the graph (--synthetic)"
        )
    need_torch()
    folder = Path(out or resources.settings.gsr_folder)
    run = _GsrRun(resources, questions, config, folder, resume, watch or ignore)
    with stoppable(folder):
        report = run.train(strict)
    shutil.rmtree(run.work, ignore_errors=True)
    return report


class _GsrRun:
    """One run of `train_gsr`."""

    def __init__(
        self,
        resources: Resources,
        questions: QuestionSet | None,
        config: GsrConfig,
        folder: Path,
        resume: bool,
        watch: Watch,
    ):
        self._resources = resources
        self._questions = questions
        self._config = config
        self._folder = folder
        self._resume = resume
        self._watch = watch
        self._vocabulary = StepVocabulary.of(resources.schema)
        llm = resources.llm
        asked = {
            **config.model_dump(mode="json"),
            "questions": questions and digest(questions.questions),
            "llm": llm.model if llm is not None else None,
        }
        self.work = work_folder(resources, "gsr", folder, resume, asked)

    def train(self, strict: bool) -> TrainingReport:
        """Make the data, train the model, and settle ties by it."""
        resources, config, watch = self._resources, self._config, self._watch
        labels, asked = None, None
        if self._questions is not None:
            asked = check_questions(resources, self._questions, config, strict=strict)
            labels = label_questions(resources, asked, config, self.work, watch)
        synthetic = synthetic_questions(resources, config, watch)
        made = [*index_questions(resources, config.seed, watch), *synthetic]
        mostly_synthetic = labels is None or labels.report.kept < len(synthetic)
        if config.freeze is None:
            config = config.model_copy(update={"freeze": mostly_synthetic})
        record = ArtifactConfig(
            kind="gsr",
            fingerprint=resources.schema.fingerprint,
            nodes=labels.nodes if labels else "anchored",
            words=WORDS if mostly_synthetic else 0.0,
            training=origin(asked, config.limit),
        )
        if labels is not None and any(label.reason == "tie" for label in labels.labels):
            labels, trained = self._in_two_stages(labels, made, config, record)
        else:
            examples = [*made, *(labels.examples() if labels else ())]
            trained = self._train(examples, self._folder, config, record, watch=watch)
        examples = [*made, *(labels.examples() if labels else ())]
        return TrainingReport.of(self._folder, trained, examples, labels, asked)

    def _in_two_stages(
        self, labels: WeakLabels, made: Sequence[Example], config: GsrConfig, record: ArtifactConfig
    ) -> tuple[WeakLabels, ArtifactConfig]:
        """Train without the ties, break them by that model, and train on with them."""
        first, before = self.work / "first", written_at(self._folder)
        try:
            examples = [*made, *labels.examples()]
            done = first / CONFIG
            if self._resume and done.is_file() and read_config(first).complete:
                learned = read_config(first)
            else:
                learned = self._train(examples, first, config, record, watch=self._watch)
            labels = settle(labels, chain_scorer(first, self._resources.schema))
            examples = [*made, *labels.examples()]
            epochs = max(2, int(learned.training["epochs"]) // 3)
            trained = self._train(
                examples,
                self._folder,
                config.model_copy(update={"epochs": epochs}),
                record,
                initial=first,
                watch=lambda event: self._watch(replace(event, stage="train on")),
            )
        except KeyboardInterrupt:
            if written_at(self._folder) == before and (first / CONFIG).is_file():
                from isomatch.learn.gsr.training import save_stopped

                save_stopped(first, self._folder)
            raise
        return labels, trained

    def _train(
        self,
        examples: Sequence[Example],
        out: Path,
        config: GsrConfig,
        record: ArtifactConfig,
        *,
        initial: Path | None = None,
        watch: Watch,
    ) -> ArtifactConfig:
        from isomatch.learn.gsr.training import train

        return train(
            examples,
            self._vocabulary,
            out,
            config,
            record=record,
            initial=initial,
            resume=self._resume,
            watch=watch,
        )


def train_triples(
    resources: Resources,
    questions: QuestionSet | None,
    config: TriplesConfig | None = None,
    *,
    out: Path | str | None = None,
    resume: bool = False,
    strict: bool = False,
    watch: Watch | None = None,
    **options: Any,
) -> TrainingReport:
    """Train a scorer of triples.

    With shortest paths no question is labelled.

    Args:
        resources: the graph, its index and embedder.
        questions: to learn from.
        config: see `TriplesConfig`; None for its defaults.
        out, resume, strict, watch: see `train_gsr`.
        options: fields of `TriplesConfig`, in place of those of ``config``.

    Raises:
        ConfigurationError: there are no questions, or an option is wrong.
        LoadError, ArtifactError, MissingExtraError, TrainingStopped: see `train_gsr`.
    """
    config = TriplesConfig.of(config, **options)
    if questions is None:
        raise ConfigurationError(
            "a scorer of triples learns from questions with their answers: give --questions"
        )
    need_torch()
    folder, watch = Path(out or resources.settings.triples_folder), watch or ignore
    asked = config.model_dump(mode="json", include={"rule", "paths", "limit", "seed"})
    asked["questions"] = digest(questions.questions)
    work = work_folder(resources, "triples", folder, resume, asked)
    with stoppable(folder):
        checked = check_questions(resources, questions, config, strict=strict)
        labels = None
        if config.paths == Paths.chains:
            labels = label_questions(resources, checked, config, work, watch)
        trained = _train_triples(resources, checked, labels, config, folder, resume, watch)
    report = TrainingReport.of(folder, trained, (), labels, checked)
    shutil.rmtree(work, ignore_errors=True)
    return report


def _train_triples(
    resources: Resources,
    asked: QuestionSet,
    labels: WeakLabels | None,
    config: TriplesConfig,
    folder: Path,
    resume: bool,
    watch: Watch,
) -> ArtifactConfig:
    from isomatch.learn.triples.data import triple_questions
    from isomatch.learn.triples.training import train

    about = [
        q if q.topics else replace(q, topics=names_in(resources, q.text)) for q in asked.questions
    ]
    chains = None
    if labels is not None:
        chains = {
            label.id: [part for explanation, _ in label.kept for part in explanation.parts]
            for label in labels.labels
        }
    record = ArtifactConfig(
        kind="triples",
        nodes=labels.nodes if labels else "anchored",
        training=origin(asked, config.limit),
    )
    found = list(triple_questions(about, Entities(resources.index).ids, chains))
    return train(found, resources, folder, config, record=record, resume=resume, watch=watch)


def need_torch(device: Device = Device.auto) -> None:
    """Check that the extra ``train`` is installed, and choose where torch computes.

    Args:
        device: has an effect only before torch is first used.

    Raises:
        MissingExtraError: the extra ``train`` is not installed.
        ConfigurationError: CUDA is asked for and not available.
    """
    from importlib.util import find_spec

    missing = [name for name in ("torch", "transformers", "safetensors") if not find_spec(name)]
    if missing:
        raise MissingExtraError(
            f"training needs {', '.join(missing)}: pip install 'isomatch[train]'"
        )
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # weights that MiniLM does not need
    if device == Device.cpu:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # read by torch when it is first asked
    if device == Device.cuda:
        import torch

        if not torch.cuda.is_available():
            raise ConfigurationError("there is no CUDA here: leave out --device cuda")

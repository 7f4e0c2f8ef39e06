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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.executor import Work, open_executor
from isomatch.feedback.questions import question_set
from isomatch.learn import corrections
from isomatch.learn.config import GsrConfig, TrainConfig, TriplesConfig
from isomatch.learn.examples import Example
from isomatch.learn.generated import NUMBER, index_examples, synthesise
from isomatch.learn.report import Event, Stage, TrainingReport, Watch, ignore
from isomatch.learn.sampling import sample_chains
from isomatch.learn.tie_breaking import chain_scorer, settle
from isomatch.learn.walks import Entities
from isomatch.learn.weak import Asked, Labeller, Rows, WeakLabels, digest
from isomatch.learn.workdir import stoppable, work_folder
from isomatch.options import Device, Paths, Rule, SplitBy
from isomatch.questions.sets import QuestionSet, by_row, by_text, check_names, limited
from isomatch.resources import Reopening
from isomatch.trained.artifact import ArtifactConfig
from isomatch.trained.vocabulary import StepVocabulary

if TYPE_CHECKING:
    from isomatch.feedback.lessons import Lessons
    from isomatch.questions.datasets import Question
    from isomatch.resources import Resources


def training_side(
    questions: QuestionSet, split_by: SplitBy, share: float, seed: int, hops: int | None = None
) -> QuestionSet:
    """The training side of a question set; an evaluation with the same seed has the rest.

    Args:
        split_by: how the set is split, see `isomatch.questions.sets`; ``none`` takes all.
        share: of the questions, for training.
        hops: of those, only questions of so many relations.
    """
    chosen: Sequence[Question] = questions.questions
    if split_by != SplitBy.none:
        split = by_row if split_by == SplitBy.row else by_text
        chosen, _ = split(chosen, share, seed)
    chosen = tuple(q for q in chosen if hops is None or q.hops == hops)
    ids = {question.id for question in chosen}
    parts = tuple(p for p in questions.parts if any(q.id in ids for q in p.questions))
    side = {"split_by": str(split_by), "share": share, "seed": seed, "hops": hops}
    return replace(questions, questions=chosen, parts=parts, taken={**questions.taken, **side})


def label_questions(
    resources: Resources, questions: QuestionSet, config: TrainConfig, work: Path, watch: Watch
) -> WeakLabels:
    """The chains of checked questions, with ties broken as far as possible without a model."""
    labeller = _labeller(resources, config)
    make = partial(_labels, Reopening.of(resources), config)
    with open_executor(config.on) as executor:
        labels = labeller.run(
            questions.questions,
            work / "labels",
            lambda done, total: watch(Event("label", done, total)),
            partial(executor.map, Work(labeller.part, make)),
        )
    return settle(labels)


def _labeller(resources: Resources, config: TrainConfig) -> Labeller:
    return Labeller(
        resources,
        config.rule,
        seed=config.seed,
        model=resources.llm if config.rule == Rule.model else None,
        mentions=partial(names_in, resources),
    )


def _labels(graph: Reopening, config: TrainConfig) -> Callable[[Asked], Rows]:
    """In a worker: what labels questions."""
    return _labeller(graph.open(), config).part


def names_in(resources: Resources, text: str) -> tuple[str, ...]:
    """Names of the graph in a text, for questions without topics."""
    return tuple(dict.fromkeys(m.text for m in resources.mentions.find(text) if m.ids))


def check_questions(
    resources: Resources, questions: QuestionSet, config: TrainConfig, *, strict: bool
) -> QuestionSet:
    """The questions to learn from, without those that the graph has no names of."""
    chosen = replace(questions, questions=limited(questions.questions, config.limit, config.seed))
    checked = check_names(chosen, Entities(resources.index).known, strict=strict)
    if not checked.questions:
        first = f"; the first problem: {checked.problems[0]}" if checked.problems else ""
        raise ConfigurationError(
            f"none of the {len(chosen.questions):,} questions of {questions.name} is about this "
            f"graph{first}"
        )
    return checked


def index_questions(resources: Resources, seed: int, watch: Watch) -> list[Example]:
    """Indexing data: questions for every relation."""
    most = 2 * NUMBER * len(resources.schema.relations)  # in each direction
    examples = index_examples(resources, resources.lexicon, seed=seed)
    made = _watched(examples, "index", most, watch)
    watch(Event("index", len(made), len(made)))
    return made


def synthetic_questions(resources: Resources, config: GsrConfig, watch: Watch) -> list[Example]:
    """Questions made of chains that are sampled from the graph."""
    if config.synthetic < 1:
        return []
    model = resources.llm if config.reword else None
    if config.reword and model is None:
        raise ConfigurationError(
            "rewording synthetic questions needs a language model: set ISOMATCH_MODEL, or "
            "leave --reword out"
        )
    sampled = sample_chains(resources, config.synthetic, seed=config.seed)
    examples = synthesise(resources.lexicon, sampled, seed=config.seed, model=model)
    return _watched(examples, "synthesise", config.synthetic, watch)


def _watched(examples: Iterable[Example], stage: Stage, total: int, watch: Watch) -> list[Example]:
    made: list[Example] = []
    for example in examples:
        made.append(example)
        watch(Event(stage, len(made), total))
    return made


def origin(asked: QuestionSet | None, limit: int | None) -> dict[str, Any]:
    """The questions' origin for a model's config, so that an evaluation can avoid them."""
    return {"questions_from": {**asked.taken, "limit": limit} if asked else None}


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
    feedback: Lessons | None = None,
    **options: Any,
) -> TrainingReport:
    """Train a model that interprets questions as relation chains.

    Args:
        questions: to label weakly, see `isomatch.questions.sets.read_questions`; None for none.
        config: see `GsrConfig`; None for its defaults.
        out: the artifact's folder; None for that of the settings.
        resume: continue a stopped run. It starts again where its arguments, the graph or
            the lexicon have changed.
        strict: whether a question with a name that the graph lacks is an error.
        watch: called with the run's progress.
        feedback: corrections to learn from too, see `isomatch.feedback.questions.kept_lessons`.
            Without questions, as many are made from the graph as for the model before.
        options: fields of `GsrConfig`, in place of those of ``config``.

    Raises:
        ConfigurationError: there are neither questions nor synthetic ones, no correction
            can be learnt from, or an option is wrong.
        LoadError: a question is wrong, and ``strict``.
        ArtifactError: the model cannot be trained or written.
        MissingExtraError: the extra ``train`` is not installed.
        TrainingStopped: Ctrl-C; what was learnt so far is in ``out``.
    """
    config = GsrConfig.of(config, **options)
    folder = Path(out or resources.settings.gsr_folder)
    if feedback is not None:
        corrections.need_known(feedback, StepVocabulary.of(resources.schema))
        if questions is None and config.synthetic < 1:
            config = corrections.as_before(config, folder)
    need_questions(resources, questions, config)
    need_torch()
    asked = config.model_dump(mode="json")
    asked["questions"] = questions and digest(questions.questions)
    asked["feedback"] = feedback and corrections.digest(feedback)
    asked["llm"] = resources.llm and resources.llm.model
    work = work_folder(resources, "gsr", folder, resume, asked)
    with stoppable(folder):
        run = _GsrRun(resources, questions, config, folder, work, resume, watch or ignore, feedback)
        report = run.train(strict)
    shutil.rmtree(work, ignore_errors=True)
    return report


@dataclass(frozen=True, slots=True)
class _GsrRun:
    """One run of `train_gsr`."""

    resources: Resources
    questions: QuestionSet | None
    config: GsrConfig
    folder: Path
    work: Path
    resume: bool
    watch: Watch
    feedback: Lessons | None = None

    def train(self, strict: bool) -> TrainingReport:
        """Make the data, train the model, and settle ties by it."""
        resources, config, watch = self.resources, self.config, self.watch
        labels, asked = None, None
        if self.questions is not None:
            asked = check_questions(resources, self.questions, config, strict=strict)
        if self.feedback is not None:
            texts = {relation.id: relation.text for relation in resources.schema.relations}
            entities = Entities(resources.index)
            asked = corrections.with_answers(asked, self.feedback, texts, entities)
        if asked is not None:
            labels = label_questions(resources, asked, config, self.work, watch)
        synthetic = synthetic_questions(resources, config, watch)
        made = [*index_questions(resources, config.seed, watch), *synthetic]
        made += corrections.chain_examples(self.feedback) if self.feedback else []
        mostly_synthetic = labels is None or labels.report.kept < len(synthetic)
        if config.freeze is None:
            config = config.model_copy(update={"freeze": mostly_synthetic})
        record = ArtifactConfig(
            kind="gsr",
            fingerprint=resources.schema.fingerprint,
            nodes=labels.nodes if labels else "anchored",
            words=WORDS if mostly_synthetic else 0.0,
            corrected=corrections.wordings(self.feedback) if self.feedback else (),
            training=origin(self.questions, config.limit),
        )
        if labels is not None and any(label.reason == "tie" for label in labels.labels):
            labels, trained = self._in_two_stages(labels, made, config, record)
        else:
            examples = self._examples(made, labels)
            trained = self._train(examples, self.folder, config, record, watch=watch)
        examples = self._examples(made, labels)
        report = TrainingReport.of(
            self.folder, trained, examples, labels.report if labels else None, asked
        )
        if self.feedback is None:
            return report
        figures = corrections.figures(resources, self.feedback, self.folder)
        return replace(report, corrections=figures)

    def _examples(self, made: Sequence[Example], labels: WeakLabels | None) -> list[Example]:
        """All that is learnt from; where a question is of feedback, marked as that."""
        examples = [*made, *(labels.examples() if labels else ())]
        if self.feedback is None:
            return examples
        examples = corrections.marked(examples, self.feedback)
        corrections.need_more(examples)
        return examples

    def _in_two_stages(
        self, labels: WeakLabels, made: Sequence[Example], config: GsrConfig, record: ArtifactConfig
    ) -> tuple[WeakLabels, ArtifactConfig]:
        """Train without the ties, break them by that model, and train on with them."""
        from isomatch.learn.gsr.training import learned, or_first

        first = self.work / "first"
        with or_first(first, self.folder):
            examples = self._examples(made, labels)
            done = learned(first) if self.resume else None
            done = done or self._train(examples, first, config, record, watch=self.watch)
            labels = settle(labels, chain_scorer(first, self.resources.schema))
            examples = self._examples(made, labels)
            epochs = max(2, int(done.training["epochs"]) // 3)
            trained = self._train(
                examples,
                self.folder,
                config.model_copy(update={"epochs": epochs}),
                record,
                initial=first,
                watch=lambda event: self.watch(replace(event, stage="train on")),
            )
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
            StepVocabulary.of(self.resources.schema),
            out,
            config,
            record=record,
            initial=initial,
            resume=self.resume,
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
    feedback: Lessons | None = None,
    **options: Any,
) -> TrainingReport:
    """Train a scorer of triples. With shortest paths no question is labelled.

    Args:
        options: fields of `TriplesConfig`, in place of those of ``config``. The other
            arguments are those of `train_gsr`.

    Raises:
        ConfigurationError: there are no questions, or an option is wrong.
        LoadError, ArtifactError, MissingExtraError, TrainingStopped: see `train_gsr`.
    """
    config = TriplesConfig.of(config, **options)
    if feedback is not None:
        texts = {relation.id: relation.text for relation in resources.schema.relations}
        questions = corrections.joined(questions, question_set(feedback, texts))
    if questions is None:
        raise ConfigurationError(
            "a scorer of triples learns from questions with their answers: give --questions"
        )
    need_torch()
    folder, watch = Path(out or resources.settings.triples_folder), watch or ignore
    asked = config.model_dump(mode="json", include={"rule", "paths", "limit", "seed"})
    asked["questions"] = digest(questions.questions)
    work = work_folder(resources, "triples", folder, resume, asked)
    # Where a cluster is started, it is for both of what follows.
    with stoppable(folder), open_executor(config.on):
        checked = check_questions(resources, questions, config, strict=strict)
        labels = None
        if config.paths == Paths.chains:
            labels = label_questions(resources, checked, config, work, watch)
        trained = _train_triples(resources, checked, labels, config, folder, resume, watch)
    report = TrainingReport.of(folder, trained, (), labels.report if labels else None, checked)
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


def need_questions(resources: Resources, questions: QuestionSet | None, config: GsrConfig) -> None:
    """Check that there is something to train on.

    Raises:
        ConfigurationError: there are neither questions nor made-up ones, or no facts.
    """
    if not resources.schema.relations:
        raise ConfigurationError("there is nothing to train on: the graph has no facts")
    if questions is None and config.synthetic < 1:
        raise ConfigurationError(
            "there is nothing to train on: give questions (--questions), or say how many to "
            "make from the graph (--synthetic)"
        )


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

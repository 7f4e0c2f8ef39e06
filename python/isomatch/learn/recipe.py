"""From questions, or from none, to a trained retriever: all steps of a training run.

    questions → weak labels ─┐
    graph → indexing data    ├→ train → settle ties by the model, train on → artifact
    graph → synthetic data ──┘

What the steps before training make is kept in the home folder's cache, so that a run
that was stopped goes on where it was (``resume``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from isomatch import __version__
from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.learn.artifact import (
    CONFIG,
    METRICS,
    ArtifactConfig,
    read_config,
    read_json,
    write_json,
)
from isomatch.learn.examples import Example
from isomatch.learn.parts import RECIPE, replace_file, written
from isomatch.learn.questions import QuestionSet, by_row, by_text, check_names, limited
from isomatch.seed import SEED

if TYPE_CHECKING:
    from isomatch.evaluate.datasets import Question
    from isomatch.learn.triples.data import Paths
    from isomatch.learn.weak import Rule, WeakLabels, WeakReport
    from isomatch.session import Session

Stage = Literal["label", "index", "synthesise", "train", "train on"]
Split = Literal["none", "row", "text"]


TRIPLE_EPOCHS = 20
TRIPLE_RATE = 1e-3
WORDS = 4.0  # of `ArtifactConfig.words`, for a model that no question was asked of


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


def training_side(
    questions: QuestionSet, split_by: Split, share: float, seed: int, hops: int | None = None
) -> QuestionSet:
    """The questions that a run may learn from; an evaluation with the same seed has the others.

    Args:
        split_by: ``row`` or ``text`` leaves the rest of a set to testing, see
            `isomatch.learn.questions`; ``none`` takes all.
        share: of the questions that are learnt from.
        hops: of those, only questions of so many relations.
    """
    chosen: Sequence[Question] = questions.questions
    if split_by != "none":
        chosen, _ = (by_row if split_by == "row" else by_text)(chosen, share, seed)
    chosen = tuple(q for q in chosen if hops is None or q.hops == hops)
    ids = {question.id for question in chosen}
    parts = tuple(p for p in questions.parts if any(q.id in ids for q in p.questions))
    side = {"split_by": split_by, "share": share, "seed": seed, "hops": hops}
    return replace(questions, questions=chosen, parts=parts, taken={**questions.taken, **side})


def train_gsr(
    session: Session,
    questions: QuestionSet | None = None,
    *,
    synthetic: int = 0,
    out: Path | str | None = None,
    rule: Rule = "filtered",
    limit: int | None = None,
    seed: int = SEED,
    backbone: str = "minilm",
    freeze: bool | None = None,
    epochs: int | None = None,
    rate: float | None = None,
    reword: bool = False,
    resume: bool = False,
    strict: bool = False,
    watch: Watch | None = None,
) -> TrainingReport:
    """Train a model that reads questions as relation chains, on the session's graph.

    Args:
        questions: to label weakly, see `isomatch.learn.questions.read_questions`;
            None for none.
        synthetic: how many questions are made from the graph alone.
        out: the artifact's folder; None for the one that the session looks in.
        rule: how questions are labelled, see `isomatch.learn.weak`.
        limit: most questions that are learnt from, the same ones for the same seed.
        seed: of everything that is sampled.
        backbone, freeze, epochs, rate: see `isomatch.learn.gsr.training.train`; None freezes
            the encoder where there are no questions, since made-up ones take it away
            from what people say.
        reword: whether the session's language model says synthetic questions in
            further ways.
        resume: go on with a run that was stopped, in place of a new one; where it was of
            other arguments, or its graph or lexicon has changed, it begins anew.
        strict: whether a question with a name that the graph lacks is an error.
        watch: called as the run goes on.

    Raises:
        ConfigurationError: neither questions nor synthetic ones are wanted, or an
            option is wrong.
        LoadError: a question is wrong, and ``strict``.
        ArtifactError: the model cannot be trained or written.
        MissingExtraError: the extra ``train`` is not installed.
        TrainingStopped: Ctrl-C; what was learnt by then is in ``out``.
    """
    if questions is None and synthetic < 1:
        raise ConfigurationError(
            "there is nothing to train on: give questions (--questions), or say how many to "
            "make from the graph (--synthetic)"
        )
    need_torch()
    from isomatch.interpret.gsr.vocabulary import StepVocabulary
    from isomatch.learn.weak import digest

    watch = watch or _nobody
    folder = Path(out or session.settings.gsr_folder)
    work = _work(
        session,
        "gsr",
        folder,
        resume,
        {
            "questions": questions and digest(questions.questions),
            "synthetic": synthetic,
            "rule": rule,
            "limit": limit,
            "seed": seed,
            "backbone": backbone,
            "freeze": freeze,
            "epochs": epochs,
            "rate": rate,
            "reword": reword,
            "llm": session.model.model if session.model is not None else None,
        },
    )
    with _stoppable(folder):
        labels, asked = None, None
        if questions is not None:
            labels, asked = _labelled(session, questions, rule, limit, seed, strict, work, watch)
        made = [
            *_indexed(session, seed, watch),
            *_synthetic(session, synthetic, seed, reword, watch),
        ]
        first = partial(
            _train,
            vocabulary=StepVocabulary.of(session.schema),
            backbone=backbone,
            freeze=questions is None if freeze is None else freeze,
            rate=rate,
            seed=seed,
            nodes=labels.nodes if labels else "anchored",
            words=WORDS if labels is None else 0.0,
            fingerprint=session.schema.fingerprint,
            about=_about(asked, limit),
            resume=resume,
        )
        if labels is not None and any(label.reason == "tie" for label in labels.labels):
            with _handed_over(work / "first", folder):
                learned = first(
                    [*made, *labels.examples()],
                    out=work / "first",
                    epochs=epochs,
                    progress=_watched(watch, "train"),
                    done=resume,
                )
                labels = _settled(labels, session, work / "first")
                config = first(
                    examples := [*made, *labels.examples()],
                    out=folder,
                    epochs=max(2, int(learned.training["epochs"]) // 3),
                    initial=work / "first",
                    progress=_watched(watch, "train on"),
                )
        else:
            examples = [*made, *(labels.examples() if labels else ())]
            config = first(examples, out=folder, epochs=epochs, progress=_watched(watch, "train"))
    report = _report(folder, config, examples, labels, asked)
    _describe(report)
    shutil.rmtree(work, ignore_errors=True)
    return report


def train_triples(
    session: Session,
    questions: QuestionSet | None,
    *,
    out: Path | str | None = None,
    rule: Rule = "filtered",
    paths: Paths = "chains",
    limit: int | None = None,
    seed: int = SEED,
    epochs: int | None = None,
    rate: float | None = None,
    resume: bool = False,
    strict: bool = False,
    watch: Watch | None = None,
) -> TrainingReport:
    """Train a scorer of triples, on the session's graph.

    Args:
        questions: to learn from.
        paths: triples on the paths of the labels' ``chains`` are of use, or those on
            the ``shortest`` paths, as published; then no question is labelled.
        epochs: at most; None for 20.
        rate: of learning; None for 0.001.
        out, rule, limit, seed, resume, strict, watch: see `train_gsr`.

    Raises:
        ConfigurationError: there are no questions, or an option is wrong.
        LoadError, ArtifactError, MissingExtraError, TrainingStopped: see `train_gsr`.
    """
    if questions is None:
        raise ConfigurationError(
            "a scorer of triples learns from questions with their answers: give --questions"
        )
    need_torch()
    from isomatch.learn.entities import Entities
    from isomatch.learn.triples.questions import triple_questions
    from isomatch.learn.triples.training import train
    from isomatch.learn.weak import digest

    watch = watch or _nobody
    folder = Path(out or session.settings.triples_folder)
    work = _work(
        session,
        "triples",
        folder,
        resume,
        {
            "questions": digest(questions.questions),
            "rule": rule,
            "paths": paths,
            "limit": limit,
            "seed": seed,
        },
    )
    labels, chains = None, None
    with _stoppable(folder):
        if paths == "chains":
            labels, asked = _labelled(session, questions, rule, limit, seed, strict, work, watch)
            chains = {
                label.id: [part for explanation, _ in label.kept for part in explanation.parts]
                for label in labels.labels
            }
        else:
            asked = _checked(session, questions, limit, seed, strict)
        about = [
            q if q.topics else replace(q, topics=_named(session, q.text)) for q in asked.questions
        ]
        config = train(
            list(triple_questions(about, Entities(session.index).ids, chains)),
            session,
            folder,
            paths=paths,
            nodes=labels.nodes if labels else "anchored",
            seed=seed,
            resume=resume,
            progress=_watched(watch, "train"),
            prepared=lambda done, total: watch(Event("index", done, total)),
            epochs=epochs or TRIPLE_EPOCHS,
            rate=rate or TRIPLE_RATE,
            about=_about(asked, limit),
        )
    report = _report(folder, config, (), labels, asked)
    _describe(report)
    shutil.rmtree(work, ignore_errors=True)
    return report


def need_torch(device: str = "auto") -> None:
    """Check that training can be done, and where.

    Args:
        device: ``cpu``, ``cuda`` or ``auto``; counts before torch is first used.

    Raises:
        MissingExtraError: the extra ``train`` is not installed.
        ConfigurationError: there is no CUDA, and it is wanted.
    """
    from importlib.util import find_spec

    missing = [name for name in ("torch", "transformers", "safetensors") if not find_spec(name)]
    if missing:
        raise MissingExtraError(
            f"training needs {', '.join(missing)}: pip install 'isomatch[train]'"
        )
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # weights that MiniLM does not need
    if device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # what torch looks at when it is first asked
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise ConfigurationError("there is no CUDA here: leave out --device cuda")


def _nobody(event: Event) -> None:
    """Watches nothing."""


def _work(
    session: Session, kind: str, folder: Path, resume: bool, asked: Mapping[str, Any]
) -> Path:
    """Where a run keeps what it made before training: a place for each artifact's folder.

    What another run has left there is removed: one that is not gone on with, or that was
    of other arguments, of another graph or of other words in the lexicon.
    """
    key = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    work = session.settings.cache_path / "train" / f"{kind}-{key}"
    lexicon = hashlib.sha256(repr(session.lexicon).encode()).hexdigest()
    graph = session.schema.fingerprint
    made_of = {**asked, "graph": graph, "lexicon": lexicon, "isomatch": __version__}
    text = json.dumps(made_of, sort_keys=True)
    recipe = work / RECIPE
    with written(work):
        if not (resume and recipe.is_file() and recipe.read_text(encoding="utf-8") == text):
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            replace_file(recipe, text)
    return work


class TrainingStopped(KeyboardInterrupt):
    """Ctrl-C while a model was trained.

    Attributes:
        kept: whether what was learnt by then is in the artifact's folder.
    """

    def __init__(self, kept: bool):
        super().__init__()
        self.kept = kept


@contextmanager
def _stoppable(folder: Path) -> Iterator[None]:
    """Tells with Ctrl-C whether this run has left a model in the folder."""
    before = _written_at(folder)
    try:
        yield
    except KeyboardInterrupt as error:
        raise TrainingStopped(kept=_written_at(folder) not in (None, before)) from error


@contextmanager
def _handed_over(first: Path, folder: Path) -> Iterator[None]:
    """Leaves the first stage's model where the run is stopped before the second has one."""
    before = _written_at(folder)
    try:
        yield
    except KeyboardInterrupt:
        if _written_at(folder) == before and (first / CONFIG).is_file():
            from isomatch.learn.gsr.keeping import keep_stopped

            keep_stopped(first, folder)
        raise


def _written_at(folder: Path) -> int | None:
    """When the folder's model was put there, in nanoseconds; None where there is none."""
    config = folder / CONFIG
    return config.stat().st_mtime_ns if config.is_file() else None


def _about(asked: QuestionSet | None, limit: int | None) -> dict[str, Any]:
    """What a model's config says of the questions, so that an evaluation can ask others."""
    return {"questions_from": {**asked.taken, "limit": limit} if asked else None}


# -- data ---------------------------------------------------------------------------------


def _labelled(
    session: Session,
    questions: QuestionSet,
    rule: Rule,
    limit: int | None,
    seed: int,
    strict: bool,
    work: Path,
    watch: Watch,
) -> tuple[WeakLabels, QuestionSet]:
    """The questions' chains, ties settled as far as they can be without a model."""
    from isomatch.learn.ties import settle
    from isomatch.learn.weak import Labeller

    checked = _checked(session, questions, limit, seed, strict)
    labeller = Labeller(
        session,
        rule,
        seed=seed,
        model=session.model if rule == "model" else None,
        mentions=partial(_named, session),
    )
    labels = labeller.run(
        checked.questions, work / "labels", lambda done, total: watch(Event("label", done, total))
    )
    return settle(labels), checked


def _named(session: Session, text: str) -> tuple[str, ...]:
    """The names of the graph in a text, for questions that do not say what they are about."""
    return tuple(dict.fromkeys(m.text for m in session.mentions.find(text) if m.ids))


def _checked(
    session: Session, questions: QuestionSet, limit: int | None, seed: int, strict: bool
) -> QuestionSet:
    """The questions that are learnt from, without those that the graph knows nothing of."""
    from isomatch.learn.entities import Entities

    chosen = replace(questions, questions=limited(questions.questions, limit, seed))
    checked = check_names(chosen, Entities(session.index).known, strict=strict)
    if not checked.questions:
        first = f"; the first problem: {checked.problems[0]}" if checked.problems else ""
        raise ConfigurationError(
            f"none of the {len(chosen.questions):,} questions of {questions.name} is about this "
            f"graph{first}"
        )
    return checked


def _indexed(session: Session, seed: int, watch: Watch) -> list[Example]:
    """Questions for every relation, so that the model knows which there are."""
    from isomatch.learn.indexing import NUMBER as INDEXED
    from isomatch.learn.indexing import index_examples

    most = 2 * INDEXED * len(session.schema.relations)  # in each direction
    made: list[Example] = []
    for example in index_examples(session, session.lexicon, number=INDEXED, seed=seed):
        made.append(example)
        watch(Event("index", len(made), most))
    watch(Event("index", len(made), len(made)))
    return made


def _synthetic(
    session: Session, number: int, seed: int, reword: bool, watch: Watch
) -> list[Example]:
    """Questions made of chains that are sampled from the graph."""
    if number < 1:
        return []
    from isomatch.learn.sampling import sample_chains
    from isomatch.learn.synthetic import synthesise

    if reword and session.model is None:
        raise ConfigurationError(
            "rewording synthetic questions needs a language model: set ISOMATCH_MODEL, or "
            "leave --reword out"
        )
    sampled = sample_chains(session, number, seed=seed)
    model = session.model if reword else None
    made: list[Example] = []
    for example in synthesise(session.lexicon, sampled, seed=seed, model=model):
        made.append(example)
        watch(Event("synthesise", len(made), number))
    return made


# -- training -----------------------------------------------------------------------------


def _train(
    examples: Sequence[Example], *, out: Path, done: bool = False, **how: Any
) -> ArtifactConfig:
    """Train; a model that a run which is gone on with has finished is taken as it is."""
    from isomatch.learn.gsr.training import train

    if done and (out / CONFIG).is_file() and (config := read_config(out)).complete:
        return config
    return train(examples, out=out, **how)


def _settled(labels: WeakLabels, session: Session, folder: Path) -> WeakLabels:
    """The labels, the remaining ties settled by the model in a folder."""
    from isomatch.learn.gsr.scoring import chain_scorer
    from isomatch.learn.ties import settle

    return settle(labels, chain_scorer(folder, session.schema))


def _watched(watch: Watch, stage: Stage) -> Callable[[Any], None]:
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


def _report(
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


def _describe(report: TrainingReport) -> None:
    """Add what the model was trained on to the artifact's metrics."""
    path = report.folder / METRICS
    data = {
        "examples": report.examples,
        "labels": report.labels.form() if report.labels else None,
        "problems": report.problems,
    }
    write_json(path, {**read_json(path), "data": data})

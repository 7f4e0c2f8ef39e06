"""From questions, or from none, to a trained retriever: all steps of a training run.

    questions → weak labels ─┐
    graph → indexing data    ├→ train → settle ties by the model, train on → artifact
    graph → synthetic data ──┘

What the steps before training make is kept in the home folder's cache, so that a run
that was stopped goes on where it was (``resume``).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError, MissingExtraError
from isomatch.learn.data import (
    check_questions,
    index_questions,
    label_questions,
    names_in,
    origin,
    synthetic_questions,
)
from isomatch.learn.events import Event, Watch, nobody, watched
from isomatch.learn.examples import Example
from isomatch.learn.report import TrainingReport, describe, report_of
from isomatch.learn.workdir import handed_over, stoppable, work_folder
from isomatch.questions.sets import QuestionSet
from isomatch.seed import SEED
from isomatch.trained.artifact import CONFIG, ArtifactConfig, read_config

if TYPE_CHECKING:
    from isomatch.learn.triples.data import Paths
    from isomatch.learn.weak import Rule, WeakLabels
    from isomatch.session import Session

TRIPLE_EPOCHS = 20
TRIPLE_RATE = 1e-3
WORDS = 32.0  # of `ArtifactConfig.words`, where more questions are made up than labelled


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
        questions: to label weakly, see `isomatch.questions.sets.read_questions`;
            None for none.
        synthetic: how many questions are made from the graph alone.
        out: the artifact's folder; None for the one that the session looks in.
        rule: how questions are labelled, see `isomatch.learn.weak`.
        limit: most questions that are learnt from, the same ones for the same seed.
        seed: of everything that is sampled.
        backbone, freeze, epochs, rate: see `isomatch.learn.gsr.training.train`; None freezes
            the encoder where most questions are made up, since these take it away
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
    from isomatch.learn.weak import digest
    from isomatch.trained.vocabulary import StepVocabulary

    watch = watch or nobody
    folder = Path(out or session.settings.gsr_folder)
    work = work_folder(
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
    with stoppable(folder):
        labels, asked = None, None
        if questions is not None:
            labels, asked = label_questions(
                session, questions, rule, limit, seed, strict, work, watch
            )
        made_up = synthetic_questions(session, synthetic, seed, reword, watch)
        made = [*index_questions(session, seed, watch), *made_up]
        mostly_made_up = labels is None or labels.report.kept < len(made_up)
        first = partial(
            _train,
            vocabulary=StepVocabulary.of(session.schema),
            backbone=backbone,
            freeze=mostly_made_up if freeze is None else freeze,
            rate=rate,
            seed=seed,
            nodes=labels.nodes if labels else "anchored",
            words=WORDS if mostly_made_up else 0.0,
            fingerprint=session.schema.fingerprint,
            about=origin(asked, limit),
            resume=resume,
        )
        if labels is not None and any(label.reason == "tie" for label in labels.labels):
            with handed_over(work / "first", folder):
                learned = first(
                    [*made, *labels.examples()],
                    out=work / "first",
                    epochs=epochs,
                    progress=watched(watch, "train"),
                    done=resume,
                )
                labels = _settled(labels, session, work / "first")
                config = first(
                    examples := [*made, *labels.examples()],
                    out=folder,
                    epochs=max(2, int(learned.training["epochs"]) // 3),
                    initial=work / "first",
                    progress=watched(watch, "train on"),
                )
        else:
            examples = [*made, *(labels.examples() if labels else ())]
            config = first(examples, out=folder, epochs=epochs, progress=watched(watch, "train"))
    report = report_of(folder, config, examples, labels, asked)
    describe(report)
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

    watch = watch or nobody
    folder = Path(out or session.settings.triples_folder)
    work = work_folder(
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
    with stoppable(folder):
        if paths == "chains":
            labels, asked = label_questions(
                session, questions, rule, limit, seed, strict, work, watch
            )
            chains = {
                label.id: [part for explanation, _ in label.kept for part in explanation.parts]
                for label in labels.labels
            }
        else:
            asked = check_questions(session, questions, limit, seed, strict)
        about = [
            q if q.topics else replace(q, topics=names_in(session, q.text)) for q in asked.questions
        ]
        config = train(
            list(triple_questions(about, Entities(session.index).ids, chains)),
            session,
            folder,
            paths=paths,
            nodes=labels.nodes if labels else "anchored",
            seed=seed,
            resume=resume,
            progress=watched(watch, "train"),
            prepared=lambda done, total: watch(Event("index", done, total)),
            epochs=epochs or TRIPLE_EPOCHS,
            rate=rate or TRIPLE_RATE,
            about=origin(asked, limit),
        )
    report = report_of(folder, config, (), labels, asked)
    describe(report)
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
    from isomatch.learn.tie_breaking import settle

    return settle(labels, chain_scorer(folder, session.schema))

"""A whole training run on a toy: its two stages, what stops it, and how it goes on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.needs import needs

needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")

from tests.unit.learn.gsr.tiny import bert  # noqa: E402
from tests.unit.learn.toy import asked, toy  # noqa: E402

from isomatch.errors import ConfigurationError  # noqa: E402
from isomatch.learn.pipeline import (  # noqa: E402
    train_gsr,
    train_triples,
    training_side,
)
from isomatch.learn.report import Event  # noqa: E402
from isomatch.learn.workdir import TrainingStopped  # noqa: E402
from isomatch.questions.sets import QuestionSet, learnt_from  # noqa: E402
from isomatch.schema.types import Schema  # noqa: E402
from isomatch.session import Session  # noqa: E402
from isomatch.trained.artifact import open_artifact, read_config  # noqa: E402

QUESTIONS = QuestionSet(
    "films",
    (
        asked("ronin", "who directed Ronin?", "Ronin", "John Frankenheimer"),
        asked("films", "what films did Will Smith star in?", "Will Smith", "Ali"),
        asked("tie", "who is behind Thief?", "Thief", "Michael Mann"),  # its director and writer
    ),
    taken={"set": "films.jsonl", "split": "dev"},
)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with toy(tmp_path / "home") as session:
        yield session


def stop_at(stage: str, share: float = 0.0) -> Callable[[Event], None]:
    def watch(event: Event) -> None:
        if event.stage == stage and event.done > share * event.total:
            raise KeyboardInterrupt

    return watch


def learn(session: Session, tiny: str, **how: Any) -> Any:
    return train_gsr(
        session.resources,
        QUESTIONS,
        **{"backbone": tiny, "epochs": 3, "seed": 7, "int8": False, **how},
    )


def works(session: Session) -> list[Path]:
    return sorted((session.settings.cache_path / "train").iterdir())


def test_a_run_stopped_in_its_first_stage_leaves_that_model(session: Session, tiny: str) -> None:
    out = session.settings.gsr_folder
    with pytest.raises(TrainingStopped) as stopped:
        learn(session, tiny, watch=stop_at("train", 0.7))
    assert stopped.value.saved
    artifact = open_artifact(out, "gsr", session.schema)
    assert "was stopped before its end" in artifact.notes[0]
    assert "was stopped" in (out / "README.md").read_text(encoding="utf-8")
    assert session.ask("who directed Ronin?", interpreter="auto").notes[1] == artifact.notes[0]


def test_and_one_that_is_stopped_before_the_second_has_learnt(session: Session, tiny: str) -> None:
    out = session.settings.gsr_folder
    with pytest.raises(TrainingStopped) as stopped:
        learn(session, tiny, watch=stop_at("train on"))
    assert stopped.value.saved
    assert not read_config(out).complete
    assert "was stopped" in (out / "README.md").read_text(encoding="utf-8")
    report = learn(session, tiny, resume=True)
    assert report.config.complete
    assert works(session) == []


def test_a_model_of_an_earlier_run_is_not_told_as_what_was_learnt(
    session: Session, tiny: str, tmp_path: Path
) -> None:
    learn(session, tiny)
    with pytest.raises(TrainingStopped) as stopped:
        learn(session, tiny, watch=stop_at("label"))
    assert not stopped.value.saved
    assert read_config(session.settings.gsr_folder).complete


def test_a_resumed_run_takes_nothing_that_other_arguments_made(
    session: Session, tiny: str, tmp_path: Path
) -> None:
    def stopped(seed: int) -> Path:
        with pytest.raises(TrainingStopped):
            learn(session, tiny, seed=seed, watch=stop_at("train on"))
        (work,) = works(session)
        return work / "first" / "config.json"

    first = stopped(7)
    made = first.stat().st_mtime_ns
    with pytest.raises(TrainingStopped):
        learn(session, tiny, resume=True, watch=stop_at("train on"))
    assert first.stat().st_mtime_ns == made  # the same arguments: taken as it was
    shutil.rmtree(session.settings.gsr_folder)
    report = learn(session, tiny, seed=8, resume=True)
    assert report.config.seed == 8
    with pytest.raises(TrainingStopped):
        learn(session, tiny, resume=True, epochs=2, watch=stop_at("train on"))
    assert read_config(first.parent).training["epochs"] == 2


def test_two_runs_keep_apart_what_they_make(session: Session, tiny: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        with pytest.raises(TrainingStopped):
            learn(session, tiny, out=tmp_path / name, watch=stop_at("train on"))
    assert len(works(session)) == 2
    assert learn(session, tiny, out=tmp_path / "a", resume=True).config.complete
    assert len(works(session)) == 1


def test_the_config_says_which_questions_it_was(session: Session, tiny: str) -> None:
    half = training_side(QUESTIONS, "row", 0.7, 5)
    report = train_gsr(
        session.resources, half, backbone=tiny, epochs=1, limit=2, rate=1e-4, int8=False
    )
    training = read_config(report.folder).training
    taken = {"set": "films.jsonl", "split": "dev", "split_by": "row", "share": 0.7, "seed": 5}
    assert training["questions_from"] == {**taken, "hops": None, "limit": 2}
    assert training["rate"] == 1e-4
    assert learnt_from(training, taken) is None
    assert learnt_from(training, {**taken, "set": "others.jsonl"}) is None
    assert "trained on films.jsonl" in str(learnt_from(training, {**taken, "seed": 6}))
    assert "trained on films.jsonl" in str(learnt_from(training, {**taken, "split_by": "none"}))
    assert learnt_from({}, taken) is None


@pytest.mark.parametrize(("synthetic", "few"), [(0, False), (2, False), (20, True)])
def test_where_most_questions_are_made_up_words_count_too(
    session: Session, tiny: str, synthetic: int, few: bool
) -> None:
    config = read_config(learn(session, tiny, epochs=1, synthetic=synthetic).folder)
    assert (config.training["freeze"], config.words > 0) == (few, few)


def test_a_scorer_of_triples_is_trained_and_says_of_what(session: Session) -> None:
    report = train_triples(session.resources, QUESTIONS, epochs=2, rule="raw", rate=1e-2)
    training = read_config(report.folder).training
    assert training["questions"] == 3
    assert training["rate"] == 1e-2
    assert training["questions_from"]["set"] == "films.jsonl"
    assert works(session) == []


def test_a_graph_without_facts_is_refused_in_words() -> None:
    resources = Mock(schema=Schema("f", 0, 0, (), ()))
    with pytest.raises(ConfigurationError, match="the graph has no facts"):
        train_gsr(resources, out="unused", synthetic=5)

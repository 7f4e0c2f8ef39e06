"""A whole training run of a program model, on a small graph with a tiny network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.needs import needs
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")

from tests.unit.learn.gsr.tiny import bert  # noqa: E402

import isomatch  # noqa: E402
from isomatch.learn.config import GsrConfig  # noqa: E402
from isomatch.learn.programs.labels import ProgramLabeller  # noqa: E402
from isomatch.learn.programs.pipeline import settled, train_programs  # noqa: E402
from isomatch.learn.programs.sampling import sample_questions  # noqa: E402
from isomatch.learn.report import Event, TrainingReport, Watch, ignore  # noqa: E402
from isomatch.learn.workdir import TrainingStopped  # noqa: E402
from isomatch.questions.datasets import Question  # noqa: E402
from isomatch.questions.sets import QuestionSet  # noqa: E402
from isomatch.trained.artifact import open_artifact  # noqa: E402

ASKED = {
    "What is the largest state that borders Texas?": ("Oklahoma",),
    "What is the capital of Alaska?": ("Juneau",),
    "Which rivers run through Oklahoma?": ("Red River",),
    "How many rivers run through Louisiana?": ("2",),
    "Which states border Oklahoma?": ("Texas",),
    "What is the longest river in Texas?": ("Red River",),
    "What is the capital of Texas?": ("Heat",),
}


def questions() -> QuestionSet:
    return QuestionSet(
        "states",
        tuple(
            Question(f"q{number}", text, (), answers, None, 0)
            for number, (text, answers) in enumerate(ASKED.items())
        ),
        taken={"set": "states.jsonl", "split": "dev"},
    )


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def trained(
    session: isomatch.Session, tiny: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[isomatch.Session]:
    out = tmp_path_factory.mktemp("model")
    report = train_programs(
        session.resources, questions(), backbone=tiny, epochs=120, validation=0, seed=3,
        rate=0.005, dropped=0, out=out,
    )  # fmt: skip
    assert report.labels is not None
    assert dict(report.labels.rows()) == {
        "questions": 7,
        "program from its answers": 6,
        "no program: no reading gives its answers": 1,
    }
    assert report.labels.composed == (7, 6)
    assert report.config.words == report.labels.trust == 0.75
    with opened(GRAPH, programs_model=out) as again:
        yield again


@pytest.mark.parametrize("question", [q for q, a in ASKED.items() if a != ("Heat",)])
def test_the_model_answers_what_it_has_learnt(trained: isomatch.Session, question: str) -> None:
    answer = trained.ask(question, interpreter="programs")
    assert answer.supported, answer.text
    assert all(name in answer.text for name in ASKED[question])


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Quelle est la plus grande ville de la Louisiane", "no place was found for"),
        ("Which states border Texas " + "and so on " * 100, "words"),
    ],
)
def test_a_question_of_another_kind_is_refused_in_words(
    trained: isomatch.Session, question: str, reason: str
) -> None:
    with pytest.raises(isomatch.InterpretationError, match=reason):
        trained.ask(question, interpreter="programs")


@pytest.mark.parametrize(
    "question",
    [
        "Which rivers run through Oklahoma and Utah?",
        "Which rivers run through Oklahoma [1 not navigable]?",
        "What is the mayor of the capital of Texas?",
        "Oklahoma?",
        "hello there",
        "?",
    ],
)
def test_a_question_that_says_more_or_less_than_the_program_is_refused(
    trained: isomatch.Session, question: str
) -> None:
    try:
        answer = trained.ask(question, interpreter="programs")
    except isomatch.InterpretationError:
        return
    assert not answer.supported, answer.text


def test_what_only_the_composer_reads_is_answered_where_it_was_mostly_right(
    trained: isomatch.Session,
) -> None:
    answer = trained.ask("Which rivers do not run through Oklahoma?", interpreter="programs")
    assert {node.name for node in answer.answers} == {"Yukon", "Sabine"}


def test_an_adjective_that_was_never_seen_is_told(trained: isomatch.Session) -> None:
    answer = trained.ask("Which northern rivers run through Oklahoma?", interpreter="programs")
    assert not answer.supported or "leaves out “northern”" in answer.text


def test_whether_there_is_any_is_answered_by_yes_or_not_at_all(trained: isomatch.Session) -> None:
    answer = trained.ask("Is there a river in Alaska?", interpreter="programs")
    assert answer.text.startswith("Yes") or not answer.supported, answer.text


def test_auto_is_the_program_model_where_there_is_one(trained: isomatch.Session) -> None:
    hypotheses = trained.interpret("What is the capital of Alaska?")
    assert {h.source for h in hypotheses} == {"programs"}
    assert 0.9 < sum(h.score for h in hypotheses) < 1.01  # of twelve programs, five are given


def test_made_up_questions_are_different_and_the_same_each_time(session: isomatch.Session) -> None:
    made = list(sample_questions(session.resources, 50, 1))
    assert made == list(sample_questions(session.resources, 50, 1))
    assert len({example.text for example in made}) == 50
    heads = {example.chains[0][0][0] for example in made}
    assert "count" in heads
    assert any(head[0] in "+-~" for head in heads)


def test_a_reading_that_leaves_out_what_says_which_is_no_program(
    session: isomatch.Session,
) -> None:
    labeller = ProgramLabeller(session.resources)
    texts = ("Which rivers run through Alaska?", "Which major rivers run through Alaska?")
    labels = [labeller.label(Question("q", text, (), ("Yukon",), None, 0)) for text in texts]
    assert [bool(label.program) for label in labels] == [True, False]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Which rivers run through Oklahoma?", "words"),
        ("Can you share the rivers that run through Oklahoma?", "words"),
        ("Which major rivers run through Oklahoma?", "without answers, it is not read for certain"),
        ("Who is it?", "without answers, it is not read for certain"),
    ],
)
def test_a_question_with_nothing_else_is_learnt_from_where_all_words_say_what_it_means(
    session: isomatch.Session, text: str, reason: str
) -> None:
    label = ProgramLabeller(session.resources).label(Question("q", text, (), (), None, 0))
    assert label.reason == reason
    assert bool(label.program) is (reason == "words")


def test_a_question_that_may_mean_two_things_as_well_is_not_learnt_from(
    session: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    labeller = ProgramLabeller(session.resources)
    rivers, states = (
        next(labeller.readings(Question("q", text, (), (), None, 0)))[0]
        for text in ("Which rivers run through Oklahoma?", "Which states border Oklahoma?")
    )
    question = Question("q", "Which rivers run through Oklahoma?", (), (), None, 0)
    for below, learnt in ((0.01, False), (0.2, True)):
        other = replace(states, score=rivers.score - below)
        monkeypatch.setattr(labeller, "readings", lambda _, o=other: iter([(rivers, ()), (o, ())]))
        assert bool(labeller.label(question).program) is learnt


def test_a_model_is_trained_on_questions_alone(
    session: isomatch.Session, tiny: str, tmp_path: Path
) -> None:
    alone = replace(
        questions(), questions=tuple(replace(q, answers=()) for q in questions().questions)
    )
    report = train_programs(
        session.resources, alone, backbone=tiny, epochs=2, validation=0, rate=0.005, out=tmp_path
    )
    assert report.labels is not None
    assert dict(report.labels.rows()) == {"questions": 7, "program from its words": 7}
    assert (report.config.unchecked, report.config.words) == (True, 0.0)
    with opened(GRAPH, programs_model=tmp_path) as again:
        assert again.ask("What is the capital of Alaska?").text.startswith("Juneau")


def test_what_is_worked_out_is_compared_with_the_answer(session: isomatch.Session) -> None:
    asked = "What is the total population of the states that border Texas?"
    label = ProgramLabeller(session.resources).label(Question("", asked, (), ("7231000",), None, 0))
    assert label.program[:2] == ("sum:", "+http://example.org/population")


def test_what_is_not_matched_in_full_is_no_program_and_too_slow_is_told(
    session: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    labeller = ProgramLabeller(session.resources)
    question = Question("q", "Which rivers run through Alaska?", (), ("Yukon",), None, 0)
    for limit, value, reason in (
        ("ROWS", 1, "no reading gives its answers"),
        ("SECONDS", 1e-6, "matched for 0 s without an end"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"isomatch.learn.programs.labels.{limit}", value)
            label = labeller.label(question)
        assert not label.program
        assert reason in label.reason
    assert labeller.label(question).program


def test_without_anything_to_learn_from_training_is_refused(
    session: isomatch.Session, tmp_path: Path
) -> None:
    with pytest.raises(isomatch.ConfigurationError, match="nothing to train on"):
        train_programs(session.resources, out=tmp_path)


def test_strict_stops_at_a_question_without_a_program(
    session: isomatch.Session, tiny: str, tmp_path: Path
) -> None:
    with pytest.raises(isomatch.LoadError, match="q6: no reading gives its answers"):
        train_programs(session.resources, questions(), backbone=tiny, out=tmp_path, strict=True)


@pytest.mark.parametrize("option", [{"reword": True}, {"rule": "one"}])
def test_options_of_chain_models_are_refused(
    session: isomatch.Session, tmp_path: Path, option: dict[str, object]
) -> None:
    with pytest.raises(isomatch.ConfigurationError, match="isomatch train gsr"):
        train_programs(session.resources, questions(), out=tmp_path, **option)


def test_what_a_config_leaves_open_is_settled_for_programs() -> None:
    usual = settled(GsrConfig(), 2000)
    assert (usual.freeze, usual.width, usual.over, usual.epochs) == (True, 192, 1, 30)
    assert settled(GsrConfig(epochs=3, width=64), 2000).model_dump() == {
        **usual.model_dump(), "epochs": 3, "width": 64,
    }  # fmt: skip


def test_the_encoder_is_trained_after_the_decoder_unless_questions_are_made_up(
    session: isomatch.Session, tiny: str, tmp_path: Path
) -> None:
    def stages(out: str, asked: QuestionSet | None, **options: int | bool) -> list[str]:
        events: list[Event] = []
        report = train_programs(
            session.resources, asked, backbone=tiny, epochs=2, validation=0,
            export=False, out=tmp_path / out, watch=events.append, **options,
        )  # fmt: skip
        found: list[str] = list(dict.fromkeys(e.stage for e in events if e.epoch))
        assert report.config.training["freeze"] == ("train on" not in found)
        return found

    assert stages("both", questions()) == ["train channel", "train", "train on"]
    assert stages("frozen", questions(), freeze=True) == ["train channel", "train"]
    assert stages("made up", None, synthetic=20) == ["train channel", "train"]
    assert stages("made up, tuned", None, synthetic=20, freeze=False)[1:] == ["train", "train on"]


def test_a_run_that_is_stopped_in_its_first_stage_leaves_that_and_goes_on(
    session: isomatch.Session, tiny: str, tmp_path: Path
) -> None:
    def go(watch: Watch, *, resume: bool) -> TrainingReport:
        return train_programs(
            session.resources, questions(), backbone=tiny, epochs=2, validation=0,
            export=False, out=tmp_path, watch=watch, resume=resume,
        )  # fmt: skip

    def stop(event: Event) -> None:
        if event.stage == "train":
            raise KeyboardInterrupt

    with pytest.raises(TrainingStopped) as stopped:
        go(stop, resume=False)
    kept = open_artifact(tmp_path, "programs").config
    assert (stopped.value.saved, kept.complete, kept.training["freeze"]) == (True, False, True)
    done = go(ignore, resume=True).config
    assert (done.complete, done.training["freeze"]) == (True, False)

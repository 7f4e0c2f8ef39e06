"""`isomatch feedback`, and `isomatch eval --feedback`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.shared import made_once
from tests.unit.feedback.films import make_home, say, walk
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.evaluate import run_eval
from isomatch.evaluate.regression import open_regression
from isomatch.feedback import FeedbackFile
from isomatch.questions.sets import read_questions
from isomatch.session import Session
from isomatch.settings import Settings


@pytest.fixture
def home(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = made_once(tmp_path_factory, "feedback-films", make_home)
    return Path(shutil.copytree(made, tmp_path / "home"))


@pytest.fixture
def judged(home: Path) -> Path:
    """A home folder with feedback of each kind, and a damaged line."""
    with Session.open(home=home) as session:
        say(session, "who directed Heat?", "up", read_pattern=walk("Heat", "directed by"))
        say(session, "who wrote Ali?", "down", read_pattern=walk("Ali", "written by"), caller="ann")
        say(session, "who directed Ali?", "answer", answers=["Eric Roth"], comment="Surely \x1b[2J")
        say(session, "who is it?", "down", read_pattern=walk("He\x1b[2Jat", "written by"))
        chosen = walk("Alien", "starring")
        read = walk("Alien", "genre")
        say(session, "who starred in Alien?", "reading", read_pattern=read, pattern=chosen)
    with (home / "feedback.jsonl").open("a") as file:
        file.write('{"question": "who dir')
    return home


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(map(str, arguments)), prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def test_the_list_has_what_was_said_and_what_is_damaged(judged: Path) -> None:
    code, out, err = run("feedback", "list", "--home", judged)
    assert code == 0
    lines = [line.split(" ", 2)[2] if line[:2] == "20" else line for line in out.splitlines()]
    assert lines[2:4] == [
        "down by ann: who wrote Ali?",
        '    read as ("Ali")-[written by]->(?x)',
    ]
    assert lines[-2:] == [
        '    read as ("Alien")-[genre]->(?x)',
        '    chosen ("Alien")-[starring]->(?x)',
    ]
    assert "\x1b" not in out
    assert "line 6: it is incomplete" in err


def test_the_list_as_json_has_whole_records(judged: Path) -> None:
    code, out, _ = run("feedback", "--json", "--home", judged)
    printed = json.loads(out)
    assert code == 0
    assert [row["kind"] for row in printed["feedback"]] == [
        "up",
        "down",
        "answer",
        "down",
        "reading",
    ]
    records, _ = FeedbackFile(judged / "feedback.jsonl").read()
    assert [row["id"] for row in printed["feedback"]] == [record.id for record in records]
    assert len(printed["problems"]) == 1


def test_no_feedback_is_said_with_what_to_do(home: Path, tmp_path: Path) -> None:
    code, out, _ = run("feedback", "--home", home)
    assert code == 0
    assert out.startswith(f"No feedback is kept in {home / 'feedback.jsonl'}. What people choose")
    assert json.loads(run("feedback", "--json", "--home", home)[1]) == {
        "feedback": [],
        "problems": [],
    }
    for command in (("feedback", "export"), ("eval", "--feedback"), ("train", "gsr", "--feedback")):
        code, _, err = run(*command, "--home", home)
        assert (code, err.splitlines()) == (
            2,
            [f"error: no feedback is kept in {home / 'feedback.jsonl'}"],
        )


def test_an_export_is_a_question_set(judged: Path, tmp_path: Path) -> None:
    out = tmp_path / "corrections.jsonl"
    code, printed, err = run("feedback", "export", "--out", out, "--home", judged)
    assert code == 0
    assert printed == f"3 questions in {out}\nNext: isomatch eval {out}\n"
    assert "note: thumbs down without a right answer: 1" in err
    questions = read_questions(str(out), strict=True).questions
    assert [(q.text, q.answers, q.hops, q.kind) for q in questions] == [
        ("who directed Heat?", ("Michael Mann",), 1, "up"),
        ("who directed Ali?", ("Eric Roth",), 0, "answer"),
        ("who starred in Alien?", ("Sigourney Weaver",), 1, "reading"),
    ]
    code, lines, _ = run("feedback", "export", "--home", judged)
    assert lines == out.read_text(encoding="utf-8")


def test_an_evaluation_says_what_is_wrong_still_or_again(judged: Path, tmp_path: Path) -> None:
    code, out, err = run("eval", "--feedback", "--home", judged)
    assert code == 0, err
    told = " ".join(out.split())
    assert "corrected questions, answered right 2 of 3" in told
    assert "readings said to be wrong, given again 1 of 1" in told
    assert "wrong: who directed Ali?" in told
    assert "given again: who wrote Ali?" in told
    assert "problems: 1 × malformed" in told
    regression = open_regression(Settings(home=judged), {})
    report = run_eval("feedback", settings=Settings(home=judged), regression=regression)
    found = report["feedback"]
    assert (found["asked"], found["right"], found["mistakes"]) == (3, 2, 1)
    assert [row["question"] for row in found["wrong"]] == ["who directed Ali?"]
    assert found["repeated"] == [
        {
            "question": "who wrote Ali?",
            "pattern": report["feedback"]["repeated"][0]["pattern"],
            "answers": ["Eric Roth"],
        }
    ]


def test_only_readings_that_are_wrong_can_be_asked_too(home: Path, tmp_path: Path) -> None:
    with Session.open(home=home) as session:
        say(session, "who directed Heat?", "down", read_pattern=walk("Heat", "written by"))
    out = tmp_path / "run"
    code, printed, err = run("eval", "--feedback", "--out", out, "--json", "--home", home)
    assert code == 0, err
    found = json.loads(printed)["feedback"]
    assert (found["asked"], found["mistakes"], found["repeated"]) == (0, 1, [])
    assert "given again" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("eval",), "say what to ask: a set and its folder"),
        (("eval", "q.jsonl", "--feedback"), "give q.jsonl or --feedback, not both"),
        (("eval", "--feedback", "--limit", 3), "--limit is for question sets: drop it"),
        (("feedback", "--out", "x.jsonl"), "--out and --lexicon are for isomatch feedback export"),
        (("train", "gsr", "--feedback"), "corrections alone are too few to train on"),
    ],
)
def test_what_has_no_meaning_for_feedback_is_refused(
    judged: Path, arguments: tuple[object, ...], words: str
) -> None:
    code, out, err = run(*arguments, "--home", judged)
    assert (code, out) == (2, "")
    assert words in err


def test_words_that_the_lexicon_lacks_are_exported_where_they_belong(home: Path) -> None:
    refused = "The whole question was not understood"
    with Session.open(home=home) as session:
        assert session.ask("who helmed Casino?", interpreter="schema").text.startswith(refused)
        for film in ("Heat", "Ali"):
            say(session, f"who helmed {film}?", "reading", pattern=walk(film, "directed by"))
        lensed = '(?f)-[directed by]->("Ridley Scott")'
        say(session, "which films did Ridley Scott lens?", "reading", pattern=lensed)
        say(session, "who wrote Heat?", "up", read_pattern=walk("Heat", "written by"))
    out = home / "lexicon.toml"
    code, printed, err = run("feedback", "export", "--lexicon", "--out", out, "--home", home)
    assert (code, printed) == (0, ""), err
    assert f"put these lines into {out}" in err
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ['# "helmed": 2 corrected questions', '# "lens": 1 corrected questions']
    assert lines[-2:] == ['backward = ["directed", "helmed", "lens"]', ""]
    with Session.open(home=home) as session:
        answer = session.ask("who helmed Casino?", interpreter="schema")
        assert [node.name for node in answer.answers] == ["Martin Scorsese"]
    code, printed, _ = run("feedback", "export", "--lexicon", "--json", "--home", home)
    assert json.loads(printed) == {"words": [], "toml": ""}

"""Open questions, made, answered and judged by a real and weak model, from end to end.

No quality is asked for: what was asked has a row, what was judged a verdict with a reason, and a
run that is killed goes on. ``MODEL_QUESTIONS`` says how many questions; `make model-test` asks 30.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.model.open_run import CHOSEN, client, evaluate
from tests.servers.process import end_with_parent

from isomatch.errors import ConfigurationError
from isomatch.llm import ChatModel
from isomatch.questions.open.making import Making, make_questions
from isomatch.questions.open.scores import ANGLES
from isomatch.questions.open.sets import read_open, write_open
from isomatch.session import Session
from isomatch.texts import find_word

QUESTIONS = int(os.environ.get("MODEL_QUESTIONS", "4"))
SECONDS = 900  # for the first rows, on a busy machine
A_QUESTION = 600  # seconds, likewise, in all systems and with the judge
FEW: dict[str, Any] = {"least_facts": 1, "least_relations": 1}  # of a graph of eleven facts


def test_questions_that_a_model_words_and_scores(session: Session, model: ChatModel) -> None:
    """Each is as it must be, or there is none, and it is said why."""
    why = ""
    try:
        made = make_questions(session, Making(count=1, least_score=1, **FEW), model=model)
    except ConfigurationError as error:
        why = str(error)
    if why:
        assert "the model gave no scores" in why
        print(f"\n{why}")
        return
    for question in made.questions:
        assert all(find_word(question.text, topic) is not None for topic in question.topics)
        assert set(question.scores) == set(ANGLES)
    assert made.usage.requests
    print(f"\n{[q.text for q in made.questions]}, left out: {dict(made.dropped)}")


def rows_of(out: Path) -> list[str]:
    rows = out / "rows.jsonl"
    return rows.read_text().split("\n")[:-1] if rows.exists() else []


@pytest.mark.timeout(SECONDS + QUESTIONS * A_QUESTION)
def test_an_evaluation_that_is_killed_goes_on_to_its_report(
    session: Session, endpoint: str, tmp_path: Path
) -> None:
    questions, out = tmp_path / "open.jsonl", tmp_path / "run"
    made = make_questions(session, Making(count=QUESTIONS, least_score=1, **FEW))
    write_open(questions, made.questions)
    assert len(read_open(str(questions)).questions) == QUESTIONS
    arguments = [str(tmp_path / "home"), str(questions), str(out), endpoint]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.model.open_run", *arguments], preexec_fn=end_with_parent
    )
    deadline = time.monotonic() + SECONDS
    while len(rows_of(out)) < 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    process.kill()
    assert process.wait(30) != 0, "it ended before it could be killed"
    before = rows_of(out)
    total = QUESTIONS * len(CHOSEN["systems"])
    assert 2 <= len(before) < total
    with client(endpoint) as model:
        before_it, session.model = session.model, model
        report = evaluate(session, questions, out)
        session.model = before_it
    after = rows_of(out)
    assert after[: len(before)] == before
    assert len(after) == len({json.loads(row)["id"] for row in after}) == total
    check(report, [json.loads(row) for row in after], out)


def check(report: dict[str, Any], rows: list[dict[str, Any]], out: Path) -> None:
    """Everything that was asked is in the report."""
    assert report["questions"] == QUESTIONS
    assert set(report["scores"]["all"]) == set(CHOSEN["systems"])
    assert report["self_test"]["facts"] == CHOSEN["facts"]
    for row in rows:
        assert bool(row["text"]) != bool(row["error"])
        if row["text"]:
            assert set(row["verdicts"]) <= set(CHOSEN["metrics"])
    for line in (out / "verdicts.jsonl").read_text().splitlines():
        assert all(verdict["reason"] for verdict in json.loads(line)["verdicts"])
    page = (out / "report.html").read_text()
    assert report["self_test"]["words"].split(" as a judge")[0] in page
    for system, figures in report["scores"]["all"].items():
        print(f"\n{system}: {figures}")
    print(f"\n{report['self_test']['words']}\n{report['verdicts']}\n{report['usage']}")

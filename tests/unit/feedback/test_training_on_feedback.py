"""A synonym that a model misreads, corrected five times, is read right after training again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.needs import needs
from tests.shared import made_once
from tests.unit.feedback.films import FILMS, make_home
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.evaluate import run_eval
from isomatch.questions.sets import read_questions
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings import Settings

pytestmark = pytest.mark.slow
needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")

SYNONYM = "who helmed {}?"
CORRECTED = tuple(FILMS)[:5]
RUN: dict[str, Any] = {"synthetic": 40, "freeze": True, "epochs": 8, "seed": 7}


def read_as(session: Session, questions: Sequence[str]) -> list[str]:
    """The relation of each question's best reading."""
    found = []
    for question in questions:
        pattern = session.interpret(question, interpreter="gsr")[0].pattern
        found.append(" ".join(edge.relation or "?" for edge in pattern.edges))
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = made_once(tmp_path_factory, "feedback-films", make_home)
    return Path(shutil.copytree(made, tmp_path_factory.mktemp("corrected") / "home"))


def exact(home: Path) -> dict[str, bool]:
    """Which questions of the regression set are answered right."""
    out = home.parent / f"run-{len(list(home.parent.iterdir()))}"
    run_eval(str(home / "questions.jsonl"), settings=Settings(home=home), out=out)
    rows = map(json.loads, (out / "rows.jsonl").read_text(encoding="utf-8").splitlines())
    return {row["question"]: row["score"]["f1"] == 1.0 for row in rows}


def correct(client: TestClient, question: str, relation: str) -> None:
    """Ask, and choose another relation for the one that was read, as the page does."""
    answer = client.post("/v1/ask", json={"question": question, "interpreter": "gsr"}).json()
    pattern = json.loads(json.dumps(answer["pattern"]))
    pattern["edges"][0]["relation"] = relation
    said = {"question": question, "kind": "reading", "pattern": pattern}
    said |= {"read_pattern": answer["pattern"], "reading": answer["reading"]}
    assert client.post("/v1/feedback", json=said).status_code == 201


def trained_again(home: Path) -> dict[str, Any]:
    """The report of the command, with the options of `RUN`."""
    options = ("--synthetic", RUN["synthetic"], "--epochs", RUN["epochs"], "--seed", RUN["seed"])
    command = ("train", "gsr", "--questions", home / "questions.jsonl", "--freeze", *options)
    given = [*map(str, command), "--feedback", "--json", "--home", str(home)]
    result = CliRunner().invoke(app, given, prog_name="isomatch")
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


def test_five_corrections_teach_a_synonym_and_nothing_gets_worse(home: Path) -> None:
    from isomatch.learn.pipeline import train_gsr

    asked = read_questions(str(home / "questions.jsonl"))
    others = [SYNONYM.format(film) for film in FILMS if film not in CORRECTED]
    with Session.open(home=home) as session:
        train_gsr(session.resources, asked, **RUN)
    before = exact(home)
    assert sum(before.values()) > len(before) / 2
    with Session.open(home=home) as session:
        misread = read_as(session, others)
        assert set(misread) != {"directed by"}
        with TestClient(create_app(Service(Graphs.over(session)))) as client:
            for film in CORRECTED:
                correct(client, SYNONYM.format(film), "directed by")
    report = trained_again(home)
    assert report["examples"]["feedback"] == len(CORRECTED)
    assert report["notes"] == []
    assert report["corrections"] == {
        "corrections": 5,
        "with their chains": 5,
        "read right by the model": 5,
    }
    with Session.open(home=home) as session:
        assert read_as(session, others) == ["directed by"] * len(others)
        answer = session.ask(SYNONYM.format("Chinatown"))
        assert [node.name for node in answer.answers] == ["Roman Polanski"]
    after = exact(home)
    assert [question for question, right in before.items() if right and not after[question]] == []

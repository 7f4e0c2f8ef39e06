"""`isomatch judge` as a user runs it, with an endpoint on loopback as the judge."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from tests.unit.judge.scripted import honest
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.errors import LoadError
from isomatch.judge.answers import read_cases

FILMS = """\
Heat,directed by,Michael Mann
Ali,directed by,Michael Mann
Alien,directed by,Ridley Scott
Heat,starring,Al Pacino
Ali,starring,Will Smith
Alien,starring,Sigourney Weaver
"""
ROWS: list[dict[str, Any]] = [
    {
        "question": "Who made Heat?",
        "answer": "Michael Mann directed Heat. [1] Al Pacino wrote Heat.",
        "context": ["[1] Heat | directed by | Michael Mann"],
        "right": ["Michael Mann"],
        "answers": ["Michael Mann"],
    },
    {"question": "What is Heat?", "answer": "Heat is a film.", "reference": "Heat is a film."},
]


class Model:
    """An endpoint on loopback whose replies a function gives."""

    def __init__(self) -> None:
        self.reply: Callable[[str, list[str]], Any] = honest
        self.asked = 0
        self.fails_after = 10**6
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                rules, *said = [m["content"] for m in body["messages"]]
                model.asked += 1
                broken = model.asked > model.fails_after
                value = {} if broken else model.reply(rules, said)
                text = value if isinstance(value, str) else json.dumps(value)
                usage = {"prompt_tokens": 10, "completion_tokens": 1}
                reply = {"choices": [{"message": {"content": text}}], "usage": usage}
                content = json.dumps({"error": "no"} if broken else reply).encode()
                self.send_response(401 if broken else 200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    served = Model()
    monkeypatch.setenv("OPENAI_BASE_URL", served.url)
    monkeypatch.setenv("ISOMATCH_MODEL", "honest")
    yield served
    served.server.shutdown()
    served.server.server_close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    (folder / "films.csv").write_text(FILMS, "utf-8")
    home = folder / "home"
    for command in (("load", str(folder / "films.csv"), "--base", "urn:films:"), ("index",)):
        assert CliRunner().invoke(app, ["--home", str(home), *command]).exit_code == 0
    return home


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return file


def ran(*arguments: str | Path, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["judge", *map(str, arguments)], prog_name="isomatch")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def test_a_report_has_every_metric_the_judges_accuracy_and_the_cost(
    answers: Path, home: Path, model: Model
) -> None:
    out = ran(answers, "--home", home, "--facts", "6").stdout
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    assert rows["factscore"] == ["0.750", "2", "3", "0"]
    assert rows["correctness"] == ["0.750", "2", "2", "0"]
    assert rows["context_relevance"] == ["0.750", "2", "2", "0"]
    assert rows["name_recall"] == ["1.000", "1", "2", "0"]
    assert rows["grounded"][-2:] == ["Score_h", "100.0"]
    # The scripted judge does not know this graph: it refuses everything.
    assert "honest as a judge: 0.67 of 6 facts of known truth right (0 of 2 true" in out
    assert re.search(r"cost: \d+ replies, [\d,]+ tokens read, \d+ written", out)
    verdicts = answers.with_suffix(".verdicts.jsonl")
    assert f"verdicts: {verdicts}" in out
    kept = [json.loads(line) for line in verdicts.read_text("utf-8").splitlines()]
    assert all(verdict["reason"] for row in kept for verdict in row["verdicts"])


def test_a_run_that_failed_goes_on_where_it_ended(answers: Path, home: Path, model: Model) -> None:
    arguments = (answers, "--home", home, "--facts", "6")
    model.fails_after = 11
    failed = ran(*arguments, code=6)
    assert "401" in failed.stderr
    assert failed.stdout == ""
    first = model.asked
    model.fails_after = 10**6
    ran(*arguments)
    resumed = model.asked
    ran(*arguments)
    assert model.asked == resumed  # nothing is left to ask
    fresh = answers.with_name("other.jsonl")
    ran(*arguments, "--out", fresh)
    whole = model.asked - resumed
    assert 0 < resumed - first < whole


def test_a_run_that_was_killed_goes_on_where_it_ended(answers: Path, model: Model) -> None:
    rows = [dict(ROWS[1], question=f"What is Heat, number {i}?") for i in range(6)]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    seventh, go_on = Event(), Event()

    def slow(rules: str, said: list[str]) -> Any:
        if model.asked == 7:
            seventh.set()
            go_on.wait(30)
        return honest(rules, said)

    model.reply = slow
    arguments = [str(answers), "--no-self-test", "--metric", "factscore"]
    program = [sys.executable, "-c", "from isomatch.cli import main; main()", "judge"]
    running = subprocess.Popen(
        [*program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert seventh.wait(60)
    running.kill()
    running.communicate()
    go_on.set()
    report = json.loads(ran(*arguments, "--json").stdout)
    assert report["metrics"]["factscore"]["mean"] == 1.0
    assert len(report["answers"]) == 6
    assert model.asked == 7 + 12 - 6  # what the seventh said was lost


def test_without_a_model_the_rules_judge_and_no_graph_is_needed(answers: Path) -> None:
    out = ran(answers).stdout
    assert "judged by rules alone: no language model was asked" in out
    assert "factscore" not in out
    report = json.loads(ran(answers, "--json").stdout)
    assert report["metrics"]["supported_sentences"]["mean"] == 0.5
    assert report["self_test"] is None
    assert len(report["answers"]) == 2


def test_where_there_is_no_graph_the_report_says_that_the_judge_was_not_tested(
    answers: Path, model: Model
) -> None:
    texts = answers.parent / "texts"
    texts.mkdir()
    (texts / "heat.txt").write_text("Heat is a film.", "utf-8")
    out = ran(
        answers,
        "--reference",
        texts,
        "--search",
        texts,
        "--metric",
        "safe",
        "--metric",
        "factscore",
    ).stdout
    assert "the judge was not tested: its accuracy is not known (" in out
    assert "factscore" in out


def test_without_a_graph_everything_but_the_search_is_judged(answers: Path, model: Model) -> None:
    answers.write_text(json.dumps(ROWS[1]), "utf-8")
    out = ran(answers).stdout
    assert re.search(r"^factscore +1\.000", out, re.M)
    assert "left out: safe, which has no graph to search" in out
    assert "safe" in json.loads(ran(answers, "--json").stdout)["left_out"]
    assert "no graph" in ran(answers, "--metric", "safe", code=4).stderr


def test_answers_without_any_score_are_no_success(answers: Path) -> None:
    answers.write_text('{"question": "What is Heat?", "answer": "A film."}', "utf-8")
    result = ran(answers, code=8)
    assert "no answer has a score: the reasons are in" in result.stderr


@pytest.mark.parametrize("end", ["", "\n"])
def test_verdicts_are_not_written_into_another_file(answers: Path, end: str) -> None:
    """Nor is the last line of that file taken for one that a kill cut off."""
    answers.write_text(json.dumps(ROWS[0]) + end, "utf-8")
    result = ran(answers, "--out", answers, code=2)
    assert "line 1 is of something else" in result.stderr
    assert answers.read_text("utf-8") == json.dumps(ROWS[0]) + end


def test_a_judge_of_no_use_is_an_error(answers: Path, home: Path, model: Model) -> None:
    model.reply = lambda rules, said: "It is all true."
    result = ran(answers, "--home", home, "--facts", "6", "--metric", "factscore", code=6)
    assert "no reply of the judge 'honest' could be used" in result.stderr
    assert "0.00 of 6 facts" in result.stdout
    result = ran("--self-test", "--home", home, "--facts", "6", code=6)
    assert "no reply of the judge" in result.stderr


def test_a_judge_is_tested_alone(home: Path, model: Model) -> None:
    out = ran("--self-test", "--home", home, "--facts", "6").stdout
    assert out.startswith("honest as a judge: 0.67 of 6 facts")
    report = json.loads(ran("--self-test", "--home", home, "--facts", "6", "--json").stdout)
    assert report["accuracy"] == pytest.approx(2 / 3)
    assert {row["truth"] for row in report["verdicts"]} == {"true", "swapped", "invented"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give a file of answers, or --self-test"),
        (("nowhere.jsonl",), "no file of answers"),
        (("answers.jsonl", "--metric", "truth"), "no metric 'truth'"),
        (("answers.jsonl", "--metric", "factscore"), "needs a language model"),
        (("--self-test",), "needs a language model"),
        (("answers.jsonl", "--reference", "texts"), "--reference is for metrics that ask"),
        (("answers.jsonl", "--search", "texts"), "--search is for the metric safe"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    answers: Path, arguments: tuple[str, ...], words: str
) -> None:
    assert words in ran(*arguments, code=2).stderr


def test_an_answer_without_a_reference_ends_it(answers: Path, home: Path, model: Model) -> None:
    answers.write_text('{"question": "What is love?", "answer": "Nobody knows that."}', "utf-8")
    result = ran(answers, "--home", home, "--no-self-test", "--metric", "factscore", code=2)
    assert "there is no reference to check the answer to 'What is love?' against" in result.stderr


def test_what_ask_prints_can_be_judged(answers: Path, home: Path) -> None:
    ask = ["--home", str(home), "ask", "Who directed Heat?", "--json"]
    asked = CliRunner().invoke(app, ask)
    assert asked.exit_code == 0
    answers.write_text(asked.stdout + asked.stdout, "utf-8")
    cases = read_cases(answers)
    assert len(cases) == 2
    assert cases[0].context[0] == "[1] Heat | directed by | Michael Mann"
    assert cases[0].given == ("Michael Mann",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no answers"),
        ("[1]", "line 1: expected an object"),
        ('{"question": "a"}', "expected the texts"),
        ('{"question": " ", "answer": "b"}', "expected the texts"),
        ('{"question": "a", "answer": "b"}\n{"question', "line 2: no JSON"),
        ('{"question": "a", "answer": "b", "context": 7}', "expected `context`"),
        ('{"question": "a", "answer": "b", "reference": [7]}', "expected `reference`"),
        ('{"question": "a", "answer": "b", "answers": 7}', "expected `answers`"),
        ('{"question": "a", "answer": "b", "evidence": [{}]}', "expected `evidence`"),
    ],
)
def test_malformed_answers_are_told_with_their_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(LoadError, match=words):
        read_cases(file)

"""`isomatch eval` and `compare` from the command line to the pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isomatch.cli.app import app


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(a) for a in arguments], prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def own(settings, tmp_path: Path) -> Path:
    """A file of questions about the graph of the home folder."""
    file = tmp_path / "questions.jsonl"
    lines = [
        {"question": "which films did Michael Mann direct", "answers": ["Heat", "Ali"]},
        {"question": "who directed Alien", "answers": ["Sir Ridley"], "topics": ["Alien"]},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_two_runs_and_their_comparison(own, settings, tmp_path):
    runs = tmp_path / "plain", tmp_path / "aliases"
    common = ("eval", own, "--home", settings.home, "--interpreter", "schema")
    code, out, err = run(*common, "--out", runs[0])
    assert (code, err) == (0, "")
    assert "Hits@1" in out
    assert f"report: {runs[0] / 'report.html'}" in out
    aliases = tmp_path / "aliases.json"
    aliases.write_text(json.dumps({"Ridley Scott": ["Sir Ridley"]}))
    code, out, _ = run(*common, "--out", runs[1], "--aliases", aliases, "--json")
    assert code == 0
    assert json.loads(out)["hits_at_1"] == 1.0
    code, out, _ = run("compare", *runs, "--out", tmp_path / "difference.md")
    assert code == 0
    assert "only the second 1" in out
    assert "| Exact match | 50.0 | 100.0 | +50.0 |" in (tmp_path / "difference.md").read_text()


@pytest.mark.parametrize("retriever", ["pattern", "chain"])
def test_each_retriever_is_measured(own, settings, retriever):
    chosen = ("--interpreter", "schema", "--retriever", retriever, "--json")
    code, out, _ = run("eval", own, "--home", settings.home, *chosen)
    assert code == 0
    assert json.loads(out)["retrieval"]["chain_recall"] == 0.5


def test_a_set_by_name_and_folder(data, home):
    code, out, _ = run("eval", f"metaqa:{data}", "--home", home, "--hops", 2, "--json")
    assert code == 0
    assert json.loads(out)["patterns"] == "gold"
    again = run("eval", "metaqa", "--data", data, "--home", home, "--hops", 2, "--json")
    assert json.loads(again[1])["macro_f1"] == json.loads(out)["macro_f1"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--baseline", "bm25"), 2, "--baseline must be one of"),
        (("--retriever", "bm25"), 2, "--retriever must be one of"),
        (("--topics", "some"), 2, "--topics must be one of"),
        (("--baseline", "text-to-query"), 2, "ISOMATCH_MODEL"),
        (("--aliases", "no.json"), 2, "expected a JSON object"),
        (("--strict",), 4, "Sir Ridley"),
    ],
)
def test_wrong_options_are_refused_by_name(own, settings, arguments, code, words):
    found, _, err = run("eval", own, "--home", settings.home, *arguments)
    assert words in err

    assert found == code


def test_a_folder_without_a_run_is_refused(tmp_path):
    code, _, err = run("compare", tmp_path, tmp_path)
    assert code == 2
    assert "is no run" in err

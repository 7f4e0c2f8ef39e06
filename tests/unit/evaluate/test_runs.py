"""A run is a folder: stopped and gone on with, and the same for the same seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.evaluate.sample_rows import SETTINGS, finished_run, row

from isomatch.errors import ConfigurationError
from isomatch.evaluate import run_eval
from isomatch.evaluate.config import EvalConfig
from isomatch.evaluate.runner import environment
from isomatch.evaluate.runs import Run, open_finished
from isomatch.session import Session
from isomatch.settings import Settings


def told(folder: Path) -> tuple[list[Any], dict[str, Any], str]:
    """Rows, figures and page of a run, without what a clock says."""
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    for one in rows:
        del one["stages_ms"]
    summary = json.loads((folder / "summary.json").read_text())
    for place in (summary, *summary["parts"].values()):
        place.pop("stages_ms", None)
        place.pop("ms", None)
    for groups in summary["splits"].values():
        for group in groups.values():
            del group["ms"]
    page = (folder / "report.md").read_text()
    return rows, summary, page[: page.index("### Time by station")].replace(" ms", "")


def config(**fields: Any) -> EvalConfig:
    """A configuration over a user's own questions."""
    return EvalConfig.make("questions.jsonl", **fields)


class Stopped(Exception):
    """In place of Ctrl-C."""


def test_a_stopped_run_goes_on_and_ends_as_one_that_was_not(data, home, tmp_path):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    run_eval("metaqa", data, home=home, out=whole)

    def stop(done: int, *_: object) -> None:
        if done == 2:
            raise Stopped

    with pytest.raises(Stopped):
        run_eval("metaqa", data, home=home, out=stopped, progress=stop)
    assert not (stopped / "summary.json").exists()
    rows = stopped / "rows.jsonl"
    assert len(rows.read_text().splitlines()) == 2
    rows.write_text(rows.read_text() + '{"id": "qa_dev_1hop.txt:3", "quest')  # killed in a write
    begun: list[int] = []
    run_eval("metaqa", data, home=home, out=stopped, progress=lambda done, *_: begun.append(done))
    assert begun == [3, 4]
    again = told(stopped)
    assert again[:2] == told(whole)[:2]


def test_the_same_seed_gives_the_same_figures(data, home, tmp_path):
    for name in ("a", "b"):
        run_eval("metaqa", data, home=home, out=tmp_path / name, limit=2, seed=5)
    assert told(tmp_path / "a")[:2] == told(tmp_path / "b")[:2]


def test_a_finished_run_asks_nothing_again(data, home, tmp_path):
    run_eval("metaqa", data, home=home, out=tmp_path / "run", hops=1)
    before = (tmp_path / "run" / "rows.jsonl").read_bytes()
    run_eval("metaqa", data, home=home, out=tmp_path / "run", hops=1)
    assert (tmp_path / "run" / "rows.jsonl").read_bytes() == before


def test_other_settings_are_refused_by_name(data, home, tmp_path):
    run_eval("metaqa", data, home=home, out=tmp_path / "run", hops=1)
    with pytest.raises(ConfigurationError, match=r'patterns was "gold" and is "ask"'):
        run_eval("metaqa", data, home=home, out=tmp_path / "run", hops=1, patterns="ask")


def test_a_changed_question_is_another_run(data, home, tmp_path):
    copy = tmp_path / "set"
    copy.mkdir()
    for file in data.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    run_eval("metaqa", copy, home=home, out=tmp_path / "run", hops=1)
    changed = (copy / "qa_dev_1hop.txt").read_text().replace("1996", "1995")
    (copy / "qa_dev_1hop.txt").write_text(changed)
    with pytest.raises(ConfigurationError, match="choice was"):
        run_eval("metaqa", copy, home=home, out=tmp_path / "run", hops=1)


def test_folders_that_are_no_runs_are_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="is no run"):
        open_finished(tmp_path)
    Run.open(tmp_path / "begun", SETTINGS)
    with pytest.raises(ConfigurationError, match="stopped before its end"):
        open_finished(tmp_path / "begun")
    (tmp_path / "begun" / "run.json").write_text("{")
    with pytest.raises(ConfigurationError, match="is damaged"):
        Run.open(tmp_path / "begun", SETTINGS)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="not a file"):
        Run.open(tmp_path / "file", SETTINGS)
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "rows.jsonl").write_text("{}\n")
    with pytest.raises(ConfigurationError, match="rows of no known run"):
        Run.open(tmp_path / "strange", SETTINGS)


def test_lines_are_lines_of_the_file_alone(tmp_path):
    odd = "one\u2028two\u0085three\u2029four"
    finished_run(tmp_path / "run", [row("1", question=odd), row("2")])
    _, rows, _ = open_finished(tmp_path / "run")
    assert [one["question"] for one in rows] == [odd, "who directed film 2"]


def test_other_words_of_the_lexicon_or_another_budget_is_another_run(settings, tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"question": "who directed Alien", "answers": ["Ridley Scott"]}\n')

    def again(settings: Settings) -> None:
        run_eval(str(file), settings=settings, interpreter="schema", out=tmp_path / "run")

    again(settings)
    with pytest.raises(ConfigurationError, match="evidence_tokens was"):
        again(settings.model_copy(update={"evidence_tokens": 7}))
    settings.lexicon_path.write_text("")
    try:
        with pytest.raises(ConfigurationError, match="lexicon was null"):
            again(settings)
    finally:
        settings.lexicon_path.unlink()


def test_only_the_trained_models_that_are_used_count(settings, tmp_path):
    folder = tmp_path / "gsr"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    with Session.open(settings.model_copy(update={"gsr_model": folder})) as session:
        told = environment(session, config(interpreter="gsr").trained)["trained"]
        (folder / "metrics.json").write_text("{}")
        (folder / "README.md").write_text("a card")
        assert environment(session, ("gsr",))["trained"] == told != {}
        (folder / "decoder.onnx").write_bytes(b"x")
        assert environment(session, ("gsr",))["trained"] != told
        assert environment(session, config(interpreter="schema").trained)["trained"] == {}
    assert config(retriever="fused").trained == ("gsr", "programs", "triples")
    assert config(retriever="triples").trained == ("triples",)
    assert config(patterns="gold").trained == ()
    assert config(interpreter="gsr", baseline="cosine").trained == ()


def test_a_damaged_row_is_named_by_its_line(tmp_path):
    finished_run(tmp_path / "run", [row("1"), row("2")])
    rows = tmp_path / "run" / "rows.jsonl"
    rows.write_text(rows.read_text().replace('{"id": "2"', "{'id': 2"))
    with pytest.raises(ConfigurationError, match="line 2 is damaged"):
        open_finished(tmp_path / "run")

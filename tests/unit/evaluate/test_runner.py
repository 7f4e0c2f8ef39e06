"""An evaluation from files to report, over a graph of a few films."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.evaluate.films import KB

from isomatch.errors import ConfigurationError
from isomatch.evaluate import read, run_eval
from isomatch.evaluate.systems import reword
from isomatch.questions.selection import sample

FILES = {"run.json", "rows.jsonl", "summary.json", "report.html", "report.md"}


def test_gold_patterns_are_matched_scored_and_reported(data: Path, home: Path, tmp_path: Path):
    calls: list[tuple[object, ...]] = []
    out = tmp_path / "run"
    report = run_eval(
        "metaqa", data, home=home, out=out, progress=lambda *given: calls.append(given)
    )
    assert report["questions"] == 4
    assert report["hits_at_1"] == 0.75
    assert report["macro_f1"] == 0.75
    assert report["complete"] == 1.0
    assert report["parts"]["1hop"]["macro_f1"] == pytest.approx(2 / 3)
    assert report["parts"]["2hop"]["macro_f1"] == 1.0
    for station in ("link", "plan", "execute", "match", "total"):
        assert set(report["stages_ms"][station]) == {"p50", "mean", "p99"}
    json.dumps(report)
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    assert rows[0]["id"] == "qa_dev_1hop.txt:1"
    assert sorted(rows[0]["found"]) == ["Ali", "Heat"]
    assert rows[2]["score"]["f1"] == 0.0
    assert rows[2]["reason"] == "answer not in the graph"
    assert {p.name for p in out.iterdir()} == FILES
    assert json.loads((out / "summary.json").read_text())["macro_f1"] == report["macro_f1"]
    assert calls[-1] == (4, 4)


def test_the_graph_and_its_index_are_kept(data: Path, home: Path):
    run_eval("metaqa", data, home=home, limit=1)
    before = {p: p.stat().st_mtime_ns for p in home.rglob("*") if p.is_file()}
    calls: list[tuple[object, ...]] = []
    run_eval("metaqa", data, home=home, limit=1, progress=lambda *given: calls.append(given))
    assert [c[0] for c in calls] == [1, 2]  # questions only: nothing is indexed again
    graph = [p for p in before if "graph" in p.parts]
    assert graph
    assert all(p.stat().st_mtime_ns == before[p] for p in graph)


def test_a_changed_graph_gets_a_home_of_its_own(data: Path, home: Path, tmp_path: Path):
    for file in data.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "kb.txt").write_text(KB.replace("1995", "1996"))
    report = run_eval("metaqa", tmp_path, home=home, hops=1)
    assert report["macro_f1"] == 1.0


def test_options_reach_the_search(data: Path, home: Path):
    options = {"direction": "as written", "nodes": "anchored", "k": 1}
    assert run_eval("metaqa", data, home=home, hops=2, options=options)["macro_f1"] == 1.0
    with pytest.raises(ConfigurationError, match="unknown option 'kk'"):
        run_eval("metaqa", data, home=home, options={"kk": 1})


def test_questions_can_be_asked(data: Path, home: Path):
    report = run_eval("metaqa", data, home=home, patterns="ask", hops=1)
    assert report["questions"] == 3
    assert report["stages_ms"]["interpret"]["p50"] > 0
    assert report["hits_at_1"] >= 1 / 3


def test_a_question_without_a_reading_scores_nothing(data: Path, home: Path, tmp_path: Path):
    for file in data.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "qa_dev_1hop.txt").write_text("what is [it]\tHeat\n")
    out = tmp_path / "run"
    report = run_eval("metaqa", tmp_path, home=home, patterns="ask", hops=1, out=out)
    assert report["hits_at_1"] == 0.0
    (row,) = (json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines())
    assert row["error"]
    assert row["reason"] == "mention not found"
    assert (row["answerable"], row["chains"]["f1"]) == (True, 0.0)
    assert row["chains"]["hit_at_1"] is False
    assert report["retrieval"]["chain_hit_at_1"] == 0.0


def test_wrong_settings_are_refused_by_name(data: Path, home: Path, tmp_path: Path):
    with pytest.raises(ConfigurationError, match="one of gold, ask"):
        run_eval("metaqa", data, home=home, patterns="silver")
    with pytest.raises(ConfigurationError, match="the folder of a run, not a file"):
        run_eval("metaqa", data, home=home, out=tmp_path / "rows.jsonl")
    for name in ("kb.txt", "qa_dev_1hop.txt"):
        (tmp_path / name).write_bytes((data / name).read_bytes())
    with pytest.raises(ConfigurationError, match="no gold pattern for"):
        run_eval("metaqa", tmp_path, home=home)


def test_a_sample_is_the_same_each_time(data: Path):
    (part, _) = read("metaqa", data)
    questions = part.questions
    assert sample(questions, 2, "7") == sample(questions, 2, "7")
    assert len(sample(questions, 2, "7")) == 2
    assert len({sample(questions, 2, str(seed)) for seed in range(20)}) > 1
    assert sample(questions, 99, "7") == questions


def test_a_wording_changes_the_words_of_relations(data: Path):
    pattern = read("metaqa", data, hops=2)[0].questions[0].pattern
    assert reword(pattern, "names", "seed") is pattern
    unknown = reword(pattern, "unknown relation", "seed")
    assert unknown == reword(pattern, "unknown relation", "seed")
    assert sum(e.relation is None for e in unknown.edges) == 1
    other = reword(pattern, {"directed by": "helmed by"}, "seed")
    assert [e.relation for e in other.edges] == ["helmed by", "starred actors"]
    with pytest.raises(ConfigurationError, match="wording must be"):
        reword(pattern, "shouted", "seed")

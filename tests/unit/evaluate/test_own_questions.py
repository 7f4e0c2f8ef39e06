"""Questions of one's own over one's own graph, with what is wrong in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isomatch.errors import ConfigurationError, LoadError
from isomatch.evaluate import run_eval
from isomatch.evaluate.metrics import Naming
from isomatch.trained.artifact import ArtifactConfig, write_json

GOOD = [
    {
        "question": "which films did Michael Mann direct",
        "answers": ["Heat", "Ali"],
        "topics": ["Michael Mann"],
        "chain": ["^directed by"],
    },
    {"question": "who directed Alien", "answers": ["ridley scott"], "topics": ["Alien"]},
    {"question": "who directed Heat", "answers": ["Nobody Known"]},
    {"question": "who starred in Heat", "answers": ["Al Pacino"], "topics": ["Heat 2"]},
]
BAD = [
    "no JSON",
    json.dumps(GOOD[0]),
    json.dumps({"question": "who directed Ali", "answers": []}),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join([*map(json.dumps, GOOD), *BAD]) + "\n")
    return path


def test_bad_lines_and_unknown_names_are_listed_and_the_others_go_on(file, settings, tmp_path):
    out = tmp_path / "run"
    report = run_eval(str(file), settings=settings, interpreter="schema", out=out)
    assert report["questions"] == 4
    assert report["problems"]["counts"] == {
        "malformed": 1,
        "duplicate": 1,
        "empty answers": 1,
        "unknown answer": 1,
        "unknown topic": 1,
    }
    assert any("line 5" in line for line in report["problems"]["listed"])
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    films, alien, nobody, _ = rows
    assert films["score"]["exact"]
    assert films["chains"]["hit_at_1"] is True
    assert films["triples"]["recall"]["10"] == 1.0
    assert alien["score"]["f1"] == 0.0  # names are compared with case, unless told otherwise
    assert alien["chains"]["hit_at_1"] is None
    assert nobody["reason"] == "answer not in the graph"
    # Michael Mann was among what was retrieved, so that answer is wrong and not invented.
    assert nobody["score"]["grounded"] == -1.0
    for page in ("report.html", "report.md"):
        assert "unknown topic" in (out / page).read_text()


def test_a_model_that_learnt_from_the_questions_is_a_problem(file, settings):
    taken = {"set": file.name, "split": "dev", "split_by": "text", "share": 0.5, "seed": 2014}
    config = ArtifactConfig(kind="gsr", model={"longest": 1}, training={"questions_from": taken})
    write_json(settings.gsr_folder / "config.json", config.model_dump())
    report = run_eval(str(file), settings=settings, interpreter="auto")
    assert report["problems"]["counts"]["learnt from"] == 1
    assert any("may have learnt from" in line for line in report["problems"]["listed"])
    other = run_eval(str(file), settings=settings, interpreter="auto", split_by="text")
    assert "learnt from" not in other["problems"]["counts"]


def test_strict_stops_at_the_first_problem(file, settings):
    with pytest.raises(LoadError, match="line 5"):
        run_eval(str(file), settings=settings, strict=True)
    file.write_text(json.dumps(GOOD[2]) + "\n")
    with pytest.raises(LoadError, match="Nobody Known"):
        run_eval(str(file), settings=settings, strict=True)


def test_names_can_be_compared_without_case_and_by_aliases(file, settings):
    naming = Naming(fold_case=True, aliases={"ridley scott": "Sir Ridley"})
    plain = run_eval(str(file), settings=settings, interpreter="schema")
    folded = run_eval(str(file), settings=settings, interpreter="schema", naming=naming)
    assert folded["hits_at_1"] == plain["hits_at_1"] + 0.25


def test_topics_can_be_given(settings, tmp_path):
    file = tmp_path / "questions.jsonl"
    line = {"question": "which films are by him", "answers": ["Heat", "Ali"]}
    file.write_text(json.dumps({**line, "topics": ["Michael Mann"]}) + "\n")
    out = tmp_path / "found"
    run_eval(str(file), settings=settings, interpreter="schema", out=out)
    assert json.loads((out / "rows.jsonl").read_text())["reason"] == "mention not found"
    told = run_eval(str(file), settings=settings, interpreter="schema", topics="given")
    assert told["failures"].get("mention not found") is None


def test_a_split_asks_the_test_side_alone(data, home):
    whole = run_eval("metaqa", data, home=home)
    half = run_eval("metaqa", data, home=home, split_by="text", seed=1)
    other = run_eval("metaqa", data, home=home, split_by="text", seed=1, share=0.75)
    assert (whole["questions"], half["questions"], other["questions"]) == (4, 2, 1)


def test_a_set_can_be_asked_of_the_users_own_graph(data, settings):
    report = run_eval(f"metaqa:{data}", settings=settings, own_graph=True, patterns="gold")
    assert report["hits_at_1"] == 0.75


def test_wrong_sources_and_choices_are_refused_by_name(file, settings, data):
    with pytest.raises(ConfigurationError, match="say where metaqa is"):
        run_eval("metaqa")
    with pytest.raises(ConfigurationError, match="--data is for a set's name alone"):
        run_eval(f"metaqa:{data}", data)
    with pytest.raises(ConfigurationError, match="no gold pattern for"):
        run_eval(str(file), settings=settings, patterns="gold")
    with pytest.raises(ConfigurationError, match="baseline must be one of none, one-hop"):
        run_eval(str(file), settings=settings, baseline="bm25")
    with pytest.raises(ConfigurationError, match="retriever must be one of"):
        run_eval(str(file), settings=settings, retriever="bm25")
    with pytest.raises(ConfigurationError, match="set ISOMATCH_MODEL"):
        run_eval(str(file), settings=settings, baseline="text-to-query")

"""Evaluations on copies of a graph with errors, one and several."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.unit.evaluate.test_evaluate_cli import run

from isomatch.errors import ArtifactError, ConfigurationError
from isomatch.evaluate import EvalConfig, curves, run_curves, run_eval
from isomatch.evaluate.curves import curve_tables
from isomatch.perturb import Perturbation
from isomatch.perturb.types import parse_all

ED = Perturbation("ED", 0.5)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Questions about the films, one with answers by a gold query."""
    lines = [
        {
            "question": "which films did Michael Mann direct",
            "answers": ["Heat", "Ali"],
            "topics": ["Michael Mann"],
        },
        {"question": "who directed Alien", "answers": ["Ridley Scott"], "topics": ["Alien"]},
        {
            "question": "who directed Heat",
            "topics": ["Heat"],
            "sparql": "SELECT ?answer WHERE { ?f ?r ?answer . "
            '?f <http://www.w3.org/2000/01/rdf-schema#label> "Heat" . '
            '?r <http://www.w3.org/2000/01/rdf-schema#label> "directed_by" }',
        },
    ]
    file = tmp_path / "own.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_set_is_asked_of_the_copy_and_the_level_is_in_the_record(data, home, tmp_path):
    out = tmp_path / "run"
    found = run_eval("metaqa", data, home=home, out=out, perturb="ED:0.5", seed=3)
    assert found["macro_f1"] < run_eval("metaqa", data, home=home)["macro_f1"]
    settings = json.loads((out / "run.json").read_text())["settings"]
    assert settings["perturb"] == {"method": "ED", "level": 0.5, "seed": 3}
    assert found["perturbed"] == [{"facts": 8, "changed": 4, "note": ""}]
    page = (out / "report.html").read_text()
    assert "perturbed by ED:0.5" in page
    assert "4 of 8" in page
    again = run_eval("metaqa", data, home=home, out=out, perturb="ED:0.5", seed=3)
    assert again["macro_f1"] == found["macro_f1"]
    with pytest.raises(ConfigurationError, match="run of other settings"):
        run_eval("metaqa", data, home=home, out=out, perturb="ED:0.25", seed=3)


def test_a_run_without_errors_has_the_record_that_it_had():
    assert "perturb" not in EvalConfig.make("questions.jsonl").record("x")


def test_answers_of_gold_queries_are_those_of_the_graph_itself(own, settings, tmp_path):
    """All facts are gone from the copy, and the right answer is still the right answer."""
    given = {"perturb": "ED:1", "interpreter": "schema", "settings": settings}
    run_eval(str(own), out=tmp_path / "run", **given)
    rows = [json.loads(line) for line in (tmp_path / "run" / "rows.jsonl").read_text().splitlines()]
    assert [row["answers"] for row in rows][2] == ["Michael Mann"]
    assert not any(row["score"]["hit"] for row in rows)
    assert not run_eval(str(own), strict=True, **given)["hits_at_1"]  # nor is that a typing error


@pytest.mark.parametrize("retriever", ["pattern", "chain", "triplets", "paths", "steiner"])
def test_every_retriever_is_measured_on_copies(own, settings, retriever):
    config = EvalConfig.make(str(own), retriever=retriever, topics="given", interpreter="schema")
    found = run_curves(config, parse_all(["ER,ED:0.5"]), settings=settings)
    assert [point["run"] for point in found["points"]] == ["unperturbed", "ER-0.5", "ED-0.5"]
    recalls = [point["answer_recall"] for point in found["points"]]
    assert recalls[0] == 1.0 > recalls[2]
    assert ("macro_f1" in found["points"][1]) == (retriever in ("pattern", "chain"))


@pytest.mark.parametrize("baseline", ["cosine", "pagerank", "one-hop"])
def test_baselines_are_measured_on_copies(own, settings, baseline):
    config = EvalConfig.make(str(own), baseline=baseline)
    found = run_curves(config, [ED], settings=settings)
    assert found["points"][0]["answer_recall"] > found["points"][1]["answer_recall"]


def test_answers_that_a_copy_lacks_count_as_not_found(own, settings):
    """Else a copy without facts would have the recall of no question at all."""
    config = EvalConfig.make(str(own), retriever="triplets", topics="given")
    found = run_curves(config, parse_all(["ED:0.8,1"]), settings=settings)
    assert 0 < found["points"][1]["answer_recall"] < 1
    assert found["points"][2]["answer_recall"] == 0.0  # there are no triples at all


def test_curves_have_a_run_for_each_point_and_pages_of_their_own(own, settings, tmp_path):
    out = tmp_path / "curves"
    arguments = ("eval", own, "--home", settings.home, "--interpreter", "schema", "--out", out)
    code, text, err = run(*arguments, "--perturb", "RS,ED:0.5", "--perturb", "ed:0.25")
    assert (code, err) == (0, "")
    assert "on graphs with errors" in text
    assert "Answer recall@100" in text
    assert re.search(r"^ED, level +changed facts", text, re.M)
    names = {"unperturbed", "RS-0.5", "ED-0.5", "ED-0.25"}
    files = {"curves.json", "report.html", "report.md"}
    assert {path.name for path in out.iterdir()} == names | files
    assert all((out / name / "report.html").is_file() for name in names)
    kept = json.loads((out / "curves.json").read_text())
    by_name = {point["run"]: point for point in kept["points"]}
    assert by_name["unperturbed"]["macro_f1"] == 1.0
    assert by_name["ED-0.5"]["changed"] == 4
    assert by_name["ED-0.5"]["macro_f1"] <= by_name["ED-0.25"]["macro_f1"] <= 1.0
    assert {"wrong", "complete", "answer_recall"} <= set(by_name["RS-0.5"])
    page = (out / "report.html").read_text()
    assert page.count("<h2>RS</h2>") == page.count("<h2>ED</h2>") == 1
    assert "relation swapping" in page
    assert "a certificate is about the copy" in page
    tables = {table.title: table for table in curve_tables(kept)}
    assert [row[0] for row in tables["ED"].rows] == ["0", "0.25", "0.5"]
    before = (out / "ED-0.5" / "rows.jsonl").read_bytes()
    assert run(*arguments, "--perturb", "ED:0.5,0.25", "--json")[0] == 0  # goes on, or is done
    assert (out / "ED-0.5" / "rows.jsonl").read_bytes() == before


def test_a_model_that_does_not_fit_a_copy_ends_no_curve(own, settings, tmp_path, monkeypatch):
    measure = curves.run_eval

    def refused(config, **given):
        if config.perturb == ED:
            raise ArtifactError("the graph lacks relations")
        return measure(config, **given)

    monkeypatch.setattr(curves, "run_eval", refused)
    config = EvalConfig.make(str(own), interpreter="schema")
    out = tmp_path / "curves"
    found = run_curves(config, parse_all(["ED:0.5,0.25"]), out=out, settings=settings)
    first, half, quarter = found["points"]
    assert half["error"] == "the graph lacks relations"
    assert "macro_f1" not in half
    assert quarter["macro_f1"] <= first["macro_f1"]
    page = (out / "report.md").read_text()
    assert "0.5: the graph lacks relations" in page
    assert "| 0.5 | – | – |" in page
    monkeypatch.setattr(
        curves, "run_eval", lambda *_, **__: refused(config.model_copy(update={"perturb": ED}))
    )
    with pytest.raises(ArtifactError):  # of the graph itself
        run_curves(config, [ED], settings=settings)


def test_a_folder_with_a_run_is_not_taken_for_curves(own, settings, tmp_path):
    run_eval(str(own), out=tmp_path / "run", settings=settings, interpreter="schema")
    with pytest.raises(ConfigurationError, match="take another folder"):
        run_curves(
            EvalConfig.make(str(own), interpreter="schema"),
            [ED],
            out=tmp_path / "run",
            settings=settings,
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("RS:1.2", "from 0 to 1"),
        ("XX:0.2", "no perturbation is called 'XX'"),
        ("ED:nan", "no number"),
    ],
)
def test_wrong_perturbations_are_refused(own, settings, text, words):
    code, _, err = run("eval", own, "--home", settings.home, "--perturb", text)
    assert code == 2
    assert words in err


@pytest.mark.parametrize("levels", ["ED:0.2", "ED:0.2,0.4"])
def test_a_database_that_cannot_be_copied_is_refused_before_it_is_asked(
    own, settings, monkeypatch, levels
):
    monkeypatch.setenv("NEO4J_URI", "bolt://localhost:1")
    code, _, err = run("eval", own, "--home", settings.home, "--perturb", levels)
    assert code == 2
    assert "NEO4J_URI is set, and errors are only ever made in a copy" in err


def test_plots_have_a_line_for_each_method(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.undo()
    points = [
        {"method": None, "level": 0.0, "macro_f1": 0.9, "complete": 1.0},
        {"method": "RS", "level": 0.4, "macro_f1": 0.5, "complete": 1.0},
        {"method": "RS", "level": 0.2, "macro_f1": 0.7, "complete": 0.8},
        {"method": "ED", "level": 0.2, "macro_f1": 0.8, "complete": 1.0},
    ]
    drawn = dict(curves.plots({"points": points}))
    assert set(drawn) == {"Macro-F1", "Certificates that are complete"}
    assert ">RS<" in drawn["Macro-F1"]
    assert ">ED<" in drawn["Macro-F1"]
    assert ">RR<" not in drawn["Macro-F1"]

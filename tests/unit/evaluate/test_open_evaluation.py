"""`isomatch eval` on open questions, over a graph of films."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from tests.unit.endpoint import Endpoint, chat, problem
from tests.unit.learn.toy import toy
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.errors import ConfigurationError, LoadError, ModelError, StoreError
from isomatch.evaluate.okgqa.config import SYSTEMS, OpenEvalConfig
from isomatch.evaluate.okgqa.graphs import (
    fb15k_descriptions,
    fb15k_lines,
    fb15k_settings,
    name_finder,
    open_fb15k,
)
from isomatch.evaluate.okgqa.judging import Judging
from isomatch.evaluate.okgqa.references import References, read_texts
from isomatch.evaluate.okgqa.runner import run_open_eval
from isomatch.evaluate.okgqa.summary import summarise
from isomatch.evaluate.okgqa.systems import Written
from isomatch.evaluate.okgqa.tables import score_cell, tables
from isomatch.judge.types import Judged, Verdict, unusable
from isomatch.options import OPEN_FORMS
from isomatch.questions.open.sets import OpenQuestion
from isomatch.session import Session

QUESTIONS = [
    {
        "question": "How are Heat and Ali connected?",
        "topics": ["Heat", "Ali"],
        "kind": "explanatory",
    },
    {"question": "Describe Ronin.", "topics": ["ronin"], "kind": "descriptive"},
    {"question": "Describe Dune.", "topics": ["Dune"], "kind": "descriptive"},
]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with toy(tmp_path_factory.mktemp("open-eval")) as opened:
        yield opened


@pytest.fixture
def session(films, monkeypatch) -> Session:
    """What every run opens; without a model."""
    films.model = None
    monkeypatch.setattr(Session, "open", lambda *_, **__: Session.of(films.resources))
    monkeypatch.setattr(Session, "close", lambda self: None)
    return films


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "open.jsonl"
    file.write_text("".join(json.dumps({"open": True, **row}) + "\n" for row in QUESTIONS))
    return file


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(a) for a in arguments], prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def rows_of(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]


def test_without_a_model_the_forms_and_rules_are_measured(session, questions, tmp_path):
    out = tmp_path / "run"
    code, said, err = run("eval", questions, "--out", out)
    assert (code, err) == (0, "")
    assert "of 3 questions the graph holds a topic of 2 (all topics of 2); asked 2" in said
    assert "left out: factscore, safe" in said
    assert "left out: 1 × unknown topic" in said
    assert "which cite it by construction" in " ".join(said.split())
    assert "100.0 ± 0.0" not in said
    rows = rows_of(out)
    assert {(row["question_id"], row["system"]) for row in rows} == {
        (f"open.jsonl:{n}", form) for n in (1, 2) for form in OPEN_FORMS
    }
    assert all(row["source"] == "graph" and row["text"] for row in rows)
    assert all(row["selection"]["optimal"] for row in rows)
    assert [row["topics"] for row in rows][-1] == ["Ronin"]  # the graph's own name
    page = (out / "report.html").read_text()
    assert "Answers, side by side" in page
    assert "Win rates" in page
    assert "How are Heat and Ali connected?" in page
    assert "| triplets over paths |" in (out / "report.md").read_text()


def test_a_stopped_run_goes_on_and_asks_nothing_twice(session, questions, tmp_path, monkeypatch):
    out = tmp_path / "run"
    asked: list[str] = []
    ask = Session.ask

    def stopping(self, question, **options):
        asked.append(f"{question} {options['retriever']}")
        if len(asked) == 4:
            raise KeyboardInterrupt
        return ask(self, question, **options)

    monkeypatch.setattr(Session, "ask", stopping)
    code, _, err = run("eval", questions, "--out", out)
    assert code == 130
    assert "the same command resumes" in err
    assert len(rows_of(out)) == 3
    with (out / "rows.jsonl").open("a") as file:
        file.write('{"id": "half')  # as a kill would leave it
    assert run("eval", questions, "--out", out)[0] == 0
    assert len(rows_of(out)) == 6
    assert len(asked) == 4 + 3
    code, _, err = run("eval", questions, "--out", out, "--cost", 2)
    assert code == 2
    assert "a run of other settings" in err


ENDS = re.compile(r" \| .+ \| | -.+?-> | <-.+?- ")  # what stands between the ends of a fact


def judge_and_writer() -> Endpoint:
    """Names the ends of the first fact; as a judge replies with what the forms may hold."""
    form = {
        "facts": ["They belong together"],
        "reason": "it says so",
        "verdict": "supported",
        "action": "supported",
        "query": "",
        "score": 4,
    }

    def reply(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        wanted = body.get("response_format", {}).get("json_schema", {}).get("schema")
        if wanted is not None:
            return chat(json.dumps({key: form[key] for key in wanted["properties"]}))
        shown = "\n".join(message["content"] for message in body["messages"])
        fact = re.search(r"^\[1\] (.+)$", shown, re.MULTILINE)
        ends = ENDS.split(fact[1])[:2] if fact else ("Heat", "Michael Mann")
        return chat(f"{' and '.join(ends)} belong together [1].")

    return Endpoint(reply)


def test_with_a_model_every_system_is_judged_by_every_metric(session, questions, tmp_path):
    endpoint = judge_and_writer()
    session.model = endpoint.model()
    summary = run_open_eval(
        str(questions), out=tmp_path / "run", systems=SYSTEMS, samples=2, limit=1, self_test=False
    )
    scores = next(iter(summary["scores"].values()))
    assert set(scores) == set(SYSTEMS)
    for figures in scores.values():
        assert figures["factscore"]["mean"] == 1.0
        assert figures["correctness"]["mean"] == 0.75
    assert scores["zero-shot"]["supported_sentences"]["mean"] is None  # it has no evidence
    assert summary["left_out"] == []
    assert summary["usage"]["judge"]["requests"] > 0
    before = len(endpoint.bodies)
    again = run_open_eval(
        str(questions), out=tmp_path / "run", systems=SYSTEMS, samples=2, limit=1, self_test=False
    )
    assert len(endpoint.bodies) == before
    assert again["scores"] == summary["scores"]


def test_a_question_without_a_reference_is_counted_and_the_others_are_judged(
    session, questions, monkeypatch
):
    session.model = judge_and_writer().model()
    read = References.of
    monkeypatch.setattr(
        References, "of", lambda self, q: () if "Ronin" in q.text else read(self, q)
    )
    summary = run_open_eval(str(questions), systems=("zero-shot",), self_test=False)
    scores = summary["scores"]["all"]["zero-shot"]
    assert (scores["factscore"]["n"], scores["correctness"]["n"]) == (1, 2)
    assert summary["verdicts"]["factscore"]["no reference"] == 1


def test_another_model_at_the_same_endpoint_may_judge(session, questions):
    endpoint = judge_and_writer()
    session.model = endpoint.model()
    with pytest.raises(ModelError, match="strict-judge"):  # which no server is behind
        run_open_eval(str(questions), systems=("zero-shot",), judge="strict-judge", self_test=False)
    assert {body["model"] for body in endpoint.bodies} == {"test-model"}


def test_the_judge_is_tested_and_every_report_says_how_it_did(session, questions, tmp_path):
    session.model = judge_and_writer().model()
    summary = run_open_eval(
        str(questions), out=tmp_path / "run", systems=("zero-shot",), limit=1, facts=6
    )
    assert summary["self_test"]["right"] == {"true": (2, 2), "swapped": (0, 2), "invented": (0, 2)}
    words = "0.33 of 6 facts of known truth right"
    assert words in (tmp_path / "run" / "report.html").read_text()
    assert words in (tmp_path / "run" / "report.md").read_text()


def test_a_judge_outside_the_form_is_counted_and_scores_nothing(session, questions):
    session.model = Endpoint("I like it.").model()
    summary = run_open_eval(str(questions), systems=("zero-shot",), limit=1, self_test=False)
    (systems,) = summary["scores"].values()
    assert systems["zero-shot"]["correctness"] == {"mean": None, "interval": None, "n": 0}
    assert summary["verdicts"]["correctness"] == {"invalid": 1}
    assert summary["judge_failed"]


def test_a_judge_of_no_use_ends_the_command_with_an_error(session, questions, tmp_path):
    session.model = Endpoint("I like it.").model()
    arguments = ("eval", questions, "--system", "zero-shot", "--no-self-test")
    code, said, err = run(*arguments, "--out", tmp_path / "run")
    assert code == 6
    assert "no reply of the judge 'test-model' could be used" in err
    assert "invalid" in said  # the tables are printed and kept
    assert (tmp_path / "run" / "report.html").exists()


def test_an_endpoint_that_is_down_ends_the_run(session, questions):
    session.model = Endpoint(problem(500, "down")).model(attempts=1)
    with pytest.raises(ModelError, match="500"):
        run_open_eval(str(questions), systems=("zero-shot",), self_test=False)


def test_copies_with_errors_are_asked_too(session, questions, monkeypatch, tmp_path):
    """The forms alone, and what the evidence kept is said."""
    import isomatch.perturb as perturb

    with toy(
        tmp_path / "copy", "heat directed mann\nheat directed pacino\nronin starred niro\n"
    ) as copy:
        opened: list[str] = []

        def open_copy(settings, perturbation, **given):
            opened.append(str(perturbation))
            return copy

        monkeypatch.setattr(perturb, "open_perturbed", open_copy)
        monkeypatch.setattr(perturb, "perturbed_settings", lambda *_: opened.append("made"))
        session.model = judge_and_writer().model()
        summary = run_open_eval(
            str(questions),
            systems=("triplets", "zero-shot"),
            metrics=("supported_sentences",),
            perturb=("ed:0.50",),
        )
    assert opened == ["made", "ED:0.5"]
    assert list(summary["curves"]) == ["", "ED:0.5"]
    assert list(summary["curves"]["ED:0.5"]) == ["triplets"]
    assert summary["curves"][""]["triplets"]["same_evidence"] == 1.0
    assert 0 < summary["curves"]["ED:0.5"]["triplets"]["same_evidence"] < 1
    assert summary["curves"][""]["triplets"]["true_facts"] == 1.0
    assert summary["curves"]["ED:0.5"]["triplets"]["true_facts"] == 0.75  # 1 of 2, and 1 of 1
    titles = [table.title for table in tables(summary)]
    assert "Triplets on graphs with errors" in titles


def test_what_cannot_be_copied_is_refused_before_anything_is_asked(session, questions, tmp_path):
    out = tmp_path / "run"
    with pytest.raises(StoreError, match="graph"):  # it is in memory, and no folder has it
        run_open_eval(str(questions), out=out, perturb=("ED:0.5",))
    assert not (out / "rows.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--system", "steinert"), "systems must be of"),
        (("--system", "cot"), "asks a language model"),
        (("--metric", "factscore"), "needs a language model"),
        (("--metric", "bleu"), "no metric 'bleu'"),
        (("--type", "odd"), "types must be of"),
        (("--type", "critical"), "is critical"),
        (("--perturb", "RS:2"), "from 0 to 1"),
        (("--cost", "-1"), "cost must be"),
        (("--patterns", "gold"), "--patterns is for questions with known answers"),
        (("--split", "test"), "--split is for"),
        (("--reference", "nowhere.tsv"), "--reference nowhere.tsv cannot be read"),
        (("--reference", "descriptions"), "have no reference text"),
        (("--data-graph", "fb", "--endpoint", "http://127.0.0.1:9/"), "drop one"),
    ],
)
def test_what_open_questions_do_not_have_is_refused(session, questions, arguments, words):
    code, _, err = run("eval", questions, *arguments)
    assert code == 2
    assert words in err


def test_options_of_open_questions_are_refused_for_others(session, tmp_path):
    file = tmp_path / "closed.jsonl"
    file.write_text(json.dumps({"question": "who directed Heat?", "answers": ["Michael Mann"]}))
    code, _, err = run("eval", file, "--system", "paths")
    assert code == 2
    assert "--system is for open questions" in err


def test_a_session_that_is_open_is_asked_and_stays_open(films, questions, monkeypatch):
    films.model = None
    monkeypatch.setattr(Session, "open", lambda *_, **__: pytest.fail("it opens another"))
    found = run_open_eval(str(questions), session=films, systems=("paths",))
    assert found["questions"] == 2
    assert films.store.describe().triples
    with pytest.raises(ConfigurationError, match="not both"):
        run_open_eval(str(questions), session=films, data_graph=write_fb15k(questions.parent))


def test_a_database_that_finds_nodes_itself_is_asked_for_the_topics(films):
    without = SimpleNamespace(
        index=SimpleNamespace(nodes=object()), resources=films.resources, pipeline=films.pipeline
    )
    find = name_finder(without)
    assert (find("Heat"), find("Dune")) == ("Heat", None)


def test_a_graph_without_the_topics_is_an_error(session, tmp_path):
    file = tmp_path / "open.jsonl"
    file.write_text(json.dumps({"open": True, **QUESTIONS[2]}))
    code, _, err = run("eval", file)
    assert code == 2
    assert "the graph has nothing that a question of open.jsonl is about" in err
    both = tmp_path / "both.jsonl"
    both.write_text("".join(json.dumps({"open": True, **row}) + "\n" for row in QUESTIONS))
    with pytest.raises(LoadError, match="--strict"):
        run_open_eval(str(both), strict=True)


def test_references_are_facts_and_texts_of_the_topics(session, tmp_path):
    texts = tmp_path / "texts.tsv"
    texts.write_text("heat\tA film of 1995.\nDune\tA novel.\n")
    question = OpenQuestion("1", "What of Heat?", ("Heat",), reference=("It is long.",))
    both = References(session, ("graph", "descriptions"), read_texts([texts])).of(question)
    assert both[:2] == ("It is long.", "Heat: A film of 1995.")
    assert "Heat | directed by | Michael Mann" in both
    assert References(session, (), read_texts([texts])).of(question) == both[:2]
    assert References(session, ("graph",)).of(question) == (both[0], *both[2:])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.tsv", "no tab here\n", "line 1"),
        ("a.jsonl", '{"name": "Heat"}\n', "line 1"),
        ("a.tsv", "\n", "has no texts"),
    ],
)
def test_texts_that_are_none_are_refused(tmp_path, name, content, words):
    (tmp_path / name).write_text(content)
    with pytest.raises(ConfigurationError, match=words):
        read_texts([tmp_path / name])


def test_a_folder_of_texts_is_read_by_the_names_of_its_files(tmp_path):
    (tmp_path / "Michael_Mann.md").write_text("He directs.\n")
    (tmp_path / "b.png").write_text("no text")
    assert read_texts([tmp_path]) == {"michael mann": ("He directs.",)}


def test_wins_losses_ties_and_missing_answers():
    def row(id: str, system: str, score: float | None, text: str = "x") -> dict:
        return {
            **{"question_id": id, "system": system, "scores": {"safe": score}, "text": text},
            **{"perturb": "", "type": "critical", "selection": None, "facts": [], "named": 1.0},
            **{"verdicts": {}, "usage": {}, "judge_usage": None, "milliseconds": 1.0},
        }

    rows = [
        *(row("1", "a", 1.0), row("1", "b", 0.5)),
        *(row("2", "a", 0.5), row("2", "b", 0.5)),
        *(row("3", "a", None, ""), row("3", "b", 0.1)),
        *(row("4", "a", None), row("4", "b", 0.1)),  # the judge could not say
        *(row("5", "a", None, ""), row("5", "b", None, "")),
    ]
    found = summarise(rows, ("a", "b"), ("safe",), 1)
    (pair,) = found["wins"]["safe"]
    assert (pair["mean"], pair["n"], pair["ties"]) == (0.5, 3, 1)
    low, high = pair["interval"]
    assert 0 < low < 0.5 < high < 1  # three questions tell little
    assert found["scores"]["all"]["a"]["safe"]["mean"] == 0.75
    assert found["failed"] == 0.3


def test_ratings_that_are_weighted_by_probabilities_are_counted_as_such():
    said = [Verdict("correctness", "correctness", "rated", "", 0.5, each) for each in (True, False)]
    judged = Judged("q", "a", {"correctness": 0.5}, tuple(said))
    judge = SimpleNamespace(metrics=("correctness",), judge=lambda *_: judged)
    judging = Judging(judge, SimpleNamespace(of=lambda _: ()), ())
    row = judging.of(OpenQuestion("1", "q", ("Heat",)), Written("a", "model"))
    assert row["verdicts"] == {"correctness": {"rated by probabilities": 1, "rated": 1}}
    assert not unusable({"rated by probabilities": 1, "invalid": 1})
    assert unusable({"no facts": 1, "invalid": 1})


def test_a_mean_says_of_how_many_answers_it_is():
    whole = {"mean": 0.5, "interval": [0.4, 0.6], "n": 3}
    assert score_cell(whole, 3) == "50.0 ± 10.0"
    assert score_cell(whole, 7) == "50.0 ± 10.0 (3)"
    assert score_cell({"mean": 1.0, "interval": [1.0, 1.0], "n": 3}, 3) == "100.0"
    assert score_cell({"mean": None, "interval": None, "n": 0}, 3) == "–"


def write_fb15k(folder: Path) -> Path:
    labels = ["/m/1\tHeat\tQ1\tfilm", '/m/2\tMichael "M" Mann\tQ2\tdirector']
    (folder / "entity_labels.tsv").write_text("\n".join(labels) + "\n")
    for part, line in (("train", "/m/1\t/film/film/director\t/m/2\n"), ("valid", ""), ("test", "")):
        with gzip.open(folder / f"{part}.txt.gz", "wt") as file:
            file.write(line)
    return folder


def test_fb15k_is_loaded_with_names_and_descriptions(tmp_path):
    write_fb15k(tmp_path)
    lines = list(fb15k_lines(tmp_path))
    assert lines[2] == "<urn:fb:/m/1> <urn:fb:/film/film/director> <urn:fb:/m/2> ."
    assert '"Michael \\"M\\" Mann"' in lines[1]
    assert fb15k_descriptions(tmp_path)["heat"] == ("film",)
    before = fb15k_settings(tmp_path, tmp_path).home
    assert fb15k_settings(tmp_path, tmp_path).home == before
    with (tmp_path / "entity_labels.tsv").open("a") as labels:
        labels.write("/m/3\tAli\tQ3\n")
    assert fb15k_settings(tmp_path, tmp_path).home != before  # other files, another graph
    (tmp_path / "valid.txt.gz").unlink()
    with pytest.raises(LoadError, match=r"valid\.txt\.gz is missing"):
        open_fb15k(tmp_path, tmp_path)


def test_the_configuration_says_what_is_measured_by_default():
    config = OpenEvalConfig.make("okgqa")
    assert config.systems_with(model=False) == OPEN_FORMS
    assert config.systems_with(model=True) == (*OPEN_FORMS, "zero-shot")
    assert OpenEvalConfig.make("okgqa", systems=("all",)).systems == SYSTEMS

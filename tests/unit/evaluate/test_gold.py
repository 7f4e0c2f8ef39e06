"""Gold queries of a question file: read only, with all of what is tied."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isomatch.answer.types import Answer
from isomatch.errors import LoadError, QueryRefused
from isomatch.evaluate import run_eval
from isomatch.evaluate.gold import _cypher, _sparql, gold_answers, with_gold
from isomatch.evaluate.metrics import Naming
from isomatch.evaluate.outcome import Outcome, answer_outcome, match_outcome
from isomatch.evaluate.scoring import Scorer
from isomatch.questions.datasets import Question
from isomatch.retrieve.types import Retrieved
from isomatch.session import Session
from isomatch.settings import Settings


@pytest.mark.parametrize(
    ("text", "run", "column", "keys"),
    [
        ("MATCH (p) RETURN p.name", "MATCH (p) RETURN p.name AS answer", "answer", 0),
        ("MATCH (p) RETURN p AS who // all", "MATCH (p) RETURN p AS who", "who", 0),
        (
            "MATCH (p) RETURN DISTINCT p.name ORDER BY p.born DESC, p.name LIMIT 1",
            "MATCH (p) RETURN DISTINCT p.name AS answer, p.born AS isomatch_key0, "
            "p.name AS isomatch_key1 ORDER BY p.born DESC, p.name",
            "answer",
            2,
        ),
        (
            "MATCH (p)--(m) RETURN p.name AS answer, count(m) AS n ORDER BY n DESC LIMIT 1",
            "MATCH (p)--(m) RETURN p.name AS answer, count(m) AS n, "
            "(count(m)) AS isomatch_key0 ORDER BY n DESC",
            "answer",
            1,
        ),
        (
            "MATCH (p) WITH p ORDER BY p.born LIMIT 1 MATCH (p)--(m) RETURN m.title",
            "MATCH (p) WITH p ORDER BY p.born LIMIT 1 MATCH (p)--(m) RETURN m.title AS answer",
            "answer",
            0,
        ),
        (
            "MATCH (p {name: 'RETURN, ORDER BY x LIMIT 1'}) RETURN left(p.name, 2)",
            "MATCH (p {name: 'RETURN, ORDER BY x LIMIT 1'}) RETURN left(p.name, 2) AS answer",
            "answer",
            0,
        ),
        (
            "RETURN EXISTS { MATCH (p) RETURN p ORDER BY p.x LIMIT 1 }",
            "RETURN EXISTS { MATCH (p) RETURN p ORDER BY p.x LIMIT 1 } AS answer",
            "answer",
            0,
        ),
    ],
)
def test_cypher_gets_a_column_and_the_keys_of_its_order(text, run, column, keys):
    select = _cypher(text)
    assert (select.text.split(), select.column, len(select.keys)) == (run.split(), column, keys)


@pytest.mark.parametrize(
    ("text", "run", "column", "keys"),
    [
        ("SELECT ?x WHERE { ?x ?p ?y }", "SELECT ?x WHERE { ?x ?p ?y }", "x", 0),
        ("SELECT (COUNT(?x) AS ?n) { }", "SELECT (COUNT(?x) AS ?n) { }", "n", 0),
        (
            "SELECT DISTINCT ?x { ?x ?p ?y { SELECT ?p { } LIMIT 1 } } "
            "ORDER BY DESC(?y) STR(?x) LIMIT 1",
            "SELECT DISTINCT ?x ((?y) AS ?isomatch_key0) (STR(?x) AS ?isomatch_key1) "
            "{ ?x ?p ?y { SELECT ?p { } LIMIT 1 } } ORDER BY DESC(?y) STR(?x)",
            "x",
            2,
        ),
        (
            "SELECT ?answer (COUNT(?y) AS ?n) WHERE { } GROUP BY ?answer "
            "ORDER BY DESC (COUNT(?y)) LIMIT 1",
            "SELECT ?answer (COUNT(?y) AS ?n) ((COUNT(?y)) AS ?isomatch_key0) WHERE { } "
            "GROUP BY ?answer ORDER BY DESC (COUNT(?y))",
            "answer",
            1,
        ),
    ],
)
def test_sparql_gets_the_keys_of_its_order(text, run, column, keys):
    select = _sparql(text)
    assert (select.text.split(), select.column, len(select.keys)) == (run.split(), column, keys)


@pytest.mark.parametrize("text", ["RETURN 1, 2", "RETURN 1 AS a, 2 AS b"])
def test_one_column_has_the_answers(text):
    with pytest.raises(QueryRefused, match="2 columns, of which none is called 'answer'"):
        _cypher(text)


def test_what_a_query_gives_are_the_answers(session: Session) -> None:
    every = "SELECT ?f WHERE { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'directed')) }"
    assert sorted(gold_answers(session, {"sparql": every}).names) == ["Ali", "Alien", "Heat"]
    count = "SELECT (COUNT(DISTINCT ?f) AS ?n) WHERE { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'dire')) }"
    assert gold_answers(session, {"sparql": count}).names == ("3",)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("ASK { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'directed')) }", "true"),
        ("PREFIX ask: <urn:> ASK WHERE { ?f ask:nothing 'ASK {' }", "false"),
    ],
)
def test_an_ask_gives_true_or_false(session: Session, query: str, name: str) -> None:
    assert gold_answers(session, {"sparql": query}).names == (name,)


def test_an_ask_cannot_write(session: Session) -> None:
    with pytest.raises(QueryRefused):
        gold_answers(session, {"sparql": "ASK { } ; DELETE WHERE { ?s ?p ?o }"})


def test_all_that_are_tied_are_answers(session: Session) -> None:
    first = (
        "SELECT ?p WHERE { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'directed')) } GROUP BY ?p "
        "ORDER BY DESC(COUNT(?f)) LIMIT 1"
    )
    gold = gold_answers(session, {"sparql": first})
    assert (gold.names, gold.tied) == (("Michael Mann",), True)
    tied = (
        "SELECT ?f WHERE { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'directed')) } GROUP BY ?f "
        "ORDER BY COUNT(?p) LIMIT 1"
    )
    assert sorted(gold_answers(session, {"sparql": tied}).names) == ["Ali", "Alien", "Heat"]


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ({"cypher": "RETURN 1"}, "the graph is asked in sparql, and the line has none"),
        ({"sparql": "DELETE WHERE { ?s ?p ?o }"}, "DELETE"),
        ({"sparql": "SELECT ?x WHERE { ?x "}, "line 2: the gold query"),
    ],
)
def test_a_query_that_cannot_be_run_names_its_line(
    queries: dict[str, str], message: str, settings: Settings, tmp_path: Path
) -> None:
    file = _file(tmp_path, GOOD, {"question": "which films are there", **queries})
    with pytest.raises(LoadError, match=message) as failed:
        run_eval(str(file), settings=settings, interpreter="schema")
    assert f"{file}, line 2: the gold query: " in str(failed.value)


GOOD = {
    "question": "which films did Michael Mann direct",
    "sparql": "SELECT ?f WHERE { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'directed')) "
    "FILTER(CONTAINS(LCASE(STR(?p)), 'mann')) }",
    "cypher": "MATCH (f)-[:directed_by]->(:Person {name: 'Michael Mann'}) RETURN f.name",
    "kind": "lookup",
}


def test_questions_are_asked_with_gold_queries(settings: Settings, tmp_path: Path) -> None:
    nothing = {"question": "who directed Ronin", "sparql": "SELECT ?x WHERE { ?x ?x 'Ronin' }"}
    both = {**GOOD, "question": "what did Michael Mann direct", "answers": ["Heat"]}
    answers = {"question": "who directed Alien", "answers": ["Ridley Scott"]}
    file = _file(tmp_path, GOOD, nothing, both, answers)
    out = tmp_path / "run"
    report = run_eval(str(file), settings=settings, interpreter="schema", out=out)
    assert report["problems"]["counts"] == {"malformed": 1, "empty answers": 1}
    assert "expected `answers` or `cypher`, not both" in report["problems"]["listed"][0]
    assert "line 2: the gold query gives none" in report["problems"]["listed"][1]
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    assert [sorted(row["answers"]) for row in rows] == [["Ali", "Heat"], ["Ridley Scott"]]
    assert [row["kind"] for row in rows] == ["lookup", None]
    assert all(row["score"]["exact"] for row in rows)
    with pytest.raises(LoadError, match="line 2: the gold query gives none; correct it"):
        run_eval(str(_file(tmp_path, GOOD, nothing)), settings=settings, strict=True)


@pytest.mark.parametrize(
    ("found", "exact"),
    [(["Heat"], True), (["Ali", "Heat"], True), (["Heat", "Alien"], False), (["Alien"], False)],
)
def test_any_or_all_of_the_tied_are_right(found: list[str], exact: bool, session: Session) -> None:
    question = Question("1", "?", (), ("Heat", "Ali"), None, 0, tied=True)
    scorer = Scorer(session, Naming())
    row = scorer.row("questions", Outcome(question, {}, found=(tuple(found),)))
    assert row["score"]["exact"] is exact
    assert row["answers"] == ["Heat", "Ali"]
    alone = Outcome(replace(question, tied=False), {}, found=(tuple(found),))
    assert scorer.row("questions", alone)["score"]["exact"] is (len(found) == 2 and exact)


def test_numbers_are_compared_as_numbers() -> None:
    naming = Naming(numbers=True)
    assert naming.key("75.666667") == naming.key("75.67")
    assert naming.key("12.0") == naming.key("12")
    assert naming.key("10248") != naming.key("10249")
    assert naming.key("1e400") == "1e400"
    assert naming.key("infinity") == "infinity"


def _file(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return file


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ('(?f)-[directed by]->("Michael Mann") return count(?f)', ("2",)),
        ('("Heat")-[directed by]->("Michael Mann")', ("true",)),
    ],
)
def test_what_is_worked_out_is_an_answer(
    pattern: str, found: tuple[str, ...], session: Session
) -> None:
    question = Question("1", "?", (), found, None, 0)
    outcome = match_outcome(question, session.match(pattern, k=1))
    assert outcome.found is not None
    assert outcome.found[0] == found


@pytest.mark.parametrize(
    ("film", "proven", "found"),
    [("Alien", False, ("true",)), ("Heat", True, ("false",)), ("Heat", False, ())],
)
def test_yes_and_a_proven_no_are_answers(
    film: str, proven: bool, found: tuple[str, ...], session: Session
) -> None:
    result = session.match(f'("{film}")-[directed by]->("Ridley Scott") return ask', k=1)
    result = replace(result, refuted=proven)
    question = Question("1", "?", (), ("true",), None, 0)
    outcome = match_outcome(question, result)
    assert outcome.found is not None
    assert outcome.found[0] == found
    answer = Answer("?", "", (), bool(found), (), (), False, result, "graph", holds=result.holds)
    assert answer_outcome(question, answer, Retrieved(), ()).found == ((found,) if found else ())


def test_the_way_of_an_order_is_kept():
    keys = _cypher("MATCH (p) RETURN p ORDER BY p.born DESC, p.name ascending LIMIT 1").keys
    assert keys == (("p.born", True), ("p.name", False))


def test_questions_whose_gold_orders_texts_are_apart_in_the_report(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "SELECT ?f WHERE { ?f ?d ?p FILTER(CONTAINS(STR(?d), 'directed')) }"
    file = tmp_path / "questions.jsonl"
    lines = [{"question": text, "sparql": query} for text in ("last film", "list the films")]
    file.write_text("\n".join(map(json.dumps, lines)))

    def misread(question: Question, session: Session) -> Question:
        question = with_gold(question, session)
        return replace(question, misordered="date") if "last" in question.text else question

    monkeypatch.setattr("isomatch.evaluate.runner.with_gold", misread)
    report = run_eval(str(file), settings=session.settings, interpreter="schema")
    assert report["questions"] == 2
    assert report["problems"]["counts"] == {"misordered gold": 1}
    assert set(report["splits"]["gold"]) == {"orders dates as texts", "others"}

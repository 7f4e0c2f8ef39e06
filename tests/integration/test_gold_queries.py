"""Gold queries on a real Neo4j: values of every kind, nodes, what is tied, and no writing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from isomatch import Session
from isomatch.errors import LoadError, QueryRefused, StoreError
from isomatch.evaluate import run_eval
from isomatch.evaluate.gold import gold_answers
from isomatch.evaluate.metrics import Naming
from isomatch.evaluate.outcome import match_outcome
from isomatch.evaluate.scoring import Scorer
from isomatch.questions.datasets import Question
from isomatch.settings import Settings

pytestmark = pytest.mark.both_lines


@pytest.fixture(scope="module")
def session(films: Settings) -> Iterator[Session]:
    """Over the films, which no test here changes."""
    with Session.open(films) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("MATCH (p:Person)-[:DIRECTED]->(m) RETURN m", ["Ali", "Heat"]),
        ("MATCH (m:Movie) RETURN count(m)", ["3"]),
        ("MATCH (m:Movie) RETURN avg(m.released)", ["1998.0"]),
        ("MATCH (m {title: 'Heat'}) RETURN m.premiere", ["1995-12-06"]),
        ("MATCH (:Person {name: 'Al Pacino'})-[r:ACTED_IN]->() RETURN r.roles", ["Vincent Hanna"]),
        ("RETURN EXISTS { (:Movie)-[:DIRECTED]->() }", ["false"]),
        ("MATCH (m:Movie) RETURN m.title UNION MATCH (p:Singer) RETURN p.name", None),
        (
            "MATCH (m:Singer) RETURN m.name AS answer "
            "UNION MATCH (m:Movie) RETURN m.title AS answer",
            ["Ali", "Heat", "Ronin", "Will Smith"],
        ),
    ],
)
def test_values_and_nodes_are_answers(
    query: str, names: list[str] | None, session: Session
) -> None:
    if names is None:
        with pytest.raises(StoreError):
            gold_answers(session, {"cypher": query})
        return
    assert sorted(gold_answers(session, {"cypher": query}).names) == names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (
            "MATCH (p:Person) RETURN p.name ORDER BY p.born DESC SKIP 1 LIMIT 1",
            {"Michael Mann", "Robert De Niro"},
        ),
        ("MATCH (p:Person) RETURN p ORDER BY p.born LIMIT 1", {"Al Pacino"}),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(m) WITH p, count(DISTINCT m) AS n "
            "RETURN p.name ORDER BY n LIMIT 1",
            {"Al Pacino", "Will Smith"},
        ),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(m) RETURN DISTINCT m.title AS t "
            "ORDER BY size(t) DESC LIMIT 1",
            {"Ronin"},
        ),
    ],
)
def test_ties_are_found(query: str, names: set[str], session: Session) -> None:
    gold = gold_answers(session, {"cypher": query})
    assert gold.tied is ("SKIP" not in query)
    assert set(gold.names) == names or (not gold.tied and set(gold.names) < names)


def test_a_query_that_writes_or_takes_too_long_is_refused(
    session: Session, neo4j_driver: neo4j.Driver
) -> None:
    for query in ("CREATE (n:Evil) RETURN n", "MATCH (n) SET n.evil = 1 RETURN n"):
        with pytest.raises(QueryRefused, match=r"only reading is allowed|begins with none"):
            gold_answers(session, {"cypher": query})
    slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7)"
    with pytest.raises(StoreError):
        gold_answers(session, {"cypher": slow}, seconds=1.0)
    many = "UNWIND range(1, 20000) AS x RETURN x"
    with pytest.raises(QueryRefused, match="more than 10,000 answers"):
        gold_answers(session, {"cypher": many})
    [record] = neo4j_driver.execute_query("MATCH (n:Evil) RETURN count(n) AS n").records
    assert record["n"] == 0


def test_questions_with_gold_cypher_are_evaluated(session: Session, tmp_path: Path) -> None:
    lines = [
        {
            "question": "who directed Ali",
            "cypher": "MATCH (p)-[:DIRECTED]->(:Movie {title: 'Ali'}) RETURN p",
            "kind": "lookup",
        },
        {"question": "who wrote Heat", "cypher": "MATCH (p)-[:WROTE]->() RETURN p.nme AS"},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps(lines[0]))
    report = run_eval(str(file), settings=session.settings, interpreter="schema")
    assert report["exact"] == 1.0
    file.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(LoadError, match=r"line 2: the gold query: Neo4j at .* refused it: "):
        run_eval(str(file), settings=session.settings, interpreter="schema")


def test_what_is_worked_out_is_compared_with_it(session: Session) -> None:
    gold = gold_answers(session, {"cypher": "MATCH (m:Movie) RETURN avg(m.released)"})
    question = Question("1", "?", (), gold.names, None, 0, queries={"cypher": "RETURN 1"})
    result = session.match("(?m:movie)-[released]->(?y) return avg(?y)", k=1)
    row = Scorer(session, Naming()).row("questions", match_outcome(question, result))
    assert row["score"]["exact"], row["found"]

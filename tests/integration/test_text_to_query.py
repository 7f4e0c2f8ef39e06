"""A model's queries against real servers: what reads is run, what does not is refused.

The words of a query are checked first (`tests/unit/evaluate/test_readonly.py`); here
the servers themselves are asked what they would do with one that got past that.
"""

from __future__ import annotations

from pathlib import Path

import neo4j
import pytest
from tests.integration.films import load_films
from tests.servers.neo4j import Neo4jServer
from tests.servers.sparql_server import SparqlServer
from tests.unit.endpoint import Endpoint

from isomatch import Session
from isomatch.errors import QueryRefused, StoreError
from isomatch.evaluate.readonly import check_plan
from isomatch.evaluate.systems import TextToQuery, answers
from isomatch.questions.datasets import Question
from isomatch.store.base import Query
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.sparql import SparqlStore

QUESTION = Question("1", "which films did Michael Mann direct", (), ("Heat", "Ali"), None, 1)
READS = "MATCH (:Person {name: 'Michael Mann'})-[:DIRECTED]->(m) RETURN DISTINCT m.title AS answer"
WRITES = (
    "CREATE (n:Evil) RETURN 'x' AS answer",
    "MATCH (n) SET n.evil = 1 RETURN 'x' AS answer",
    "MATCH (n) DETACH DELETE n",
    "CALL { CREATE (n:Evil) RETURN n } RETURN 'x' AS answer",
    "CREATE INDEX evil FOR (n:Movie) ON (n.evil)",
)


@pytest.fixture
def store(neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path) -> Neo4jStore:
    load_films(neo4j_server, empty_neo4j, tmp_path)
    return Neo4jStore(empty_neo4j)


def test_a_query_is_run(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path
) -> None:
    settings = load_films(neo4j_server, empty_neo4j, tmp_path)
    with Session.open(settings) as session:
        session.model = Endpoint(f"```cypher\n{READS}\n```").model()
        outcome = TextToQuery()(session, QUESTION)
        assert outcome.error is None
        assert sorted((outcome.found or ((),))[0]) == ["Ali", "Heat"]
        with pytest.raises(QueryRefused, match="DELETE"):
            answers(session, "MATCH (n) DELETE n", 5.0)


def test_a_query_ends_after_a_thousand_rows(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path
) -> None:
    settings = load_films(neo4j_server, empty_neo4j, tmp_path)
    many = "UNWIND range(1, 3000) AS x RETURN toString(x) AS answer"
    with Session.open(settings) as session:
        assert len(answers(session, many, 5.0)) == 1000
        assert len(answers(session, f"{many} UNION {many}", 5.0)) == 1000
        with pytest.raises(QueryRefused, match="more than 1,000 rows"):
            answers(session, f"{many} LIMIT 2000", 5.0)
        with pytest.raises(StoreError, match="returned list, and not a text"):
            answers(session, "RETURN [1, 2] AS answer", 5.0)


@pytest.mark.both_lines
def test_the_planner_names_what_writes(store: Neo4jStore) -> None:
    assert store.statement_type(READS) == "r"
    for query in WRITES:
        assert store.statement_type(query) != "r"
        with pytest.raises(QueryRefused, match="planner"):
            check_plan(store, query, 5.0)


@pytest.mark.both_lines
def test_the_session_refuses_what_writes(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    count = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(n) + count(r) AS n"
    before = empty_neo4j.execute_query(count).records[0]["n"]
    for query in WRITES:
        with pytest.raises(StoreError):
            list(store.run(Query(query, ("answer",)), timeout=5.0))
    assert empty_neo4j.execute_query(count).records[0]["n"] == before


def test_a_slow_query_ends(store: Neo4jStore) -> None:
    slow = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS answer"
    with pytest.raises(StoreError):
        list(store.run(Query(slow, ("answer",)), timeout=0.5))


def test_an_endpoint_for_queries_takes_no_update(empty_sparql: SparqlServer) -> None:
    with SparqlStore.connect(empty_sparql.url) as store:
        for text in (
            "INSERT DATA { <urn:evil:a> <urn:evil:b> <urn:evil:c> }",
            "DELETE WHERE { ?s ?p ?o }",
            "CLEAR ALL",
        ):
            with pytest.raises(StoreError):
                list(store.run(Query(text, ("answer",)), timeout=5.0))
        asked = Query("ASK { <urn:evil:a> ?p ?o }", ())
        assert list(store.run(asked)) == [("false",)]

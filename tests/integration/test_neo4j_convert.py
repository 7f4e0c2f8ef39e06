"""Results from real servers: as a statement to paste, as the driver's graph, as a drawing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest
from tests.servers.sessions import session_over

from isomatch.convert.cypher import to_cypher
from isomatch.link.embedder import open_embedder
from isomatch.match.model import MatchResult
from isomatch.session import Session
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.values import to_id

# Names by label, lists, values of every kind, awkward identifiers, a text that is a
# node's name, two relationships between the same two nodes.
GRAPH = """
CREATE (heat:Movie {title: 'Heat', released: 1995, genres: ['crime', 'drama'],
                    premiere: date('1995-12-06'), tagline: 'A Los Angeles crime saga'}),
       (ali:Movie {title: 'Ali', released: 2001, genres: ['drama', 'drama'], tagline: 'Ali'}),
       (ronin:Movie {title: 'Ronin', released: 1998, genres: 'crime'}),
       (mann:Person {name: 'Michael Mann', born: 1943,
                     home: point({longitude: -87.6, latitude: 41.8}),
                     woke: localdatetime('2000-01-01T07:00:00')}),
       (pacino:Person {name: 'Al Pacino', born: 1940, title: 'Sir',
                       seen: datetime('2024-05-01T10:00:00+02:00')}),
       (niro:Person {name: 'Robert De Niro', born: 1943, `odd``key`: 'it\\'s a \\\\u0027 "quote"'}),
       (smith:Person:Singer {name: 'Will Smith', born: 1968}),
       (mann)-[:DIRECTED]->(heat), (mann)-[:DIRECTED]->(ali), (mann)-[:WROTE]->(heat),
       (pacino)-[:ACTED_IN {roles: ['Vincent Hanna'], since: 1995}]->(heat),
       (niro)-[:ACTED_IN {roles: ['Neil McCauley', 'Neil']}]->(heat),
       (niro)-[:ACTED_IN {roles: ['Sam']}]->(ronin),
       (smith)-[:ACTED_IN {roles: ['Cassius Clay', 'Muhammad Ali']}]->(ali),
       (smith)-[:ACTED_IN {roles: ['himself']}]->(ali),
       (mann)-[:`KNOWS ``WELL``` {since: 1990}]->(pacino),
       (pacino)-[:`KNOWS ``WELL``` {since: 1991}]->(mann),
       (niro)-[:`KNOWS ``WELL```]->(niro)
"""


@pytest.fixture(scope="module")
def session(
    neo4j_driver: neo4j.Driver, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """Over `GRAPH`, and nothing else."""
    for record in neo4j_driver.execute_query("SHOW CONSTRAINTS YIELD name").records:
        neo4j_driver.execute_query(f"DROP CONSTRAINT `{record['name']}`")
    with neo4j_driver.session() as writer:
        writer.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS").consume()
    neo4j_driver.execute_query(GRAPH)
    store = Neo4jStore(neo4j_driver)
    with session_over(store, tmp_path_factory.mktemp("films"), open_embedder()) as session:
        yield session


def rows(driver: neo4j.Driver, text: str) -> set[tuple[Any, ...]]:
    """What a pasted text returns: its ``:param`` lines are read as Browser reads them."""
    *lines, statement = re.split(r";\n(?=:param |MATCH)", text.removesuffix(";"))
    parameters = {}
    for line in lines:
        name, _, value = line.removeprefix(":param ").partition(" => ")
        parameters[name] = driver.execute_query(f"RETURN {value} AS value").records[0]["value"]
    found = driver.execute_query(statement, parameters, routing_="r")
    return {tuple(map(cell, record.items())) for record in found.records}


def cell(item: tuple[str, Any]) -> tuple[str, str | None]:
    column, value = item
    if isinstance(value, neo4j.graph.Node):
        return column, value.element_id
    if isinstance(value, neo4j.graph.Relationship):
        return column, f":{value.type}"
    return column, f".{value}" if column.startswith("e") else to_id(value)


def expected(result: MatchResult) -> set[tuple[Any, ...]]:
    """The same of the matches of the best interpretation."""
    pattern, found = result.pattern, set()
    for match in result.interpretations[0].matches:
        row = [(f"n{n}", match.bindings[node.id].id) for n, node in enumerate(pattern.nodes)]
        for e, (edge, triple) in enumerate(zip(pattern.edges, match.triples, strict=True)):
            if edge.relation is None or triple.relation.id.startswith(":"):
                row.append((f"e{e}", triple.relation.id))
        found.add(tuple(row))
    return found


PATTERNS = [
    ('(?film)-[directed]-("Michael Mann")', {}),
    ('(?film:movie)-[directed]-("Michael Mann")', {}),
    ('("Al Pacino")-[acted in]->(?film)<-[directed]-(?who:person)', {}),
    ('("Al Pacino")-[acted in]-(?film)-[acted in]-("Robert De Niro")', {}),
    ('("Heat")-[released]-(?year)', {}),
    ('("Heat")-[premiere]-(?day:date)', {}),
    ('(?film)-[released]-("1995")', {}),
    ("(?film)-[released]-(?year)", {}),
    ('("Heat")-[genres]-(?genre)', {}),
    ('(?film)-[genres]-("crime")', {}),
    ('("Heat")-[genres]-(?genre)-[genres]-(?other:movie)', {}),
    ('("Ali")-[tagline]-(?line)', {}),
    ('("Michael Mann")-[born]-(?year)-[born]-(?who)', {}),
    ('("Michael Mann")-[home]-(?place)', {}),
    ('(?who)-[home]-(place "SRID=4326;POINT(-87.6 41.8)")', {}),
    ('(?who)-[woke]-(at "2000-01-01T07:00:00")', {}),
    ('(?who)-[seen]-(at "2024-05-01T10:00:00+02:00")', {}),
    ("(?who)-[odd key]-(?what)", {}),
    ('(?who)-[odd key]-(text "it\'s a quote")', {}),
    ('("Heat")-[]-(?x)', {}),
    ('("Heat")-[]-(?x:number)', {}),
    ('("1943")-[]-(?x)', {}),
    ('("Al Pacino")-[]-(?x)', {}),
    ('("Al Pacino")-[title]-(?x)', {}),
    ("(?who)-[title]-(?x)", {}),
    ('("Michael Mann")-[]-("Heat")', {}),
    ('("Heat")-[]-(?x)-[]-("Ali")', {}),
    ("(?a)-[knows well]-(?b)", {}),
    ("(?a)-[knows well]-(?b)", {"direction": "as written"}),
    ("(?a)-[knows well]-(?b)", {"nodes": "repeat"}),
    ('("Al Pacino")-[knows well]-(?x)-[knows well]-(?y)', {"nodes": "anchored"}),
    ('("Heat")-[directed]-(?x)-[directed]-(?y)', {"nodes": "anchored"}),
    ('("Heat")-[directed]-(?x)-[directed]-(?y)', {"nodes": "repeat"}),
    ('("Heat")-[directed]->(?x)', {"direction": "as written"}),
    ('("Heat")<-[directed]-(?x)', {"direction": "as written"}),
    ('("Heat")-[released]->(?x)', {"direction": "as written"}),
    ("(?a)-[genres]-(?g)-[genres]-(?b)", {"nodes": "anchored"}),
    ("(?a)-[genres]-(?g)-[]-(?b)", {"nodes": "repeat"}),
    ('("Will Smith")-[acted in: ?role]-(?film)', {}),
    ('("Will Smith")-[acted in: "Muhammad Ali"]-(?film)', {}),
    ('(?who)-[acted in: ?role]-(?film)-[directed]-("Michael Mann")', {}),
    ('("Heat")-[directed]-(?x), ("Ali")-[genres]-(?g)', {}),
]


@pytest.mark.parametrize(("pattern", "options"), PATTERNS, ids=[str(p) for p in PATTERNS])
def test_a_pasted_statement_gives_the_matches(
    session: Session, neo4j_driver: neo4j.Driver, pattern: str, options: dict[str, Any]
) -> None:
    result = session.match(pattern, k=1, budget_seconds=None, **options)
    text = to_cypher(result, session, **options)
    if text is None:
        pytest.fail(f"the pattern has no match: {result.certificate}")
    assert rows(neo4j_driver, text) == expected(result), text

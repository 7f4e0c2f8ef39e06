"""What the server makes of our queries: their plans, how many texts, and nasty names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import neo4j
import pytest
from tests.servers.neo4j import empty
from tests.unit.compile.test_golden_cypher import CASES, MATCHES

from isomatch.compile import follow
from isomatch.compile.base import Part, Terms
from isomatch.compile.dialects import dialect_of
from isomatch.options import Options
from isomatch.pattern.text import parse_text
from isomatch.plan.structure import Structure
from isomatch.schema.introspect import introspect
from isomatch.store.base import Query
from isomatch.store.cypher import NEO4J
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.terms import literal

# Nothing in them is known, a property is on nodes without a label, the text has all places of
# values, of which a row takes its own, or some of all values are read.
SCANS = (
    "nothing_known",
    "only_a_property",
    "range_without_a_start",
    "holes_without_a_start",
    "list_to_look_up",
    "mixed",
    "property_to_look_up",
    "value_in_the_middle",
    "unknown_relation_of_a_value",
    "neighbourhood_facts_of_values",
    "sample_of_values",
)


@pytest.fixture(scope="module")
def films(neo4j_driver: neo4j.Driver) -> neo4j.Driver:
    """Enough films and persons that a scan costs more than a look-up.

    Made once, as the server plans every query again after a change of indexes: to plan them
    takes it four times as long as to run them.
    """
    empty(neo4j_driver)
    neo4j_driver.execute_query(
        """
        UNWIND range(0, 399) AS i
        CREATE (f:Film {title: 'Film ' + i, year: 1950 + i % 70, genres: ['g' + i % 9]}),
               (p:Person {name: 'Person ' + i})
        WITH collect(f) AS films, collect(p) AS persons
        UNWIND range(0, 399) AS i
        WITH films[i] AS f, persons[i] AS p, persons[i * 7 % 400] AS q
        CREATE (p)-[:DIRECTED]->(f), (q)-[:WROTE]->(f), (q)-[:ACTED_IN {role: 'Hanna'}]->(f)
        """
    )
    neo4j_driver.execute_query("CREATE INDEX FOR (f:Film) ON (f.year)")
    neo4j_driver.execute_query("CALL db.awaitIndexes()")
    return neo4j_driver


def operators(driver: neo4j.Driver, query: Query) -> set[str]:
    """The operators of a query's plan."""
    plan = driver.execute_query("EXPLAIN " + query.text, dict(query.parameters)).summary.plan
    assert plan is not None

    def walk(node: dict[str, Any]) -> Iterator[str]:
        yield node["operatorType"].split("@")[0]
        for child in node.get("children", ()):
            yield from walk(child)

    return set(walk(plan))


@pytest.mark.both_lines
def test_no_query_scans_or_multiplies(films: neo4j.Driver):
    for name, case in CASES.items():
        found = operators(films, case())
        if name not in SCANS:
            scans = {operator for operator in found if operator.endswith("Scan")}
            assert not scans, name
        if name != "brute":  # lists in a part of their own: what is asked for is their product
            assert "CartesianProduct" not in found, name


@pytest.mark.both_lines
def test_what_is_indexed_is_looked_up(films: neo4j.Driver):
    assert "NodeIndexSeek" in operators(films, CASES["property_to_look_up"]())


@pytest.mark.both_lines
def test_every_case_runs(films: neo4j.Driver):
    records = films.execute_query("MATCH (n:Film) RETURN elementId(n) AS id LIMIT 2").records
    with Neo4jStore(films) as store:
        for name, case in CASES.items():
            query = case()
            if name == "neighbourhood_by_plugin":  # the plugin refuses a node that is not there
                there = [record["id"] for record in records]
                query = replace(query, parameters={**query.parameters, "nodes": there})
                assert list(store.run(query))
            assert all(len(row) == len(query.columns) for row in store.run(query))


@pytest.mark.both_lines
@pytest.mark.parametrize("name", sorted(MATCHES))
def test_the_columns_are_those_that_are_promised(films: neo4j.Driver, name: str):
    query = CASES[name]()
    keys = films.execute_query("EXPLAIN " + query.text, dict(query.parameters)).keys
    promised = ("i", "matches") if query.ways else query.columns  # of a row's matches, a list
    assert tuple(keys)[: len(promised)] == promised


NASTY = (
    "plain",
    "with space",
    "MATCH",
    "back`tick",
    "`",
    "``",
    "a`) DETACH DELETE (n) //",
    "\\",
    "\\u0060",
    "\\u0060) DETACH DELETE (n) //",
    "a\\u005Cu0060b",
    "'quoted' \"twice\"",
    "new\nline",
    "$rows",
    "{{ n }}",
    "שלום🎬",
    "/* comment */",
)


def part(text: str, relations: Sequence[str], types: Sequence[str | None], terms: Terms) -> Part:
    structure = Structure.of(parse_text(text), Options())
    return Part(structure, tuple(relations), tuple(types), terms)


@pytest.mark.both_lines
@pytest.mark.parametrize(
    ("types", "most"),
    [(0, 0), (NEO4J.dynamic_types, follow.MOST_TYPES), (NEO4J.dynamic_types, 0)],
    ids=["in the row", "all in the text", "in the text"],
)
def test_names_of_any_form_match_what_they_name(
    empty_neo4j: neo4j.Driver, monkeypatch: pytest.MonkeyPatch, types: int, most: int
):
    """Every name as a label, a type and a key: found as itself, and nothing else is."""
    monkeypatch.setattr(follow, "MOST_TYPES", most)
    monkeypatch.setattr(follow, "HUB", 0)
    run = empty_neo4j.execute_query
    for i in range(types):
        run(f"CREATE (:Other)-[:OTHER_{i}]->(:Other)")
    for i, name in enumerate(NASTY):
        quoted = "`" + name.replace("\\", "\\u005C").replace("`", "``") + "`"
        run(
            f"CREATE (a:{quoted} {{name: $a}})-[:{quoted} {{{quoted}: $i}}]->"
            f"(b:Target {{name: $b, {quoted}: $i}})",
            a=f"source {i}",
            b=f"target {i}",
            i=1000 + i,
        )
    with Neo4jStore(empty_neo4j) as store:
        schema = introspect(store)
        known = {*schema.by_id, *(t.id for t in schema.types)}
        assert {":" + n for n in NASTY} | {"." + n for n in NASTY} <= known
        terms = Terms.of(schema)
        ids = {
            record["name"]: record["id"]
            for record in run("MATCH (n) RETURN n.name AS name, elementId(n) AS id").records
        }
        for i, name in enumerate(NASTY):
            edge = part('(?a:t)-[r]->("b")', [":" + name], [":" + name, None], terms)
            rows = list(store.run(dialect_of(store).match(edge, {1: ids[f"target {i}"]}, 10)))
            assert [row[1] for row in rows] == [ids[f"source {i}"]], name
            value = literal(str(1000 + i), datatype="http://www.w3.org/2001/XMLSchema#integer")
            looked_up = part('(?b)-[r]->("v")', ["." + name], [None, None], terms)
            rows = list(store.run(dialect_of(store).match(looked_up, {1: value}, 10)))
            assert [row[1] for row in rows] == [ids[f"target {i}"]], name
    [count] = run("MATCH (n) RETURN count(n) AS n").records
    assert count["n"] == 2 * len(NASTY) + 2 * types

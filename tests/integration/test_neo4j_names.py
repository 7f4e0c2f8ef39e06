"""Names and values of a property graph on real servers: pages, and look-ups."""

from __future__ import annotations

import neo4j
import pytest

from isomatch.schema.introspect import introspect
from isomatch.schema.names import Name, names, node_names
from isomatch.store.neo4j import Neo4jStore
from isomatch.store.values import to_id

pytestmark = pytest.mark.both_lines

NASTY = "a`b \\u0060 '\"{} 🎬"


@pytest.fixture
def store(empty_neo4j: neo4j.Driver) -> Neo4jStore:
    return Neo4jStore(empty_neo4j)


def films(driver: neo4j.Driver) -> dict[str, str]:
    """A graph of films; ids of its nodes by their property ``is``."""
    driver.execute_query(
        """
        CREATE (heat:Movie {is: 'heat', title: 'Heat', released: 1995, tags: ['crime', $nasty]}),
          (two:Movie:$($nasty) {is: 'two', title: 'One', $KEY: ['Two', 'Too']}),
          (mann:Person {is: 'mann', name: 'Michael Mann', born: date('1943-02-05')}),
          (number:Person {is: 'number', name: 7, born: 1995}),
          (:Session {is: 'session', live: true}), ({is: 'bare'}),
          (:Movie {is: 'blank', title: ' '}),
          (mann)-[:DIRECTED {as: 'boss', `sh``are`: 0.5, vector: range(1, 100)}]->(heat)
        """.replace("$KEY", "`" + NASTY.replace("\\", "\\u005C").replace("`", "``") + "`"),
        nasty=NASTY,
    )
    records, _, _ = driver.execute_query("MATCH (n) WITH n, n.is AS is REMOVE n.is RETURN is, n")
    return {record["is"]: record["n"].element_id for record in records}


GIVEN = (f"{NASTY}.{NASTY}",)


def all_names(store: Neo4jStore, page: int = 10_000) -> list[tuple[str, str, str]]:
    schema = introspect(store, label_relations=GIVEN)
    return [(n.id, n.text, n.kind) for some in names(store, schema, page=page) for n in some]


@pytest.mark.parametrize("page", [1, 10_000])
def test_every_named_node_and_every_value(
    store: Neo4jStore, empty_neo4j: neo4j.Driver, page: int
) -> None:
    ids = films(empty_neo4j)
    found = all_names(store, page)
    assert len(found) == len(set(found))
    assert {(id, text) for id, text, kind in found if kind == "node"} == {
        (ids["heat"], "Heat"),
        (ids["two"], "One"),
        (ids["two"], "Two"),
        (ids["two"], "Too"),
        (ids["mann"], "Michael Mann"),
        (ids["number"], "7"),
    }
    assert {(id, kind) for id, _, kind in found if kind != "node"} == {
        (to_id(1995), "number"),
        (to_id(0.5), "number"),
        (to_id("crime"), "text"),
        (to_id(NASTY), "text"),
        (to_id("boss"), "text"),
        (to_id(neo4j.time.Date(1943, 2, 5)), "date"),
        (to_id(True), "boolean"),
    }


def test_pages_can_be_resumed_after_any_node(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query(
        "UNWIND range(1, 40) AS i CREATE (:A {name: 'n' + i, size: i % 5}) WITH i "
        "MATCH (n:A) WHERE i = 40 AND n.name ENDS WITH '3' DELETE n"
    )
    schema = introspect(store)
    whole = [n for page in names(store, schema, page=7) for n in page if n.kind == "node"]
    assert len(whole) == 36
    for i, name in enumerate(whole):
        rest = [n for page in names(store, schema, page=5, after=name.id) for n in page]
        assert [n for n in rest if n.kind == "node"] == whole[i + 1 :]
    value = to_id(3)
    assert [n for page in names(store, schema, after=value) for n in page if n.kind == "node"] == (
        whole
    )


def test_names_are_looked_up(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    ids = films(empty_neo4j)
    schema = introspect(store, label_relations=GIVEN)
    gone = ids["heat"].rpartition(":")[0] + ":999999"

    def number(name: str) -> str:
        return ids[name].rpartition(":")[2]

    asked = [*ids.values(), gone, str(to_id(1995)), ids["heat"]]
    assert node_names(store, schema, asked) == {
        ids["heat"]: "Heat",
        ids["two"]: "One",  # films are more than things of the other label
        ids["mann"]: "Michael Mann",
        ids["number"]: "7",
        ids["session"]: f"Session {number('session')}",
        ids["bare"]: f"Node {number('bare')}",
        ids["blank"]: f"Movie {number('blank')}",
        gone: "Node 999999",
        str(to_id(1995)): "1995",
    }


def test_an_empty_database_has_no_names(store: Neo4jStore) -> None:
    assert list(names(store, introspect(store))) == []


def test_a_value_of_many_nodes_comes_once(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query("UNWIND range(1, 50) AS i CREATE (:A {size: 3, weight: 3})")
    pages = list(names(store, introspect(store), page=10))
    assert pages == [[Name(str(to_id(3)), "3", "number")]]

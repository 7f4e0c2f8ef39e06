"""Introspection of property graphs on real servers, against plain counting."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest
from neo4j.time import Date

from isomatch.errors import NotAllowed
from isomatch.schema import samples
from isomatch.schema.catalog import read_counts, read_tokens
from isomatch.schema.introspect import introspect
from isomatch.schema.names import names, node_names
from isomatch.schema.types import PropertyIndex, Schema
from isomatch.store.base import Query, Row
from isomatch.store.neo4j import Neo4jStore

pytestmark = pytest.mark.both_lines

# Each is a reserved word, or ends an identifier where it is not escaped.
NASTY = [
    "MATCH",
    "two words",
    "a`b",
    "``",
    "a\\u0060b",
    "\\",
    "'q'",
    '"',
    "naïve 🎬",
    "$x",
    "a.b:c",
]
NASTY += ["`) DETACH DELETE (n) //", "\\u0060) DETACH DELETE (n) //"]


class Watched(Neo4jStore):
    """Keeps the texts that it was asked; refuses those of some names."""

    asked: list[Query]
    refused: tuple[str, ...] = ()

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if query.name in self.refused:
            raise NotAllowed(f"no right to run {query.name}")
        self.__dict__.setdefault("asked", []).append(query)
        return super().run(query, timeout=timeout)


def films(driver: neo4j.Driver) -> None:
    driver.execute_query(
        """
        CREATE (heat:Movie {title: 'Heat', released: 1995, tags: ['crime', 'heist'], score: 8.3}),
          (ronin:Movie {title: 'Ronin', released: 1998, tags: ['crime'], score: 7}),
          (alien:Movie {title: 'Alien', released: '1979', seen: true}),
          (mann:Person:Director {name: 'Michael Mann', born: 1943, on: date('1943-02-05')}),
          (pacino:Person {name: 'Al Pacino', born: 1940}),
          (niro:Person {name: 'Robert De Niro', born: 1943, home: point({x: 1, y: 2})}),
          (:Session {started: datetime('2020-01-01T00:00Z')}), ({loose: 1995}),
          (heat)-[:DIRECTED_BY]->(mann), (pacino)-[:ACTED_IN {roles: ['Vincent']}]->(heat),
          (niro)-[:ACTED_IN {roles: ['Neil'], paid: 5}]->(heat), (niro)-[:ACTED_IN]->(ronin)
        """
    )


@pytest.fixture
def store(empty_neo4j: neo4j.Driver) -> Watched:
    return Watched(empty_neo4j)


def test_a_small_graph_is_counted(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    films(empty_neo4j)
    schema = introspect(store)
    assert schema.names == {":Movie": ".title", ":Person": ".name", ":Director": ".name"}
    assert schema.name_relations == (".title", ".name")
    assert {t.id: t.nodes for t in schema.types} == {
        ":Movie": 3,
        ":Person": 3,
        ":Director": 1,
        ":Session": 1,
        "literal:text": 3,
        "literal:number": 7,  # a value counts for each of its properties
        "literal:date": 2,
        "literal:boolean": 1,
    }
    relations = schema.by_id
    assert set(relations) == {
        *(":ACTED_IN", ":DIRECTED_BY", ".released", ".tags", ".score", ".seen"),
        *(".born", ".on", ".home", ".started", ".loose"),
    }
    acted = relations[":ACTED_IN"]
    assert (acted.text, acted.triples, acted.subjects, acted.objects) == ("acted in", 3, 2, 2)
    assert (acted.mean_out, acted.max_out, acted.mean_in, acted.max_in) == (1.5, 2, 1.5, 2)
    assert (acted.source_types, acted.target_types) == ({":Person": 3}, {":Movie": 3})
    assert relations[":DIRECTED_BY"].target_types == {":Director": 1, ":Person": 1}
    assert schema.edge_properties == {":ACTED_IN": {".roles": 2, ".paid": 1}}
    released = relations[".released"]
    assert released.literal_kinds == {"number": 2, "text": 1}
    assert (released.source_types, released.max_out, released.objects) == ({":Movie": 3}, 1, 3)
    tags = relations[".tags"]
    assert (tags.listed, tags.triples, tags.subjects, tags.objects) == (True, 3, 2, 2)
    assert (tags.max_out, tags.max_in) == (2, 2)
    assert relations[".loose"].source_types == {":": 1}
    assert relations[".home"].literal_kinds == {"other": 1}
    assert relations[".born"].source_types == {":Person": 3, ":Director": 1}
    assert (schema.triples, schema.nodes) == (4 + 16, 8 + 14)
    assert any("Session" in note for note in schema.notes)


def counted(driver: neo4j.Driver, schema: Schema) -> dict[str, tuple[Any, ...]]:
    """Facts, ends and degrees of every relation, from all elements one by one."""
    naming = {(type, key) for type, key in schema.names.items()}
    facts: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    sources: dict[str, Counter[str]] = defaultdict(Counter)
    targets: dict[str, Counter[str]] = defaultdict(Counter)
    nodes, _, _ = driver.execute_query("MATCH (n) RETURN elementId(n), labels(n), n {.*}")
    labels = {id: [f":{x}" for x in found] or [":"] for id, found, _ in nodes}
    for id, _, properties in nodes:
        for key, value in properties.items():
            if any((type, f".{key}") in naming for type in labels[id]):
                continue
            for member in value if isinstance(value, list) else [value]:
                facts[f".{key}"].append((id, (type(member), member)))
                sources[f".{key}"].update(labels[id])
    edges, _, _ = driver.execute_query(
        "MATCH (a)-[r]->(b) RETURN elementId(a), type(r), elementId(b)"
    )
    for a, kind, b in edges:
        facts[f":{kind}"].append((a, b))
        sources[f":{kind}"].update(labels[a])
        targets[f":{kind}"].update(labels[b])
    return {
        id: (
            len(some),
            len({a for a, _ in some}),
            len({b for _, b in some}),
            max(Counter(a for a, _ in some).values()),
            sources[id],
            targets[id],
        )
        for id, some in facts.items()
    }


def found(schema: Schema) -> dict[str, tuple[Any, ...]]:
    return {
        r.id: (r.triples, r.subjects, r.objects, r.max_out, r.source_types, r.target_types)
        for r in schema.relations
    }


def random_graph(driver: neo4j.Driver, nodes: int, seed: int) -> None:
    """Nodes of up to two of three labels, with nasty names everywhere."""
    rng = random.Random(seed)
    labels, types, keys = NASTY[:3], NASTY[3:8], NASTY[5:]
    values = [1, 2.5, "x", True, [1, 2, 3], ["y"], Date(2020, 1, 1)]
    made = [
        {
            "i": i,
            "labels": rng.sample(labels, rng.choice([0, 1, 1, 2])),
            "keys": {k: rng.choice(values) for k in keys if rng.random() < 0.4},
        }
        for i in range(nodes)
    ]
    edges = [
        {
            "a": rng.randrange(nodes),
            "b": min(rng.randrange(nodes), rng.randrange(nodes)),
            "type": rng.choice(types),
            "keys": {k: rng.choice(values) for k in keys if rng.random() < 0.1},
        }
        for _ in range(3 * nodes)
    ]
    driver.execute_query(
        """
        CALL () {
          UNWIND $nodes AS row CREATE (n:$(row.labels)) SET n = row.keys, n.i = row.i
          RETURN collect(n) AS made
        }
        UNWIND $edges AS row
        WITH made[row.a] AS a, made[row.b] AS b, row
        CREATE (a)-[r:$(row.type)]->(b) SET r = row.keys
        """,
        nodes=made,
        edges=edges,
    )


def test_a_graph_of_nasty_names_is_counted(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    random_graph(empty_neo4j, 200, seed=1)
    schema = introspect(store)
    assert found(schema) == counted(empty_neo4j, schema)
    assert {f":{name}" for name in NASTY[:3]} <= {t.id for t in schema.types}
    assert {f":{name}" for name in NASTY[3:8]} <= set(schema.by_id)
    assert {f".{name}" for name in NASTY[5:]} <= set(schema.by_id)


def test_a_user_with_few_rights_gets_the_same_counts(
    store: Watched, empty_neo4j: neo4j.Driver
) -> None:
    random_graph(empty_neo4j, 100, seed=2)
    expected = introspect(store)
    store.refused = ("schema statistics",)
    assert introspect(store) == expected
    store.refused = ("schema indexes",)
    assert any("may not see them" in note for note in introspect(store).notes)


def test_samples_that_hold_everything_count_the_same(
    store: Watched, empty_neo4j: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    random_graph(empty_neo4j, 100, seed=3)
    whole = introspect(store)
    monkeypatch.setattr(samples, "WHOLE_NODES", 0)
    for refused in ((), ("schema statistics",)):
        store.refused = refused
        sampled = introspect(store)
        assert sampled.names == whole.names
        assert sampled.edge_properties == whole.edge_properties
        for relation in whole.relations:
            other = sampled.by_id[relation.id]
            assert other.source_types == relation.source_types
            assert other.target_types == relation.target_types
            assert (other.triples, other.subjects) == (relation.triples, relation.subjects)
            assert other.literal_kinds == relation.literal_kinds
            assert other.max_out == max(relation.max_out, 2)
            if relation.id.startswith(":"):
                assert other.objects == relation.objects


def test_samples_leave_out_what_a_whole_graph_leaves_out(
    store: Watched, empty_neo4j: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_neo4j.execute_query(
        "UNWIND range(1, 20) AS i CREATE (b:Bot {id: i})-[:SEEN {at: i}]->(f:Film {title: 'f' + i})"
        "<-[:MADE {year: i}]-(:Person {name: 'p' + i}) CREATE (b)-[:MADE]->(f), (:Bot:Film {x: 1})"
    )
    whole = introspect(store, exclude=[":Bot", ".year"])
    monkeypatch.setattr(samples, "WHOLE_NODES", 0)
    sampled = introspect(store, exclude=[":Bot", ".year"])
    for schema in (whole, sampled):
        assert {r.id: r.triples for r in schema.relations} == {":MADE": 20}
        assert schema.by_id[":MADE"].source_types == {":Person": 20}
        assert ":Bot" not in {type.id for type in schema.types}
        assert schema.edge_properties == {}
        assert schema.left_out_labels == (":Bot",)
    assert {(t.id, t.nodes) for t in whole.types} == {(":Film", 20), (":Person", 20)}
    assert whole.nodes == 40


def test_samples_are_scaled_and_never_claim_a_maximum(
    store: Watched, empty_neo4j: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_neo4j.execute_query(
        """
        UNWIND range(1, 1000) AS i
        CREATE (o:Order {number: 'order ' + i, year: 2000 + i % 10})
        CREATE (o)-[:OF {line: i}]->(:Item {sku: i})
        """
    )
    monkeypatch.setattr(samples, "WHOLE_NODES", 0)
    for size in ("SAMPLED_NODES", "LINKED_NODES", "OWN_NODES"):
        monkeypatch.setattr(samples, size, 300)
    for enough in (1, 1_000_000):  # with one sample of all, and with one for each label
        monkeypatch.setattr(samples, "ENOUGH", enough)
        schema = introspect(store)
        of, year, sku = (schema.by_id[id] for id in (":OF", ".year", ".sku"))
        assert of.triples == 1000
        assert (of.source_types, of.target_types) == ({":Order": 1000}, {":Item": 1000})
        assert {r.max_out for r in schema.relations} | {of.max_in, sku.max_in} == {2}
        assert year.objects == 10
        # Wide bounds, six standard deviations: these are counts of a random sample.
        for count in (of.subjects, of.objects, year.triples, sku.triples, sku.objects):
            assert 500 < count < 1500
        assert schema.edge_properties == {":OF": {".line": 1000}}
        assert schema.names == {":Order": ".number"}
        assert schema.joins is None  # others write while we read
        assert any("estimates from 300 nodes" in note for note in schema.notes)


def test_a_rare_type_is_looked_at_by_itself(
    store: Watched, empty_neo4j: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_neo4j.execute_query(
        """
        UNWIND range(1, 500) AS i CREATE (:A)-[:COMMON]->(:B)
        WITH collect(i) AS all MATCH (a:A) WITH collect(a)[..3] AS some
        CREATE (b:B) FOREACH (a IN some | CREATE (a)-[:RARE {since: 1}]->(b))
        """
    )
    monkeypatch.setattr(samples, "WHOLE_NODES", 0)
    monkeypatch.setattr(samples, "LINKED_NODES", 1)
    schema = introspect(store)
    rare = schema.by_id[":RARE"]
    assert (rare.subjects, rare.objects, rare.max_out, rare.max_in) == (3, 1, 1, 3)
    assert (rare.source_types, schema.edge_properties) == ({":A": 3}, {":RARE": {".since": 3}})


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


def test_counts_come_from_the_count_store(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    random_graph(empty_neo4j, 50, seed=4)
    store.refused = ("schema statistics",)
    tokens = read_tokens(store)
    read_counts(store, tokens)
    texts = [q.text for q in store.asked if q.name == "schema counts"]
    assert 0 < len(texts) <= 1 + (len(tokens.labels) + len(tokens.types)) // 20
    for text in texts:
        summary = empty_neo4j.execute_query("EXPLAIN " + text).summary
        assert summary.plan is not None
        used = set(operators(summary.plan))
        assert {o for o in used if "Scan" in o or "Expand" in o} == set()
        assert used & {"NodeCountFromCountStore", "RelationshipCountFromCountStore"}


def test_few_queries_however_many_names(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query("UNWIND range(1, 150) AS i CREATE (:$('L' + i))-[:$('T' + i)]->()")
    introspect(store)
    assert len(store.asked) < 20


def test_indexes_are_told(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    films(empty_neo4j)
    run = empty_neo4j.execute_query
    run("CREATE CONSTRAINT titles FOR (n:Movie) REQUIRE n.title IS UNIQUE")
    run("CREATE INDEX pairs FOR (n:Person) ON (n.born, n.name)")
    run("CREATE TEXT INDEX texts FOR (n:Person) ON (n.name)")
    run("CREATE INDEX paid FOR ()-[r:ACTED_IN]-() ON (r.paid)")
    run("CREATE FULLTEXT INDEX words FOR (n:Movie|Person) ON EACH [n.name, n.title]")
    run(
        "CREATE VECTOR INDEX near FOR (n:Movie) ON (n.embedding) OPTIONS {indexConfig: "
        "{`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}"
    )
    run("CALL db.awaitIndexes()")
    run("MATCH (m:Movie) SET m.embedding = [1.0, 2.0, 3.0]")
    schema = introspect(store)
    both = (".name", ".title")
    assert set(schema.indexes) == {
        PropertyIndex(":Movie", (".title",), "range", "titles", unique=True),
        PropertyIndex(":Person", (".born", ".name"), "range", "pairs"),
        PropertyIndex(":Person", (".name",), "text", "texts"),
        PropertyIndex(":ACTED_IN", (".paid",), "range", "paid", relationship=True),
        PropertyIndex(":Movie", both, "fulltext", "words"),
        PropertyIndex(":Person", both, "fulltext", "words"),
        PropertyIndex(":Movie", (".embedding",), "vector", "near", False, 3, "cosine"),
    }
    assert schema.keys == {":Movie": ".title"}
    assert schema.left_out == (".embedding",)
    assert ".embedding" not in schema.by_id
    assert ".embedding" in schema.excluded


def test_long_lists_of_numbers_are_embeddings(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query("CREATE (:A {vector: range(1, 384), sizes: [1, 2]})")
    schema = introspect(store)
    assert (schema.left_out, [r.id for r in schema.relations]) == ((".vector",), [".sizes"])


def test_bytes_are_no_facts(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query(
        "CREATE (:A {few: $few, many: $many, sizes: [1, 2], size: 1, mixed: 3}), "
        "(:B {mixed: $few}), ({bare: $few})",
        few=b"\x01\x02",
        many=bytes(range(200)),
    )
    schema = introspect(store)
    assert schema.left_out == (".bare", ".few", ".many", ".mixed")
    assert {r.id for r in schema.relations} == {".size", ".sizes"}
    assert {n.text for page in names(store, schema) for n in page} == {"1", "2"}
    assert any("embeddings or bytes: bare, few, many, mixed" in note for note in schema.notes)


def test_one_long_text_keeps_its_label_named(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query("UNWIND range(1, 9) AS i CREATE (:A {name: 'thing ' + i})")
    empty_neo4j.execute_query("CREATE (n:A {name: $long, size: 1})", long="thing " * 5000)
    schema = introspect(store)
    assert schema.names == {":A": ".name"}
    assert schema.long_texts == (".name",)
    named = {n.text for page in names(store, schema) for n in page if n.kind == "node"}
    assert named == {f"thing {i}" for i in range(1, 10)}


def test_the_value_of_a_unique_key_is_shown_for_a_name(
    store: Watched, empty_neo4j: neo4j.Driver
) -> None:
    run = empty_neo4j.execute_query
    run("CREATE CONSTRAINT FOR (n:Order) REQUIRE n.orderID IS UNIQUE")
    run("CREATE CONSTRAINT FOR (n:Pair) REQUIRE (n.a, n.b) IS UNIQUE")
    run("CREATE (:Aside:Order {orderID: 10248}), (:Pair {a: 1, b: 2}), (:Order {size: 1})")
    rows = run("MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels").records
    called = node_names(store, introspect(store), [row["id"] for row in rows])
    number = {row["id"]: row["id"].rpartition(":")[2] for row in rows}
    assert called == {
        row["id"]: "Order 10248"
        if "Aside" in row["labels"]
        else f"{row['labels'][0]} {number[row['id']]}"
        for row in rows
    }


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ("name: 'thing ' + i, title: 'Mr'", ".name"),
        ("code: 'c' + i, movieTitle: 'thing ' + i", ".movieTitle"),
        ("Movie_Name: 'a ' + i, note: 'the note ' + i", ".Movie_Name"),
        ("caption: 'thing ' + i, email: 'a' + i + '@b.org'", ".caption"),
        ("movieId: 'm' + i, created: '2020-01-0' + i % 9", None),
        ("uuid: randomUUID(), amount: i", None),
        ("plot: 'It was a dark and stormy night, ' + reduce(t = '', x IN range(1, 40) | t + "
         "'and so on, ') + i", None),
        ("status: ['open', 'closed'][i % 2]", None),
        ("name: i", None),
        ("movie: 'thing ' + i, kind: 'k' + i", ".movie"),
    ],
)  # fmt: skip
def test_the_property_that_names_a_label_is_found(
    store: Watched, empty_neo4j: neo4j.Driver, properties: str, expected: str | None
) -> None:
    empty_neo4j.execute_query(f"UNWIND range(1, 100) AS i CREATE (:Movie {{{properties}}})")
    assert introspect(store).names.get(":Movie") == expected


def test_names_can_be_told(store: Watched, empty_neo4j: neo4j.Driver) -> None:
    films(empty_neo4j)

    def names(*given: str) -> dict[str, str]:
        return dict(introspect(store, label_relations=given).names)

    assert names("name", "title")[":Movie"] == ".title"
    assert names("Movie.released", "title") == {
        ":Movie": ".released",
        ":Person": ".name",
        ":Director": ".name",
    }
    assert names(":Session.started")[":Session"] == ".started"
    schema = introspect(store, label_relations=["Director.born"])
    # A property may name the nodes of one label and be a fact of others.
    assert schema.by_id[".born"].source_types == {":Person": 2}
    assert ".born" not in schema.excluded


def test_an_empty_database_has_an_empty_schema(store: Watched) -> None:
    schema = introspect(store)
    assert (schema.triples, schema.nodes, schema.relations, schema.types) == (0, 0, (), ())

"""Nodes found by Neo4j's own vector indexes, against a scan by numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

import neo4j
import numpy as np
import pytest
from tests.servers.neo4j import Neo4jServer

from isomatch.admin.doctor import examine
from isomatch.errors import StoreError, VectorIndexError
from isomatch.factories import make_index
from isomatch.link.embedder import Embedder, open_embedder
from isomatch.link.neo4j_vectors import Neo4jVectors, node_indexes
from isomatch.schema.names import node_names
from isomatch.schema.types import Relation, Schema, Type
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.neo4j import Neo4jStore

pytestmark = pytest.mark.both_lines

FILMS = {
    **{"Heat": 1995, "Collateral": 2004, "The Insider": 1999, "Thief": 1981, "Ali": 2001},
    **{"Manhunter": 1986, "Serpico": 1973, "Network": 1976, "The Verdict": 1982, "1995": 2024},
}
DIRECTED = {
    "Michael Mann": ("Heat", "Collateral", "The Insider", "Thief", "Ali", "Manhunter"),
    "Sidney Lumet": ("Serpico", "Network", "The Verdict"),
    "Ernest Example": ("1995",),
}
SCHEMA = Schema(
    fingerprint="films",
    triples=20,
    nodes=23,
    relations=(
        Relation(
            ":DIRECTED",
            "directed",
            10,
            source_types={":Person": 10},
            target_types={":Film": 10},
        ),
        Relation(
            ".released", "released", 10, source_types={":Film": 10}, literal_kinds={"number": 10}
        ),
    ),
    types=(
        Type(":Film", "film", 10),
        Type(":Person", "person", 3),
        Type("literal:number", "number", 10),
    ),
    name_relations=(".title", ".name"),
    names={":Film": ".title", ":Person": ".name"},
)


@pytest.fixture(scope="module")
def embedder() -> Iterator[Embedder]:
    minilm = open_embedder("minilm")
    yield minilm
    minilm.close()


@pytest.fixture
def films(empty_neo4j: neo4j.Driver, embedder: Embedder) -> neo4j.Driver:
    """Films with a cosine index; people with vectors three times as long, Euclidean."""
    rows = [
        {
            "name": name,
            "vector": (3 * vector).tolist(),
            "films": [
                {"title": title, "year": FILMS[title], "vector": own.tolist()}
                for title, own in zip(titles, embedder.embed(titles), strict=True)
            ],
        }
        for (name, titles), vector in zip(
            DIRECTED.items(), embedder.embed(list(DIRECTED)), strict=True
        )
    ]
    empty_neo4j.execute_query(
        "UNWIND $rows AS row CREATE (p:Person {name: row.name, vector: row.vector}) "
        "WITH p, row UNWIND row.films AS film "
        "CREATE (p)-[:DIRECTED]->"
        "(:Film {title: film.title, released: film.year, embedding: film.vector})",
        rows=rows,
    )
    vector_index(empty_neo4j, "films", "Film", "embedding", embedder.dimension, "cosine")
    vector_index(empty_neo4j, "people", "Person", "vector", embedder.dimension, "euclidean")
    return empty_neo4j


@pytest.fixture
def store(empty_neo4j: neo4j.Driver) -> Neo4jStore:
    return Neo4jStore(empty_neo4j)


def vector_index(
    driver: neo4j.Driver, name: str, label: str, key: str, dimension: int | None, function: str
) -> None:
    size = "" if dimension is None else f"`vector.dimensions`: {dimension}, "
    driver.execute_query(
        f"CREATE VECTOR INDEX `{name}` FOR (n:{label}) ON n.{key} OPTIONS "
        f"{{indexConfig: {{{size}`vector.similarity_function`: '{function}'}}}}"
    )
    driver.execute_query("CALL db.awaitIndexes(120)")


@pytest.mark.parametrize("exact", [False, True])
def test_nodes_with_a_label_that_is_left_out_are_not_found(
    films: neo4j.Driver, store: Neo4jStore, embedder: Embedder, exact: bool
) -> None:
    films.execute_query("MATCH (n:Film) WHERE n.title IN ['Heat', 'Ali'] SET n:Hidden")
    schema = replace(SCHEMA, exclude=(":Hidden",), left_out_labels=(":Hidden",))
    source = Neo4jVectors.open(store, schema, ["films", "people"], embedder.dimension)
    for limit in (1, 16):
        [page] = source.pages(embedder.embed(["heat"]), limit, exact=exact)
        found = {candidate.name for candidate in page.entries}
        assert found
        assert {"Heat", "Ali"}.isdisjoint(found)
    assert found == {*FILMS, *DIRECTED} - {"Heat", "Ali"}
    assert page.frontier == inf


@pytest.mark.parametrize("exact", [False, True])
def test_distances_are_those_of_names(
    films: neo4j.Driver, store: Neo4jStore, embedder: Embedder, exact: bool
) -> None:
    names = [*FILMS, *DIRECTED]
    known = embedder.embed(names)
    texts = ["Micheal Mann", "heat", "a film about crime", "Sidney Lumet"]
    queries = embedder.embed(texts)
    source = Neo4jVectors.open(store, SCHEMA, ["films", "people"], embedder.dimension)
    pages = source.pages(queries, 16, exact=exact)
    ids = {
        record["name"]: record["id"]
        for record in films.execute_query(
            "MATCH (n) RETURN coalesce(n.title, n.name) AS name, elementId(n) AS id"
        ).records
    }
    for query, page in zip(queries, pages, strict=True):
        true = dict(zip(names, np.linalg.norm(known - query, axis=1).tolist(), strict=True))
        assert sorted(c.name for c in page.entries) == sorted(names)
        for entry in page.entries:
            assert entry.id == ids[entry.name]
            assert entry.distance == pytest.approx(true[entry.name], abs=1e-4)
        assert [c.distance for c in page.entries] == sorted(c.distance for c in page.entries)
        assert (page.frontier, page.approximate) == (inf, not exact)
    # Letters of another case are the same vector; the sums are of 32 bits.
    assert [pages[i].entries[0].distance for i in (1, 3)] == [0.0, 0.0]


def test_pages_end_with_a_distance(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    """600 nodes, 201 of them on one vector: no tie is cut, nothing nearer left out."""
    generator = np.random.default_rng(7)
    rows = generator.normal(size=(400, 8)).astype(np.float32)
    rows = np.concatenate([rows, np.repeat(rows[:1], 200, axis=0)])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    empty_neo4j.execute_query(
        "UNWIND range(0, size($rows) - 1) AS i CREATE (:Thing {name: 'thing ' + i, v: $rows[i]})",
        rows=rows.tolist(),
    )
    vector_index(empty_neo4j, "things", "Thing", "v", 8, "cosine")
    schema = Schema("f", 0, 0, (), (), names={":Thing": ".name"})
    source = Neo4jVectors.open(store, schema, ["things"], 8)
    for number in (0, 5):
        true = np.linalg.norm(rows - rows[number], axis=1)
        for limit in (1, 16, 300, 5000):
            [page] = source.pages(rows[number : number + 1], limit, exact=True)
            listed = {int(c.name.split()[1]) for c in page.entries}
            assert len(page.entries) >= min(limit, 600)
            assert all(i in listed or d >= page.frontier - 1e-5 for i, d in enumerate(true))
            assert [c.distance for c in page.entries] == pytest.approx(
                np.sort(true)[: len(listed)].tolist(), abs=1e-3
            )
            assert (page.frontier == inf) == (len(listed) == 600)
            # The index may miss a few; what it gives is in the same form.
            [fast] = source.pages(rows[number : number + 1], limit)
            assert fast.approximate
            assert len(fast.entries) >= min(limit, 600) * 0.9
            assert all(
                c.distance == pytest.approx(true[int(c.name.split()[1])], abs=1e-3)
                for c in fast.entries
            )


def test_vectors_that_an_index_ignores(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    """No direction, other sizes, other types; whole numbers are as good as any."""
    empty_neo4j.execute_query(
        "CREATE (:Odd {name: 'zero', v: [0.0, 0.0]}), (:Odd {name: 'short', v: [1.0]}), "
        "(:Odd {name: 'text', v: '[1.0, 0.0]'}), (:Odd {name: 'none'}), "
        "(:Odd {name: 'whole', v: [0, 2]}), (:Odd {v: [1.0, 0.0]}), "
        "(:Odd {name: [7, 8], v: [1.0, 1.0]})"
    )
    vector_index(empty_neo4j, "odd", "Odd", "v", 2, "euclidean")
    schema = Schema("f", 0, 0, (), (), names={":Odd": ".name"})
    source = Neo4jVectors.open(store, schema, ["odd"], 2)
    query = np.array([[1.0, 0.0]], np.float32)
    nameless = next(
        record["id"]
        for record in empty_neo4j.execute_query(
            "MATCH (n:Odd) WHERE n.name IS NULL RETURN elementId(n) AS id"
        ).records
    )
    for exact in (False, True):
        [page] = source.pages(query, 16, exact=exact)
        assert [(c.name, c.distance) for c in page.entries] == [
            (node_names(store, schema, [nameless])[nameless], 0.0),
            ("7", pytest.approx((2 - 2**0.5) ** 0.5, abs=1e-5)),
            ("whole", pytest.approx(2**0.5, abs=1e-5)),
        ]


def test_names_that_want_escaping_are_found(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query(
        "CREATE (:`odd ``label`` \u00e9` {`the ``name``: x`: 'A', `v }) //`: [1.0, 0.0]})"
    )
    empty_neo4j.execute_query(
        "CREATE VECTOR INDEX `ind ``ex`` '` FOR (n:`odd ``label`` \u00e9`) ON n.`v }) //` "
        "OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"
    )
    empty_neo4j.execute_query("CALL db.awaitIndexes(120)")
    [index] = node_indexes(store)
    schema = Schema("f", 0, 0, (), (), names={":odd `label` \u00e9": ".the `name`: x"})
    source = Neo4jVectors.open(store, schema, [index.name], 2)
    for exact in (False, True):
        [page] = source.pages(np.array([[1.0, 0.0]], np.float32), 16, exact=exact)
        assert [(c.name, c.distance) for c in page.entries] == [("A", 0.0)]


def test_a_vector_index_that_does_not_fit_is_refused(
    films: neo4j.Driver, store: Neo4jStore
) -> None:
    films.execute_query(
        "CREATE VECTOR INDEX roles FOR ()-[r:DIRECTED]-() ON r.embedding "
        "OPTIONS {indexConfig: {`vector.dimensions`: 384}}"
    )
    there = (
        "'films' on :Film.embedding (dimension 384, cosine); "
        "'people' on :Person.vector (dimension 384, euclidean)"
    )
    for name in ("film", "roles"):
        assert refusal(store, ["films", name], 384) == (
            f"the database has no vector index {name!r} over nodes: correct "
            f"ISOMATCH_NEO4J_VECTOR_INDEX. There are: {there}"
        )
    assert refusal(store, ["people"], 3) == (
        "the database's vector index 'people' on :Person.vector (dimension 384, euclidean) does "
        "not hold vectors of the embedder, which have 3 numbers: set ISOMATCH_EMBEDDER to the "
        "embedder that made the vectors on the nodes, or ISOMATCH_NEO4J_VECTOR_INDEX to another "
        "index"
    )
    source = Neo4jVectors.open(store, SCHEMA, ["films"], 384)
    films.execute_query("DROP INDEX films")
    with pytest.raises(StoreError, match="films"):
        source.pages(np.eye(1, 384, dtype=np.float32), 16)


def refusal(store: Neo4jStore, names: Sequence[str], dimension: int) -> str:
    with pytest.raises(VectorIndexError) as caught:
        Neo4jVectors.open(store, SCHEMA, names, dimension)
    return str(caught.value)


def test_an_index_that_takes_any_dimension(store: Neo4jStore, empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query("CREATE (:Any {v: [1.0, 0.0]}), (:Any {v: [1.0, 0.0, 0.0]})")
    vector_index(empty_neo4j, "any", "Any", "v", None, "cosine")
    source = Neo4jVectors.open(store, SCHEMA, ["any"], 3)
    for exact in (False, True):
        [page] = source.pages(np.eye(1, 3, dtype=np.float32), 16, exact=exact)
        assert [c.distance for c in page.entries] == [0.0]


def test_match_finds_nodes_by_the_databases_vectors(
    films: neo4j.Driver, neo4j_server: Neo4jServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a user has it: nodes out of the database, the rest out of the index."""
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    settings = Settings(
        home=tmp_path, neo4j_uri=neo4j_server.uri, neo4j_vector_index="films,people"
    )
    report = make_index(settings)
    assert report.texts["nodes"] == 0
    assert report.literals == 10
    with Session.open(settings) as session:
        result = session.match('(?film:film)-[made by]-("Micheal Mann")', k=1)
        best = result.interpretations[0]
        assert {node.name for node in result.answers()} == set(DIRECTED["Michael Mann"])
        assert [c.name for c in best.choices if c.part == "node"] == ["Michael Mann"]
        assert result.certificate.approximate
        # A value and a node of the same words.
        result = session.match('(?x)-[released]-("1995")', k=1)
        assert [node.name for node in result.answers()] == ["Heat"]
        result = session.match('(?x)-[directed]-("1995")', k=1)
        assert [node.name for node in result.answers()] == ["Ernest Example"]
        exact = session.match('(?film:film)-[made by]-("Micheal Mann")', k=1, exact_vectors=True)
        assert exact.interpretations[0].gsd == pytest.approx(best.gsd, abs=1e-5)
        assert not exact.certificate.approximate
    with pytest.raises(VectorIndexError, match="was made without nodes"):
        Session.open(settings, neo4j_vector_index=())
    checks = {check.name: check for check in examine(settings)}
    assert (checks["index"].status, checks["vectors"].status) == ("ok", "ok")
    assert checks["vectors"].message == (
        "nodes are found by 'films' on :Film.embedding (dimension 384, cosine); "
        "'people' on :Person.vector (dimension 384, euclidean)"
    )

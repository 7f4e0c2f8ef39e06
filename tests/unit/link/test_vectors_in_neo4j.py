"""What a database's vector indexes are asked, and what is made of the answers.

The database here is a list of rows; real ones are in `tests/integration`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

import numpy as np
import pytest

from isomatch.errors import ConfigurationError, VectorIndexError
from isomatch.link.neo4j_vectors import Neo4jVectors, NodeIndex
from isomatch.schema.types import Schema, Type
from isomatch.store.base import Fact, MatchedTriple, Query, Row, Store, StoreInfo
from isomatch.store.cypher import CYPHER, NEO4J
from isomatch.store.oxigraph import OxigraphStore

SCHEMA = Schema("f", 0, 0, (), (Type(":Film", "film", 5000),), names={":Film": ".title"})
ONLINE: Row = ("films", "ONLINE", "100", "Film", "v", "2", "COSINE")


class Rows(Store):
    """Answers what it was given, and remembers how many nodes it was asked for."""

    capabilities = NEO4J
    templates = CYPHER

    def __init__(self, indexes: Iterable[Row] = (ONLINE,), scores: Iterable[float | None] = ()):
        self.indexes = list(indexes)
        self.scores = list(scores)
        self.dead_end = False
        self.asked: list[int] = []

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        if query.name == "vector-indexes":
            yield from self.indexes
            return
        limit = query.parameters["limit"]
        self.asked.append(limit)
        if self.dead_end and limit < len(self.scores):
            limit = 33
        for n, score in enumerate(self.scores[:limit]):
            yield "0", "0", f"n{n:04}", f"film {n}", None if score is None else str(score)

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        raise NotImplementedError

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        raise NotImplementedError

    def describe(self) -> StoreInfo:
        raise NotImplementedError

    def fingerprint(self) -> str:
        raise NotImplementedError

    def close(self) -> None:
        pass


def similarity(distance: float) -> float:
    return 1 - distance**2 / 4


def ask(store: Rows, limit: int = 16) -> tuple[list[float], float]:
    source = Neo4jVectors.open(store, SCHEMA, ["films"], 2)
    [page] = source.pages(np.array([[1.0, 0.0]], np.float32), limit)
    return [c.distance for c in page.entries], page.frontier


def test_the_last_distance_is_not_on_the_page() -> None:
    distances = [0.001 * n + 0.1 for n in range(500)]
    store = Rows(scores=map(similarity, distances))
    found, frontier = ask(store)
    assert store.asked == [128]
    assert found == pytest.approx(distances[:127])
    assert frontier == pytest.approx(distances[127])


def test_noise_is_nothing() -> None:
    """The similarities of 32 bits next to 1."""
    below = np.float32(1.0)
    scores = []
    for _ in range(4):
        scores.append(float(below))
        below = np.nextafter(below, np.float32(0.0))
    scores.append(1.0000001)
    assert ask(Rows(scores=scores))[0] == [0.0] * 5


def test_a_tie_at_the_end_is_asked_for_once_more() -> None:
    store = Rows(scores=[similarity(0.5)] * 3000)
    found, frontier = ask(store)
    assert store.asked == [128, 16 + 1024]
    assert (len(found), frontier) == (16 + 1024, 0.5)


def test_a_dead_end_of_the_index_is_not_its_end() -> None:
    """More than 32 nodes with the same vector, on 5.26."""
    store = Rows(scores=[1.0] * 200 + [similarity(1.0)] * 400)
    store.dead_end = True
    assert ask(store) == ([0.0] * 200 + [1.0] * 400, inf)
    assert store.asked == [128, 16 + 1024]


def test_few_nodes_are_asked_for_once() -> None:
    store = Rows(scores=[1.0] * 5)
    schema = Schema("f", 0, 0, (), (Type(":Film", "film", 7),))
    source = Neo4jVectors.open(store, schema, ["films"], 2)
    [page] = source.pages(np.array([[1.0, 0.0]], np.float32), 16)
    assert (len(page.entries), page.frontier, page.approximate) == (5, inf, True)
    assert store.asked == [128]


def test_vectors_without_direction_are_not_listed_but_counted() -> None:
    scores: list[float | None] = [None] * 100
    scores += [similarity(0.001 * n + 0.1) for n in range(1000)]
    found, frontier = ask(Rows(scores=scores))
    assert len(found) == 27
    assert frontier == pytest.approx(0.127)


def test_nothing_is_searched_for_no_vectors() -> None:
    store = Rows()
    source = Neo4jVectors.open(store, SCHEMA, ["films"], 2)
    assert source.pages(np.zeros((0, 2), np.float32), 16) == []
    assert store.asked == []


@pytest.mark.parametrize(
    ("state", "percent", "message"),
    [
        ("POPULATING", "41", "is populating, 41 % of it built: wait until it is built"),
        ("FAILED", "0", "is failed, 0 % of it built: drop it in the database and make it again"),
    ],
)
def test_an_index_that_is_not_online(state: str, percent: str, message: str) -> None:
    store = Rows([("films", state, percent, "Film", "v", "2", "COSINE")])
    with pytest.raises(VectorIndexError) as caught:
        Neo4jVectors.open(store, SCHEMA, ["films"], 2)
    assert str(caught.value) == (
        f"the database's vector index 'films' on :Film.v (dimension 2, cosine) {message}"
    )


def test_a_database_without_vector_indexes() -> None:
    with pytest.raises(VectorIndexError, match=r"There are: none$"):
        Neo4jVectors.open(Rows([]), SCHEMA, ["films"], 2)


def test_vectors_in_neo4j_need_a_graph_in_neo4j() -> None:
    with OxigraphStore.memory() as store, pytest.raises(ConfigurationError) as caught:
        Neo4jVectors.open(store, SCHEMA, ["films"], 2)
    assert str(caught.value) == (
        "ISOMATCH_NEO4J_VECTOR_INDEX is set, but the graph is not in Neo4j: set NEO4J_URI, or "
        "unset it"
    )


def test_how_an_index_is_told() -> None:
    index = NodeIndex("a", "Film", "v", None, "EUCLIDEAN", "ONLINE", 100)
    assert str(index) == "'a' on :Film.v (any dimension, euclidean)"

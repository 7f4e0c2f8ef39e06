"""The time budget holds, also where the engine cannot be interrupted."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from isomatch.errors import QueryTimeout
from isomatch.store.base import Query
from isomatch.store.oxigraph import OxigraphStore

# A product of three, counted: one row, after a second or more.
LONG = """SELECT (COUNT(*) AS ?n) WHERE { ?a <http://e/p> ?b .
?c <http://e/p> ?d . ?e <http://e/p> ?f
FILTER(?a = ?f && ?d = ?e) }"""


@pytest.fixture(scope="module")
def store() -> OxigraphStore:
    graph = ox.Store()
    node = ox.NamedNode
    graph.extend(
        ox.Quad(node(f"http://e/{i}"), node("http://e/p"), node(f"http://e/{i * 7 % 160}"))
        for i in range(160)
    )
    return OxigraphStore.memory(graph)


def test_a_heavy_query_ends_in_time(store: OxigraphStore) -> None:
    query = Query(LONG, ("n",), name="long", heavy=True)
    with pytest.raises(QueryTimeout, match="long"):
        list(store.run(query, timeout=0.01))


def test_a_heavy_query_gives_its_rows_and_its_errors(store: OxigraphStore) -> None:
    from isomatch.errors import StoreError

    query = Query("SELECT ?b WHERE { <http://e/1> <http://e/p> ?b }", ("b",), heavy=True)
    assert list(store.run(query, timeout=60)) == [("http://e/7",)]
    with pytest.raises(StoreError, match="refused"):
        list(store.run(Query("SELECT nonsense", (), heavy=True), timeout=60))

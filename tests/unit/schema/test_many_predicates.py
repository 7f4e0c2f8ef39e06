"""Graphs that are hard to read: 50,000 predicates, and no names at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from tests.unit.link.tiny_index import DigestEmbedder
from tests.unit.schema.limited_store import E, LimitedStore, graph_of, with_many_more

from isomatch.link.build import build_index
from isomatch.link.index import Index
from isomatch.link.linker import link
from isomatch.match.search import search
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.schema.introspect import introspect
from isomatch.schema.names import names
from isomatch.schema.sizes import COUNTED
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Row, Store
from isomatch.store.oxigraph import OxigraphStore

N = ox.NamedNode
PREDICATES = 50_000


def found(
    store: Store, schema: Schema, folder: Path, pattern: str, **options: Any
) -> list[tuple[str, ...]]:
    """The rows of the best interpretation of a pattern, over an index made for it."""
    embedder = DigestEmbedder(16)
    build_index(folder, names(store, schema), schema, embedder)
    parsed, chosen = parse(pattern), Options().with_(**options)
    with Index.open(folder, embedder=embedder, fingerprint=schema.fingerprint) as index:
        candidates = link(parsed, index, embedder, schema, chosen)
        outcome = search(parsed, candidates, store, schema, chosen)
    return [tuple(str(id) for id in row) for row in outcome.found[0].rows]


@pytest.mark.slow
def test_fifty_thousand_predicates_are_read_indexed_and_matched(tmp_path: Path) -> None:
    graph = ox.Store()
    graph.bulk_extend(
        ox.Quad(N(f"{E}n{i % 5000}"), N(f"{E}relation_{i}"), N(f"{E}n{i * 7 % 5000}"))
        for i in range(PREDICATES)
    )
    store = LimitedStore(graph)
    schema = introspect(store)
    assert len(schema.relations) == PREDICATES
    assert store.tried < 500
    rows = found(OxigraphStore(graph), schema, tmp_path, '("n3")-[relation 45003]-(?x)')
    assert rows == [(f"{E}n3", f"{E}n{45003 * 7 % 5000}")]


@pytest.mark.slow
def test_predicates_that_are_too_many_to_count_are_not_lost() -> None:
    class Listing(LimitedStore):
        """Lists its predicates, from an index, but does not count."""

        def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
            if query.name == "schema distinct_predicates":
                return OxigraphStore.run(self, query, timeout=timeout)
            return super().run(query, timeout=timeout)

    graph = with_many_more(ox.Store())
    relations = COUNTED + 50
    graph.bulk_extend(ox.Quad(N(E + "a"), N(f"{E}r{i}"), N(E + "b")) for i in range(relations))
    schema = introspect(Listing(graph, cheap=True, unlimited=False))
    assert len(schema.relations) == relations + 1
    assert "beyond 20,000" in schema.notes[-1]


def test_a_graph_without_names_is_called_by_its_addresses(tmp_path: Path) -> None:
    store = LimitedStore(graph_of(":Michael_Mann :directedFilm :Heat, :Thief ."))
    schema = introspect(store)
    assert (schema.name_relations, schema.languages, schema.typed) == ((), {}, False)
    assert [r.text for r in schema.relations] == ["directed film"]
    rows = found(
        OxigraphStore(store.graph), schema, tmp_path, '("Michael Mann")-[directed film]-(?f)'
    )
    assert sorted(rows) == [
        (f"{E}Michael_Mann", f"{E}Heat"),
        (f"{E}Michael_Mann", f"{E}Thief"),
    ]

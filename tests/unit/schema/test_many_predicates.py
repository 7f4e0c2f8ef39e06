"""Graphs that are hard to read: 50,000 predicates, and no names at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyoxigraph as ox
from tests.unit.link.tiny_index import DigestEmbedder
from tests.unit.schema.limited_store import E, LimitedStore, graph_of

from isomatch.link.build import build_index
from isomatch.link.index import Index
from isomatch.link.linker import link
from isomatch.match.search import search
from isomatch.pattern import parse
from isomatch.plan.options import Options
from isomatch.schema.introspect import introspect
from isomatch.schema.model import Schema
from isomatch.schema.names import names
from isomatch.store.base import Store
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

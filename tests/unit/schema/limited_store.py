"""A graph in memory that behaves like a public endpoint: it does not read much for anybody."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pyoxigraph as ox

from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore

PREFIXES = (
    "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . "
    "@prefix owl: <http://www.w3.org/2002/07/owl#> . "
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . "
    "@prefix schema: <http://schema.org/> . "
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
    "@prefix void: <http://rdfs.org/ns/void#> . "
    "@prefix wd: <http://www.wikidata.org/entity/> . "
    "@prefix wdt: <http://www.wikidata.org/prop/direct/> . "
    "@prefix p: <http://www.wikidata.org/prop/> . "
    "@prefix ps: <http://www.wikidata.org/prop/statement/> . "
    "@prefix pq: <http://www.wikidata.org/prop/qualifier/> . "
    "@prefix wikibase: <http://wikiba.se/ontology#> . "
)


def graph_of(turtle: str) -> ox.Store:
    graph = ox.Store()
    graph.load((PREFIXES + turtle).encode(), ox.RdfFormat.TURTLE)
    return graph


class LimitedStore(OxigraphStore):
    """Counts the queries, and refuses those without a limit where ``cheap_counts`` is false.

    ``stops`` is the number of queries after which the endpoint is gone.
    """

    def __init__(self, graph: ox.Store, *, cheap: bool = False, stops: int | None = None):
        super().__init__(graph)
        self.profile = SimpleNamespace(cheap_counts=True, values_block=200, text_search=None)
        self.profile.cheap_counts = cheap
        self.stops = stops
        self.unlimited = cheap
        self.tried = 0
        self.asked: list[Query] = []
        self.times: list[float | None] = []

    @classmethod
    def of(cls, turtle: str, **options: Any) -> LimitedStore:
        return cls(graph_of(turtle), **options)

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        self.tried += 1
        if self.stops is not None and len(self.asked) >= self.stops:
            raise StoreError("the endpoint is gone")
        self.asked.append(query)
        self.times.append(timeout)
        if not (self.unlimited or "LIMIT" in query.text or "VALUES ?n" in query.text):
            raise QueryTimeout("estimated execution time exceeds the limit of 60 s")
        return super().run(query, timeout=timeout)

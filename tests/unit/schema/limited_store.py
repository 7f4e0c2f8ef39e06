"""A graph in memory that behaves like a public endpoint: it does not read much for anybody."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pyoxigraph as ox
from tests.turtle import graph_of as turtle_graph

from isomatch.errors import QueryTimeout, StoreError
from isomatch.schema.sizes import FIRST
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.profile import Profile
from isomatch.store.terms import RDF_TYPE

E = "http://e/"
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
    return turtle_graph(PREFIXES + turtle)


@cache
def _many() -> list[ox.Quad]:
    filler, kind, type = (ox.NamedNode(x) for x in (E + "filler", E + "Filler", RDF_TYPE))
    some = [ox.NamedNode(f"{E}f{i}") for i in range(FIRST + 1)]
    return [*(ox.Quad(n, filler, n) for n in some), *(ox.Quad(n, type, kind) for n in some)]


def with_many_more(graph: ox.Store) -> ox.Store:
    """The graph with more facts of ``:filler``, and instances of ``:Filler``, than are read."""
    graph.bulk_extend(_many())
    return graph


class LimitedStore(OxigraphStore):
    """Counts the queries, and refuses those without a limit.

    ``cheap`` is what its profile says of counting, ``unlimited`` whether it does answer
    queries without a limit (the same, if not given); ``stops`` is the number of queries
    after which the endpoint is gone.
    """

    profile = Profile()

    def __init__(
        self,
        graph: ox.Store,
        *,
        cheap: bool = False,
        unlimited: bool | None = None,
        stops: int | None = None,
    ):
        super().__init__(graph)
        self.profile = Profile(cheap_counts=cheap, values_block=200)
        self.stops = stops
        self.unlimited = cheap if unlimited is None else unlimited
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

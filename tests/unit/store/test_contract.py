"""The contract of a store, by the stores that need no server."""

from __future__ import annotations

from collections.abc import Callable

import pyoxigraph as ox
import pytest
import rdflib
from tests.unit.store.contract import CASES, StoreOf

from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore


def embedded(turtle: str) -> OxigraphStore:
    graph = ox.Store()
    graph.load(turtle.encode(), ox.RdfFormat.TURTLE)
    return OxigraphStore.memory(graph)


def in_rdflib(turtle: str) -> RdflibStore:
    return RdflibStore(rdflib.Graph().parse(data=turtle, format="turtle"))


@pytest.mark.parametrize("store_of", [embedded, in_rdflib], ids=["embedded", "rdflib"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_embedded_stores_keep_the_store_contract(
    case: Callable[[StoreOf], None], store_of: StoreOf
):
    case(store_of)

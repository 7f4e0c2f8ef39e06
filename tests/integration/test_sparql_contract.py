"""The contract of a store, by every SPARQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.servers.sparql_server import SparqlServer
from tests.unit.store.contract import CASES, StoreOf

from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def store(sparql_server: SparqlServer) -> Iterator[SparqlStore]:
    with SparqlStore.connect(sparql_server.url, **sparql_server.settings) as store:
        yield store


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_every_sparql_server_keeps_the_store_contract(
    case: Callable[[StoreOf], None], empty_sparql: SparqlServer, store: SparqlStore
):
    def store_of(turtle: str) -> SparqlStore:
        empty_sparql.load(turtle)
        return store

    case(store_of)

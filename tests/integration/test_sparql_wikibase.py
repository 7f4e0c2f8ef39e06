"""What a Wikibase has is found by every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.oracle.letters import Letters
from tests.oracle.wikibase import (
    BESIDE,
    OPPOSITE,
    VALUED,
    check_beside,
    check_opposite,
    check_valued,
)
from tests.servers.sessions import session_over
from tests.servers.sparql_server import SparqlServer

from isomatch.session import Session
from isomatch.store.sparql import SparqlStore


@pytest.fixture
def session_of(empty_sparql: SparqlServer, tmp_path: Path) -> Iterator[Callable[..., Session]]:
    """A session over the server with each Turtle as a named graph."""
    with ExitStack() as stack:

        def opened(*graphs: str) -> Session:
            named = tuple(f"urn:graph:{number}" for number, _ in enumerate(graphs))
            for graph, turtle in zip(named, graphs, strict=True):
                empty_sparql.load(turtle, graph)
            settings = {**empty_sparql.settings, "graphs": named}
            store = SparqlStore.connect(empty_sparql.url, **settings)
            return stack.enter_context(session_over(store, tmp_path, Letters(12)))

        yield opened


def test_every_engine_tells_opposite_facts_apart_by_the_value_that_one_has(
    session_of: Callable[..., Session],
) -> None:
    check_opposite(session_of(OPPOSITE))


def test_every_engine_finds_the_facts_of_a_graph_beside_a_wikibase(
    session_of: Callable[..., Session],
) -> None:
    check_beside(session_of(OPPOSITE, BESIDE))


def test_every_engine_finds_all_values_on_edges_by_brute_force(
    session_of: Callable[..., Session],
) -> None:
    check_valued(session_of(VALUED))

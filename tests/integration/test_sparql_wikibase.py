"""What a Wikibase has is found by every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.oracle.letters import Letters
from tests.oracle.wikibase import OPPOSITE, check_opposite
from tests.servers.sessions import session_over
from tests.servers.sparql_server import SparqlServer

from isomatch.session import Session
from isomatch.store.sparql import SparqlStore


@pytest.fixture
def session_of(empty_sparql: SparqlServer, tmp_path: Path) -> Iterator[Callable[[str], Session]]:
    """A session over the server with this Turtle."""
    with ExitStack() as stack:

        def opened(turtle: str) -> Session:
            empty_sparql.load(turtle)
            store = SparqlStore.connect(empty_sparql.url, **empty_sparql.settings)
            return stack.enter_context(session_over(store, tmp_path, Letters()))

        yield opened


def test_every_engine_tells_opposite_facts_apart_by_the_value_that_one_has(
    session_of: Callable[[str], Session],
) -> None:
    check_opposite(session_of(OPPOSITE))

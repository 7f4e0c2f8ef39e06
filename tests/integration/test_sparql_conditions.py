"""Conditions on values are the same on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.oracle.conditions import FILMS, check_conditions
from tests.oracle.letters import Letters
from tests.servers.sessions import session_over
from tests.servers.sparql_server import SparqlServer

from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow


def test_every_engine_gives_what_satisfies_conditions(
    empty_sparql: SparqlServer, tmp_path: Path
) -> None:
    empty_sparql.load(FILMS)
    store = SparqlStore.connect(empty_sparql.url, **empty_sparql.settings)
    with session_over(store, tmp_path, Letters(12)) as session:
        check_conditions(session)

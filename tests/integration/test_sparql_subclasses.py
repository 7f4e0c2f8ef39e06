"""Nodes of subclasses are found as those of the type by every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.oracle.letters import Letters
from tests.oracle.subclasses import CLAIMS, FILMS, check_claims, check_films
from tests.servers.sessions import session_over
from tests.servers.sparql_server import SparqlServer

from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow


@pytest.fixture
def store(empty_sparql: SparqlServer) -> SparqlStore:
    return SparqlStore.connect(empty_sparql.url, **empty_sparql.settings)


def test_every_engine_finds_nodes_of_subclasses(
    empty_sparql: SparqlServer, store: SparqlStore, tmp_path: Path
) -> None:
    empty_sparql.load(FILMS)
    with session_over(store, tmp_path, Letters(12)) as session:
        check_films(session)


def test_every_engine_finds_nodes_of_subclasses_in_a_wikibase(
    empty_sparql: SparqlServer, store: SparqlStore, tmp_path: Path
) -> None:
    empty_sparql.load(CLAIMS)
    with session_over(store, tmp_path, Letters(12)) as session:
        check_claims(session)

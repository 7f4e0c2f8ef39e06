"""Values of every kind are found by every engine, whatever form it keeps them in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.oracle.values import DATA, VALUES, check, check_years
from tests.servers.sparql_server import SparqlServer

import isomatch
from isomatch.session import Session


@pytest.fixture(scope="module")
def session(
    sparql_server: SparqlServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    sparql_server.clear()
    sparql_server.load(DATA)
    endpoint = {"url": sparql_server.url, **sparql_server.settings}
    home = tmp_path_factory.mktemp("values")
    with isomatch.open("values", home=home, endpoints={"values": endpoint}) as opened:
        yield opened
    sparql_server.clear()


@pytest.mark.parametrize("relation", VALUES)
def test_every_engine_finds_a_value_of_every_kind(session: Session, relation: str) -> None:
    check(session, relation)


def test_every_engine_takes_a_year_for_all_dates_in_it(session: Session) -> None:
    check_years(session)


def test_every_engine_leaves_out_what_is_excluded(
    session: Session, sparql_server: SparqlServer, tmp_path: Path
) -> None:
    endpoint = {
        "url": sparql_server.url,
        **sparql_server.settings,
        "exclude": ["http://e.test/made", "http://log.test/"],
    }
    logged = '<http://e.test/heat> <http://log.test/{}> "{}" .'
    sparql_server.load(logged.format("seen", "yesterday"))
    with isomatch.open("values", home=tmp_path, endpoints={"values": endpoint}) as less:
        assert {"http://e.test/made", "http://log.test/seen"}.isdisjoint(less.schema.by_id)
        sparql_server.load(logged.format("new", "today"))
        names = {m.bindings["x"].name for _, m in less.match('("Heat")-[]-(?x)', k=1).matches}
        assert {"Michael Mann", "yesterday", "today"}.isdisjoint(names)
        assert "plain" in names

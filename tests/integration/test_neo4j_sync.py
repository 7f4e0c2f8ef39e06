"""`isomatch index --sync` over databases that go on living."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest
from tests.servers.neo4j import Neo4jServer

from isomatch import Session
from isomatch.factories import make_index
from isomatch.link.manifest import read
from isomatch.link.names import Names
from isomatch.settings import Settings
from isomatch.store.values import to_id

FILMS = """
CREATE (:Movie {title: 'Heat', released: 1995, updatedAt: 1}),
  (:Movie {title: 'Ronin', released: 1998, updatedAt: 1}),
  (:Movie {title: 'Ali', released: 2001, updatedAt: 2}),
  (:Person {name: 'Michael Mann'})
"""


@pytest.fixture(params=[None, "updatedAt", "noSuch"])
def settings(
    request: pytest.FixtureRequest,
    neo4j_server: Neo4jServer,
    empty_neo4j: neo4j.Driver,
    tmp_path: Path,
) -> Settings:
    """Those of an indexed graph of films, once for each way to sync."""
    empty_neo4j.execute_query(FILMS)
    settings = neo4j_server.session_settings(tmp_path, updated_at=request.param)
    make_index(settings)
    return settings


def nodes(settings: Settings) -> dict[str, str]:
    """Name to id of the nodes in the index."""
    return {text: id for text, id in entries(settings) if not id.startswith('"')}


def entries(settings: Settings) -> Iterator[tuple[str, str]]:
    folder = settings.index_path
    file = Names(folder / read(folder).generation / "names.db")
    try:
        yield from file.all("nodes")
    finally:
        file.close()


def stored(driver: neo4j.Driver) -> dict[str, str]:
    """Name to id of the nodes in the database."""
    records, _, _ = driver.execute_query(
        "MATCH (n) WHERE coalesce(n.title, n.name) IS NOT NULL "
        "RETURN coalesce(n.title, n.name), elementId(n)"
    )
    return dict(map(tuple, records))


def test_what_was_added_renamed_and_deleted(settings: Settings, neo4j_driver: neo4j.Driver) -> None:
    assert nodes(settings) == stored(neo4j_driver)
    run = neo4j_driver.execute_query
    run("MATCH (n {title: 'Ronin'}) DELETE n")
    run("MATCH (n {title: 'Ali'}) SET n.title = 'Ali (2001)', n.updatedAt = 3")
    run("MATCH (n {name: 'Michael Mann'}) SET n.name = 'Mann'")  # never has a time
    run("CREATE (:Movie {title: 'Thief', released: 1981, updatedAt: 3}), (:Person {name: 'Caan'})")
    report = make_index(settings, sync=True)
    assert set(nodes(settings)) == {"Heat", "Ali (2001)", "Mann", "Thief", "Caan"}
    assert nodes(settings) == stored(neo4j_driver)
    assert report.embedded == 4
    folder = settings.index_path
    file = Names(folder / read(folder).generation / "names.db")
    try:
        rows = {key for (key,) in file.file.execute("SELECT key FROM literals")}
    finally:
        file.close()
    assert {to_id(n) for n in (1995, 2001, 1981)} <= rows
    # A value that is gone stays where unchanged nodes were not read.
    assert (to_id(1998) in rows) == (settings.updated_at == "updatedAt")


def test_a_sync_of_what_did_not_change_embeds_nothing(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    before = set(entries(settings))
    report = make_index(settings, sync=True)
    assert (report.embedded, report.deleted) == (0, 0)
    assert set(entries(settings)) == before
    make_index(settings, sync=True)
    assert set(entries(settings)) == before


def test_other_names_are_read_whatever_the_times_say(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query("MATCH (n:Movie) SET n.original = 'the ' + n.title")
    other = settings.model_copy(update={"label_relations": ("Movie.original",)})
    make_index(other, sync=True)
    assert set(nodes(other)) == {"the Heat", "the Ronin", "the Ali", "Michael Mann"}


def test_only_what_changed_is_read(settings: Settings, neo4j_driver: neo4j.Driver) -> None:
    """A name that was changed behind the property's back shows what was not read."""
    run = neo4j_driver.execute_query
    run("MATCH (n {title: 'Heat'}) SET n.title = 'Heat (1995)'")
    make_index(settings, sync=True)
    assert ("Heat" in nodes(settings)) == (settings.updated_at == "updatedAt")
    make_index(settings)
    assert "Heat (1995)" in nodes(settings)


@pytest.mark.parametrize("plugin", [False, True])
def test_a_search_knows_that_a_node_was_renamed_since(
    settings: Settings, neo4j_driver: neo4j.Driver, plugin: bool
) -> None:
    with Session.open(settings.model_copy(update={"plugin": plugin})) as session:
        pattern = '(?film:movie)-[released]-("1995")'
        before = session.match(pattern).certificate
        assert (before.complete, before.changed) == (True, False)
        assert before.as_of == read(settings.index_path).created
        neo4j_driver.execute_query("MATCH (n {title: 'Heat'}) SET n.title = 'Heat (1995)'")
        after = session.match(pattern).certificate
        assert (after.complete, after.changed, after.as_of) == (False, True, before.as_of)

"""Sessions, the command line and doctor over an endpoint, with and without its faults."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.servers.faulty import FaultyServer, Reply, Request
from tests.unit.rdf_films import TURTLE
from typer.testing import CliRunner

from isomatch import Session, Settings
from isomatch.admin.doctor import examine
from isomatch.cli.app import app
from isomatch.errors import QueryTimeout, StoreError
from isomatch.factories import make_index
from isomatch.schema.introspect import introspect
from isomatch.store.oxigraph import OxigraphStore

PATTERN = '(?film:film)-[directed by]-("Michael Man")'


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("ISOMATCH_", "NEO4J_")):
            monkeypatch.delenv(name)


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(TURTLE, server="Oxigraph/0.5") as server:
        yield server


def settings(server: FaultyServer, home: Path, **more: object) -> Settings:
    described = {"url": server.url, "back_off": 0.001, "timeout": 20, **more}
    return Settings(home=home, endpoint="films", endpoints={"films": described})


def answers(given: Settings) -> list[str]:
    with Session.open(given) as session:
        result = session.match(PATTERN, k=1)
        assert result.certificate.complete
        return sorted(node.name for node in result.answers())


def test_the_address_is_enough(server: FaultyServer, tmp_path: Path) -> None:
    make_index(Settings(home=tmp_path, endpoint=server.url))
    with Session.open(home=tmp_path, endpoint=server.url) as session:
        found = session.match(PATTERN, k=1)
        assert sorted(node.name for node in found.answers()) == ["Heat", "Thief"]
        asked = len(server.requests)
        session.match(PATTERN, k=1)
        # Whether the graph has changed is asked with the search, and once for its triples.
        assert len(server.requests) - asked <= 3


@pytest.mark.parametrize("second", [True, False])
def test_that_another_reading_is_as_near_is_told_by_the_answer_that_is_there(
    server: FaultyServer, tmp_path: Path, second: bool
) -> None:
    films = "http://films.example/"
    made = f"<{films}gone> <{films}directedBy> <{films}other> ." if second else ""
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    more = f'<{films}other> {label} "Michael Mann" ; a <{films}Person> . {made}'
    server.store.load(more.encode(), format=ox.RdfFormat.TURTLE)
    make_index(Settings(home=tmp_path, endpoint=server.url))
    with Session.open(home=tmp_path, endpoint=server.url) as session:
        pattern = '(?film)-[directed by]->("Michael Mann")'
        assert len(session.match(pattern, k=2).interpretations) == 2
        asked = len(server.requests)
        found = session.match(pattern, k=1)
        assert found.interpretations[0].gsd == 0
        assert found.certificate.ties is second
        texts = [request.query for request in server.requests[asked:]]
        assert sum("AS ?i)" in text for text in texts) == 1


def test_a_change_that_is_told_with_the_search_has_it_done_again(
    server: FaultyServer, tmp_path: Path
) -> None:
    make_index(Settings(home=tmp_path, endpoint=server.url))
    with Session.open(home=tmp_path, endpoint=server.url) as session:
        films, label = "http://films.example/", "http://www.w3.org/2000/01/rdf-schema#label"
        by, name = ox.NamedNode(films + "directedBy"), ox.NamedNode(label)
        graph = server.store

        def add(one: str, relation: ox.NamedNode, other: ox.NamedNode | ox.Literal) -> None:
            """Add a triple and remove another one, so that their number tells of nothing."""
            graph.add(ox.Quad(ox.NamedNode(films + one), relation, other))
            graph.remove(
                next(graph.quads_for_pattern(None, ox.NamedNode(films + "starring"), None))
            )

        # No film directs another as far as the schema saw: that is ruled out unasked.
        seen = introspect(OxigraphStore.memory(graph)).characteristic_sets
        assert seen is not None
        session.resources.schema = replace(session.schema, characteristic_sets=seen)
        pattern = '(?a)-[directed by]->(?b)-[directed by]->("Michael Mann")'
        add("heat", by, ox.NamedNode(films + "thief"))
        before = session.match(pattern, k=1)
        assert not before.certificate.changed
        assert all(found.gsd > 0 for found in before.interpretations)
        add("new", name, ox.Literal("Michael Mann"))
        add("ronin", by, ox.NamedNode(films + "new"))
        after = session.match(pattern, k=1)
        assert (after.certificate.changed, after.certificate.complete) == (True, False)
        assert after.interpretations[0].gsd == 0


def test_limits_of_rows_and_length_change_no_answer(server: FaultyServer, tmp_path: Path) -> None:
    server.row_cap = 2
    server.always = lambda r, right: Reply(414) if len(r.query) > 15_000 else right
    given = settings(server, tmp_path)
    make_index(given)
    assert answers(given) == ["Heat", "Thief"]
    kept = json.loads((tmp_path / "endpoint.json").read_text())["profile"]
    assert (kept["row_cap"], kept["values_block"]) == (2, 200)


def test_an_endpoint_that_fails_now_and_then_changes_no_answer(
    server: FaultyServer, tmp_path: Path
) -> None:
    def moody(_: Request, right: Reply) -> Reply | None:
        turn = len(server.requests) % 6
        cut = replace(right, sent=len(right.body) // 2)
        return {1: Reply(503), 3: cut, 5: None}.get(turn, right)

    server.always = moody
    given = settings(server, tmp_path)
    make_index(given)
    assert answers(given) == ["Heat", "Thief"]


def test_one_that_goes_away_between_two_batches_is_an_error(
    server: FaultyServer, tmp_path: Path
) -> None:
    given = settings(server, tmp_path, retries=1)
    make_index(given)
    with Session.open(given) as session:
        session.match(PATTERN)
        server.always = lambda *_: None
        with pytest.raises(StoreError, match="broke the connection"):
            session.match(PATTERN)
        server.always = None
        assert session.match(PATTERN, k=1).certificate.complete


def test_an_index_that_its_endpoint_ended_is_gone_on_with(
    server: FaultyServer, tmp_path: Path
) -> None:
    given = settings(server, tmp_path, retries=0)

    def ending(_: Request, right: Reply) -> Reply:
        return right if len(server.requests) < 20 else Reply(503, b"closed", "text/plain")

    server.always = ending
    with pytest.raises(StoreError, match="closed"):
        make_index(given)
    assert not (tmp_path / "schema.json").exists()
    server.always = None
    make_index(given)
    assert answers(given) == ["Heat", "Thief"]


def test_a_slow_endpoint_ends_the_search_with_what_is_proven(
    server: FaultyServer, tmp_path: Path
) -> None:
    given = settings(server, tmp_path)
    make_index(given)
    with Session.open(given) as session:
        session.match(PATTERN)
        server.always = lambda _, right: replace(right, delay=2)
        result = session.match(PATTERN, budget_seconds=0.3)
        assert not result.certificate.complete
        assert result.certificate.ended_by


def test_a_slow_endpoint_ends_an_index_with_an_error(server: FaultyServer, tmp_path: Path) -> None:
    given = settings(server, tmp_path, timeout=0.15)
    server.always = lambda _, right: replace(right, delay=3 if len(server.requests) > 12 else 0)
    with pytest.raises(QueryTimeout, match=r"more than 0\.15 s"):
        make_index(given)


def test_iris_that_no_query_can_write_do_no_harm(server: FaultyServer, tmp_path: Path) -> None:
    def broken(_: Request, right: Reply) -> Reply:
        return replace(right, body=right.body.replace(b"/heat", b"/he at> } #"))

    server.always = broken
    given = settings(server, tmp_path)
    make_index(given)
    with Session.open(given) as session:
        found = {node.id for node in session.match(PATTERN, k=1).answers()}
    assert found == {"_:<http://films.example/he at> } #>", "http://films.example/thief"}


def test_doctor_prints_the_profile(server: FaultyServer, tmp_path: Path) -> None:
    given = settings(server, tmp_path)
    make_index(given)
    found = {check.name: check for check in examine(given)}
    assert "SPARQL endpoint (oxigraph) 0.5" in found["store"].message
    assert "no limit of rows met up to 10,001" in found["profile"].message
    assert {check.status for check in found.values()} == {"ok"}
    server.row_cap = 5
    again = {check.name: check for check in examine(given)}
    assert again["profile"].message == found["profile"].message  # kept
    anew = {check.name: check for check in examine(given, fresh=True)}
    assert "at most 5 rows an answer" in anew["profile"].message


def test_doctor_says_what_is_wrong_with_an_endpoint(server: FaultyServer, tmp_path: Path) -> None:
    server.always = Reply(401)
    found = {check.name: check for check in examine(settings(server, tmp_path))}
    assert found["store"].status == found["profile"].status == "fail"
    assert "ISOMATCH_ENDPOINT_USERNAME" in found["store"].message


def test_the_command_line_takes_an_endpoint(server: FaultyServer, tmp_path: Path) -> None:
    run = CliRunner().invoke
    for command in (
        ["index"],
        ["schema"],
        ["match", PATTERN],
        ["explain", PATTERN],
        ["ask", "which films did Michael Mann direct"],
        ["doctor"],
    ):
        result = run(app, [*command, "--endpoint", server.url, "--home", str(tmp_path / "h")])
        assert result.exit_code == 0, result.output
    server.stop()
    result = run(app, ["match", PATTERN, "--endpoint", server.url, "--home", str(tmp_path / "h")])
    assert result.exit_code == 4
    refused = run(app, ["load", "x.ttl"], env={"ISOMATCH_ENDPOINT": server.url})
    assert refused.exit_code == 2

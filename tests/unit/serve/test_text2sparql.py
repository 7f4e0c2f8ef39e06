"""TEXT2SPARQL: what its public client asks, and what that scores with the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient
from tests.turtle import graph_of
from tests.unit.serve.films import GRAPH, open_films

from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graph, Graphs
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.settings.service import ServiceSettings

IRI = "https://films.example/2026/films/"
MANN = "which films did Michael Mann direct"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_films(tmp_path_factory.mktemp("films")) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(session: Session) -> Iterator[TestClient]:
    neo4j = Graph("movies", Settings(neo4j_uri="bolt://127.0.0.1:1"))
    graphs = Graphs({"films": Graph.over(session, "films"), "movies": neo4j}, "films")
    settings = ServiceSettings(datasets={IRI: "films"})
    with TestClient(create_app(Service(graphs, settings))) as opened:
        yield opened


def asked(client: TestClient, **given: str) -> dict[str, Any]:
    found = client.get("/", params=given)
    form = found.json()
    assert isinstance(form, dict)
    return form


@pytest.mark.parametrize("dataset", [IRI, "films"])
def test_a_question_becomes_the_query_of_its_best_interpretation(
    client: TestClient, dataset: str
) -> None:
    form = asked(client, dataset=dataset, question=MANN)
    assert (form["dataset"], form["question"]) == (dataset, MANN)
    found = graph_of(GRAPH).query(form["query"])
    assert isinstance(found, ox.QuerySolutions)
    films = {tuple(value.value for value in row) for row in found}
    assert films == {("http://films.example/heat",), ("http://films.example/collateral",)}


def test_the_page_is_at_the_same_path(client: TestClient) -> None:
    shown = client.get("/")
    assert shown.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("given", "status", "key", "words"),
    [
        ({"dataset": "films"}, 400, "question", "field required"),
        ({"question": MANN}, 400, "dataset", "field required"),
        ({"dataset": "flims", "question": MANN}, 404, "dataset", "[serve.datasets]"),
        ({"dataset": "movies", "question": MANN}, 422, "dataset", "Cypher"),
        ({"dataset": "films", "question": "what is the airspeed of a swallow"}, 422, None, ""),
        (
            {"dataset": "films", "question": "which films are from after 1990"},
            422,
            "query",
            "without: where",
        ),
    ],
)
def test_what_has_no_query_is_refused(
    client: TestClient, given: dict[str, str], status: int, key: str | None, words: str
) -> None:
    problem = asked(client, **given)
    assert problem["status"] == status
    assert words in problem["detail"]
    if key is not None:
        assert problem["key"] == key

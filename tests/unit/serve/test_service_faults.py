"""What fails behind the service, and more at a time than it takes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from tests.unit.answer.results import directed, result
from tests.unit.serve.films import query

from isomatch import errors
from isomatch.match.types import MatchResult
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.serve.sparql.searches import Limits
from isomatch.session import Session
from isomatch.settings import Settings

FILMS = query(
    r'[] isomatch:pattern "(?film:film)-[directed by]-(\"Micheal Man\") return ?film" ; '
    "isomatch:answer ?f"
)


class Searcher:
    """A session that fails, or waits until it may go on."""

    def __init__(self, error: Exception | None = None):
        self.settings = Settings()
        self.error = error
        self.started = threading.Event()
        self.go = threading.Event()

    def match(self, _: Any, **__: Any) -> MatchResult:
        self.started.set()
        if self.error is not None:
            raise self.error
        self.go.wait(30)
        return result(directed(["Heat"]))


def client_of(searcher: Searcher, **limits: Any) -> TestClient:
    app = create_app(Service(Graphs.over(cast(Session, searcher))), limits=Limits(**limits))
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (errors.QueryTimeout("secret"), 504, "took too long"),
        (errors.StoreError("https://secret/ is down"), 503, "the database behind isomatch"),
        (errors.VectorIndexError("/secret"), 503, "the index"),
        (errors.ConfigurationError("k must be 1"), 400, "k must be 1"),
        (RuntimeError("secret"), 500, "RuntimeError"),
    ],
)
def test_a_failure_has_its_status_and_is_told(error: Exception, status: int, words: str) -> None:
    with client_of(Searcher(error)) as client:
        response = client.get("/sparql", params={"query": FILMS})
        assert (response.status_code, words in response.text) == (status, True)
        assert response.headers["content-type"].startswith("application/problem+json")
        assert "secret" not in response.text
        assert ("retry-after" in response.headers) == (status in (503, 504))
        assert client.get("/healthz").status_code == 200


def test_who_comes_while_all_are_busy_is_told_to_come_again() -> None:
    searcher = Searcher()
    with client_of(searcher, at_a_time=1, seconds=0.5) as client, ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.get, "/sparql", params={"query": FILMS})
        assert searcher.started.wait(10)
        second = client.get("/sparql", params={"query": FILMS})
        assert (second.status_code, "waited for its turn" in second.text) == (504, True)
        assert second.headers["retry-after"]
        assert client.get("/healthz").status_code == 200
        searcher.go.set()
        assert first.result(30).status_code in (200, 503)  # 503: its own time was over meanwhile
        third = client.get("/sparql", params={"query": FILMS})
        assert third.status_code == 200


def test_a_query_that_would_wait_behind_too_many_is_told_to_come_again() -> None:
    searcher = Searcher()
    with client_of(searcher, at_a_time=1, waiting=0) as client, ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.get, "/sparql", params={"query": FILMS})
        assert searcher.started.wait(10)
        second = client.get("/sparql", params={"query": FILMS})
        assert (second.status_code, "0 waiting" in second.text) == (429, True)
        assert second.headers["retry-after"]
        searcher.go.set()
        assert first.result(30).status_code == 200

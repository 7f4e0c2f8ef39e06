"""Requests whose client goes away, and a service that is told to end."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.unit.serve.films import query
from tests.unit.serve.running import PATTERN, WAIT, Waiting, running, until

from isomatch.serve.app import create_app
from isomatch.serve.graphs import ANYBODY, Graphs
from isomatch.serve.requests import AskRequest, MatchRequest
from isomatch.serve.service import Service
from isomatch.settings.service import ServiceSettings

SEARCH = query(
    r'[] isomatch:pattern "(?film:film)-[directed by]-(\"Micheal Man\") return ?film" ; '
    "isomatch:answer ?f"
)


def app_over(session: Waiting, **settings: Any) -> Any:
    service = Service(Graphs.over(session.as_session), ServiceSettings(**settings))
    return create_app(service)


def sent(port: int, path: str, body: bytes, kind: str) -> socket.socket:
    """A connection with a request that nobody waits for."""
    connection = socket.create_connection(("127.0.0.1", port))
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\n"
    connection.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return connection


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/v1/match", json.dumps(PATTERN).encode(), "application/json"),
        ("/sparql", SEARCH.encode(), "application/sparql-query"),
    ],
)
def test_a_client_that_goes_away_takes_its_search_with_it(
    path: str, body: bytes, kind: str
) -> None:
    session = Waiting()
    with running(app_over(session, searches=1)) as server:
        connection = sent(server.port, path, body, kind)
        until(lambda: session.started == 1)
        connection.close()
        until(lambda: session.cancelled == 1)
        session.go.set()  # and the next one has its turn
        assert httpx.post(f"{server.url}/v1/match", json=PATTERN).status_code == 200


def test_a_search_that_another_request_waits_for_is_done_again() -> None:
    session = Waiting()
    with running(app_over(session)) as server, ThreadPoolExecutor(1) as threads:
        first = sent(server.port, "/sparql", SEARCH.encode(), "application/sparql-query")
        until(lambda: session.started == 1)
        second = threads.submit(
            httpx.get, f"{server.url}/sparql", params={"query": SEARCH}, timeout=WAIT
        )
        first.close()
        until(lambda: session.started == 2)
        session.go.set()
        assert second.result(WAIT).status_code == 200
    assert session.cancelled == 1


def test_a_request_over_its_time_ends_with_its_search() -> None:
    session = Waiting()
    service = Service(Graphs.over(session.as_session), ServiceSettings(seconds=0.01))
    with running(create_app(service)) as server:
        response = httpx.post(f"{server.url}/v1/match", json=PATTERN, timeout=WAIT)
    assert response.status_code == 504
    assert response.headers["retry-after"]
    assert session.cancelled == 1


def test_a_service_that_ends_answers_what_is_under_way_and_takes_no_more() -> None:
    session = Waiting()
    with running(app_over(session)) as server, ThreadPoolExecutor(4) as threads:
        match = f"{server.url}/v1/match"
        answers = [threads.submit(httpx.post, match, json=PATTERN, timeout=WAIT) for _ in "123"]
        until(lambda: session.started == 3)
        server.terminate()
        refused = httpx.post(match, json=PATTERN)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert refused.json()["detail"] == "the service is being stopped"
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        session.go.set()
        assert [answer.result(WAIT).status_code for answer in answers] == [200] * 3
        server.thread.join(WAIT)
        assert not server.thread.is_alive()
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/healthz")
    assert session.cancelled == 0


def test_what_lasts_longer_than_the_end_of_a_service_is_told_to_come_again() -> None:
    session = Waiting()
    with (
        running(app_over(session), stop_seconds=0.2) as server,
        ThreadPoolExecutor(1) as threads,
    ):
        answer = threads.submit(httpx.post, f"{server.url}/v1/match", json=PATTERN, timeout=WAIT)
        until(lambda: session.started == 1)
        server.terminate()
        assert answer.result(WAIT).status_code == 503
        assert answer.result().headers["retry-after"]
        server.thread.join(WAIT)
        assert not server.thread.is_alive()
    assert session.cancelled == 1


class Hanging:
    """A step of a language model that never answers."""

    def run(self) -> None:
        raise AssertionError("on an event loop it is awaited")

    async def arun(self, _: Any) -> None:
        await asyncio.Event().wait()


def test_questions_that_wait_for_a_language_model_hold_no_search_up() -> None:
    def hang(*_: Any, **__: Any) -> Iterator[Any]:
        yield Hanging()

    async def searched() -> Any:
        session = Waiting()
        session.go.set()
        session.pipeline = SimpleNamespace(ask=hang)  # type: ignore[attr-defined]
        service = Service(Graphs.over(session.as_session), ServiceSettings(searches=1))
        asked = AskRequest(question="who?")
        questions = [asyncio.create_task(service.ask(ANYBODY, asked)) for _ in range(3)]
        while service.running < len(questions):
            await asyncio.sleep(0.005)
        match = service.match(ANYBODY, MatchRequest(**PATTERN))
        form = await asyncio.wait_for(match, WAIT)
        for question in questions:
            question.cancel()
        await asyncio.gather(*questions, return_exceptions=True)
        service.close()
        return form

    assert len(asyncio.run(searched())["matches"]) == 1

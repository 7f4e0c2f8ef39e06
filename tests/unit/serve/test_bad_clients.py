"""Clients that send nothing, send slowly or do not read: others are answered as before."""

from __future__ import annotations

import json
import resource
import socket
from contextlib import ExitStack
from typing import Any

import httpx
from tests.unit.answer.results import directed, result
from tests.unit.serve.running import PATTERN, WAIT, Waiting, running

from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.settings.service import ServiceSettings

HEAD = b"POST /v1/match HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def app_over(session: Waiting, **settings: Any) -> Any:
    session.go.set()
    return create_app(Service(Graphs.over(session.as_session), ServiceSettings(**settings)))


def answered(url: str) -> bool:
    return httpx.post(f"{url}/v1/match", json=PATTERN, timeout=WAIT).status_code == 200


def test_a_body_that_comes_too_slowly_is_given_up() -> None:
    with (
        running(app_over(Waiting(), body_seconds=0.2)) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as connection,
    ):
        connection.sendall(HEAD + b'Content-Length: 100\r\n\r\n{"pattern"')
        told = connection.makefile("rb").read()
        assert told.startswith(b"HTTP/1.1 408 ")
        assert b"the body did not come within 0.2 s" in told
        assert answered(server.url)


def test_connections_that_send_nothing_keep_nobody_out() -> None:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    with running(app_over(Waiting())) as server, ExitStack() as stack:
        for _ in range(min(1000, most // 4)):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        assert answered(server.url)


class Large(Waiting):
    """Whose results are some megabytes."""

    def match(self, *_: Any, **__: Any) -> Any:
        self.started += 1
        return result(directed([f"film {n} {'x' * 1000}" for n in range(1000)]))


def test_who_does_not_read_an_answer_holds_no_turn() -> None:
    session = Large()
    with running(app_over(session, searches=1)) as server, ExitStack() as stack:
        body = json.dumps(PATTERN).encode()
        for _ in range(5):
            slow = stack.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", server.port))
            slow.sendall(HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert answered(server.url)
    assert session.started >= 1

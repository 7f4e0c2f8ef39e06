"""A service on loopback, in a thread, over a session that waits until it may go on."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from tests.unit.answer.results import directed, result

from isomatch import cancel
from isomatch.errors import SearchCancelled
from isomatch.match.types import MatchResult
from isomatch.serve.connections import DrainingServer, connection_type
from isomatch.session import Session
from isomatch.settings import Settings

PATTERN = {"pattern": "(?f)-[directed by]-(?d)"}
WAIT = 20  # seconds after which a test that hangs fails


class Waiting:
    """A session whose searches go on until they are let go, or cancelled.

    Attributes:
        started: how many have begun.
        cancelled: how many were cancelled.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.started = self.cancelled = 0
        self.go = threading.Event()

    def match(self, *_: Any, **__: Any) -> MatchResult:
        self.started += 1
        try:
            while not self.go.is_set():
                cancel.sleep(0.01)
        except SearchCancelled:
            self.cancelled += 1
            raise
        return result(directed(["Heat"]))

    def close(self) -> None:
        """Nothing is open."""

    @property
    def as_session(self) -> Session:
        return cast(Session, self)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


class Running:
    """A server that runs.

    Attributes:
        url: without a slash at the end.
    """

    def __init__(self, server: DrainingServer, thread: threading.Thread, port: int):
        self._server = server
        self.thread = thread
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def terminate(self) -> None:
        """What SIGTERM does."""
        self._server.handle_exit(signal.SIGTERM, None)


@contextmanager
def running(
    app: FastAPI, stop_seconds: float = 30.0, idle_seconds: float = 30.0
) -> Iterator[Running]:
    config = uvicorn.Config(
        app,
        http=connection_type(idle_seconds),
        log_level="error",
        timeout_graceful_shutdown=5,
    )
    server = DrainingServer(config, app.state.in_flight, stop_seconds)
    # With the protocol asyncio turns Nagle's algorithm off, which takes 40 ms a request.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2048)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        until(lambda: server.started)
        try:
            yield Running(server, thread, listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(WAIT)

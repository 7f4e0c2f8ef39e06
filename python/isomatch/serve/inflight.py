"""Requests under way: they end with their client, and the service ends once they are answered."""

from __future__ import annotations

import asyncio
import sys
from asyncio import Event, Task

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isomatch.serve.problems import problem_response

STATUS_PATHS = ("/healthz", "/readyz", "/metrics")
_OF_BODIES = (b"content-length", b"transfer-encoding")
_STOPPING = "the service is being stopped"


class InFlight:
    """The requests that are being answered.

    Attributes:
        stopping: whether no more are taken.
    """

    def __init__(self) -> None:
        self.stopping = False
        self._clients: set[_Client] = set()
        self._given_up = False

    def __len__(self) -> int:
        return len(self._clients)

    def stop(self) -> None:
        """Take no more requests; may be called in a signal handler."""
        self.stopping = True

    def give_up(self) -> None:
        """End those that have no answer yet."""
        self._given_up = True
        for client in self._clients:
            client.cancel()

    def middleware(self, app: ASGIApp) -> ASGIApp:
        """An application whose requests are counted here.

        A request whose client closes the connection is cancelled, and with it what a
        database is doing for it (`isomatch.cancel`). While `stopping`, requests are told
        to come again.
        """

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
            elif self.stopping and scope["path"] not in STATUS_PATHS:
                await _refuse(scope, receive, send)
            else:
                await self._run(app, scope, receive, send)

        return counted

    async def _run(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        client = _Client(scope, receive, send)
        self._clients.add(client)
        try:
            await app(scope, client.receive, client.send)
        except asyncio.CancelledError:
            if not client.cancelled:
                raise
        finally:
            self._clients.discard(client)
            client.forget()
        if client.cancelled and self._given_up and not client.begun and not client.gone.is_set():
            await _refuse(scope, receive, send)


class _Client:
    """The two ways to a request's client, and the task that answers it: the current one.

    The end of the connection is watched for from when the body has come.

    Attributes:
        gone: set when it has closed the connection.
        begun, answered: whether it was sent the beginning, and the end, of an answer.
        cancelled: whether the task was cancelled here.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send):
        self.gone = Event()
        self.begun = self.answered = self.cancelled = False
        self._receive = receive
        self._send = send
        self._task = asyncio.current_task()
        self._watch: Task[None] | None = None
        self._empty = not any(
            name in _OF_BODIES and value != b"0" for name, value in scope["headers"]
        )
        if self._empty:
            self._watch = asyncio.create_task(self._see_end())

    async def receive(self) -> Message:
        if self._empty:
            self._empty = False
            return {"type": "http.request", "body": b"", "more_body": False}
        if self._watch is not None:
            await self.gone.wait()
            return {"type": "http.disconnect"}
        message = await self._receive()
        if not message.get("more_body", False):
            self._watch = asyncio.create_task(self._see_end())
        return message

    async def send(self, message: Message) -> None:
        self.begun = True
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.answered = True
        await self._send(message)

    def cancel(self) -> None:
        """End the answering."""
        if not self.cancelled and self._task is not None:
            self.cancelled = True
            self._task.cancel()

    def forget(self) -> None:
        """The answering has ended: the task goes on to other things."""
        if self._watch is not None:
            self._watch.cancel()
        if self.cancelled and self._task is not None and sys.version_info >= (3, 11):
            self._task.uncancel()
        self._task = None

    async def _see_end(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.gone.set()
        if not self.answered:
            self.cancel()


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"Retry-After": "5", "Connection": "close"}
    await problem_response(503, _STOPPING, headers=headers)(scope, receive, send)

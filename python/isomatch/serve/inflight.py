"""Requests under way: they end with their client, and the service ends once they are answered."""

from __future__ import annotations

import asyncio
from asyncio import Event, Queue, Task
from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isomatch.serve.problems import problem_response

STATUS_PATHS = ("/healthz", "/readyz", "/metrics")
_STOPPING = "the service is being stopped"


class InFlight:
    """The requests that are being answered.

    Attributes:
        stopping: whether no more are taken.
    """

    def __init__(self) -> None:
        self.stopping = False
        self._tasks: set[Task[None]] = set()
        self._given_up = False

    def __len__(self) -> int:
        return len(self._tasks)

    def stop(self) -> None:
        """Take no more requests; may be called in a signal handler."""
        self.stopping = True

    def give_up(self) -> None:
        """End those that have no answer yet."""
        self._given_up = True
        for task in self._tasks:
            task.cancel()

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
        client = _Client(receive, send)
        watch = asyncio.create_task(client.watch())
        task = asyncio.create_task(_run(app, scope, client))
        gone = asyncio.create_task(client.gone.wait())
        self._tasks.add(task)
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not client.answered:
                task.cancel()  # nothing where it is done
            await asyncio.wait({task})
        finally:
            self._tasks.discard(task)
            for one in (task, watch, gone):
                one.cancel()
        if not task.cancelled():
            task.result()
        elif self._given_up and not client.begun and not client.gone.is_set():
            await _refuse(scope, receive, send)


class _Client:
    """The two ways to a request's client.

    Attributes:
        gone: set when it has closed the connection.
        begun, answered: whether it was sent the beginning, and the end, of an answer.
    """

    def __init__(self, receive: Receive, send: Send):
        self.gone = Event()
        self.begun = self.answered = False
        self._receive = receive
        self._send = send
        self._messages: Queue[Message] = Queue(1)

    async def watch(self) -> None:
        """Receive, one message ahead of the application, to see the end of the connection."""
        while not self.gone.is_set():
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self.gone.set()
            await self._messages.put(message)

    async def receive(self) -> MutableMapping[str, Any]:
        if self.gone.is_set() and self._messages.empty():
            return {"type": "http.disconnect"}
        return await self._messages.get()

    async def send(self, message: Message) -> None:
        self.begun = True
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.answered = True
        await self._send(message)


async def _run(app: ASGIApp, scope: Scope, client: _Client) -> None:
    await app(scope, client.receive, client.send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"Retry-After": "5", "Connection": "close"}
    await problem_response(503, _STOPPING, headers=headers)(scope, receive, send)

"""Whose turn it is: some searches of a graph run, some wait, more are turned away."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from isomatch import cancel
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Graph
from isomatch.session import Session
from isomatch.settings.service import ServiceSettings

# Unlike `asyncio.wait_for` it makes no task.
if sys.version_info >= (3, 11):
    from asyncio import timeout as timeout
else:  # Python 3.10 lacks it
    from async_timeout import timeout as timeout

RETRY_SECONDS = 5


class Queue:
    """Turns of requests, in the order in which they came.

    Args:
        at_a_time: requests that have a turn at once.
        most_waiting: requests that wait for one.
        seconds: that a request waits at most.

    Attributes:
        waiting: requests that wait now.
    """

    def __init__(self, at_a_time: int, most_waiting: int, seconds: float):
        self.waiting = 0
        self._at_a_time = at_a_time
        self._most_waiting = most_waiting
        self._seconds = seconds
        self._turns = asyncio.Semaphore(at_a_time)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and have it.

        Raises:
            RequestError: too many requests are waiting (429), or the wait was too long (504).
        """
        if self._turns.locked():
            await self._wait()
        else:
            await self._turns.acquire()  # at once
        try:
            yield
        finally:
            self._turns.release()

    async def _wait(self) -> None:
        if self.waiting >= self._most_waiting:
            raise busy(self._at_a_time, f"{self.waiting} waiting")
        self.waiting += 1
        try:
            async with timeout(self._seconds):
                await self._turns.acquire()
        except asyncio.TimeoutError:
            raise RequestError(
                504,
                f"the request has waited for its turn for {self._seconds:g} seconds",
                {"Retry-After": str(RETRY_SECONDS)},
            ) from None
        finally:
            self.waiting -= 1


def busy(searches: int, others: str) -> RequestError:
    """The refusal of a request that would have to wait behind too many."""
    return RequestError(
        429,
        f"{searches} searches are running and {others}: ask again later",
        {"Retry-After": str(RETRY_SECONDS)},
    )


Result = TypeVar("Result")


class Turns:
    """The threads of one graph, so that a database that hangs holds up its own graph only.

    Args:
        graph: that is searched.
        settings: how many searches may run, and wait.

    Attributes:
        threads: in which searches run.
        running: searches that run, and questions that are being answered.
    """

    def __init__(self, graph: Graph, settings: ServiceSettings):
        self.threads = ThreadPoolExecutor(
            settings.searches, thread_name_prefix=f"isomatch-{graph.name}"
        )
        self.running = 0
        self._graph = graph
        self._settings = settings
        self._queue = Queue(settings.searches, settings.waiting, settings.seconds)
        self._questions = 0

    @property
    def waiting(self) -> int:
        """Searches that wait for their turn."""
        return self._queue.waiting

    def close(self) -> None:
        """Wait for the searches under way."""
        self.threads.shutdown(cancel_futures=True)

    async def run(self, work: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """Work in one of the threads."""
        return await cancel.in_thread(partial(work, *arguments, **named), self.threads)

    @asynccontextmanager
    async def search(self) -> AsyncIterator[Session]:
        """A session, once it is this request's turn.

        Raises:
            RequestError: too many requests are waiting, or the wait was too long.
        """
        async with self._queue.turn(), self._leased() as session:
            yield session

    @asynccontextmanager
    async def question(self) -> AsyncIterator[Session]:
        """A session for a question; its searches wait for a thread, and it takes no turn.

        Else questions that wait for a language model would hold up the searches of others.

        Raises:
            RequestError: too many questions are being answered.
        """
        if self._questions >= self._settings.searches + self._settings.waiting:
            raise busy(self._settings.searches, f"{self._questions} questions being answered")
        self._questions += 1
        try:
            async with self._leased() as session:
                yield session
        finally:
            self._questions -= 1

    @asynccontextmanager
    async def _leased(self) -> AsyncIterator[Session]:
        lease = self._graph.session()
        self.running += 1
        try:
            if self._graph.at_hand:  # a thread would cost more than this
                session = lease.__enter__()
            else:
                session = await self._opened(lease)
            try:
                yield session
            finally:
                lease.__exit__(None, None, None)
        finally:
            self.running -= 1

    async def _opened(self, lease: AbstractContextManager[Session]) -> Session:
        """A session, which is given back where its request ended while it was being opened."""
        entered: list[Session] = []
        try:
            await self.run(lambda: entered.append(lease.__enter__()))
        except asyncio.CancelledError:
            if entered:
                lease.__exit__(None, None, None)
            raise
        return entered[0]

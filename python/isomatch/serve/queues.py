"""A queue of bounded length: some work, some wait for their turn, more are turned away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from isomatch.serve.errors import RequestError
from isomatch.serve.timeouts import timeout

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

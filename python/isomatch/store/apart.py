"""Queries that an engine cannot interrupt, in a thread of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from threading import Thread
from traceback import clear_frames

from isomatch.errors import QueryTimeout
from isomatch.store.base import Query, Row


def apart(work: Callable[[], list[Row]], query: Query, timeout: float) -> list[Row]:
    """The rows of a query that runs in a thread, which is left behind when it is late.

    Raises:
        QueryTimeout: it took more than ``timeout`` seconds; the thread ends by itself.
    """
    outcome: Future[list[Row]] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:  # handed over to the caller
            clear_frames(error.__traceback__)  # what the engine gave must end in this thread
            outcome.set_exception(error)

    Thread(target=run, name=f"isomatch {query.name}", daemon=True).start()
    try:
        return outcome.result(timeout)
    except FutureTimeout as error:
        raise late(query) from error


def late(query: Query) -> QueryTimeout:
    """The error for a query whose time ran out."""
    return QueryTimeout(f"the time for the query {query.name!r} ran out")

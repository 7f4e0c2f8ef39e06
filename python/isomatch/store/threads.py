"""Queries of an engine that cannot be interrupted, with a time-out all the same."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from threading import Thread
from traceback import clear_frames

from isomatch import cancel
from isomatch.errors import QueryTimeout
from isomatch.store.base import Query, Row


def run_in_thread(work: Callable[[], list[Row]], query: Query, timeout: float | None) -> list[Row]:
    """Run a query in a thread, which is left behind when the time is up or it is cancelled.

    Returns:
        Its rows.

    Raises:
        QueryTimeout: it took more than ``timeout`` seconds; the thread ends by itself.
        SearchCancelled: the same, where the search was cancelled.
    """
    outcome: Future[list[Row]] = Future()

    def run() -> None:
        with suppress(InvalidStateError):  # cancelled: nobody waits any more
            try:
                outcome.set_result(work())
            except InvalidStateError:
                raise
            except BaseException as error:  # handed over to the caller
                clear_frames(error.__traceback__)  # what the engine gave must end in this thread
                outcome.set_exception(error)

    Thread(target=cancel.carried(run), name=f"isomatch {query.name}", daemon=True).start()
    try:
        with cancel.stopping(outcome.cancel):
            return outcome.result(timeout)
    except FutureTimeout as error:
        raise timed_out(query) from error


def timed_out(query: Query) -> QueryTimeout:
    """The error for a query whose time ran out."""
    return QueryTimeout(f"the time for the query {query.name!r} ran out")

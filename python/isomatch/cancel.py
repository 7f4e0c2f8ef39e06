"""Searches that their caller gives up.

    given_up = Cancellation()
    with scope(given_up):
        session.match("(?f)-[directed by]-(\"Mann\")")

Another thread calls ``given_up.cancel()``: the search raises `SearchCancelled`, and what a
database is doing for it is stopped. What is slow asks `check`, or says by `stopping` how it
is woken. A context variable carries the cancellation, so that no station has to pass it on;
`in_thread` and `carried` take it into other threads.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial
from threading import Event, Lock
from typing import Any, ParamSpec, TypeVar

from isomatch.errors import SearchCancelled

P = ParamSpec("P")
Result = TypeVar("Result")


class Cancellation:
    """Says to a search, and to what it waits for, that nobody wants it any more. Thread-safe.

    Attributes:
        reason: for the message of the error.
    """

    def __init__(self) -> None:
        self.reason = ""
        self._set = Event()
        self._lock = Lock()
        self._callbacks: dict[int, Callable[[], object]] = {}
        self._number = 0

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._set.is_set()

    def cancel(self, reason: str = "its caller gave it up") -> None:
        """End the search; safe to call twice, and on an event loop: it does not wait."""
        with self._lock:
            if self._set.is_set():
                return
            self.reason = reason
            self._set.set()
            callbacks = list(self._callbacks.values())
            for callback in callbacks:  # quick ones; those of an ended wait must not be called
                callback()

    def check(self) -> None:
        """Raise `SearchCancelled` where it is cancelled."""
        if self._set.is_set():
            raise SearchCancelled(f"the search was cancelled: {self.reason}")

    @contextmanager
    def stopping(self, wake: Callable[[], object]) -> Iterator[None]:
        """Wait inside for something that ``wake`` ends.

        Args:
            wake: called by `cancel`, on its thread, at most once and never after the wait.
                It must be quick, raise nothing, and not use this object.

        Raises:
            SearchCancelled: in place of whatever the wait gave or raised.
        """
        with self._lock:
            self.check()
            self._number += 1
            number = self._number
            self._callbacks[number] = wake
        try:
            yield
        except Exception as error:
            if self._set.is_set() and not isinstance(error, SearchCancelled):
                raise SearchCancelled(f"the search was cancelled: {self.reason}") from error
            raise
        finally:
            with self._lock:
                del self._callbacks[number]
        self.check()

    def wait(self, seconds: float | None) -> None:
        """Sleep, unless cancelled.

        Raises:
            SearchCancelled: it was cancelled meanwhile.
        """
        self._set.wait(seconds)
        self.check()


_CURRENT: ContextVar[Cancellation | None] = ContextVar("isomatch_cancellation", default=None)


def current() -> Cancellation | None:
    """The cancellation of the search that runs here; None for one that nobody can cancel."""
    return _CURRENT.get()


@contextmanager
def scope(cancellation: Cancellation | None = None) -> Iterator[Cancellation]:
    """What runs inside ends when the cancellation is cancelled, or that of a scope around it.

    Args:
        cancellation: None for a new one.
    """
    inner, outer = cancellation or Cancellation(), _CURRENT.get()
    token = _CURRENT.set(inner)
    try:
        if outer is None or outer is inner:
            yield inner
        else:
            with outer.stopping(lambda: inner.cancel(outer.reason)):
                yield inner
    finally:
        _CURRENT.reset(token)


def check() -> None:
    """Raise `SearchCancelled` where the search that runs here is cancelled."""
    if (cancellation := _CURRENT.get()) is not None:
        cancellation.check()


@contextmanager
def stopping(wake: Callable[[], object]) -> Iterator[None]:
    """`Cancellation.stopping` of the search that runs here."""
    if (cancellation := _CURRENT.get()) is None:
        yield
    else:
        with cancellation.stopping(wake):
            yield


def sleep(seconds: float) -> None:
    """`time.sleep`, which a cancellation ends."""
    (_CURRENT.get() or Cancellation()).wait(seconds)


def carried(work: Callable[P, Result]) -> Callable[P, Result]:
    """The same work for another thread, where the search that runs here can be cancelled too."""
    return partial(copy_context().run, work)


def _unless_cancelled(work: Callable[[], Result]) -> Result:
    check()  # it may have waited for a thread
    return work()


async def in_thread(work: Callable[[], Result], executor: Executor | None = None) -> Result:
    """Blocking work without blocking the event loop; cancelling the task cancels it.

    A task that is cancelled ends when the work has: until then it takes a thread.

    Args:
        executor: whose thread it runs in; None for the loop's own.
    """
    import asyncio  # slow to import, and no command needs it

    loop = asyncio.get_running_loop()
    with scope() as cancellation:
        running = loop.run_in_executor(executor, carried(partial(_unless_cancelled, work)))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            cancellation.cancel("its task was cancelled")
            await asyncio.wait({running})
            with suppress(Exception):  # nobody is there to be told
                running.result()
            raise


async def awaited(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine, which ends when the search that runs here is cancelled.

    Raises:
        SearchCancelled: it was.
    """
    import asyncio

    if (cancellation := _CURRENT.get()) is None:
        return await work
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    try:
        with cancellation.stopping(lambda: loop.call_soon_threadsafe(task.cancel)):
            return await task
    except asyncio.CancelledError:
        if task.cancelled():
            cancellation.check()
        task.cancel()  # ours was cancelled
        raise
    except SearchCancelled:
        task.cancel()
        raise

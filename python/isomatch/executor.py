"""Where independent parts of a long task run: in this process, in local processes, or on Ray.

The one writer takes the results in the order of the items, so a task writes the same
whatever ran its parts.
"""

from __future__ import annotations

import os
import pickle
import reprlib
import signal
import socket
import sys
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from isomatch import cancel
from isomatch.errors import ConfigurationError, IsomatchError, MissingExtraError, WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

HERE = "here"
FORMS = "here, processes[:NUMBER] or ray[:ADDRESS]"
AHEAD = 2  # items given out for each worker: one runs, one waits
POLL = 0.2  # seconds between two looks at whether the task is cancelled
CONNECT = 10.0  # seconds until a cluster must answer
RETRIES = 3  # of an item whose Ray worker was killed


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Result]):
    """What is done with each item.

    Attributes:
        here: does it in this process.
        make: makes the same function in a worker, once for each process. It must be
            picklable, as a function of a module is, and a `functools.partial` of one.
    """

    here: Callable[[Item], Result]
    make: Callable[[], Callable[[Item], Result]]


class Executor(ABC):
    """Runs work on many items; a context manager that ends its workers.

    Attributes:
        workers: how many items run at a time.
        local: whether everything runs on this machine, with its files.
    """

    workers: int = 1
    local: bool = True

    @abstractmethod
    def map(self, work: Work[Item, Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """The result of each item, in the order of the items.

        Items are read on the calling thread, a few at a time, as results are taken.
        Closing the iterator cancels what was given out.

        Raises:
            IsomatchError: what the work raised; where a worker raised it, with a
                `WorkerError` as its cause, which has the item.
            WorkerError: the worker ended, or failed with another error.
            SearchCancelled: see `isomatch.cancel`.
        """

    def close(self) -> None:  # noqa: B027 - there may be no workers
        """End the workers; safe to call twice."""

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class Here(Executor):
    """One item after the other, in this process."""

    def map(self, work: Work[Item, Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        for item in items:
            cancel.check()
            yield work.here(item)


class _Workers(Executor):
    """Workers in other processes."""

    def map(self, work: Work[Item, Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        make = pickle.dumps(work.make)
        given: deque[tuple[Item, Any]] = deque()
        source = iter(items)
        try:
            while True:
                while len(given) < AHEAD * self.workers:
                    try:
                        item = next(source)
                    except StopIteration:
                        break
                    given.append((item, self._submit(make, item)))
                if not given:
                    return
                item, handle = given[0]
                while not self._wait(handle):
                    cancel.check()
                outcome = self._taken(handle, item)
                given.popleft()
                yield outcome.result(item)
        finally:
            for _, handle in given:
                self._drop(handle)

    @abstractmethod
    def _submit(self, make: bytes, item: Any) -> Any:
        """Give an item out; returns its handle."""

    @abstractmethod
    def _wait(self, handle: Any) -> bool:
        """Wait for some time; returns whether the item is done."""

    @abstractmethod
    def _taken(self, handle: Any, item: Any) -> _Outcome:
        """What came of an item that is done; `WorkerError` where its worker ended."""

    @abstractmethod
    def _drop(self, handle: Any) -> None:
        """Cancel an item that nobody waits for."""


class Processes(_Workers):
    """Processes on this machine."""

    def __init__(self, workers: int | None = None):
        """``workers`` defaults to the number of cores."""
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        self.workers = workers or os.cpu_count() or 1
        # Not forked: a copy of a process with threads may wait for a lock forever.
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), _prepare)

    def _submit(self, make: bytes, item: Any) -> Future[_Outcome] | BrokenExecutor:
        try:
            return self._pool.submit(_run, make, item)
        except BrokenExecutor as error:  # the items before say on which one
            return error

    def _wait(self, handle: Future[_Outcome] | BrokenExecutor) -> bool:
        if isinstance(handle, BrokenExecutor):
            return True
        try:
            handle.exception(timeout=POLL)
        except FutureTimeout:
            return False
        return True

    def _taken(self, handle: Future[_Outcome] | BrokenExecutor, item: Any) -> _Outcome:
        try:
            if isinstance(handle, BrokenExecutor):
                raise handle
            return handle.result()
        except BrokenExecutor as error:
            raise _ended(item, error) from error

    def _drop(self, handle: Future[_Outcome] | BrokenExecutor) -> None:
        if isinstance(handle, Future):
            handle.cancel()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class Ray(_Workers):
    """Workers of a Ray cluster, which runs an item again whose worker was killed.

    A cluster that was not there before is ended by `close`. It listens on loopback only,
    and tells nobody of its use.
    """

    def __init__(self, address: str = "", *, workers: int | None = None):
        """``address`` of a running cluster, as ``ray.init`` takes it.

        Without one: the one that this process is connected to, else that of RAY_ADDRESS,
        else one that is started on this machine.

        Args:
            workers: of one that is started; its cores by default.

        Raises:
            MissingExtraError: Ray is not installed.
            ConfigurationError: no cluster can be reached or started.
        """
        address = address or os.environ.get("RAY_ADDRESS", "")
        if not address and "ray" not in sys.modules:
            # Read when Ray is imported; despite its name, 0 keeps a cluster on loopback.
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        if not address:  # of workers; 15 by default, where local processes have ours
            os.environ.setdefault("RAY_worker_niceness", "0")
        try:
            import ray
        except ImportError as error:
            raise MissingExtraError("--on ray needs Ray: pip install 'isomatch[ray]'") from error
        self._ray = ray
        self._ours = not ray.is_initialized()
        if self._ours:
            self._connect(address, workers)
        self.local = self._ours and not address
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_run)

    def _connect(self, address: str, workers: int | None) -> None:
        given: dict[str, Any] = {"address": address}
        if not address:
            given = {"address": "local", "num_cpus": workers, "include_dashboard": False}
        try:
            _reach(address)
            self._ray.init(**given, log_to_driver=False, logging_level="error")
        except Exception as error:  # of many classes
            place = f"at {address}" if address else "on this machine"
            raise ConfigurationError(
                f"--on ray: no Ray cluster {place} can be used: {error}. Give the address that "
                "`ray status` confirms, as ray:HOST:6379, and the same versions of Ray and Python "
                "as there"
            ) from error

    def _submit(self, make: bytes, item: Any) -> Any:
        return self._task.remote(make, item)

    def _wait(self, handle: Any) -> bool:
        done, _ = self._ray.wait([handle], timeout=POLL)
        return bool(done)

    def _taken(self, handle: Any, item: Any) -> _Outcome:
        try:
            outcome: _Outcome = self._ray.get(handle)
        except self._ray.exceptions.RayError as error:
            raise _ended(item, error) from error
        return outcome

    def _drop(self, handle: Any) -> None:
        self._ray.cancel(handle, force=True)

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()
            self._ours = False


def _reach(address: str) -> None:
    """See that something listens at an address: Ray itself tries for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if colon and port.isdigit():
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT):
            pass


def check_place(place: str) -> str:
    """The place, where its form is right.

    Raises:
        ConfigurationError: it has another form.
    """
    kind, colon, rest = place.partition(":")
    right = {
        HERE: not colon,
        "processes": not colon or (rest.isascii() and rest.isdigit() and int(rest) > 0),
        "ray": not colon or bool(rest),
    }
    if not right.get(kind, False):
        raise ConfigurationError(f"--on must be {FORMS}, not {place!r}")
    return place


def open_executor(place: str = HERE) -> Executor:
    """The executor of a place: ``here``, ``processes[:NUMBER]`` or ``ray[:ADDRESS]``.

    Raises:
        ConfigurationError: the place has another form, or its cluster cannot be used.
        MissingExtraError: Ray is not installed.
    """
    kind, _, rest = check_place(place).partition(":")
    if kind == HERE:
        return Here()
    return Processes(int(rest) if rest else None) if kind == "processes" else Ray(rest)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a worker sends back: a value, or an error and where it was raised."""

    value: Any = None
    error: IsomatchError | None = None
    trace: str = ""

    def result(self, item: Any) -> Any:
        if not self.trace:
            return self.value
        failed = WorkerError(f"a worker failed on {reprlib.repr(item)}:\n{self.trace}", item)
        if self.error is None:
            raise failed
        raise self.error from failed


_MADE: dict[bytes, Callable[[Any], Any]] = {}  # in a worker: the function that it last made


def _run(make: bytes, item: Any) -> _Outcome:
    """Do the work on an item, in a worker."""
    try:
        if make not in _MADE:
            _MADE.clear()
            _MADE[make] = pickle.loads(make)()  # noqa: S301 - written by `map`
        return _Outcome(_MADE[make](item))
    except Exception as error:
        trace = traceback.format_exc()
        if isinstance(error, IsomatchError):
            error = error.with_traceback(None)
            error.__cause__ = error.__context__ = None  # which may not be picklable
            return _Outcome(error=error, trace=trace)
        return _Outcome(trace=trace)


def _prepare() -> None:
    """In a new local process, before anything is imported."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # there is a process for each core


def _ended(item: Any, error: Exception) -> WorkerError:
    return WorkerError(
        f"a worker ended while it had {reprlib.repr(item)}: {error}. It was killed, or out of "
        "memory. What was written before is kept: the same command goes on from there",
        item,
    )

"""Work that is written once and runs both blocking and on an event loop.

A flow is a generator: it yields the steps that take time, is sent the result of each,
and returns its own result. It does no I/O itself. `run` and `stream` take the steps on
the calling thread, `arun` and `astream` on an event loop. (The way httpx writes its
authentication flows.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from isomatch import cancel

Result = TypeVar("Result")


class Step(Protocol):
    """Something that takes time."""

    def run(self) -> Any:
        """Do it, and return its result."""

    async def arun(self, executor: Executor | None) -> Any:
        """Do it without blocking the event loop; threads come from the executor."""


@runtime_checkable
class TextStep(Step, Protocol):
    """A step whose result is a text that comes in pieces."""

    def pieces(self) -> Iterator[str]:
        """The text, piece by piece."""

    def apieces(self) -> AsyncIterator[str]:
        """`pieces`, without blocking."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """A step that calls a blocking function; on an event loop, in a thread."""

    work: Callable[[], Any]

    def run(self) -> Any:
        return self.work()

    async def arun(self, executor: Executor | None) -> Any:
        return await cancel.in_thread(self.work, executor)


@dataclass(frozen=True, slots=True)
class Stage:
    """What a flow has so far, for who follows it; no step.

    Attributes:
        name: of the stage that has ended.
        value: what it gave.
    """

    name: str
    value: Any


Flow = Generator["Step | Stage | str", Any, Result]
"""Yields steps, and stages and texts that are ready to be shown; returns a result."""


class _Run(Generic[Result]):
    """A flow under way: the next step, and what the last one gave."""

    result: Result

    def __init__(self, flow: Flow[Result]):
        self._flow = flow
        self._resume: Callable[[Any], Step | Stage | str] = flow.send
        self._value: Any = None

    def next(self) -> Step | Stage | str | None:
        """The next step, or what to show; None at the end, when `result` is there."""
        cancel.check()
        resume, value = self._resume, self._value
        self._resume, self._value = self._flow.send, None
        try:
            return resume(value)
        except StopIteration as end:
            self.result = end.value
            return None

    def send(self, value: Any) -> None:
        """Give the flow the result of its step."""
        self._value = value

    def throw(self, error: Exception) -> None:
        """Raise inside the flow what its step raised."""
        self._resume, self._value = self._flow.throw, error


def stream(flow: Flow[Result]) -> Iterator[str | Result]:
    """Run a flow: its texts as they come, and last its result.

    What a step raises is raised inside the flow.
    """
    running = _Run(flow)
    while (step := running.next()) is not None:
        if isinstance(step, Stage):
            continue
        if isinstance(step, str):
            yield step
            continue
        try:
            if isinstance(step, TextStep):
                pieces = []
                for piece in step.pieces():
                    pieces.append(piece)
                    yield piece
                running.send("".join(pieces))
            else:
                running.send(step.run())
        except Exception as error:
            running.throw(error)
    yield running.result


async def astream(
    flow: Flow[Result], executor: Executor | None = None
) -> AsyncIterator[str | Result]:
    """`stream`, without blocking."""
    async with aclosing(afollow(flow, executor)) as items:
        async for item in items:
            if not isinstance(item, Stage):
                yield item


async def afollow(
    flow: Flow[Result], executor: Executor | None = None
) -> AsyncGenerator[str | Stage | Result, None]:
    """`astream`, with the flow's stages."""
    running = _Run(flow)
    while (step := running.next()) is not None:
        if isinstance(step, (str, Stage)):
            yield step
            continue
        try:
            if isinstance(step, TextStep):
                pieces = []
                async for piece in step.apieces():
                    pieces.append(piece)
                    yield piece
                running.send("".join(pieces))
            else:
                running.send(await cancel.awaited(step.arun(executor)))
        except Exception as error:
            running.throw(error)
    yield running.result


def run(flow: Flow[Result]) -> Result:
    """Run a flow, and return its result."""
    result: Result = deque(stream(flow), maxlen=1).pop()  # type: ignore[assignment]
    return result


async def arun(flow: Flow[Result], executor: Executor | None = None) -> Result:
    """`run`, without blocking."""
    result: Any = None
    async for result in astream(flow, executor):  # noqa: B007 - the last one counts
        pass
    return result  # type: ignore[no-any-return]

"""The threads of searches for vectors, and how many vectors those of a task compared in full."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Map = Callable[..., Iterator[Any]]


class Work:
    """What was counted; of one task, so not thread-safe.

    Attributes:
        vectors: how many were compared in full.
    """

    def __init__(self) -> None:
        self.vectors = 0


_counting: ContextVar[Work | None] = ContextVar("isomatch_link_work", default=None)


@contextmanager
def counted() -> Iterator[Work]:
    """Count what is compared inside; who counts outside has it too."""
    outer, work = _counting.get(), Work()
    token = _counting.set(work)
    try:
        yield work
    finally:
        _counting.reset(token)
        if outer is not None:
            outer.vectors += work.vectors


def compared(vectors: int) -> None:
    """Say that so many vectors were compared in full."""
    if (work := _counting.get()) is not None:
        work.vectors += vectors


@contextmanager
def threads(count: int) -> Iterator[Map]:
    """`map` on so many threads; on this one where one is enough, for to start one takes 0.5 ms."""
    if count == 1:
        yield map
        return
    with ThreadPoolExecutor(count) as pool:
        yield pool.map

"""How many vectors the searches of a task compared in full."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


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

"""Transactions that end in the server when their search is cancelled.

A session of the driver must not be touched by two threads, and one that waits for rows
cannot be woken. So the transaction gets a name of its own, by which another session ends
it: every user may end what is theirs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from secrets import token_hex
from threading import Event, Thread
from typing import Any

from neo4j.exceptions import DriverError, Neo4jError

from isomatch import cancel

_LOG = logging.getLogger(__name__)
_PAUSES = (0.02, 0.05, 0.1, 0.2, *(0.5,) * 40)  # seconds between attempts, some 20 in all


@contextmanager
def ended_with_search(
    metadata: Mapping[str, Any], end: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Metadata of a transaction that runs inside, and ends when its search is cancelled.

    Args:
        metadata: that it has anyway.
        end: ends transactions whose metadata have this text as ``search``; called in a
            thread of its own.

    Raises:
        SearchCancelled: it was cancelled.
    """
    if cancel.current() is None:
        yield dict(metadata)
        return
    name, done = token_hex(16), Event()
    ending = Thread(target=_end, args=(name, end, done), name="isomatch cancel", daemon=True)
    try:
        with cancel.stopping(ending.start):
            yield {**metadata, "search": name}
    finally:
        done.set()


def _end(name: str, end: Callable[[str], None], done: Event) -> None:
    """End a transaction, which the server may not have begun yet, until it has ended."""
    problem: Exception | None = None
    for pause in _PAUSES:
        if done.is_set():
            return
        try:
            end(name)
        except (DriverError, Neo4jError) as error:
            problem = error
        if done.wait(pause):
            return
    _LOG.warning(
        "a query of a cancelled search goes on in Neo4j until its time-out: %s",
        problem or "the server does not list its transaction",
    )

"""What becomes known of a request while it is answered, for logs, metrics and traces."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Record:
    """What becomes known of a request while it is answered.

    Attributes:
        graph: that it is about.
        asked: its question or pattern.
        stages: milliseconds of each station.
    """

    graph: str | None = None
    asked: str | None = None
    stages: Mapping[str, float] = field(default_factory=dict)


CURRENT: ContextVar[Record | None] = ContextVar("isomatch_request", default=None)


def note(
    graph: str | None = None, asked: Any = None, stages: Mapping[str, float] | None = None
) -> None:
    """Say something of the request that is being answered; see `Record`."""
    if (record := CURRENT.get()) is not None:
        record.graph = graph or record.graph
        record.asked = record.asked if asked is None else str(asked)
        record.stages = stages or record.stages

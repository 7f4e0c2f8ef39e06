"""What becomes known of a request while it is answered, for logs, metrics and traces."""

from __future__ import annotations

import re
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
        questions: whether the log has what was asked.
    """

    graph: str | None = None
    asked: str | None = None
    stages: Mapping[str, float] = field(default_factory=dict)
    questions: bool = False


CURRENT: ContextVar[Record | None] = ContextVar("isomatch_request", default=None)

_WORD = re.compile(r"[^\W_]+")


def for_log(text: str) -> str:
    """A text for the log, with "…" in place of words that were asked, unless the log has these.

    Databases quote the query that failed, and so names of the question.
    """
    record = CURRENT.get()
    if record is None or record.asked is None or record.questions:
        return text
    asked = {word.casefold() for word in _WORD.findall(record.asked)}
    return _WORD.sub(lambda found: "…" if found[0].casefold() in asked else found[0], text)


def note(
    graph: str | None = None, asked: Any = None, stages: Mapping[str, float] | None = None
) -> None:
    """Say something of the request that is being answered; see `Record`."""
    if (record := CURRENT.get()) is not None:
        record.graph = graph or record.graph
        record.asked = record.asked if asked is None else str(asked)
        record.stages = stages or record.stages

"""What is told of each request: a line in the log, metrics, and a span where traces are kept.

Questions, patterns and addresses with them are in none, unless the settings ask for it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from datetime import datetime, timezone
from secrets import token_hex
from time import perf_counter
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isomatch.serve.metrics import Metrics
from isomatch.serve.records import CURRENT, Record
from isomatch.serve.tracing import Tracer

_ACCESS = logging.getLogger("isomatch.access")
_ID = re.compile(rb"[\w.-]{1,64}")
CLIENT_GONE = 499  # nginx's number for a client that went before it had an answer


class Observer:
    """Tells of requests.

    Args:
        metrics: count them.
        questions: whether the log has what was asked.
    """

    def __init__(self, metrics: Metrics, *, questions: bool = False):
        self._metrics = metrics
        self._questions = questions
        self._tracer = Tracer()

    def middleware(self, app: ASGIApp) -> ASGIApp:
        """An application whose requests are told of."""

        async def observed(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            status = CLIENT_GONE
            id = _request_id(scope)

            async def sent(message: Message) -> None:
                nonlocal status
                if message["type"] == "http.response.start":
                    status = message["status"]
                    message = {**message, "headers": [*message["headers"], (b"x-request-id", id)]}
                await send(message)

            record = Record(questions=self._questions)
            token, started = CURRENT.set(record), perf_counter()
            try:
                with self._metrics.in_flight(), self._tracer.request(scope) as span:
                    try:
                        await app(scope, receive, sent)
                    finally:
                        seconds = perf_counter() - started
                        route = _route(scope)
                        span.end(route, status, record.graph, record.stages)
            finally:
                CURRENT.reset(token)
                # uvloop writes when this turn of the loop is over: the client need not wait.
                asyncio.get_running_loop().call_soon(
                    self._tell, scope, route, status, seconds, id.decode(), record
                )

        return observed

    def _tell(
        self, scope: Scope, route: str, status: int, seconds: float, id: str, record: Record
    ) -> None:
        self._metrics.count(route, scope["method"], status, seconds, record.stages)
        caller = scope.get("state", {}).get("caller")
        told = {
            "id": id,
            "method": scope["method"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1e3, 1),
            "caller": None if caller is None else caller.name,
            "graph": record.graph,
            "stages_ms": {name: round(ms, 1) for name, ms in record.stages.items()} or None,
            "asked": record.asked if record.questions else None,
        }
        kept = {name: value for name, value in told.items() if value is not None}
        _ACCESS.info("%s %s %s", scope["method"], route, status, extra={"told": kept})


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter.format`."""
        time = datetime.fromtimestamp(record.created, timezone.utc)
        form: dict[str, Any] = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        told = getattr(record, "told", None)
        form |= {"message": record.getMessage()} if told is None else told
        if record.exc_info:
            form["trace"] = self.formatException(record.exc_info)
        return json.dumps(form, ensure_ascii=False)


def log_json() -> None:
    """Have isomatch's loggers write JSON lines to standard error, with one for each request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("isomatch")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False


def _route(scope: Scope) -> str:
    """The route's path, with names in place of values; ``other`` where there is none."""
    return str(getattr(scope.get("route"), "path", None) or "other")


def _request_id(scope: Scope) -> bytes:
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    return given if _ID.fullmatch(given) else token_hex(8).encode()

"""What is told of each request: a line in the log, metrics, and a span where traces are kept.

Questions, patterns and addresses with them are in none, unless the settings ask for it.

Spans of OpenTelemetry for requests and the stations of their searches.

Where its packages are not installed (``isomatch[otel]``) there are none. Where they go is said
as for every program: by its environment variables, or by who starts the application.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timezone
from functools import cache
from importlib.util import find_spec
from secrets import token_hex
from time import perf_counter, time_ns
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.process_collector import ProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isomatch.serve.records import CURRENT, Record


class Tracer:
    """Begins spans."""

    def __init__(self) -> None:
        self._tracer: Any = None
        if find_spec("opentelemetry") is not None:
            from opentelemetry import trace

            self._tracer = trace.get_tracer("isomatch")

    @contextmanager
    def request(self, scope: Scope) -> Iterator[Span]:
        """A span for what is done inside, below the span that the client names."""
        if self._tracer is None:
            yield Span(None, None)
            return
        from opentelemetry import trace
        from opentelemetry.propagate import extract

        if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
            yield Span(None, None)  # nobody has said where spans go
            return
        headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
        with self._tracer.start_as_current_span(
            scope["method"], context=extract(headers), kind=trace.SpanKind.SERVER
        ) as span:
            yield Span(self._tracer, span)


class Span:
    """A request's span; nothing where there are no traces."""

    def __init__(self, tracer: Any, span: Any):
        self._tracer = tracer
        self._span = span

    def end(self, route: str, status: int, graph: str | None, stages: Mapping[str, float]) -> None:
        """Say what became of it.

        Args:
            stages: milliseconds of each station, in their order, and ``total``.
        """
        if self._span is None or not self._span.is_recording():
            return
        from opentelemetry.trace import StatusCode

        method = self._span.name
        self._span.update_name(f"{method} {route}")
        self._span.set_attributes(
            {
                "http.request.method": method,
                "http.route": route,
                "http.response.status_code": status,
                **({} if graph is None else {"isomatch.graph": graph}),
            }
        )
        if status >= 500:
            self._span.set_status(StatusCode.ERROR)
        begun = time_ns() - int(stages.get("total", 0.0) * 1e6)
        for name, milliseconds in stages.items():
            if name != "total":
                ended = begun + int(milliseconds * 1e6)
                self._tracer.start_span(f"isomatch.{name}", start_time=begun).end(ended)
                begun = ended


MEDIA_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_METHODS = ("GET", "POST", "DELETE", "OPTIONS", "HEAD")


class Metrics:
    """The metrics of one application, of this process alone.

    Args:
        running, waiting: tell how many searches run, and wait for their turn.
    """

    def __init__(self, running: Callable[[], float], waiting: Callable[[], float]):
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        requests = Counter(
            "isomatch_requests",
            "Requests; 499 where the client went away.",
            ("route", "method", "status"),
            registry=registry,
        )
        times = Histogram(
            "isomatch_request_seconds",
            "Time of requests.",
            ("route",),
            registry=registry,
            buckets=_SECONDS,
        )
        stages = Histogram(
            "isomatch_stage_seconds",
            "Time of the stations of a search.",
            ("stage",),
            registry=registry,
            buckets=_SECONDS,
        )
        # There are few labels, and finding the series of one takes longer than counting.
        self._requests = cache(requests.labels)
        self._times = cache(times.labels)
        self._stages = cache(stages.labels)
        self._in_flight = Gauge(
            "isomatch_requests_in_flight", "Requests without an answer yet.", registry=registry
        )
        for name, what, tell in (
            ("isomatch_searches_running", "Searches that run.", running),
            ("isomatch_searches_waiting", "Searches that wait for their turn.", waiting),
        ):
            Gauge(name, what, registry=registry).set_function(tell)

    def in_flight(self) -> AbstractContextManager[None]:
        """Count a request while it is answered."""
        return self._in_flight.track_inprogress()

    def count(
        self, route: str, method: str, status: int, seconds: float, stages: Mapping[str, float]
    ) -> None:
        """Count a request that has ended; ``stages`` are in milliseconds."""
        method = method if method in _METHODS else "other"  # a label of one's own costs memory
        self._requests(route, method, str(status)).inc()
        self._times(route).observe(seconds)
        for stage, milliseconds in stages.items():
            self._stages(stage).observe(milliseconds / 1e3)

    def text(self) -> bytes:
        """All of them."""
        return generate_latest(self._registry)


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

"""Spans of OpenTelemetry for requests and the stations of their searches.

Where its packages are not installed (``isomatch[otel]``) there are none. Where they go is said
as for every program: by its environment variables, or by who starts the application.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from time import time_ns
from typing import Any

from starlette.types import Scope


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

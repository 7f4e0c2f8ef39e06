"""Counts and times of the service, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.process_collector import ProcessCollector

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

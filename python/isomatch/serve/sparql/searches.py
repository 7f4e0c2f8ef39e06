"""Searches of the service: limited, and cached for a short time.

An engine that joins row by row sends the same search once for each of its rows (Fuseki
and Virtuoso do), so a result is cached for some seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Lock
from time import monotonic
from typing import Any

from isomatch import cancel
from isomatch.errors import SearchCancelled
from isomatch.match.types import MatchResult
from isomatch.pattern import Pattern
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Graph
from isomatch.serve.sparql.results import SearchResults
from isomatch.serve.sparql.search_groups import Search
from isomatch.session import Session


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests.

    Attributes:
        seconds: for a whole request, and so for each search.
        matches: most matches of one search.
        k: most interpretations of one search.
        at_a_time: requests that are answered at a time; others wait ``seconds`` at most.
        waiting: others, at most.
        request_bytes: length of a request.
        kept_seconds: how long a search's result is cached.
        kept: most cached results; they have at most ``2 * matches`` matches together.
    """

    seconds: float = 10.0
    matches: int = 100_000
    k: int = 100
    at_a_time: int = 4
    waiting: int = 64
    request_bytes: int = 1_000_000
    kept_seconds: float = 10.0
    kept: int = 32


class Searches:
    """Runs searches on a graph; used by several threads.

    Args:
        graph: has the session that runs them.
        limits: see `Limits`.
    """

    def __init__(self, graph: Graph, limits: Limits):
        self._graph = graph
        self._limits = limits
        self._lock = Lock()
        self._cache: dict[Search, tuple[float, Future[SearchResults]]] = {}

    def find(self, search: Search) -> SearchResults:
        """The results of a search; equal searches at the same time run once.

        Raises:
            RequestError: it exceeds the limits, or they ended it before it was proven.
            IsomatchError: it failed.
        """
        own: Future[SearchResults] = Future()
        while True:
            with self._lock:
                future = self._cached(search)
                if future is None:
                    self._store(search, own)
                    break
            with suppress(SearchCancelled):  # by who began it, and not by who waits for it
                return _awaited(future)
            cancel.check()
        try:
            own.set_result(self._search(search))
        except BaseException as error:
            own.set_exception(error)
        with self._lock:
            self._store(search, own)  # its age counts from now, not from when it began
            self._evict()
        return own.result()

    def _store(self, search: Search, future: Future[SearchResults]) -> None:
        self._cache.pop(search, None)
        self._cache[search] = (monotonic(), future)  # at the end, as the youngest

    def _cached(self, search: Search) -> Future[SearchResults] | None:
        since, future = self._cache.get(search, (0.0, None))
        if future is None or not future.done():
            return future
        expired = monotonic() - since > self._limits.kept_seconds
        return None if expired or future.exception() else future

    def _evict(self) -> None:
        """Remove expired and failed results, and the oldest where there are too many."""
        done = [s for s, (_, future) in self._cache.items() if future.done()]
        sizes = {s: self._cache[s][1].result().size for s in done if self._cached(s)}
        for search in done:
            too_many = len(sizes) > self._limits.kept or sum(sizes.values()) > (
                2 * self._limits.matches
            )
            if search not in sizes or (too_many and len(sizes) > 1):
                sizes.pop(search, None)
                del self._cache[search]

    def _search(self, search: Search) -> SearchResults:
        given = dict(search.options)
        options = self._options(given)
        with self._graph.session() as session:
            if isinstance(search.wanted, Pattern):
                result = session.match(search.wanted, **options)
            else:
                result = self._match_question(session, search.wanted, options)
        if ended_by := result.certificate.ended_by:
            raise self._ended(ended_by)
        asks = result.pattern.ask  # one match says it, however many more there are
        if "limit" not in given and not asks and any(i.cut for i in result.interpretations):
            raise RequestError(
                400,
                f"an interpretation has more than {options['limit']} matches: make the pattern "
                f"more precise, or say isomatch:limit {options['limit']} to get only so many",
            )
        return SearchResults.of(result)

    def _ended(self, by: str) -> RequestError:
        return RequestError(
            503,
            f"the search was ended by its budget ({by}) before its result was proven: make the "
            "pattern more precise, or raise isomatch:budget_seconds (this service allows "
            f"{self._limits.seconds:g})",
            {"Retry-After": "5"},
        )

    def _options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        limits = self._limits
        k = given.get("k", 1)
        if k > limits.k:
            raise RequestError(400, f"isomatch:k is {k}; this service gives at most {limits.k}")
        limit = given.get("limit", limits.matches // max(k, 1))
        if k * limit > limits.matches:
            raise RequestError(
                400,
                f"isomatch:k {k} times isomatch:limit {limit} is more than the "
                f"{limits.matches} matches that this service gives at most",
            )
        seconds = min(given.get("budget_seconds", limits.seconds), limits.seconds)
        return {**given, "k": k, "limit": limit, "budget_seconds": seconds}

    def _match_question(
        self, session: Session, question: str, options: Mapping[str, Any]
    ) -> MatchResult:
        """The matches of the first hypothesis of a question that answers it, or none."""
        pipeline = session.pipeline
        deadline = monotonic() + options["budget_seconds"]
        hypotheses = session.interpret(question, interpreter="schema")
        retrieved = pipeline.retriever.retrieve("pattern", question, hypotheses, options=options)
        hypothesis, result = retrieved.matched[0]
        if pipeline.acceptance.accepts(result, hypothesis):
            return result
        if pipeline.acceptance.holds(result, hypothesis) is False:
            return result
        if monotonic() > deadline:  # not every hypothesis was searched
            raise self._ended("time")
        return MatchResult(result.pattern, (), result.certificate, result.profile)


def _awaited(future: Future[SearchResults]) -> SearchResults:
    """The result of another request's search; a cancelled request does not wait for it."""
    done = Event()
    future.add_done_callback(lambda _: done.set())
    with cancel.stopping(done.set):
        done.wait()
    return future.result()

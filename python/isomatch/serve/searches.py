"""Searches of the service: within its limits, and kept for a short while.

An engine that joins row by row asks the same search once for each of its rows
(Fuseki and Virtuoso do), so a result is kept for some seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any

from isomatch.match.types import MatchResult
from isomatch.pattern import Pattern
from isomatch.serve.found import Found
from isomatch.serve.groups import Search
from isomatch.serve.refusal import Refusal
from isomatch.session import Session


@dataclass(frozen=True, slots=True)
class Limits:
    """What requests may take.

    Attributes:
        seconds: for a whole request, and so for each search.
        matches: most matches of one search.
        k: most interpretations of one search.
        at_a_time: requests that are worked on; others wait, ``seconds`` at most.
        request_bytes: length of a request.
        kept_seconds: a search's result is given again for this long.
        kept: how many results are kept, as long as they have no more than
            ``2 * matches`` matches together.
    """

    seconds: float = 10.0
    matches: int = 100_000
    k: int = 100
    at_a_time: int = 4
    request_bytes: int = 1_000_000
    kept_seconds: float = 10.0
    kept: int = 32


class Searches:
    """Runs searches on a session; used by many threads at a time.

    Args:
        session: searches; it stays open.
        limits: see there.
    """

    def __init__(self, session: Session, limits: Limits):
        self._session = session
        self._limits = limits
        self._lock = Lock()
        self._kept: dict[Search, tuple[float, Future[Found]]] = {}

    def find(self, search: Search) -> Found:
        """The matches of a search; those who ask the same at a time share one search.

        Raises:
            Refusal: it asks for more than the limits, or one ended it unproven.
            IsomatchError: it failed.
        """
        with self._lock:
            future = self._of_another(search)
            if future is None:
                mine: Future[Found] = Future()
                self._keep(search, mine)
        if future is not None:
            return future.result()
        try:
            mine.set_result(self._searched(search))
        except BaseException as error:
            mine.set_exception(error)
        with self._lock:
            self._keep(search, mine)  # from now on, not from when it began
            self._forget()
        return mine.result()

    def _keep(self, search: Search, future: Future[Found]) -> None:
        self._kept.pop(search, None)
        self._kept[search] = (monotonic(), future)  # the last one, as the youngest

    def _of_another(self, search: Search) -> Future[Found] | None:
        since, future = self._kept.get(search, (0.0, None))
        if future is None or not future.done():
            return future
        old = monotonic() - since > self._limits.kept_seconds
        return None if old or future.exception() else future

    def _forget(self) -> None:
        """Drop what is old, failed or too much; the youngest result stays."""
        done = [s for s, (_, future) in self._kept.items() if future.done()]
        sizes = {s: self._kept[s][1].result().size for s in done if self._of_another(s)}
        for search in done:
            too_much = len(sizes) > self._limits.kept or sum(sizes.values()) > (
                2 * self._limits.matches
            )
            if search not in sizes or (too_much and len(sizes) > 1):
                sizes.pop(search, None)
                del self._kept[search]

    def _searched(self, search: Search) -> Found:
        given = dict(search.options)
        options = self._options(given)
        if isinstance(search.wanted, Pattern):
            result = self._session.match(search.wanted, **options)
        else:
            result = self._answered(search.wanted, options)
        if result.certificate.ended_by is not None:
            raise Refusal(
                503,
                f"the search was ended by its budget ({result.certificate.ended_by}) before "
                "its result was proven: make the pattern more precise, or raise "
                f"isomatch:budget_seconds (this service allows {self._limits.seconds:g})",
                {"Retry-After": "5"},
            )
        if "limit" not in given and any(i.cut for i in result.interpretations):
            raise Refusal(
                400,
                f"an interpretation has more than {options['limit']} matches: make the pattern "
                f"more precise, or say isomatch:limit {options['limit']} to get only so many",
            )
        return Found.of(result)

    def _options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        limits = self._limits
        k = given.get("k", 1)
        if k > limits.k:
            raise Refusal(400, f"isomatch:k is {k}; this service gives at most {limits.k}")
        limit = given.get("limit", limits.matches // max(k, 1))
        if k * limit > limits.matches:
            raise Refusal(
                400,
                f"isomatch:k {k} times isomatch:limit {limit} is more than the "
                f"{limits.matches} matches that this service gives at most",
            )
        seconds = min(given.get("budget_seconds", limits.seconds), limits.seconds)
        return {**given, "k": k, "limit": limit, "budget_seconds": seconds}

    def _answered(self, question: str, options: Mapping[str, Any]) -> MatchResult:
        """The matches of the first reading of a question that answers it, or none."""
        deadline = monotonic() + options["budget_seconds"]
        result = None
        for hypothesis in self._session.interpret(question, interpreter="schema"):
            left = max(deadline - monotonic(), 1e-3)
            given = {**hypothesis.options, **options, "budget_seconds": left}
            result = self._session.match(hypothesis.pattern, **given)
            if self._session.pipeline.acceptance.accepts(result, hypothesis):
                return result
        assert result is not None  # `interpret` gives a reading, or raises
        return MatchResult(result.pattern, (), result.certificate, result.profile)

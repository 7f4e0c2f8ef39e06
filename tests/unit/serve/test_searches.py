"""The limits of searches, and results that are kept for a short while."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.answer.results import FILMS, directed, result

from isomatch.errors import ConfigurationError, StoreError
from isomatch.match.types import Certificate, MatchResult
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.pattern.types import Pattern
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Graph
from isomatch.serve.sparql.search_groups import Search
from isomatch.serve.sparql.searches import Limits, Searches
from isomatch.settings import Settings


class Session:
    """Gives one result, or fails; notes the options that it was asked with."""

    def __init__(self, found: MatchResult | Exception):
        self.settings = Settings()
        self.found = found
        self.asked: list[Options] = []
        self.started = threading.Event()
        self.go = threading.Event()
        self.go.set()

    def match(self, pattern: Pattern, **options: Any) -> MatchResult:
        self.asked.append(Options().with_(**options))
        self.started.set()
        self.go.wait(10)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


HEAT = result(directed(["Heat"]))


def search(text: str = FILMS, **options: Any) -> Search:
    return Search(parse(text), tuple(sorted(options.items())))


def searches(found: MatchResult | Exception = HEAT, **limits: Any) -> tuple[Session, Searches]:
    session = Session(found)
    return session, Searches(Graph.over(session), Limits(**limits))  # type: ignore[arg-type]


def test_a_kept_result_is_given_again() -> None:
    session, service = searches(kept_seconds=60.0)
    assert service.find(search()) is service.find(search())
    service.find(search(k=2))
    assert [o.k for o in session.asked] == [1, 2]


def test_an_old_result_is_searched_anew() -> None:
    session, service = searches(kept_seconds=-1.0)
    service.find(search())
    service.find(search())
    assert len(session.asked) == 2


def test_no_more_results_are_kept_than_may_be() -> None:
    session, service = searches(kept=2, kept_seconds=60.0)
    for k in (1, 2, 3, 1, 3):
        service.find(search(k=k))
    assert [o.k for o in session.asked] == [1, 2, 3, 1]


def test_no_more_matches_are_kept_than_may_be() -> None:
    films = result(directed([f"film {n}" for n in range(30)]))
    session, service = searches(films, kept_seconds=60.0, matches=20)
    for k in (1, 2, 2, 1):
        service.find(search(k=k))
    assert [o.k for o in session.asked] == [1, 2, 1]  # 60 are more than twice 20


def test_who_asks_the_same_meanwhile_waits_for_the_one_search() -> None:
    session, service = searches(kept_seconds=60.0)
    session.go.clear()
    with ThreadPoolExecutor(8) as threads:
        first = threads.submit(service.find, search())
        assert session.started.wait(10)
        others = [threads.submit(service.find, search()) for _ in range(7)]
        session.go.set()
        assert {id(f.result(10)) for f in (first, *others)} == {id(first.result())}
    assert len(session.asked) == 1


def test_a_failure_is_everybodys_and_is_not_kept() -> None:
    session, service = searches(StoreError("down"), kept_seconds=60.0)
    session.go.clear()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(service.find, search())
        assert session.started.wait(10)
        second = threads.submit(service.find, search())
        session.go.set()
        for future in (first, second):
            with pytest.raises(StoreError, match="down"):
                future.result(10)
    session.found = HEAT
    assert service.find(search()).size == 1


def test_the_defaults_are_one_interpretation_and_the_limits() -> None:
    session, service = searches(seconds=5.0, matches=100)
    service.find(search())
    service.find(search(k=3, budget_seconds=60.0, nodes="repeat"))
    first, second = session.asked
    assert (first.k, first.limit, first.budget_seconds) == (1, 100, 5.0)
    assert (second.k, second.limit, second.budget_seconds, second.nodes) == (3, 33, 5.0, "repeat")
    service.find(search(budget_seconds=1.0))
    assert session.asked[2].budget_seconds == 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"k": 11}, "isomatch:k is 11; this service gives at most 10"),
        ({"k": 2, "limit": 51}, "isomatch:k 2 times isomatch:limit 51 is more than the 100"),
        ({"limit": 101}, "isomatch:limit 101"),
    ],
)
def test_more_than_the_limits_is_refused(options: dict[str, Any], words: str) -> None:
    session, service = searches(k=10, matches=100)
    with pytest.raises(RequestError, match=words) as raised:
        service.find(search(**options))
    assert raised.value.status == 400
    assert not session.asked


@pytest.mark.parametrize(
    "options", [{"k": 0}, {"limit": 0}, {"nodes": "same"}, {"type_weight": -1}]
)
def test_what_no_search_takes_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        searches()[1].find(search(**options))


def test_a_result_that_a_budget_ended_is_no_result() -> None:
    ended = replace(HEAT, certificate=Certificate(False, False, 0.5, ended_by="time"))
    with pytest.raises(RequestError, match="budget_seconds") as raised:
        searches(ended)[1].find(search())
    assert raised.value.status == 503
    assert raised.value.headers["Retry-After"]


def test_matches_are_cut_only_where_that_was_asked_for() -> None:
    cut = result(directed(["Heat"], cut=True))
    with pytest.raises(RequestError, match="more than 100 matches") as raised:
        searches(cut, matches=100)[1].find(search())
    assert raised.value.status == 400
    assert searches(cut)[1].find(search(limit=1)).size == 1

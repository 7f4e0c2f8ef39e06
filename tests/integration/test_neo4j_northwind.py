"""Questions over a trading company's graph: few query texts, and one answer to each.

Every distinct text is planned by the server, which takes it longer than running it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from tests.bench.wire import Wire
from tests.integration.conftest import starter
from tests.servers import northwind
from tests.servers.neo4j import Neo4jServer

from isomatch.chains.graph import FILE
from isomatch.errors import StoreError
from isomatch.factories import make_index
from isomatch.match.types import Count
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.neo4j import Neo4jStore

MOST_TEXTS = 15
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Neo4jServer]:
    """A server of these tests, one of which has it forget all plans."""
    with starter() as start:
        server = start("5.26")
        with server.driver() as driver:
            northwind.load(driver)
        yield server


@pytest.fixture(scope="module")
def settings(server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    given = server.session_settings(tmp_path_factory.mktemp("northwind"))
    make_index(given)
    return given


def test_thirty_questions_need_few_texts_and_keep_their_answers(
    settings: Settings, server: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = {}
    with Session.open(settings) as session, Wire() as wire:
        for question in northwind.QUESTIONS:
            first[question] = session.ask(question).text
    assert len(wire.texts) <= MOST_TEXTS, sorted(text[:200] for text in wire.texts)
    for file in settings.home.rglob(FILE):
        file.unlink()
    with server.driver() as driver:
        driver.execute_query("CALL db.clearQueryCaches()")
    whole = Neo4jStore.run
    with Session.open(settings) as session:
        # So little time for each query that has a limit that most do not end in it, on a server
        # that has to plan all of them anew; and then as much as ever.
        for limit in (0.02, None):
            monkeypatch.setattr(
                Neo4jStore,
                "run",
                lambda store, query, *, timeout=None, limit=limit: whole(
                    store, query, timeout=timeout if limit is None else timeout and limit
                ),
            )
            for question in northwind.QUESTIONS[::5]:
                try:
                    answer = session.ask(question)
                except StoreError:
                    assert limit is not None
                    continue
                ended = answer.result is not None and answer.result.certificate.ended_by
                assert answer.text == first[question] or (ended and not answer.answers)


def test_dates_and_codes_are_the_same_or_not_found_and_orders_have_their_numbers(
    settings: Settings,
) -> None:
    orders = northwind.nodes()["Order"]
    dates = {row["orderID"]: row["orderDate"] for row in orders}
    day = dates["10249"][:10]
    missing = next(d for d in _days() if not any(t.startswith(d) for t in dates.values()))
    with Session.open(settings) as session:

        def found(pattern: str, k: int = 1) -> set[str]:
            result = session.match(pattern, k=k)
            assert result.certificate.complete
            near = [i for i in result.interpretations if i.near]
            assert result.found is bool(near)
            return {m.bindings["o"].name for i in near for m in i.matches}

        of_day = {f"Order {id}" for id, date in dates.items() if date.startswith(day)}
        assert "Order 10249" in of_day
        assert found(f'(?o:order)-[order date]-("{day}")') == of_day
        assert found(f'(?o:order)-[order date]-("{day} 00:00:00.000")') == of_day
        of_month = {f"Order {id}" for id, date in dates.items() if date.startswith(day[:7])}
        assert found(f'(?o:order)-[order date]-("{day[:7]}")', k=31) == of_month
        assert found(f'(?o:order)-[order date]-("{missing}")') == set()
        assert found('(?o:order)-[order date]-("1899")') == set()
        assert found('(?o:order)-[order id]-("10249")') == {"Order 10249"}
        assert found('(?o:order)-[order id]-("99999")') == set()
        assert found('(?o:order)-[ship city]-("Zanzibar")') == set()


def test_conditions_and_counts_are_those_of_the_data(settings: Settings) -> None:
    products, orders = northwind.nodes()["Product"], northwind.nodes()["Order"]
    dear = {p["productName"] for p in products if p["unitPrice"] > 60}
    of_1997 = [o for o in orders if o["orderDate"].startswith("1997")]
    with Session.open(settings) as session:
        found = session.match("(?p:product)-[unit price]->(?v) where ?v > 60 return ?p", k=1)
        assert {match.bindings["p"].name for _, match in found.matches} == dear
        text = "(?o:order)-[order date]->(?d) where ?d in 1997 return count(?o)"
        counted = session.match(text, k=1)
        assert counted.count() == Count(1, len(of_1997), at_least=False)
        assert counted.profile.strategy != "procedure"
        prices = [p["unitPrice"] for p in products]
        text = "(?p:product)-[unit price]->(?v) return ?p order by ?v desc limit 1"
        (dearest,) = session.match(text, k=1).answers()
        assert dearest.name == max(products, key=lambda p: p["unitPrice"])["productName"]
        cheap = session.match(
            "(?p:product)-[unit price]->(?v) where ?p not in "
            "{ (?q:product)-[unit price]->(?w) where ?w > 60 return ?q } return count(?p)",
            k=1,
        )
        assert cheap.count() == Count(1, len(products) - len(dear), at_least=False)
        assert cheap.certificate.complete
        total = session.match("(?p:product)-[unit price]->(?v) return sum(?v)", k=1)
        value = total.value()
        assert value is not None
        assert value.name == format(sum(Decimal(repr(v)) for v in prices).normalize(), "f")


def _days() -> Iterator[str]:
    return (f"1997-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29))

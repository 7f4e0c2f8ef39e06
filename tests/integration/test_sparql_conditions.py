"""Conditions, orders and parts are the same on every engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.oracle import counts
from tests.oracle.conditions import CRIMES, FILMS, check_conditions, check_notations
from tests.oracle.language import SOME, check_language
from tests.oracle.names import check_every
from tests.oracle.narrowing import TURTLE, check_narrowing
from tests.oracle.optional import BLANK, check_blank_nodes, check_optional

from isomatch.session import Session

pytestmark = pytest.mark.slow


def test_every_engine_gives_what_satisfies_conditions(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(FILMS) as session:
        check_conditions(session)


def test_no_engine_leaves_out_what_a_condition_keeps(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(TURTLE) as session:
        check_narrowing(session)


def test_every_engine_reads_days_in_another_notation(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(CRIMES) as session:
        check_notations(session)


def test_every_engine_gives_what_orders_and_parts_must(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(SOME.turtle()) as session:
        check_language(session, SOME)


def test_every_engine_gives_what_optional_parts_must(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(SOME.turtle()) as session:
        check_optional(session, SOME)


def test_every_engine_gives_all_nodes_of_a_name(open_sparql: Callable[[str], Session]) -> None:
    with open_sparql(SOME.turtle()) as session:
        check_every(session, SOME)


def test_every_engine_counts_more_than_is_listed(open_sparql: Callable[[str], Session]) -> None:
    with open_sparql(counts.TURTLE) as session:
        virtuoso = session.store.capabilities.engine == "virtuoso"
        counts.check_many(session, counts=not virtuoso)
        counts.check_lists(session, counts=not virtuoso)


def test_every_engine_asks_for_columns_of_blank_nodes_or_says_that_it_cannot(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(BLANK) as session:
        check_blank_nodes(session)

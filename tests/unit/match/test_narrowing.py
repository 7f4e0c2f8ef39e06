"""Databases leave out rows that break a condition, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.letters import Letters
from tests.oracle.narrowing import (
    CONSTANTS,
    TURTLE,
    check_narrowing,
    conditions,
    judged,
    values_of,
)
from tests.servers.sessions import session_over
from tests.turtle import graph_of, opened

import isomatch
from isomatch.errors import QueryRefused
from isomatch.match import state
from isomatch.match.values import ranges_of
from isomatch.output.words import nothing_words
from isomatch.pattern import Condition, parse
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[isomatch.Session]:
    home = tmp_path_factory.mktemp("narrowing")
    with session_over(OxigraphStore.memory(graph_of(TURTLE)), home, Letters(12)) as session:
        yield session


def test_oxigraph_leaves_out_nothing_that_a_condition_keeps(session: isomatch.Session) -> None:
    check_narrowing(session)


def test_rdflib_leaves_out_nothing_that_a_condition_keeps(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=TURTLE, format="turtle")
    with session_over(RdflibStore(graph), tmp_path, Letters(12)) as session:
        check_narrowing(session)


every = st.sampled_from(list(conditions()))


@given(st.lists(st.lists(every, min_size=1, max_size=3), min_size=1, max_size=2))
def test_conditions_joined_by_or_and_and_lose_nothing(
    session: isomatch.Session, groups: list[list[Condition]]
) -> None:
    where = [replace(first, either=tuple(rest)) for first, *rest in groups]

    plain, narrowed = (judged(session, *where, narrowed=n) for n in (False, True))

    assert narrowed[:3] == plain[:3]


@pytest.mark.parametrize(
    ("where", "ends"),
    [
        ("?v > 5", (5, None, None, None)),
        ("?v between 3 and 1995", (3, 1995, None, None)),
        ("?v in (1, 7, 3)", (1, 7, None, None)),
        ("?v < 5 or ?v between 1 and 7", (None, 7, None, None)),
        ("?v > 5 and ?v <= 9", (5, 9, None, None)),
        ("?v in 1990-07", (None, None, 1990, 1990)),
        ("?v >= 1990", (1990, None, 1990, None)),
    ],
)
def test_ranges_are_a_little_wider_than_conditions(
    where: str, ends: tuple[float | None, ...]
) -> None:
    (found,) = ranges_of(parse(f"(?x)-[value]->(?v) where {where}"))

    assert found.node == 1
    for end, asked in zip((found.least, found.most, found.first, found.last), ends, strict=True):
        if asked is None:
            assert abs(end) == float("inf")
        else:
            assert 0 < abs(end - asked) <= 3


@pytest.mark.parametrize(
    ("where", "holes"),
    [
        ("?v in (1, 7, 3)", [(1, 3), (3, 7)]),
        ("?v in (1, 7, 3) and ?v < 5", [(1, 3)]),
        ("?v < 5 or ?v > 10", [(5, 10)]),
        ("?v < 5 or ?v between 7 and 9 or ?v = 12", [(5, 7), (9, 12)]),
        ("?v in (1, 7) and ?v in (1, 3, 7)", [(1, 7)]),
        ("?v in (1, 7) or ?v > 3", [(1, 3)]),
        ("?v in (7, 7.0000001)", []),
        ("?v between 3 and 1995", []),
        ('?v in (1, "noir", 7)', []),
        ("?v > 5 and ?v < 3", []),
    ],
)
def test_holes_are_a_little_smaller_than_what_is_between(
    where: str, holes: list[tuple[float, float]]
) -> None:
    found = [one for r in ranges_of(parse(f"(?x)-[value]->(?v) where {where}")) for one in r.holes]

    assert len(found) == len(holes)
    for (least, most), (after, before) in zip(found, holes, strict=True):
        assert 0 < least - after < 1e-4
        assert 0 < before - most < 1e-4


def test_the_widest_holes_of_a_long_list_are_asked_about() -> None:
    values = ", ".join(str(n * n) for n in range(100))
    (found,) = ranges_of(parse(f"(?x)-[value]->(?v) where ?v in ({values})"))
    assert [round(end) for end, _ in found.holes] == [n * n for n in range(83, 99)]
    (years,) = ranges_of(parse("(?x)-[value]->(?v) where ?v in (1990-01-02, 2010-05, 1991-01-01)"))
    assert (years.holes, years.year_holes) == ((), ((1992, 2008),))


@pytest.mark.parametrize(
    "where",
    [
        "?v != 5",
        '?v contains "5"',
        '?v = "noir"',
        "?v < 5 or ?v > 3",
        '?v > 5 or ?v = "soon"',  # a number cannot be compared with it, which is told
        "?v > ?x",
        "?v < 5 or ?v < ?x",
        "count(?v) > 5 return ?x",
    ],
)
def test_what_leaves_out_no_number_has_no_range(where: str) -> None:
    assert ranges_of(parse(f"(?x)-[value]->(?v) where {where}")) == ()


def test_every_constant_has_a_comparison() -> None:
    assert {c.values[0] for c in conditions()} == set(CONSTANTS)
    assert values_of("between", "1", "2", "3") == ("1", "2")


MANY = "\n".join(f"<http://e/n{i}> <http://e/value> {i} ." for i in range(600))
BIG = "(?x)-[value]->(?v) where ?v > 500 return count(?x)"


def test_many_rows_are_narrowed_by_the_database_and_few_are_not() -> None:
    with opened(MANY) as session:
        result = session.match(BIG, k=1)
        assert str(result.count()) == "99"
        assert result.profile.rows == state.GLANCE + 1 + 100  # and 500 itself
        none = session.match(BIG.replace("500", "9000"), k=1)
        assert (str(none.count()), none.profile.rows) == ("0", state.GLANCE + 1)
        assert nothing_words(none) == "no match satisfies the conditions"
        assert any(note == "no match satisfies the conditions" for note in none.certificate.notes)


def test_what_is_between_the_constants_of_in_is_left_out() -> None:
    some = "(?x)-[value]->(?v) where ?v in (3, 300, 597) return count(?x)"
    with opened(MANY) as session:
        result = session.match(some, k=1)
    assert (str(result.count()), result.profile.rows) == ("3", state.GLANCE + 1 + 3)


def test_an_engine_that_refuses_the_comparison_gives_all_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with opened(MANY) as session:
        run = session.store.run

        def refuses(query, **more):  # type: ignore[no-untyped-def]
            if "COALESCE" in query.text:
                raise QueryRefused("no COALESCE here")
            return run(query, **more)

        monkeypatch.setattr(session.store, "run", refuses)
        result = session.match(BIG, k=1)

    assert str(result.count()) == "99"
    assert result.certificate.exact


def test_matches_that_were_not_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "WHOLE", 400)
    text = "(?x)-[value]->(?v) where ?v != 9999 return count(?x)"
    with opened(MANY) as session:
        some = session.match(text, k=1)
        assert str(some.count()) == "at least 400"
        assert any("more matches than were read" in note for note in some.certificate.notes)
        narrowed = session.match(BIG, k=1)  # 400 of what the database leaves suffice
        assert str(narrowed.count()) == "99"
        none = session.match(text.replace("!= 9999", 'contains "z"'), k=1)
        assert not none
        assert none.certificate.ended_by == "rows"
        assert not none.certificate.exact
        assert nothing_words(none) == "nothing found before the rows ran out"
        plain = session.match("(?x)-[value]->(?v) where ?v != 9999", k=5, results="matches")
        assert plain.certificate.ended_by == "rows"

"""Dates in other notations: found by relation, read where that is sure, and told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from operator import eq, ge, gt, le, lt, ne

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.turtle import opened

import isomatch
from isomatch.match.notations import SAMPLE, Notation, as_read, notation_of
from isomatch.store.terms import XSD, literal

DAYS = st.dates(date(1990, 1, 1), date(2030, 12, 31))
OPERATORS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def written(day: date, *, day_first: bool = True, mark: str = "/", padded: bool = True) -> str:
    first, second = (day.day, day.month) if day_first else (day.month, day.day)
    width = "02" if padded else ""
    return f"{first:{width}}{mark}{second:{width}}{mark}{day.year}"


def graph_of(texts: Sequence[str]) -> str:
    return "\n".join(f'<http://e/n{i}> <http://e/date> "{t}" .' for i, t in enumerate(texts))


def found(result: isomatch.MatchResult) -> list[int]:
    return [int(bound.id.removeprefix("http://e/n")) for bound in result.answers()]


@given(
    st.lists(DAYS, min_size=1, max_size=20), st.booleans(), st.sampled_from("/.-"), st.booleans()
)
def test_a_notation_is_found_where_a_day_tells_it(
    days: list[date], day_first: bool, mark: str, padded: bool
) -> None:
    ids = [literal(written(d, day_first=day_first, mark=mark, padded=padded)) for d in days]

    notation = notation_of(ids)

    assert notation is not None
    told = any(day.day > 12 for day in days)
    assert notation.day_first == (day_first if told else None)
    for id, day in zip(ids, days, strict=True):
        expected = literal(day.isoformat(), datatype=XSD + "date") if told else id
        assert as_read(id, notation) == expected


@pytest.mark.parametrize(
    "text", ["1/2/17", "29-08/2017", "a 29/08/2017", "29/08/2017 10:00", "2017/08/29", "31/02/2017"]
)
def test_other_texts_stay_texts(text: str) -> None:
    assert as_read(literal(text), Notation(True, "29/08/2017")) == literal(text)


def test_a_relation_that_tells_both_is_not_read() -> None:
    both = notation_of([literal("29/08/2017"), literal("08/29/2017")])
    assert both == Notation(None, "08/29/2017")
    assert notation_of([literal("noir"), literal("1995")]) is None


@pytest.mark.parametrize("day_first", [True, False])
def test_conditions_and_orders_are_those_of_the_days(day_first: bool) -> None:
    source = random.Random(7)
    days = [date(2017, source.randint(1, 12), source.randint(1, 28)) for _ in range(40)]
    with opened(graph_of([written(d, day_first=day_first) for d in days])) as session:
        for operator, holds in OPERATORS.items():
            for constant in days[:4]:
                own = {i for i, d in enumerate(days) if holds(d, constant)}
                for text in (constant.isoformat(), f'"{written(constant, day_first=day_first)}"'):
                    if '"' in text and operator not in ("=", "!="):
                        continue
                    asked = f"(?x)-[date]->(?d) where ?d {operator} {text} return ?x"
                    assert set(found(session.match(asked, k=1))) == own, asked
        inside = session.match("(?x)-[date]->(?d) where ?d in 2017-08 return ?x", k=1)
        assert set(found(inside)) == {i for i, d in enumerate(days) if d.month == 8}
        first = session.match("(?x)-[date]->(?d) return min(?d)", k=1).value()
        assert first is not None
        assert first.name == written(min(days), day_first=day_first)
        last = session.match("(?x)-[date]->(?d) return ?x order by ?d desc limit 1", k=1)
        assert set(found(last)) == {i for i, d in enumerate(days) if d == max(days)}
        order = "day, month, year" if day_first else "month, day, year"
        notes = " ".join(last.certificate.notes)
        assert 'texts of "date" such as' in notes
        assert f"are read as {order}" in notes
        explained = session.explain("(?x)-[date]->(?d) where ?d > 2017-06 return ?x")
        assert any(order in note for note in explained.notes)


def test_two_values_of_a_relation_are_compared_as_days() -> None:
    texts = ["29/08/2017", "01/09/2017", "02/10/2016"]
    with opened(graph_of(texts)) as session:
        text = "(?x)-[date]->(?d), (?y)-[date]->(?e) where ?d < ?e return ?x, ?y"
        result = session.match(text, k=1)
        pairs = {(m.bindings["x"].id[-1], m.bindings["y"].id[-1]) for _, m in result.matches}
    assert pairs == {("0", "1"), ("2", "0"), ("2", "1")}


def test_what_nobody_can_tell_stays_a_text_and_is_told() -> None:
    with opened(graph_of(["01/02/2017", "03/04/2017", "soon"])) as session:
        after = session.match("(?x)-[date]->(?d) where ?d >= 2017-01 return ?x", k=1)
        assert not after.found
        notes = " ".join(after.certificate.notes)
        assert "may begin with the day or the month: they are not read as dates" in notes
        assert "3 nodes or values could not be compared" in notes
        same = session.match('(?x)-[date]->(?d) where ?d = "03/04/2017" return ?x', k=1)
        assert found(same) == [1]
        part = session.match('(?x)-[date]->(?d) where ?d contains "04/20" return ?x', k=1)
        assert found(part) == [1]
        assert not any("03/04" in note for note in part.certificate.notes)


def test_no_is_not_proven_by_a_notation_that_was_found() -> None:
    with opened(graph_of(["29/08/2017", "30/08/2017"])) as session:
        text = "(?x)-[date]->(?d) where ?d > {} return ask"
        assert session.match(text.format("2017-08-29")).holds
        assert session.match(text.format("2018")).holds is None


def test_one_match_is_read_by_the_values_of_its_relation() -> None:
    more = '<http://e/n9> <http://e/kind> "special" .'
    graph = graph_of([*["03/04/2017"] * 9, "05/06/2017", "29/08/2017"]) + more
    with opened(graph) as session:
        text = '(?x)-[kind]->("special"), (?x)-[date]->(?d) where ?d in 2017-06 return ?x'
        assert found(session.match(text, k=1)) == [9]
        unknown = session.match('(?x)-[kind]->("special"), (?x)-[]->(?d) where ?d in 2017-06', k=1)
        assert not unknown.found
        assert SAMPLE >= 1000

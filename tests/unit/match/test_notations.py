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
from isomatch.errors import ConfigurationError
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
    "text",
    [
        *("1/2/17", "29-08/2017", "a 29/08/2017", "2017/08/29", "31/02/2017", "31/02/2017 10:00"),
        *("29/08/2017 24:00", "29/08/2017 9", "29/08/2017 10:60", "29/08/2017 13:00 pm"),
        *("29/08/2017 0:10 AM", "29/08/2017 10:00:61", "29/08/2017 10:00 to 11:00"),
    ],
)
def test_other_texts_stay_texts(text: str) -> None:
    assert as_read(literal(text), Notation(True, "29/08/2017")) == literal(text)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("29/08/2017 13:45", "2017-08-29T13:45"),
        ("29.08.2017 9:05:10", "2017-08-29T09:05:10"),
        ("29-8-2017T00:00:00.5", "2017-08-29T00:00:00.5"),
        ("29/08/2017, 01:45:00 PM", "2017-08-29T13:45:00"),
        ("29/08/2017 12:10 a.m.", "2017-08-29T00:10"),
        ("29/08/2017 12:10pm", "2017-08-29T12:10"),
    ],
)
def test_a_time_may_follow_the_day(text: str, iso: str) -> None:
    notation = notation_of([literal(text)])
    assert notation == Notation(True, text)
    assert as_read(literal(text), notation) == literal(iso, datatype=XSD + "dateTime")


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


TIMES = ("29/08/2017 13:45", "29/08/2017 13:45:10", "30/08/2017 00:00", "29/08/2017", "soon")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("in 2017-08-29", {0, 1, 3}),
        ("in 2017-08-29T13:45", {0, 1}),  # a minute has its seconds in it
        ("= 2017-08-29T13:45:10", {1}),
        ('= "29/08/2017 13:45"', {0, 1}),
        ("> 2017-08-29T13:45:09", {1, 2}),
        ("> 2017-08-29T13:45", {2}),
        ("< 2017-08-29T13:45:10", set()),  # of the minute nobody knows
        ("< 2017-08-29T13:46", {0, 1}),
        (">= 2017-08-30", {2}),
        ("!= 2017-08-29", {2, 4}),  # a text that is no date is another text
        ('contains "13:45"', {0, 1}),
    ],
)
def test_times_are_compared_at_their_own_precision(condition: str, expected: set[int]) -> None:
    with opened(graph_of(TIMES)) as session:
        result = session.match(f"(?x)-[date]->(?d) where ?d {condition} return ?x", k=1)
        assert set(found(result)) == expected


def test_times_are_ordered() -> None:
    with opened(graph_of(TIMES)) as session:
        last = session.match("(?x)-[date]->(?d) return ?x order by ?d desc limit 2", k=1)
        assert found(last) == [2, 1]


def declared(texts: Sequence[str], format: str, name: str = "date") -> isomatch.Session:
    return opened(graph_of(texts), dates={name: format})


@pytest.mark.parametrize("name", ["date", "Date", "http://e/date"])
def test_a_declared_format_wins_over_what_the_values_tell(name: str) -> None:
    texts = ["01/02/2017", "03/04/2017", "12/29/2017", "soon"]
    with declared(texts, "%m/%d/%Y", name) as session:
        after = session.match("(?x)-[date]->(?d) where ?d >= 2017-03 return ?x", k=1)
        assert set(found(after)) == {1, 2}
        notes = " ".join(after.certificate.notes)
        told = "texts of \"date\" are read as %m/%d/%Y, as declared; others, such as 'soon', stay"
        assert told in notes
        assert "1 node or value could not be compared" in notes
        explained = session.explain("(?x)-[date]->(?d) where ?d > 2017-06 return ?x")
        assert any("read as %m/%d/%Y, as declared" in note for note in explained.notes)
    with declared(texts, "%d/%m/%Y", name) as session:
        march = session.match("(?x)-[date]->(?d) where ?d in 2017-04 return ?x", k=1)
        assert found(march) == [1]
        same = session.match('(?x)-[date]->(?d) where ?d = "12/29/2017" return ?x', k=1)
        assert found(same) == [2]  # what does not fit is a text, and equal to itself


@pytest.mark.parametrize(
    ("format", "texts"),
    [
        ("%Y%m%d", ["20170829", "20170830"]),
        ("%d %b %y", ["29 Aug 17", "30 Aug 17"]),
        ("%d.%m.%Y %H:%M:%S", ["29.08.2017 13:45:10", "30.08.2017 00:00:00"]),
        ("%m/%d/%Y %I:%M %p", ["08/29/2017 1:45 PM", "08/30/2017 12:00 AM"]),
        ("%Y-%m-%dT%H:%M%z", ["2017-08-29T23:30+0000", "2017-08-30T01:30+0100"]),
    ],
)
def test_formats_that_no_value_tells(format: str, texts: Sequence[str]) -> None:
    with declared(texts, format) as session:
        for moment, expected in (("2017-08-29", {0}), ("2017-08-30", {1}), ("2017-08", {0, 1})):
            asked = f"(?x)-[date]->(?d) where ?d in {moment} return ?x"
            assert set(found(session.match(asked, k=1))) == expected
        equal = session.match(f'(?x)-[date]->(?d) where ?d = "{texts[1]}" return ?x', k=1)
        assert found(equal) == [1]
        last = session.match("(?x)-[date]->(?d) return max(?d)", k=1).value()
        assert last is not None
        assert last.name == texts[1]


@pytest.mark.parametrize(("texts", "no"), [(["29/08/2017"], False), (["29/08/2017", "soon"], None)])
def test_no_is_proven_by_what_is_declared(texts: Sequence[str], no: bool | None) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    graph = "\n".join(f'<http://e/n> <http://e/date> "{t}" ; {label} "Ann Lee" .' for t in texts)
    text = '("Ann Lee")-[date]->(?d) where ?d > 2018 return ask'
    with opened(graph, dates={"date": "%d/%m/%Y"}) as session:
        assert session.match(text).holds is no
    with opened(graph) as session:
        assert session.match(text).holds is None


def test_a_declared_relation_that_the_graph_does_not_have_is_an_error_with_near_names() -> None:
    session = declared(["29/08/2017"], "%d/%m/%Y", "dat")
    with session, pytest.raises(ConfigurationError) as caught:
        session.match("(?x)-[date]->(?d) return ?x")
    assert str(caught.value) == (
        "the setting 'dates' names the relation 'dat', which the graph does not have; there is "
        'date. Write [dates] "date" = "%d/%m/%Y"'
    )


def test_two_formats_of_one_value_are_not_read() -> None:
    more = '<http://e/n0> <http://e/begun> "29/08/2017" .'
    formats = {"date": "%d/%m/%Y", "begun": "%m/%d/%Y"}
    with opened(graph_of(["29/08/2017"]) + more, dates=formats) as session:
        text = "(?x)-[date]->(?d), (?x)-[begun]->(?d) where ?d in 2017 return ?x"
        result = session.match(text, k=1, nodes="repeat")
        assert not result.found
        notes = " ".join(result.certificate.notes)
        assert "two declared formats, %d/%m/%Y and %m/%d/%Y: they are not read" in notes

"""Conditions on values: what compares with what, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import rdflib
from tests.oracle.conditions import FILMS, check_conditions
from tests.oracle.letters import Letters
from tests.servers.sessions import session_over
from tests.turtle import graph_of, opened

import isomatch
from isomatch.errors import PatternError
from isomatch.match import state
from isomatch.match.conditions import holds, period
from isomatch.match.types import Count
from isomatch.output.queries import to_query
from isomatch.output.words import nothing_words
from isomatch.pattern import Condition, format_text, parse
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore
from isomatch.store.terms import XSD, literal


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(FILMS) as session:
        yield session


def test_oxigraph_gives_what_satisfies_conditions(tmp_path: Path) -> None:
    with session_over(OxigraphStore.memory(graph_of(FILMS)), tmp_path, Letters(12)) as session:
        check_conditions(session)


def test_rdflib_gives_what_satisfies_conditions(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with session_over(RdflibStore(graph), tmp_path, Letters(12)) as session:
        check_conditions(session)


@pytest.mark.parametrize("strategy", ["ascending", "semi-join", "brute force"])
def test_every_strategy_gives_the_same_matches(session: isomatch.Session, strategy: str) -> None:
    text = '(?f:film)-[year]->(?y), (?f)-[by]->("Michael Mann") where ?y > 1990 return count(?f)'

    result = session.match(text, strategy=strategy)

    assert str(result.count()) == "2"
    assert result.certificate.complete


@pytest.mark.parametrize(
    ("form", "datatype", "operator", "constant", "expected"),
    [
        ("7", "integer", "=", "7.0", True),
        ("0.1", "double", "<", "0.10000000000000001", True),
        ("123456789012345678901234567890", "integer", ">", "123456789012345678901234567889", True),
        ("INF", "double", ">", "1", None),
        ("NaN", "double", "!=", "1", None),
        ("true", "boolean", "=", "true", True),
        ("1", "boolean", "!=", "false", True),
        ("true", "boolean", ">", "1", None),
        ("2004-02-29", "date", "in", "2004-02", True),
        ("-0044-03-15", "date", "<", "0001", True),
        ("2000-12-31T23:30:00-01:00", "dateTime", ">=", "2001", True),
        ("2000-12-31T23:30:00", "dateTime", ">=", "2001", False),
        ("2001", "gYear", ">", "7", None),
        ("29/08/2017", "string", ">", "2017", None),
        ("1,500", "string", ">=", "1500", True),
        ("Noir", "string", "=", "noir", True),
        ("Noir", "string", "<", "5", None),
        ("P1D", "duration", "!=", "5", None),
    ],
)
def test_values_compare_by_what_they_are(
    form: str, datatype: str, operator: str, constant: str, expected: bool | None
) -> None:
    id = literal(form, datatype=XSD + datatype)

    condition = Condition("x", operator, (constant,))  # type: ignore[arg-type]
    assert holds(condition, id) is expected


def test_a_node_satisfies_no_condition_and_is_told(session: isomatch.Session) -> None:
    result = session.match('(?f:film)-[by]->(?p:person) where ?p != "Nobody"', k=1)

    assert not result.found
    (note,) = (n for n in result.certificate.notes if "could not be compared" in n)
    assert "name one in the pattern" in note
    assert "no match satisfies the conditions (of 4)" in result.certificate.notes


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("where ?x = ?y return count(?f)", "2"),
        ("where ?x >= ?y return count(?f)", "3"),
        ("where ?x > ?y return count(?f)", "1"),
        ("where (?x = ?y or ?x < 3) return count(?f)", "2"),
    ],
)
@pytest.mark.parametrize("strategy", ["auto", "brute force"])
def test_two_nodes_that_are_compared_may_be_one_value(
    asked: str, found: str, strategy: str
) -> None:
    turtle = """@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a a :Film ; rdfs:label "A" ; :length 90 . :b a :Film ; rdfs:label "B" ; :length 90 .
    :c a :Film ; rdfs:label "C" ; :length 95 ."""
    text = f"(?f:film)-[length]->(?x), (?g:film)-[length]->(?y) {asked}"
    with opened(turtle) as session:
        result = session.match(text, k=1, strategy=strategy)

        assert str(result.count()) == found
        assert result.certificate.complete


@pytest.mark.parametrize("day", ["1995-02-29", "1995-13", "1995-00-10", "1995-04-31", "x"])
def test_a_day_that_does_not_exist_is_no_period(day: str) -> None:
    assert period(day) is None


def test_days_of_a_year_follow_each_other() -> None:
    ends = [period(day) for day in ("2000-02-28", "2000-02-29", "2000-03-01")]

    assert [a.end == b.start for a, b in pairwise(ends) if a and b] == [True] * 2
    assert period("2000").end == period("2001-01-01").start  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ('?y > "abc"', "no number, and no date"),
        ("?y > 1995-02-30", "no date that exists"),
        ("?z > 5", "which the pattern does not have"),
        ("?mann > 5", "names 'mann'"),
        ("?y ~ 5", "expected a comparison"),
        ("?y >", "expected a number"),
        ("?y in ()", "expected a number"),
        ("?y in 1, 2", "expected"),
        ("?y between 5", "expected and"),
        (f"?y in ({', '.join(map(str, range(1001)))})", "at most 1,000 values"),
        ("y > 5", "expected \\?"),
        ("?y > 5 or ?f < 3", "or joins conditions on one value, .*; these are on \\?y and \\?f"),
        ("?y > 5 or ?y between 3", "expected and"),
        ('?y > 5 or ?y < "abc"', "no number, and no date"),
        ("?y = 1999-02-30", "1999-02-30 is no date that exists"),
        ("?y in (1999-12-31, 1999-13)", "1999-13 is no date that exists"),
    ],
)
def test_a_bad_condition_is_told_with_the_right_form(
    session: isomatch.Session, condition: str, problem: str
) -> None:
    text = f'(?f:film)-[year]->(?y), (?f)-[by]->(mann "Michael Mann") where {condition}'
    for asked in (session.match, session.explain):
        with pytest.raises(PatternError, match=problem):
            asked(text)


def test_more_rows_than_are_read_are_told(
    session: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "WHOLE", 2)
    text = '(?f:film)-[by]->("Michael Mann"), (?f)-[year]->(?y) where ?y > 1900 return count(?f)'

    count = session.match(text).count()
    assert count is not None
    assert count.at_least
    plain = session.match(text.replace(" return count(?f)", ""), results="matches", k=9)
    assert plain.certificate.ended_by == "rows"
    assert not plain.certificate.exact


def test_an_interpretation_stands_though_no_match_satisfies_the_conditions(
    session: isomatch.Session,
) -> None:
    text = '(?f:film)-[by]->("Michael Mann"), (?f)-[year]->(?y) where ?y > 3000'
    result, counted = (session.match(t, k=1) for t in (text, f"{text} return count(?f)"))

    chosen = [c.name for c in result.interpretations[0].choices if c.part == "relation"]
    assert chosen == ["by", "year"]
    assert result.interpretations[0].matches == ()
    assert not result.found
    assert result.certificate.complete
    assert "satisfies the conditions" in " ".join(result.certificate.notes)
    assert counted.found
    assert counted.count() == Count(1, 0, at_least=False)
    assert nothing_words(result) == "no match satisfies the conditions"
    assert to_query(result, session) is None
    answer = session.ask(text, interpreter="given")
    assert not answer.supported
    assert session.ask(f"{text} return count(?f)", interpreter="given").text == "0."


def test_a_text_that_is_a_date_may_be_searched_for_a_part_of_it() -> None:
    graph = '<http://e/a> <http://e/day> "1995-07-01" . <http://e/b> <http://e/day> "1996-01-01" .'
    with opened(graph) as session:
        result = session.match('(?x)-[day]->(?d) where ?d starts with "1995" return ?x', k=1)
    assert [bound.id for bound in result.answers()] == ["http://e/a"]


def test_a_limit_counts_what_satisfies_the_conditions(session: isomatch.Session) -> None:
    text = '(?f:film)-[by]->("Michael Mann"), (?f)-[year]->(?y) where ?y > 1990 return count(?f)'

    assert str(session.match(text, limit=2).count()) == "2"
    assert str(session.match(text, limit=1).count()) == "2"


def test_a_query_for_people_says_what_it_lacks(session: isomatch.Session) -> None:
    result = session.match("(?f:film)-[year]->(?y) where ?y > 1990 return count(?f)", k=1)

    text = to_query(result, session)

    assert text is not None
    assert text.startswith("# without: where ?y > 1990 return count(?f)\nPREFIX")


def test_every_written_form_has_conditions() -> None:
    text = (
        "(?film:film)-[year]->(?y), (?film)-[tag]->(?t) "
        'where ?y >= 1990 and ?t in ("noir", "2001: A", 7) return ?film'
    )
    triples = (
        '("UNKNOWN film", [year]->, "UNKNOWN ?y"), ("UNKNOWN film", [tag]->, "UNKNOWN ?t") '
        'where ?y >= 1990 and ?t in ("noir", "2001: A", 7) return UNKNOWN film'
    )
    form = {
        "nodes": [{"id": "film", "type": "film"}, {"id": "y"}, {"id": "t"}],
        "edges": [
            {"source": "film", "relation": "year", "target": "y", "directed": True},
            {"source": "film", "relation": "tag", "target": "t", "directed": True},
        ],
        "where": [
            {"node": "y", "operator": ">=", "values": ["1990"]},
            {"node": "t", "operator": "in", "values": ["noir", "2001: A", "7"]},
        ],
        "return": ["film"],
    }
    assert parse(text) == parse(triples) == parse(form)
    assert format_text(parse(form)) == text


def test_properties_of_a_node_are_linked_like_names(session: isomatch.Session) -> None:
    found = session.match('(?f:film {by: "Michael Mann", year: ?y}) where ?y > 1990 return ?f', k=1)
    assert {bound.name for bound in found.answers()} == {"Heat", "Ali"}
    for year, film in (("1995", "Heat"), ('"1981"', "Thief"), ('"soon"', "Secret")):
        result = session.match(f"(?f:film {{year: {year}}}) return ?f", k=1)
        assert [bound.name for bound in result.answers()] == [film]
        assert result.certificate.complete

"""A year means every value in it, as one interpretation; a code is the same, or not found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib

import isomatch
from isomatch.link import linker
from isomatch.session import Session

BIRTHS = """
@prefix : <urn:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann :born "1973-01-02"^^xsd:date . :bob :born "1973-05-06"^^xsd:date .
:eve :born "1973-09-10T10:00:00Z"^^xsd:dateTime . :sam :born "1980-09-10"^^xsd:date .
:ann :died "2020-01-01"^^xsd:date . :eve :died "2020-02-03"^^xsd:date .
:kim :born "1973"^^xsd:gYear . :kim :wed "1973-05-06"^^xsd:date .
"""


@pytest.fixture(scope="module")
def births() -> Iterator[Session]:
    with isomatch.open(rdflib.Graph().parse(data=BIRTHS, format="turtle")) as session:
        yield session


def who(result: isomatch.MatchResult) -> list[list[str]]:
    return [
        sorted(match.bindings["who"].name for match in i.matches) for i in result.interpretations
    ]


@pytest.mark.parametrize("strategy", ["auto", "ascending", "semi-join", "brute force"])
@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("1973", ["ann", "bob", "eve", "kim"]),
        ("1973-05", ["bob"]),
        ("September 1973", ["eve"]),
        ("1973-09-10", ["eve"]),
    ],
)
def test_a_year_month_or_day_is_one_interpretation_with_all_its_values(
    births: Session, strategy: str, text: str, people: list[str]
) -> None:
    result = births.match(f'(?who)-[born]-("{text}")', k=1, strategy=strategy)
    assert who(result) == [people]
    assert result.certificate.complete
    assert not result.certificate.ties
    assert not result.interpretations[0].cut


@pytest.mark.parametrize("strategy", ["ascending", "brute force"])
def test_two_years_are_one_interpretation_of_all_pairs(births: Session, strategy: str) -> None:
    pattern = '("1973")<-[born]-(?who)-[died]->("2020")'
    result = births.match(pattern, k=2, strategy=strategy)
    assert who(result) == [["ann", "eve"]]
    assert result.certificate.complete


@pytest.mark.parametrize("strategy", ["ascending", "semi-join", "brute force"])
def test_a_year_that_comes_twice_has_all_its_values_in_both_places(
    births: Session, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for constant in ("FIRST", "WHOLE", "MOST_TIES"):
        monkeypatch.setattr(linker, constant, 1)
    pattern = '(?who)-[born]->(x "1973"), (?other)-[born]->(y "1973")'
    result = births.match(pattern, k=1, strategy=strategy)
    assert len(result.interpretations[0].matches) == 4 * 3
    assert result.certificate.complete


@pytest.mark.parametrize("strategy", ["ascending", "brute force"])
def test_fixed_lists_that_lack_values_count_no_matches_as_all(
    births: Session, strategy: str
) -> None:
    result = births.match('(?who)-[born]->("1973")', k=1, k_nodes=2, strategy=strategy)
    assert result.interpretations[0].cut
    assert not result.certificate.complete


def test_the_choice_of_a_year_names_the_values_that_have_a_match(births: Session) -> None:
    [best] = births.match('(?who)-[born]-("1973")', k=1).interpretations
    year = best.choices[0]
    assert (year.name, year.distance, len(year.ids)) == ("1973", 0.0, 4)
    assert {m.bindings[n].id for m in best.matches for n in m.bindings if n != "who"} == {*year.ids}


def test_the_limit_cuts_the_matches_of_a_year_and_says_so(births: Session) -> None:
    [best] = births.match('(?who)-[born]-("1973")', k=1, limit=2).interpretations
    assert (len(best.matches), best.cut) == (2, True)


def test_a_list_of_fixed_length_that_lacks_values_of_a_year_proves_nothing_complete(
    births: Session,
) -> None:
    result = births.match('(?who)-[born]-("1973")', k=1, k_nodes=2)
    assert result.certificate.exact
    assert not result.certificate.complete


def test_the_query_that_is_shown_asks_for_all_values_of_a_year(births: Session) -> None:
    query = isomatch.to_query(births.match('(?who)-[born]-("1973")', k=1), births)
    rows = rdflib.Graph().parse(data=BIRTHS, format="turtle").query(query or "")
    assert len({row["who"] for row in rows}) == 4


def test_plain_matches_are_counted_one_by_one(births: Session) -> None:
    result = births.match('(?who)-[born]-("1973")', k=2, results="matches")
    assert [len(found) for found in who(result)] == [1, 1]
    assert result.certificate.ties


ORDERS = """
@prefix : <urn:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:one :placed "1996-09-26 00:00:00.000" ; :zip "WX1 1DP" ; :city "Paris" ; :day :fourth .
:two :placed "1996-07-04 00:00:00.000" ; :zip "05-1234" ; :city "Lyon" ; :day :fifth .
:fourth rdfs:label "1997-01-04" . :fifth rdfs:label "1997-01-05" .
"""


@pytest.fixture(scope="module")
def orders() -> Iterator[Session]:
    with isomatch.open(rdflib.Graph().parse(data=ORDERS, format="turtle")) as session:
        yield session


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ('(?o)-[placed]-("1996-07-04")', {"two"}),
        ('(?o)-[placed]-("July 4, 1996")', {"two"}),
        ('(?o)-[placed]-("1996-07-04 00:00:00.000")', {"two"}),
        ('(?o)-[placed]-("1996")', {"one", "two"}),
        ('(?o)-[placed]-("1996-07")', {"two"}),
        ('(?o)-[placed]-("1996-07-05")', set()),
        ('(?o)-[placed]-("1997")', set()),
        ('(?o)-[day]-("4 January 1997")', {"one"}),
        ('(?o)-[zip]-("WX1-1DP")', {"one"}),
        ('(?o)-[zip]-("WA1 1DP")', set()),
        ('(?o)-[zip]-("05-1235")', set()),
        ('(?o)-[city]-("London")', set()),
    ],
)
def test_a_date_or_code_in_a_text_is_the_same_or_not_found(
    orders: Session, pattern: str, found: set[str]
) -> None:
    result = orders.match(pattern, k=5)
    near = [i for i in result.interpretations if i.near]
    assert {m.bindings["o"].name for i in near for m in i.matches} == found
    assert result.found is bool(found)
    assert result.certificate.complete

"""A year means every value in it; a date or code is the same, or it is not found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib

import isomatch
from isomatch.session import Session

BIRTHS = """
@prefix : <urn:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann :born "1973-01-02"^^xsd:date . :bob :born "1973-05-06"^^xsd:date .
:eve :born "1973-09-10"^^xsd:date . :sam :born "1980-09-10"^^xsd:date .
"""


def test_other_values_of_a_year_are_said_until_all_are_shown() -> None:
    with isomatch.open(rdflib.Graph().parse(data=BIRTHS, format="turtle")) as session:
        for k, others in ((1, 2), (2, 1)):
            notes = session.match('(?who)-[born]-("1973")', k=k).certificate.notes
            assert any(note.startswith(f"{others} other values lie in “1973”") for note in notes)
        notes = session.match('(?who)-[born]-("1973")', k=3).certificate.notes
        assert not any("other values" in note for note in notes)


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

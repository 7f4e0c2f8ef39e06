"""The first so many by what is said: "top three", "the largest by revenue", and totals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

FIRMS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
:a a :Firm ; schema:name "Alm" ; :revenue 90 ; :headcount 5 ; :seat :ulm ; :sells :p, :q ;
  :staffMembers 5 ; :head :ed .
:b a :Firm ; schema:name "Birk" ; :revenue 50 ; :headcount 7 ; :seat :ulm ; :sells :p .
:c a :Firm ; schema:name "Cade" ; :revenue 70 ; :headcount 9 ; :seat :bonn ; :sells :p, :q, :r .
:p a :Product ; schema:name "Pan" . :q a :Product ; schema:name "Quill" .
:r a :Product ; schema:name "Rake" .
:ed a :StaffMember ; schema:name "Ed" .
:ulm a :Town ; schema:name "Ulm" . :bonn a :Town ; schema:name "Bonn" .
"""


@pytest.fixture(scope="module")
def firms() -> Iterator[isomatch.Session]:
    with opened(FIRMS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("top two firms by revenue", {"Alm", "Cade"}),
        ("What are the top 2 firms by headcount?", {"Cade", "Birk"}),
        ("top 2 firms by number of products", {"Alm", "Cade"}),
        ("Which are the top 2 firms with the highest revenue?", {"Alm", "Cade"}),
        ("What is the largest firm by revenue?", {"Alm"}),
        ("What is the smallest firm by headcount?", {"Alm"}),
        ("the two largest firms by headcount", {"Cade", "Birk"}),
        ("How many products does Cade sell in total?", {"3"}),
        ("How many firms are there altogether?", {"3"}),
        ("What is the revenue of all firms in total?", {"210"}),
        ("What is the revenue of Alm in total?", {"90"}),
        ("How many staff members does Alm have in total?", {"5"}),
    ],
)
def test_the_key_of_an_order_is_what_follows_by(
    firms: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(firms, question) == names


@pytest.mark.parametrize(
    "question", ["top two firms", "top 2 firms by Ulm", "top firms by revenue", "top two of Ulm"]
)
def test_an_order_without_a_key_or_a_number_is_refused(
    firms: isomatch.Session, question: str
) -> None:
    try:
        answer = firms.ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return
    assert not answer.supported, answer.text


@pytest.mark.parametrize(
    "question",
    ["Which firms sell Pan at 64 First Avenue?", "Which firms sell products of Pan at first?"],
)
def test_a_place_in_an_order_that_no_place_takes_is_told(
    firms: isomatch.Session, question: str
) -> None:
    answer = firms.ask(question, interpreter="schema")
    assert not answer.supported
    assert "irst”" in answer.text

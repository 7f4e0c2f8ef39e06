"""What nobody does, what is not done, and two things of one class are read as they mean."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

import isomatch

SHOP = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Clerk ; rdfs:label "Ann Lee" ; :city :kiel . :bob a :Clerk ; rdfs:label "Bob Ray" .
:cid a :Clerk ; rdfs:label "Cid Moe" . :kiel a :City ; rdfs:label "Kiel" .
:dan a :Buyer ; rdfs:label "Dan Poe" . :eva a :Buyer ; rdfs:label "Eva Orr" .
:o1 a :Order ; rdfs:label "O1" ; :status "shipped" ; :packedBy :ann ;
  :amount 10 ; :placedBy :dan .
:o2 a :Order ; rdfs:label "O2" ; :status "delivered" ; :packedBy :bob ;
  :amount 30 ; :placedBy :dan .
:o3 a :Order ; rdfs:label "O3" ; :status "pending" ; :amount 5 ; :placedBy :eva .
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[isomatch.Session]:
    with opened(SHOP) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which orders were packed by nobody?", {"O3"}),
        ("Which orders were packed by no one?", {"O3"}),
        ("Which orders were packed by anyone?", {"O1", "O2"}),
        ("Which orders did Ann Lee not pack?", {"O2", "O3"}),
        ("How many orders did Ann Lee not pack?", {"2"}),
        ("Which buyers placed a shipped order and a delivered order?", {"Dan Poe"}),
        ("Which buyers placed both a shipped order and a delivered order?", {"Dan Poe"}),
        ("What is the total amount of the orders placed by Dan Poe?", {"40"}),
        ("What is the total amount of orders?", {"45"}),
    ],
)
def test_a_question_is_answered_as_it_means(
    shop: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(shop, question) == names


def test_what_has_another_status_may_have_been_shipped_all_the_same(
    shop: isomatch.Session,
) -> None:
    answer = asked(shop, "Which orders have not been shipped?")
    assert answer is not None
    assert answer.text == "If “shipped” means “status shipped”: O3 and O2."


def test_what_is_older_than_50_was_not_founded_before_the_year_50() -> None:
    turtle = """
    @prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a a :Farm ; rdfs:label "Alp Farm" ; :founded 1950 ; :owner :ann .
    :b a :Farm ; rdfs:label "Bog Farm" ; :founded 1990 ; :owner :bob .
    :ann a :Farmer ; rdfs:label "Ann Lee" ; :age 60 .
    :bob a :Farmer ; rdfs:label "Bob Ray" ; :age 40 .
    """
    with opened(turtle) as session:
        older = "Which farms are owned by a farmer who is older than 50?"
        assert names_if_answered(session, older) == {"Alp Farm"}
        assert names_if_answered(session, "Which farms are older than 1960?") == {"Alp Farm"}
        assert names_if_answered(session, "Which farms are older than 50?") is None

"""Values that a question begins with: things that only have them were answers, as if proven."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

from isomatch import Session

CLAIMS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:billedAmount rdfs:label "billed amount" . :appealOf rdfs:label "appeal of" .
:c1 a :Claim ; rdfs:label "C-1" ; :billedAmount 120 ; :member :ann .
:c2 a :Claim ; rdfs:label "C-2" ; :billedAmount 80 ; :member :bob .
:a1 a :Appeal ; rdfs:label "A-1" ; :appealOf :c1 .
:ann a :Member ; rdfs:label "Ann" . :bob a :Member ; rdfs:label "Bob" .
"""


@pytest.fixture(scope="module")
def claims() -> Iterator[Session]:
    with opened(CLAIMS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "What is the billed amount of members?",
        "billed amount of appeals",
        "Show the billed amount of appeal C-1",
    ],
)
def test_what_only_has_the_values_is_no_answer(claims: Session, question: str) -> None:
    assert asked(claims, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the billed amount of claims?", {"120", "80"}),
        ("Show the billed amount of claim C-1", {"120"}),
        ("What is the average billed amount of claims?", {"100"}),
    ],
)
def test_the_values_that_are_asked_for_answer(
    claims: Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(claims, question) == names

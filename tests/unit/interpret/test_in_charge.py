"""Who is in charge of something leads it, or is responsible for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

GRAPH = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Person ; rdfs:label "Ann Lee" ; :leads :r . :b a :Person ; rdfs:label "Bob Ray" ; :leads :s .
:r a :Crew ; rdfs:label "Reds" . :s a :Crew ; rdfs:label "Blues" .
:p a :Project ; rdfs:label "Dyke" ; :responsible :b .
:q a :Party ; rdfs:label "Greens" ; :leader :a . :t a :Party ; rdfs:label "Greys" ; :leader :b .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who is in charge of Dyke?", {"Bob Ray"}),
        ("Which projects is Bob Ray in charge of?", {"Dyke"}),
        ("Who is in charge of Reds?", {"Ann Lee"}),
        ("Which crew is Bob Ray in charge of?", {"Blues"}),
        ("people in charge of crews", {"Ann Lee", "Bob Ray"}),
        ("Who was in charge of Greens?", {"Ann Lee"}),
        ("Which parties is Bob Ray in charge of?", {"Greys"}),
    ],
)
def test_who_is_in_charge_leads_or_is_responsible(
    session: isomatch.Session, question: str, found: set[str]
) -> None:
    answer = asked(session, question)
    assert answer is not None
    assert not answer.text.startswith("If")
    assert names_found(session, question) == found

"""Years before nouns, "called" before names, where things happened, and what is X-related."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import asked, names_found, opened

import isomatch
from isomatch.lexicon.file import read_lexicon

PREFIX = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
TOWN = (
    PREFIX
    + """
:c1 a :Crime ; rdfs:label "C-1" ; :type "Burglary" ; :date "2021-08-11" ; :occurredAt :l1 .
:c2 a :Crime ; rdfs:label "C-2" ; :type "Robbery" ; :date "2021-08-12" ; :occurredAt :l1 .
:c3 a :Crime ; rdfs:label "C-3" ; :type "Robbery" ; :date "2021-08-12" ; :occurredAt :l2 .
:v1 a :Vehicle ; rdfs:label "V-1" ; :model "Metro" ; :year "1994" ; :involvedIn :c1 .
:v2 a :Vehicle ; rdfs:label "V-2" ; :model "Metro" ; :year "2006" ; :involvedIn :c2 .
:l1 a :Location ; rdfs:label "12 Lily Avenue" . :l2 a :Location ; rdfs:label "3 Lee Lane" .
:ann a :Person ; rdfs:label "Irene" ; :hasPhone :t1 ; :currentAddress :l1 ; :birthYear "1994" .
:ann2 a :Person ; rdfs:label "Irene" ; :hasPhone :t2 ; :currentAddress :l2 .
:t1 a :Phone ; rdfs:label "555-0101" . :t2 a :Phone ; rdfs:label "555-0102" .
:k1 a :PhoneCall ; rdfs:label "K-1" ; :caller :t1 ; :called :t2 .
"""
)


@pytest.fixture(scope="module")
def town() -> Iterator[isomatch.Session]:
    with opened(TOWN) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which 1994 vehicles are there?", {"V-1"}),
        ("Which locations were there in the 2021 crimes?", {"12 Lily Avenue", "3 Lee Lane"}),
        ("Which crimes involved a 2006 vehicle?", {"C-2"}),
        ("How many people called Irene are at 12 Lily Avenue?", {"1"}),
        ("How many people called Irene are there?", {"2"}),
        ("Which phones called the number 555-0102?", {"555-0101"}),
        ("Which calls were made to the number 555-0102?", {"K-1"}),
        ("Which locations are there where crimes happened on 11 August 2021?", {"12 Lily Avenue"}),
        ("Which crimes involve robbery?", {"C-2", "C-3"}),
        ("How many robbery-related crimes are there?", {"2"}),
    ],
)
def test_what_stands_beside_a_noun_describes_it(
    town: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(town, question) == names


def test_so_many_are_no_year(town: isomatch.Session) -> None:
    assert asked(town, "Which locations have 2021 crimes?") is None


def test_people_who_called_a_number_have_no_such_name(town: isomatch.Session) -> None:
    assert asked(town, "Which people called 555-0102?") is None


def test_a_call_is_what_the_lexicon_also_calls_it(town: isomatch.Session, tmp_path: Path) -> None:
    words = tmp_path / "lexicon.toml"
    words.write_text('[types."urn:x:PhoneCall"]\nword = "phone call"\nalso = ["call", "contact"]\n')
    with opened(TOWN) as session:
        resources = session.resources
        resources.replace("lexicon", read_lexicon(words, resources.lexicon))
        assert names_found(session, "Which phones contacted 555-0102?") == {"555-0101"}


PEOPLE = PREFIX + "\n".join(
    f':p{n} a :Person ; rdfs:label "Person {chr(65 + n // 26)}{chr(97 + n % 26)}" ; '
    f":knowsPhone :p{n + 1} ; :tutors :p{n + 1} ."
    for n in range(60)
)


def test_what_says_how_people_know_each_other_may_hold_both_ways() -> None:
    with opened(PEOPLE + ':p60 a :Person ; rdfs:label "Zoe" .') as session:
        question = "Who knows the phone of Person Ac?"
        assert names_found(session, question) == {"Person Ab", "Person Ad"}
        assert "in either direction" in session.ask(question).text
        assert names_found(session, "Who tutors Person Ac?") == {"Person Ab"}

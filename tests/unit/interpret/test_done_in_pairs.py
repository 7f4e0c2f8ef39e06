"""What was done or not in pairs, and what words next to such verbs do not say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

FORGE = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:pyra a :Package ; schema:name "Pyra" ; :maintainer :ana ; :downloadsThousand 900 ;
  :releasedOn "2015-02-03"^^xsd:date ; :arrangedBy :gus .
:tarn a :Package ; schema:name "Tarn" ; :maintainer :ana ; :downloadsThousand 5 ;
  :launched "2012-01-01"^^xsd:date ; :ended "2014-06-01"^^xsd:date ;
  :releasedOn "2012-01-01"^^xsd:date ; :retiredOn "2014-06-01"^^xsd:date .
:i1 a :Issue ; schema:name "I-1" ; :package :pyra ; :reportedBy :bo ; :fixedBy :ana ;
  :fixedOn "2019-02-01"^^xsd:date .
:i2 a :Issue ; schema:name "I-2" ; :package :pyra ; :reportedBy :cy ; :fixedBy :bo .
:i3 a :Issue ; schema:name "I-3" ; :package :tarn ; :reportedBy :bo ; :assignedTo :di ;
  :verifiedBy :ana .
:i4 a :Issue ; schema:name "I-4" ; :package :tarn ; :fixedOn "2022-04-01"^^xsd:date ;
  :verifiedBy :bo ; :verifiedOn "2022-05-01"^^xsd:date .
:i5 a :Issue ; schema:name "I-5" ; :package :tarn ; :rejectedOn "2023-03-02"^^xsd:date .
:ana a :Developer ; schema:name "Ana" ; :contributedTo :pyra, :tarn ; :father :bo ; :mother :di .
:bo a :Developer ; schema:name "Bo" ; :contributedTo :pyra .
:cy a :Developer ; schema:name "Cy" ; :contributedTo :pyra ; :father :bo .
:di a :Developer ; schema:name "Di" . :gus a :Conductor ; schema:name "Gus" .
:ana :childOf :bo, :di . :cy :childOf :bo .
:aria a :Choir ; schema:name "Aria" ; :conductedBy :gus .
:h1 a :Hall ; schema:name "Old Barn" ; :closedIn 2015 ; :previouslyOwnedBy :aria ; :lentTo :gus ;
  :lentOn "2010-01-01"^^xsd:date ; :painted false .
:h2 a :Hall ; schema:name "Sea Hall" ; :ownedBy :aria ; :lentTo :gus ; :painted true .
"""


@pytest.fixture(scope="module")
def forge() -> Iterator[isomatch.Session]:
    with opened(FORGE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which issues were neither fixed nor rejected?", {"I-3"}),
        ("Which issues were neither verified nor fixed?", {"I-5"}),
        ("Which issues were verified but not fixed?", {"I-3"}),
        ("Which issues were reported by Bo but not fixed?", {"I-3"}),
        ("Which issues were reported by Bo and not fixed?", {"I-3"}),
    ],
)
def test_what_was_not_done_has_no_way_that_says_so(
    forge: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(forge, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which developers maintain no package?", {"Bo", "Cy", "Di"}),  # contribute or not
        ("Which developers have both a mother and a father?", {"Ana"}),
        ("Which developers with a mother and a father contributed to Pyra?", {"Ana"}),
        ("Which developers have neither a mother nor a father?", {"Bo", "Di"}),
        ("Which developers have children but no father?", {"Bo", "Di"}),
        ("Which developers have a father but no children?", {"Ana", "Cy"}),
        ("Which packages that launched before 2013 have ended?", {"Tarn"}),
        ("Which halls have closed?", {"Old Barn"}),
    ],
)
def test_verbs_and_nouns_of_several_facts_are_each_said(
    forge: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(forge, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which packages have no fixed issues?",  # are not those with issues that are not fixed
        "Which halls were lent but not painted?",  # and not those with a date of that
        "Whose packages have been retired?",
        "Which issues of Tarn were not fixed or rejected?",
        "Who assigned I-3?",
        "Which packages did Aria arrange?",  # its conductor did
    ],
)
def test_what_no_word_says_of_deeds_is_refused(forge: isomatch.Session, question: str) -> None:
    assert asked(forge, question) is None


def test_former_owner_is_found_only_by_that_word(forge: isomatch.Session) -> None:
    assert names_found(forge, "Which halls were previously owned by Aria?") == {"Old Barn"}
    assert names_found(forge, "Which halls does Aria own?") == {"Sea Hall"}
    assert asked(forge, "Who owns Old Barn?") is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which packages have more than 100 thousand downloads?", {"Pyra"}),
        ("Which packages have fewer than 100 thousand downloads?", {"Tarn"}),
        ("Which packages have between 1 thousand and 10 thousand downloads?", {"Tarn"}),
    ],
)
def test_names_that_count_in_thousands_are_compared_in_them(
    forge: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(forge, question) == names


DESK = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
:t1 a :Ticket ; schema:name "T-1" ; :reportedBy :max . :t2 a :Ticket ; schema:name "T-2" ;
  :reportedBy :ida . :t3 a :Ticket ; schema:name "T-3" ; :reportedBy :eva .
:t4 a :Ticket ; schema:name "T-4" ; :reportedBy :zoe .
:eva a :Employee ; schema:name "Eva Stein" ; :reportsTo :ida . :ida a :Employee ;
  schema:name "Ida Noor" . :max a :Employee ; schema:name "Max Born" ; :reportsTo :ida .
:zoe a :Customer ; schema:name "Zoe Park" .
"""


@pytest.fixture(scope="module")
def desk() -> Iterator[isomatch.Session]:
    with opened(DESK) as session:
        yield session


@pytest.mark.parametrize(
    "question", ["Who reported neither T-1 nor T-2?", "Who reported no tickets?"]
)
def test_verb_whose_object_is_left_out_is_not_said_by_another_relation(
    desk: isomatch.Session, question: str
) -> None:
    assert asked(desk, question) is None  # and not those who report to somebody but did not


def test_whose_class_is_said_are_all_but_those_who_did(desk: isomatch.Session) -> None:
    found = names_found(desk, "Which employees reported neither T-1 nor T-2?")
    assert found == {"Eva Stein"}

"""Who did what a record says and to whom, homes and sites, names in the plural, and likenesses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import asked, names_found, names_if_answered, opened

import isomatch
from isomatch.lexicon.file import read_lexicon

PREFIX = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
CALLS = (
    PREFIX
    + """
:k1 a :PhoneCall ; rdfs:label "Call 1" ; :callDate "2021-03-01" ; :caller :t1 ; :called :t2 .
:k2 a :PhoneCall ; rdfs:label "Call 2" ; :callDate "2021-03-02" ; :caller :t1 ; :called :t3 .
:k3 a :PhoneCall ; rdfs:label "Call 3" ; :callDate "2021-03-02" ; :caller :t3 ; :called :t2 .
:t1 a :Phone ; rdfs:label "555-0101" . :t2 a :Phone ; rdfs:label "555-0102" .
:t3 a :Phone ; rdfs:label "555-0103" .
:ann a :Person ; rdfs:label "Ann Ash" ; :hasPhone :t1 ; :knowsPhone :cyd ; :knows :ben .
:ben a :Person ; rdfs:label "Ben Box" ; :hasPhone :t2 .
:cyd a :Person ; rdfs:label "Cyd Cox" ; :hasPhone :t3 .
"""
)
MAIL = (
    PREFIX
    + """
:m1 a :Message ; rdfs:label "M-1" ; :sender :a ; :recipient :b ; :copied :c .
:m2 a :Message ; rdfs:label "M-2" ; :sender :b ; :recipient :c ; :copied :a .
:a a :Member ; rdfs:label "Ida" . :b a :Member ; rdfs:label "Jan" .
:c a :Member ; rdfs:label "Kai" .
"""
)
VILLAGE = (
    PREFIX
    + """
:a a :Person ; rdfs:label "Mary" ; :surname "Ash" ; :currentAddress :l1 ; :familyRelation :c .
:b a :Person ; rdfs:label "Mary" ; :surname "Box" ; :currentAddress :l2 ; :familyRelation :d .
:c a :Person ; rdfs:label "Tom" ; :surname "Cox" ; :currentAddress :l1 .
:d a :Person ; rdfs:label "Una" ; :surname "Dee" ; :currentAddress :l2 .
:l1 a :Location ; rdfs:label "1 Elm Row" ; :inArea :north .
:l2 a :Location ; rdfs:label "2 Elm Row" ; :inArea :south .
:north a :Area ; rdfs:label "Northend" . :south a :Area ; rdfs:label "Southend" .
:f1 a :Crime ; rdfs:label "F-1" ; :occurredAt :l1 ; :date "2020-05-01" ; :investigatedBy :o1 .
:f2 a :Crime ; rdfs:label "F-2" ; :occurredAt :l2 ; :date "2020-02-01" ; :investigatedBy :o2 .
:v1 a :Vehicle ; rdfs:label "V-1" ; :make "Fiat" ; :year "1999" ; :involvedIn :f1 .
:v2 a :Vehicle ; rdfs:label "V-2" ; :make "Fiat" ; :year "2011" ; :involvedIn :f2 .
:o1 a :Officer ; rdfs:label "Olga" ; :lastName "Probet" . :o2 a :Officer ; rdfs:label "Pia" .
"""
)
CLUB = (
    PREFIX
    + """
:a a :Member ; rdfs:label "Ida" ; :linkA :b ; :linkB :c .
:b a :Member ; rdfs:label "Jan" ; :linkB :d .
:c a :Member ; rdfs:label "Kai" . :d a :Member ; rdfs:label "Lou" .
"""
)


@pytest.fixture(scope="module")
def calls() -> Iterator[isomatch.Session]:
    with opened(CALLS) as session:
        yield session


@pytest.fixture(scope="module")
def village() -> Iterator[isomatch.Session]:
    with opened(VILLAGE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which calls were made to 555-0102?", {"Call 1", "Call 3"}),
        ("Which calls were made from 555-0101?", {"Call 1", "Call 2"}),
        ("Which calls were made by 555-0101?", {"Call 1", "Call 2"}),
        ("Which calls were received by 555-0103?", {"Call 2"}),
        ("How many calls from 555-0101 were there?", {"2"}),
        ("How many calls to 555-0102 were there?", {"2"}),
        ("How many calls did 555-0102 receive?", {"2"}),
        ("Which phones received a call?", {"555-0102", "555-0103"}),
        ("Which phones made a call?", {"555-0101", "555-0103"}),
        ("Which phones called 555-0102?", {"555-0101", "555-0103"}),
        ("Which phones were called on 2 March 2021?", {"555-0102", "555-0103"}),
    ],
)
def test_who_called_and_who_was_called_are_told_apart(
    calls: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(calls, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which messages were sent by Ida?", {"M-1"}),
        ("Which messages were received by Kai?", {"M-2"}),
        ("Which messages did Jan receive?", {"M-1"}),
    ],
)
def test_whom_a_message_was_copied_to_is_neither_end_of_it(question: str, names: set[str]) -> None:
    with opened(MAIL) as session:
        assert names_found(session, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which people called 555-0102?",  # that is the number of a phone, and nobody's name
        "Which phones dialed 555-0102?",
    ],
)
def test_a_number_that_somebody_has_is_not_who_has_it(
    calls: isomatch.Session, question: str
) -> None:
    assert asked(calls, question) is None


def test_who_has_the_number_of_somebody_is_another(calls: isomatch.Session) -> None:
    told = calls.ask("Who are the people who have the phone number of Cyd Cox?").text
    assert told == "If “phone number” means “knows phone”: Ann Ash."


def test_whose_number_is_known_need_not_be_known(calls: isomatch.Session) -> None:
    assert names_found(calls, "Whose phone number is known by Ann Ash?") == {"Cyd Cox"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which crimes happened at the homes of people with surname Ash?", {"F-1"}),
        ("Which crimes took place at sites in Northend?", {"F-1"}),
        ("Which areas contain locations with crimes in 2020?", {"Northend", "Southend"}),
        ("Which crimes were probed by Pia?", {"F-2"}),
        ("How many crimes were handled by officers?", {"2"}),
        ("How many incidents are there?", {"2"}),
        ("Which officers probed crimes?", {"Olga", "Pia"}),  # and not one who is called Probet
    ],
)
def test_further_words_for_homes_sites_and_what_officers_do(
    village: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(village, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many Marys are there?", {"2"}),
        ("How many Marys are related to people with surname Cox?", {"1"}),
        ("Which Marys are related to people with surname Cox?", {"Mary"}),
    ],
)
def test_a_name_in_the_plural_is_for_all_who_have_it(
    village: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(village, question) == names


def test_who_coaches_is_still_asked_by_the_verb_of_the_same_form() -> None:
    club = ':a a :Coach ; rdfs:label "Ida Ash" ; :coaches :t . :t a :Team ; rdfs:label "Reds" .'
    others = ':b a :Coach ; rdfs:label "Jan Box" ; :coaches :u . :u a :Team ; rdfs:label "Blues" .'
    with opened(PREFIX + club + others) as session:
        told = session.ask("Does Ida Ash coach Blues?").text
    assert told == "No: the graph has no such fact as Ida Ash ─coaches→ Blues."


def test_what_happened_first_is_no_vehicle(village: isomatch.Session) -> None:
    assert names_found(village, "Which crime involving Fiat vehicles happened first?") == {"F-2"}


@pytest.mark.parametrize(
    ("question", "said"),
    [("Who lives with Tom?", "lives"), ("Who shares a home with Tom?", "home")],
)
def test_that_who_lives_with_somebody_has_the_same_address_is_told(
    village: isomatch.Session, question: str, said: str
) -> None:
    told = village.ask(question).text
    assert told == f"If “{said}” means “{said} at the same ‘current address’”: Mary."


def test_a_relation_that_the_lexicon_calls_a_friend_holds_both_ways(tmp_path: Path) -> None:
    file = tmp_path / "lexicon.toml"
    file.write_text(
        '[relations."urn:x:linkB"]\nnouns = ["friend"]\nforward = ["friends with"]\n'
        '[relations."urn:x:linkA"]\nforward = ["advises"]\n',
        encoding="utf-8",
    )
    with opened(CLUB) as session:
        resources = session.resources
        resources.replace("lexicon", read_lexicon(file, resources.lexicon))
        assert names_found(session, "Who are the friends of Kai?") == {"Ida"}
        assert names_found(session, "Who is friends with Jan?") == {"Lou"}
        assert names_found(session, "Which members who are friends with Kai are there?") == {"Ida"}
        assert asked(session, "Whom does Jan advise?") is None


DESK = (
    PREFIX
    + """
:k1 a :Call ; rdfs:label "C-1" ; :caller :a ; :callee :b ; :duration 12 .
:k2 a :Call ; rdfs:label "C-2" ; :caller :b ; :callee :c ; :duration 3 .
:m1 a :Message ; rdfs:label "M-1" ; :sender :a ; :recipient :b ; :mentions :c .
:m2 a :Message ; rdfs:label "M-2" ; :sender :c ; :recipient :a .
:a a :Member ; rdfs:label "Ida" ; :livesIn :leeds . :b a :Member ; rdfs:label "Jan" .
:c a :Member ; rdfs:label "Kai" ; :livesIn :york .
:leeds a :City ; rdfs:label "Leeds" . :york a :City ; rdfs:label "York" .
"""
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many calls did Kai receive?", {"1"}),
        ("Who received the most calls?", {"Jan", "Kai"}),
        ("calls to members in York", {"C-2"}),
        ("calls from Jan", {"C-2"}),
        ("Did Ida call Jan?", {"True"}),
        ("Did Jan call Ida?", None),
        ("Who sent a message to Kai?", None),  # he was only mentioned in one
        ("messages to Jan", {"M-1"}),
    ],
)
def test_a_callee_did_not_call(question: str, names: set[str] | None) -> None:
    with opened(DESK) as session:
        assert names_if_answered(session, question) == names

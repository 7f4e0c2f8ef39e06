"""Questions over a graph of the police: requests, "linked to", "last name", crimes by type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import words_of
from isomatch.pattern import format_text

POLICE = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Crime ; rdfs:label "C-1" ; :type "Vehicle crime" ; :date "11/08/2017" ; :occurredAt :l1 ;
  :investigatedBy :o1 .
:c2 a :Crime ; rdfs:label "C-2" ; :type "Burglary" ; :date "9/08/2017" ; :occurredAt :l1 ;
  :investigatedBy :o1 .
:c3 a :Crime ; rdfs:label "C-3" ; :type "Vehicle crime" ; :date "20/08/2017" ; :occurredAt :l2 ;
  :investigatedBy :o2 .
:v1 a :Vehicle ; rdfs:label "AB12 CDE" ; :make "Nissan" ; :year "2004" ; :involvedIn :c2 .
:v2 a :Vehicle ; rdfs:label "XY34 ZZZ" ; :make "Geo" ; :year "1999" .
:l1 a :Location ; rdfs:label "M9 8DA" ; :address "12 Lily Avenue" .
:l2 a :Location ; rdfs:label "M1 1AA" ; :address "3 Lee Lane" .
:o1 a :Officer ; rdfs:label "Even" ; :surname "Cole" .
:o2 a :Officer ; rdfs:label "Mada" ; :surname "Reid" .
:ann a :Person ; rdfs:label "Ann" ; :surname "Edwards" ; :nhsNo "311-75-6483" ; :partyTo :c2 ;
  :livesAt :l2 ; :knows :bob ; :cousinOf :cy ; :hasEmail :e1 ; :hasPhone :t1 .
:bob a :Person ; rdfs:label "Bob" ; :surname "Edwards" ; :nhsNo "311-75-6484" ; :hasEmail :e2 .
:cy a :Person ; rdfs:label "Cy" ; :surname "Moore" ; :nhsNo "311-75-6485" ; :partyTo :c3 .
:e1 a :Email ; rdfs:label "ann@x.org" . :e2 a :Email ; rdfs:label "bob@x.org" .
:t1 a :Phone ; rdfs:label "8-657" . :t2 a :Phone ; rdfs:label "4-974" .
:k1 a :PhoneCall ; rdfs:label "K-1" ; :callTime "09:27" ; :dialled :t1 .
:k2 a :PhoneCall ; rdfs:label "K-2" ; :callTime "10:40" ; :dialled :t2 .
"""
SHOP = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a :Customer ; rdfs:label "Ann Lee" ; :firstName "Ann" ; :joined "2020-02-01"^^xsd:date .
:b a :Customer ; rdfs:label "Bob Ray" ; :firstName "Bob" ; :joined "2019-05-01"^^xsd:date .
:m a :Mentor ; rdfs:label "Mia" ; :knows :a . :a :knows :m .
"""


@pytest.fixture(scope="module")
def police() -> Iterator[isomatch.Session]:
    with opened(POLICE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Can you share the emails of people with last name Edwards?", {"ann@x.org", "bob@x.org"}),
        ("Could you please provide the emails of people?", {"ann@x.org", "bob@x.org"}),
        ("Identify all Nissan vehicles", {"AB12 CDE"}),
        ("Can you show how many crimes are linked to vehicles?", {"1"}),
        ("Can you count the crimes?", {"3"}),
    ],
)
def test_a_request_to_share_or_provide_is_a_plain_list(
    police: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(police, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which crimes are linked to vehicles?", {"C-2"}),
        ("How many crimes are connected to Nissan vehicles?", {"1"}),
        ("Which crimes involving individuals are there?", {"C-2", "C-3"}),
        ("Which officers are linked to vehicle crimes?", {"Even", "Mada"}),
        ("How often do crimes involve a person and a vehicle?", {"1"}),
        ("Which crimes involve people?", {"C-2", "C-3"}),
        ("Which officers are linked to crimes involving Ann?", {"Even"}),
        ("Which vehicles are linked to crimes involving people?", {"AB12 CDE"}),
    ],
)
def test_linked_things_of_two_kinds_join_by_the_only_relation(
    police: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(police, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which people are linked to Ann?",  # knows her, or is a cousin
        "How many crimes are not linked to vehicles?",
        "Who is connected?",
        "Which locations are linked?",
        "Which people were involved?",
        "At which location did crimes occur that involved Ann?",  # and not where she lives
        "Which crimes are linked to a vehicle crime?",
        "Which crimes are involved in a burglary crime?",
    ],
)
def test_linked_things_of_one_kind_or_to_nothing_are_refused(
    police: isomatch.Session, question: str
) -> None:
    assert asked(police, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which crimes occurred at 12 Lily Avenue?", {"C-1", "C-2"}),
        ("What is the newest crime at 12 Lily Avenue?", {"C-1"}),
        ("How many crimes at 3 Lee Lane are there?", {"1"}),
        ("people with the last name Edwards", {"Ann", "Bob"}),
        ("Who has the NHS number 311-75-6485?", {"Cy"}),
        ("What is the last name of Cy?", {"Moore"}),
        ("Which is the newest vehicle?", {"AB12 CDE"}),
        ("Which calls dialled phone number 8-657?", {"K-1"}),
        ("How many calls are there?", {"2"}),
    ],
)
def test_values_that_name_a_thing_and_short_names_of_relations_are_read(
    police: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(police, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many vehicle crimes are there?", {"2"}),  # and not those with vehicles
        ("Which vehicle crimes occurred at 12 Lily Avenue?", {"C-1"}),
        ("Which crimes of type vehicle crime are there?", {"C-1", "C-3"}),
    ],
)
def test_a_value_of_common_words_is_no_thing_and_another(
    police: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(police, question) == names


def test_a_class_is_not_passed_over_as_a_word_of_every_question(
    police: isomatch.Session,
) -> None:
    answer = police.ask("Which crimes with a person and a vehicle?", interpreter="schema")

    assert format_text(answer.pattern) == (
        "(?x1:crime)<-[party to]-(?x2:person), (?x3:vehicle)-[involved in]->(?x1) return ?x1"
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which crimes have the status Burglary?", "If “status” means “type”: C-2."),
        ("Which vehicles of the brand Nissan are there?", "If “brand” means “make”: AB12 CDE."),
    ],
)
def test_an_unknown_noun_before_a_value_is_told_as_its_relation(
    police: isomatch.Session, question: str, told: str
) -> None:
    assert police.ask(question, interpreter="schema").text == told


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When did Cole first investigate a crime?", {"9/08/2017"}),
        ("When did Cole last investigate a crime?", {"11/08/2017"}),
        ("Which crime did Cole last investigate?", {"C-1"}),
        ("Which crime did Cole first investigate?", {"C-2"}),
    ],
)
def test_first_and_last_before_a_verb_are_said_of_what_is_done(
    police: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(police, question) == names


def test_what_is_asked_for_first_is_not_what_is_counted_later(police: isomatch.Session) -> None:
    kinds = AskedKinds(police.resources.schema, police.resources.lexicon)
    for question, asked_for in (
        ("What most recent crime involves the number of a person", "crime"),
        ("What number of crimes has Ann", "crimes"),
        ("What is the number of crimes", "crimes"),
    ):
        words = words_of(question)
        assert [word.text for word in kinds.kind_words(words, {*words})] == [asked_for]


def test_last_alone_is_no_last_name(police: isomatch.Session) -> None:
    assert names_found(police, "What is the last name of Cy?") == {"Moore"}
    assert asked(police, "Which crimes did people with the last Moore commit?") is None


def test_first_alone_is_no_first_name() -> None:
    with opened(SHOP) as session:
        assert names_found(session, "What is the first name of Bob Ray?") == {"Bob"}
        assert names_found(session, "What is the given name of Bob Ray?") == {"Bob"}
        assert names_found(session, "Who was the first customer to join?") == {"Bob Ray"}


def test_what_else_a_noun_is_called_is_no_word_of_another() -> None:
    both = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Person ; rdfs:label "Ann" ; :surname "Lee" ; :familyName "Ray" ; :regNo "R-7" .
:b a :Individual ; rdfs:label "Bob" ; :worksFor :a .
"""
    with opened(both) as session:
        assert names_found(session, "What is the family name of Ann?") == {"Ray"}
        assert names_found(session, "What is the reg number of Ann?") == {"R-7"}
        assert names_found(session, "Which individuals are there?") == {"Bob"}


def test_what_is_about_somebody_is_nothing_that_they_did() -> None:
    papers = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:p a :Paper ; rdfs:label "On Bees" ; :hasAuthor :ann ; :topic :bees .
:ann a :Researcher ; rdfs:label "Ann Lee" . :bees a :Insect ; rdfs:label "bees" .
"""
    with opened(papers) as session:
        assert names_found(session, "papers about bees") == {"On Bees"}
        assert names_found(session, "papers by Ann Lee") == {"On Bees"}
        assert asked(session, "papers about Ann Lee") is None
    letters = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:l a :Letter ; rdfs:label "L-1" ; :recipient :ann ; :award :oscar .
:ann a :Person ; rdfs:label "Ann" . :oscar a :Prize ; rdfs:label "Oscar" .
"""
    with opened(letters) as session:
        assert asked(session, "letters about Ann") is None
        assert asked(session, "letters about the Oscar") is None


def test_a_former_player_is_none_of_the_players_of_a_club() -> None:
    clubs = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:r a :Club ; rdfs:label "Rovers" ; :formerPlayer :a, :b ; :lacksBall :x, :y .
:u a :Club ; rdfs:label "United" .
:a a :Player ; rdfs:label "Ann" ; :playsFor :u . :b a :Player ; rdfs:label "Bob" ; :playsFor :u .
:c a :Player ; rdfs:label "Cy" ; :playsFor :r .
:x a :Ball ; rdfs:label "X" ; :usedBy :u , :r . :y a :Ball ; rdfs:label "Y" ; :usedBy :u , :r .
"""
    with opened(clubs) as session:
        assert names_found(session, "Which club has the most players?") == {"United"}
        assert names_found(session, "Which clubs have more than 1 player?") == {"United"}
        assert asked(session, "Which clubs have more than 1 ball?") is None


def test_what_is_with_something_is_none_of_that() -> None:
    packages = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:m a :Maintainer ; rdfs:label "Ann" ; :maintains :p . :n a :Maintainer ; rdfs:label "Bob" .
:k a :Maintainer ; rdfs:label "Cy" ; :reviewed :q .
:p a :Package ; rdfs:label "alpha" ; :hasAdvisory :a ; :status "Open" .
:q a :Package ; rdfs:label "beta" ; :maintainedBy :k ; :status "Done" .
:a a :Advisory ; rdfs:label "A-1" ; :reportedBy :n .
"""
    with opened(packages) as session:
        assert names_found(session, "Maintainers that have a package with an advisory") == {"Ann"}
        # None of them has both no status and the status Open, which nobody asks for.
        assert asked(session, "How many packages without the status Open are there?") is None


def test_a_class_before_a_preposition_is_no_request() -> None:
    states = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t a :State ; rdfs:label "Texas" ; :population 30 ; :capital :a .
:o a :State ; rdfs:label "Ohio" ; :population 12 .
:f a :Country ; rdfs:label "France" ; :population 60 . :a a :City ; rdfs:label "Austin" .
"""
    with opened(states) as session:
        assert names_found(session, "State with the largest population") == {"Texas"}
        assert names_found(session, "State the capitals of states") == {"Austin"}

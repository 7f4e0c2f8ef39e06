"""Who does what to whom: the active and the passive, by auxiliaries and prepositions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Case ; rdfs:label "Doe v. Acme" ; :heardAt :north ; :cites :c3 .
:c2 a :Case ; rdfs:label "Lund v. Harbor" ; :heardAt :south ; :cites :c1 , :c3 .
:c3 a :Case ; rdfs:label "Reyes v. Mill" ; :heardAt :north .
:c4 a :Case ; rdfs:label "Tan v. Orchard" .
:north a :Court ; rdfs:label "Northgate Court" ; :foundedIn 1890 .
:south a :Court ; rdfs:label "Southbank Court" ; :foundedIn 1955 .
:pam a :Clerk ; rdfs:label "Pam Ames" ; :mentoredBy :olga .
:pam :hired :olga , :arbor .
:arbor a :Trainee ; rdfs:label "Ivo Sand" .
:olga a :Clerk ; rdfs:label "Olga Voss" .
:rower a :Machine ; rdfs:label "Rower R1" ; :boughtFrom :fitco ; :shippedTo :rome .
:fitco a :Vendor ; rdfs:label "Fitco" . :rome a :City ; rdfs:label "Rome" .
:euro a :Tournament ; rdfs:label "Euro 2016" ; :wonBy :pt ; :teamsCount 24 .
:final a :Match ; rdfs:label "Final 2016" ; :wonBy :pt ; :lostBy :fr .
:b1 a :Bank ; rdfs:label "Novaro" ; :acquired :b2 .
:b2 a :Bank ; rdfs:label "Belltree" .
:m1 a :Module ; rdfs:label "Alder" ; :used :m2 . :m2 a :Module ; rdfs:label "Birch" .
:m3 a :Module ; rdfs:label "Cedar" . :t1 a :Tutor ; rdfs:label "Arbor" ; :teaches :t2 .
:t2 a :Tutor ; rdfs:label "Bolt" ; :child :pam .
:pt a :Team ; rdfs:label "Portugal" . :fr a :Team ; rdfs:label "France" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which cases have cited Doe v. Acme?", {"Lund v. Harbor"}),
        ("Which cases cited Doe v. Acme?", {"Lund v. Harbor"}),
        ("Which cases has Lund v. Harbor cited?", {"Doe v. Acme", "Reyes v. Mill"}),
        ("Which cases have been cited?", {"Doe v. Acme", "Reyes v. Mill"}),
        ("Which cases have never been cited?", {"Lund v. Harbor", "Tan v. Orchard"}),
        ("Which cases were not cited?", {"Lund v. Harbor", "Tan v. Orchard"}),
        ("Which cases have never cited any case?", {"Reyes v. Mill", "Tan v. Orchard"}),
        ("How often was Reyes v. Mill cited?", {"2"}),
        ("How often has Reyes v. Mill been cited?", {"2"}),
        ("Which banks have been acquired?", {"Belltree"}),
        ("Which banks have never been acquired?", {"Novaro"}),
        ("Which banks have acquired Belltree?", {"Novaro"}),
        ("Which modules have been used?", {"Birch"}),
        ("Which tutors have taught somebody?", {"Arbor"}),
        ("Which clerks have hired somebody?", {"Pam Ames"}),
        ("Which modules have never used anything?", {"Birch", "Cedar"}),
        ("Who used Birch?", {"Alder"}),
        ("Which tutors have children?", {"Bolt"}),
        ("Which teams have won?", {"Portugal"}),
        ("Which teams have never won?", {"France"}),
        ("How many teams did Euro 2016 have?", {"24"}),
        ("Which court heard Doe v. Acme?", {"Northgate Court"}),
        ("Who was Rower R1 bought from?", {"Fitco"}),
        ("Which machines were bought from Fitco?", {"Rower R1"}),
        ("Where was Rower R1 shipped to?", {"Rome"}),
        ("Courts from 1890", {"Northgate Court"}),
    ],
)
def test_a_verb_is_said_of_who_does_it(
    session: isomatch.Session, question: str, expected: set[str]
) -> None:
    assert names_found(session, question) == expected


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Has Lund v. Harbor cited Doe v. Acme?", True),
        ("Was Doe v. Acme cited by Lund v. Harbor?", True),
        ("Was Reyes v. Mill cited?", True),
        ("Was Pam Ames mentored?", True),
        ("Was Bolt taught?", True),
        ("Was Arbor taught?", None),
        ("Was Novaro acquired?", None),
        ("Has Doe v. Acme cited Lund v. Harbor?", None),
        ("Was Lund v. Harbor cited by Doe v. Acme?", None),
        ("Was Olga Voss mentored?", None),
    ],
)
def test_yes_is_said_only_of_who_does_it(
    session: isomatch.Session, question: str, holds: bool | None
) -> None:
    answer = session.ask(question, interpreter="schema")
    assert answer.holds is holds
    assert holds or answer.text == "The graph does not say."


@pytest.mark.parametrize(
    "question",
    [
        "Who heard Doe v. Acme?",
        "Who bought Rower R1?",
        "Which vendor bought Rower R1?",
        "Which machines did Fitco buy?",
        "Which city shipped Rower R1?",
        "Courts in 1890",
        "Which courts were there in 1890?",
    ],
)
def test_where_and_whence_are_not_who_did_it(session: isomatch.Session, question: str) -> None:
    answer = session.ask(question, interpreter="schema")
    assert not answer.supported, answer.text

"""Verbs for properties: a host "uses" its operating system, and is "made of" steel."""

from __future__ import annotations

import pytest
from tests.turtle import opened

HOSTS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:web a :Host ; rdfs:label "web-01" ; :operatingSystem "Linux" ; :runs :nginx .
:ws a :Host ; rdfs:label "ws-101" ; :operatingSystem "Windows" ; :runs :chrome .
:nginx a :Software ; rdfs:label "nginx" . :chrome a :Software ; rdfs:label "Chrome" .
:ann a :User ; rdfs:label "Ann Lee" . :bob a :User ; rdfs:label "Bob Moss" .
"""
USES = b":ann :uses :ws . :bob :uses :web ."
ITEMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:tiara a :Jewel ; rdfs:label "Ashby Tiara" ; :madeBy :leroux ; :material "platinum" .
:ring a :Jewel ; rdfs:label "Marlow Ring" ; :madeBy :leroux ; :material "gold" .
:leroux a :Maker ; rdfs:label "Maison Leroux" .
"""


def asked(graph: bytes, question: str) -> list[str] | None:
    """The names of the answers; None where the question is refused."""
    with opened(graph) as session:
        answer = session.ask(question, interpreter="schema")
        return sorted(bound.name for bound in answer.answers) if answer.supported else None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who uses a host that runs Chrome?", ["Ann Lee"]),
        ("Who uses the host web-01?", ["Bob Moss"]),
        ("Which hosts use Windows?", ["ws-101"]),
        ("What does web-01 use?", ["Linux"]),
    ],
)
def test_who_uses_a_thing_is_none_of_what_it_uses(question: str, names: list[str]) -> None:
    assert asked(HOSTS + USES, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Who uses a host that runs Chrome?",
        "Who uses hosts?",
        "Who uses web-01?",
        "Who owns hosts?",
        "Who owns hosts that run Chrome?",
    ],
)
def test_nobody_uses_a_thing_where_nothing_says_so(question: str) -> None:
    assert asked(HOSTS, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the Ashby Tiara made of?", ["platinum"]),
        ("Which jewels are made of gold?", ["Marlow Ring"]),
        ("Who was the Ashby Tiara made by?", ["Maison Leroux"]),
    ],
)
def test_what_a_thing_is_made_of_is_no_maker(question: str, names: list[str]) -> None:
    assert asked(ITEMS, question) == names


PARTS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:acme a :Supplier ; rdfs:label "Brightwater Components Ltd." ; :supplies :frame, :wheel .
:frame a :Component ; rdfs:label "Frame" ; :partOf :bike .
:wheel a :Component ; rdfs:label "Wheel" ; :partOf :bike .
:spoke a :Component ; rdfs:label "Spoke" ; :partOf :wheel .
:bike a :Product ; rdfs:label "Bike" .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which parts does Brightwater Componants supply?", None),
        ("Which components does Brightwater supply?", ["Frame", "Wheel"]),
        ("What are the parts of the wheel?", ["Spoke"]),
    ],
)
def test_parts_that_are_supplied_are_no_parts_of_these(
    question: str, names: list[str] | None
) -> None:
    assert asked(PARTS, question) == names


TESTS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t1 a :Test ; rdfs:label "PCR-1" ; :testedPerson :jon ; :result "positive" .
:t2 a :Test ; rdfs:label "PCR-2" ; :testedPerson :eva ; :result "negative" .
:jon a :Person ; rdfs:label "Jon Petrie" . :eva a :Person ; rdfs:label "Eva Roth" .
:acme a :Company ; rdfs:label "Acme" ; :hiredEmployee :jon .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Jon Petrie test?", None),
        ("Who tested Jon Petrie?", None),
        ("Whom did Jon Petrie hire?", None),
        ("Which tests did Jon Petrie have?", ["PCR-1"]),
        ("Who hired Jon Petrie?", ["Acme"]),
        ("How often was Jon Petrie tested?", ["1"]),
        ("Who tested positive?", ["Jon Petrie"]),
    ],
)
def test_who_was_tested_tested_nobody(question: str, names: list[str] | None) -> None:
    assert asked(TESTS, question) == names


ACCOUNTS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a1 a :Account ; rdfs:label "AC-1" ; :heldAt :quay .
:a2 a :Account ; rdfs:label "AC-2" ; :heldAt :hill .
:a3 a :Account ; rdfs:label "AC-3" ; :heldAt :hill .
:quay a :Branch ; rdfs:label "Quayside" . :hill a :Branch ; rdfs:label "Hill" .
:ann a :Customer ; rdfs:label "Ann Lee" ; :holds :c1 . :c1 a :Card ; rdfs:label "Card 1" .
"""


def test_a_branch_holds_what_nobody_else_does() -> None:
    assert asked(ACCOUNTS, "Which branch holds the fewest accounts?") == ["Quayside"]
    assert asked(ACCOUNTS, "Who holds Card 1?") == ["Ann Lee"]


STARS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:heat a :Film ; rdfs:label "Heat" ; :starredActor :pacino .
:pacino a :Actor ; rdfs:label "Al Pacino" .
"""


def test_who_is_starred_stars() -> None:
    assert asked(STARS, "Which films did Al Pacino star in?") == ["Heat"]
    assert asked(STARS, "What did Al Pacino star in?") == ["Heat"]

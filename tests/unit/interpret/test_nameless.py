"""Nodes without names: records of several parts, as blank nodes are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

import isomatch
from isomatch.store.terms import is_nameless

MARRIAGES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:kim a :Person ; rdfs:label "Kim Reed" ;
  :marriage [ a :Marriage ; :spouse :bob ; :place :oslo ] , [ a :Marriage ; :spouse :tom ] .
:bob a :Person ; rdfs:label "Bob Hale" .
:tom a :Person ; rdfs:label "Tom Lark" .
:oslo a :City ; rdfs:label "Oslo" .
"""


@pytest.fixture(scope="module")
def marriages() -> Iterator[isomatch.Session]:
    with opened(MARRIAGES) as session:
        yield session


def test_an_identifier_is_no_answer(marriages: isomatch.Session) -> None:
    question = "What are Kim Reed's marriages?"
    assert asked(marriages, question) is None
    text = marriages.ask(question, interpreter="schema").text
    assert text.startswith("What was found has no name, only an id: _:")


@pytest.mark.parametrize("question", ["Who did Kim Reed marry?", "Who is Bob Hale's spouse?"])
def test_a_marriage_is_nobody(marriages: isomatch.Session, question: str) -> None:
    assert asked(marriages, question) is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many marriages does Kim Reed have?", {"2"}),
        ("Where is the place of Kim Reed's marriage?", {"Oslo"}),
    ],
)
def test_what_such_a_node_has_is_one(
    marriages: isomatch.Session, question: str, found: set[str]
) -> None:
    assert names_if_answered(marriages, question) == found


@pytest.mark.parametrize(
    ("id", "name", "nameless"),
    [
        ("_:b0", "_:b0", True),
        ("urn:x:1", "m.02kp9lp", True),
        ("urn:x:1", "g.11b6", True),
        ("4:f00:12", "Node 12", True),
        ("4:f00:12", "Node 3", False),
        ("urn:x:1", "Node 3", False),
        ('"m.02kp9lp"', "m.02kp9lp", False),
        ("urn:x:T-2", "T-2", False),
        ("urn:x:m", "m.03 Audio", False),
        ("urn:x:1", "M. 02", False),
    ],
)
def test_names_that_tell_nothing_are_told_from_codes(id: str, name: str, nameless: bool) -> None:
    assert is_nameless(id, name) is nameless

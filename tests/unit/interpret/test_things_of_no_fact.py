"""What has a type and a name, and is in no fact, is known by its name like anything else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

BOOKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" ; :wrote :alder, :dogwood ; :livesIn :bonn .
:bob a :Person ; rdfs:label "Bob" ; :wrote :dogwood, :birch ; :livesIn :kiel .
:cem a :Person ; rdfs:label "Cem" ; :livesIn :kiel . :dan a :Person ; rdfs:label "Dan" .
:alder a :Book ; rdfs:label "Alder" . :dogwood a :Book ; rdfs:label "Dogwood" .
:birch a :Book ; rdfs:label "Birch" . :elder a :Book ; rdfs:label "Elder" .
:oak1 a :Book ; rdfs:label "Oak" . :oak2 a :Book ; rdfs:label "Oak" . :cem :wrote :oak2 .
:ulm a :City ; rdfs:label "Ulm" . :bonn a :City ; rdfs:label "Bonn" .
:kiel a :City ; rdfs:label "Kiel" .
"""
# The same with facts that no question here asks for.
WITH_FACTS = BOOKS + ':elder :pages 90 . :dan :born 1970 . :ulm :zip "89073" .'

NOTHING = "The graph does not say."
ANSWERS = {
    "Who wrote Elder?": NOTHING,
    "Who wrote Dogwood and Elder?": NOTHING,
    "How many people wrote Elder?": NOTHING,
    "Where do the people who wrote Elder live?": NOTHING,
    "What did Dan write?": NOTHING,
    "Who lives in Ulm?": NOTHING,
    "Did Ann write Elder?": "No: the graph has no such fact as Ann ─wrote→ Elder.",
    "Did Dan write Alder?": "No: the graph has no such fact as Dan ─wrote→ Alder.",
    "Was Elder written by Ann?": "No: the graph has no such fact as Ann ─wrote→ Elder.",
    "Did anyone write Elder?": "No: the graph has no such fact as anything ─wrote→ Elder.",
    "Who wrote Dogwood or Elder?": "Bob and Ann.",
    "Who wrote Elder or lives in Bonn?": "Ann.",
    "Who wrote Birch but not Elder?": "Bob.",
    "Which people did not write Elder?": "Dan, Cem, Bob and Ann.",
    "Which books were not written by Dan?": "Oak, Oak, Elder, Birch, Dogwood and Alder.",
    "Which people do not live in Ulm?": "Dan, Cem, Bob and Ann.",
    "Which books were not written by anyone living in Ulm?": (
        "Oak, Oak, Elder, Birch, Dogwood and Alder."
    ),
    # Of two things of that name one is in a fact.
    "Who wrote Oak?": "Cem.",
    "Did Ann write Oak?": "No: the graph has no such fact as Ann ─wrote→ Oak.",
    "Which people did not write Oak?": "Dan, Bob and Ann.",
}


@pytest.fixture(scope="module")
def without() -> Iterator[isomatch.Session]:
    with opened(BOOKS) as session:
        yield session


@pytest.fixture(scope="module")
def with_facts() -> Iterator[isomatch.Session]:
    with opened(WITH_FACTS) as session:
        yield session


@pytest.mark.parametrize("question", ANSWERS)
def test_what_is_in_no_fact_is_no_other_thing_of_a_near_name(
    without: isomatch.Session, with_facts: isomatch.Session, question: str
) -> None:
    answers = [s.ask(question, interpreter="schema") for s in (without, with_facts)]
    assert [answer.text for answer in answers] == [ANSWERS[question]] * 2
    assert answers[0].supported == answers[1].supported == (ANSWERS[question] != NOTHING)


def test_a_name_that_the_graph_lacks_is_still_told_to_be_taken_for_a_near_one(
    without: isomatch.Session,
) -> None:
    answer = asked(without, "Who wrote Aldor?")
    assert answer is not None
    assert answer.text == "If “Aldor” means “Alder”: Ann."


def test_a_name_of_a_thing_in_facts_and_of_another_kind_is_what_the_relation_leads_to() -> None:
    more = ':bridge a :Bridge ; rdfs:label "Alder" . :span a :Bridge ; rdfs:label "Span" .'
    with opened(BOOKS + more) as session:
        assert names_found(session, "Who wrote Alder?") == {"Ann"}
        assert names_found(session, "Which bridges are there?") == {"Alder", "Span"}


ORDERS = """
@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:o1 a :Order ; rdfs:label "Order 1" ; :customer :kay ; :status :shipped .
:o1 :placedOn "2024-05-02"^^xsd:date ; :cancelledOn "2024-05-05"^^xsd:date .
:o2 a :Order ; rdfs:label "Order 2" ; :customer :kay ; :status :shipped .
:o2 :placedOn "2024-06-02"^^xsd:date .
:o3 a :Order ; rdfs:label "Order 3" ; :placedOn "2024-06-04"^^xsd:date .
:shipped a :Status ; rdfs:label "Shipped" . :cancelled a :Status ; rdfs:label "Cancelled" .
:kay a :Customer ; rdfs:label "Kay" . :may a :Customer ; rdfs:label "May" .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which orders were not cancelled?", "Order 3 and Order 2."),
        ("Is any order cancelled?", "no place was found for “cancelled”"),
        ("Which customers have cancelled orders?", "no place was found for “cancelled”"),
        ("Which orders were not placed in May?", "no place was found for “May”"),
        ("Was Order 1 placed in May?", "no place was found for “Was” and “May”"),
    ],
)
def test_a_word_is_no_name_that_no_fact_has_unless_it_is_written_so(
    question: str, found: str
) -> None:
    with opened(ORDERS) as session:
        assert found in session.ask(question, interpreter="schema").text


def test_it_is_not_denied_that_a_thing_is_of_its_type() -> None:
    more = (
        ":uma a :Student ; rdfs:label 'Uma' ; :taughtBy :wes . :wes a :Teacher ; rdfs:label 'Wes' ."
    )
    with opened(BOOKS + more + ":vic a :Student ; rdfs:label 'Vic' .") as session:
        assert session.ask("Is Vic a student?", interpreter="schema").text == NOTHING
        text = session.ask("Is Vic a student of Wes?", interpreter="schema").text
        assert text == "No: the graph has no such fact as Vic ─taught by→ Wes."

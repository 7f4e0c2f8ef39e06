"""Patterns that ask if there is a match: yes by facts, no only where that is proven."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pandas import isna
from tests.turtle import opened

import isomatch
from isomatch.answer.answerer import Answerer
from isomatch.answer.types import REFUSAL
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.options import Format
from isomatch.output.convert import to_frame
from isomatch.output.json import answer_form, result_form
from isomatch.output.rows import answer_rows, result_rows, written
from isomatch.output.tree import result_trees
from isomatch.pattern import parse
from isomatch.retrieve.patterns import match_hypotheses
from isomatch.retrieve.types import Acceptance

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:State a rdfs:Class ; rdfs:label "State" ; :described "1900"^^xsd:gYear .
:texas a :State ; rdfs:label "Texas" ; :borders :oklahoma ; :capital :austin ; :area 695662 .
:oklahoma a :State ; rdfs:label "Oklahoma" ; :capital :tulsa ; :area 181037 .
:austin a :City ; rdfs:label "Austin" ; :founded 1839 ; :born "1839"^^xsd:gYear .
:tulsa a :City ; rdfs:label "Tulsa" ; :founded 1828 ; :born "1828-01-17"^^xsd:date .
:dallas a :City ; rdfs:label "Dallas" ; :knows :dallas ; :founded "long ago".
:springfield1 a :City ; rdfs:label "Springfield" ; :founded 1821 .
:springfield2 a :City ; rdfs:label "Springfield" ; :twin :tulsa .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


YES = [
    '("Texas")-[capital]->("Austin")',
    '("Austin")-[capital]-("Texas")',
    '(?s:state)-[capital]->("Austin")',
    '("Springfield")-[twin]->("Tulsa")',
    '("Springfield")-[founded]->(?y)',
    '("Texas")-[]-("Austin")',
    '("Texas")-[area]->(?a), ("Oklahoma")-[area]->(?b) where ?a > ?b',
    '("Tulsa")-[founded]->(?y) where ?y < 1830',
    '("Texas")-[capital city]->("Austin")',
    '("Texas")-[area]->(?a) where ?a > { ("Oklahoma")-[area]->(?b) return ?b }',
    '("Texas")-[capital]->(?c) without { (?c)-[founded]->("1828") }',
]
NO = [
    '("Texas")-[capital]->("Tulsa")',
    '("Texas")-[capital]-("Tulsa")',
    '("Texas")-[]-("Tulsa")',
    "(?c:state)-[founded]->(?y)",
    '("Dallas":city)-[capital]->(?x)',
    '("Tulsa")-[founded]->(?y) where ?y > 1830',
    '("Tulsa")-[born]->(?y) where ?y < 1828-01-17',
    '("Texas")-[area]->(?a), ("Oklahoma")-[area]->(?b) where ?a < ?b',
    '("Oklahoma")-[area]->(?a) where ?a > { ("Texas")-[area]->(?b) return ?b }',
    '(?s)-[capital]->("Austin") where ?s in { (?z)-[capital]->("Tulsa") return ?z }',
    '("Texas")-[capital]->(?c) without { (?c)-[founded]->("1839") }',
    '("Tulsa")-[founded]->("1839")',
]
NOT_SAID = {
    '("Austin")-[capital]->("Texas")': "without arrows",
    '("Oklahoma")-[borders]->("Texas")': "without arrows",
    '("Austin":state)-[founded]->("1839")': "without the types of names",
    "(?x)-[knows]->(?y)": "one node in two places",
    '("Texas")-[capital]->("Tulsaville")': "nothing in the graph is called “Tulsaville”",
    '("Texas")-[is governed by]->("Austin")': "nothing in the graph is called “is governed by”",
    '("Austin")-[born]->(?d) where ?d < 1839-07-01': "less exact",
    '("Austin")-[born]->(?d) where ?d > 1839-07-01': "less exact",
    '("Dallas")-[founded]->(?y) where ?y > 1830': "cannot be compared",
    '("Austin")-[born]->("1828-01-17")': "less than the whole of 1828-01-17",
    '("Austin")-[]-("State")': "of a type",
    '("Texas")-[area]->(?a) where ?a > { ("Tulsa")-[area]->(?b) return ?b }': "",
}


@pytest.mark.parametrize("pattern", YES)
def test_yes_shows_the_facts(session: isomatch.Session, pattern: str) -> None:
    result = session.match(f"{pattern} return ask")
    answer = session.ask(f"{pattern} return ask", interpreter="given")

    assert result.holds is True
    assert answer.holds is True
    assert answer.supported
    assert answer.cited
    assert answer.text.startswith("Yes: ")
    assert answer.answers == ()


@pytest.mark.parametrize("pattern", NO)
def test_no_is_said_where_it_is_proven(session: isomatch.Session, pattern: str) -> None:
    result = session.match(f"{pattern} return ask")
    answer = session.ask(f"{pattern} return ask", interpreter="given")

    assert result.holds is False, result.certificate.notes
    assert result.certificate.exact
    assert result.certificate.complete
    assert answer.holds is False
    assert answer.supported
    assert not (answer.evidence or answer.cited or answer.answers)
    assert answer.text.startswith("No: the graph has no such fact as (")
    assert "ask" not in answer.text


@pytest.mark.parametrize("pattern", NOT_SAID)
def test_what_is_not_proven_is_not_said(session: isomatch.Session, pattern: str) -> None:
    result = session.match(f"{pattern} return ask")
    answer = session.ask(f"{pattern} return ask", interpreter="given")

    assert result.holds is None
    assert any("is not proven" in n and NOT_SAID[pattern] in n for n in result.certificate.notes)
    assert not result.certificate.complete
    assert answer.holds is None
    assert answer.text == REFUSAL
    assert not answer.supported


def test_a_pattern_without_unknowns_is_a_question_as_before(session: isomatch.Session) -> None:
    pattern = '("Texas")-[capital]->("Austin")'
    assert session.ask(pattern, interpreter="given").text.startswith("The graph holds: ")
    assert session.match(pattern).holds is None


EXACT = Coverage(exact=True)
LEFT_OUT = Coverage(exact=True, left_out=(Span(0, 3, "big", "word"),))


def hypothesis(pattern: str, score: float = 1.0, coverage: Coverage | None = EXACT) -> Hypothesis:
    return Hypothesis(parse(f"{pattern} return ask"), score, coverage=coverage)


def holds(session: isomatch.Session, *hypotheses: Hypothesis) -> bool | None:
    matched = match_hypotheses(session.resources, hypotheses, {}, Acceptance())
    answer = Answerer().answer("?", matched[0][1], matched[0][0])
    assert answer.supported == (answer.holds is not None)
    return answer.holds


FALSE, TRUE, OPEN = (
    '("Texas")-[capital]->("Tulsa")',
    '("Oklahoma")-[capital]->("Tulsa")',
    '("Tulsa")-[capital]->("Oklahoma")',
)


def test_a_less_likely_reading_does_not_answer_in_place_of_no(session: isomatch.Session) -> None:
    yes = hypothesis(TRUE, 0.9)

    assert holds(session, yes) is True
    assert holds(session, hypothesis(FALSE), yes) is False
    assert holds(session, hypothesis(OPEN), yes) is None
    assert holds(session, hypothesis(FALSE, 0.2), yes) is True
    opened = replace(yes, pattern=parse(TRUE))
    assert holds(session, hypothesis(FALSE), opened) is False


def test_no_needs_a_reading_of_every_word_by_the_names_of_the_graph(
    session: isomatch.Session,
) -> None:
    assert holds(session, hypothesis(FALSE)) is False
    assert holds(session, hypothesis(FALSE, coverage=None)) is False
    for coverage in (LEFT_OUT, Coverage()):
        assert holds(session, hypothesis(FALSE, coverage=coverage)) is None
        assert holds(session, hypothesis(TRUE, coverage=coverage)) is True
    assert holds(session, hypothesis(FALSE, 0.2)) is None
    likelier = hypothesis(OPEN, coverage=Coverage())
    assert holds(session, likelier, hypothesis(FALSE, 0.9)) is None


@pytest.mark.parametrize(
    ("pattern", "options", "reason"),
    [
        (
            "(?s)-[capital]->(?c), (?c)-[founded]->(?y) where ?y > 1900",
            {"budget_rows": 1},
            "rows ran out",
        ),
        ('("Springfield")-[capital]->(?c)', {"k_nodes": 1}, "not complete"),
    ],
)
def test_no_is_not_said_where_the_search_was_cut(
    session: isomatch.Session, pattern: str, options: dict[str, Any], reason: str
) -> None:
    assert session.match(f"{pattern} return ask").holds is False
    result = session.match(f"{pattern} return ask", **options)
    assert result.holds is None, options
    assert any(reason in note for note in result.certificate.notes)


YES_NO_OR_NOT = ((TRUE, True), (FALSE, False), (OPEN, None))


@pytest.mark.parametrize(("pattern", "expected"), YES_NO_OR_NOT)
def test_every_output_says_whether_it_holds(
    session: isomatch.Session, pattern: str, expected: bool | None
) -> None:
    result = session.match(f"{pattern} return ask")
    answer = session.ask(f"{pattern} return ask", interpreter="given")

    assert result_form(result)["holds"] is answer_form(answer)["holds"] is expected
    lines = written(result_rows(result), Format.csv).splitlines()
    assert lines == written(answer_rows(answer), Format.csv).splitlines()
    assert lines == ["holds", *([str(expected).lower()] if expected is not None else [])]
    frame = to_frame(result)
    assert list(frame.columns) == ["holds"]
    assert [None if isna(one) else bool(one) for one in frame["holds"]] == [expected]
    words = {True: "yes", False: "no: the graph has", None: "no match, and “no” is not proven"}
    assert str(result_trees(result)[0]).startswith(words[expected])
    proof = {True: "proven complete", False: "proven as of", None: "not proven: only what"}
    assert result_form(result)["certificate"]["words"].startswith(proof[expected])


def test_an_answer_that_refuses_does_not_hold_what_its_result_proves(
    session: isomatch.Session,
) -> None:
    given = hypothesis(FALSE, coverage=LEFT_OUT)
    answer = Answerer().answer("?", session.match(given.pattern), given)

    assert answer.result is not None
    assert answer.result.holds is False
    assert answer_form(answer)["holds"] is None
    assert written(answer_rows(answer), Format.csv).splitlines() == ["holds"]

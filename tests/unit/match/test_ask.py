"""Patterns that ask if there is a match: yes by facts, no only where that is proven."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas import isna
from tests.oracle.checks import thorough
from tests.oracle.language import NAMES, Films, by, films
from tests.oracle.letters import Letters
from tests.servers.sessions import session_over
from tests.turtle import graph_of, opened
from tests.unit.serve.films import query
from typer.testing import CliRunner

import isomatch
from isomatch.answer.answerer import Answerer
from isomatch.answer.types import REFUSAL
from isomatch.cli.app import app
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.match.conditions import compare, may_compare
from isomatch.options import Format
from isomatch.output.convert import to_frame
from isomatch.output.json import answer_form, result_form
from isomatch.output.rows import answer_rows, result_rows, written
from isomatch.output.tree import result_trees
from isomatch.pattern import Condition, parse
from isomatch.retrieve.hypotheses import match_hypotheses
from isomatch.retrieve.types import Acceptance
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Graph
from isomatch.serve.sparql.evaluate import Budget
from isomatch.serve.sparql.evaluate import answer as served
from isomatch.serve.sparql.searches import Limits, Searches
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import XSD, literal

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
    '(?s)-[capital]->("Austin") where ?s in { (?z)-[capital]->("Tulsa") return ?z } '
    "or ?s in { (?z)-[area]->(?a) return ?z }",
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
    '(?s)-[capital]->("Austin") where ?s in { (?z)-[capital]->("Tulsa") return ?z } '
    'or ?s in { (?z)-[area]->("181037") return ?z }',
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
    '(?s)-[capital]->("Austin") where ?s in { (?z)-[capital]->("Tulsa") return ?z } '
    "or ?s in { (?y)-[borders]->(?z) return ?z }": "without arrows",
    '(?s)-[capital]->("Austin") where ?s in { (?y)-[borders]->(?z) return ?z } '
    'or ?s in { (?z)-[capital]->("Tulsa") return ?z }': "without arrows",
    '("Texas")-[capital]->(?c) where ?c in { (?x)-[born]->(?d) where ?d < 1839-07-01 return ?x }': (
        "less exact"
    ),
    '("Texas")-[capital]->(?c) where ?c in { (?x)-[founded]->(?y) where ?y > 1840 return ?x } '
    "or ?c in { (?x)-[born]->(?d) where ?d < 1839-07-01 return ?x }": "less exact",
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
    assert (answer.evidence, answer.cited, answer.answers) == ((), (), ())
    assert answer.text.startswith("No: the graph has no such fact")
    assert "?" not in answer.text


def test_a_no_about_names_is_told_as_facts_are(session: isomatch.Session) -> None:
    said = session.ask('("Texas")-[capital]->("Tulsa") return ask', interpreter="given")
    other = session.ask('("Texas")-[capital]-("Tulsa") return ask', interpreter="given")
    typed = session.ask('("Texas":state)-[capital]->("Tulsa") return ask', interpreter="given")

    assert said.text == "No: the graph has no such fact as Texas ─capital→ Tulsa."
    assert other.text == "No: the graph has no such fact as Texas ─capital─ Tulsa."
    assert typed.text == "No: the graph has no such fact."


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


def test_any_of_one_name_may_satisfy_the_conditions(tmp_path: Path) -> None:
    people = [f"http://e/p{i}" for i in range(6)]
    facts = tuple((f"http://e/f{i}", person, 1990 + i) for i, person in enumerate(people))
    store = OxigraphStore.memory(graph_of(Films(dict.fromkeys(people, NAMES[0]), facts).turtle()))
    with session_over(store, tmp_path, Letters(24)) as opened:
        for year, holds in ((1990, True), (1995, True), (1996, False)):
            where = (Condition("y", "=", (str(year),)),)
            pattern = replace(by(NAMES[0], where=where), returns=(), ask=True)
            result = opened.match(pattern, k=1)
            assert result.holds is holds
            assert [len(i.matches) for i in result.interpretations] == [int(holds)]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (":a <http://www.w3.org/2002/07/owl#sameAs> :b .", "owl:sameAs"),
        (":chief rdfs:subPropertyOf :capital .", "relations of the graph follow from others"),
    ],
)
def test_no_is_not_said_where_the_graph_implies_more(more: str, reason: str) -> None:
    with opened(GRAPH + more.encode()) as session:
        assert session.match(f"{TRUE} return ask").holds is True
        result = session.match(f"{FALSE} return ask")
        assert result.holds is None
        assert any(reason in note for note in result.certificate.notes)
        if "sameAs" in more:
            assert session.match(f"{FALSE} return ask", same_as=True).holds is False


def test_no_is_not_said_where_a_part_of_the_graph_is_left_out() -> None:
    with opened(GRAPH, exclude=["http://example.org/twin"]) as session:
        assert session.match(f"{TRUE} return ask").holds is True
        assert session.match(f"{FALSE} return ask").holds is None


def test_no_is_not_said_of_a_graph_that_has_changed() -> None:
    graph = graph_of(GRAPH)
    with isomatch.open(graph) as session:
        assert session.match(f"{FALSE} return ask").holds is False
        graph.load(b'<urn:x> <urn:y> "Texas Two" .', pyoxigraph.RdfFormat.TURTLE)
        assert session.match(f"{FALSE} return ask").holds is None


def test_names_by_identity_are_those_of_nodes_that_exist(session: isomatch.Session) -> None:
    ask = "({})-[capital]->(<http://example.org/{}>) return ask"
    texas = "<http://example.org/texas>"
    assert session.match(ask.format(texas, "austin")).holds is True
    assert session.match(ask.format(texas, "tulsa")).holds is False
    assert session.match(ask.format(texas, "nowhere")).holds is None


DATES = ("2000", "2001", "2000-05", "2000-05-01", "2000-12-31", "2001-01-01")
EXACT_DATES = [
    f"{y}-{m:02}-{d:02}" for y in (2000, 2001) for m in (1, 5, 6, 12) for d in (1, 31, 30)
]


@given(st.sampled_from(DATES), st.sampled_from(["<", "<=", ">", ">="]), st.sampled_from(DATES))
def test_a_date_may_satisfy_what_a_day_of_it_satisfies(
    mine: str, operator: str, other: str
) -> None:
    value = literal(mine, datatype=XSD + ("gYear" if len(mine) == 4 else "date"))
    days = [d for d in EXACT_DATES if d.startswith(mine)]
    if any(compare(operator, literal(day), literal(other)) for day in days):
        assert may_compare(operator, literal(mine), literal(other)) or compare(
            operator, value, literal(other)
        )
    if compare(operator, literal(mine), literal(other)):
        assert may_compare(operator, literal(mine), literal(other))


@thorough
@given(films(), st.sampled_from(NAMES), st.integers(1989, 1994), st.sampled_from("=<>"))
def test_yes_is_a_match_of_the_same_pattern_and_no_is_none(
    graph: Films, name: str, year: int, operator: Any
) -> None:
    store = OxigraphStore.memory(graph_of(graph.turtle()))
    asked = by(name, where=(Condition("y", operator, (str(year),)),))
    compared = {"=": year.__eq__, "<": year.__gt__, ">": year.__lt__}[operator]
    people = graph.called(name)
    true = any(compared(y) for film in graph.films_of(people) for y in graph.years(film))
    with TemporaryDirectory() as home, session_over(store, Path(home), Letters(24)) as opened:
        result = opened.match(replace(asked, returns=(), ask=True))
        best = next(iter(opened.match(asked, k=50).matches), None)

    if people:
        assert result.holds is true
    if result.holds:
        assert best is not None
        assert best[0].gsd == 0
    if not people:
        assert result.holds is not False


def test_the_service_gives_yes_and_no_as_rows(session: isomatch.Session) -> None:
    searches = Searches(Graph.over(session), Limits())

    def rows(pattern: str, more: str = "") -> list[str]:
        quoted = pattern.replace('"', r"\"")
        where = f'[] isomatch:pattern "{quoted}" ; isomatch:holds ?holds {more} .'
        body = served(query(where), searches.find, Budget(10))
        return [b["holds"]["value"] for b in json.loads(body)["results"]["bindings"]]

    assert rows(f"{TRUE} return ask") == ["true"]
    assert rows(f"{FALSE} return ask") == ["false"]
    assert rows(f"{OPEN} return ask") == []
    assert rows(f"{FALSE} return ask", "; isomatch:gsd ?gsd") == []
    with pytest.raises(RequestError, match="needs a pattern that asks"):
        rows(TRUE)
    with pytest.raises(RequestError, match="isomatch:holds"):
        rows(f"{TRUE} return ask", "; isomatch:answer ?x")


@pytest.mark.parametrize(("pattern", "expected"), YES_NO_OR_NOT)
def test_the_command_line_ends_well_with_yes_and_no(
    tmp_path: Path, pattern: str, expected: bool | None
) -> None:
    (tmp_path / "states.ttl").write_bytes(GRAPH)
    home = ["--home", str(tmp_path / "home")]
    run = CliRunner().invoke
    assert run(app, ["load", str(tmp_path / "states.ttl"), *home]).exit_code == 0
    assert run(app, ["index", *home]).exit_code == 0
    code = 0 if expected is not None else 8
    for command in (["match"], ["ask", "--interpreter", "given"]):
        told = run(app, [command[0], f"{pattern} return ask", *command[1:], *home])
        form = run(app, [command[0], f"{pattern} return ask", *command[1:], *home, "--json"])
        assert told.exit_code == form.exit_code == code, told.output
        assert json.loads(form.stdout)["holds"] is expected


def program(pattern: str, score: float) -> Hypothesis:
    return Hypothesis(parse(pattern), score, coverage=EXACT, source="programs")


def first(session: isomatch.Session, *programs: Hypothesis) -> Hypothesis:
    return match_hypotheses(session.resources, programs, {}, Acceptance())[0][0]


def test_a_trained_program_without_an_answer_counts_three_tenths(session: isomatch.Session) -> None:
    empty = program('("Oklahoma")-[traverses]->(?x)', 0.5)
    full = program('("Texas")-[capital]->(?x)', 0.4)
    chosen = first(session, empty, full)
    assert chosen.pattern == full.pattern
    assert chosen.score == pytest.approx(0.4 / 0.65)
    sure = first(session, replace(empty, score=0.97), replace(full, score=0.03))
    assert sure.pattern == empty.pattern


def test_trained_programs_with_equal_answers_count_together(session: isomatch.Session) -> None:
    one = program('("Texas")-[capital]->(?x)', 0.4)
    turned = program('(?y)<-[capital]-("Texas")', 0.3)
    other = program('("Oklahoma")-[capital]->(?x)', 0.3)
    assert first(session, one, turned).score == pytest.approx(0.7)
    assert first(session, one, other).score == pytest.approx(0.4)


def test_what_is_a_node_and_a_value_answers_the_same() -> None:
    graph = b"""@prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a rdfs:label "5 Mill Lane" ; :postcode "M1" ; :has_postcode :m1 . :m1 rdfs:label "M1" .
    :b rdfs:label "7 Mill Lane" ; :postcode "M2" ; :has_postcode :m1 .
    """
    with opened(graph) as session:
        for place, score in (("5 Mill Lane", 0.7), ("7 Mill Lane", 0.4)):
            value = program(f'("{place}")-[postcode]->(?x)', 0.4)
            node = program(f'("{place}")-[has postcode]->(?x)', 0.3)
            assert first(session, value, node).score == pytest.approx(score)

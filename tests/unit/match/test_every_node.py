"""A question mark and a name stand for every node of the name, as one interpretation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.language import SOME, Films, films
from tests.oracle.names import check_every
from tests.turtle import opened

import isomatch
from isomatch.errors import PatternError
from isomatch.link import linker
from isomatch.pattern import format_text, format_triples, parse, to_json
from isomatch.phrasing import reading_words
from isomatch.session import Session

PEOPLE = """
@prefix : <urn:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a rdfs:label "Mary" ; a :Person ; :knows :b, :c ; :age 3 .
:d rdfs:label "Mary" ; a :Person ; :knows :c ; :age 5 ; :lives :h .
:b rdfs:label "Bob" ; a :Person ; :lives :h .
:c rdfs:label "Cy" ; a :Person ; :lives :h ; :nick "Mary" .
:m rdfs:label "Mary" ; a :Ship .
:h rdfs:label "Home" ; a :House .
"""


@pytest.fixture(scope="module")
def people() -> Iterator[Session]:
    with opened(PEOPLE) as session:
        yield session


def names(result: isomatch.MatchResult) -> list[str]:
    return sorted(node.id for node in result.answers())


@pytest.mark.parametrize("strategy", ["auto", "ascending", "semi-join", "brute force"])
def test_all_nodes_of_the_name_are_one_interpretation(people: Session, strategy: str) -> None:
    result = people.match('(?p "Mary")-[knows]->(?x) return ?x', k=1, strategy=strategy)
    assert names(result) == ["urn:b", "urn:c"]
    assert len(result.interpretations[0].matches) == 3
    assert result.certificate.complete
    assert not result.certificate.ties


def test_they_are_found_however_short_the_first_page_of_a_list_is(
    people: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for constant in ("FIRST", "WHOLE", "MOST_TIES"):
        monkeypatch.setattr(linker, constant, 1)
    result = people.match('(?p "Mary")-[knows]->(?x) return count(?x)', k=1)
    assert str(result.count()) == "2"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ('(?p "Mary")-[lives]->("Home") return ?p', ["urn:d"]),
        ('(?p "Mary")-[age]->(?n) return ?p order by ?n limit 1', ["urn:a"]),
        ('(?p "Mary")-[age]->(?n) where ?n > 4 return ?p', ["urn:d"]),
        ('(?x)-[knows]->(?p "Bob") return ?x', ["urn:a"]),
        ('(?p "Mary":person)-[knows]->("Cy"), (?p)-[lives]->(?h) return ?p', ["urn:d"]),
    ],
)
def test_they_are_filtered_ordered_and_returned(
    people: Session, pattern: str, found: list[str]
) -> None:
    assert names(people.match(pattern, k=1)) == found


def test_numbers_are_worked_out_of_all_of_them(people: Session) -> None:
    assert str(people.match('(?p "Mary")-[knows]->(?x) return count(?p)', k=1).count()) == "2"
    average = people.match('(?p "Mary")-[age]->(?n) return avg(?n)', k=1).value()
    assert average is not None
    assert average.name == "4"
    groups = people.match('(?p "Mary")-[knows]->(?x) return ?p, count(?x)', k=1).groups()
    found = {g.answer[0].id: v.name for g in groups for v in g.values if v is not None}
    assert found == {"urn:a": "2", "urn:d": "1"}


def test_a_value_that_is_written_like_the_name_is_none_of_them(people: Session) -> None:
    result = people.match('(?p "Mary")-[]-(?x) return ?p', k=1)
    assert names(result) == ["urn:a", "urn:d"]


def test_without_the_question_mark_each_is_an_interpretation(people: Session) -> None:
    result = people.match('("Mary")-[knows]->(?x) return count(?x)', k=2)
    assert [str(result.count(rank)) for rank in (1, 2)] == ["2", "1"]


def test_the_choice_names_those_that_have_a_match(people: Session) -> None:
    [best] = people.match('(?p "Mary")-[knows]->(?x)', k=1).interpretations
    assert (best.choices[0].name, best.choices[0].ids) == ("Mary", ("urn:a", "urn:d"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Mary", "“Mary” read as 2 nodes"),
        ("Mari", "“Mari” read as 2 nodes called “Mary” (distance 1.14)"),
    ],
)
def test_it_is_told_that_they_are_several(people: Session, name: str, told: str) -> None:
    [best] = people.match(f'(?p "{name}")-[knows]->(?x)', k=1).interpretations
    assert reading_words(best) == told


def test_a_name_that_is_only_near_groups_the_nodes_of_each_name(people: Session) -> None:
    [best] = people.match('(?p "Mari")-[knows]->(?x)', k=1).interpretations
    assert (best.choices[0].name, len(best.choices[0].ids)) == ("Mary", 2)


def test_the_query_that_is_shown_asks_for_all_of_them(people: Session) -> None:
    query = isomatch.to_query(people.match('(?p "Mary")-[knows]->(?x) return ?x', k=1), people)
    rows = rdflib.Graph().parse(data=PEOPLE, format="turtle").query(query or "")
    assert {str(row["x"]) for row in rows} == {"urn:b", "urn:c"}


@pytest.mark.parametrize(
    "text",
    [
        '(?p "Mary")-[knows]->(?x)',
        '(?p "Mary":person)-[knows]->(?q "Mary") return ?p, ?q',
        '(?p "Mary")-[knows]->("Mary") return ?p',
        '(?p "Mary")-[knows]->(?x), (?p "Mary")-[lives]->(?h) return count(?p)',
    ],
)
def test_every_form_gives_the_pattern_back(text: str) -> None:
    pattern = parse(text)
    assert format_text(pattern) == text
    assert parse(to_json(pattern)) == pattern
    assert parse(format_triples(pattern)) == pattern


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ('("Mary")-[knows]->(?x) return ?mary', "known already"),
        ('(?p "Mary")-[knows]->(?p "Bob")', "two names"),
        ('(?x)-[acted in: ?p "Mary"]->("Heat")', "expected"),
        (
            {"nodes": [{"id": "p", "every": True}, {"id": "x"}],
             "edges": [{"source": "p", "relation": "knows", "target": "x"}]},
            "has no name",
        ),
        ({"nodes": [{"id": "p", "all": True}], "edges": []}, "keys here are id, text, type, every"),
    ],
)  # fmt: skip
def test_what_it_cannot_be_is_said(pattern: object, message: str) -> None:
    with pytest.raises(PatternError, match=message):
        parse(pattern)


@settings(max_examples=20, deadline=None)
@given(graph=films())
def test_films_by_everyone_of_a_name_are_those_by_definition(graph: Films) -> None:
    with opened(graph.turtle()) as session:
        check_every(session, graph)


def test_two_people_of_one_name_have_the_films_of_both() -> None:
    with opened(SOME.turtle()) as session:
        check_every(session, SOME)


def graph_of(labels: str, edges: list[tuple[int, int]]) -> str:
    lines = ["@prefix : <urn:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    lines += [f':n{i} rdfs:label "{name}" .' for i, name in enumerate(labels)]
    lines += [f":n{a} :knows :n{b} ." for a, b in edges]
    return "\n".join(lines)


@settings(max_examples=25, deadline=None)
@given(
    labels=st.text(alphabet="ABC", min_size=2, max_size=6),
    ends=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=9),
)
def test_the_matches_are_those_of_brute_force(labels: str, ends: list[tuple[int, int]]) -> None:
    edges = sorted({(a, b) for a, b in ends if a != b and max(a, b) < len(labels)})
    if not edges or "A" not in labels:
        return
    expected = sorted(
        (a, b, c)
        for a, b, c in permutations(range(len(labels)), 3)
        if labels[a] == "A" and labels[c] == "A" and (a, b) in edges and (c, b) in edges
    )
    with opened(graph_of(labels, edges)) as session:
        pattern = '(?p "A")-[knows]->(?x)<-[knows]-(?q "A")'
        result = session.match(pattern, k=1, limit=1000)
    found = [
        tuple(int(m.bindings[id].id.removeprefix("urn:n")) for id in ("p", "x", "q"))
        for i in result.interpretations
        if i.gsd < 1e-6
        for m in i.matches
    ]
    assert sorted(found) == expected

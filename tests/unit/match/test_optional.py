"""Optional parts, against their definition and as they are shown."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.checks import options, thorough
from tests.oracle.graphs import FEW_NAMES, Case, cases, schema_of, store_of
from tests.oracle.language import SOME, Films, films
from tests.oracle.letters import Letters
from tests.oracle.optional import (
    BLANK,
    check_blank_nodes,
    check_optional,
    check_rows,
    shared_nodes,
)
from tests.servers.sessions import session_over
from tests.turtle import opened

import isomatch
from isomatch.match import optional
from isomatch.match.query_executor import BudgetSpent, QueryExecutor
from isomatch.options import Format, Options
from isomatch.output.convert import to_frame, to_rdflib_bindings
from isomatch.output.json import result_form
from isomatch.output.queries import to_query
from isomatch.output.rows import result_rows, written
from isomatch.output.tree import interpretation_tree, part_trees, rows_remarks
from isomatch.pattern import parse, to_json
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore


@thorough
@given(cases(FEW_NAMES), options, st.data())
def test_a_part_gives_the_rows_of_its_definition(
    case: Case, chosen: Options, data: st.DataObject
) -> None:
    shared = shared_nodes(case, data)
    with store_of(case.graph) as store:
        check_rows(case, shared, chosen, data, store, schema_of(case.graph))


@thorough
@given(films())
def test_columns_are_what_they_must_be_on_random_graphs(graph: Films) -> None:
    store = pyoxigraph.Store()
    store.load(graph.turtle().encode(), pyoxigraph.RdfFormat.TURTLE)
    memory = OxigraphStore.memory(store)
    with TemporaryDirectory() as home, session_over(memory, Path(home), Letters(24)) as session:
        check_optional(session, graph)


def test_rdflib_gives_what_optional_parts_must(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(data=SOME.turtle(), format="turtle")
    with session_over(RdflibStore(graph), tmp_path, Letters(24)) as session:
        check_optional(session, SOME)


def test_columns_of_blank_nodes_are_known(tmp_path: Path) -> None:
    with opened(BLANK) as session:
        check_blank_nodes(session)
    graph = rdflib.Graph().parse(data=BLANK, format="turtle")
    with session_over(RdflibStore(graph), tmp_path, Letters(24)) as session:
        check_blank_nodes(session)


MOVIES = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:m1 rdfs:label "Heat" ; :directedBy :p1 ; :tagline "A Los Angeles crime saga", "Heat" ; :year 1995 .
:m2 rdfs:label "Ali" ; :directedBy :p1 ; :year 2001 ; :budget 107, 118 .
:m3 rdfs:label "Ran" ; :directedBy :p2 ; :tagline "Chaos" ; :year 1985 .
:p1 rdfs:label "Michael Mann" ; :bornIn "Chicago" ; :name "x" .
:p2 rdfs:label "Akira Kurosawa" .
"""
TEXT = (
    "(?m)-[directed by]->(?p) optional { (?m)-[tagline]->(?t) } optional { (?p)-[born in]->(?b) } "
    "return ?t, ?m, ?b"
)


@pytest.fixture(scope="module")
def movies() -> Iterator[isomatch.Session]:
    with opened(MOVIES) as session:
        yield session


def test_matches_are_those_of_the_pattern_without_the_part(movies: isomatch.Session) -> None:
    result = movies.match(TEXT, k=1)
    plain = movies.match("(?m)-[directed by]->(?p) return ?m", k=1)

    assert result.certificate.complete
    assert [m.bindings for _, m in result.matches] == [m.bindings for _, m in plain.matches]
    assert result.answers() == plain.answers()
    found = {
        m.bindings["m"].name: tuple([b.name for b in m.column(id)] for id in ("t", "b"))
        for _, m in result.matches
    }
    assert found == {
        "Heat": (["A Los Angeles crime saga", "Heat"], ["Chicago"]),
        "Ali": ([], ["Chicago"]),
        "Ran": (["Chaos"], []),
    }
    assert to_json(result.pattern) == to_json(parse(TEXT))


def test_rows_have_the_columns_in_their_order_and_empty_cells(movies: isomatch.Session) -> None:
    result = movies.match(TEXT, k=1)
    head, *rows = csv.reader(StringIO(written(result_rows(result), Format.csv)))
    assert head[:6] == ["t", "tLabel", "m", "mLabel", "b", "bLabel"]
    assert sorted((row[1], row[3], row[5]) for row in rows) == [
        ("", "Ali", "Chicago"),
        ("A Los Angeles crime saga", "Heat", "Chicago"),
        ("Chaos", "Ran", ""),
        ("Heat", "Heat", "Chicago"),
    ]
    bindings = json.loads(written(result_rows(result), Format.sparql_json))["results"]["bindings"]
    ali = next(row for row in bindings if row["mLabel"]["value"] == "Ali")
    assert "t" not in ali
    assert "tLabel" not in ali
    terms = to_rdflib_bindings(result)
    assert len(terms) == 4
    assert sum("t" not in row for row in terms) == 1
    every = movies.match(TEXT.partition(" return")[0], k=1)
    assert result_rows(every).columns[:4] == ("m", "p", "t", "b")


def test_a_frame_has_missing_values(movies: isomatch.Session) -> None:
    text = "(?m)-[directed by]->(?p) optional { (?m)-[budget]->(?b) } return ?m, ?b"
    frame = to_frame(movies.match(text, k=1))
    assert str(frame["b"].dtype) == "Int64"
    by_movie = frame.set_index("m")["b"]
    assert sorted(by_movie["Ali"]) == [107, 118]
    assert by_movie.isna().sum() == 2


def test_json_has_the_rows_of_each_part_and_how_it_was_read(movies: isomatch.Session) -> None:
    form = result_form(movies.match(TEXT, k=1))
    ali = next(m for m in form["matches"] if m["bindings"]["m"]["name"] == "Ali")
    assert ali["optional"] == [
        {"rows": [], "cut": False},
        {"rows": [{"b": {"id": '"Chicago"', "name": "Chicago"}}], "cut": False},
    ]
    first, second = form["optional"]
    assert (first["nodes"], second["nodes"]) == (["t"], ["b"])
    assert [c["name"] for c in first["interpretations"][0]["choices"]] == ["tagline"]
    assert first["certificate"]["complete"]
    plain = result_form(movies.match("(?m)-[directed by]->(?p)", k=1))
    assert "optional" not in plain
    assert "optional" not in plain["matches"][0]


def shown(renderable: object) -> str:
    from rich.console import Console

    console = Console(file=StringIO(), width=200)
    console.print(renderable)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_trees_show_values_nothing_and_how_a_part_was_read(movies: isomatch.Session) -> None:
    result = movies.match(TEXT, k=1)
    tree = shown(interpretation_tree(result.pattern, result.interpretations[0]))
    assert "?t = A Los Angeles crime saga; Heat" in tree
    assert "?t: nothing" in tree
    assert "?b: nothing" in tree
    parts = "".join(map(shown, part_trees(result)))
    assert "optional { (?m)-[tagline]->(?t) }" in parts
    several = movies.match(
        "(?m)-[directed by]->(?p) optional { (?m)-[tagline]->(?t), (?m)-[year]->(?y) }", k=1
    )
    tree = shown(interpretation_tree(several.pattern, several.interpretations[0]))
    assert "?t = A Los Angeles crime saga, ?y = 1995; ?t = Heat, ?y = 1995" in tree
    assert "?t, ?y: nothing" in tree


def test_explain_and_queries_say_what_is_read_beside_them(movies: isomatch.Session) -> None:
    explained = movies.explain(TEXT)
    first, second = explained.optional
    assert "asked for what ?m is in each match, which the query here leaves open" in first.notes
    assert "tagline" in first.queries[0]
    assert not explained.parts
    assert second.lists[0].text == "born in"
    query = to_query(movies.match(TEXT, k=1), movies)
    assert query is not None
    head, *_ = query.splitlines()
    assert head == "# without: optional { (?m)-[tagline]->(?t) } optional { (?p)-[born in]->(?b) }"


def test_what_is_too_far_to_be_meant_makes_the_whole_too_far(movies: isomatch.Session) -> None:
    text = "(?m)-[directed by]->(?p) optional { (?m)-[colour of the sky]->(?t) } return ?m, ?t"
    result = movies.match(text, k=1)
    assert not result.found
    assert not result.interpretations[0].near
    assert not result_form(result)["optional"][0]["interpretations"][0]["near"]
    named = '(?m)-[directed by]->(?p) optional { (?x)-[in]-(?m), (?x)-[of]-("Zorro Quux") }'
    assert not movies.match(named, k=1).found


def test_conditions_orders_and_plain_matches_go_with_optional_parts(
    movies: isomatch.Session,
) -> None:
    text = (
        "(?m)-[year]->(?y) where ?y > 1990 optional { (?m)-[tagline]->(?t) } "
        "return ?m, ?t order by ?y limit 1"
    )
    ((_, match),) = movies.match(text, k=1).matches
    assert match.bindings["m"].name == "Heat"
    assert len(match.column("t")) == 2
    plain = movies.match(TEXT, k=3, results="matches")
    assert len(plain.interpretations) == 3
    assert all(len(i.matches[0].optional) == 2 for i in plain.interpretations)


def test_a_value_that_is_shared_is_asked_for(movies: isomatch.Session) -> None:
    more = MOVIES + ':m4 rdfs:label "Casino" ; :year 1995 . :m5 rdfs:label "Se7en" ; :shown 1995 .'
    text = '("Heat")-[year]->(?y) optional { (?other)-[year]->(?y) } return ?y, ?other'
    with opened(more) as session:
        ((_, match),) = session.match(text, k=1).matches
    assert [b.name for b in match.column("other")] == ["Heat", "Casino"]


def test_long_lists_are_cut_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    many = ", ".join(f'"t{i:03}"' for i in range(150))
    graph = MOVIES + f":m3 :tagline {many} ."
    with opened(graph) as session:
        result = session.match(TEXT, k=1)
        by_name = {m.bindings["m"].name: m.optional[0] for _, m in result.matches}
        assert {name: (len(v.rows), v.cut) for name, v in by_name.items()} == {
            "Heat": (2, False),
            "Ali": (0, False),
            "Ran": (100, True),
        }
        assert "of ?t a match may have more values than are given" in result.certificate.notes
        assert result.certificate.complete
        tree = shown(interpretation_tree(result.pattern, result.interpretations[0]))
        assert "; …" in tree
        lists = "optional { (?m)-[tagline]->(?t) } optional { (?m)-[tagline]->(?u) }"
        both = f"(?m)-[directed by]->(?p) {lists}"
        double = session.match(both, k=1)
        assert len(result_rows(double).rows) == 1000 + 4 + 1
        told = "".join(map(shown, rows_remarks(double)))
        assert "of one match at most 1,000 rows are given" in told
        monkeypatch.setattr(optional, "MOST_ROWS", 10)
        less = session.match(TEXT, k=1)
        ran = next(m.optional[0] for _, m in less.matches if m.bindings["m"].name == "Ran")
        assert (len(ran.rows), ran.cut) == (10, True)


def test_a_spent_budget_leaves_columns_unknown_and_it_is_said(
    movies: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Spent(QueryExecutor):
        def matches(self, *_: object) -> Any:
            raise BudgetSpent("time")

    monkeypatch.setattr(optional, "QueryExecutor", Spent)
    with_columns = movies.match(TEXT, k=1)
    assert with_columns.found
    assert not with_columns.certificate.exact
    assert with_columns.certificate.ended_by == "time"
    assert all(v.cut and not v.rows for _, m in with_columns.matches for v in m.optional)
    notes = " ".join(with_columns.certificate.notes)
    assert "?t is not known of 3 of what it is asked for: empty is not none" in notes
    tree = shown(interpretation_tree(with_columns.pattern, with_columns.interpretations[0]))
    assert "?t: not known" in tree


def test_two_people_of_one_name_both_count() -> None:
    graph = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a rdfs:label "Ann Lee" ; :wrote :x . :b rdfs:label "Ann Lee" ; :wrote :y .
:x :about :t . :y :about :t . :t rdfs:label "T" ; :kind :k . :k rdfs:label "K" .
"""
    part = '(?w)-[about]->(?t), ("Ann Lee")-[wrote]->(?w)'
    text = f'(?t)-[kind]->("K") optional {{ {part} }} return ?t, ?w'
    with opened(graph) as session:
        result = session.match(text, k=1)
        ((_, match),) = result.matches
        assert {b.id for b in match.column("w")} == {"http://e/x", "http://e/y"}
        assert len(result.optional[0].interpretations) == 2
        assert result.certificate.complete


def test_names_that_stand_for_all_their_nodes_go_with_optional_parts() -> None:
    graph = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a rdfs:label "Ann Lee" ; :knows :t ; :wrote :x . :b rdfs:label "Ann Lee" ; :knows :t ; :wrote :y .
:c rdfs:label "Bob" ; :knows :t ; :wrote :z . :d rdfs:label "Cid" ; :knows :t .
:x :about :t . :y :about :t . :z :about :t . :t rdfs:label "T" .
"""
    texts = {
        '(?p)-[knows]->("T") optional { (?p "Ann Lee")-[wrote]->(?w) } return ?p, ?w': {
            "a": {"x"},
            "b": {"y"},
            "c": set(),
            "d": set(),
        },
        '(?p "Ann Lee")-[knows]->(?t) optional { (?p)-[wrote]->(?w) } return ?p, ?w': {
            "a": {"x"},
            "b": {"y"},
        },
        '(?p)-[knows]->("T") optional { (?q "Ann Lee")-[wrote]->(?w), (?p)-[wrote]->(?w) } '
        "return ?p, ?w": {"a": set(), "b": set(), "c": set(), "d": set()},
    }
    with opened(graph) as session:
        for text, expected in texts.items():
            result = session.match(text, k=1)
            assert result.certificate.exact
            found = {
                m.bindings["p"].id[-1]: {b.id[-1] for b in m.column("w")} for _, m in result.matches
            }
            assert found == expected
        text = '(?t)<-[knows]-("Bob") optional { (?q "Ann Lee")-[knows]->(?t) } return ?t, ?q'
        ((_, match),) = session.match(text, k=1).matches
        assert {b.id[-1] for b in match.column("q")} == {"a", "b"}


def test_too_many_readings_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    people = "\n".join(f':p{i} rdfs:label "Ann Lee" ; :knows :t{i} .' for i in range(8))
    things = "\n".join(f':t{i} rdfs:label "T{i}" ; :of :k .' for i in range(8))
    prefixes = "@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    graph = f'{prefixes} {people} {things} :k rdfs:label "K" .'
    text = '(?t)-[of]->("K") optional { (?q "Ann Lee")-[knows]->(?t) } return ?t, ?q'
    with opened(graph) as session:
        whole = session.match(text, k=1)
        assert whole.certificate.complete
        assert all(len(m.column("q")) == 1 for _, m in whole.matches)
        monkeypatch.setattr(optional, "MOST_READINGS", 4)
        monkeypatch.setattr(optional, "MOST_ASKED", 4)
        some = session.match(text, k=1)
    assert not some.certificate.exact
    assert all(m.optional[0].cut for _, m in some.matches)
    notes = " ".join(some.certificate.notes)
    assert "in an optional part: it has too many equally near readings" in notes

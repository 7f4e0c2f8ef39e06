"""The best interpretation as a query in SPARQL, with the pattern's names and labels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from tests.turtle import graph_of
from typer.testing import CliRunner

import isomatch
from isomatch import to_query
from isomatch.cli.app import app

FILMS = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix : <urn:films:> .
:heat a :Film ; rdfs:label "Heat"@en, "Heat"@de, "Hitze"@de ; :directedBy :mann ; :year 1995 .
:ali a :Film ; rdfs:label "Ali" ; :directedBy :mann ; :year "1995-12-25"^^xsd:date .
:mann rdfs:label "Michael Mann" ; owl:sameAs <urn:other:mann> .
<urn:other:thief> rdfs:label "Thief" ; :directedBy <urn:other:mann> .
:Film rdfs:label "film" . :directedBy rdfs:label "directed by" .
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("films")
    (home / "films.ttl").write_text(FILMS, encoding="utf-8")
    for command in (["load", str(home / "films.ttl")], ["index"]):
        done = CliRunner().invoke(app, [*command, "--home", str(home)])
        assert done.exit_code == 0, done.output
    return home


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    graph = rdflib.Graph().parse(data=FILMS, format="turtle")
    with isomatch.open(graph, languages=("en",)) as opened:
        yield opened


def found(query: str | None, *columns: str) -> set[tuple[str | None, ...]]:
    """What a pasted query finds."""
    assert query is not None
    rows = graph_of(FILMS).query(query)
    assert isinstance(rows, ox.QuerySolutions)
    return {tuple(getattr(row[c], "value", None) for c in columns) for row in rows}


PATTERN = '(?film:film)-[directed by]-("Michael Mann")'
NAMED = {("urn:films:heat", "Heat"), ("urn:films:ali", "Ali")}


@pytest.mark.parametrize(
    "command", [["match", PATTERN], ["ask", PATTERN, "--interpreter", "given"]]
)
def test_the_command_line_shows_the_query_of_an_embedded_graph(
    home: Path, command: list[str]
) -> None:
    arguments = [*command, "--show-query", "--home", str(home)]
    form = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert found(form["query"], "film", "filmLabel") == NAMED
    assert "cypher" not in form
    shown = CliRunner().invoke(app, arguments).stdout
    assert shown.rstrip().endswith(form["query"].rstrip())
    data = CliRunner().invoke(app, [*arguments, "--format", "csv"])
    assert "SELECT" not in data.stdout
    assert form["query"].rstrip() in data.stderr


def test_a_question_in_words_shows_its_query(home: Path) -> None:
    asked = ["ask", "which films did Michael Mann direct", "--show-query", "--json"]
    form = json.loads(CliRunner().invoke(app, [*asked, "--home", str(home)]).stdout)
    (variable,) = form["pattern"]["return"]
    assert {id for (id,) in found(form["query"], variable)} == {a["id"] for a in form["answers"]}


def test_a_query_that_explain_prints_has_names_and_labels(home: Path) -> None:
    done = CliRunner().invoke(app, ["explain", PATTERN, "--query", "--home", str(home)])
    assert found(done.stdout, "film", "filmLabel") == NAMED
    assert "VALUES ?michael_mann { films:mann }" in done.stdout


def test_a_query_is_that_of_a_search_and_none_where_nothing_is_found(home: Path) -> None:
    pattern = '(?film)-[year]->("1995")'
    query = CliRunner().invoke(app, ["explain", pattern, "--query", "--home", str(home)]).stdout
    assert found(query, "film") == {("urn:films:heat",), ("urn:films:ali",)}
    nothing = ["explain", '(?film)-[year]->("Michael Mann")', "--query", "--k-nodes", "1"]
    done = CliRunner().invoke(app, [*nothing, "--k-relations", "1", "--home", str(home)])
    assert (done.exit_code, done.stdout) == (8, "")


def test_values_and_unknown_relations_have_names_too(session: isomatch.Session) -> None:
    result = session.match('("Heat")-[]->(?what)', k=1)
    query = to_query(result, session)
    assert found(query, "what", "whatLabel", "relation") == {
        ("urn:films:mann", "Michael Mann", "urn:films:directedBy"),
        ("1995", None, "urn:films:year"),
    }


def test_the_query_follows_the_options_of_the_search(session: isomatch.Session) -> None:
    options = {"same_as": True, "k": 1}
    result = session.match('(?film)-[directed by]->("Michael Mann")', **options)
    query = to_query(result, session, **options)
    assert {id for (id,) in found(query, "film")} == {b.id for b in result.answers()}
    assert len(result.answers()) == 3

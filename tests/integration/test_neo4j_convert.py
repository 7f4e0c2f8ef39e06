"""Results from real servers: as a statement to paste, as the driver's graph, as a drawing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta, timezone
from math import inf
from typing import Any

import neo4j
import pytest
import pytz
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time
from typer.testing import CliRunner

from isomatch import to_cypher, to_neo4j_graph, to_viz
from isomatch.cli.app import app
from isomatch.compile.literals import id_literal, list_literal
from isomatch.errors import ConfigurationError, PatternError
from isomatch.match.types import MatchResult
from isomatch.pattern import Pattern, parse
from isomatch.pattern.columns import LABEL, column_names
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.values import to_id


@pytest.fixture(scope="module")
def settings(films: Settings) -> Settings:
    return films


@pytest.fixture(scope="module")
def session(settings: Settings, neo4j_driver: neo4j.Driver) -> Iterator[Session]:
    with Session.open(settings, driver=neo4j_driver) as session:
        yield session


def rows(driver: neo4j.Driver, text: str, pattern: Pattern) -> set[tuple[Any, ...]]:
    """What a pasted text returns, without labels, by number of node and edge."""
    keys = {name: key for key, name in column_names(pattern).items()}
    return {
        tuple(
            cell((keys.get(name, name), value))
            for name, value in record.items()
            if not keys.get(name, name).endswith(LABEL)
        )
        for record in records(driver, text)
    }


def records(driver: neo4j.Driver, text: str) -> list[neo4j.Record]:
    """What a pasted text returns: its ``:param`` lines are read as Browser reads them."""
    *lines, statement = re.split(r";\n(?=:param |MATCH|UNWIND)", text.removesuffix(";"))
    parameters = {}
    for line in lines:
        name, _, value = line.removeprefix(":param ").partition(" => ")
        parameters[name] = driver.execute_query(f"RETURN {value} AS value").records[0]["value"]
    return driver.execute_query(statement, parameters, routing_="r").records


def cell(item: tuple[str, Any]) -> tuple[str, str | None]:
    column, value = item
    if isinstance(value, neo4j.graph.Node):
        return column, value.element_id
    if isinstance(value, neo4j.graph.Relationship):
        return column, f":{value.type}"
    return column, f".{value}" if column.startswith("e") else to_id(value)


def expected(result: MatchResult) -> set[tuple[Any, ...]]:
    """The same of the matches of the best interpretation."""
    pattern, found = result.pattern, set()
    for match in result.interpretations[0].matches:
        row = [(f"n{n}", match.bindings[node.id].id) for n, node in enumerate(pattern.nodes)]
        for e, (edge, triple) in enumerate(zip(pattern.edges, match.triples, strict=True)):
            if edge.relation is None or triple.relation.id.startswith(":"):
                row.append((f"e{e}", triple.relation.id))
        found.add(tuple(row))
    return found


PATTERNS = [
    ('(?film)-[directed]-("Michael Mann")', {}),
    ('(?film:movie)-[directed]-("Michael Mann")', {}),
    ('("Al Pacino")-[acted in]->(?film)<-[directed]-(?who:person)', {}),
    ('("Al Pacino")-[acted in]-(?film)-[acted in]-("Robert De Niro")', {}),
    ('("Heat")-[released]-(?year)', {}),
    ('("Heat")-[premiere]-(?day:date)', {}),
    ('(?film)-[released]-("1995")', {}),
    ("(?film)-[released]-(?year)", {}),
    ('("Heat")-[genres]-(?genre)', {}),
    ('(?film)-[genres]-("crime")', {}),
    ('("Heat")-[genres]-(?genre)-[genres]-(?other:movie)', {}),
    ('("Ali")-[tagline]-(?line)', {}),
    ('("Michael Mann")-[born]-(?year)-[born]-(?who)', {}),
    ('("Michael Mann")-[home]-(?place)', {}),
    ('(?who)-[home]-(place "SRID=4326;POINT(-87.6 41.8)")', {}),
    ('(?who)-[woke]-(at "2000-01-01T07:00:00")', {}),
    ('(?who)-[seen]-(at "2024-05-01T10:00:00+02:00")', {}),
    ("(?who)-[odd key]-(?what)", {}),
    ('(?who)-[odd key]-(text "it\'s a quote")', {}),
    ('("Heat")-[]-(?x)', {}),
    ('("Heat")-[]-(?x:number)', {}),
    ('("1943")-[]-(?x)', {}),
    ('("Al Pacino")-[]-(?x)', {}),
    ('("Al Pacino")-[title]-(?x)', {}),
    ("(?who)-[title]-(?x)", {}),
    ('("Michael Mann")-[]-("Heat")', {}),
    ('("Heat")-[]-(?x)-[]-("Ali")', {}),
    ("(?a)-[knows well]-(?b)", {}),
    ("(?a)-[knows well]-(?b)", {"direction": "as written"}),
    ("(?a)-[knows well]-(?b)", {"nodes": "repeat"}),
    ('("Al Pacino")-[knows well]-(?x)-[knows well]-(?y)', {"nodes": "anchored"}),
    ('("Heat")-[directed]-(?x)-[directed]-(?y)', {"nodes": "anchored"}),
    ('("Heat")-[directed]-(?x)-[directed]-(?y)', {"nodes": "repeat"}),
    ('("Heat")-[directed]->(?x)', {"direction": "as written"}),
    ('("Heat")<-[directed]-(?x)', {"direction": "as written"}),
    ('("Heat")-[released]->(?x)', {"direction": "as written"}),
    ("(?a)-[genres]-(?g)-[genres]-(?b)", {"nodes": "anchored"}),
    ("(?a)-[genres]-(?g)-[]-(?b)", {"nodes": "repeat"}),
    ('("Will Smith")-[acted in: ?role]-(?film)', {}),
    ('("Will Smith")-[acted in: "Muhammad Ali"]-(?film)', {}),
    ('(?who)-[acted in: ?role]-(?film)-[directed]-("Michael Mann")', {}),
    ('("Heat")-[directed]-(?x), ("Ali")-[genres]-(?g)', {}),
]


@pytest.mark.parametrize(("pattern", "options"), PATTERNS, ids=[str(p) for p in PATTERNS])
def test_a_pasted_statement_gives_the_matches(
    session: Session, neo4j_driver: neo4j.Driver, pattern: str, options: dict[str, Any]
) -> None:
    result = session.match(pattern, k=1, budget_seconds=None, **options)
    text = to_cypher(result, session, **options)
    if text is None:
        pytest.fail(f"the pattern has no match: {result.certificate}")
    assert rows(neo4j_driver, text, result.pattern) == expected(result), text


def test_values_are_parameters_and_names_are_escaped(session: Session) -> None:
    text = to_cypher(session.match('(?who)-[odd key]-(text "it\'s a quote")', k=1), session) or ""
    assert text == (
        r""":param n1 => 'it\'s a \\u0027 "quote"';
MATCH (who)
WHERE who.`odd``key` = $n1
RETURN DISTINCT who, $n1 AS text, coalesce(who.`name`, who.`title`) AS whoLabel
LIMIT 1000;"""
    )


def test_a_literal_is_read_as_the_value_that_it_is(neo4j_driver: neo4j.Driver) -> None:
    values = [
        *("it's \\u0027 \\\\u0027\n\r\t\x00\x1b\u2028\U000e0041`${}", -(2**63), 2**63 - 1),
        *(True, False, 0.1, -1e-300, 1e300, inf, -inf),
        *(Date(1995, 12, 15), Duration(months=-14, days=3, seconds=-4, nanoseconds=5)),
        *(Time(10, 0), Time(10, 0, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))),
        *(DateTime(1995, 12, 15), DateTime(1995, 12, 15, 1, 2, 3, 4, tzinfo=timezone.utc)),
        pytz.timezone("Europe/Paris").localize(DateTime(1995, 12, 15, 10)),
        *(WGS84Point((-87.6, 41.8)), CartesianPoint((1.0, 2.0, 3.0))),
    ]
    ids = [to_id(value) for value in values]
    text = f"RETURN {list_literal(id_literal(id or '') for id in ids)} AS found"
    (record,) = neo4j_driver.execute_query(text, routing_="r").records
    assert [to_id(value) for value in record["found"]] == ids


def test_a_pasted_statement_has_the_names_of_the_nodes(
    session: Session, neo4j_driver: neo4j.Driver
) -> None:
    text = to_cypher(session.match('(?film:movie)-[directed]-("Michael Mann")', k=1), session)
    assert {r["filmLabel"] for r in records(neo4j_driver, text or "")} == {"Heat", "Ali"}


@pytest.mark.parametrize(
    "name", ["match", "null", "true", "NaN", "inf", "case", "count", "in", "1st", "größe", "n1"]
)
def test_any_id_of_a_node_is_a_variable_of_the_statement(
    session: Session, neo4j_driver: neo4j.Driver, name: str
) -> None:
    result = session.match(f'(?{name}:movie)-[directed]-("Michael Mann")', k=1)
    text = to_cypher(result, session) or ""
    assert rows(neo4j_driver, text, result.pattern) == expected(result), text


def test_a_result_without_matches_has_no_statement(session: Session) -> None:
    result = session.match('("Heat")-[acted in]->("Ali")', k_relations=1, k_nodes=1)
    assert not result
    assert to_cypher(result, session) is None
    assert len(to_neo4j_graph(result, session).nodes) == 0


def test_the_drivers_graph_has_the_matched_nodes_and_relationships(session: Session) -> None:
    result = session.match('(?who)-[acted in]->(?film)-[released]-("1995")', k=1)
    graph = to_neo4j_graph(result, session)
    assert {node.get("name") or node["title"] for node in graph.nodes} == {
        *("Heat", "Al Pacino", "Robert De Niro"),
    }
    assert {tuple(r["roles"]) for r in graph.relationships} == {
        ("Vincent Hanna",),
        ("Neil McCauley", "Neil"),
    }
    (heat,) = {r.end_node for r in graph.relationships}
    assert heat.labels == {"Movie"}
    assert heat["released"] == 1995


def test_a_drawing_has_values_and_the_properties_of_relationships(session: Session) -> None:
    result = session.match('("Will Smith")-[acted in]->(?film)-[released]-(?year)', k=1)
    drawing = to_viz(result)
    assert {node.caption for node in drawing.nodes} == {"Will Smith", "Ali", "2001"}
    roles = [str(r.properties["roles"]) for r in drawing.relationships if "roles" in r.properties]
    assert len(roles) == 2
    assert all(any(role in text for text in roles) for role in ("himself", "Muhammad Ali"))
    assert "Will Smith" in drawing.render().data


@pytest.fixture
def environment(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.neo4j_password is not None
    monkeypatch.setenv("ISOMATCH_HOME", str(settings.home))
    monkeypatch.setenv("NEO4J_URI", str(settings.neo4j_uri))
    monkeypatch.setenv("NEO4J_PASSWORD", settings.neo4j_password.get_secret_value())


@pytest.mark.usefixtures("environment")
def test_the_command_line_shows_what_can_be_pasted(neo4j_driver: neo4j.Driver) -> None:
    pattern = '(?film:movie)-[directed]-("Michael Mann")'
    plain = CliRunner().invoke(app, ["match", pattern, "-k", "1", "--show-cypher"])
    assert plain.exit_code == 0, plain.output
    _, colon, text = plain.stdout.rstrip().partition("\n:param")
    assert len(records(neo4j_driver, (colon + text).strip())) == 2
    found = CliRunner().invoke(app, ["match", pattern, "-k", "1", "--show-cypher", "--json"])
    assert json.loads(found.stdout)["cypher"] == (colon + text).strip()
    drawn = CliRunner().invoke(app, ["match", pattern, "--show-cypher", "--dot"])
    assert drawn.exit_code == ConfigurationError.exit_code


@pytest.mark.usefixtures("environment")
def test_rows_have_the_element_ids_of_nodes(neo4j_driver: neo4j.Driver) -> None:
    pattern = '(?film:movie)-[directed]->("Michael Mann")'
    arguments = ["match", pattern, "-k", "1", "--direction", "any", "--format"]
    lines = CliRunner().invoke(app, [*arguments, "csv"]).stdout.splitlines()
    query = "MATCH (n:Movie)--({name: 'Michael Mann'}) RETURN DISTINCT elementId(n) AS id, n.title"
    ids = {tuple(r.values()) for r in neo4j_driver.execute_query(query).records}
    assert {tuple(line.split(",")[:2]) for line in lines[1:]} == ids
    rows = json.loads(CliRunner().invoke(app, [*arguments, "sparql-json"]).stdout)["results"]
    assert {b["film"]["value"] for b in rows["bindings"]} == {
        f"urn:isomatch:element:{id}" for id, _ in ids
    }


@pytest.mark.usefixtures("environment")
def test_an_answer_shows_it_too(neo4j_driver: neo4j.Driver) -> None:
    question = "which films did Michael Mann direct?"
    arguments = ["ask", question, "--interpreter", "schema", "--show-cypher", "--show-query"]
    found = CliRunner().invoke(app, [*arguments, "--json"])
    assert found.exit_code == 0, found.output
    answer = json.loads(found.stdout)
    assert {a["name"] for a in answer["answers"]} == {"Heat", "Ali"}
    found_rows = rows(neo4j_driver, answer["cypher"], parse(answer["pattern"]))
    assert {a["id"] for a in answer["answers"]} <= {id for row in found_rows for _, id in row}
    assert answer["query"] == answer["cypher"]


@pytest.fixture(scope="module")
def heat_id(session: Session, neo4j_driver: neo4j.Driver) -> str:
    """The elementId of a film."""
    (record,) = neo4j_driver.execute_query(
        "MATCH (n:Movie {title: 'Heat'}) RETURN elementId(n) AS id"
    ).records
    return str(record["id"])


@pytest.mark.parametrize("plugin", [True, False])
def test_a_node_is_given_by_its_element_id_or_a_key(
    session: Session, neo4j_driver: neo4j.Driver, settings: Settings, heat_id: str, plugin: bool
) -> None:
    chosen = settings.model_copy(update={"plugin": plugin})
    with Session.open(chosen, driver=neo4j_driver) as opened:
        for node in (f"<{heat_id}>", "<released:1995>", "<Movie.title:Heat>", "<title:Heat>"):
            result = opened.match(f"({node})<-[directed]-(?who)")
            assert [b.name for b in result.answers()] == ["Michael Mann"], node
            (choice, *_) = result.interpretations[0].choices
            assert (choice.id, choice.distance) == (heat_id, 0.0)
            assert result.certificate.complete
        for topic in (f"<{heat_id}>", "<released:1995>"):
            answer = opened.ask("who directed Heat?", topics=[topic], interpreter="schema")
            assert [b.name for b in answer.answers] == ["Michael Mann"]


def test_a_key_that_several_nodes_have_is_refused(session: Session) -> None:
    with pytest.raises(PatternError, match=r"several nodes have born:1943: .*<Label\.key:value>"):
        session.match("(<born:1943>)-[directed]-(?x)")
    missing = session.match("(<released:1900>)-[directed]-(?x)")
    assert not missing
    assert "the index has no node <released:1900>" in missing.certificate.notes
    assert session.explain("(<released:1995>)-[directed]-(?x)").lists[0].nearest == ("Heat", 0.0)

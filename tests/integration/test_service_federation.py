"""The service, called by SERVICE from the engines themselves, each with the same data.

What each engine sends differs (see docs/service.md): Oxigraph makes variables of blank
nodes, Fuseki and Virtuoso put values in place of variables and call once a row.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.servers.process import end_with_parent
from tests.servers.sparql_server import SparqlServer
from tests.servers.virtuoso import VirtuosoServer
from tests.unit.serve.films import BASE, GRAPH, MANN, make_home

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
CODE = "from isomatch.cli import main; main()"
Row = tuple[str, ...]


@contextmanager
def serving(*arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """`isomatch serve --sparql` at a free port; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, "serve", "--sparql", "--port", "0", "--json", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=end_with_parent,
    )
    assert process.stdout is not None
    try:
        told = "".join(iter(process.stdout.readline, "}\n")) + "}"
        yield json.loads(told)["sparql"]
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service over the same data as the engines, embedded."""
    home = make_home(tmp_path_factory.mktemp("service")).home
    with serving("--home", str(home)) as address:
        yield address


@pytest.fixture(scope="module")
def engine(sparql_server: SparqlServer) -> SparqlServer:
    """An engine with the films."""
    sparql_server.clear()
    sparql_server.load(GRAPH)
    if isinstance(sparql_server, VirtuosoServer):
        grants = PAGE.partition("```sql\n")[2].partition("```")[0]
        sparql_server.sql(
            *(line.strip().rstrip(";") for line in grants.splitlines() if line.strip())
        )
    return sparql_server


def rows(engine: SparqlServer, service: str, text: str, *variables: str) -> list[Row]:
    """The rows of a query that the engine is asked, sorted; ISOMATCH stands for the service.

    Virtuoso is asked with a default graph, and then puts GRAPH around what it sends.
    """
    prefixes = f"PREFIX isomatch: <urn:isomatch:> PREFIX : <{BASE}>\n"
    graphs = {"default-graph-uri": engine.settings.get("graphs", ())}
    response = httpx.post(
        engine.url,
        data={"query": prefixes + text.replace("ISOMATCH", f"<{service}>"), **graphs},
        headers={"Accept": "application/sparql-results+json"},
        timeout=60,
    )
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["results"]["bindings"]
    return sorted(
        tuple(row[v]["value"].removeprefix(BASE) if v in row else "" for v in variables)
        for row in found
    )


def test_a_search_joins_with_the_engines_own_pattern(engine: SparqlServer, service: str) -> None:
    text = f"""SELECT ?f ?year ?gsd WHERE {{
        SERVICE ISOMATCH {{ [] {MANN} ; isomatch:k 2 ; isomatch:binding ?f ; isomatch:gsd ?gsd }}
        ?f :year ?year }}"""
    found = rows(engine, service, text, "f", "year", "gsd")
    assert [row[:2] for row in found] == [
        ("collateral", "2004"),
        ("heat", "1995"),
        ("serpico", "1973"),
    ]
    distances = [float(row[2]) for row in found]
    assert distances[0] == distances[1] < distances[2]


def test_the_engine_may_have_found_its_rows_before(engine: SparqlServer, service: str) -> None:
    text = f"""SELECT ?f ?year WHERE {{
        ?f :year ?year FILTER (?year < 2000)
        SERVICE ISOMATCH {{
            [] {MANN} ; isomatch:binding ?f ; isomatch:gsd ?gsd FILTER (?gsd < 1) }} }}"""
    assert rows(engine, service, text, "f", "year") == [("heat", "1995")]


def test_predicates_by_node_take_any_variable(engine: SparqlServer, service: str) -> None:
    search = r"""[] isomatch:pattern
        "(?f)-[directed by]-(?d), (?f)-[starring]-(\"Al Pacino\") return ?f, ?d" ;
        isomatch:node-f ?film ; isomatch:node-d ?who"""
    join = "?film :directedBy ?who ; :year ?year"
    service_first = f"SELECT ?film ?who ?year WHERE {{ SERVICE ISOMATCH {{ {search} }} {join} }}"
    service_last = f"SELECT ?film ?who ?year WHERE {{ {join} SERVICE ISOMATCH {{ {search} }} }}"
    found = [("heat", "mann", "1995"), ("serpico", "lumet", "1973")]
    assert rows(engine, service, service_first, "film", "who", "year") == found
    assert rows(engine, service, service_last, "film", "who", "year") == found


def test_values_join_as_nodes_do(engine: SparqlServer, service: str) -> None:
    text = r"""SELECT ?f ?y WHERE {
        SERVICE ISOMATCH { [] isomatch:pattern "(\"Heat\")-[year]-(?y)" ; isomatch:answer ?y }
        ?f :year ?y }"""
    assert rows(engine, service, text, "f", "y") == [("heat", "1995")]


def test_a_row_without_a_match_stays_with_optional(engine: SparqlServer, service: str) -> None:
    text = f"""SELECT ?f ?rank WHERE {{
        ?f :year ?year
        OPTIONAL {{ {{ SELECT ?f ?rank {{
            SERVICE ISOMATCH {{ [] {MANN} ; isomatch:binding ?f ; isomatch:rank ?rank }} }} }} }}
    }}"""
    assert rows(engine, service, text, "f", "rank") == [
        ("collateral", "1"),
        ("heat", "1"),
        ("serpico", ""),
    ]


def test_a_question_inside_a_query(engine: SparqlServer, service: str) -> None:
    text = """SELECT ?f ?who WHERE {
        SERVICE ISOMATCH { [] isomatch:question "who directed Serpico?" ; isomatch:answer ?who }
        ?f :directedBy ?who }"""
    assert rows(engine, service, text, "f", "who") == [("serpico", "lumet")]


@pytest.mark.parametrize(
    "search",
    [
        '[] isomatch:pattern "(?f:film)-[directed" ; isomatch:binding ?f',
        "?f :directedBy :mann",
        f"[] {MANN} ; isomatch:binding ?director ; isomatch:gsd ?gsd",
    ],
)
def test_what_the_service_refuses_is_an_error_of_the_engine(
    engine: SparqlServer, service: str, search: str
) -> None:
    text = f"SELECT * WHERE {{ SERVICE ISOMATCH {{ {search} }} ?f :year ?year }}"
    # Oxigraph has begun its answer by then, and breaks it off.
    with pytest.raises((AssertionError, json.JSONDecodeError), match=r"200|Expecting value"):
        rows(engine, service, text, "f")


def test_a_service_over_an_engine_joins_in_that_engine(
    engine: SparqlServer, tmp_path: Path
) -> None:
    """isomatch searches the engine by its endpoint, and the engine calls isomatch."""
    table = "".join(
        f"{key} = {json.dumps(value)}\n"
        for key, value in {"url": engine.url, **engine.settings}.items()
    )
    config = tmp_path / "isomatch.toml"
    config.write_text(f"[endpoints.films]\n{table}", encoding="utf-8")
    given = ["--home", str(tmp_path / "home"), "--endpoint", "films"]
    environment = {**os.environ, "ISOMATCH_CONFIG": str(config)}
    index = [sys.executable, "-c", CODE, "index", *given]
    subprocess.run(index, env=environment, check=True, capture_output=True)
    with serving(*given, environment=environment) as address:
        text = f"""SELECT ?f ?year WHERE {{
            SERVICE ISOMATCH {{ [] {MANN} ; isomatch:binding ?f }} ?f :year ?year }}"""
        found = rows(engine, address, text, "f", "year")
        assert found == [("collateral", "2004"), ("heat", "1995")]

"""The service over HTTP, after the SPARQL 1.1 Protocol, on a real session."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from rdflib import RDF, Graph, URIRef
from tests.unit.serve.films import BASE, MANN, open_films, query

from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.serve.sparql.description import SD
from isomatch.serve.sparql.searches import Limits
from isomatch.session import Session

FILMS = query(f"[] {MANN} ; isomatch:binding ?f ; isomatch:gsd ?gsd", "SELECT ?f ?gsd")
JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_films(tmp_path_factory.mktemp("films")) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(session: Session) -> Iterator[TestClient]:
    with TestClient(create_app(Service(Graphs.over(session)))) as client:
        yield client


def ask(client: TestClient, text: str, **more: Any) -> list[dict[str, str]]:
    """The rows of a query: values by variable."""
    response = client.get("/sparql", params={"query": text}, **more)
    assert response.status_code == 200, response.text
    bindings = response.json()["results"]["bindings"]
    return [{name: term["value"] for name, term in row.items()} for row in bindings]


def films(rows: list[dict[str, str]], name: str = "f") -> list[str]:
    return [row[name].removeprefix(BASE) for row in rows]


@pytest.mark.parametrize("way", ["get", "form", "body"])
def test_a_query_comes_in_three_ways(client: TestClient, way: str) -> None:
    if way == "get":
        response = client.get("/sparql", params={"query": FILMS})
    elif way == "form":
        response = client.post("/sparql", data={"query": FILMS})
    else:
        headers = {"Content-Type": "application/sparql-query; charset=utf-8"}
        response = client.post("/sparql", content=FILMS, headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"] == JSON
    bindings = response.json()["results"]["bindings"]
    assert sorted(row["f"]["value"] for row in bindings) == [f"{BASE}collateral", f"{BASE}heat"]
    assert 0 < float(bindings[0]["gsd"]["value"]) < 1


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, JSON),
        ("*/*", JSON),
        (XML, XML),
        ("application/json", "application/json"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
        (f"{JSON};q=0.2, {XML};q=0.9", XML),
        # What Fuseki, Oxigraph and Virtuoso send for a SERVICE.
        (
            f"{JSON}, {XML};q=0.9, text/tab-separated-values;q=0.7, text/csv;q=0.5,"
            "application/json;q=0.2,application/xml;q=0.2,*/*;q=0.1",
            JSON,
        ),
        (f"{JSON}, {XML}", JSON),
        (f"{XML}, text/rdf+n3, text/turtle, application/rdf+xml, application/xml", XML),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/xml"),
    ],
)
def test_the_format_is_negotiated(client: TestClient, accept: str | None, media: str) -> None:
    headers = {"Accept": accept} if accept else {}
    client.headers.pop("accept", None)
    response = client.get("/sparql", params={"query": FILMS}, headers=headers)
    assert (response.status_code, response.headers["content-type"]) == (200, media)
    assert f"{BASE}heat" in response.text


def test_csv_has_a_line_for_each_row(client: TestClient) -> None:
    response = client.get("/sparql", params={"query": FILMS}, headers={"Accept": "text/csv"})
    rows = list(csv.reader(io.StringIO(response.text)))
    assert rows[0] == ["f", "gsd"]
    assert sorted(row[0] for row in rows[1:]) == [f"{BASE}collateral", f"{BASE}heat"]


def test_ask_has_no_csv(client: TestClient) -> None:
    text = query(f"[] {MANN}", "ASK")
    assert client.get("/sparql", params={"query": text}).json() == {"head": {}, "boolean": True}
    response = client.get("/sparql", params={"query": text}, headers={"Accept": "text/csv"})
    assert response.status_code == 406
    assert JSON in response.text


@pytest.mark.parametrize("accept", ["text/turtle", "application/rdf+xml", "application/n-triples"])
def test_without_a_query_the_service_describes_itself(client: TestClient, accept: str) -> None:
    response = client.get("/sparql", headers={"Accept": accept})
    assert response.status_code == 200
    media = response.headers["content-type"].partition(";")[0]
    assert media == accept
    graph = Graph().parse(data=response.text, format=media)
    (service,) = graph.subjects(RDF.type, URIRef(SD + "Service"))
    assert graph.value(service, URIRef(SD + "endpoint")) == URIRef("http://testserver/sparql")
    assert graph.value(service, URIRef(SD + "supportedLanguage")) == URIRef(SD + "SPARQL11Query")
    assert len(list(graph.objects(service, URIRef(SD + "resultFormat")))) == 4
    features = set(graph.objects(service, URIRef(SD + "propertyFeature")))
    assert {URIRef("urn:isomatch:pattern"), URIRef("urn:isomatch:gsd")} <= features


@pytest.mark.parametrize(
    ("method", "request_", "status", "words"),
    [
        ("GET", {"params": {"query": "SELEC"}}, 400, "line 1, column 1"),
        ("GET", {"params": [("query", FILMS), ("query", FILMS)]}, 400, "not 2"),
        ("POST", {"data": {"q": FILMS}}, 400, "not 0"),
        ("GET", {"params": {"query": FILMS, "default-graph-uri": "urn:g"}}, 400, "no graphs"),
        ("GET", {"params": {"query": FILMS, "named-graph-uri": "urn:g"}}, 400, "no graphs"),
        ("POST", {"data": {"update": "CLEAR ALL"}}, 403, "only reads"),
        (
            "POST",
            {"content": "CLEAR ALL", "headers": {"Content-Type": "application/sparql-update"}},
            403,
            "only reads",
        ),
        ("POST", {"content": FILMS}, 415, "application/sparql-query"),
        (
            "POST",
            {"content": FILMS, "headers": {"Content-Type": "text/plain"}},
            415,
            "not text/plain",
        ),
        (
            "POST",
            {"content": b"\xff", "headers": {"Content-Type": "application/sparql-query"}},
            400,
            "UTF-8",
        ),
        ("POST", {"content": b"query=%ff", "headers": {"Content-Type": FORM}}, 400, "UTF-8"),
        (
            "GET",
            {"params": {"query": FILMS}, "headers": {"Accept": "image/png"}},
            406,
            "image/png",
        ),
        ("GET", {"headers": {"Accept": "image/png"}}, 406, "text/turtle"),
        ("PUT", {}, 405, "PUT"),
        ("DELETE", {}, 405, "DELETE"),
    ],
)
def test_what_is_refused_and_how(
    client: TestClient, method: str, request_: dict[str, Any], status: int, words: str
) -> None:
    response = client.request(method, "/sparql", **request_)
    assert (response.status_code, response.headers["content-type"]) == (
        status,
        "application/problem+json",
    )
    assert words in response.text
    if status == 405:
        assert set(response.headers["allow"].split(", ")) == {"GET", "POST"}


def test_other_parameters_and_empty_graphs_are_passed_over(client: TestClient) -> None:
    # Virtuoso sends maxrows, forms of web pages an empty default-graph-uri.
    parameters = {"query": FILMS, "maxrows": "10000000", "default-graph-uri": ""}
    assert client.get("/sparql", params=parameters).status_code == 200


def test_what_is_too_long_is_refused_before_it_is_read(session: Session) -> None:
    with TestClient(
        create_app(Service(Graphs.over(session)), limits=Limits(request_bytes=1000))
    ) as client:
        headers = {"Content-Type": "application/sparql-query"}
        long = FILMS + " " * 1000
        assert client.post("/sparql", content=FILMS, headers=headers).status_code == 200
        assert client.post("/sparql", content=long, headers=headers).status_code == 413
        assert client.get("/sparql", params={"query": long}).status_code == 413

        def pieces() -> Iterator[bytes]:
            for _ in range(100):
                yield b" " * 100

        response = client.post("/sparql", content=pieces(), headers=headers)
        assert (response.status_code, "1000 bytes" in response.text) == (413, True)


def test_a_token_is_asked_for(session: Session) -> None:
    with TestClient(create_app(Service(Graphs.over(session)), token="right")) as client:
        for header in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic right"}):
            response = client.get("/sparql", params={"query": FILMS}, headers=header)
            assert response.status_code == 401
            assert response.headers["www-authenticate"].startswith("Bearer ")
        assert client.get("/sparql").status_code == 401
        assert films(ask(client, FILMS, headers={"Authorization": "Bearer right"}))
        assert client.get("/healthz").json()["status"] == "ok"


def test_pages_of_other_origins_may_ask_where_it_is_allowed(session: Session) -> None:
    headers = {"Origin": "http://yasgui.example", "Access-Control-Request-Method": "POST"}
    with TestClient(create_app(Service(Graphs.over(session)), cors=True)) as client:
        response = client.options("/sparql", headers=headers)
        assert response.headers["access-control-allow-origin"] == "*"
        assert "POST" in response.headers["access-control-allow-methods"]
        response = client.get("/sparql", params={"query": FILMS}, headers=headers)
        assert response.headers["access-control-allow-origin"] == "*"
    with TestClient(create_app(Service(Graphs.over(session)))) as client:
        assert (
            "access-control-allow-origin" not in client.options("/sparql", headers=headers).headers
        )


def test_other_addresses_are_not_found_but_health_is(client: TestClient) -> None:
    response = client.get("/nothing")
    assert response.status_code == 404
    assert "/openapi.json" in response.text
    assert client.get("/healthz").json()["status"] == "ok"


def test_interpretations_come_in_order_with_what_they_are(client: TestClient) -> None:
    rows = ask(
        client,
        query(
            f"[] {MANN} ; isomatch:k 2 ; isomatch:answer ?x ; isomatch:rank ?rank ; isomatch:gsd "
            "?gsd ; isomatch:reading ?reading ; isomatch:near ?near ; isomatch:exact ?exact ; "
            "isomatch:complete ?complete ; isomatch:name-f ?name"
        ),
    )
    assert [row["rank"] for row in rows] == ["1", "1", "2"]
    assert {row["name"] for row in rows[:2]} == {"Heat", "Collateral"}
    assert films(rows, "x")[2] == "serpico"
    assert "read as “Michael Mann”" in rows[0]["reading"]
    assert "read as “Sidney Lumet”" in rows[2]["reading"]
    assert [row["near"] for row in rows] == ["true", "true", "false"]
    assert {(row["exact"], row["complete"]) for row in rows} == {("true", "true")}


def test_one_interpretation_is_given_where_none_are_asked_for(client: TestClient) -> None:
    assert sorted(films(ask(client, query(f"[] {MANN} ; isomatch:binding ?f")))) == [
        "collateral",
        "heat",
    ]


def test_two_searches_in_one_query_join(client: TestClient) -> None:
    where = (
        f"[] {MANN} ; isomatch:binding ?f . "
        r'[] isomatch:pattern "(?f)-[starring]-(\"Al Pacino\")" ; isomatch:binding ?f'
    )
    assert films(ask(client, query(where))) == ["heat"]


def test_values_join_by_term(client: TestClient) -> None:
    where = (
        r'[] isomatch:pattern "(\"Heat\")-[year]-(?y)" ; isomatch:binding ?y '
        "VALUES (?y ?n) { (1995 1) (2004 2) }"
    )
    (row,) = ask(client, query(where))
    assert (row["y"], row["n"]) == ("1995", "1")


def test_a_question_is_read_without_a_model(client: TestClient) -> None:
    where = '[] isomatch:question "who directed Serpico?" ; isomatch:answer ?who'
    assert films(ask(client, query(where)), "who") == ["lumet"]


def test_a_question_that_cannot_be_answered_has_no_rows(client: TestClient) -> None:
    where = '[] isomatch:question "who is the king of Zamunda?" ; isomatch:answer ?who'
    assert ask(client, query(where)) == []


def test_a_question_of_unknown_words_is_refused_with_them(client: TestClient) -> None:
    where = '[] isomatch:question "qwertz uiop asdf" ; isomatch:answer ?who'
    response = client.get("/sparql", params={"query": query(where)})
    assert response.status_code == 422
    assert "no place was found for “qwertz”, “uiop”, “asdf”" in response.text

"""The routes under ``/v1``: what they give, and what they refuse."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.unit.serve.films import BASE, make_home, open_films

from isomatch.factories import make_index
from isomatch.feedback import FeedbackFile
from isomatch.output.json import answer_form, result_form
from isomatch.resources import ClosedResources
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Caller, Graph, Graphs
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings import Settings

MANN = '(?f:film)-[directed by]-("Micheal Mann") return ?f'


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_films(tmp_path_factory.mktemp("api")) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(session: Session) -> Iterator[TestClient]:
    with TestClient(create_app(Service(Graphs.over(session)))) as opened:
        yield opened


def without_times(form: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in form.items() if key not in ("profile", "stages_ms")}


def test_a_match_is_what_the_command_line_prints(client: TestClient, session: Session) -> None:
    response = client.post("/v1/match", json={"pattern": MANN, "options": {"k": 2}, "query": True})
    assert response.status_code == 200
    given = response.json()
    assert given.pop("graph") == "default"
    assert "SELECT" in given.pop("query")
    expected = result_form(session.match(MANN, k=2))
    assert without_times(given) == without_times(expected)


def test_an_answer_is_what_the_command_line_prints(client: TestClient, session: Session) -> None:
    question = "which films did Michael Mann direct"
    given = client.post("/v1/ask", json={"question": question}).json()
    assert given.pop("graph") == "default"
    assert without_times(given) == without_times(answer_form(session.ask(question)))
    assert {answer["name"] for answer in given["answers"]} == {"Heat", "Collateral"}


def test_a_pattern_is_asked_as_a_question(client: TestClient) -> None:
    asked = {"question": MANN, "interpreter": "given"}
    answers = client.post("/v1/ask", json=asked).json()["answers"]
    assert {answer["name"] for answer in answers} == {"Heat", "Collateral"}


@pytest.mark.parametrize(
    "typed",
    [
        ' (?f)-[directed by]-("Michael Mann")',
        '[["UNKNOWN film 1", "directed by", "Michael Mann"]]',
        '\n[ ["UNKNOWN film 1", "directed by", "Michael Mann"]]',
    ],
)
def test_a_pattern_in_the_address_of_a_page_is_no_question(client: TestClient, typed: str) -> None:
    page = client.get("/", params={"q": typed}).text
    assert "Collateral" in page
    assert "not understood" not in page


def test_evidence_by_prizes_and_costs_has_its_own_options(client: TestClient) -> None:
    question = "how are Michael Mann and Al Pacino connected"
    asked = {"question": question, "retriever": "steiner", "options": {"k": 5, "hops": 2}}
    answer = client.post("/v1/ask", json=asked)
    assert answer.status_code == 200
    assert answer.json()["selection"]["optimal"] is True
    refused = client.post("/v1/ask", json={**asked, "options": {"limit": 5}})
    assert (refused.status_code, "limit" in refused.text) == (400, True)


def test_an_explanation_has_lists_and_queries(client: TestClient) -> None:
    given = client.post("/v1/explain", json={"pattern": MANN}).json()
    assert given["lists"]
    assert given["queries"]
    query = client.post("/v1/explain", json={"pattern": MANN, "query": True}).json()["query"]
    assert "SELECT" in query


def test_the_right_method_is_named(client: TestClient) -> None:
    refused = client.get("/v1/ask")
    assert (refused.status_code, refused.json()["detail"]) == (
        405,
        "GET is not supported at /v1/ask, POST is",
    )


def test_what_a_text_may_mean_is_found(client: TestClient) -> None:
    found = client.post("/v1/find", json={"text": "Micheal Mann", "kinds": ["node"]}).json()
    assert found["found"][0]["id"] == f"{BASE}mann"
    assert found["found"][0]["spelling"] == "one edit"


def test_a_neighbourhood_is_cut_at_its_limit(client: TestClient) -> None:
    asked = {"nodes": [f"{BASE}mann"]}
    whole = client.post("/v1/neighbourhood", json=asked).json()
    assert {t["source"]["name"] for t in whole["triples"]} == {"Heat", "Collateral"}
    assert whole["cut"] is False
    cut = client.post("/v1/neighbourhood", json={**asked, "limit": 1}).json()
    assert len(cut["triples"]) == 1
    assert cut["cut"] is True
    assert cut["notes"]


def test_nodes_have_names_and_types_and_are_found_or_not(client: TestClient) -> None:
    asked = [f"{BASE}heat", f"{BASE}mann", "urn:none", "no IRI", "_:b0"]
    nodes = client.post("/v1/nodes", json={"nodes": asked}).json()["nodes"]
    assert [(node["name"], node["types"], node["found"]) for node in nodes] == [
        ("Heat", ["film"], True),
        ("Michael Mann", ["person"], True),
        ("urn:none", [], False),
        ("no IRI", [], False),
        ("_:b0", [], None),
    ]
    around = client.post("/v1/neighbourhood", json={"nodes": asked[:1]}).json()["nodes"]
    types = {node["name"]: node["types"] for node in around}
    assert types == {"Heat": ["film"], "Michael Mann": ["person"], "Al Pacino": ["person"]} | {
        "1995": []
    }


def test_feedback_is_kept_with_the_graph(client: TestClient, session: Session) -> None:
    body = {"question": "who helmed Heat", "kind": "reading", "pattern": MANN, "comment": "so"}
    response = client.post("/v1/feedback", json=body)
    assert response.status_code == 201
    (kept,), problems = FeedbackFile.of(session.settings).read()
    assert problems == ()
    assert (kept.id, kept.question, kept.comment, kept.caller) == (
        response.json()["id"],
        "who helmed Heat",
        "so",
        "anybody",
    )
    refused = client.post("/v1/feedback", json={"question": "q", "kind": "reading"})
    assert (refused.status_code, "needs the pattern" in refused.text) == (400, True)


def test_a_schema_begins_with_what_is_near_its_focus(client: TestClient) -> None:
    whole = client.get("/v1/schema").json()
    assert {relation["name"] for relation in whole["relations"]} == {
        "directed by",
        "starring",
        "year",
    }
    first = client.get("/v1/schema", params={"focus": "actors in it", "limit": 1}).json()
    assert [relation["name"] for relation in first["relations"]] == ["starring"]


def test_graphs_are_listed(client: TestClient) -> None:
    assert client.get("/v1/graphs").json() == {
        "graphs": [{"name": "default", "database": "embedded", "default": True}]
    }


@pytest.mark.parametrize(
    ("path", "body", "status", "words", "key"),
    [
        ("match", {"pattern": "(?f"}, 400, "", None),
        ("match", {}, 400, "pattern: field required", "pattern"),
        ("match", {"patern": "x"}, 400, "did you mean 'pattern'", "patern"),
        ("match", {"pattern": MANN, "k": 1}, 400, "'k'; it is a key of 'options'", "k"),
        ("match", {"pattern": MANN, "options": {"kk": 1}}, 400, "options.kk", "options.kk"),
        ("match", {"pattern": MANN, "options": {"k": 0}}, 400, "k must be", "options.k"),
        ("match", {"pattern": MANN, "options": {"k": 1000}}, 400, "at most 100", "options.k"),
        (
            "match",
            {"pattern": MANN, "options": {"budget_rows": None}},
            400,
            "budget_rows is None; this service allows at most 1,000,000",
            "options.budget_rows",
        ),
        (
            "ask",
            {"question": "q", "retriever": "paths", "options": {"proof_seconds": 31}},
            400,
            "proof_seconds is 31",
            "options.proof_seconds",
        ),
        ("match", {"pattern": MANN, "graph": "film"}, 404, "no graph 'film'", "graph"),
        ("match", {"pattern": MANN, "graph": "defalt"}, 404, "mean 'default'", "graph"),
        ("match", {"pattern": 7}, 400, "pattern", "pattern"),
        ("ask", {"question": ""}, 400, "at least 1 character", "question"),
        ("ask", {"question": "q", "interpreter": "x"}, 400, "'auto'", "interpreter"),
        ("neighbourhood", {"nodes": ["urn:none"]}, 400, "there is no node", None),
    ],
)
def test_a_wrong_request_is_told_what_is_wrong(
    client: TestClient, path: str, body: dict[str, Any], status: int, words: str, key: str | None
) -> None:
    response = client.post(f"/v1/{path}", json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert words in problem["detail"]
    assert problem.get("key") == key


def test_a_body_that_is_no_json_is_told(client: TestClient) -> None:
    response = client.post("/v1/match", content=b"{", headers={"Content-Type": "application/json"})
    assert (response.status_code, "not JSON" in response.text) == (400, True)


def test_a_pattern_that_breaks_a_rule_is_pointed_at(client: TestClient) -> None:
    problem = client.post("/v1/match", json={"pattern": "(?f)-[x]-("}).json()
    assert problem["type"] == "urn:isomatch:problem:pattern"
    assert problem["position"] == 10


def test_a_graph_that_is_not_allowed_is_as_one_that_is_not_there(session: Session) -> None:
    graphs = Graphs({name: Graph.over(session, name) for name in ("films", "books")}, None)
    reader = Caller("reader", frozenset({"books"}))
    assert graphs.get(None, reader).name == "books"
    with pytest.raises(Exception, match="there is no graph 'films'") as refused:
        graphs.get("films", reader)
    assert refused.value.status == 404  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="there are several graphs: say which: films, books"):
        graphs.get(None, Caller("all"))


def test_a_session_over_a_new_index_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    settings = make_home(tmp_path)
    graph = Graph("films", settings)
    graph.look_again = 0.0
    with graph.session() as first:
        with graph.session() as same:
            assert same is first
        make_index(settings)
        with graph.session() as second:
            assert second is not first
        assert first.match(MANN).found  # it stays open for those who use it
    assert first.resources.__class__ is ClosedResources
    graph.close()


def test_while_a_new_index_is_opened_requests_take_the_old_one(tmp_path: Path) -> None:
    settings = make_home(tmp_path)
    opening, go = threading.Event(), threading.Event()
    opened: list[Session] = []

    def slowly(given: Settings) -> Session:
        if opened:
            opening.set()
            assert go.wait(20)
        opened.append(Session.open(given))
        return opened[-1]

    graph = Graph("films", settings, slowly)
    with graph.session() as first:
        assert first is opened[0]
    make_index(settings)
    graph.look_again = 0.0  # somebody looks now
    with ThreadPoolExecutor(1) as threads:
        renewing = threads.submit(lambda: graph.session().__enter__())
        assert opening.wait(20)
        graph.look_again = 60.0  # and others do not
        other = threading.Thread(target=lambda: graph.session().__enter__(), daemon=True)
        other.start()
        other.join(10)
        waited = other.is_alive()
        go.set()
        assert renewing.result(20) is opened[1]
    assert not waited


def test_the_memory_of_a_replaced_index_is_given_back(tmp_path: Path) -> None:
    settings = make_home(tmp_path)
    graph = Graph("films", settings)
    graph.look_again = 0.0
    with graph.session() as first:
        assert first.match(MANN).found
        resources = weakref.ref(first.resources)
    make_index(settings)
    gc.collect()
    gc.disable()  # which may run at any time otherwise
    try:
        with graph.session():
            assert resources() is None
    finally:
        gc.enable()
    graph.close()

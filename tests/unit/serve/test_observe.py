"""What is told of requests: logs without questions, metrics, spans."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient
from tests.unit.serve.films import open_films
from tests.unit.serve.running import PATTERN, WAIT, Waiting, running, until

from isomatch.errors import StoreError
from isomatch.match.types import MatchResult
from isomatch.serve.app import create_app
from isomatch.serve.auth import Access
from isomatch.serve.graphs import Graphs
from isomatch.serve.observe import JsonLines
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings.service import ServiceSettings

QUESTION = "which films did Michael Mann direct"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_films(tmp_path_factory.mktemp("observe")) as opened:
        yield opened


def client_over(session: Any, access: Access | None = None, **settings: Any) -> TestClient:
    service = Service(Graphs.over(session), ServiceSettings(**settings))
    return TestClient(create_app(service, access=access), raise_server_exceptions=False)


class Lines(logging.Handler):
    """Keeps the lines of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))


@pytest.fixture
def log() -> Iterator[Lines]:
    handler, logger = Lines(), logging.getLogger("isomatch")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


def samples(client: TestClient, **headers: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Values by name and labels, in the order of these."""
    response = client.get("/metrics", headers=headers)
    assert response.status_code == 200
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def test_a_line_says_how_a_request_went_and_not_what_was_asked(
    session: Session, log: Lines
) -> None:
    with client_over(session, Access(token="secret-token")) as client:
        headers = {"Authorization": "Bearer secret-token", "X-Request-Id": "mine-1"}
        response = client.post("/v1/ask", json={"question": QUESTION}, headers=headers)
        client.get("/", params={"q": QUESTION}, headers=headers)
        refused = client.post("/v1/ask", json={"question": QUESTION})
    assert response.headers["x-request-id"] == "mine-1"
    told, _, wrong = log.lines
    assert (told["id"], told["method"], told["route"]) == ("mine-1", "POST", "/v1/ask")
    assert (told["status"], told["caller"], told["graph"]) == (200, "token", "default")
    assert told["stages_ms"]["total"] >= 0
    assert (wrong["status"], wrong["id"]) == (401, refused.headers["x-request-id"])
    said = json.dumps(log.lines)
    assert "Mann" not in said
    assert "secret-token" not in said


def test_questions_are_logged_where_the_settings_ask_for_it(session: Session, log: Lines) -> None:
    with client_over(session, log_questions=True) as client:
        client.post("/v1/ask", json={"question": QUESTION})
        client.post("/v1/match", json=PATTERN)
    assert [line["asked"] for line in log.lines] == [QUESTION, PATTERN["pattern"]]


@pytest.mark.parametrize("questions", [False, True])
def test_an_error_in_the_log_quotes_what_was_asked_only_where_questions_are_logged(
    log: Lines, questions: bool
) -> None:
    class Failing(Waiting):
        def match(self, *_: Any, **__: Any) -> MatchResult:
            raise StoreError('db.example:7687 refused MATCH (n {name: "Michael_Mann"}): no memory')

    with client_over(Failing().as_session, log_questions=questions) as client:
        pattern = '(?f)-[directed by]-("Michael Mann")'
        assert client.post("/v1/match", json={"pattern": pattern}).status_code == 503
    (error,) = (line["message"] for line in log.lines if "message" in line)
    assert "db.example:7687 refused MATCH" in error
    assert "no memory" in error
    assert ("Michael_Mann" in error) == questions
    assert ("…_…" in error) != questions


def test_a_request_id_that_is_none_is_not_taken(session: Session) -> None:
    with client_over(session) as client:
        response = client.get("/healthz", headers={"X-Request-Id": 'a"} {"forged": 1'})
    assert "forged" not in response.headers["x-request-id"]


def test_requests_are_counted_by_route_and_status(session: Session) -> None:
    with client_over(session) as client:
        client.post("/v1/match", json=PATTERN)
        client.post("/v1/match", json={})
        client.get("/nothing/of/this/name")
        client.request("BREW", "/nothing")
        found = samples(client)
    assert found["isomatch_requests_total", ("POST", "/v1/match", "200")] == 1
    assert found["isomatch_requests_total", ("POST", "/v1/match", "400")] == 1
    assert found["isomatch_requests_total", ("GET", "other", "404")] == 1
    assert not any("BREW" in labels for _, labels in found)
    assert found["isomatch_request_seconds_count", ("/v1/match",)] == 2
    assert found["isomatch_stage_seconds_count", ("total",)] == 1
    assert found["isomatch_requests_in_flight", ()] == 1  # this one


def test_metrics_need_a_key_where_other_requests_do(session: Session) -> None:
    with client_over(session, Access(token="t")) as client:
        assert client.get("/metrics").status_code == 401
        assert samples(client, Authorization="Bearer t")


def test_searches_and_clients_that_left_are_counted() -> None:
    session = Waiting()
    service = Service(Graphs.over(session.as_session), ServiceSettings(searches=1))
    with running(create_app(service)) as server:

        def lines() -> list[str]:
            return httpx.get(f"{server.url}/metrics", timeout=WAIT).text.splitlines()

        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.url}/v1/match", json=PATTERN, timeout=0.5)
        gone = 'isomatch_requests_total{method="POST",route="/v1/match",status="499"} 1.0'
        until(lambda: gone in lines())
        assert "isomatch_searches_running 0.0" in lines()


def test_a_request_and_its_stations_are_spans(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    with client_over(session) as client:
        parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        client.post("/v1/ask", json={"question": QUESTION}, headers={"traceparent": parent})
    *stations, request = exporter.get_finished_spans()
    assert request.name == "POST /v1/ask"
    assert request.attributes is not None
    assert request.attributes["http.response.status_code"] == 200
    assert request.attributes["isomatch.graph"] == "default"
    assert f"{request.context.trace_id:x}" == "af7651916cd43dd8448eb211c80319c"
    assert {"isomatch.interpret", "isomatch.answer"} <= {span.name for span in stations}
    assert {span.parent.span_id for span in stations if span.parent} == {request.context.span_id}
    assert "Mann" not in "".join(span.to_json() for span in (*stations, request))

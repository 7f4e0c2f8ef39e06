"""An answer as server-sent events, and whether the service is ready."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from tests.unit.endpoint import Endpoint
from tests.unit.output.wire_forms import checked
from tests.unit.serve.films import open_films
from tests.unit.serve.running import WAIT, Waiting, running, until

from isomatch import flows
from isomatch.errors import StoreError
from isomatch.serve import events as events_module
from isomatch.serve import readiness
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.responses import AskEvents, ReadyResponse
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings.service import ServiceSettings

QUESTION = "which films did Michael Mann direct"
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with open_films(tmp_path_factory.mktemp("events")) as opened:
        yield opened


def app_over(session: Any, **settings: Any) -> Any:
    return create_app(Service(Graphs.over(session), ServiceSettings(**settings)))


def read(text: str) -> list[tuple[str, Any]]:
    """(name, object) of the events."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if fields:
            name, form = fields["event"], json.loads(fields["data"])
            checked(AskEvents, {name: form})
            found.append((name, form))
    return found


def without_times(form: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in form.items() if key not in ("profile", "stages_ms")}


def test_an_answer_comes_in_pieces_and_last_whole(session: Session) -> None:
    body = {"question": QUESTION}
    with TestClient(app_over(session)) as client:
        response = client.post("/v1/ask", json=body, headers=STREAM)
        whole = client.post("/v1/ask", json=body).json()
    assert response.headers["content-type"].startswith("text/event-stream")
    events = read(response.text)
    assert [name for name, _ in events] == [
        *("understood", "evidence", "text", "certificate", "answer")
    ]
    told = dict(events)
    assert without_times(told["answer"]) == without_times(whole)
    assert told["certificate"] == whole["certificate"]
    assert told["evidence"] == {"evidence": whole["evidence"]}
    assert told["text"] == {"text": whole["text"]}
    best = told["understood"]["hypotheses"][0]
    assert best["pattern"] == whole["pattern"]
    assert best["score"] == whole["reading"]["score"]


def test_a_language_models_text_comes_as_it_is_written(session: Session) -> None:
    session.model = Endpoint("Heat and Collateral [1] [2].").model()
    try:
        with TestClient(app_over(session)) as client:
            response = client.post(
                "/v1/ask", json={"question": QUESTION, "interpreter": "schema"}, headers=STREAM
            )
    finally:
        session.model = None
    events = read(response.text)
    pieces = [form["text"] for name, form in events if name == "text"]
    assert len(pieces) > 1
    assert "".join(pieces).startswith("Heat and Collateral")
    assert events[-1][0] == "answer"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"question": QUESTION, "graph": "nothing"}, 404),
        ({"question": QUESTION, "options": {"k": 10_000}}, 400),
        ({"question": ""}, 400),
    ],
)
def test_what_is_wrong_with_a_request_has_its_status(
    session: Session, body: Any, status: int
) -> None:
    with TestClient(app_over(session)) as client:
        response = client.post("/v1/ask", json=body, headers=STREAM)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_what_goes_wrong_on_the_way_is_the_last_event(session: Session) -> None:
    asked = {"question": "(?a)-[directed by]->(", "interpreter": "given"}
    with TestClient(app_over(session)) as client:
        response = client.post("/v1/ask", json=asked, headers=STREAM)
    assert response.status_code == 200
    name, form = read(response.text)[-1]
    assert (name, form["problem"]["status"]) == ("error", 400)
    assert form["problem"]["type"] == "urn:isomatch:problem:pattern"


class Asking(Waiting):
    """Whose answers wait."""

    @property
    def pipeline(self) -> Any:
        session = self

        class Pipeline:
            def ask(self, *_: Any, **__: Any) -> Any:
                yield flows.Stage("evidence", ())
                yield flows.Blocking(session.match)
                raise StoreError("secret")

        return Pipeline()


@contextmanager
def stream(url: str) -> Iterator[Any]:
    with httpx.stream(
        "POST", f"{url}/v1/ask", json={"question": "q"}, headers=STREAM, timeout=WAIT
    ) as response:
        yield response.iter_lines()


def test_a_stream_is_kept_alive_and_a_failure_says_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(events_module, "KEEP_ALIVE", 0.05)
    session = Asking()
    with running(app_over(session)) as server, stream(server.url) as lines:
        assert next(lines) == "event: evidence"
        assert next(line for line in lines if line.startswith(":")) == ": still at it"
        session.go.set()
        rest = "\n".join(lines)
    assert '"status":503' in rest
    assert "secret" not in rest


def test_who_leaves_a_stream_ends_its_search() -> None:
    session = Asking()
    with running(app_over(session, searches=1)) as server:
        with stream(server.url) as lines:
            next(lines)
            until(lambda: session.started == 1)
        until(lambda: session.cancelled == 1)
        session.go.set()  # and the next one has its turn
        with stream(server.url) as lines:
            assert "event: error" in list(lines)


def test_a_stream_under_way_is_finished_before_the_service_ends() -> None:
    session = Asking()
    with running(app_over(session)) as server, stream(server.url) as lines:
        until(lambda: session.started == 1)
        server.terminate()
        assert httpx.get(f"{server.url}/readyz").json() == {"status": "stopping"}
        session.go.set()
        assert "event: error" in list(lines)
        server.thread.join(WAIT)
        assert not server.thread.is_alive()
    assert session.cancelled == 0


def test_a_stream_over_its_time_says_so() -> None:
    session = Asking()
    with TestClient(app_over(session, seconds=0.01)) as client:
        response = client.post(
            "/v1/ask", json={"question": "q", "options": {"budget_seconds": 0.01}}, headers=STREAM
        )
    assert read(response.text)[-1][1]["problem"]["status"] == 504
    assert session.cancelled == 1


def test_readiness_asks_the_database_and_tells_of_the_model(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "KEPT", -1.0)
    with TestClient(app_over(session)) as client:
        ready = client.get("/readyz")
        assert ready.status_code == 200
        assert ready.json() == {
            "status": "ready",
            "graphs": {"default": {"ready": True, "model": "none"}},
        }

        def down() -> Any:
            raise StoreError("http://secret cannot be reached")

        monkeypatch.setattr(session.store, "state", down)
        response = client.get("/readyz")
        assert response.status_code == 503
        checked(ReadyResponse, response.json())
        assert response.json()["graphs"]["default"] == {"ready": False, "why": "StoreError"}
        assert client.get("/healthz").status_code == 200

"""What a service must refuse, or bear: each is told clearly, and others are answered meanwhile."""

from __future__ import annotations

import json
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from tests.docs.service_examples import REQUESTS
from tests.turtle import opened
from tests.unit.answer.results import directed, result
from tests.unit.serve.running import PATTERN, WAIT, Running, Waiting, running, until

from isomatch.match.types import MatchResult
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.settings.service import ServiceSettings

SCRIPT = "<script>alert('x')</script>"
HEBREW = "\u05d7\u05d5\u05dd \u202e evil"  # "heat", then what turns letters around
ODD = rf"""
@prefix : <http://odd.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:directedBy rdfs:label "directed by" .
:script a :Film ; rdfs:label "{SCRIPT}" ; :directedBy :mann .
:heat a :Film ; rdfs:label "{HEBREW}" ; :directedBy :mann .
:mann rdfs:label "Michael Mann" .
"""
MANN = '(?f)-[directed by]->("Michael Mann") return ?f'
POSTS = [call.split()[1] for call in REQUESTS if call.startswith("POST")]
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with (
        opened(ODD) as session,
        TestClient(create_app(Service(Graphs.over(session)))) as client,
    ):
        yield client


class Many(Waiting):
    """A session whose every result is long."""

    def match(self, *_: Any, **__: Any) -> MatchResult:
        self.started += 1
        return result(directed([f"film {number} {'x' * 200}" for number in range(10_000)]))


def service(session: Waiting, **settings: Any) -> Any:
    return create_app(Service(Graphs.over(session.as_session), ServiceSettings(**settings)))


def problem(response: Any, status: int = 400) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = response.json()
    assert found["detail"]
    return found


def is_answered(server: Running, **body: Any) -> bool:
    return httpx.post(f"{server.url}/v1/match", json={**PATTERN, **body}).status_code == 200


@contextmanager
def connected(server: Running) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as connection:
        yield connection


def read(connection: socket.socket) -> bytes:
    """Everything until the service closes the connection."""
    found = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            found += piece
    return found


HEAD = b"POST /v1/match HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize("told", [True, False])
def test_a_body_of_100_mb_is_refused_unread(told: bool) -> None:
    session, most = Waiting(), 100_000_000
    session.go.set()
    length = f"Content-Length: {most}\r\n\r\n".encode()
    with running(service(session)) as server, connected(server) as connection:
        connection.sendall(HEAD + (length if told else b"Transfer-Encoding: chunked\r\n\r\n"))
        sent, piece = 0, b"x" * 65536
        with suppress(ConnectionError):
            while sent < most:
                connection.sendall(piece if told else b"10000\r\n" + piece + b"\r\n")
                sent += len(piece)
        assert sent < most / 4  # the rest is in buffers of the network
        assert is_answered(server)
        assert session.started == 1


def test_a_body_that_is_too_long_is_told_so(client: TestClient) -> None:
    asked = {"question": "q" * 1_000_000}
    assert "longer than 1000000 bytes" in problem(client.post("/v1/ask", json=asked), 413)["detail"]


def test_a_question_of_a_megabyte_is_refused(client: TestClient) -> None:
    asked = {"question": "who directed Heat " * 50_000}  # just fits into a body
    assert problem(client.post("/v1/ask", json=asked))["key"] == "question"
    longest = "x" * 60_000  # of what a client sends in an address
    problem(client.get("/v1/schema", params={"focus": longest}))
    assert client.get("/", params={"q": longest}).status_code == 413


def test_an_address_of_a_megabyte_is_refused() -> None:
    session = Waiting()
    session.go.set()
    with running(service(session)) as server, connected(server) as connection:
        with suppress(ConnectionError):
            connection.sendall(b"GET /?q=" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        assert read(connection).startswith((b"HTTP/1.1 400 ", b""))
        assert is_answered(server)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("deep", [b"[%s]", b'{"pattern": %s}', b'{"a": %s}'])
def test_json_nested_10000_deep_is_told(client: TestClient, path: str, deep: bytes) -> None:
    before, _, after = deep.partition(b"%s")
    body = before * 10_000 + b"1" + after * 10_000
    found = problem(client.post(path, content=body, headers=JSON))
    assert "nested too deep" in found["detail"]


def test_a_pattern_nested_deep_is_told(client: TestClient) -> None:
    deep = (
        '{"nodes": [{"id": "a"}], "edges": [], "parts": [{"pattern": ' * 150 + '"x"' + "}]}" * 150
    )
    problem(client.post("/v1/match", content=f'{{"pattern": {deep}}}', headers=JSON))
    brackets = {"pattern": "(?a)-[b]-(?c) where ?a in {" * 2_000}
    problem(client.post("/v1/match", json=brackets))


EDGES = [(f"n{i}", "directed by", f"n{i + 1}") for i in range(33)]


@pytest.mark.parametrize(
    "pattern",
    [
        ", ".join(f"(?{a})-[{r}]-(?{b})" for a, r, b in EDGES),
        [(f"UNKNOWN {a}", r, f"UNKNOWN {b}") for a, r, b in EDGES],
        {
            "nodes": [{"id": f"n{i}"} for i in range(34)],
            "edges": [{"source": a, "relation": r, "target": b} for a, r, b in EDGES],
        },
    ],
)
@pytest.mark.parametrize("path", ["/v1/match", "/v1/explain"])
def test_a_pattern_of_33_edges_is_refused(client: TestClient, path: str, pattern: Any) -> None:
    found = problem(client.post(path, json={"pattern": pattern}))
    assert found["type"] == "urn:isomatch:problem:pattern"
    assert "33" in found["detail"]
    assert "32" in found["detail"]


@pytest.mark.parametrize(
    ("path", "body", "key"),
    [
        ("match", {"pattern": 7}, "pattern"),
        ("match", {"pattern": None}, "pattern"),
        ("match", {"pattern": MANN, "options": {"k": "3"}}, "options.k"),
        ("match", {"pattern": MANN, "options": {"k": True}}, "options.k"),
        ("match", {"pattern": MANN, "options": {"k": 1.5}}, "options.k"),
        ("match", {"pattern": MANN, "options": {"k": 0}}, "options.k"),
        ("match", {"pattern": MANN, "options": {"budget_seconds": 0}}, "options.budget_seconds"),
        ("match", {"pattern": MANN, "options": {"direction": "up"}}, "options.direction"),
        ("match", {"pattern": MANN, "options": []}, "options"),
        ("match", {"pattern": MANN, "query": "yes"}, "query"),
        ("match", {"pattern": MANN, "graph": 1}, "graph"),
        ("ask", {"question": ["who"]}, "question"),
        ("ask", {"question": "who", "topics": "Heat"}, "topics"),
        ("ask", {"question": "who", "topics": [1]}, "topics.0"),
        ("find", {"text": "Heat", "limit": "5"}, "limit"),
        ("find", {"text": "Heat", "kinds": "node"}, "kinds"),
        ("neighbourhood", {"nodes": "http://odd.example/heat"}, "nodes"),
        ("nodes", {"nodes": [None]}, "nodes.0"),
        ("feedback", {"question": "who", "kind": "left"}, "kind"),
    ],
)
def test_a_wrong_type_is_told_with_its_place(
    client: TestClient, path: str, body: dict[str, Any], key: str
) -> None:
    found = problem(client.post(f"/v1/{path}", json=body))
    assert found["key"] == key
    assert found["detail"].startswith((key, key.removeprefix("options.")))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"pattern": 7}, "pattern: input should be a valid string or an object or a valid list"),
        (
            {"pattern": MANN, "query": "yes"},
            "query: input should be a valid boolean or 'answers'",
        ),
        ({"pattern": MANN, "options": 5}, "options: input should be an object"),
    ],
)
def test_every_form_that_a_key_may_have_is_told(
    client: TestClient, body: dict[str, Any], told: str
) -> None:
    assert problem(client.post("/v1/match", json=body))["detail"] == told


def test_a_body_that_is_not_utf_8_is_told_so(client: TestClient) -> None:
    found = problem(client.post("/v1/ask", content=b'{"question": "caf\xe9"}', headers=JSON))
    assert "it is not in UTF-8" in found["detail"]


@pytest.mark.parametrize(
    "options",
    [{"direction": "as-written"}, {"direction": "as written"}, {"strategy": "brute-force"}],
)
def test_options_are_those_of_the_command_line(client: TestClient, options: dict[str, Any]) -> None:
    given = client.post("/v1/match", json={"pattern": MANN, "options": options})
    assert given.status_code == 200, given.text


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", ["[]", '"text"', "7", "null", "", "{"])
def test_a_body_that_is_no_object_is_told(client: TestClient, path: str, body: str) -> None:
    assert "body" in problem(client.post(path, content=body, headers=JSON))["detail"]


def test_a_body_without_its_type_is_told(client: TestClient) -> None:
    found = problem(client.post("/v1/match", content=json.dumps({"pattern": MANN})), 415)
    assert "application/json" in found["detail"]


@pytest.mark.parametrize(
    ("path", "wrong", "right"),
    [
        ("match", {"pattern": MANN, "option": {}}, "options"),
        ("match", {"pattern": MANN, "options": {"limt": 1}}, "limit"),
        ("ask", {"question": "who", "interpeter": "auto"}, "interpreter"),
        ("find", {"text": "Heat", "kind": ["node"]}, "kinds"),
        ("neighbourhood", {"node": []}, "nodes"),
        ("feedback", {"question": "who", "kind": "up", "coment": ""}, "comment"),
    ],
)
def test_an_unknown_key_is_told_with_the_near_one(
    client: TestClient, path: str, wrong: dict[str, Any], right: str
) -> None:
    found = problem(client.post(f"/v1/{path}", json=wrong))
    assert f"did you mean {right!r}?" in found["detail"]


def test_a_name_that_is_markup_stays_a_name(client: TestClient) -> None:
    given = client.post("/v1/match", json={"pattern": MANN, "options": {"k": 1}})
    assert given.headers["content-type"] == "application/json"
    names = {match["bindings"]["f"]["name"] for match in given.json()["matches"]}
    assert SCRIPT in names
    asked = {"pattern": f'(?f)-[directed by]->("{SCRIPT}")', "graph": SCRIPT}
    assert problem(client.post("/v1/match", json=asked), 404)
    for address in ({"pattern": MANN}, {"q": SCRIPT}, {"graph": SCRIPT, "q": "who"}):
        page = client.get("/", params=address)
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert" in page.text


def test_a_name_from_right_to_left_turns_nothing_else_around(client: TestClient) -> None:
    given = client.post("/v1/match", json={"pattern": MANN, "options": {"k": 1}}).json()
    assert HEBREW in {match["bindings"]["f"]["name"] for match in given["matches"]}
    asked = {"pattern": f'("{HEBREW}")-[directed by]->(?m)'}
    best = client.post("/v1/match", json=asked).json()["matches"][0]
    assert (best["gsd"], best["bindings"]["m"]["name"]) == (0.0, "Michael Mann")
    page = client.get("/", params={"pattern": MANN}).text
    assert f'<bdi dir="auto">{HEBREW}</bdi>' in page


@pytest.mark.parametrize("node", ["<=x:y>", "<:x>", "<http://[x>", "<\U000e0001:x>"])
def test_what_is_no_iri_is_told_and_not_sent_to_the_database(client: TestClient, node: str) -> None:
    found = problem(client.post("/v1/match", json={"pattern": f'(?f)-[directed by]->("{node}")'}))
    assert "is no IRI" in found["detail"]
    problem(client.post("/v1/neighbourhood", json={"nodes": [node]}))
    for retriever in ("steiner", "chain"):
        asked = {"question": "who directed it", "topics": [node], "retriever": retriever}
        problem(client.post("/v1/ask", json=asked))


@pytest.fixture
def many_files() -> Iterator[None]:
    """So that this process may open all those connections, at both ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4096), hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
@pytest.mark.parametrize("sent", [b"", b"POST /v1/match HTTP/1.1\r\nHost:"])
def test_1000_connections_that_send_nothing_are_closed_in_time(sent: bytes) -> None:
    session = Waiting()
    session.go.set()
    with (
        running(service(session), idle_seconds=1.0) as server,
        ExitStack() as all_of_them,
    ):
        silent = [all_of_them.enter_context(connected(server)) for _ in range(1_000)]
        for connection in silent:
            connection.sendall(sent)
        assert is_answered(server)  # while they are there
        assert all(read(connection) == b"" for connection in silent)
        assert is_answered(server)


@pytest.mark.parametrize("before", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_headers_without_end_end_the_connection(before: bytes) -> None:
    """Also those of a request that comes after another on the same connection."""
    session = Waiting()
    session.go.set()
    with running(service(session)) as server, connected(server) as connection:
        connection.sendall(before + b"GET /healthz HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            connection.sendall((b"A: " + b"a" * 8_000 + b"\r\n") * 2_000)
        assert is_answered(server)


@pytest.mark.parametrize(("length", "status"), [(60_000, 200), (70_000, 431)])
def test_headers_have_a_length(length: int, status: int) -> None:
    line = b"A: " + b"a" * 995 + b"\r\n"
    with running(service(Waiting())) as server, connected(server) as connection:
        start = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        connection.sendall(start + line * (length // len(line)))
        if status == 200:
            connection.sendall(b"\r\n")
        assert read(connection).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_body_that_never_ends_is_given_up() -> None:
    session = Waiting()
    session.go.set()
    app = service(session, body_seconds=0.5)
    with running(app) as server, connected(server) as connection:
        connection.sendall(HEAD + b"Content-Length: 1000\r\n\r\n{")
        assert is_answered(server)
        told = read(connection)
        assert told.startswith(b"HTTP/1.1 408 ")
        assert b"the body did not come within 0.5 s" in told
        assert is_answered(server)


def test_a_client_that_does_not_read_is_left_and_holds_up_nobody() -> None:
    session = Many()
    app = service(session, searches=1)
    body = json.dumps(PATTERN).encode()
    with running(app, idle_seconds=0.5) as server, ExitStack() as all_of_them:
        for _ in range(3):
            connection = all_of_them.enter_context(connected(server))
            connection.sendall(HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        until(lambda: session.started == 3)
        answers: list[bool] = []
        other = threading.Thread(target=lambda: answers.append(is_answered(server)))
        other.start()
        other.join(WAIT)
        assert answers == [True]
        until(lambda: not app.state.in_flight)


def test_a_client_that_goes_after_several_requests_ends_the_first(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Those that wait behind it are never begun, and nothing is written to nobody."""
    session, body = Waiting(), json.dumps(PATTERN).encode()
    app = service(session)
    with running(app) as server:
        with connected(server) as connection:
            request = HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
            connection.sendall(request * 3)
            until(lambda: session.started == 1)
        until(lambda: not app.state.in_flight)
        assert (session.started, session.cancelled) == (1, 1)
        session.go.set()
        assert is_answered(server)
    assert not caplog.records


def test_a_slow_reader_gets_everything() -> None:
    session = Many()
    body = json.dumps(PATTERN).encode()
    with running(service(session), idle_seconds=0.5) as server, connected(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        close = b"Connection: close\r\n"
        connection.sendall(HEAD + close + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        found = read(connection)
        head, _, form = found.partition(b"\r\n\r\n")
        assert b" 200 " in head.splitlines()[0]
        assert len(json.loads(form)["matches"]) == 10_000


@pytest.mark.parametrize("given", [{"interpreter": "gsr"}, {"retriever": "triples"}])
def test_a_trained_model_that_is_not_there_is_no_reason_to_come_again(
    client: TestClient, given: dict[str, str]
) -> None:
    reply = client.post("/v1/ask", json={"question": "who directed what?", **given})
    assert reply.status_code == 501
    assert "Retry-After" not in reply.headers
    assert reply.json()["type"] == "urn:isomatch:problem:trained-model"
    assert "ask with another interpreter or retriever" in reply.json()["detail"]

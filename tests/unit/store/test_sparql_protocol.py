"""What an endpoint is sent: methods, graphs, log-ins, headers, proxies, certificates."""

from __future__ import annotations

import base64
import hashlib
import re
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest
from pydantic import ValidationError
from tests.servers.faulty import FaultyServer, Reply, Request

import isomatch
from isomatch.errors import ConfigurationError, QueryTimeout, StoreError
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Query
from isomatch.store.profile import Profile
from isomatch.store.sparql import SparqlStore

ONE = Query("SELECT ?s WHERE { ?s ?p ?o }", ("s",), name="one")
KNOWN = Profile(engine="oxigraph", rows=10_001)
RIGHT = [("http://e/s",)]


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer("<http://e/s> <http://e/p> <http://e/o> .") as server:
        yield server


def ask(server: FaultyServer, query: Query = ONE, **settings: Any) -> list[Any]:
    endpoint = Endpoint(**{"url": server.url, "timeout": 20.0, "back_off": 0.001, **settings})
    with SparqlStore(endpoint, KNOWN) as store:
        return list(store.run(query))


# -- methods --------------------------------------------------------------------------


@pytest.mark.parametrize(("padding", "method"), [(0, "GET"), (3000, "POST"), (300_000, "POST")])
def test_short_queries_go_by_get_and_long_ones_by_post(
    server: FaultyServer, padding: int, method: str
) -> None:
    long = Query(ONE.text + "#" * padding, ONE.columns)
    assert ask(server, long) == RIGHT
    [request] = server.requests
    assert (request.method, request.query) == (method, long.text)


@pytest.mark.parametrize("status", [405, 414, 431])
def test_an_endpoint_that_takes_no_get_is_sent_posts_from_then_on(
    server: FaultyServer, status: int
) -> None:
    server.always = lambda r, right: right if r.method == "POST" else Reply(status)
    with SparqlStore(Endpoint(url=server.url), KNOWN) as store:
        assert [list(store.run(ONE)) for _ in range(2)] == [RIGHT, RIGHT]
    assert [r.method for r in server.requests] == ["GET", "POST", "POST"]


def test_an_endpoint_that_takes_no_post_is_sent_gets(server: FaultyServer) -> None:
    server.always = lambda r, right: right if r.method == "GET" else Reply(405)
    long = Query(ONE.text + "#" + "x" * 3000, ONE.columns)
    with SparqlStore(Endpoint(url=server.url), KNOWN) as store:
        assert [list(store.run(long)) for _ in range(2)] == [RIGHT, RIGHT]
    assert [r.method for r in server.requests] == ["POST", "GET", "GET"]


def test_a_query_too_long_for_it_is_told(server: FaultyServer) -> None:
    server.always = Reply(413, b"too big", "text/plain")
    with pytest.raises(StoreError, match="does not take a query as long as 'one'"):
        ask(server)


def test_an_address_with_a_query_of_its_own_keeps_it(server: FaultyServer) -> None:
    assert ask(server, url=f"{server.url}?key=1&x=") == RIGHT
    assert server.requests[0].all("key") == ["1"]


def test_graphs_are_sent_as_the_protocol_says(server: FaultyServer) -> None:
    ask(server, graphs=("http://g/1", "http://g/2"), named_graphs=("http://g/3",))
    assert server.requests[0].all("default-graph-uri") == ["http://g/1", "http://g/2"]
    assert server.requests[0].all("named-graph-uri") == ["http://g/3"]


def test_who_we_are_is_said(server: FaultyServer) -> None:
    ask(server)
    agent = server.requests[0].headers["user-agent"]
    assert agent.startswith(f"isomatch/{isomatch.__version__} ")
    ask(server, headers={"User-Agent": "mine (me@my.example)"})
    assert server.requests[1].headers["user-agent"] == "mine (me@my.example)"


def test_parameters_become_values(server: FaultyServer) -> None:
    server.store.update(
        "INSERT DATA { <http://e/s2> <http://e/p> 'it''s \"}#' }".replace("''", "\\'")
    )
    query = Query("SELECT ?s ?o WHERE { ?s <http://e/p> ?o } LIMIT 1", ("s", "o"))
    for s, o in (("http://e/s", "http://e/o"), ("http://e/s2", '"it\'s \\"}#"')):
        bound = Query(query.text, query.columns, {"s": s, "o": o})
        assert ask(server, bound) == [(s, o)]
    assert ask(server, Query(query.text, query.columns, {"s": "http://e/none"})) == []


@pytest.mark.parametrize("id", ["http://e/> } #", "_:b0", "no iri", '"open'])
def test_a_parameter_that_is_no_term_is_not_sent(server: FaultyServer, id: str) -> None:
    with pytest.raises(ValueError, match=r"not an IRI|not a literal|cannot name"):
        ask(server, Query(ONE.text, ONE.columns, {"s": id}))
    assert server.requests == []


# -- log-ins --------------------------------------------------------------------------


def test_basic_credentials_are_sent(server: FaultyServer) -> None:
    ask(server, username="me", password="päss")
    said = server.requests[0].headers["authorization"]
    assert base64.b64decode(said.removeprefix("Basic ")).decode() == "me:päss"


def test_a_bearer_token_is_sent(server: FaultyServer) -> None:
    ask(server, token="abc")
    assert server.requests[0].headers["authorization"] == "Bearer abc"


@pytest.mark.parametrize("padding", [0, 3000])
def test_digest_credentials_answer_the_challenge(server: FaultyServer, padding: int) -> None:
    challenge = {"WWW-Authenticate": 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5'}

    def guarded(request: Request, right: Reply) -> Reply:
        said = request.headers.get("authorization", "")
        fields = dict(re.findall(r'(\w+)="?([^",]+)', said))
        if not fields:
            return Reply(401, headers=challenge)

        def md5(text: str) -> str:
            return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

        ways = (md5("me:r:secret"), md5(f"{request.method}:{fields['uri']}"))
        middle = f"n:{fields['nc']}:{fields['cnonce']}:auth"
        good = fields["response"] == md5(f"{ways[0]}:{middle}:{ways[1]}")
        return right if good else Reply(401, headers=challenge)

    server.always = guarded
    long = Query(ONE.text + "#" * padding, ONE.columns)
    login = {"username": "me", "auth": "digest"}
    assert ask(server, long, password="secret", **login) == RIGHT
    with pytest.raises(StoreError, match="ISOMATCH_ENDPOINT_PASSWORD"):
        ask(server, long, password="wrong", **login)


@pytest.mark.parametrize("status", [401, 403])
def test_who_is_not_let_in_is_told_what_to_set(server: FaultyServer, status: int) -> None:
    server.always = Reply(status, b"<h1>No</h1>", "text/html")
    with pytest.raises(StoreError, match=rf"\({status}: No\)\. Set ISOMATCH_ENDPOINT_USERNAME"):
        ask(server, password="hidden", username="me")


def test_secrets_are_not_shown() -> None:
    endpoint = Endpoint(url="http://e/", username="me", password="hidden", auth="basic")
    assert "hidden" not in repr(endpoint)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"url": "http://me:hidden@e/sparql"}, "it has a user in it"),
        ({"url": "e/sparql"}, "http://"),
        ({"url": "http://"}, "http://"),
        ({"url": "http://e:port/"}, "ort"),
        ({"url": "http://e/#x"}, "after '#'"),
        ({"url": "http://e/", "auth": "digest"}, "needs a username"),
        ({"url": "http://e/", "auth": "bearer"}, "needs a token"),
        ({"url": "http://e/", "username": "me", "token": "x"}, "say which with auth"),
        ({"url": "http://e/", "timeout": 0}, "timeout"),
        ({"url": "http://e/", "tiemout": 1}, "tiemout"),
        ({"url": "http://e/", "engine": "virtuosso"}, "did you mean 'virtuoso'?"),
        ({"url": "http://e/", "engine": "x"}, "there are oxigraph, "),
        ({"url": "http://e/", "token": "hidden\nb"}, "the token"),
        ({"url": "http://e/", "token": "hidden€"}, "the token"),
        ({"url": "http://e/", "token": ""}, "the token"),
        ({"url": "http://e/", "headers": {"X-Key": "hidden€"}}, "the header 'X-Key'"),
        ({"url": "http://e/", "headers": {"X-Key": "hidden\r\nb: c"}}, "the header 'X-Key'"),
        ({"url": "http://e/", "headers": {"X Key": "hidden"}}, "'X Key' is no name"),
        ({"url": "http://e/", "headers": {"": "hidden"}}, "is no name"),
        ({"url": "http://e/", "username": "me", "password": "hidden\n"}, "the password"),
        ({"url": "http://e/", "username": "me:too"}, "a colon"),
        ({"url": "http://e/", "username": "jürgen", "auth": "digest"}, "not ASCII"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(problem)) as failed:
        Endpoint(**settings)
    assert "hidden" not in str(failed.value)
    with pytest.raises(ConfigurationError, match="the endpoint's"):
        SparqlStore.connect(**settings)


def test_one_graph_is_a_list_of_one() -> None:
    endpoint = Endpoint(url="http://e/", graphs="urn:x", named_graphs=["urn:y"])  # type: ignore[arg-type]
    assert (endpoint.graphs, endpoint.named_graphs) == (("urn:x",), ("urn:y",))


@pytest.mark.parametrize("auth", ["basic", None])
def test_users_may_have_any_letters(server: FaultyServer, auth: str | None) -> None:
    assert ask(server, username="jürgen", password="ü€: x", auth=auth) == RIGHT
    sent = base64.b64decode(server.requests[0].headers["authorization"].removeprefix("Basic "))
    assert sent.decode() == "jürgen:ü€: x"


def test_what_cannot_be_sent_is_told_once_without_its_value(server: FaultyServer) -> None:
    # By a way around the checks.
    endpoint = Endpoint(url=server.url, back_off=60).model_copy(update={"headers": {"X": "a\nb"}})
    with SparqlStore(endpoint, KNOWN) as store:
        for send in (lambda: list(store.run(ONE)), lambda: update(store)):
            with pytest.raises(ConfigurationError, match="cannot be sent") as failed:
                send()
            assert "a\\nb" not in repr(failed.value)
            assert failed.value.__cause__ is None
    assert not server.requests


def update(store: SparqlStore) -> None:
    settings = store.endpoint.model_copy(update={"update_url": store.endpoint.url})
    with SparqlStore(settings, KNOWN) as other:
        other.update("INSERT DATA { }")


# -- proxies and certificates ---------------------------------------------------------


def test_a_proxy_is_sent_the_whole_address(server: FaultyServer) -> None:
    proxy = f"http://127.0.0.1:{server.port}"
    assert ask(server, url="http://far.test/sparql", proxy=proxy) == RIGHT
    assert server.requests[0].path == "/sparql"
    assert server.requests[0].headers["host"] == "far.test"


def test_the_environments_proxy_is_used(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"127.0.0.1:{server.port}")
    monkeypatch.setenv("no_proxy", "near.test")
    assert ask(server, url="http://far.test/sparql") == RIGHT
    with pytest.raises(StoreError, match=r"cannot be reached: .*Check that it runs"):
        ask(server, url="http://near.test/sparql")


def test_an_encrypted_address_is_not_left_for_a_plain_one() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        assert request.url.scheme == "https"
        return httpx.Response(302, headers={"Location": "http://e.test/sparql"})

    endpoint = Endpoint(url="https://e.test/sparql")
    with (
        SparqlStore(endpoint, KNOWN, transport=httpx.MockTransport(handle)) as store,
        pytest.raises(StoreError, match="without encryption"),
    ):
        list(store.run(ONE))


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    file = tmp_path / "server.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    try:
        subprocess.run(
            [*command, "-keyout", str(file), "-out", str(tmp_path / "ca.pem")],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("the openssl program is not installed, which makes the certificate")
    with file.open("a") as both:
        both.write((tmp_path / "ca.pem").read_text())
    return tmp_path / "ca.pem"


def test_certificates_are_checked_unless_told_otherwise(
    server: FaultyServer, certificate: Path
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_name("server.pem"))
    server.encrypt(context)
    url = server.url.replace("http:", "https:")
    assert ask(server, url=url, verify=certificate) == RIGHT
    assert ask(server, url=url, verify=False) == RIGHT
    with pytest.raises(StoreError, match=r"(?i)certificate"):
        ask(server, url=url)


def test_the_usual_authorities_are_read_once_for_all_sessions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[object] = []
    context = httpx.create_ssl_context(False)
    with monkeypatch.context() as patched:
        patched.setattr(
            "httpx.create_ssl_context",
            lambda v: read.append(v) or context,
        )
        for file in ("/first.pem", "/first.pem", "/second.pem"):
            patched.setenv("SSL_CERT_FILE", file)
            SparqlStore(Endpoint(url="https://e.test/"), KNOWN).close()
    assert read == [True, True]


def test_a_file_of_authorities_that_is_none_is_told(tmp_path: Path) -> None:
    empty = tmp_path / "ca.pem"
    for problem in ("No such file", ""):
        with pytest.raises(ConfigurationError, match=f"verify = .*ca.pem.*{problem}"):
            SparqlStore(Endpoint(url="https://e.test/", verify=empty), KNOWN)
        empty.write_text("nothing")


# -- updates --------------------------------------------------------------------------


def test_an_update_goes_to_its_own_address(server: FaultyServer) -> None:
    server.always = lambda request, _: Reply(204 if request.path == "/update" else 500)
    url = server.url.replace("/sparql", "/update")
    with SparqlStore(Endpoint(url=server.url, update_url=url, token="t"), KNOWN) as store:
        store.update("INSERT DATA { <urn:a> <urn:b> <urn:c> }")
    [request] = server.requests
    assert request.all("update") == ["INSERT DATA { <urn:a> <urn:b> <urn:c> }"]
    assert request.headers["authorization"] == "Bearer t"


def test_an_update_is_sent_once_whatever_comes(server: FaultyServer) -> None:
    endpoint = Endpoint(url=server.url, update_url=server.url, timeout=0.5)
    with SparqlStore(endpoint, KNOWN) as store:
        for fault, error in (
            (Reply(503, b"busy", "text/plain"), StoreError),
            (Reply(400, b"no", "text/plain"), StoreError),
            (lambda *_: None, StoreError),
            (Reply(delay=3), QueryTimeout),
        ):
            server.requests.clear()
            server.always = fault  # type: ignore[assignment]
            with pytest.raises(error):
                store.update("CLEAR ALL")
            assert len(server.requests) == 1


def test_an_update_without_an_address_is_refused(server: FaultyServer) -> None:
    with (
        SparqlStore(Endpoint(url=server.url), KNOWN) as store,
        pytest.raises(ConfigurationError, match="set update_url"),
    ):
        store.update("CLEAR ALL")
    assert server.requests == []


@pytest.mark.parametrize("padding", [0, 3000])
def test_a_request_is_the_same_whether_httpx_has_a_cookie_to_send_or_not(padding: int) -> None:
    class Kept(httpx.BaseTransport):
        def __init__(self) -> None:
            self.requests: list[httpx.Request] = []

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            content = ox.Store().query("SELECT ?s {}").serialize(format=ox.QueryResultsFormat.JSON)
            headers = {"content-type": "application/sparql-results+json", "set-cookie": "a=b"}
            return httpx.Response(200, content=content, headers=headers)

    kept = Kept()
    endpoint = Endpoint(url="http://e.test/sparql", headers={"X-Own": "e", "User-Agent": "us"})
    with SparqlStore(endpoint, KNOWN, transport=kept) as store:
        for _ in range(3):
            list(store.run(Query(ONE.text + "#" * padding, ONE.columns)))
    first, *others = kept.requests
    for other in others:  # which the client of httpx has sent
        assert other.headers.pop("cookie") == "a=b"
        assert (other.method, other.url, other.content) == (first.method, first.url, first.content)
        assert sorted(other.headers.raw) == sorted(first.headers.raw)
        timeouts = [dict(r.extensions["timeout"]) for r in (first, other)]
        assert timeouts[0].keys() == timeouts[1].keys()
        assert other.extensions.keys() == first.extensions.keys()


@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
def test_a_long_request_and_its_answer_are_whole(server: FaultyServer, framing: str) -> None:
    server.always = lambda _, right: replace(right, framing=framing)
    long = Query(ONE.text + "#" * 300_000, ONE.columns)
    endpoint = Endpoint(url=server.url)
    with SparqlStore(endpoint, KNOWN) as store:
        for query in (ONE, long, ONE, long):  # on a connection that is kept
            assert list(store.run(query)) == RIGHT
    assert [len(r.query) for r in server.requests] == [len(q.text) for q in (ONE, long, ONE, long)]

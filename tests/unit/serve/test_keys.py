"""Who may ask: keys, their graphs and their end, tokens of a provider, how often."""

from __future__ import annotations

import hmac
import json
import os
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import time
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from starlette.testclient import TestClient
from tests.unit.serve.running import PATTERN, Waiting
from typer.testing import CliRunner

from isomatch.cli.app import app as command
from isomatch.errors import ConfigurationError
from isomatch.serve import keys as keys_module
from isomatch.serve import oidc
from isomatch.serve.app import create_app
from isomatch.serve.auth import Access, Rates
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Caller, Graph, Graphs
from isomatch.serve.keys import KeyFile, duration
from isomatch.serve.readiness import Readiness
from isomatch.serve.service import Service
from isomatch.settings.service import OidcSettings, ServiceSettings


@pytest.fixture
def file(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "home" / "keys.json")


def client_of(access: Access, **settings: Any) -> TestClient:
    """A client of a service of two graphs."""
    session = Waiting()
    session.go.set()
    graphs = {name: Graph.over(session.as_session, name) for name in ("films", "books")}
    service = Service(Graphs(graphs), ServiceSettings(**settings))
    return TestClient(create_app(service, access=access))


def asked(client: TestClient, key: str | None, graph: str = "films", **headers: str) -> Any:
    bearer = {} if key is None else {"Authorization": f"Bearer {key}"}
    return client.post("/v1/match", json={**PATTERN, "graph": graph}, headers=bearer | headers)


def test_only_the_hash_of_a_key_is_kept_and_only_its_owner_reads_it(file: KeyFile) -> None:
    key = file.add("dashboard", ["films"], timedelta(days=1))
    assert key not in file.path.read_text()
    assert key.removeprefix("isomatch_") not in file.path.read_text()
    assert file.path.stat().st_mode & 0o077 == 0
    found = file.find(key)
    assert found is not None
    assert (found.name, found.graphs) == ("dashboard", {"films"})
    assert file.find(key + "x") is None


@pytest.mark.parametrize("name", ["", "a b", "../x", "<b>", "x" * 101])
def test_a_name_of_a_key_is_plain(file: KeyFile, name: str) -> None:
    with pytest.raises(ConfigurationError, match="no name for a key"):
        file.add(name)


def test_a_name_has_one_key(file: KeyFile) -> None:
    file.add("me")
    with pytest.raises(ConfigurationError, match="isomatch keys revoke me"):
        file.add("me")
    with pytest.raises(ConfigurationError, match="there is no key 'you'"):
        file.revoke("you")


@pytest.mark.parametrize("text", ["", "90", "0d", "1y", "-1d", "999999d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="say 12h, 90d or 8w"):
        duration(text)


def test_a_key_asks_its_graphs_and_knows_of_no_others(file: KeyFile) -> None:
    key, every = file.add("films-only", ["films"]), file.add("every")
    with client_of(Access(file)) as client:
        assert asked(client, key).status_code == 200
        other = asked(client, key, "books")
        assert other.status_code == 404
        assert other.json()["detail"] == asked(client, key, "nothing").json()["detail"].replace(
            "nothing", "books"
        )
        assert asked(client, every, "books").status_code == 200
        bearer = {"Authorization": f"Bearer {key}"}
        listed = client.get("/v1/graphs", headers=bearer).json()["graphs"]
        assert [graph["name"] for graph in listed] == ["films"]
        assert client.get("/sparql/books", headers=bearer).status_code == 404


def test_a_key_of_another_graph_does_not_learn_of_the_default_one() -> None:
    sessions = {name: Graph.over(Waiting().as_session, name) for name in ("films", "books", "maps")}
    graphs = Graphs(sessions, "films")
    assert graphs.get(None, Caller("one")).name == "films"
    assert graphs.get(None, Caller("one", frozenset({"books"}))).name == "books"
    with pytest.raises(RequestError, match="say which: books, maps"):
        graphs.get(None, Caller("two", frozenset({"books", "maps"})))
    with pytest.raises(RequestError, match="there is no graph that this key may ask"):
        graphs.get(None, Caller("none", frozenset({"gone"})))


def test_readiness_names_graphs_to_those_who_may_ask_them(
    file: KeyFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(_: Readiness) -> tuple[bool, dict[str, Any]]:
        return True, {name: {"ready": True, "model": "none"} for name in ("films", "books")}

    monkeypatch.setattr(Readiness, "ask", ask)
    with client_of(Access(file)) as client:
        assert list(client.get("/readyz").json()["graphs"]) == ["films", "books"]
        key = file.add("films-only", ["films"])
        assert client.get("/readyz").json() == {"status": "ready"}
        sent = {"Authorization": f"Bearer {key}"}
        assert list(client.get("/readyz", headers=sent).json()["graphs"]) == ["films"]
        assert client.get("/readyz", headers={"Authorization": "Bearer x"}).status_code == 401


@pytest.mark.parametrize("header", [None, "Bearer ", "Bearer isomatch_x", "Basic eDp5", "é"])
def test_who_has_no_key_is_refused(file: KeyFile, header: str | None) -> None:
    file.add("somebody")
    with client_of(Access(file)) as client:
        headers = {} if header is None else {"Authorization": header.encode("latin-1")}
        response = client.post("/v1/match", json=PATTERN, headers=headers)  # type: ignore[arg-type]
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith('Bearer realm="isomatch"')
        assert response.headers["content-type"] == "application/problem+json"
        assert client.get("/healthz").status_code == 200


def test_a_revoked_key_stops_at_once(file: KeyFile) -> None:
    key, other = file.add("leaver"), file.add("stayer")
    with client_of(Access(file)) as client:
        assert asked(client, key).status_code == 200
        file.revoke("leaver")
        assert asked(client, key).status_code == 401
        assert asked(client, other).status_code == 200
        late = KeyFile(file.path).add("comer")
        assert asked(client, late).status_code == 200


def test_an_expired_key_is_told_so(file: KeyFile, monkeypatch: pytest.MonkeyPatch) -> None:
    key = file.add("old", valid=timedelta(hours=1))
    with client_of(Access(file)) as client:
        assert asked(client, key).status_code == 200
        later = keys_module.now() + timedelta(hours=1)
        monkeypatch.setattr(keys_module, "now", lambda: later)
        response = asked(client, key)
    assert (response.status_code, "'old' has expired" in response.text) == (401, True)


def test_a_service_without_keys_needs_them_once_there_are_some(file: KeyFile) -> None:
    with client_of(Access(file)) as client:
        assert asked(client, None).status_code == 200
        key = file.add("first")
        assert asked(client, None).status_code == 401
        assert asked(client, key).status_code == 200
        file.path.unlink()  # whoever can do this must not open the service
        assert asked(client, None).status_code == 401
        assert asked(client, key).status_code == 401


def test_a_damaged_file_of_keys_lets_nobody_in(file: KeyFile) -> None:
    key = file.add("somebody")
    file.path.write_text(file.path.read_text()[:-20])
    with client_of(Access(file)) as client:
        response = asked(client, key)
    assert response.status_code == 503
    assert str(file.path) not in response.text


def test_the_command_makes_lists_and_revokes_keys(tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner(env={"ISOMATCH_HOME": str(tmp_path)}).invoke(command, ["keys", *words])
        return done.exit_code, done.stdout + done.stderr

    assert "isomatch keys add NAME" in run()[1]
    code, printed = run("add", "board", "--graph", "default", "--expires", "90d", "--json")
    assert code == 0
    key = json.loads(printed)["key"]
    assert KeyFile(tmp_path / "keys.json").find(key) is not None
    assert run("list")[1].startswith("board: default, until 20")
    assert "sha256" not in run("list", "--json")[1]
    assert run("add", "other", "--graph", "films")[0] == 2
    assert run("add")[0] == run("list", "board")[0] == run("revoke", "x")[0] == 2
    assert run("revoke", "board")[0] == 0
    assert KeyFile(tmp_path / "keys.json").find(key) is None


# -- an OpenID Connect provider ----------------------------------------------------------


class Provider:
    """A provider on loopback.

    Attributes:
        issuer: its address.
        keys: what it publishes.
        asked: how often for its keys.
    """

    def __init__(self) -> None:
        self.keys = [RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})]
        self.asked = 0
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/keys":
                    provider.asked += 1
                    said = KeySet(provider.keys).as_dict(private=False)
                else:
                    said = {"jwks_uri": f"{provider.issuer}/keys"}
                body = json.dumps(said).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_address[1]}"
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def token(self, key: Any = None, **claims: Any) -> str:
        known = {"iss": self.issuer, "aud": "isomatch", "sub": "ada", "exp": time() + 300}
        kept = {name: value for name, value in {**known, **claims}.items() if value is not None}
        key = key or self.keys[0]
        return jwt.encode({"alg": "RS256", "kid": key.kid}, kept, key)


def signed_by_the_public_key(provider: Provider) -> str:
    """As if that were a secret; libraries have fallen for it."""
    head = urlsafe_b64encode(b'{"alg":"HS256","kid":"one"}').decode().rstrip("=")
    text = f"{head}.{provider.token().split('.')[1]}"
    pem = provider.keys[0].as_pem(private=False)
    signature = hmac.digest(pem, text.encode(), "sha256")
    return f"{text}.{urlsafe_b64encode(signature).decode().rstrip('=')}"


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.server.shutdown()
    provider.server.server_close()


def access_of(provider: Provider, **settings: Any) -> Access:
    return Access(oidc=OidcSettings(issuer=provider.issuer, audience="isomatch", **settings))


def test_a_token_of_the_provider_may_ask(provider: Provider) -> None:
    with client_of(access_of(provider)) as client:
        assert asked(client, provider.token()).status_code == 200
        assert asked(client, provider.token(aud=["x", "isomatch"])).status_code == 200
        assert asked(client, provider.token(exp=time() - 30)).status_code == 200  # the leeway
        assert asked(client, None).status_code == 401
    assert provider.asked == 1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p: p.token(exp=time() - 120),
        lambda p: p.token(exp=None),
        lambda p: p.token(nbf=time() + 120),
        lambda p: p.token(aud="another"),
        lambda p: p.token(aud=None),
        lambda p: p.token(iss="https://elsewhere.test"),
        lambda p: p.token(sub=None),
        lambda p: p.token(RSAKey.generate_key(2048, {"kid": "one"})),
        lambda p: p.token(RSAKey.generate_key(2048, {"kid": "unknown"})),
        signed_by_the_public_key,
        lambda p: "eyJhbGciOiJub25lIn0." + p.token().split(".")[1] + ".",
        lambda p: p.token()[:-4] + "AAAA",
        lambda p: "a.b.c",
    ],
)
def test_a_token_that_is_not_the_providers_is_refused(
    provider: Provider, wrong: Callable[[Provider], str]
) -> None:
    with client_of(access_of(provider)) as client:
        response = asked(client, wrong(provider))
    assert response.status_code == 401
    assert 'error="invalid_token"' in response.headers["www-authenticate"]


def test_a_claim_may_name_the_graphs(provider: Provider) -> None:
    with client_of(access_of(provider, graphs_claim="graphs")) as client:
        assert asked(client, provider.token(graphs=["films"])).status_code == 200
        assert asked(client, provider.token(graphs="films books"), "books").status_code == 200
        assert asked(client, provider.token(graphs=["films"]), "books").status_code == 404
        assert asked(client, provider.token()).status_code == 404


def test_new_keys_of_the_provider_are_fetched_and_not_for_every_wrong_token(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of(access_of(provider)) as client:
        assert asked(client, provider.token()).status_code == 200
        provider.keys = [RSAKey.generate_key(2048, {"kid": "two"})]
        assert asked(client, provider.token()).status_code == 401  # it was asked just now
        monkeypatch.setattr(oidc, "ASK_AGAIN", -1.0)
        assert asked(client, provider.token()).status_code == 200
    assert provider.asked == 2


def test_a_provider_that_is_down_lets_nobody_in(provider: Provider) -> None:
    access = access_of(provider, jwks_url="http://127.0.0.1:9/keys")
    with client_of(access) as client:
        response = asked(client, provider.token())
    assert (response.status_code, "cannot be fetched" in response.text) == (401, True)


# -- how often, how much, from where -------------------------------------------------------


def test_each_key_has_a_rate_of_its_own(file: KeyFile) -> None:
    one, other = file.add("one"), file.add("other")
    with client_of(Access(file, rates=Rates("2/minute"))) as client:
        assert [asked(client, one).status_code for _ in range(3)] == [200, 200, 429]
        refused = asked(client, one)
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert refused.headers["content-type"] == "application/problem+json"
        assert asked(client, other).status_code == 200


def test_wrong_keys_are_refused_unread_after_some(file: KeyFile) -> None:
    key = file.add("one")
    with client_of(Access(file)) as client:
        statuses = [asked(client, "isomatch_wrong").status_code for _ in range(31)]
        assert statuses == [401] * 30 + [429]
        assert asked(client, key).status_code == 429  # from the same address


def test_requests_without_a_key_lock_nobody_out(file: KeyFile) -> None:
    key = file.add("one")
    with client_of(Access(file)) as client:
        assert {client.get("/").status_code for _ in range(31)} == {200}
        assert {asked(client, None).status_code for _ in range(31)} == {401}
        assert asked(client, key).status_code == 200


def test_what_is_no_rate_is_told() -> None:
    with pytest.raises(ConfigurationError, match="60/minute"):
        Rates("often")


def test_a_body_is_bounded_whether_it_says_its_length_or_not() -> None:
    with client_of(Access(), request_bytes=1000) as client:
        told = client.post("/v1/match", content=b"x" * 1001)
        untold = client.post(
            "/v1/match",
            content=iter([b'{"pattern": "', b"x" * 990, b'"}']),
            headers={"Content-Type": "application/json"},
        )
        for response in (told, untold):
            assert response.status_code == 413
            assert response.json()["detail"] == "the request is longer than 1000 bytes"
        assert asked(client, None).status_code == 200


def test_without_keys_only_this_machine_is_answered(tmp_path: Path) -> None:
    """The name of a page of another site may lead here (DNS rebinding)."""
    app = create_app(Service(Graphs.over(Waiting().as_session)), access=Access(own_names=True))
    with TestClient(app) as client:
        for host, status in (
            ("127.0.0.1:8080", 200),
            ("localhost", 200),
            ("[::1]:8080", 200),
            ("evil.example", 403),
            ("127.0.0.1.evil.example:8080", 403),
        ):
            assert client.get("/v1/graphs", headers={"Host": host}).status_code == status, host
            assert client.get("/healthz", headers={"Host": host}).status_code == 200
        assert client.get("/?q=x", headers={"Host": "evil.example"}).status_code == 403


def test_names_of_callers_without_a_key_are_no_names_of_keys(file: KeyFile) -> None:
    for name in ("anybody", "token"):
        with pytest.raises(ConfigurationError, match="take another name"):
            file.add(name)


def test_pages_of_other_sites_may_not_ask_unless_they_are_allowed() -> None:
    with client_of(Access()) as client:
        assert asked(client, None, Origin="http://evil.test").status_code == 403
        assert asked(client, None, Origin="null").status_code == 403
        assert asked(client, None, Origin="http://testserver").status_code == 200
    with client_of(Access(), cors_origins=["https://app.test"]) as client:
        allowed = asked(client, None, Origin="https://app.test")
        assert allowed.headers["access-control-allow-origin"] == "https://app.test"
        asks_first = {"Origin": "https://evil.test", "Access-Control-Request-Method": "POST"}
        refused = client.options("/v1/match", headers=asks_first)
        assert "access-control-allow-origin" not in refused.headers
        assert asked(client, None, Origin="https://evil.test").status_code == 403


def test_keys_are_read_again_only_when_they_change(file: KeyFile) -> None:
    key = file.add("one")
    assert file.find(key)
    content = file.path.read_bytes()
    before = file.path.stat()
    file.path.write_bytes(b" " * len(content))
    os.utime(file.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.find(key)  # it looks the same

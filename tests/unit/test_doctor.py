"""Doctor: what it finds and what it says to do."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest

from isomatch.admin.doctor import Check, examine
from isomatch.errors import ConfigurationError
from isomatch.settings import Settings
from isomatch.store.base import StoreInfo


def checks(settings: Settings, reply: httpx.Response | Exception | None = None) -> dict[str, Check]:
    def handle(request: httpx.Request) -> httpx.Response:
        if isinstance(reply, httpx.Response):
            assert request.url.path == "/v1/models"
            return reply
        raise reply or AssertionError("nothing was to be asked")

    found = {c.name: c for c in examine(settings, transport=httpx.MockTransport(handle))}
    assert list(found) == ["store", "schema", "embedder", "index", "model", "qdrant"]
    return found


def settings(home: Path, **given: object) -> Settings:
    defaults: dict[str, object] = {
        "home": home / "h",
        "model": None,
        "openai_api_key": None,
        "openai_base_url": "http://model.test/v1/",
        "qdrant_url": None,
    }
    return Settings(**{**defaults, **given})


def test_nothing_is_there_and_nothing_is_made(tmp_path: Path) -> None:
    found = checks(settings(tmp_path))
    assert {name: c.status for name, c in found.items()} == {
        "store": "fail",
        "schema": "fail",
        "embedder": "ok",
        "index": "fail",
        "model": "ok",
        "qdrant": "ok",
    }
    assert "isomatch load" in found["store"].message
    assert "isomatch index" in found["index"].message
    assert "ISOMATCH_MODEL" in found["model"].fix
    assert list(tmp_path.iterdir()) == []


LISTED = {"data": [{"id": "small"}, {"id": "large"}]}


@pytest.mark.parametrize(
    ("reply", "status", "words"),
    [
        (httpx.Response(200, json=LISTED), "ok", "small at http://model.test/v1"),
        (httpx.Response(200, json={"data": [{"id": "large"}]}), "warn", "it lists large"),
        (httpx.Response(200, text="<html>"), "warn", "does not list its models"),
        (httpx.Response(401), "fail", "set OPENAI_API_KEY"),
        (httpx.Response(404), "fail", "correct OPENAI_BASE_URL"),
        (httpx.ConnectError("refused"), "fail", "cannot be reached: refused"),
        (httpx.ReadTimeout("slow"), "fail", "cannot be reached: slow"),
    ],
)
def test_the_doctor_says_how_the_model_answers(
    tmp_path: Path, reply: httpx.Response | Exception, status: str, words: str
) -> None:
    check = checks(settings(tmp_path, model="small"), reply)["model"]
    assert check.status == status
    assert words in f"{check.message} {check.fix}"


def test_a_qdrant_server_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client")
    check = checks(settings(tmp_path, qdrant_url="http://127.0.0.1:9"))["qdrant"]
    assert check.status == "fail"
    assert "QDRANT_URL" in check.fix


def test_an_embedder_that_is_none_is_a_check_that_fails(tmp_path: Path) -> None:
    found = checks(settings(tmp_path, embedder="nonesuch"))
    assert found["embedder"].status == "fail"
    assert "'nonesuch'" in found["embedder"].message
    assert found["index"].fix == "fix the embedder first"


def test_an_error_that_several_checks_meet_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ConfigurationError("the graph cannot be read: mend it")

    store = Mock(missing_rights=tuple)
    monkeypatch.setattr("isomatch.factories.open_store", lambda _: store)
    monkeypatch.setattr("isomatch.factories.identity_of", lambda *_: "graph")
    monkeypatch.setattr("isomatch.factories.schema_of", refuse)
    store.__enter__ = lambda _: store
    store.__exit__ = lambda *_: None
    store.describe.return_value = StoreInfo("embedded", "here", "1", 1)
    found = list(examine(settings(tmp_path, neo4j_vector_index="films")))
    assert [c.name for c in found if "mend it" in c.message] == ["schema"]
    again = [(c.name, c.status, c.fix) for c in found if "same error" in c.message]
    fix = "fix the schema first"
    assert again == [("vectors", "fail", fix), ("index", "fail", fix)]


def test_a_store_without_a_version_is_named_without_a_gap() -> None:
    assert str(StoreInfo("Fuseki", "here", "", 1)) == "Fuseki at here"
    assert str(StoreInfo("Neo4j", "there", "5.26")) == "Neo4j 5.26 at there"

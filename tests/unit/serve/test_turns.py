"""What hangs holds up its own graph only, and no searches where it is a language model."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import cast

import pytest
from starlette.testclient import TestClient
from tests.unit.serve.running import PATTERN, WAIT, Waiting, until

from isomatch.errors import StoreError
from isomatch.serve import calls
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graph, Graphs
from isomatch.serve.service import Service
from isomatch.serve.turns import Turns
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.settings.service import ServiceSettings


def test_a_database_that_hangs_holds_up_its_own_graph_only() -> None:
    hangs, works = Waiting(), Waiting()
    works.go.set()
    graphs = {name: Graph.over(s.as_session, name) for name, s in (("a", hangs), ("b", works))}
    service = Service(Graphs(graphs), ServiceSettings(searches=1))
    with TestClient(create_app(service)) as client:
        held = threading.Thread(
            target=client.post, args=("/v1/match",), kwargs={"json": {**PATTERN, "graph": "a"}}
        )
        held.start()
        try:
            until(lambda: hangs.started == 1)
            assert client.post("/v1/match", json={**PATTERN, "graph": "b"}).status_code == 200
        finally:
            hangs.go.set()
            held.join(WAIT)


def test_questions_take_no_turn_from_searches() -> None:
    graph = Graph.over(Waiting().as_session)

    async def ask() -> None:
        turns = Turns(graph, ServiceSettings(searches=1, waiting=0))
        async with turns.question(), turns.search():
            assert turns.running == 2

    asyncio.run(ask())


def test_while_a_new_index_is_opened_the_old_one_answers(tmp_path: Path) -> None:
    opening, go = threading.Event(), threading.Event()
    opened: list[Waiting] = []

    def open_session(_: Settings) -> Session:
        opened.append(Waiting())
        if len(opened) == 2:
            opening.set()
            assert go.wait(WAIT)
        return cast(Session, opened[-1])

    graph = Graph("films", Settings(home=tmp_path), open_session)
    graph.look_again = 0.0
    with graph.session():
        pass
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "manifest.json").touch()

    def renew() -> None:
        with graph.session():
            pass

    renewing = threading.Thread(target=renew)
    renewing.start()
    assert opening.wait(WAIT)
    with graph.session() as session:
        assert session is cast(Session, opened[0])
    go.set()
    renewing.join(WAIT)
    with graph.session() as session:
        assert session is cast(Session, opened[1])


def test_feedback_that_cannot_be_kept_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise StoreError("the feedback cannot be kept in /secret: No space left on device")

    monkeypatch.setattr(calls, "record", full)
    session = Waiting()
    session.resources = None  # type: ignore[attr-defined]
    with TestClient(create_app(Service(Graphs.over(session.as_session)))) as client:
        response = client.post("/v1/feedback", json={"question": "films", "kind": "up"})
    assert response.status_code == 503
    assert "feedback cannot be kept" in response.json()["detail"]
    assert "secret" not in response.text
    assert response.headers["retry-after"]

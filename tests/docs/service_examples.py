"""The example of each call in the OpenAPI document, made by the service itself.

Writes ``python/isomatch/serve/examples.json``: ``python -m tests.docs.service_examples``.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.testclient import TestClient
from tests.unit.serve.films import BASE, open_films

from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service

PAGE = Path(__file__).parents[2] / "python" / "isomatch" / "serve" / "examples.json"
PATTERN = '(?film:film)-[directed by]-("Micheal Mann") return ?film'
REQUESTS: dict[str, dict[str, Any]] = {
    "POST /v1/match": {"pattern": PATTERN, "options": {"k": 1}, "query": True},
    "POST /v1/ask": {"question": "which films did Michael Mann direct"},
    "POST /v1/explain": {"pattern": PATTERN},
    "POST /v1/find": {"text": "Micheal Mann", "kinds": ["node"], "limit": 2},
    "POST /v1/neighbourhood": {"nodes": [f"{BASE}mann"], "limit": 20},
    "POST /v1/nodes": {"nodes": [f"{BASE}mann"]},
    "POST /v1/feedback": {
        "question": "which films did Michael Mann direct",
        "kind": "answer",
        "answers": ["Heat", "Collateral"],
    },
    "GET /v1/schema": {"focus": "who played in it", "limit": 2},
    "GET /v1/graphs": {},
    "GET /": {"dataset": "default", "question": "which films did Michael Mann direct"},
    "GET /healthz": {},
    "GET /readyz": {},
}


def made(client: TestClient) -> dict[str, Any]:
    """Every request and its response."""
    return {call: {"request": asked, "response": _of(client, call)} for call, asked in _all(client)}


def _all(client: TestClient) -> list[tuple[str, dict[str, Any]]]:
    paths = client.get("/openapi.json").json()["paths"]
    return [(call, asked) for call, asked in REQUESTS.items() if call.split()[1] in paths]


def _of(client: TestClient, call: str) -> Any:
    method, path = call.split()
    asked = REQUESTS[call]
    given = {"json": asked} if method == "POST" else {"params": asked}
    response = client.request(method, path, **given)
    response.raise_for_status()
    return response.json()


def main() -> None:
    with (
        TemporaryDirectory() as folder,
        open_films(Path(folder)) as session,
        TestClient(create_app(Service(Graphs.over(session)))) as client,
    ):
        text = json.dumps(made(client), indent=1, ensure_ascii=False)
    PAGE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""The OpenAPI document of the service, and whether the service does what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient
from tests.docs import service_examples
from tests.unit.output.wire_forms import checked
from tests.unit.serve.films import open_films

from isomatch.serve import responses
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.problems import KINDS
from isomatch.serve.service import Service

TYPES: dict[str, Any] = {
    "POST /v1/match": responses.MatchResponse,
    "POST /v1/ask": responses.AskResponse,
    "POST /v1/explain": responses.ExplainResponse,
    "POST /v1/find": responses.FindResponse,
    "POST /v1/neighbourhood": responses.NeighbourhoodResponse,
    "POST /v1/nodes": responses.NodesResponse,
    "POST /v1/feedback": responses.FeedbackResponse,
    "GET /v1/schema": responses.SchemaResponse,
    "GET /v1/graphs": responses.GraphsResponse,
    "GET /": responses.Translation,
    "GET /healthz": responses.HealthResponse,
    "GET /readyz": responses.ReadyResponse,
}
NOT_HERE = {"urn:isomatch:problem:trained-model", "urn:isomatch:problem:language-model"}
WITHOUT_INPUT = ("GET /v1/graphs", "GET /healthz", "GET /readyz")
VARIES = ("profile", "stages_ms", "certificate", "version", "id")  # with the time, or drawn


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with (
        open_films(tmp_path_factory.mktemp("openapi")) as session,
        TestClient(create_app(Service(Graphs.over(session)))) as opened,
    ):
        yield opened


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def calls(document: dict[str, Any]) -> Any:
    config = SchemathesisConfig(seed=1)
    checks = config.projects.default.checks
    checks.not_a_server_error.expected_statuses = ["2xx", "4xx", "501", "502"]  # see `NOT_HERE`
    return schemathesis.openapi.from_dict(document, config=config)


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("call", TYPES)
def test_responses_are_as_the_document_says(
    calls: Any, client: TestClient, call: str, mode: GenerationMode
) -> None:
    method, path = call.split()
    operation = calls[path][method]
    if mode is GenerationMode.NEGATIVE and call in WITHOUT_INPUT:
        return  # nothing of them can be wrong

    @settings(
        max_examples=25,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        sent = case.as_transport_kwargs()
        # The client has other words for these than requests has.
        sent.pop("cookies", None)
        if "data" in sent:
            sent["content"] = sent.pop("data")
        response = client.request(**sent)
        if response.status_code >= 500:
            assert response.json()["type"] in NOT_HERE
        if path == "/" and response.headers["content-type"].startswith("text/html"):
            return  # without both `dataset` and `question` the address is the page's
        # A pattern's grammar is no JSON schema: a text that the schema allows may be refused.
        case.validate_response(response, excluded_checks=[positive_data_acceptance])

    check()


def test_every_call_has_an_example_that_the_service_gives(
    client: TestClient, document: dict[str, Any]
) -> None:
    shown = json.loads(service_examples.PAGE.read_text("utf-8"))
    made = service_examples.made(client)
    for forms in (shown, made):
        for example in forms.values():
            for key in VARIES:
                example["response"].pop(key, None)
    assert made == shown, "run python -m tests.docs.service_examples"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            done = operation["responses"].get("200") or operation["responses"]["201"]
            content = done["content"]["application/json"]
            assert "example" in content, f"{method} {path}"


@pytest.mark.parametrize("call", TYPES)
def test_a_response_is_of_its_type(client: TestClient, call: str) -> None:
    asked = service_examples.made(client)[call]["response"]
    checked(TYPES[call], asked)


def test_a_query_alone_is_of_its_type(client: TestClient) -> None:
    asked = {"pattern": service_examples.PATTERN, "query": True}
    checked(responses.QueryResponse, client.post("/v1/explain", json=asked).json())


def test_every_status_of_an_error_is_documented(document: dict[str, Any]) -> None:
    ask = document["paths"]["/v1/ask"]["post"]["responses"]
    assert {str(kind.status) for kind in KINDS.values()} <= set(ask)
    assert list(ask["200"]["content"]) == ["application/json", "text/event-stream"]
    for status, response in ask.items():
        if status != "200":
            assert list(response["content"]) == ["application/problem+json"]


def test_every_reference_of_the_document_leads_somewhere(document: dict[str, Any]) -> None:
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)))
    assert {"Problem", "AskResponse", "AskEvents", "WirePattern"} <= named
    assert named <= set(document["components"]["schemas"])


def test_every_key_of_the_document_is_described(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        keys = schema.get("properties", {})
        missing = {k for k, v in keys.items() if "description" not in v and "$ref" not in v}
        if not name.endswith("Options"):
            assert not missing, name

"""The OpenAPI document: types of responses, problems, and an example for every call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus
from importlib import resources
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from isomatch.serve.problems import MEDIA_TYPE, Problem
from isomatch.serve.responses import TYPES, AskEvents

SUMMARY = "Questions in plain language to a knowledge graph, with the facts that support the answer"
BEARER = {"bearer": {"type": "http", "scheme": "bearer"}}
_MODE: Literal["serialization"] = "serialization"
_SCHEMAS = "#/components/schemas/{model}"
_PROBLEM = _SCHEMAS.format(model="Problem")
_STATUSES = {
    400: "The request is wrong: a key, a value, the pattern, or more than this service allows.",
    401: "A key or token is needed.",
    403: "The key may not be used for this.",
    404: "There is no such graph, or the key may not ask it.",
    408: "The body did not come in time.",
    413: "The body is longer than this service takes.",
    415: "The body is not sent as application/json.",
    422: "No pattern could be made of the question.",
    429: "Too many requests: ask again after Retry-After seconds.",
    500: "The search failed; the log of the service says why.",
    501: "A part of isomatch, or a trained model, that this needs is not there.",
    502: "The language model failed.",
    503: "The database or the index cannot be used.",
    504: "It took too long.",
}
Responses = dict[int | str, dict[str, Any]]
COMMON = (400, 401, 403, 404, 408, 413, 415, 429, 500, 501, 503, 504)
"""Statuses that every call may have."""


def responses_of(*of: type, problems: Sequence[int] = (), done: int = 200) -> Responses:
    """What FastAPI takes as ``responses``: of what is done, and problem details.

    The schemas are made when the document is first asked for: FastAPI would make them of
    types at every start.

    Args:
        of: the type of the response, or several that it may have: of `TYPES`.
        problems: statuses, beside `COMMON`.
        done: status of the response.
    """
    refs = [{"$ref": _SCHEMAS.format(model=one.__name__)} for one in of]
    schema = refs[0] if len(refs) == 1 else {"anyOf": refs}
    found: Responses = {
        done: {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    }
    for status in sorted({*COMMON, *problems}):
        content = {MEDIA_TYPE: {"schema": {"$ref": _PROBLEM}}}
        found[status] = {"description": _STATUSES[status], "content": content}
    return found


def status_of(of: type, *statuses: int) -> Responses:
    """The same for what says how the service is: one type, whatever it says."""
    schema = {"$ref": _SCHEMAS.format(model=of.__name__)}
    content = {"application/json": {"schema": schema}}
    return {one: {"description": HTTPStatus(one).phrase, "content": content} for one in statuses}


def describe(app: FastAPI) -> None:
    """Have an application give this document at ``/openapi.json``."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def examples() -> dict[str, Any]:
    """A request and its response for each call, by method and path."""
    text = resources.files("isomatch.serve").joinpath("examples.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _document(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, summary=SUMMARY, routes=app.routes)
    components = document.setdefault("components", {})
    components.setdefault("schemas", {})
    components["securitySchemes"] = BEARER
    _add_schemas(document)
    _add_events(document)
    document["security"] = [{}, {"bearer": []}]  # without a key only where none is required
    _leave_out_validation(document)
    for call, example in examples().items():
        method, path = call.split(" ")
        if path in document["paths"]:
            _add_example(document["paths"][path][method.lower()], example)
    return document


def _add_schemas(document: dict[str, Any]) -> None:
    """Add those of responses and problems."""
    types: tuple[type, ...] = (*TYPES, AskEvents, Problem)
    roots, inner = TypeAdapter.json_schemas(
        [(one.__name__, _MODE, TypeAdapter[Any](one)) for one in types], ref_template=_SCHEMAS
    )
    schemas = document["components"]["schemas"]
    schemas.update(inner["$defs"])
    for (name, _), schema in roots.items():
        if "$ref" not in schema:
            schemas[name] = schema


def _add_events(document: dict[str, Any]) -> None:
    """Describe the events of ``/v1/ask``; OpenAPI 3.1 has no word for the data of an event."""
    text = {"type": "string", "description": "Server-sent events: see AskEvents for their data."}
    document["paths"]["/v1/ask"]["post"]["responses"]["200"]["content"]["text/event-stream"] = {
        "schema": text,
        "x-events": {"$ref": _SCHEMAS.format(model=AskEvents.__name__)},
    }


def _leave_out_validation(document: dict[str, Any]) -> None:
    """Leave out what FastAPI says of wrong requests, which are answered by a `Problem` here."""
    for methods in document["paths"].values():
        for operation in methods.values():
            if MEDIA_TYPE not in operation["responses"].get("422", {}).get("content", {MEDIA_TYPE}):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)


def _add_example(operation: dict[str, Any], example: dict[str, Any]) -> None:
    request = example["request"]
    if "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"]["example"] = request
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in request:
            parameter["example"] = request[parameter["name"]]
    done = next(status for status in operation["responses"] if status.startswith("2"))
    content = operation["responses"][done]["content"]["application/json"]
    content["example"] = example["response"]

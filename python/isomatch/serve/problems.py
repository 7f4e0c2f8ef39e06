"""Problem details for every error (RFC 9457): one table from exception to HTTP status."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, get_type_hints

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from isomatch.errors import (
    ArtifactError,
    ConfigurationError,
    InterpretationError,
    IsomatchError,
    MissingExtraError,
    ModelError,
    PatternError,
    QueryTimeout,
    SearchCancelled,
    StoreError,
    VectorIndexError,
)
from isomatch.serve.errors import RequestError
from isomatch.serve.records import for_log

_LOG = logging.getLogger("isomatch.serve")
MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """Problem details (RFC 9457, section 3), with members of our own after the first four."""

    type: str = Field(description="about:blank, or urn:isomatch:problem: and what is wrong.")
    title: str = Field(description="The same for every problem of this type.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What is wrong, where, and what to do.")
    key: str | None = Field(None, description="The key of the request that is wrong.")
    position: int | None = Field(None, description="Offset in characters into a pattern's text.")


@dataclass(frozen=True, slots=True)
class _Kind:
    """How errors of a class are told.

    Attributes:
        detail: said in place of the error's own message, which names addresses and folders
            of the database and the index; a caller may be a stranger, so that is logged.
        retry_after: seconds.
    """

    status: int
    name: str
    title: str
    detail: str | None = None
    retry_after: int | None = None


# The first that fits counts: subclasses stand before their bases.
KINDS: dict[type[IsomatchError], _Kind] = {
    MissingExtraError: _Kind(501, "missing-extra", "A part of isomatch is not installed"),
    PatternError: _Kind(400, "pattern", "The pattern breaks a rule"),
    InterpretationError: _Kind(422, "question", "No pattern could be made of the question"),
    ConfigurationError: _Kind(400, "option", "An option is wrong"),
    VectorIndexError: _Kind(
        503,
        "index",
        "The index cannot be used",
        "the index of the graph cannot be used; the log of the service says why",
        5,
    ),
    ArtifactError: _Kind(
        501,
        "trained-model",
        "A trained model cannot be used",
        "this needs a trained model, and the graph has none that fits it; ask with another "
        "interpreter or retriever; the log of the service says more",
    ),
    ModelError: _Kind(
        502, "language-model", "The language model failed", "the language model gave no answer", 5
    ),
    QueryTimeout: _Kind(
        504, "timeout", "The database took too long", "the database took too long; ask for less", 5
    ),
    StoreError: _Kind(
        503,
        "database",
        "The database failed",
        "the database behind isomatch failed; the log of the service says how",
        5,
    ),
    SearchCancelled: _Kind(
        503, "cancelled", "The search was cancelled", "the search was cancelled; ask again", 5
    ),
    IsomatchError: _Kind(
        500, "search", "The search failed", "isomatch could not search; its log says why"
    ),
}


def response_of(error: IsomatchError) -> JSONResponse:
    """The response to an error."""
    problem, headers = problem_of(error)
    return JSONResponse(problem, problem["status"], headers, MEDIA_TYPE)


def problem_of(error: IsomatchError) -> tuple[dict[str, Any], dict[str, str]]:
    """The problem details of an error, and the headers of its response."""
    if isinstance(error, RequestError):
        return _problem(error.status, str(error), **_given(key=error.key)), error.headers
    kind = next(kind for of, kind in KINDS.items() if isinstance(error, of))
    if kind.status >= 500:
        _LOG.error("%s: %s", kind.title, for_log(str(error)))
    position = error.position if isinstance(error, PatternError) else None
    option = error.option if isinstance(error, ConfigurationError) else None
    problem = _problem(
        kind.status,
        kind.detail or str(error),
        type=f"urn:isomatch:problem:{kind.name}",
        title=kind.title,
        **_given(position=position, key=option and f"options.{option}"),
    )
    return problem, {} if kind.retry_after is None else {"Retry-After": str(kind.retry_after)}


def problem_response(
    status: int,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    **members: Any,
) -> JSONResponse:
    """A response with problem details."""
    return JSONResponse(_problem(status, detail, **members), status, headers, MEDIA_TYPE)


def _problem(
    status: int, detail: str, *, type: str = "about:blank", title: str | None = None, **members: Any
) -> dict[str, Any]:
    return {
        "type": type,
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **members,
    }


def add_handlers(app: FastAPI) -> None:
    """Have an application respond to every error with problem details."""
    app.add_exception_handler(IsomatchError, _isomatch_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)


async def _isomatch_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, IsomatchError)  # what it is registered for
    return response_of(error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    hints = get_type_hints(request.scope["endpoint"]).values()
    problem = invalid(error.errors(), next((hint for hint in hints if _is_model(hint)), None))
    return JSONResponse(problem, problem["status"], media_type=MEDIA_TYPE)


def invalid(wrong: Sequence[Any], model: type[BaseModel] | None) -> dict[str, Any]:
    """The first thing that is wrong with a request; slips of the pen before others.

    Args:
        wrong: pydantic's errors, whose places begin with ``body``, ``query`` or the like.
        model: what was expected, to suggest keys of; None where it is not known.
    """
    first = next((e for e in wrong if e["type"] == "extra_forbidden"), wrong[0])
    place = _place(first["loc"][1:], model)  # after body, query or path
    key = ".".join(place)
    if first["type"] == "json_invalid":
        return _problem(400, f"the body is not JSON: {first['ctx']['error']}")
    if first["type"] == "extra_forbidden":
        return _problem(400, _unknown(place, model), key=key)
    if not place:
        if isinstance(first["input"], bytes):
            return _problem(415, "send the body with Content-Type: application/json")
        what = "is empty" if first["type"] == "missing" else "is no object of JSON"
        return _problem(400, f"the body {what}: send an object, as {{}}")
    # Of a key that may have one of several forms, each says what it should be.
    forms = [_expected(e) for e in wrong if _place(e["loc"][1:], model) == place]
    first_form, *others = dict.fromkeys(forms)
    others = [other.removeprefix("input should be ") for other in others]
    return _problem(400, f"{key}: {' or '.join([first_form, *others])}", key=key)


def _place(location: Sequence[str | int], model: type[BaseModel] | None) -> list[str]:
    """The keys that lead to what is wrong, without the form that it was compared with."""
    place: list[str] = []
    known, inner = model is not None, model
    for part in location:
        if place and known and inner is None and not isinstance(part, int):
            break  # "str" or "bool", of a key that may be either
        place.append(str(part))
        if isinstance(part, str):
            inner = _inner(inner, part)
    return place


def _expected(wrong: Mapping[str, Any]) -> str:
    if wrong["type"] in ("model_attributes_type", "model_type", "dict_type"):
        return "input should be an object"
    message = str(wrong["msg"])
    return f"{message[:1].lower()}{message[1:].removeprefix('alue error, ')}"


def _unknown(place: list[str], model: type[BaseModel] | None) -> str:
    *parents, last = place
    known = _keys(model, parents)
    if last in _keys(model, [*parents, "options"]):
        return f"unknown key {'.'.join(place)!r}; it is a key of 'options'"
    near = difflib.get_close_matches(last, known, n=1, cutoff=0.6)
    listed = f"; the keys here are {', '.join(known)}" if known else ""
    return f"unknown key {'.'.join(place)!r}" + (f"; did you mean {near[0]!r}?" if near else listed)


def _keys(model: type[BaseModel] | None, parents: list[str]) -> list[str]:
    """The keys that a model takes at a place."""
    for key in parents:
        model = _inner(model, key)
    return [] if model is None else list(model.model_fields)


def _inner(model: type[BaseModel] | None, key: str) -> type[BaseModel] | None:
    """The model of what a key of another one has, where it is an object."""
    inner: Any = None
    if model is not None and key in model.model_fields:
        inner = model.model_fields[key].annotation
    return inner if _is_model(inner) else None


def _is_model(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, BaseModel)


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    allowed = (error.headers or {}).get("Allow")
    unread = "it is nested too deep, or has a number of thousands of digits"
    if isinstance(error.__cause__, UnicodeDecodeError):
        unread = "it is not in UTF-8"
    messages = {
        # Of a request that a handler did not see: FastAPI could not read its body.
        400: f"the body cannot be read as JSON: {unread}",
        404: f"there is nothing at {request.url.path}; GET /openapi.json lists what there is",
        405: f"{request.method} is not supported at {request.url.path}"
        + (f", {allowed} is" if allowed else ""),
    }
    text = messages.get(error.status_code, str(error.detail))
    return problem_response(error.status_code, text, headers=error.headers)


async def _internal_error(_: Request, error: Exception) -> JSONResponse:
    return internal_problem(error)


def internal_problem(error: Exception) -> JSONResponse:
    """The response to what is a mistake of isomatch."""
    return problem_response(
        500, f"isomatch failed in a way that it should not: {type(error).__name__}"
    )


def _given(**members: Any) -> dict[str, Any]:
    return {key: value for key, value in members.items() if value is not None}

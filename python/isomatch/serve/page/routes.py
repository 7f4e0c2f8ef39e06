"""The page: its routes, what it shows before its script runs, and questions to begin with.

The routes are ``/`` and the files under ``/static``.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlencode

from fastapi import FastAPI, Request, Response
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from isomatch._version import __version__
from isomatch.errors import IsomatchError
from isomatch.options import Nodes
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Caller
from isomatch.serve.problems import response_of
from isomatch.serve.requests import AskRequest, SchemaRequest
from isomatch.serve.service import Service
from isomatch.texts import data, templates

TITLES = {
    "answer": "Answer",
    "yes": "Yes, with the facts",
    "no": "No, and that is proven",
    "refused": "Not answered: the question was not understood whole",
    "unfinished": "Not answered: the search was ended before it was through",
    "absent": "Not found: the graph does not say",
    "unproven": "Not answered: no facts carry an answer",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question; left out where the reading does not account for it."""

    text: str
    left_out: bool


@dataclass(frozen=True, slots=True)
class View:
    """An answer, as the template needs it.

    Attributes:
        kind: one of `TITLES`; the script tells them apart in the same way.
        question: in its parts; empty where a pattern was asked.
        choices: how the parts of the pattern were read; ``added`` are relations that no word says.
        chosen: whether the address has a pattern beside the question: nobody has checked that
            they belong together.
    """

    kind: str
    title: str
    question: tuple[Part, ...]
    choices: tuple[Mapping[str, Any], ...]
    chosen: bool = False

    @classmethod
    def of(cls, answer: Mapping[str, Any], question: str) -> View:
        """The view of an answer, as ``POST /v1/ask`` gives it."""
        kind = _kind(answer)
        best = answer["interpretations"][0] if answer["interpretations"] else {"choices": ()}
        asked = question == answer["question"]
        reading = answer["reading"] or {}
        spans = reading.get("left_out", ()) if asked else ()
        chosen = bool(question) and not asked
        added = reading.get("joined_by", ())
        choices = tuple(
            {**one, "added": one["part"] == "relation" and one["text"] in added}
            for one in best["choices"]
        )
        return cls(kind, TITLES[kind], _parts(question, spans), choices, chosen)


def _kind(answer: Mapping[str, Any]) -> str:
    if answer["supported"]:
        return {True: "yes", False: "no"}.get(answer.get("holds"), "answer")  # type: ignore[arg-type]
    if (answer["reading"] or {}).get("left_out") or answer["not_read"]:
        return "refused"
    if (answer["certificate"] or {}).get("ended_by"):
        return "unfinished"
    return "unproven" if answer["found"] else "absent"


def _parts(question: str, spans: Any) -> tuple[Part, ...]:
    parts, at = [], 0
    for span in sorted(spans, key=lambda span: int(span["start"])):
        if span["start"] < at:
            continue
        parts += [Part(question[at : span["start"]], False)]
        parts += [Part(question[span["start"] : span["end"]], True)]
        at = span["end"]
    return tuple(part for part in (*parts, Part(question[at:], False)) if part.text)


MOST = 5
_BRACKETS = re.compile(r"[][]")


@dataclass(frozen=True, slots=True)
class Example:
    """Something to click: a question, or a pattern and how it is told."""

    words: str
    question: str | None = None
    pattern: str | None = None


def examples(schema: Mapping[str, Any]) -> list[Example]:
    """Up to five examples of a graph, most frequent relations first.

    Args:
        schema: as ``GET /v1/schema`` gives it.
    """
    ids = [one["id"] for one in (*schema["types"], *schema["relations"])]
    for graph in _known():
        if any(id.startswith(graph["namespace"]) for id in ids):
            return [Example(question, question=question) for question in graph["questions"]]
    types = {type["name"] for type in schema["types"]}
    return [_of_relation(relation, types) for relation in schema["relations"][:MOST]]


def _of_relation(relation: Mapping[str, Any], types: Collection[str]) -> Example:
    name, ends = relation["name"], (relation["from"], relation["to"])
    # What is at an end is told only where it is one thing; kinds of values are no types.
    source, target = (one[0] if len(one) == 1 else None for one in ends)
    pattern = f"{_node('from', source, types)}-[{_BRACKETS.sub(' ', name)}]->"
    pattern += _node("to", target, types)
    return Example(f"{source or 'anything'} – {name} → {target or 'anything'}", pattern=pattern)


def _node(id: str, type: str | None, types: Collection[str]) -> str:
    plain = type in types and re.fullmatch(r"\w[\w ]*", type or "")
    return f"(?{id}:{type})" if plain else f"(?{id})"


@lru_cache(1)
def _known() -> list[dict[str, Any]]:
    return list(data("isomatch.serve.page", "examples.toml")["graphs"])


STATIC = Path(__file__).with_name("static")
LAYOUT = STATIC / "vendor" / "d3-force.min.js"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    # An answer is of its time, and of whoever asked.
    "Cache-Control": "no-store",
}
MOST_SCHEMA = 20
LONGEST = 10_000  # characters of a question

Asking = Callable[[Request], Awaitable[Caller]]


class _Files(StaticFiles):
    """Files that browsers ask for again, so that they fit the page after an update."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def add_page(app: FastAPI, service: Service, caller: Asking) -> None:
    """Add the page to an application.

    Args:
        service: answers what is asked in the page's address.
        caller: tells who asks, or raises a `RequestError` of status 401: the page is shown to
            everybody, and its script asks for the key.
    """
    page = Page(service, caller)
    app.add_api_route("/", page.show, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/static", GZipMiddleware(_Files(directory=STATIC), minimum_size=1000))


class Page:
    """Makes the page."""

    def __init__(self, service: Service, caller: Asking):
        self._service = service
        self._caller = caller

    async def show(self, request: Request) -> Response:
        """The page at an address: empty, or with the answer to its question or pattern.

        Address keys: ``graph``, ``q`` (a question), ``pattern`` (instead of a question, or what
        it was corrected to), ``nodes`` (the option of that name).
        """
        asked = {key: request.query_params.get(key) or None for key in _KEYS}
        status, context = await self._context(request, asked)
        html = templates("isomatch.serve.page", "templates").get_template("page.html.j2")
        body = html.render(context, base=request.scope.get("root_path", "")).encode()
        headers = dict(HEADERS)
        if "gzip" in request.headers.get("accept-encoding", ""):
            body = gzip.compress(body, 6)
            headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(body, status, headers, "text/html")

    async def _context(
        self, request: Request, asked: Mapping[str, str | None]
    ) -> tuple[int, dict[str, Any]]:
        """The status, and what the template is filled with."""
        question = asked["q"] or asked["pattern"] or ""
        context: dict[str, Any] = {
            "asked": bool(question),
            "question": question,
            "graph": asked["graph"],
            "drawing": LAYOUT.is_file(),
            "version": __version__,
            "graphs": [],
            "examples": [],
            "answer": None,
            "view": None,
            "problem": None,
            "known": True,
            "asks_again": False,
        }
        try:
            who = await self._caller(request)
        except RequestError as error:
            if error.status != 401:
                return _failed(context, error)
            # The script asks, with the key that it is given.
            return 200, context | {"known": False, "asks_again": True}
        try:
            return 200, context | await self._filled(who, asked, question)
        except IsomatchError as error:
            return _failed(context, error)

    async def _filled(
        self, who: Caller, asked: Mapping[str, str | None], question: str
    ) -> dict[str, Any]:
        graphs = (await self._service.list_graphs(who))["graphs"]
        default = next((graph["name"] for graph in graphs if graph["default"]), None)
        name = asked["graph"] or default or (graphs[0]["name"] if graphs else None)
        found: dict[str, Any] = {"graphs": graphs, "graph": name}
        if not question:
            wanted = SchemaRequest.model_validate({"graph": name, "limit": MOST_SCHEMA})
            schema = await self._service.schema(who, wanted)
            shown = {"graph": name} if asked["graph"] else {}
            return found | {"examples": [_address(one, shown) for one in examples(schema)]}
        if len(question) > LONGEST or len(asked["pattern"] or "") > LONGEST:
            raise RequestError(413, f"a question has at most {LONGEST:,} characters", key="q")
        # A pattern may be typed into the box, too; as `isPattern` of page.js.
        given = asked["pattern"] is not None or _PATTERN.match(question) is not None
        request = {
            "graph": name,
            "question": asked["pattern"] or question,
            "interpreter": "given" if given else "auto",
            "options": _options(asked),
            "query": True,
        }
        answer = await self._service.ask(who, AskRequest.model_validate(request))
        return found | {"answer": answer, "view": View.of(answer, asked["q"] or "")}


_KEYS = ("graph", "q", "pattern", "nodes")
_PATTERN = re.compile(r"\s*(\(|\{|\[\s*\[)")  # text, JSON, triples


def _options(asked: Mapping[str, str | None]) -> dict[str, str]:
    """The options in an address.

    Raises:
        RequestError: the value of one is wrong.
    """
    if (nodes := asked["nodes"]) is None:
        return {}
    if nodes not in (known := get_args(Nodes)):
        raise RequestError(400, f"nodes is one of {', '.join(known)}, not {nodes!r}", key="nodes")
    return {"nodes": nodes}


def _address(example: Example, graph: Mapping[str, str | None]) -> dict[str, str]:
    key, value = ("q", example.question) if example.question else ("pattern", example.pattern)
    return {"words": example.words, "address": urlencode({**graph, key: value})}


def _failed(context: dict[str, Any], error: IsomatchError) -> tuple[int, dict[str, Any]]:
    response = response_of(error)
    return response.status_code, context | {"problem": json.loads(bytes(response.body))}

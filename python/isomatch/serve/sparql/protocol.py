"""The query operation of the SPARQL 1.1 Protocol: requests and responses.

After the W3C's "SPARQL 1.1 Protocol", section 2.1 (query operation); a GET without
a query gives the service's description ("SPARQL 1.1 Service Description", section 2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request, Response

from isomatch import cancel
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Caller, Graph, Graphs
from isomatch.serve.sparql.description import SYNTAXES, description
from isomatch.serve.sparql.evaluate import Budget, answer
from isomatch.serve.sparql.results import RESULTS, negotiate, write
from isomatch.serve.sparql.searches import Limits, Searches
from isomatch.serve.turns import Queue

FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
UPDATE = "application/sparql-update"
_READ_ONLY = "this service only reads; there is no SPARQL Update"


class _Served:
    """A graph with threads of its own: a database that hangs holds up no other's queries."""

    def __init__(self, graph: Graph, limits: Limits):
        self.searches = Searches(graph, limits)
        self.queue = Queue(limits.at_a_time, limits.waiting, limits.seconds)
        self.threads = ThreadPoolExecutor(limits.at_a_time, thread_name_prefix="isomatch-sparql")


class SparqlService:
    """Answers queries in a pool of threads, a limited number of each graph at a time.

    Args:
        graphs: have the sessions that run the searches.
        limits: see `Limits`.
        caller: the dependency that tells who asks, or refuses the request.
    """

    def __init__(self, graphs: Graphs, limits: Limits, caller: Callable[..., Awaitable[Caller]]):
        self._graphs = graphs
        self._served: dict[str, _Served] = {}  # by name of the graph
        self._limits = limits
        self._caller = caller

    def router(self) -> APIRouter:
        """``/sparql`` for the default graph, and ``/sparql/NAME``."""
        router = APIRouter()
        identified = Depends(self._caller)

        # Not in the OpenAPI: the protocol and the description of the service say what it takes.
        @router.api_route("/sparql", methods=["GET", "POST"], include_in_schema=False)
        async def default(request: Request, caller: Caller = identified) -> Response:
            return await self.respond(request, self._of(None, caller))

        @router.api_route("/sparql/{graph}", methods=["GET", "POST"], include_in_schema=False)
        async def named(request: Request, graph: str, caller: Caller = identified) -> Response:
            return await self.respond(request, self._of(graph, caller))

        return router

    def _of(self, name: str | None, caller: Caller) -> _Served:
        graph = self._graphs.get(name, caller)
        if graph.name not in self._served:
            self._served[graph.name] = _Served(graph, self._limits)
        return self._served[graph.name]

    def close(self) -> None:
        """Wait for the queries that are being answered."""
        for served in self._served.values():
            served.threads.shutdown(cancel_futures=True)

    async def respond(self, request: Request, served: _Served) -> Response:
        """Respond to a request of the protocol."""
        by_method = self._get if request.method == "GET" else self._post
        return await by_method(request, served)

    async def _get(self, request: Request, served: _Served) -> Response:
        """A query in the address, or the description of the service."""
        fields = _fields(request.scope["query_string"], "the address")
        if not any(name == "query" for name, _ in fields):
            _check_fields(fields)
            return _description(request)
        return await self._respond_to(_only_query(fields), request, served)

    async def _post(self, request: Request, served: _Served) -> Response:
        """A query in the body, as it is or in a form."""
        body = await self._body(request)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == UPDATE:
            raise RequestError(403, _READ_ONLY)
        if kind not in (FORM, QUERY):
            raise RequestError(
                415, f"a query is sent as {QUERY} or {FORM}, not {kind or 'without Content-Type'}"
            )
        if kind == FORM:
            return await self._respond_to(_only_query(_fields(body, "the body")), request, served)
        _check_fields(_fields(request.scope["query_string"], "the address"))
        return await self._respond_to(_decoded(body), request, served)

    async def _body(self, request: Request) -> bytes:
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > self._limits.request_bytes:
                raise RequestError(
                    413, f"the request is longer than {self._limits.request_bytes} bytes"
                )
        return body

    async def _respond_to(self, text: str, request: Request, served: _Served) -> Response:
        if len(text.encode()) > self._limits.request_bytes:
            raise RequestError(413, f"the query is longer than {self._limits.request_bytes} bytes")
        accept = ", ".join(request.headers.getlist("accept"))
        async with served.queue.turn():
            work = partial(self._answer, text, accept, served.searches)
            body, media = await cancel.in_thread(work, served.threads)
        return Response(body, media_type=media)

    def _answer(self, text: str, accept: str, searches: Searches) -> tuple[bytes, str]:
        negotiate(accept, list(RESULTS))  # before the search, which may take long
        budget = Budget(self._limits.seconds)
        return write(answer(text, searches.find, budget), accept)


def _fields(data: bytes, where: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(data.decode(), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError as error:
        raise RequestError(400, f"{where} is not UTF-8") from error


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise RequestError(400, f"the query is not UTF-8: {error}") from error


def _only_query(fields: Sequence[tuple[str, str]]) -> str:
    """The query among the fields; fields of other names, as Virtuoso's ``maxrows``, are ignored."""
    _check_fields(fields)
    queries = [value for name, value in fields if name == "query"]
    if len(queries) != 1:
        raise RequestError(400, f"a request has one query, not {len(queries)}: say query=…")
    return queries[0]


def _check_fields(fields: Sequence[tuple[str, str]]) -> None:
    for name, value in fields:
        if name in ("update", "using-graph-uri", "using-named-graph-uri"):
            raise RequestError(403, _READ_ONLY)
        if name in ("default-graph-uri", "named-graph-uri") and value:
            raise RequestError(
                400, f"{name}: this service has no graphs to choose from; leave it out"
            )


def _description(request: Request) -> Response:
    media = negotiate(", ".join(request.headers.getlist("accept")), list(SYNTAXES))
    return Response(description(str(request.url.replace(query="")), media), media_type=media)

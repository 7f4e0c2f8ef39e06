"""The routes under ``/v1``, and those that say how the service is."""

# No annotations from __future__: FastAPI reads those of the routes, which name what is local here.

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic_core import to_json

from isomatch._version import __version__
from isomatch.serve.auth import Access
from isomatch.serve.events import event_response, wants_events
from isomatch.serve.graphs import Caller
from isomatch.serve.inflight import InFlight
from isomatch.serve.openapi import responses_of, status_of
from isomatch.serve.readiness import Readiness
from isomatch.serve.requests import (
    AskRequest,
    ExplainRequest,
    FeedbackRequest,
    FindRequest,
    MatchRequest,
    NeighbourhoodRequest,
    NodesRequest,
    SchemaRequest,
)
from isomatch.serve.responses import (
    AskResponse,
    ExplainResponse,
    FeedbackResponse,
    FindResponse,
    GraphsResponse,
    HealthResponse,
    MatchResponse,
    NeighbourhoodResponse,
    NodesResponse,
    QueryResponse,
    ReadyResponse,
    SchemaResponse,
)
from isomatch.serve.service import Service


def v1_router(service: Service, caller: Callable[..., Any]) -> APIRouter:
    """The routes that ask graphs.

    Args:
        caller: the dependency that gives a request's `Caller`, or refuses it.
    """
    router = APIRouter(prefix="/v1")
    Asking = Annotated[Caller, Depends(caller)]

    @router.post("/match", responses=responses_of(MatchResponse, problems=(422,)))
    async def match(body: MatchRequest, who: Asking) -> Response:
        """The best interpretations of a pattern, with their matches and certificate."""
        return _json(await service.match(who, body))

    @router.post("/ask", responses=responses_of(AskResponse, problems=(422, 502)))
    async def ask(body: AskRequest, who: Asking, request: Request) -> Response:
        """The answer to a question, with its evidence and certificate.

        With `Accept: text/event-stream` it comes in pieces, as the events understood, evidence,
        text, certificate, and last answer, or error.
        """
        if wants_events(request):
            return await event_response(service.events(who, body))
        return _json(await service.ask(who, body))

    @router.post(
        "/explain", responses=responses_of(ExplainResponse, QueryResponse, problems=(422,))
    )
    async def explain(body: ExplainRequest, who: Asking) -> Response:
        """How a pattern would be searched: strategy, candidate lists, queries."""
        return _json(await service.explain(who, body))

    @router.post("/find", responses=responses_of(FindResponse))
    async def find(body: FindRequest, who: Asking) -> Response:
        """Nodes, relations and types that a text may mean, nearest first."""
        return _json(await service.find(who, body))

    @router.post("/neighbourhood", responses=responses_of(NeighbourhoodResponse))
    async def neighbourhood(body: NeighbourhoodRequest, who: Asking) -> Response:
        """The facts of some nodes."""
        return _json(await service.neighbourhood(who, body))

    @router.post("/nodes", responses=responses_of(NodesResponse))
    async def nodes(body: NodesRequest, who: Asking) -> Response:
        """Names and types of nodes."""
        return _json(await service.nodes(who, body))

    @router.post("/feedback", status_code=201, responses=responses_of(FeedbackResponse, done=201))
    async def feedback(body: FeedbackRequest, who: Asking) -> Response:
        """Keep what somebody says about an answer, to learn from and to test with."""
        return _json(await service.feedback(who, body), 201)

    @router.get("/schema", responses=responses_of(SchemaResponse))
    async def schema(query: Annotated[SchemaRequest, Query()], who: Asking) -> Response:
        """Types and relations of a graph; with a focus, those nearest to its words."""
        return _json(await service.schema(who, query))

    @router.get("/graphs", responses=responses_of(GraphsResponse))
    async def graphs(who: Asking) -> Response:
        """The graphs that can be asked."""
        return _json(await service.list_graphs(who))

    return router


def status_router(service: Service, in_flight: InFlight, access: Access) -> APIRouter:
    """``/healthz``: that the process is alive. ``/readyz``: that it can answer."""
    router = APIRouter()
    readiness = Readiness(service.graphs)

    @router.get("/healthz", responses=status_of(HealthResponse, 200))
    async def healthz() -> dict[str, str]:
        """Whether the process is alive; it asks no database."""
        return {"status": "ok", "version": __version__}

    @router.get("/readyz", responses=status_of(ReadyResponse, 200, 503))
    async def readyz(request: Request) -> Response:
        """Whether database and index of every graph can be asked; a model does not decide.

        Where the service needs a key, graphs are named to who sends one: those of the key.
        """
        if in_flight.stopping:
            return _json({"status": "stopping"}, 503)
        ready, graphs = await readiness.ask()
        form: dict[str, Any] = {"status": "ready" if ready else "not ready"}
        if not access.required:
            form["graphs"] = graphs
        elif request.headers.get("authorization"):
            caller = await access.caller(request)
            form["graphs"] = {name: graphs[name] for name in graphs if caller.may_ask(name)}
        return _json(form, 200 if ready else 503)

    return router


def _json(form: dict[str, Any], status: int = 200) -> Response:
    return Response(to_json(form), status, media_type="application/json")

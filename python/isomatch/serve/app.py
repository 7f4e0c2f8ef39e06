"""The web application: its routes and middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Depends, FastAPI, Response
from fastapi.middleware.cors import CORSMiddleware

from isomatch._version import __version__
from isomatch.serve.api import status_router, v1_router
from isomatch.serve.auth import Access, CallerOf
from isomatch.serve.bodies import BoundedBodies, OwnPages
from isomatch.serve.inflight import InFlight
from isomatch.serve.mcp_http import McpRoute
from isomatch.serve.observe import MEDIA_TYPE, Metrics, Observer
from isomatch.serve.openapi import describe
from isomatch.serve.page.routes import add_page
from isomatch.serve.problems import add_handlers
from isomatch.serve.service import Service
from isomatch.serve.sparql.protocol import SparqlService
from isomatch.serve.sparql.searches import Limits
from isomatch.serve.text2sparql import text2sparql_router


def create_app(
    service: Service,
    *,
    limits: Limits | None = None,
    access: Access | None = None,
    token: str | None = None,
    cors: bool = False,
) -> FastAPI:
    """The application over a service, which it closes when it ends.

    Args:
        service: answers the requests.
        limits: of requests to ``/sparql``.
        access: tells who may ask; None for anybody who has the token.
        token: bearer token that requests must have; None for no authorisation.
        cors: whether web pages of any origin may send requests, as YASGUI does; else those
            of the settings.

    Example:
        >>> app = create_app(Service(Graphs.of(settings)))  # doctest: +SKIP
        >>> uvicorn.run(app)  # doctest: +SKIP
    """
    access = access or Access(token=token)
    caller = access.caller
    settings = service.settings
    mcp = McpRoute(service, caller)
    sparql = SparqlService(service.graphs, limits or Limits(), caller)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with mcp.run():
            yield
        sparql.close()
        service.close()

    app = FastAPI(
        title="isomatch",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        # `Observer` tells of requests, once and without what was asked.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    metrics = Metrics(lambda: service.running, lambda: service.waiting)
    app.state.in_flight = in_flight = InFlight()
    app.include_router(v1_router(service, caller))
    app.include_router(status_router(service, in_flight, access))
    app.include_router(_metrics_router(metrics, caller))
    app.include_router(sparql.router())
    app.include_router(mcp.router())
    app.include_router(text2sparql_router(service, caller))
    add_page(app, service, caller)
    add_handlers(app)
    describe(app)
    origins = ("*",) if cors else settings.cors_origins
    app.add_middleware(BoundedBodies, settings.request_bytes, settings.body_seconds)
    app.add_middleware(OwnPages, frozenset(origins))
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
        )
    app.add_middleware(in_flight.middleware)
    app.add_middleware(Observer(metrics, questions=settings.log_questions).middleware)
    return app


def _metrics_router(metrics: Metrics, caller: CallerOf) -> APIRouter:
    router = APIRouter()

    @router.get("/metrics", dependencies=[Depends(caller)], include_in_schema=False)
    async def text() -> Response:
        return Response(metrics.text(), media_type=MEDIA_TYPE)

    return router

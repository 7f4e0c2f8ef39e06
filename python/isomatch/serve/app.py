"""The web application: its routes and middleware."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware

from isomatch._version import __version__
from isomatch.serve.api import status_router, v1_router
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import ANYBODY, Caller
from isomatch.serve.inflight import InFlight
from isomatch.serve.page.routes import add_page
from isomatch.serve.problems import add_handlers
from isomatch.serve.service import Service
from isomatch.serve.sparql.protocol import SparqlService
from isomatch.serve.sparql.searches import Limits


def create_app(
    service: Service,
    *,
    limits: Limits | None = None,
    token: str | None = None,
    cors: bool = False,
) -> FastAPI:
    """The application over a service, which it closes when it ends.

    Args:
        service: answers the requests.
        limits: of requests to ``/sparql``.
        token: bearer token that requests must have; None for no authorisation.
        cors: whether web pages of any origin may send requests, as YASGUI does.

    Example:
        >>> app = create_app(Service(Graphs.of(settings)))  # doctest: +SKIP
        >>> uvicorn.run(app)  # doctest: +SKIP
    """
    caller = _caller(token)
    sparql = SparqlService(service.graphs, limits or Limits(), caller)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        sparql.close()
        service.close()

    app = FastAPI(
        title="isomatch",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
    )
    app.state.in_flight = in_flight = InFlight()
    app.include_router(v1_router(service, caller))
    app.include_router(status_router(service))
    app.include_router(sparql.router())
    add_page(app, service, caller)
    add_handlers(app)
    if cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=["*"],
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
        )
    app.add_middleware(in_flight.middleware)
    return app


def _caller(token: str | None) -> Callable[[Request], Awaitable[Caller]]:
    """A dependency that tells who asks, and refuses requests without the token."""

    async def check(request: Request) -> Caller:
        if token is None:
            return ANYBODY
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        is_right = secrets.compare_digest(given.strip().encode(), token.encode())
        if scheme.lower() != "bearer" or not is_right:
            raise RequestError(
                401,
                "this service needs a token: send the header Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            )
        return Caller("token")

    return check

"""The web application: routes, authorisation and error responses."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from isomatch._version import __version__
from isomatch.errors import IsomatchError
from isomatch.serve.errors import RequestError, request_error
from isomatch.serve.protocol import SparqlService
from isomatch.serve.searches import Limits
from isomatch.session import Session


def create_app(
    session: Session,
    *,
    limits: Limits | None = None,
    token: str | None = None,
    cors: bool = False,
) -> FastAPI:
    """The application over a session; the session stays open when it ends.

    Args:
        session: runs the searches.
        limits: limits of requests.
        token: bearer token that requests to ``/sparql`` must have; None for no
            authorisation.
        cors: whether web pages of any origin may send requests, as YASGUI does.

    Example:
        >>> app = create_app(session)  # doctest: +SKIP
        >>> uvicorn.run(app)  # doctest: +SKIP
    """
    sparql = SparqlService(session, limits or Limits())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        sparql.close()

    app = FastAPI(
        title="isomatch", lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None
    )
    app.state.stop = sparql.stop
    app.include_router(sparql.router(), dependencies=[Depends(_check_token(token))])
    app.add_api_route("/health", _health, methods=["GET"])
    app.add_exception_handler(IsomatchError, _request_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    if cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=["*"],
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
        )
    return app


def _check_token(token: str | None) -> Callable[[Request], Awaitable[None]]:
    """A dependency that refuses requests without the token."""

    async def check(request: Request) -> None:
        if token is None:
            return
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        is_right = secrets.compare_digest(given.strip().encode(), token.encode())
        if scheme.lower() != "bearer" or not is_right:
            raise RequestError(
                401,
                "this service needs a token: send the header Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            )

    return check


async def _health() -> JSONResponse:
    return JSONResponse({"status": "ok", "version": __version__})


async def _request_error(_: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, IsomatchError)  # what it is registered for
    response = request_error(error)
    return PlainTextResponse(f"{response}\n", response.status, response.headers)


async def _http_error(request: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, HTTPException)  # what it is registered for
    messages = {
        404: f"there is nothing at {request.url.path}; there are /sparql and /health",
        405: f"{request.method} is not supported at {request.url.path}",
    }
    text = messages.get(error.status_code, str(error.detail))
    return PlainTextResponse(f"{text}\n", error.status_code, error.headers)


async def _internal_error(_: Request, error: Exception) -> PlainTextResponse:
    return PlainTextResponse(
        f"isomatch failed in a way that it should not: {type(error).__name__}\n", 500
    )

"""The web application: its parts, who may use it, and how errors are told."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from isomatch.errors import IsomatchError
from isomatch.serve.protocol import SparqlService
from isomatch.serve.refusal import Refusal, refusal_of
from isomatch.serve.searches import Limits
from isomatch.session import Session


def create_app(
    session: Session,
    *,
    limits: Limits | None = None,
    token: str | None = None,
    cors: bool = False,
) -> FastAPI:
    """The application over a session, which stays open when it ends.

    Args:
        session: searches.
        limits: what requests may take.
        token: without it in ``Authorization: Bearer …``, ``/sparql`` is refused;
            None for anybody.
        cors: whether pages of any origin may ask, as YASGUI in a browser does.

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
    app.include_router(sparql.router(), dependencies=[Depends(_keeper(token))])
    app.add_api_route("/health", _health, methods=["GET"])
    app.add_exception_handler(IsomatchError, _refused)
    app.add_exception_handler(HTTPException, _unknown)
    app.add_exception_handler(Exception, _failed)
    if cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=["*"],
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
        )
    return app


def _keeper(token: str | None):  # type: ignore[no-untyped-def]
    """A dependency that lets in who has the token."""

    async def check(request: Request) -> None:
        if token is None:
            return
        given = request.headers.get("authorization", "")
        kind, _, said = given.partition(" ")
        right = secrets.compare_digest(said.strip().encode(), token.encode())
        if kind.lower() != "bearer" or not right:
            raise Refusal(
                401,
                "this service needs a token: send the header Authorization: Bearer TOKEN",
                {"WWW-Authenticate": "Bearer"},
            )

    return check


async def _health() -> JSONResponse:
    return JSONResponse({"status": "ok", "version": version("isomatch")})


async def _refused(_: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, IsomatchError)  # what it is registered for
    refusal = refusal_of(error)
    return PlainTextResponse(f"{refusal}\n", refusal.status, refusal.headers)


async def _unknown(request: Request, error: Exception) -> PlainTextResponse:
    assert isinstance(error, HTTPException)  # what it is registered for
    words = {
        404: f"there is nothing at {request.url.path}; there are /sparql and /health",
        405: f"{request.method} is not supported at {request.url.path}",
    }
    text = words.get(error.status_code, str(error.detail))
    return PlainTextResponse(f"{text}\n", error.status_code, error.headers)


async def _failed(_: Request, error: Exception) -> PlainTextResponse:
    return PlainTextResponse(
        f"isomatch failed in a way that it should not: {type(error).__name__}\n", 500
    )

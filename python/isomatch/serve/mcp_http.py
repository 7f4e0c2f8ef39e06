"""``/mcp``: the Model Context Protocol over HTTP, in the same application as all else."""

# No annotations from __future__: FastAPI reads those of the route, which name what is local here.

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from starlette.types import Receive, Scope, Send

from isomatch.errors import MissingExtraError
from isomatch.serve.auth import check_host
from isomatch.serve.graphs import ANYBODY, Caller
from isomatch.serve.service import Service

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class McpRoute:
    """The route. The SDK is loaded when it is first asked, as that takes a second.

    Each request has one message, and no session is kept: any process of several can answer.

    Args:
        service: runs what assistants ask for.
        caller: the dependency that gives a request's `Caller`, or refuses it.
    """

    def __init__(self, service: Service, caller: Callable[..., Any]):
        self._service = service
        self._caller = caller
        self._opening = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._ended = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Answers while this is open; requests that are not answered at its end are given up."""
        try:
            yield
        finally:
            self._ended.set()
            if self._running is not None:
                await self._running

    def router(self) -> APIRouter:
        """``POST /mcp``; other methods are for sessions, and refused."""
        router = APIRouter()
        Asking = Annotated[Caller, Depends(self._caller)]

        @router.post("/mcp", include_in_schema=False)
        async def answer(request: Request, who: Asking) -> Response:
            if who is ANYBODY:
                check_host(request)
            request.state.caller = who
            return _Answered(await self._opened())

        return router

    async def _opened(self) -> "StreamableHTTPSessionManager":
        async with self._opening:
            if self._manager is None:
                manager = await asyncio.to_thread(_manager, self._service)
                started = asyncio.Event()
                # The SDK wants one task to begin and to end it, and this one ends with a request.
                self._running = asyncio.create_task(self._keep(manager, started))
                await started.wait()
                self._manager = manager
            return self._manager

    async def _keep(self, manager: "StreamableHTTPSessionManager", started: asyncio.Event) -> None:
        async with manager.run():
            started.set()
            await self._ended.wait()


class _Answered(Response):
    """Sends what the SDK answers to a request."""

    def __init__(self, manager: "StreamableHTTPSessionManager"):
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


def _manager(service: Service) -> "StreamableHTTPSessionManager":
    try:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from isomatch.serve.mcp import Assistants
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'MCP needs the package {error.name}: pip install "isomatch[mcp]"'
        ) from error
    return StreamableHTTPSessionManager(
        Assistants(service).server,
        stateless=True,
        max_request_body_size=service.settings.request_bytes,
    )

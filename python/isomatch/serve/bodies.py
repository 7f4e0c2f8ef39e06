"""Bodies of requests: bounded in length and in the time that they take."""

from __future__ import annotations

import asyncio
from time import monotonic

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from isomatch.serve.problems import problem_response
from isomatch.serve.turns import timeout


class BoundedBodies:
    """Refuses bodies that are too long (413), or come too slowly (408).

    Args:
        most: bytes.
        seconds: until a body must have come.
    """

    def __init__(self, app: ASGIApp, most: int, seconds: float):
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        if lengths and (not lengths[0].isdigit() or int(lengths[0]) > self._most):
            response = problem_response(413, self._too_long, headers={"Connection": "close"})
            await response(scope, receive, send)
            return
        end, length, whole = monotonic() + self._seconds, 0, False

        async def bounded() -> Message:
            nonlocal length, whole
            if whole:
                return await receive()
            try:
                async with timeout(end - monotonic()):
                    message = await receive()
            except asyncio.TimeoutError:
                raise HTTPException(
                    408,
                    f"the body did not come within {self._seconds:g} s",
                    {"Connection": "close"},
                ) from None
            length += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if length > self._most:
                raise HTTPException(413, self._too_long, {"Connection": "close"})
            return message

        await self._app(scope, bounded, send)

    @property
    def _too_long(self) -> str:
        return f"the request is longer than {self._most} bytes"


class OwnPages:
    """Refuses what pages of other sites have a browser send (403).

    A browser asks before it sends JSON elsewhere, but not before it sends plain text, and a
    service on loopback answers whoever can reach it.

    Args:
        allowed: origins whose pages may ask; ``*`` for all.
    """

    def __init__(self, app: ASGIApp, allowed: frozenset[str]):
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
            origin = headers.get(b"origin")
            own = origin is None or origin.partition("://")[2] == headers.get(b"host")
            if not own and not self._allowed & {origin, "*"}:
                words = (
                    f"pages of {origin} may not ask this service; set cors_origins in the table "
                    "[serve] of isomatch.toml"
                )
                await problem_response(403, words)(scope, receive, send)
                return
        await self._app(scope, receive, send)

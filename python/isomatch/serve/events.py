"""An answer in pieces, as server-sent events (HTML standard, section 9.2)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from fastapi import Request
from pydantic_core import to_json
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import AppStatus, EventSourceResponse

from isomatch.errors import IsomatchError
from isomatch.serve.problems import internal_problem, response_of

MEDIA_TYPE = "text/event-stream"
KEEP_ALIVE = 15  # seconds between two comments, so that no proxy takes the stream for dead
UNREAD = 30.0  # seconds until a client that reads nothing is given up

# Streams under way have their answers before the service ends (`DrainingServer`).
AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]

Event = tuple[str, dict[str, Any]]


def wants_events(request: Request) -> bool:
    """Whether a client asks for events in place of one object."""
    kinds = ",".join(request.headers.getlist("accept")).split(",")
    return MEDIA_TYPE in [kind.partition(";")[0].strip().lower() for kind in kinds]


async def event_response(events: AsyncGenerator[Event, None]) -> EventSourceResponse:
    """A response that sends events as they come.

    What goes wrong before the first one has its own status; later it is an event ``error``
    with problem details, which is then the last.

    Raises:
        IsomatchError: see above.
    """
    first = await anext(events)

    async def written() -> AsyncIterator[ServerSentEvent]:
        try:
            if first[0]:
                yield _event(*first)
            async for name, form in events:
                yield _event(name, form)
        except IsomatchError as error:
            yield _event("error", {"problem": json.loads(bytes(response_of(error).body))})
        except Exception as error:
            yield _event("error", {"problem": json.loads(bytes(internal_problem(error).body))})
            raise
        finally:
            await events.aclose()

    return EventSourceResponse(
        written(),
        ping=KEEP_ALIVE,
        ping_message_factory=lambda: ServerSentEvent(comment="still at it"),
        send_timeout=UNREAD,
        sep="\n",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _event(name: str, form: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(to_json(form).decode(), event=name)

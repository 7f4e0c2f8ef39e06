"""Connections that end in time, and a server that answers the requests under way before it ends.

A connection is closed when its client does nothing, or sends a head without end.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from types import FrameType

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from isomatch.serve.inflight import InFlight

MAX_HEAD = 65_536
"""Bytes that the line and the headers of a request may have."""
_TOO_LONG = b"The headers of the request are too long."
_REFUSED = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\n"
    b"connection: close\r\n"
    b"\r\n%s"
) % (len(_TOO_LONG), _TOO_LONG)


class BoundedConnection(HttpToolsProtocol):
    """A connection that sends a request in time, and reads its answer.

    uvicorn closes a connection that is idle after an answer, but waits for a first request,
    for the rest of its head, and for a client that does not read, as long as these last. It
    takes a head of any length; here one of more than `MAX_HEAD` bytes is refused. It tells
    only the last request of a connection that the client has gone; here all are told.
    The bodies of requests are bounded by `isomatch.serve.bodies`.

    Attributes:
        seconds: without a request, or without anything being read, after which it is closed.
    """

    seconds = 30.0
    _unasked: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _head = 0  # bytes of a head that is not whole yet
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._unanswered: list[RequestResponseCycle] = []
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        """Wait until the head of a request is whole."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        self._head = self._head + len(data) if self._in_head else 0
        if self._head > MAX_HEAD:
            self.transport.write(_REFUSED)
            self._forget_requests()
            self.transport.close()
            return
        self._wait_for_request()

    def on_message_begin(self) -> None:
        """A head begins."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole: its request is answered after those before it."""
        self._in_head = False
        super().on_headers_complete()
        self._unanswered = [c for c in self._unanswered if not c.response_complete]
        if self.cycle is not None:
            self._unanswered.append(self.cycle)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        for timer in (self._unasked, self._unread):
            if timer is not None:
                timer.cancel()
        self._forget_requests()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read: there is more to send than it takes."""
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        if self._unread is not None:
            self._unread.cancel()
        super().resume_writing()

    def _wait_for_request(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            if self._unasked is not None:
                self._unasked.cancel()
                self._unasked = None
        elif self._unasked is None:
            self._unasked = self.loop.call_later(self.seconds, self.transport.close)

    def _forget_requests(self) -> None:
        """Tell the requests under way that nobody waits; uvloop raises where they write."""
        for cycle in self._unanswered:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self._unanswered = []

    def _wait_for_reader(self, unread: int) -> None:
        def look() -> None:
            left = self.transport.get_write_buffer_size()
            if left >= unread:
                self._forget_requests()
                self.transport.abort()  # close would wait for the reader
            else:
                self._wait_for_reader(left)

        self._unread = self.loop.call_later(self.seconds, look)


def connection_type(seconds: float) -> type[BoundedConnection]:
    """What uvicorn takes as ``http``, with a limit of its own."""
    return type("_Connection", (BoundedConnection,), {"seconds": seconds})


class DrainingServer(uvicorn.Server):
    """A server that a signal ends in order; a second one ends it at once.

    It goes on listening while requests are under way, so that those who come meanwhile are
    told to come again, and a load balancer sees by ``/readyz`` that it ends.

    Args:
        in_flight: the requests.
        seconds: that they have; what lasts longer is cancelled, and told so.
    """

    def __init__(self, config: uvicorn.Config, in_flight: InFlight, seconds: float):
        super().__init__(config)
        self._in_flight = in_flight
        self._seconds = seconds
        self._end: float | None = None
        self._signal: tuple[int, FrameType | None] = (0, None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See `uvicorn.Server.handle_exit`."""
        if self._end is not None:
            super().handle_exit(sig, frame)
            return
        self._signal = (sig, frame)
        self._end = monotonic() + self._seconds
        self._in_flight.stop()

    async def on_tick(self, counter: int) -> bool:
        """See `uvicorn.Server.on_tick`; called ten times a second."""
        if self._end is not None and not self.should_exit:
            over = monotonic() >= self._end
            if over:
                self._in_flight.give_up()
            if over or not self._in_flight:
                super().handle_exit(*self._signal)
        return await super().on_tick(counter)

"""A uvicorn server that answers the requests under way before it ends."""

from __future__ import annotations

from time import monotonic
from types import FrameType

import uvicorn

from isomatch.serve.inflight import InFlight


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

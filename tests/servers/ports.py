"""Ports of loopback."""

from __future__ import annotations

import socket

from tests.servers import ServerFailed

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def refuse_taken(port: int) -> None:
    """Raises ServerFailed where somebody listens on this port of loopback."""
    with socket.socket() as probe:
        # As the server does: connections that linger from its last run are no obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise ServerFailed(f"port {port} of {LOOPBACK} cannot be had: {error}") from error

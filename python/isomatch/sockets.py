"""Connections of httpx that end while somebody waits for them, when the search is cancelled.

httpx cannot be stopped from another thread: it waits in a read until bytes come or a
time-out passes. Shutting the socket down wakes it, and the server sees its client go.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpcore
import httpx

from isomatch import cancel


class Backend(httpcore.SyncBackend):
    """Opens connections whose reads and writes `cancel.stopping` ends."""

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *rest: Any, **more: Any
    ) -> httpcore.NetworkStream:
        cancel.check()
        return Stream(super().connect_tcp(host, port, timeout, *rest, **more))


class Stream(httpcore.NetworkStream):
    """A connection; ``inner`` is that of httpcore."""

    def __init__(self, inner: httpcore.NetworkStream):
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._stopping():
            return self._inner.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._stopping():
            self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        with self._stopping():
            inner = self._inner.start_tls(ssl_context, server_hostname, timeout)
        return Stream(inner)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        with cancel.stopping(self._shut_down):
            yield

    def _shut_down(self) -> None:
        with suppress(OSError):  # it has ended already
            # That of SSLSocket would change what the waiting thread is using.
            socket.socket.shutdown(self._inner.get_extra_info("socket"), socket.SHUT_RDWR)


def cancellable(client: httpx.Client) -> httpx.Client:
    """The same client, whose requests a cancelled search ends."""
    # httpx has no argument for it (0.28); the tests of cancellation fail where this changes.
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            transport._pool._network_backend = Backend()
    return client

"""HTTP with one clock for a whole request.

httpx limits each read from a connection, so a server that sends one byte a second is
never late, neither in its headers nor in its body. Here no read outlasts a deadline:
a request carries one in ``extensions["deadline"]``, as `time.monotonic` tells it.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from threading import local
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx


class Transport(httpx.BaseTransport):
    """Connections to one endpoint, directly or through a proxy.

    Args:
        url: of the endpoint.
        most: connections at a time; a request beyond waits for one.
        proxy: address of an HTTP proxy; None for that of the environment.
        verify: whether certificates are checked, or a file of authorities.

    Raises:
        OSError, ssl.SSLError: the file cannot be read.
    """

    def __init__(self, url: str, *, most: int, proxy: str | None, verify: bool | Path):
        self._clock = _Clock()
        given: dict[str, Any] = {
            "ssl_context": (
                httpx.create_ssl_context(verify)  # SSL_CERT_FILE means what it means elsewhere
                if isinstance(verify, bool)
                else ssl.create_default_context(cafile=str(verify))
            ),
            "max_connections": most,
            "max_keepalive_connections": most,
            "keepalive_expiry": 30.0,
            "network_backend": _Backend(self._clock),
        }
        proxy = proxy or _usual_proxy(url)
        self._pool = (
            httpcore.ConnectionPool(**given)
            if proxy is None
            else httpcore.HTTPProxy(**_proxy(proxy), **given)
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See `httpx.BaseTransport`."""
        deadline = request.extensions.get("deadline", inf)
        self._clock.deadline = deadline
        assert isinstance(request.stream, httpx.SyncByteStream)
        with _translated():
            response = self._pool.handle_request(
                httpcore.Request(
                    request.method,
                    httpcore.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        assert isinstance(response.stream, Iterable)
        return httpx.Response(
            response.status,
            headers=response.headers,
            stream=_Body(response.stream, self._clock, deadline),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """End all connections."""
        self._pool.close()


class _Clock(local):
    """The deadline of the request that this thread is at."""

    deadline: float = inf

    def within(self, seconds: float | None) -> float | None:
        """So many seconds, or what is left if that is less."""
        left = self.deadline - monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the deadline has passed")
        if left == inf:
            return seconds
        return left if seconds is None else min(seconds, left)


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: Iterable[bytes], clock: _Clock, deadline: float):
        self._stream = stream
        self._clock = clock
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        with _translated():
            for chunk in self._stream:
                yield chunk
                self._clock.deadline = self._deadline

    def close(self) -> None:
        if hasattr(self._stream, "close"):
            self._stream.close()


class _Backend(httpcore.NetworkBackend):
    def __init__(self, clock: _Clock):
        self._clock = clock
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        limit = self._clock.within(timeout)
        stream = self._inner.connect_tcp(host, port, limit, local_address, socket_options)
        return _Stream(stream, self._clock)

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, clock: _Clock):
        self._inner = inner
        self._clock = clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._clock.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._clock.within(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, self._clock.within(timeout))
        return _Stream(inner, self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


@contextmanager
def _translated() -> Iterator[None]:
    """httpcore's errors as httpx's, which have the same names."""
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
        httpcore.UnsupportedProtocol,
    ) as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


def _usual_proxy(url: str) -> str | None:
    """The proxy that the environment names for an address, as httpx takes it."""
    parts = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _proxy(address: str) -> dict[str, Any]:
    proxy = httpx.Proxy(address)  # takes the user out of the address
    return {"proxy_url": str(proxy.url), "proxy_auth": proxy.raw_auth}

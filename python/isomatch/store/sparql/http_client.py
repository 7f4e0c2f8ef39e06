"""One request of the SPARQL protocol: by GET or POST, with log-in, within a deadline.

A search that is cancelled ends its connections (`isomatch.sockets`).
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from math import inf
from threading import local
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from isomatch._version import __version__
from isomatch.errors import ConfigurationError, StoreError
from isomatch.retry import Deadline
from isomatch.settings.endpoint import Endpoint
from isomatch.sockets import Backend, Stream

USER_AGENT = f"isomatch/{__version__} (python-httpx/{httpx.__version__})"
FORM = "application/x-www-form-urlencoded"

_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_NOT_BY_GET = (405, 414, 431)
_SHORT = 1500  # characters of an address up to which a query goes by GET
_LONGEST_GET = 8000  # characters that servers take at least, where they take no POST
_HELD = 1 << 16  # bytes of a request that are sent at once
_UNQUOTED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")


def form_of(pairs: Sequence[tuple[str, str]]) -> str:
    """What `urllib.parse.urlencode` gives, which takes 50 ns for each character of a query.

    Example:
        >>> form_of([("query", "ASK {}"), ("timeout", "5")])
        'query=ASK+%7B%7D&timeout=5'
    """
    return "&".join(f"{_quoted(key)}={_quoted(value)}" for key, value in pairs)


def _quoted(text: str) -> str:
    if not text.isascii():  # a text in another script has many characters
        return quote_plus(text)
    special = set(text) - _UNQUOTED
    if "%" in special:  # before the others, which bring more of it
        text = text.replace("%", "%25")
    for character in special - {"%", "+", " "}:
        text = text.replace(character, quote_plus(character))
    return text.replace("+", "%2B").replace(" ", "+")


class HttpClient:
    """Sends to one endpoint, by any number of threads.

    Args:
        endpoint: where, and how to be let in.
        transport: in place of the network.

    Raises:
        ConfigurationError: the file of authorities cannot be read.
    """

    def __init__(self, endpoint: Endpoint, transport: httpx.BaseTransport | None = None):
        self._endpoint = endpoint
        self._where = f"the endpoint {endpoint.url}"
        self._url = endpoint.url
        self._longest_get = _SHORT
        addresses = (endpoint.url, endpoint.update_url or endpoint.url)
        self._ours = {_server(httpx.URL(address)) for address in addresses}
        try:
            self._transport = transport or DeadlineTransport(endpoint)
            self._client = httpx.Client(
                headers={"User-Agent": USER_AGENT}, transport=self._transport
            )
            self._usual = [(name.decode(), v.decode()) for name, v in self._client.headers.raw]
        except OSError as error:  # those of TLS too
            raise ConfigurationError(
                f"{self._where}: the authorities of verify = {str(endpoint.verify)!r} cannot be "
                f"read: {error}"
            ) from error

    def query(
        self, form: Sequence[tuple[str, str]], accept: str, deadline: Deadline
    ) -> httpx.Response:
        """The answer to a query, its body unread: by GET where it is short, else by POST.

        Args:
            form: parameters of the protocol.
            accept: media types of good answers.
            deadline: of the whole request.

        Raises:
            httpx.HTTPError, httpx.InvalidURL: there was none.
            StoreError: it is a redirect that is not followed.
        """
        content = form_of(form)
        address = f"{self._url}{'&' if '?' in self._url else '?'}{content}"
        headers = {"Accept": accept}
        if "json" not in accept and "xml" not in accept:
            # Lines may be missing at the end of these and nobody sees it, so nothing
            # may hide how long the body is.
            headers["Accept-Encoding"] = "identity"
        if len(address) <= self._longest_get:
            response = self._follow("GET", address, headers, "", deadline)
            if response.status_code not in _NOT_BY_GET:
                return response
            response.close()
            response = self._follow("POST", self._url, headers, content, deadline)
            if response.is_success:
                self._longest_get = 0
            return response
        response = self._follow("POST", self._url, headers, content, deadline)
        if response.status_code == 405 and len(address) <= _LONGEST_GET:
            response.close()
            response = self._follow("GET", address, headers, "", deadline)
            if response.is_success:
                self._longest_get = _LONGEST_GET
        return response

    def update(self, url: str, text: str, deadline: Deadline) -> httpx.Response:
        """The answer to an update, its body unread; sent once, wherever it may lead.

        Raises:
            httpx.HTTPError: there was none.
        """
        return self._send("POST", url, {}, urlencode([("update", text)]), deadline)

    def _follow(
        self, method: str, target: str, headers: Mapping[str, str], content: str, deadline: Deadline
    ) -> httpx.Response:
        """Send, and follow redirects by hand: httpx makes a GET without query of a POST."""
        for _ in range(_MOST_REDIRECTS):
            response = self._send(method, target, headers, content, deadline)
            location = response.headers.get("location")
            if response.status_code not in _REDIRECTS or not location:
                return response
            response.close()
            before, target = target, str(httpx.URL(target).join(location))
            if before.startswith("https:") and not target.startswith("https:"):
                raise StoreError(f"{self._where} sends us to {target}, without encryption: refused")
            for_good = method == "POST" and response.status_code in (301, 308)
            if for_good and _server(httpx.URL(target)) in self._ours:
                self._url = target
            if response.status_code == 303:
                method = "GET"
        raise StoreError(
            f"{self._where} sends us in a circle ({_MOST_REDIRECTS} redirects, the last one to "
            f"{target}): correct the address"
        )

    def _send(
        self, method: str, target: str, headers: Mapping[str, str], content: str, deadline: Deadline
    ) -> httpx.Response:
        endpoint = self._endpoint
        left = max(deadline.left, 0.001)
        url = httpx.URL(target) if method == "GET" else _parsed(target)
        ours = _server(url) in self._ours
        own = {**_bearer(endpoint), **endpoint.headers} if ours else {}
        form = {"Content-Type": FORM} if method == "POST" else {}
        headers = {**headers, **form, **own}
        body = content.encode() if method == "POST" else None
        timeout = httpx.Timeout(left, connect=min(endpoint.connect_timeout, left))
        # The endpoint's own server may know who we are, and no other.
        auth = _auth(endpoint) if ours else None
        client = self._client
        if auth is None and not (url.userinfo or client.cookies or client.is_closed):
            return self._direct(method, url, headers, body, timeout, deadline)
        request = client.build_request(
            method,
            url,
            headers=headers,
            content=body,
            timeout=timeout,
            extensions={"deadline": deadline},
        )
        return client.send(request, stream=True, auth=auth)

    def _direct(
        self,
        method: str,
        url: httpx.URL,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout: httpx.Timeout,
        deadline: Deadline,
    ) -> httpx.Response:
        """What the client sends and gives where there is no log-in and no cookie, sooner.

        It takes a quarter of a millisecond for what is not needed here.
        """
        given = {name.lower() for name in headers}
        usual = [(name, value) for name, value in self._usual if name.lower() not in given]
        request = httpx.Request(
            method,
            url,
            headers=[*usual, *headers.items()],
            content=body,
            extensions={"timeout": timeout.as_dict(), "deadline": deadline},
        )
        response = self._transport.handle_request(request)
        response.request = request
        if "set-cookie" in response.headers:  # the client sends it with the next request
            self._client.cookies.extract_cookies(response)
        return response

    def close(self) -> None:
        """End all connections; safe to call twice."""
        self._client.close()


@lru_cache(maxsize=64)  # httpx reads an address character by character
def _parsed(address: str) -> httpx.URL:
    return httpx.URL(address)


def _server(url: httpx.URL) -> tuple[str, int | None]:
    return url.host, url.port  # no port is the scheme's own, so http may become https


def _auth(endpoint: Endpoint) -> httpx.Auth | None:
    if not endpoint.username or endpoint.auth == "bearer":
        return None
    password = endpoint.password.get_secret_value() if endpoint.password else ""
    kind = httpx.DigestAuth if endpoint.auth == "digest" else httpx.BasicAuth
    return kind(endpoint.username, password)


def _bearer(endpoint: Endpoint) -> dict[str, str]:
    if endpoint.token is None or endpoint.auth in ("basic", "digest"):
        return {}
    return {"Authorization": f"Bearer {endpoint.token.get_secret_value()}"}


class DeadlineTransport(httpx.HTTPTransport):
    """Connections to one endpoint, where no read or write outlasts the deadline of its request.

    httpx limits each read from a connection, so a server that sends one byte a second
    never times out, neither in its headers nor in its body. A request carries its
    `Deadline` in ``extensions["deadline"]``, and every read is limited by what is left.

    Args:
        endpoint: its address, proxy, certificates and number of connections.

    Raises:
        OSError, ssl.SSLError: the file of authorities cannot be read.
    """

    def __init__(self, endpoint: Endpoint):
        most, verify = endpoint.requests_at_a_time, endpoint.verify
        super().__init__(
            verify=(
                _usual_tls(verify, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
                if isinstance(verify, bool)
                else ssl.create_default_context(cafile=str(verify))
            ),
            proxy=endpoint.proxy or _usual_proxy(endpoint.url),
            limits=httpx.Limits(
                max_connections=most, max_keepalive_connections=most, keepalive_expiry=30.0
            ),
        )
        self._clock = _Clock()
        # httpx has no argument for it (0.28); tests with slow servers fail where this changes.
        self._pool._network_backend = _Backend(self._clock)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See `httpx.BaseTransport`; the body is read by the thread that sends the request."""
        self._clock.deadline = request.extensions.get("deadline", Deadline.after(None))
        return super().handle_request(request)


@cache  # reading the usual authorities takes 40 ms
def _usual_tls(verify: bool, *_environment: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context(verify)  # SSL_CERT_FILE means what it means elsewhere


class _Clock(local):
    """The deadline of the request that this thread is at."""

    deadline = Deadline.after(None)

    def within(self, seconds: float | None) -> float | None:
        """So many seconds, or what is left if that is less."""
        left = self.deadline.left
        if left <= 0:
            raise httpcore.ReadTimeout("the deadline has passed")
        if left == inf:
            return seconds
        return left if seconds is None else min(seconds, left)


class _Backend(Backend):
    def __init__(self, clock: _Clock):
        super().__init__()
        self._clock = clock

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *rest: Any, **more: Any
    ) -> httpcore.NetworkStream:
        limit = self._clock.within(timeout)
        return _Stream(super().connect_tcp(host, port, limit, *rest, **more), self._clock)


class _Stream(Stream):
    def __init__(self, inner: httpcore.NetworkStream, clock: _Clock):
        super().__init__(inner)
        self._clock = clock
        self._held = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        # As httpcore does: a server may answer before it has read all.
        with suppress(httpcore.WriteError):
            self._send_held(timeout)
        return super().read(max_bytes, self._clock.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Hold what is short until the answer is waited for.

        httpcore writes head and body one by one, and the first of two packets wakes the
        server for nothing.
        """
        if len(self._held) + len(buffer) <= _HELD:
            self._held += buffer
            return
        self._send_held(timeout)
        super().write(buffer, self._clock.within(timeout))

    def _send_held(self, timeout: float | None) -> None:
        held, self._held = self._held, b""
        if held:
            super().write(held, self._clock.within(timeout))

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        limit = self._clock.within(timeout)
        return _Stream(super().start_tls(ssl_context, server_hostname, limit), self._clock)


def _usual_proxy(url: str) -> str | None:
    """The proxy that the environment names for an address, as httpx takes it."""
    parts = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"

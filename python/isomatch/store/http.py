"""The SPARQL protocol over HTTP: one query at a time, asked again where that may help.

httpx and not SPARQLWrapper: that one opens a connection for every request through
urllib, reads whole bodies, and has one time-out for everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlencode

import httpx

import isomatch
from isomatch.errors import ConfigurationError, QueryTimeout, StoreError
from isomatch.store.endpoint import Endpoint
from isomatch.store.http_errors import Later, late_words, refused, words
from isomatch.store.json_results import NotResults
from isomatch.store.profile import Profile
from isomatch.store.transport import Transport

if TYPE_CHECKING:
    from tenacity import RetryCallState

Result = TypeVar("Result")

USER_AGENT = f"isomatch/{isomatch.__version__} (python-httpx/{httpx.__version__})"
FORM = "application/x-www-form-urlencoded"
_KEPT = 4096  # bytes of a body's start and end, for messages
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_NOT_BY_GET = (405, 414, 431)
_LONGEST_GET = 8000  # characters that servers take at least, where they take no POST
_LONGEST_WAIT = 60.0  # seconds between two attempts


class Body:
    """The body of an answer, read once.

    Attributes:
        head, tail: its first bytes, and its last so far.
    """

    def __init__(self, response: httpx.Response):
        self._chunks: Iterator[bytes] = response.iter_bytes()
        self._left = b""
        self.head = b""
        self._last: deque[bytes] = deque(maxlen=2)

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes; none at the end."""
        while not self._left:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            if len(self.head) < _KEPT:
                self.head = (self.head + chunk)[:_KEPT]
            self._last.append(chunk[-_KEPT:])
            self._left = chunk
        if size < 0 or size >= len(self._left):
            given, self._left = self._left, b""
        else:
            given, self._left = self._left[:size], self._left[size:]
        return given

    @property
    def tail(self) -> bytes:
        """See the class."""
        return b"".join(self._last)[-_KEPT:]


class Http:
    """The requests to one endpoint, by any number of threads.

    Args:
        endpoint: where, and how to be let in.
        transport: in place of the network.

    Attributes:
        where: the endpoint in words, for messages.
        longest_get: characters of an address up to which a query is sent by GET.
        server: what the server called itself in its last answer.

    Raises:
        ConfigurationError: the file of authorities cannot be read.
    """

    def __init__(self, endpoint: Endpoint, transport: httpx.BaseTransport | None = None):
        self.endpoint = endpoint
        self.where = f"the endpoint {endpoint.url}"
        self.longest_get = Profile().longest_get
        self.server = ""
        self._url = endpoint.url
        self._answered = False
        try:
            self._client = httpx.Client(
                headers={"User-Agent": USER_AGENT},
                transport=transport
                or Transport(
                    endpoint.url,
                    most=endpoint.requests_at_a_time,
                    proxy=endpoint.proxy,
                    verify=endpoint.verify,
                ),
            )
        except OSError as error:  # those of TLS too
            raise ConfigurationError(
                f"{self.where}: the authorities of verify = {str(endpoint.verify)!r} cannot be "
                f"read: {error}"
            ) from error

    def ask(
        self,
        text: str,
        read: Callable[[httpx.Response, Body], Result],
        *,
        accept: str,
        name: str,
        timeout: float | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> Result:
        """Send a query, and read what it gives.

        Args:
            text: the query.
            read: makes the result of a good answer; what it raises, `NotResults` for a
                body that ended too early, decides whether the query is sent again.
            accept: media types of good answers.
            name: of the query, for messages.
            timeout: seconds in all, attempts and waits included.
            parameters: of the protocol, besides the query and its graphs.

        Raises:
            QueryTimeout: the time ran out, here or there.
            StoreError: the endpoint refused or failed, with its own words.
        """
        from tenacity import Retrying, retry_if_exception_type

        limit = self.endpoint.timeout if timeout is None else timeout
        deadline = monotonic() + limit
        form = [("query", text), *self._graphs(), *(parameters or {}).items()]

        def once() -> Result:
            return self._once(form, read, accept, name, limit, deadline)

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            after = error.after if isinstance(error, Later) else None
            pause = self.endpoint.back_off * 2 ** (state.attempt_number - 1)
            return min(pause, _LONGEST_WAIT) if after is None else after

        def stop(state: RetryCallState) -> bool:
            over = state.attempt_number > self.endpoint.retries
            too_long = state.upcoming_sleep > _LONGEST_WAIT
            return over or too_long or monotonic() + state.upcoming_sleep >= deadline

        try:
            return Retrying(
                wait=wait, stop=stop, retry=retry_if_exception_type(Later), reraise=True
            )(once)
        except Later as error:
            asked = f"; it asks to wait {error.after:.0f} s" if error.after else ""
            raise StoreError(f"{error}{asked}. Try again later") from error

    def update(self, text: str) -> None:
        """Send an update, once: what failed half-way may not be done again.

        Raises:
            ConfigurationError: the endpoint has no address for updates.
            StoreError: the endpoint refused or failed, with its own words.
        """
        url = self.endpoint.update_url
        if url is None:
            raise ConfigurationError(
                f"{self.where} has no address for updates: set update_url in isomatch.toml"
            )
        deadline = monotonic() + self.endpoint.timeout
        headers = {"Content-Type": FORM, **self._own_headers(url)}
        content = urlencode([("update", text)]).encode()
        request = self._build("POST", url, headers, content, deadline)
        try:
            response = self._client.send(request, stream=True, auth=_auth(self.endpoint))
            try:
                body = Body(response)
                body.read(_KEPT)
                if response.status_code not in (200, 201, 202, 204):
                    raise _refused(response, body, f"the endpoint {url}", "update")
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise QueryTimeout(
                f"the endpoint {url} took more than {self.endpoint.timeout:.3g} s for an update, "
                "which may be done or not"
            ) from error
        except httpx.HTTPError as error:
            raise StoreError(f"the endpoint {url} failed on an update: {_words(error)}") from error

    def _once(
        self,
        form: list[tuple[str, str]],
        read: Callable[[httpx.Response, Body], Result],
        accept: str,
        name: str,
        limit: float,
        deadline: float,
    ) -> Result:
        try:
            response = self._send(form, accept, name, deadline)
            try:
                result = self._read(response, Body(response), read, name)
            finally:
                response.close()
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise QueryTimeout(
                f"{self.where} took more than {limit:.3g} s for the query {name!r}"
            ) from error
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            kind = Later if self._answered else StoreError
            raise kind(f"{self.where} cannot be reached: {_words(error)}") from error
        except (httpx.TransportError, httpx.StreamError) as error:
            raise Later(f"{self.where} broke the connection: {_words(error)}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StoreError(f"{self.where} answered nonsense: {_words(error)}") from error
        self._answered = True
        return result

    def _send(
        self, form: list[tuple[str, str]], accept: str, name: str, deadline: float
    ) -> httpx.Response:
        """The endpoint's answer, by the method that it takes, wherever it sends us."""
        written = urlencode(form)
        url = self._url
        address = f"{url}{'&' if '?' in url else '?'}{written}"
        method = "GET" if len(address) <= self.longest_get else "POST"
        response = self._follow(method, address, url, written, accept, name, deadline)
        if method == "GET" and response.status_code in _NOT_BY_GET:
            response.close()
            response = self._follow("POST", url, url, written, accept, name, deadline)
            if response.status_code == 200:
                self.longest_get = 0
        elif method == "POST" and response.status_code == 405 and len(address) <= _LONGEST_GET:
            response.close()
            response = self._follow("GET", address, url, written, accept, name, deadline)
            if response.status_code == 200:
                self.longest_get = _LONGEST_GET
        return response

    def _follow(
        self,
        method: str,
        address: str,
        url: str,
        written: str,
        accept: str,
        name: str,
        deadline: float,
    ) -> httpx.Response:
        """Send, and follow redirects by hand: httpx makes a GET without query of a POST."""
        target = address if method == "GET" else url
        for _ in range(_MOST_REDIRECTS):
            headers = {"Accept": accept, **self._own_headers(target)}
            if "json" not in accept and "xml" not in accept:
                # Lines may be missing at the end of these and nobody sees it, so nothing
                # may hide how long the body is.
                headers["Accept-Encoding"] = "identity"
            content = None
            if method == "POST":
                headers["Content-Type"] = FORM
                content = written.encode()
            request = self._build(method, target, headers, content, deadline)
            own = self._is_ours(target)
            response = self._client.send(
                request, stream=True, auth=_auth(self.endpoint) if own else None
            )
            location = response.headers.get("location")
            if response.status_code not in _REDIRECTS or not location:
                return response
            response.close()
            before, target = target, str(httpx.URL(target).join(location))
            if before.startswith("https:") and not target.startswith("https:"):
                raise StoreError(f"{self.where} sends us to {target}, without encryption: refused")
            if method == "POST" and response.status_code == 303:
                method = "GET"
            elif method == "POST" and response.status_code in (301, 308) and self._is_ours(target):
                self._url = target
        raise StoreError(
            f"{self.where} sends us in a circle ({_MOST_REDIRECTS} redirects, the last one to "
            f"{target}): correct the address"
        )

    def _build(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        content: bytes | None,
        deadline: float,
    ) -> httpx.Request:
        left = max(deadline - monotonic(), 0.001)
        connect = min(self.endpoint.connect_timeout, left)
        request = self._client.build_request(
            method,
            target,
            headers=headers,
            content=content,
            timeout=httpx.Timeout(left, connect=connect),
        )
        request.extensions["deadline"] = deadline
        return request

    def _is_ours(self, target: str) -> bool:
        """Whether an address is the endpoint's own server, which may know who we are."""
        ours = {
            (url.host, url.port)
            for url in map(httpx.URL, (self.endpoint.url, self.endpoint.update_url or ""))
        }
        url = httpx.URL(target)
        return (url.host, url.port) in ours

    def _own_headers(self, target: str) -> dict[str, str]:
        if not self._is_ours(target):
            return {}
        return {**_bearer(self.endpoint), **self.endpoint.headers}

    def _read(
        self,
        response: httpx.Response,
        body: Body,
        read: Callable[[httpx.Response, Body], Result],
        name: str,
    ) -> Result:
        self.server = response.headers.get("server", "")
        if response.status_code != 200:
            body.read(_KEPT)
            raise _refused(response, body, self.where, name)
        try:
            return read(response, body)
        except NotResults as error:
            said = words(body.tail)
            if late_words(said):
                raise QueryTimeout(
                    f"{self.where} ran out of time in the middle of the query {name!r}: …{said}"
                ) from error
            if error.ended:
                raise Later(f"{self.where} cut its answer to the query {name!r}") from error
            raise StoreError(
                f"{self.where} gave an answer to the query {name!r} that cannot be read: {error}"
            ) from error

    def _graphs(self) -> list[tuple[str, str]]:
        endpoint = self.endpoint
        return [
            *(("default-graph-uri", graph) for graph in endpoint.graphs),
            *(("named-graph-uri", graph) for graph in endpoint.named_graphs),
        ]

    def close(self) -> None:
        """End all connections; safe to call twice."""
        self._client.close()


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


def _refused(response: httpx.Response, body: Body, where: str, name: str) -> StoreError:
    headers = response.headers
    return refused(
        response.status_code,
        headers.get("content-type", ""),
        body.head,
        where,
        name,
        headers.get("retry-after"),
    )


def _words(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__

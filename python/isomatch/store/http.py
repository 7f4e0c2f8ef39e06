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

if TYPE_CHECKING:
    from tenacity import RetryCallState

Result = TypeVar("Result")

USER_AGENT = f"isomatch/{isomatch.__version__} (python-httpx/{httpx.__version__})"
FORM = "application/x-www-form-urlencoded"
_KEPT = 4096  # bytes of a body's start and end, for messages
_MOST_REDIRECTS = 5
_LONGEST_WAIT = 60.0  # seconds between two attempts


class Body:
    """The body of an answer, read once and within its time.

    Attributes:
        head, tail: its first bytes, and its last so far.
    """

    def __init__(self, response: httpx.Response, check: Callable[[], None]):
        self._chunks: Iterator[bytes] = response.iter_bytes()
        self._check = check
        self._left = b""
        self.head = b""
        self._last: deque[bytes] = deque(maxlen=2)

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes; none at the end."""
        while not self._left:
            chunk = next(self._chunks, None)
            self._check()
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

    Raises:
        ConfigurationError: the file of authorities cannot be read.
    """

    def __init__(self, endpoint: Endpoint, transport: httpx.BaseTransport | None = None):
        self.endpoint = endpoint
        self.where = f"the endpoint {endpoint.url}"
        self.longest_get = 0
        try:
            self._client = httpx.Client(
                auth=_auth(endpoint),
                headers={"User-Agent": USER_AGENT, **_bearer(endpoint), **endpoint.headers},
                limits=httpx.Limits(max_connections=endpoint.requests_at_a_time),
                proxy=endpoint.proxy,
                verify=str(endpoint.verify)
                if not isinstance(endpoint.verify, bool)
                else endpoint.verify,
                transport=transport,
            )
        except (OSError, ValueError) as error:
            raise ConfigurationError(
                f"{self.where} cannot be asked with verify = {str(endpoint.verify)!r}: {error}"
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

    def _once(
        self,
        form: list[tuple[str, str]],
        read: Callable[[httpx.Response, Body], Result],
        accept: str,
        name: str,
        limit: float,
        deadline: float,
    ) -> Result:
        late = QueryTimeout(f"{self.where} took more than {limit:.3g} s for the query {name!r}")

        def check() -> None:
            if monotonic() > deadline:
                raise late

        left = max(deadline - monotonic(), 0.001)
        connect = min(self.endpoint.connect_timeout, left)
        request = self._request(form, accept, httpx.Timeout(left, connect=connect))
        try:
            response = self._client.send(request, stream=True)
            try:
                return self._read(response, Body(response, check), read, name)
            finally:
                response.close()
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise late from error
        except httpx.ConnectTimeout as error:
            raise Later(f"{self.where} takes no connection: none in {connect:.3g} s") from error
        except httpx.TransportError as error:
            raise Later(f"{self.where} cannot be reached: {_words(error)}") from error
        except httpx.HTTPError as error:
            raise StoreError(f"{self.where} answered nonsense: {_words(error)}") from error

    def _read(
        self,
        response: httpx.Response,
        body: Body,
        read: Callable[[httpx.Response, Body], Result],
        name: str,
    ) -> Result:
        content_type = response.headers.get("content-type", "")
        if response.status_code != 200:
            body.read(_KEPT)
            raise refused(
                response.status_code,
                content_type,
                body.head,
                self.where,
                name,
                response.headers.get("retry-after"),
            )
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

    def _request(
        self, form: list[tuple[str, str]], accept: str, timeout: httpx.Timeout
    ) -> httpx.Request:
        headers = {"Accept": accept}
        written = urlencode(form)
        url = self.endpoint.url
        address = f"{url}{'&' if '?' in url else '?'}{written}"
        if len(address) <= self.longest_get:
            return self._client.build_request("GET", address, headers=headers, timeout=timeout)
        headers["Content-Type"] = FORM
        return self._client.build_request(
            "POST", url, content=written.encode(), headers=headers, timeout=timeout
        )

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


def _words(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__

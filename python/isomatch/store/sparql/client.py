"""The SPARQL protocol over HTTP: one query at a time, sent again where that may help.

httpx and not SPARQLWrapper: that one opens a connection for every request through
urllib, reads whole bodies, and has one time-out for everything.
"""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import httpx

from isomatch import cancel
from isomatch.errors import ConfigurationError, NotAllowed, QueryRefused, QueryTimeout, StoreError
from isomatch.retry import Deadline, policy
from isomatch.retry import retry_after as seconds_of
from isomatch.settings.endpoint import Endpoint
from isomatch.store.sparql.http_client import HttpClient
from isomatch.store.sparql.json_results import NotResults

NO_ENDPOINT = "Is this the address of the endpoint? It often ends in /sparql"

_MOST_WORDS = 400
_TIMEOUT = re.compile(
    r"time[ds]?[ -]?out|took too long|estimated execution time|time limit|deadline exceeded",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"too (?:long|large)|too many lines|exceeds? the (?:limit|maximum)", re.I)


class TemporaryError(StoreError):
    """The endpoint did not answer this time; it may the next. Private to the store.

    Attributes:
        after: seconds that it asks to wait; None where it does not say.
    """

    def __init__(self, message: str, after: float | None = None):
        super().__init__(message)
        self.after = after


class TooLong(QueryRefused):
    """The query is longer than the endpoint takes."""


def refused(
    status: int, content_type: str, body: bytes, where: str, query: str, retry_after: str | None
) -> StoreError:
    """The error for an answer with a status of failure."""
    if b'"bindings"' in body:
        return QueryTimeout(f"{where} broke off its answer to the query {query!r} ({status})")
    message = words(body, content_type)
    detail = f": {message}" if message else ""
    if status in (401, 403, 407):
        return NotAllowed(
            f"{where} does not let us in ({status}{detail}). Set ISOMATCH_ENDPOINT_USERNAME and "
            "ISOMATCH_ENDPOINT_PASSWORD, or ISOMATCH_ENDPOINT_TOKEN"
        )
    if status in (408, 504) or (status >= 400 and _TIMEOUT.search(message)):
        return QueryTimeout(f"{where} ran out of time for the query {query!r} ({status}{detail})")
    if status in (429, 502, 503):
        return TemporaryError(f"{where} is too busy ({status}{detail})", seconds_of(retry_after))
    if status in (413, 414, 431) or (status == 400 and _TOO_LONG.search(message)):
        return TooLong(f"{where} does not take a query as long as {query!r} ({status}{detail})")
    if status in (404, 410):
        return StoreError(
            f"{where} answered that nothing is there ({status}{detail}). {NO_ENDPOINT}"
        )
    return QueryRefused(f"{where} refused the query {query!r} ({status}{detail})")


def tells_timeout(text: str) -> bool:
    """Whether words of a server tell of a time-out."""
    return _TIMEOUT.search(text) is not None


def words(body: bytes, content_type: str = "") -> str:
    """What a body says to people, on one line: without markup, stack or query.

    Example:
        >>> words(b"<html><title>503</title><body><h1>Down</h1> for a day</body>", "text/html")
        '503 Down for a day'
    """
    text = body.decode("utf-8", "replace")
    if "html" in content_type.lower() or text.lstrip()[:1] == "<":
        text = re.sub(r"(?is)<(script|style)\b.*?(</\1>|$)|<!--.*?-->", " ", text)
        text = html.unescape(re.sub(r"<[^>]*(>|$)", " ", text))
    elif found := re.search(
        r'"(?:message|exception|error|detail|reason)"\s*:\s*"((?:[^"\\]|\\.)*)', text
    ):
        text = found[1].replace('\\"', '"').replace("\\n", "\n")
    # A stack trace says nothing to people, and the query is ours.
    text = re.split(r"\n\s*at [\w.$]+\(|\n\s*SPARQL query:", text)[0]
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= _MOST_WORDS else text[:_MOST_WORDS].rstrip() + " …"


Result = TypeVar("Result")
_Sent = tuple[
    "list[tuple[str, str]]", "Callable[[httpx.Response, Body], Result]", str, str, Deadline
]

_KEPT = 4096  # bytes of a body's start and end, for messages
_LAST = 400  # of these, what may be an error behind some rows
_LONGEST_WAIT = 60.0  # seconds between two attempts


class Body:
    """The body of an answer, read once.

    Attributes:
        head: its first bytes.
    """

    def __init__(self, response: httpx.Response):
        stream = response.stream
        # The same bytes; servers send many small chunks, and httpx is slow at each.
        plain = "content-encoding" not in response.headers
        self._chunks: Iterator[bytes] = (
            iter(stream)
            if plain and isinstance(stream, httpx.SyncByteStream)
            else response.iter_bytes()
        )
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
        """The last bytes that have come so far."""
        return b"".join(self._last)[-_KEPT:]


class EndpointClient:
    """The requests to one endpoint, by any number of threads.

    Args:
        endpoint: where, and how to be let in.
        transport: in place of the network.

    Attributes:
        where: the endpoint in words, for messages.
        server: what the server called itself in its last answer (``Server``).

    Raises:
        ConfigurationError: the file of authorities cannot be read.
    """

    def __init__(self, endpoint: Endpoint, transport: httpx.BaseTransport | None = None):
        self.endpoint = endpoint
        self.where = f"the endpoint {endpoint.url}"
        self.server = ""
        self._http = HttpClient(endpoint, transport)
        self._answered = False

    def ask(
        self,
        text: str,
        read: Callable[[httpx.Response, Body], Result],
        *,
        accept: str,
        name: str,
        timeout: float | None = None,
        parameters: Mapping[str, str] | None = None,
        every_graph: bool = False,
    ) -> Result:
        """Send a query, and read what it gives.

        Args:
            text: the query.
            read: makes the result of a good answer. Where it raises `NotResults`, for a
                body that ended too early, the query is sent again.
            accept: media types of good answers.
            name: of the query, for messages.
            timeout: seconds in all, attempts and waits included.
            parameters: of the protocol, besides the query and its graphs.
            every_graph: leave the endpoint's settings of graphs out.

        Raises:
            QueryTimeout: the time ran out, here or there.
            StoreError: the endpoint refused or failed, with its own words.
            SearchCancelled: the search was; the connection is ended.
        """
        cancel.check()
        endpoint = self.endpoint
        deadline = Deadline.after(endpoint.timeout if timeout is None else timeout)
        form = [("query", text), *(parameters or {}).items()]
        if not every_graph:
            form += [("default-graph-uri", graph) for graph in endpoint.graphs]
            form += [("named-graph-uri", graph) for graph in endpoint.named_graphs]
        sent = (form, read, accept, name, deadline)
        try:
            return self._tried(sent)
        except httpx.TimeoutException as error:
            raise QueryTimeout(
                f"{self.where} took more than {deadline.seconds:.3g} s for the query {name!r}"
            ) from error
        except TemporaryError as error:
            asked = f"; it asks to wait {error.after:.0f} s" if error.after else ""
            raise StoreError(f"{error}{asked}. Try again later") from error

    def _tried(self, sent: _Sent[Result]) -> Result:
        """Send once, and again where that may help."""
        try:
            return self._once(*sent)
        except TemporaryError as error:
            first = error
        from tenacity import Retrying

        endpoint, deadline = self.endpoint, sent[-1]
        retries = policy(
            lambda error: isinstance(error, TemporaryError),
            attempts=endpoint.retries + 1,
            deadline=deadline,
            back_off=endpoint.back_off,
            longest=_LONGEST_WAIT,
            longest_asked=_LONGEST_WAIT,
            asked=lambda error: error.after if isinstance(error, TemporaryError) else None,
        )
        failed = [first]

        def again() -> Result:
            if failed:  # the first attempt, which is over
                raise failed.pop()
            return self._once(*sent)

        retrying = Retrying(**retries, sleep=cancel.sleep)
        result: Result = retrying(again)
        return result

    def _once(
        self,
        form: list[tuple[str, str]],
        read: Callable[[httpx.Response, Body], Result],
        accept: str,
        name: str,
        deadline: Deadline,
    ) -> Result:
        try:
            response = self._http.query(form, accept, deadline)
            try:
                result = self._read(response, Body(response), read, name)
            finally:
                response.close()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            # Before the first answer a server that is not there is the likelier case.
            kind = TemporaryError if self._answered else StoreError
            fix = "Check that it runs, and its address"
            raise kind(f"{self.where} cannot be reached: {_words(error)}. {fix}") from error
        except httpx.TimeoutException:
            raise
        except httpx.LocalProtocolError:
            raise self._unsendable() from None
        except (httpx.NetworkError, httpx.ProtocolError) as error:
            raise TemporaryError(f"{self.where} broke the connection: {_words(error)}") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StoreError(
                f"{self.where} sent what is no answer of HTTP: {_words(error)}"
            ) from error
        self._answered = True
        return result

    def _read(
        self,
        response: httpx.Response,
        body: Body,
        read: Callable[[httpx.Response, Body], Result],
        name: str,
    ) -> Result:
        self.server = response.headers.get("server", "")
        if response.status_code != 200:
            raise _refused(response, body, self.where, name)
        try:
            return read(response, body)
        except NotResults as error:
            last = words(body.tail[-_LAST:])
            if tells_timeout(last):
                raise QueryTimeout(
                    f"{self.where} ran out of time in the middle of the query {name!r}: …{last}"
                ) from error
            if error.ended:
                raise TemporaryError(
                    f"{self.where} cut its answer to the query {name!r}"
                ) from error
            said = "" if b"bindings" in body.head else words(body.head)
            raise StoreError(
                f"{self.where} gave an answer to the query {name!r} that cannot be read: {error}"
                f"{f' ({said})' if said else ''}"
            ) from error

    def update(self, text: str) -> None:
        """Send an update, once: one that failed half-way may be done already.

        Raises:
            ConfigurationError: the endpoint has no address for updates.
            StoreError: the endpoint refused or failed, with its own words.
        """
        url = self.endpoint.update_url
        if url is None:
            raise ConfigurationError(
                f"{self.where} has no address for updates: set update_url in isomatch.toml"
            )
        limit = self.endpoint.timeout
        try:
            response = self._http.update(url, text, Deadline.after(limit))
            try:
                if response.status_code not in (200, 201, 202, 204):
                    raise _refused(response, Body(response), f"the endpoint {url}", "update")
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise QueryTimeout(
                f"the endpoint {url} took more than {limit:.3g} s for an update, which may be "
                "done or not"
            ) from error
        except httpx.LocalProtocolError:
            raise self._unsendable() from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StoreError(f"the endpoint {url} failed on an update: {_words(error)}") from error

    def _unsendable(self) -> ConfigurationError:
        """Without the words of the cause: they hold what was to be sent, which may be secret."""
        return ConfigurationError(
            f"{self.where} cannot be sent what is set for it: correct its headers, token, "
            "username or password"
        )

    def close(self) -> None:
        """End all connections; safe to call twice."""
        self._http.close()


def _refused(response: httpx.Response, body: Body, where: str, name: str) -> StoreError:
    while len(body.head) < _KEPT and body.read():
        pass
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

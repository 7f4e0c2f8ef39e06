"""What goes over HTTP to a SPARQL endpoint, and how long the engine takes for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from urllib.parse import parse_qsl, urlsplit

import httpx

from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Query, Row
from isomatch.store.sparql import SparqlStore

SEARCH = ("find", "match", "probe", "brute", "incidence")  # queries of the match stage


class Wire(httpx.BaseTransport):
    """The network, with what was sent.

    Attributes:
        keeps: whether requests are kept.
        requests: in the order of sending.
        names: of the queries that the requests are for, see `WatchedStore`.
        asking: name of the query that is being asked.
    """

    def __init__(self) -> None:
        self.keeps = False
        self.requests: list[httpx.Request] = []
        self.names: list[str] = []
        self.asking = ""
        self._network = httpx.HTTPTransport()

    @property
    def queries(self) -> list[str]:
        """The texts that were sent."""
        forms = (r.content.decode() or urlsplit(str(r.url)).query for r in self.requests)
        return [dict(parse_qsl(form)).get("query", "") for form in forms]

    @property
    def of_search(self) -> list[str]:
        """Those of the texts that the match stage sent."""
        named = zip(self.names, self.queries, strict=True)
        return [text for name, text in named if name in SEARCH]

    def clear(self) -> None:
        """Forget what was kept."""
        self.requests.clear()
        self.names.clear()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See `httpx.BaseTransport`."""
        if self.keeps:
            self.requests.append(request)
            self.names.append(self.asking)
        return self._network.handle_request(request)

    def close(self) -> None:
        """See `httpx.BaseTransport`."""
        self._network.close()


class WatchedStore(SparqlStore):
    """A store that tells the wire what it asks; for one thread."""

    def __init__(self, endpoint: Endpoint, wire: Wire):
        super().__init__(endpoint, transport=wire)
        self._wire = wire

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `SparqlStore.run`, which has all rows when it returns."""
        self._wire.asking = query.name
        return super().run(query, timeout=timeout)


class Raw:
    """Queries sent by httpx alone, their answers read and thrown away.

    Args:
        url: where queries go.
        parameters: of the protocol, such as the graphs.
    """

    def __init__(self, url: str, parameters: Sequence[tuple[str, str]] = ()):
        self._url = url
        self._parameters = dict(parameters)
        self._client = httpx.Client(timeout=60.0)

    def engine(self, queries: Sequence[str]) -> float:
        """Milliseconds that the engine takes for some queries.

        What sending them takes, less what sending as many empty ones takes.
        """
        return self.sent(queries) - self.sent(["ASK {}"] * len(queries))

    def sent(self, queries: Sequence[str]) -> float:
        """Milliseconds from the first request to the last answer, on a kept connection."""
        started = perf_counter()
        for query in queries:
            self._client.post(
                self._url,
                data={**self._parameters, "query": query},
                headers={"Accept": "application/sparql-results+json"},
            ).raise_for_status()
        return (perf_counter() - started) * 1e3

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

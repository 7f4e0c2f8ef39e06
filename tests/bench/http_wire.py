"""What goes over HTTP to a SPARQL endpoint, and how long the engine takes for it."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from urllib.parse import parse_qsl, urlsplit

import httpx


class Wire(httpx.BaseTransport):
    """The network, with what was sent.

    Attributes:
        keeps: whether requests are kept.
        requests: in the order of sending; clear it when you like.
    """

    def __init__(self) -> None:
        self.keeps = False
        self.requests: list[httpx.Request] = []
        self._network = httpx.HTTPTransport()

    @property
    def queries(self) -> list[str]:
        """The texts that were sent."""
        forms = (r.content.decode() or urlsplit(str(r.url)).query for r in self.requests)
        return [dict(parse_qsl(form)).get("query", "") for form in forms]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See `httpx.BaseTransport`."""
        if self.keeps:
            self.requests.append(request)
        return self._network.handle_request(request)

    def close(self) -> None:
        """See `httpx.BaseTransport`."""
        self._network.close()


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
        return self._sent(queries) - self._sent(["ASK {}"] * len(queries))

    def _sent(self, queries: Sequence[str]) -> float:
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

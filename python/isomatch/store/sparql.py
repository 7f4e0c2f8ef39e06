"""A SPARQL endpoint over HTTP: the database of the user, only ever read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from time import monotonic
from typing import Any

import httpx
from pydantic import ValidationError

from isomatch.compile.sparql import SparqlDialect
from isomatch.errors import ConfigurationError, StoreError
from isomatch.store import results
from isomatch.store.base import Query, Row, Store, StoreInfo
from isomatch.store.endpoint import Endpoint
from isomatch.store.http import Body, Http
from isomatch.store.http_errors import words
from isomatch.store.profile import Profile

_COUNTED_FOR = 60.0  # seconds that a number of triples is taken for the present one


class SparqlStore(Store):
    """An endpoint of the SPARQL 1.1 protocol.

    All rows of an answer are there before the first is given, so that nothing partial
    ever is. Many threads may use one store at once.

    Args:
        endpoint: where, and how to be let in.
        profile: what it can do; None asks it, when that is first needed.
        transport: in place of the network.

    Raises:
        ConfigurationError: the endpoint's settings cannot be used.

    Example:
        >>> with SparqlStore.connect("https://my.example/sparql") as store:  # doctest: +SKIP
        ...     print(store.describe())
    """

    def __init__(
        self,
        endpoint: Endpoint,
        profile: Profile | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
    ):
        self.endpoint = endpoint
        self._http = Http(endpoint, transport)
        self._given = profile
        self._counted: tuple[float, int | None] | None = None

    @classmethod
    def connect(cls, url: str, *, profile: Profile | None = None, **settings: Any) -> SparqlStore:
        """The endpoint at an address; see that it answers.

        Args:
            url: where queries go.
            profile: see the class.
            settings: fields of `Endpoint`.

        Raises:
            ConfigurationError: a setting is unknown or of the wrong form.
            StoreError: nothing answers there, or no SPARQL endpoint.
        """
        try:
            endpoint = Endpoint(url=url, **settings)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"]))
            raise ConfigurationError(
                f"the endpoint's {key or 'settings'}: {first['msg']}"
            ) from error
        store = cls(endpoint, profile)
        try:
            list(store.run(Query("ASK {}", (), name="hello")))
        except BaseException:
            store.close()
            raise
        return store

    @cached_property
    def profile(self) -> Profile:
        """What the endpoint can do; asked once.

        Raises:
            StoreError: it does not answer.
        """
        return self._given or Profile()

    @cached_property
    def dialect(self) -> SparqlDialect:  # type: ignore[override]
        """The endpoint's SPARQL."""
        return SparqlDialect()

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `Store.run`.

        An ``ASK`` gives one row, ("true",) or ("false",). Parameters, which the
        protocol has none of, become a block of ``VALUES`` at the end of the text.
        """
        rows = self._rows(query, with_values(query, self.dialect), timeout)
        return iter(rows)

    def _rows(self, query: Query, text: str, timeout: float | None) -> list[Row]:
        format = self.endpoint.format or "json"
        if not query.columns and format in ("tsv", "csv"):  # they have no form for an ASK
            format = "json"

        def read(response: httpx.Response, body: Body) -> list[Row]:
            content_type = response.headers.get("content-type", "")
            found = results.format_of(content_type)
            if found is None:
                body.read(4096)
                raise StoreError(
                    f"{self._http.where} answered with {content_type or 'no content type'} in "
                    f"place of results: {words(body.head, content_type)}"
                )
            return results.read(query, found, body)

        return self._http.ask(
            text, read, accept=results.ACCEPT[format], name=query.name, timeout=timeout
        )

    def describe(self) -> StoreInfo:
        """See `Store.describe`; the triples where they are counted fast."""
        profile = self.profile
        return StoreInfo(
            kind=f"SPARQL endpoint ({profile.engine})",
            location=self.endpoint.url,
            version=profile.version,
            triples=self._triples() if profile.cheap_counts else None,
        )

    def identity(self) -> str:
        """See `Store.identity`: the address and the graphs, whatever is written to them."""
        return self.endpoint.identity

    def fingerprint(self) -> str:
        """See `Store.fingerprint`.

        Of the address, the graphs, and the number of triples where that is counted
        fast; asked at most once a minute.
        """
        count = self._triples() if self.profile.cheap_counts else None
        return hashlib.sha256(f"{self.endpoint.identity} {count}".encode()).hexdigest()[:32]

    def _triples(self) -> int | None:
        kept = self._counted
        if kept is None or monotonic() - kept[0] > _COUNTED_FOR:
            [(count,)] = self.run(self._query("triples", ("triples",)))
            kept = self._counted = (monotonic(), int(count or 0))
        return kept[1]

    def _query(self, name: str, columns: tuple[str, ...], **values: Any) -> Query:
        text = self.dialect.render(f"store/{name}.rq.j2", **values)
        return Query(text, columns, name=name)

    def close(self) -> None:
        """See `Store.close`."""
        self._http.close()


def with_values(query: Query, dialect: SparqlDialect) -> str:
    """The text of a query with its parameters as a block of ``VALUES`` at its end.

    Raises:
        ValueError: a parameter is no term, or a blank node (no query can name one).
    """
    if not query.parameters:
        return query.text
    block = dialect.render("store/values.rq.j2", parameters=dict(query.parameters))
    return f"{query.text.rstrip()}\n{block}"

"""A SPARQL endpoint over HTTP: the database of the user, only ever read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import inf
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Any

import httpx

from isomatch.errors import QueryRefused, QueryTimeout, StoreError
from isomatch.retry import Deadline
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import GraphState, Query, Row, StoreInfo, Triple
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.cells import whole_year
from isomatch.store.profile import Profile, in_blocks, load_profile, save_profile
from isomatch.store.rdf import RdfStore, store_query
from isomatch.store.sparql import results
from isomatch.store.sparql.client import NO_ENDPOINT, Body, EndpointClient, words
from isomatch.store.sparql.facts import Along, stored
from isomatch.store.sparql.paging import STABLE_BLANKS, counting, limit_of, paged
from isomatch.store.sparql.probe import SECONDS, ask_profile

_COUNTED_FOR = 60.0  # seconds that a number of triples is taken for the present one
_AT_ONCE = 0.02  # seconds in which a count is fast enough for every search,
_SHARE = 20  # and of a slower one, how many times as long it is taken for the present one
# How to tell an engine when to stop: the parameter, and its value for so many seconds.
# Virtuoso then sends what it has, and says so (see `_whole`).
_TIMEOUTS = {
    "virtuoso": ("timeout", lambda seconds: str(max(1000, round(seconds * 1000)))),
    "blazegraph": ("timeout", lambda seconds: str(max(1, round(seconds)))),
    "graphdb": ("timeout", lambda seconds: str(max(1, round(seconds)))),
    "qlever": ("timeout", lambda seconds: f"{max(1, round(seconds))}s"),
    "stardog": ("timeout", lambda seconds: str(max(1, round(seconds * 1000)))),
}


class SparqlStore(RdfStore):
    """An endpoint of the SPARQL 1.1 protocol.

    All rows of an answer are there before the first is given, so that nothing partial
    ever is. Many threads may use one store at once.

    Args:
        endpoint: where, and how to be let in.
        profile: what it can do; None reads the file, or asks it, when that is
            first needed.
        profile_path: file that caches the profile; None keeps it in memory.
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
        profile_path: Path | None = None,
        transport: httpx.BaseTransport | None = None,
    ):
        self.endpoint = endpoint
        self._client = EndpointClient(endpoint, transport)
        self._profile = None if profile is None else profile.of(endpoint)
        self._profile_path = profile_path
        self._asking = Lock()
        self._counted: tuple[float, int, float] | None = None
        # Learned by the answers, beyond what the profile says.
        self._seen = 0
        self._cap: int | None = None
        self._learning = Lock()
        self._waiting = _Waiting()

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
        store = cls(Endpoint.of(url, **settings), profile)
        try:
            _ = store.profile
        except BaseException:
            store.close()
            raise
        return store

    @property
    def profile(self) -> Profile:
        """What the endpoint can do; asked once.

        Raises:
            StoreError: it does not answer.
        """
        if self._profile is None:
            with self._asking:
                if self._profile is None:
                    self._profile = self._find_profile()
        return self._profile

    def _find_profile(self) -> Profile:
        if self._profile_path and (found := load_profile(self._profile_path, self.endpoint)):
            return found
        found = ask_profile(self)
        if self._profile_path:
            save_profile(self._profile_path, self.endpoint, found)
        return found

    def look_again(self) -> None:
        """See `Store.look_again`; of a profile that another process has saved."""
        kept = self.profile
        with self._asking:
            if self._profile is kept and kept.asked is not None and not kept.cheap_counts:
                self._profile = ask_profile(self)
                self.__dict__.pop("capabilities", None)
                if self._profile_path:
                    save_profile(self._profile_path, self.endpoint, self._profile)

    @cached_property
    def capabilities(self) -> StoreCapabilities:
        """See `Store.capabilities`; asked of the endpoint once."""
        return StoreCapabilities(
            language="sparql",
            engine=self.profile.engine,
            same_as=self.profile.engine != "virtuoso",  # its templates do not follow owl:sameAs
            batched=True,
            inline=True,
            content_fingerprint=False,
            longest_query=self.profile.longest_query,
            # Virtuoso 7 is slow at queries of many parts, and wrong with literals in some.
            along=self.profile.engine != "virtuoso",
            stable_blanks=self.profile.engine in STABLE_BLANKS,
        )

    @property
    def server(self) -> str:
        """What the server called itself in its last answer (``Server``)."""
        return self._client.server

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `Store.run`.

        An ``ASK`` gives one row, ("true",) or ("false",). Parameters, which the
        protocol has none of, become a block of ``VALUES`` in the text. No
        query takes longer than the endpoint's own setting, whatever ``timeout`` is. An
        answer that the endpoint cuts is read by pages, and has each row once.
        """
        if (waiting := self._waiting.taken()) is not None:
            rows = self._together(waiting, query, timeout)
            if rows is not None:
                return iter(rows)
        text = self._text(query)
        deadline = Deadline.after(min(self.endpoint.timeout, inf if timeout is None else timeout))
        rows = self._ask(query, text, deadline.seconds)
        if not query.columns or self._whole(query, text, rows, deadline):
            return iter(rows)
        return iter(self._pages(query, text, len(rows), deadline))

    @contextmanager
    def along(self, query: Query) -> Iterator[Callable[[], list[Row]]]:
        own = Along(query)
        self._waiting.one = own
        try:
            yield lambda: list(self.run(query)) if own.rows is None else own.rows
        finally:
            self._waiting.one = None

    def _together(self, waiting: Along, query: Query, timeout: float | None) -> list[Row] | None:
        """Ask a query and the one that waits at once; None where that does not work."""
        # How many ids a query may list is known, but not how many both do.
        joined = waiting.joined(query, self.profile.longest_query // 2)
        if joined is None:
            return None
        try:
            rows = list(self.run(joined, timeout=timeout))
        except QueryRefused:  # it may take them one by one
            return None
        return waiting.split(query, joined, rows)

    def _left(self, query: Query, deadline: Deadline) -> float:
        """Seconds that are left for a query; QueryTimeout where none are."""
        if (left := deadline.left) <= 0:
            raise QueryTimeout(
                f"{self._client.where} took more than {deadline.seconds:.3g} s for the query "
                f"{query.name!r}"
            )
        return left

    def _whole(self, query: Query, text: str, rows: list[Row], deadline: Deadline) -> bool:
        """Whether an answer is not cut: it is short, or as long as the query wants or has."""
        size = len(rows)
        if size == limit_of(query.text):
            return True
        caps = [cap for cap in (self._cap, self.profile.row_cap) if cap is not None]
        if caps:
            return size < min(caps)
        if size < max(self._seen, self.profile.rows):
            return True
        self._seen = max(self._seen, size)
        asked = store_query("count", ("n",), **counting(text))
        try:
            [(count,)] = self._ask(asked, asked.text, self._left(query, deadline))
            return int(count or 0) <= size
        except QueryTimeout:
            raise
        except (StoreError, ValueError):
            return False

    def _pages(self, query: Query, text: str, size: int, deadline: Deadline) -> list[Row]:
        engine = self.profile.engine
        before = size

        def ask(values: dict[str, Any]) -> list[Row]:
            nonlocal before
            page = store_query("page", query.columns, nested=engine == "virtuoso", **values)
            # What the first text computes is a plain column of this one.
            rows = self._ask(query, page.text, self._left(query, deadline))
            if rows and (before < size or values["offset"] >= size):  # the one before was cut
                self._learn(before)
            before = len(rows)
            return rows

        def written(values: dict[str, Any]) -> int:
            asked = store_query("written", ("n",), **values)
            [(count,)] = self._ask(asked, asked.text, self._left(query, deadline))
            return int(count or 0)

        return paged(query, text, size, ask, engine in STABLE_BLANKS, written)

    def _learn(self, cap: int) -> None:
        """Remember that an answer was cut at so many rows."""
        with self._learning:
            self._cap = cap if self._cap is None else min(cap, self._cap)

    def probe(self, template: str, columns: tuple[str, ...], **values: Any) -> list[Row]:
        """The rows of one answer as it comes, by a template of ``store``."""
        query = store_query(template, columns, **values)
        return self._ask(query, query.text, min(SECONDS, self.endpoint.timeout))

    def _ask(self, query: Query, text: str, seconds: float) -> list[Row]:
        format = self.endpoint.format or "json"
        if not query.columns and format in ("tsv", "csv"):  # they have no form for an ASK
            format = "json"
        timeout = _TIMEOUTS.get(self._profile.engine if self._profile else "")

        def read(response: httpx.Response, body: Body) -> list[Row]:
            rows = results.read(query, self._format(response, body, query), body, limit_of(text))
            if self._profile and self._profile.engine == "virtuoso":
                rows = [tuple(map(whole_year, row)) for row in rows]
            if response.headers.get("x-sparql-maxrows") == str(len(rows)):
                self._learn(len(rows))  # Virtuoso says so where it has cut
            return rows

        return self._client.ask(
            text,
            read,
            accept=results.ACCEPT[format],
            name=query.name,
            timeout=seconds,
            parameters={timeout[0]: timeout[1](seconds)} if timeout else {},
            every_graph=query.names_graphs,
        )

    def _format(self, response: httpx.Response, body: Body, query: Query) -> str:
        """The format of an answer that has results, and all of them.

        Raises:
            StoreError: it has not.
        """
        headers, where = response.headers, self._client.where
        if headers.get("x-sql-state") == "S1TAT":  # Virtuoso's "anytime" queries
            raise QueryTimeout(f"{where} ran out of time for the query {query.name!r}")
        content_type = headers.get("content-type", "")
        format = results.format_of(content_type)
        if format is None:
            body.read(4096)
            raise StoreError(
                f"{where} answered with {content_type or 'no content type'} in place of results "
                f"(query {query.name!r}): "
                f"{words(body.head, content_type) or 'nothing'}"
                f"{'. ' + NO_ENDPOINT if 'html' in content_type else ''}"
            )
        framed = "content-length" in headers or "chunked" in headers.get("transfer-encoding", "")
        if format in ("tsv", "csv") and not framed:
            raise StoreError(
                f"{where} does not say how long its {format.upper()} is, so a part of it could be "
                "missing and nobody would know: take another format"
            )
        return format

    def _text(self, query: Query) -> str:
        """The text of a query with its parameters as the first block of its pattern.

        At the end of a query, where SPARQL has a place for it too, Virtuoso knows only
        variables that are selected.
        """
        if not query.parameters:
            return query.text
        block = self.render("store/values.rq.j2", parameters=dict(query.parameters))
        return query.text.replace("{", "{ " + block.strip(), 1)

    def stored(self, triples: Sequence[Triple]) -> set[Triple]:
        """See `Store.stored`, and for blank nodes `isomatch.store.sparql.facts`."""
        return stored(self.run, self.profile, triples)

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """See `Store.incidence`; in as many queries as the endpoint's limits want."""
        deadline = Deadline.after(timeout)
        found: set[tuple[str, str]] = set()
        for some in in_blocks(self.profile, [(relation,) for relation in relations], share=2):
            names = [relation for (relation,) in some]
            for part in in_blocks(self.profile, [(node,) for node in nodes], share=2):
                left = None if timeout is None else max(deadline.left, 0.001)
                found |= super().incidence([node for (node,) in part], names, timeout=left)
        return found

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

    def state(self) -> GraphState | None:
        """See `Store.state`: the number of triples, where it is counted fast.

        A change that keeps the number is not seen.
        """
        if not self.profile.cheap_counts:
            return None
        if self._counted is not None:
            at, _, took = self._counted
            if took < _AT_ONCE or monotonic() - at > took * _SHARE:
                self._counted = None
        return GraphState(f"{self._triples()} triples", whole=False)

    def _triples(self) -> int:
        counted = self._counted
        if counted is None or monotonic() - counted[0] > _COUNTED_FOR:
            started = monotonic()
            [(count,)] = self.run(store_query("triples", ("triples",)))
            done = monotonic()
            counted = self._counted = (done, int(count or 0), done - started)
        return counted[1]

    def update(self, text: str) -> None:
        """Send an update; only ``isomatch migrate`` does.

        Raises:
            ConfigurationError: the endpoint has no address for updates.
            StoreError: the endpoint refused or failed, with its own words.
        """
        self._client.update(text)

    def close(self) -> None:
        self._client.close()


class _Waiting(local):
    """The query of this thread that waits for another one."""

    one: Along | None = None

    def taken(self) -> Along | None:
        """The query, which then waits no more."""
        taken, self.one = self.one, None
        return taken

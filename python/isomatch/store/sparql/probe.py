"""Find out what a SPARQL endpoint can do, by a few cheap questions to it.

Most of them need none of its data. A question that is refused is answered with no. One that
takes too long is not: sizes are then the small ones, which hold in any case, and what the
engine and its text search are has no answer, which is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from isomatch.errors import QueryTimeout, StoreError
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Row
from isomatch.store.profile import Profile

T = TypeVar("T")

ROWS = 10_001  # one more than Virtuoso gives where nobody changed that
BLOCKS = (1000, 200, 40)
SECONDS = 10.0  # for one question
FAST = 2.0  # seconds in which all triples are counted where that is cheap

# In the header ``Server``; the first that is found counts.
_SERVERS = (
    ("virtuoso", r"virtuoso/([\w.]+)"),
    ("fuseki", r"fuseki[ /(]*([\w.\-]*)"),
    ("oxigraph", r"oxigraph[ /]*([\w.\-]*)"),
    ("graphdb", r"graphdb[\w\-]*[ /]*([\w.\-]*)"),
    ("stardog", r"stardog[ /]*([\w.\-]*)"),
    ("blazegraph", r"blazegraph[ /]*([\w.\-]*)"),
    ("qlever", r"qlever[ /]*([\w.\-]*)"),
    ("rdflib", r"rdflib[\w\-]*[ /]*([\w.\-]*)"),
)
# In the address, where a proxy hides the server's name.
_ADDRESSES = (
    ("qlever", r"qlever"),
    ("blazegraph", r"//query\.wikidata\.org/|/bigdata/|/blazegraph/|/namespace/[^/]+/sparql"),
    ("graphdb", r"/repositories/[^/]+$"),
    ("virtuoso", r"//dbpedia\.org/"),
)
# Queries that only one engine understands the way that these want it.
_RECOGNISABLE = ("fuseki", "blazegraph")


class EndpointQueries(Protocol):
    """What `isomatch.store.sparql.SparqlStore` offers to find out its profile."""

    endpoint: Endpoint

    @property
    def server(self) -> str:
        """The last answer's header ``Server``."""

    def probe(self, template: str, columns: tuple[str, ...], **values: object) -> list[Row]:
        """The rows of one answer, as it comes."""


def ask_profile(store: EndpointQueries) -> Profile:
    """What an endpoint can do, in about eight requests.

    Raises:
        QueryTimeout: it is too slow to tell what it is.
        StoreError: it answers none at all.
    """
    store.probe("hello", ("s",))
    engine, version = _engine(store)
    rows, cap = _rows(store)
    block, longest = _block(store)
    return Profile(
        engine=engine,
        version=version,
        rows=rows,
        row_cap=cap,
        longest_query=longest,
        values_block=block,
        cheap_counts=_cheap_counts(store),
        text_search=store.endpoint.text_search
        or _in_time("text_search", lambda: _text_search(store, engine)),
    ).of(store.endpoint)


def engine_of(server: str, url: str) -> tuple[str, str]:
    """(engine, version) by a ``Server`` header and an address.

    Example:
        >>> engine_of("Apache Jena Fuseki (5.5.0)", "http://localhost/ds")
        ('fuseki', '5.5.0')
    """
    for engine, mark in _SERVERS:
        if found := re.search(mark, server, re.IGNORECASE):
            return engine, found[1]
    for engine, mark in _ADDRESSES:
        if re.search(mark, url, re.IGNORECASE):
            return engine, ""
    return "unknown", ""


def _engine(store: EndpointQueries) -> tuple[str, str]:
    engine, version = engine_of(store.server, store.endpoint.url)
    if store.endpoint.engine is not None:
        return store.endpoint.engine, version if engine == store.endpoint.engine else ""
    if engine != "unknown":
        return engine, version
    for name in _RECOGNISABLE:
        if _in_time("engine", lambda: _works(lambda: store.probe(f"is_{name}", ("x",))[0][0])):  # noqa: B023
            return name, ""
    return engine, version


def _rows(store: EndpointQueries) -> tuple[int, int | None]:
    """Rows that one answer was seen to hold, and its limit where it had fewer than asked."""
    if store.endpoint.row_cap is not None:
        return store.endpoint.row_cap, store.endpoint.row_cap
    seen = _size(lambda: store.probe("rows", ("a",), rows=ROWS))
    cap = seen if 1 < seen < ROWS else None
    # Rows of its own data may be cut where these are not.
    data = _size(lambda: store.probe("rows_of_data", ("s",), rows=ROWS, after=0))
    if data < (cap or ROWS):
        try:
            if store.probe("rows_of_data", ("s",), rows=1, after=data):
                return max(1, data), data or None
        except StoreError:
            seen = data  # it may be cut, so what is as long has to be counted
    return max(1, data, seen) if cap is None else cap, cap


def _block(store: EndpointQueries) -> tuple[int, int]:
    """Ids that one query may list, and how long the query was."""
    for size in BLOCKS:
        try:
            [(count,)] = store.probe("block", ("n",), size=size)
        except (StoreError, ValueError):
            continue
        if count == str(size):
            return size, size * 60
    return 10, 2000


def _cheap_counts(store: EndpointQueries) -> bool:
    started = monotonic()
    try:
        counted = _works(lambda: store.probe("triples", ("triples",))[0][0])
    except QueryTimeout:
        return False
    return counted and monotonic() - started < FAST


def _text_search(store: EndpointQueries, engine: str) -> str | None:
    if (urlsplit(store.endpoint.url).hostname or "").endswith("wikidata.org"):
        return "wikidata" if engine == "blazegraph" else None
    if engine == "fuseki":
        # Without an index Jena lets every row pass.
        found = _rows_of(lambda: store.probe("text_jena", ()))
        return "jena" if found == [("false",)] else None
    if engine == "graphdb":  # an index is one of those that it lists
        return engine if _rows_of(lambda: store.probe("text_graphdb", ("index",))) else None
    if engine in ("virtuoso", "qlever"):
        return engine if _works(lambda: store.probe(f"text_{engine}", ())) else None
    return None


def _in_time(setting: str, question: Callable[[], T]) -> T:
    """The answer to a question; where there is none in time, an error that says what helps."""
    try:
        return question()
    except QueryTimeout as error:
        raise QueryTimeout(
            f"the endpoint was too slow to say what its {setting} is: try again when it is less "
            f"busy, or say it in the endpoint's setting {setting!r} ({error})"
        ) from error


def _works(probe: Callable[[], object]) -> bool:
    try:
        return bool(probe())
    except QueryTimeout:
        raise
    except (StoreError, IndexError):
        return False


def _rows_of(probe: Callable[[], list[Row]]) -> list[Row]:
    try:
        return probe()
    except QueryTimeout:
        raise
    except StoreError:
        return []


def _size(probe: Callable[[], list[Row]]) -> int:
    """How many rows came; 0, which promises nothing, also where none came in time."""
    try:
        return len(probe())
    except StoreError:
        return 0

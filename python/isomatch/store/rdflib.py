"""rdflib: any `rdflib.Graph` or `Dataset`, through its own SPARQL engine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from threading import RLock
from time import monotonic
from typing import Any
from weakref import ref

from isomatch.errors import IsomatchError, MissingExtraError, StoreError

try:
    import rdflib
    from rdflib.paths import Path
    from rdflib.plugins.sparql import prepareQuery
    from rdflib.store import Store as Engine
    from rdflib.store import TripleAddedEvent, TripleRemovedEvent
except ModuleNotFoundError as error:
    raise MissingExtraError('rdflib is not installed: pip install "isomatch[rdflib]"') from error

from isomatch.store.apart import apart, late
from isomatch.store.base import Fact, MatchedTriple, Query, Row, Store, StoreInfo
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.rdf import RdfStore
from isomatch.store.rdflib_joins import ordered
from isomatch.store.rdflib_paths import pairs
from isomatch.store.rdflib_terms import NAMELESS, forms, plain, to_id, to_term
from isomatch.store.terms import XSD

_ROWS_AT_A_TIME = 256
_KEPT_QUERIES = 512
_NO_PREFIXES = {"xsd": XSD}  # else all of the graph's are handed over at each query


class RdflibStore(RdfStore):
    """A graph of rdflib that the caller has; only read, and not closed.

    Queries run in rdflib's own engine, with their joins put in order
    (`isomatch.store.rdflib_joins`); of a store that has an engine of its own
    (oxrdflib, `SPARQLStore`) in that one. Of a `Dataset` they see the triples of all
    graphs. Facts with a term that has no id are passed over: a relative IRI, a
    formula of N3.

    May be used from several threads: they take turns. Nobody may write to the graph
    while a query runs.

    Args:
        graph: not copied: what is added to it later is seen, and has the schema
            read again.

    Example:
        >>> graph = rdflib.Graph()
        >>> _ = graph.parse(data='<urn:heat> <urn:directedBy> "Michael Mann" .')
        >>> store = RdflibStore(graph)
        >>> list(store.run(Query("SELECT ?o WHERE { ?s ?p ?o }", ("o",))))
        [('"Michael Mann"',)]
    """

    capabilities = StoreCapabilities("sparql", same_as=True, batch=1)

    def __init__(self, graph: rdflib.Graph):
        self._graph: rdflib.Graph | None = graph
        self._union = isinstance(graph, (rdflib.ConjunctiveGraph, rdflib.Dataset))
        self._rdflib_runs = not _has_engine(graph.store)
        self.capabilities = StoreCapabilities(  # a text for several takes longer to parse
            "sparql", "rdflib" if self._rdflib_runs else "unknown", same_as=True, batch=1
        )
        self._lock = RLock()
        self._bulk: ref[Store] | None = None
        self._seen: tuple[int, str] | None = None
        # A store's own, because the engine leaves its state in the query while it runs.
        self._prepared = lru_cache(_KEPT_QUERIES)(_prepare)
        for event in _EVENTS:
            graph.store.dispatcher.subscribe(event, self._changed)  # type: ignore[no-untyped-call]

    @property
    def graph(self) -> rdflib.Graph:
        """The caller's graph; StoreError after `close`."""
        if self._graph is None:
            raise StoreError("the rdflib graph has been closed")
        return self._graph

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `Store.run`, and for what columns hold `OxigraphStore.run`.

        rdflib's engine is interrupted when the time is up. Another engine runs in a
        thread of its own, which is left behind then and ends by itself.
        """
        if timeout is not None and not self._rdflib_runs:
            yield from apart(lambda: list(self._run(query, None)), query, timeout)
        else:
            yield from self._run(query, timeout)

    def _run(self, query: Query, timeout: float | None) -> Iterator[Row]:
        deadline = None if timeout is None else monotonic() + timeout
        bindings = {name: to_term(id) for name, id in query.parameters.items()}
        rows: Iterator[Row] | None = None
        try:
            while True:
                with self._lock:  # not held while the caller works on the rows
                    if rows is None:
                        rows = self._rows(query, bindings, deadline)
                    some = list(islice(rows, _ROWS_AT_A_TIME))
                yield from some
                if len(some) < _ROWS_AT_A_TIME:
                    return
        except IsomatchError:
            raise
        except Exception as error:  # the engine raises all kinds
            raise StoreError(
                f"rdflib refused the query {query.name or query.text[:80]!r}: {error}"
            ) from error

    def _rows(
        self, query: Query, bindings: dict[str, Any], deadline: float | None
    ) -> Iterator[Row]:
        if self._rdflib_runs:
            view = _View(self.graph, self._union, lambda: _check(query, deadline))
            text = self._prepared(query.text, tuple(bindings))
            result = view.query(text, initNs=_NO_PREFIXES, initBindings=bindings)
        else:
            result = self.graph.query(query.text, initNs=_NO_PREFIXES, initBindings=bindings)
        if result.type == "ASK":
            yield ("true" if result.askAnswer else "false",)
            return
        if result.type != "SELECT":
            raise StoreError(f"query {query.name!r} gives triples; use SELECT or ASK")
        names = [str(name) for name in result.vars or ()]
        if missing := [c for c in query.columns if c not in names]:
            raise StoreError(f"query {query.name!r} does not select the column ?{missing[0]}")
        places = [(names.index(c), f" AS ?{c})" in query.text) for c in query.columns]
        solution: Any
        for solution in result:
            row = tuple([to_id(solution[place], lexical) for place, lexical in places])
            if NAMELESS not in row:
                yield row
            elif query.name == "match":  # counts for its LIMIT
                yield tuple([id or None for id in row])

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """See `Store.facts`; looked up one by one, without a query."""
        if not self._rdflib_runs:
            return super().facts(triples)
        with self._lock:
            view = _View(self.graph, self._union)
            found = []
            for triple in triples:
                a, relation, b = map(to_term, triple[:3])
                ways = [Fact(True)] if view.has((a, relation, b)) else []
                if a != b and view.has((b, relation, a)):
                    ways.append(Fact(False))
                found.append(tuple(ways))
            return found

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """See `Store.incidence`; looked up one by one, too fast to need the time-out."""
        if not self._rdflib_runs:
            return super().incidence(nodes, relations, timeout=timeout)
        terms = [(r, to_term(r)) for r in relations]
        found = set()
        with self._lock:
            view = _View(self.graph, self._union)
            for id in nodes:
                node = to_term(id)
                for relation, term in terms:
                    if view.has((node, term, None)):
                        found.add((id, f"+{relation}"))
                    if view.has((None, term, node)):
                        found.add((id, f"-{relation}"))
        return found

    def bulk(self) -> Store:
        """See `Store.bulk`: a copy in Oxigraph, where rdflib's own engine would run.

        That takes some 50 µs a row (5 minutes to introspect 130,000 triples); the copy
        takes 15 µs a triple, and lives as long as somebody uses it.
        """
        if not self._rdflib_runs:
            return self
        from isomatch.store.rdflib_copy import RdflibCopy

        with self._lock:
            fingerprint = self.fingerprint()
            copy = None if self._bulk is None else self._bulk()
            if copy is None or copy.fingerprint() != fingerprint:
                view = _View(self.graph, self._union)
                copy = RdflibCopy(view.triples((None, None, None)), fingerprint)
                self._bulk = ref(copy)
            return copy

    def describe(self) -> StoreInfo:
        """See `Store.describe`."""
        store = self.graph.store
        place = getattr(store, "query_endpoint", None) or type(store).__name__
        return StoreInfo("rdflib", str(place), rdflib.__version__, triples=self._size())

    def fingerprint(self) -> str:
        """See `Store.fingerprint`: a hash of all triples, labels of blank nodes included.

        It is computed again when the graph's store tells of a change or holds another
        number of triples. Of a remote store: its address and the number of triples.
        """
        with self._lock:
            size = self._size()
            if self._seen is None or self._seen[0] != size:
                self._seen = (size, self._hash(size))
            return self._seen[1]

    def _size(self) -> int:
        graph = self.graph
        return len(graph.store) if self._union and self._rdflib_runs else len(graph)

    def _hash(self, size: int) -> str:
        if address := getattr(self.graph.store, "query_endpoint", None):
            return hashlib.sha256(f"{address} {size}".encode()).hexdigest()[:32]
        total = 0  # of hashes, because the triples come in any order
        for triple in _View(self.graph, self._union).triples((None, None, None)):
            *_, target = triple
            form = f"{target.datatype} {target.language}" if type(target) is rdflib.Literal else ""
            text = "\t".join((type(target).__name__, form, *map(str, triple))).encode()
            total += int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")
        return f"{total % 2**128:032x}"

    def _changed(self, event: object) -> None:
        self._seen = None

    def close(self) -> None:
        """See `Store.close`; the caller's graph stays open."""
        if self._graph is None:
            return
        handlers = self._graph.store.dispatcher.get_map() or {}  # type: ignore[no-untyped-call]
        for event in _EVENTS:
            if self._changed in handlers.get(event, ()):
                handlers[event].remove(self._changed)
        self._graph = None


class _View(rdflib.Graph):
    """The triples of a graph, or of all graphs of a dataset, for the engine to read."""

    def __init__(self, graph: rdflib.Graph, union: bool, check: Callable[[], None] = lambda: None):
        super().__init__(store=graph.store, identifier=None if union else graph.identifier)
        self._inner, self._all, self._check = graph, union, check

    def triples(self, triple: Any) -> Iterator[Any]:  # type: ignore[override]
        """See `rdflib.Graph.triples`; looks at the clock now and then.

        A plain literal and one of the datatype xsd:string are the same term, which
        rdflib knows as two: both are looked up, and given as plain ones.
        """
        subject, predicate, target = triple
        if isinstance(predicate, Path):
            for s, o in pairs(self, predicate, subject, target):
                yield s, predicate, o
            return
        count = 0
        for form in forms(target):
            self._check()
            for s, p, o in self._stored((subject, predicate, form)):
                count += 1
                if count % _ROWS_AT_A_TIME == 0:
                    self._check()
                yield s, p, plain(o)

    def _stored(self, triple: Any) -> Iterator[Any]:
        if self._all:
            return (t for t, _ in self._inner.store.triples(triple, context=None))
        return self._inner.triples(triple)

    def has(self, triple: Any) -> bool:
        """Whether there is a triple of this form."""
        return next(iter(self.triples(triple)), None) is not None


def _has_engine(store: Engine) -> bool:
    """Whether a store answers SPARQL itself, so that rdflib's engine does not run."""
    if hasattr(store, "query_endpoint"):
        return True
    try:
        store.query("ASK {}", {}, {}, "__UNION__")
    except NotImplementedError:
        return False
    return True


_EVENTS = (TripleAddedEvent, TripleRemovedEvent)


def _check(query: Query, deadline: float | None) -> None:
    if deadline is not None and monotonic() > deadline:
        raise late(query)


def _prepare(text: str, bound: tuple[str, ...]) -> Any:
    """The text as the engine takes it; reading one takes 10 to 50 ms."""
    return ordered(prepareQuery(text), bound)

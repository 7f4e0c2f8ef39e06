"""rdflib: any `rdflib.Graph` or `Dataset`, searched through a copy in Oxigraph."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from threading import RLock
from typing import Any

import pyoxigraph as ox

from isomatch import cancel
from isomatch.errors import IsomatchError, MissingExtraError, StoreError

try:
    import rdflib
    from rdflib.plugins.stores.memory import Memory
    from rdflib.store import Store as Engine
    from rdflib.store import TripleAddedEvent, TripleRemovedEvent
except ModuleNotFoundError as error:
    raise MissingExtraError('rdflib is not installed: pip install "isomatch[rdflib]"') from error

from isomatch.store.base import Fact, MatchedTriple, Query, Row, Store, StoreInfo
from isomatch.store.capabilities import StoreCapabilities
from isomatch.store.cells import term_cell
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdf import RdfStore
from isomatch.store.rdflib_terms import NAMELESS, oxigraph_term, to_id, to_term
from isomatch.store.terms import XSD
from isomatch.store.threads import run_in_thread

_NO_PREFIXES = {"xsd": XSD}  # else all of the graph's are passed with each query
_EVENTS = (TripleAddedEvent, TripleRemovedEvent)
# Stores with an engine of their own take a query as text, which costs more than to answer it.
_OWN_ENGINE = StoreCapabilities("sparql", same_as=True, batch=1)


class RdflibStore(RdfStore):
    """A graph of rdflib that the caller has; only read, and not closed.

    It is copied into Oxigraph at the first query, which takes some 15 µs a triple, and
    again at the first query after a change: when the graph's store reports one, or has
    another number of triples. A store that answers SPARQL itself (oxrdflib,
    `SPARQLStore`) is not copied; its own engine runs the queries. Of a `Dataset` queries
    see the triples of all graphs. Facts with a term that has no id are left out: a
    relative IRI, a formula of N3.

    May be used from several threads. Nobody may write to the graph while it is copied.

    Args:
        graph: what is added to it later is seen, and the schema is read again.

    Example:
        >>> graph = rdflib.Graph()
        >>> _ = graph.parse(data='<urn:heat> <urn:directedBy> "Michael Mann" .')
        >>> store = RdflibStore(graph)
        >>> list(store.run(Query("SELECT ?o WHERE { ?s ?p ?o }", ("o",))))
        [('"Michael Mann"',)]
    """

    capabilities = OxigraphStore.capabilities

    def __init__(self, graph: rdflib.Graph):
        self._graph: rdflib.Graph | None = graph
        self._union = isinstance(graph, (rdflib.ConjunctiveGraph, rdflib.Dataset))
        self._copies = not _has_engine(graph.store)
        if not self._copies:
            self.capabilities = _OWN_ENGINE
        self._lock = RLock()
        self._changes = 0
        self._reports_changes = type(graph.store) is Memory
        self._copied: tuple[tuple[object, ...], OxigraphStore] | None = None
        self._hashed: tuple[tuple[object, ...], str] | None = None
        for event in _EVENTS:
            graph.store.dispatcher.subscribe(event, self._changed)  # type: ignore[no-untyped-call]

    @property
    def graph(self) -> rdflib.Graph:
        """The caller's graph; StoreError after `close`."""
        if self._graph is None:
            raise StoreError("the rdflib graph has been closed")
        return self._graph

    def bulk(self) -> Store:
        """See `Store.bulk`: the copy, which later changes of the graph do not reach."""
        if not self._copies:
            return self
        with self._lock:
            version = self._version()
            if self._copied is None or self._copied[0] != version:
                self._copied = (version, _Copy(self._triples()))
            return self._copied[1]

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """See `OxigraphStore.run`.

        An engine of the graph's own runs in a thread, which is left behind when the time
        is up or the search is cancelled, and ends by itself.
        """
        cancel.check()
        if self._copies:
            yield from self.bulk().run(query, timeout=timeout)
        elif timeout is not None or cancel.current() is not None:
            yield from run_in_thread(lambda: list(self._run(query)), query, timeout)
        else:
            yield from self._run(query)

    def _run(self, query: Query) -> Iterator[Row]:
        bindings = {name: to_term(id) for name, id in query.parameters.items()}
        try:
            with self._lock:
                result = self.graph.query(query.text, initNs=_NO_PREFIXES, initBindings=bindings)
                yield from list(_rows(query, result))
        except IsomatchError:
            raise
        except Exception as error:  # engines raise all kinds
            raise StoreError(
                f"rdflib refused the query {query.name or query.text[:80]!r}: {error}"
            ) from error

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        return self.bulk().facts(triples) if self._copies else super().facts(triples)

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        if self._copies:
            return self.bulk().incidence(nodes, relations, timeout=timeout)
        return super().incidence(nodes, relations, timeout=timeout)

    def describe(self) -> StoreInfo:
        store = self.graph.store
        place = getattr(store, "query_endpoint", None) or type(store).__name__
        return StoreInfo("rdflib", str(place), rdflib.__version__, triples=self._size())

    def fingerprint(self) -> str:
        """See `Store.fingerprint`: a hash of all triples, labels of blank nodes included.

        It is computed again when the graph has changed. Of a remote store: its address
        and the number of triples.
        """
        with self._lock:
            version = self._version()
            if self._hashed is None or self._hashed[0] != version:
                self._hashed = (version, self._hash())
            return self._hashed[1]

    def _version(self) -> tuple[object, ...]:
        """A value that differs after every change.

        rdflib's `Memory` reports changes. Other stores may not, and are hashed.
        """
        if self._reports_changes or not self._copies:
            return self._size(), self._changes
        return (self._hash(),)

    def _size(self) -> int:
        graph = self.graph
        return len(graph.store) if self._union and self._copies else len(graph)

    def _triples(self) -> Iterator[tuple[Any, Any, Any]]:
        if self._union:
            found = self.graph.store.triples((None, None, None), context=None)
            return (triple for triple, _ in found)
        return self.graph.triples((None, None, None))

    def _hash(self) -> str:
        if address := getattr(self.graph.store, "query_endpoint", None):
            return hashlib.sha256(f"{address} {self._size()}".encode()).hexdigest()[:32]
        total = 0  # of hashes, because the triples come in any order
        for triple in self._triples():
            *_, target = triple
            form = f"{target.datatype} {target.language}" if type(target) is rdflib.Literal else ""
            text = "\t".join((type(target).__name__, form, *map(str, triple))).encode()
            total += int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")
        return f"{total % 2**128:032x}"

    def _changed(self, event: object) -> None:
        self._changes += 1

    def close(self) -> None:
        """See `Store.close`; the caller's graph stays open."""
        if self._graph is None:
            return
        handlers = self._graph.store.dispatcher.get_map() or {}  # type: ignore[no-untyped-call]
        for event in _EVENTS:
            if self._changed in handlers.get(event, ()):
                handlers[event].remove(self._changed)
        self._graph = self._copied = None


class _Copy(OxigraphStore):
    """Triples of rdflib in Oxigraph, with the ids that they have in rdflib.

    Oxigraph keeps literals in a form of its own ("1.50" as "1.5", "@de-AT" as "@de-at").
    Rows have them as rdflib does: where it has several forms of one value, the first.

    Args:
        triples: of rdflib; those that Oxigraph could not hold are left out.
    """

    def __init__(self, triples: Iterable[tuple[Any, Any, Any]]):
        made: dict[Any, Any] = {}
        graph = ox.Store()
        graph.bulk_extend(_quads(triples, made))
        super().__init__(graph, location="copy of rdflib")
        self._originals = _originals(made)

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        rows, originals = super().run(query, timeout=timeout), self._originals
        if not originals:
            return rows
        return (tuple([originals.get(cell, cell) for cell in row]) for row in rows)


def _quads(triples: Iterable[tuple[Any, Any, Any]], made: dict[Any, Any]) -> Iterator[ox.Quad]:
    """The triples for Oxigraph; its terms go into ``made``, by rdflib's."""
    for triple in triples:
        for term in triple:
            if term not in made:
                with suppress(ValueError):  # its triples are left out below
                    made[term] = oxigraph_term(term)
        with suppress(KeyError, TypeError):
            yield ox.Quad(*(made[term] for term in triple))


def _originals(made: dict[Any, Any]) -> dict[str | None, str]:
    """The id of rdflib's term by the id that Oxigraph gives, where that is another."""
    scratch = ox.Store()
    literals = [(id, term) for key, term in made.items() if (id := _typed(key, term))]
    place = ox.NamedNode("urn:isomatch:place")
    scratch.extend(
        ox.Quad(ox.NamedNode(f"urn:isomatch:{number}"), place, term)
        for number, (_, term) in enumerate(literals)
    )
    forms: dict[str | None, set[str]] = {}
    for quad in scratch:
        number = int(quad.subject.value.rpartition(":")[2])
        forms.setdefault(term_cell(quad.object), set()).add(literals[number][0])
    return {id: min(own) for id, own in forms.items() if own != {id}}


def _typed(key: Any, term: Any) -> str | None:
    """The id of a literal that Oxigraph may keep in another form."""
    if not isinstance(term, ox.Literal):
        return None
    plain = term.language is None and term.datatype.value.endswith("#string")
    return None if plain else to_id(key)


def _rows(query: Query, result: Any) -> Iterator[Row]:
    if result.type == "ASK":
        yield ("true" if result.askAnswer else "false",)
        return
    if result.type != "SELECT":
        raise StoreError(f"query {query.name!r} gives triples; use SELECT or ASK")
    names = [str(name) for name in result.vars or ()]
    if missing := [c for c in query.columns if c not in names]:
        raise StoreError(f"query {query.name!r} does not select the column ?{missing[0]}")
    places = [(names.index(c), f" AS ?{c})" in query.text) for c in query.columns]
    for solution in result:
        cancel.check()
        row = tuple([to_id(solution[place], lexical) for place, lexical in places])
        if NAMELESS not in row:
            yield row
        elif query.name == "match":  # counts for its LIMIT
            yield tuple([id or None for id in row])


def _has_engine(store: Engine) -> bool:
    """Whether a store answers SPARQL itself."""
    if hasattr(store, "query_endpoint"):
        return True
    try:
        store.query("ASK {}", {}, {}, "__UNION__")
    except NotImplementedError:
        return False
    return True

"""Treat nodes that ``owl:sameAs`` joins as one node (`Options.same_as`).

Two nodes are the same where ``owl:sameAs`` leads from one to the other, whichever way
and over however many others. The id of a class of such nodes is its first IRI in the
order of code points; a class without an IRI (only blank nodes) is not joined. Query
texts follow ``owl:sameAs`` on both sides of every edge and keep the first IRI of each
class alone (``body.j2``); here lists of candidates become lists of classes, and facts
are looked up between all nodes of two classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from isomatch.errors import ConfigurationError
from isomatch.link.candidates import Candidate, CandidateList, Candidates
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema
from isomatch.store.base import Fact, MatchedTriple, Query, Store, chunked
from isomatch.store.terms import SAME_AS, is_blank, is_iri

_IDS_A_QUERY = 200


class Classes:
    """Classes of equal nodes, read from the store where they are needed."""

    def __init__(self, store: Store):
        self._store = store
        self._members: dict[str, tuple[str, ...]] = {}

    def fetch(self, ids: Iterable[str]) -> None:
        """Read the classes of these nodes, unless they are known.

        Raises:
            StoreError: the database refused.
        """
        new = [id for id in dict.fromkeys(ids) if id not in self._members]
        found: dict[str, set[str]] = {id: {id} for id in new}
        for query in self._queries(new):
            for id, same in self._store.run(query):
                if id is not None and same is not None:
                    found[id].add(same)
        for id, members in found.items():
            self._members[id] = tuple(sorted(members, key=lambda m: (not is_iri(m), m)))

    def _queries(self, ids: Sequence[str]) -> list[Query]:
        def query(nodes: Sequence[str], parameters: dict[str, str]) -> Query:
            text = self._store.render("same_as.rq.j2", nodes=nodes, same_as=SAME_AS)
            return Query(text, ("n", "same"), parameters, "same_as")

        named = [id for id in ids if not is_blank(id)]
        # A query text cannot name a blank node; a parameter can.
        return [query(some, {}) for some in chunked(named, _IDS_A_QUERY)] + [
            query((), {"n": id}) for id in ids if is_blank(id)
        ]

    def members(self, id: str) -> tuple[str, ...]:
        """All nodes of a class, its first IRI first."""
        if id not in self._members:
            self.fetch([id])
        return self._members[id]

    def first(self, id: str) -> str:
        """The id of a node's class."""
        first = self.members(id)[0]
        return first if is_iri(first) else id

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """`Store.facts` between classes: one stored fact for each direction."""
        self.fetch(end for a, _, b, *_ in triples for end in (a, b))
        asked: list[MatchedTriple] = [
            (x, relation, y)
            for a, relation, b, *_ in triples
            for x, y in product(self.members(a), self.members(b))
        ]
        stored = dict(zip(asked, self._store.facts(asked), strict=True))
        return [self._facts(triple, stored) for triple in triples]

    def _facts(
        self, triple: MatchedTriple, stored: Mapping[MatchedTriple, tuple[Fact, ...]]
    ) -> tuple[Fact, ...]:
        a, relation, b = triple[:3]
        by_direction: dict[bool, Fact] = {}
        for x, y in product(self.members(a), self.members(b)):
            for fact in stored[x, relation, y]:
                if fact.forward or self.first(a) != self.first(b):  # else both ways are one
                    ends = (x, y) if fact.forward else (y, x)
                    by_direction.setdefault(fact.forward, replace(fact, ends=ends))
        return tuple(by_direction[way] for way in (True, False) if way in by_direction)


def join_same_nodes(
    pattern: Pattern, candidates: Candidates, store: Store, schema: Schema, options: Options
) -> tuple[Candidates, Schema, Options]:
    """The arguments of a search under the option ``same_as``.

    Lists of nodes become lists of classes, each at its nearest name;
    ``owl:sameAs`` is no relation. Where the graph has none, the option is off.

    Raises:
        ConfigurationError: the graph is no RDF, or the pattern has values on edges.
    """
    if store.capabilities.property_graph:
        raise ConfigurationError(
            "same_as joins nodes by owl:sameAs, which is of RDF: this graph is in Neo4j, where "
            "nodes that are the same are best merged in the database"
        )
    if not store.capabilities.same_as:
        raise ConfigurationError(
            "same_as is not supported on this engine (Virtuoso): leave the option out, or load "
            "the graph with `isomatch load`"
        )
    if any(edge.value is not None for edge in pattern.edges):
        raise ConfigurationError(
            "same_as and values on edges do not go together: leave one of the two out"
        )
    if SAME_AS not in schema.by_id:
        return candidates, schema, options.with_(same_as=False)
    source = _ClassSource(candidates, Classes(store))
    return (
        replace(
            candidates,
            nodes={part: source.mapped(found) for part, found in candidates.nodes.items()},
            relations={part: source.mapped(found) for part, found in candidates.relations.items()},
            source=source,
        ),
        replace(
            schema,
            relations=tuple(r for r in schema.relations if r.id != SAME_AS),
            vocabulary=(*schema.vocabulary, SAME_AS),
            # They hold for single nodes, not for classes.
            characteristic_sets=None,
        ),
        options,
    )


class _ClassSource:
    """Lists of nodes as lists of classes, and lists of relations without ``owl:sameAs``."""

    def __init__(self, candidates: Candidates, classes: Classes):
        self._stored = {found.key: found for found in candidates.lists}
        self._source = candidates.source
        self._classes = classes

    def widened(self, found: CandidateList, limit: int) -> CandidateList:
        """See `CandidateSource.widened`; fetches as many nodes as make ``limit`` classes."""
        stored, nodes = self._stored[found.key], limit
        while self._source is not None and not stored.exhausted:
            before, stored = len(stored), self._source.widened(stored, nodes)
            found = self.mapped(stored)
            if len(found) >= limit or len(stored) <= before:
                break
            nodes = max(nodes, len(stored)) * 2
        return found

    def mapped(self, stored: CandidateList) -> CandidateList:
        """A stored list under other ids, each at its least distance."""
        if stored.kind == "type":
            return stored
        if stored.kind == "node":
            self._classes.fetch(candidate.id for candidate in stored)
        nearest: dict[str, Candidate] = {}
        for candidate in stored:
            if stored.kind == "node":
                id = self._classes.first(candidate.id)
                nearest.setdefault(id, replace(candidate, id=id))
            elif candidate.id != SAME_AS:
                nearest[candidate.id] = candidate
        # In the order of `stored`: a longer list begins with the shorter one.
        return replace(stored, entries=tuple(nearest.values()))

"""Nodes from Neo4j's own vector indexes, for graphs with embeddings on nodes.

The database's index finds the nearest nodes, approximately. Their distances are
computed in the database from the vectors on the nodes, so that they compare with those
of relations, types and values, whatever similarity function the index has, and whether
its vectors have length 1 or not. The vectors must be of names, and of the embedder that
questions are embedded with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError, VectorIndexError
from isomatch.link.candidates import Candidate, Page, merge_pages
from isomatch.link.linker import MOST_TIES
from isomatch.schema.names import node_names
from isomatch.store.base import Query

if TYPE_CHECKING:
    from isomatch.link.vectors import Matrix
    from isomatch.schema.types import Schema
    from isomatch.store.base import Store

LEAST = 128  # nodes asked for: the breadth of the index's search, so fewer may miss the nearest
# Distances below are 0. The database computes in 32 bits, where the similarities
# next to 1 are 0.0005 of distance apart.
ZERO = 1e-3
SETTING = "ISOMATCH_NEO4J_VECTOR_INDEX"


@dataclass(frozen=True, slots=True)
class NodeIndex:
    """A vector index over nodes, as the database describes it.

    Attributes:
        name: what queries call it.
        label, property: where the vectors are.
        dimension: None where the index takes any.
        similarity: ``COSINE`` or ``EUCLIDEAN``.
        state: ``ONLINE`` when it can be searched.
        percent: how much of it is built.
    """

    name: str
    label: str
    property: str
    dimension: int | None
    similarity: str
    state: str
    percent: int

    def __str__(self) -> str:
        size = "any dimension" if self.dimension is None else f"dimension {self.dimension}"
        return f"{self.name!r} on :{self.label}.{self.property} ({size}, {self.similarity.lower()})"


class Neo4jVectors:
    """A `NodeSource` over vector indexes of a database.

    Attributes:
        indexes: those that are searched.
    """

    setting = SETTING

    def __init__(self, store: Store, schema: Schema, indexes: Sequence[NodeIndex]):
        """See `open`."""
        self.indexes = tuple(indexes)
        self._store = store
        self._schema = schema
        self._names = [[label[1:], key[1:]] for label, key in schema.names.items()]
        self._sizes = {type.id: type.nodes for type in schema.types}

    @classmethod
    def open(
        cls, store: Store, schema: Schema, names: Iterable[str], dimension: int
    ) -> Neo4jVectors:
        """The indexes of these names, if they can be searched with these vectors.

        Args:
            store: the database; it stays open.
            schema: its naming properties give the names of nodes.
            names: of vector indexes over nodes.
            dimension: of the embedder's vectors.

        Raises:
            ConfigurationError: the store is no Neo4j database.
            VectorIndexError: an index is missing, not online, or of another
                dimension; the message lists those that there are.
            StoreError: the database failed.
        """
        if not store.capabilities.vector_indexes:
            raise ConfigurationError(
                f"{SETTING} is set, but the graph is not in Neo4j: set NEO4J_URI, or unset it"
            )
        found = node_indexes(store)
        return cls(store, schema, [_checked(name, found, dimension) for name in names])

    def pages(
        self, vectors: Matrix, limit: int, *, exact: bool = False, texts: Sequence[str] = ()
    ) -> list[Page]:
        """See `NodeSource.pages`; ``texts`` are not used.

        Raises:
            StoreError: the database failed, or an index was dropped.
        """
        first = max(LEAST, limit + limit // 16 + 8)
        last = max(first, limit + MOST_TIES)
        found: dict[int, Page] = {}
        for asked in (first, last):
            waiting = [number for number in range(len(vectors)) if number not in found]
            hits = self._search(vectors[waiting], asked, exact) if waiting else []
            for number, by_index in zip(waiting, hits, strict=True):
                page = merge_pages(
                    _page(own, asked, whole=asked < limit + MOST_TIES, exact=exact)
                    for own in by_index
                )
                enough = page.frontier == inf or len(page.entries) >= limit
                if asked == last or (enough and (exact or self._is_all(by_index, asked))):
                    found[number] = page
        return self._named([found[number] for number in range(len(vectors))])

    def _is_all(self, by_index: Sequence[Sequence[Candidate]], asked: int) -> bool:
        """Whether every index returned as many nodes as asked for, or has no more.

        Lucene reads all of an index that has no more nodes than asked for. In a larger
        one its search may stop early: of more than 32 nodes with equal vectors, 5.26
        returns 33, and no other node.
        """
        return all(
            len(own) >= asked or asked >= self._sizes.get(f":{index.label}", inf)
            for own, index in zip(by_index, self.indexes, strict=True)
        )

    def _search(self, vectors: Matrix, asked: int, exact: bool) -> list[list[list[Candidate]]]:
        """By query, then by index, the ``asked`` nearest nodes, ascending."""
        hits: list[list[list[Candidate]]] = [[[] for _ in self.indexes] for _ in vectors]
        for asking in self._queries(vectors, asked, exact):
            for query, number, id, name, score in self._store.run(asking):
                candidate = Candidate(id or "", _distance(score), name or "")
                hits[int(query or 0)][int(number or 0)].append(candidate)
        for of_query in hits:
            for nearest in of_query:
                nearest.sort(key=lambda c: (c.distance, c.id))
        return hits

    def _queries(self, vectors: Matrix, limit: int, exact: bool) -> Iterator[Query]:
        """One query that asks all indexes; a scan is a query for each."""
        render = self._store.render
        columns = ("query", "number", "id", "name", "score")
        given = {"vectors": vectors.tolist(), "limit": limit, "names": self._names}
        given |= self._schema.unsearched_names
        if not exact:
            places = [{"name": i.name, "property": i.property} for i in self.indexes]
            text = render("vectors/nearest.cypher.j2")
            yield Query(text, columns, {**given, "indexes": places}, "vectors")
            return
        for number, i in enumerate(self.indexes):
            text = render("vectors/scan.cypher.j2", label=f":{i.label}", property=f".{i.property}")
            yield Query(text, columns, {**given, "number": number}, "vectors-scan")

    def _named(self, pages: list[Page]) -> list[Page]:
        """The pages, with names for nodes that have none of the schema's."""
        missing = {c.id for page in pages for c in page.entries if not c.name}
        if not missing:
            return pages
        names = node_names(self._store, self._schema, missing)
        return [
            replace(
                page,
                entries=tuple(
                    c if c.name else replace(c, name=names.get(c.id, c.id)) for c in page.entries
                ),
            )
            for page in pages
        ]


def node_indexes(store: Store) -> list[NodeIndex]:
    """The vector indexes over nodes that a database has, by name.

    Raises:
        StoreError: the database failed.
    """
    columns = ("name", "state", "percent", "label", "property", "dimension", "similarity")
    text = store.render("vectors/indexes.cypher.j2")
    return [
        NodeIndex(
            name=name or "",
            label=label or "",
            property=key or "",
            dimension=int(dimension) if dimension else None,
            similarity=similarity or "",
            state=state or "",
            percent=int(percent or 0),
        )
        for name, state, percent, label, key, dimension, similarity in store.run(
            Query(text, columns, name="vector-indexes")
        )
    ]


def _checked(name: str, found: Sequence[NodeIndex], dimension: int) -> NodeIndex:
    index = next((i for i in found if i.name == name), None)
    if index is None:
        there = "; ".join(map(str, found)) or "none"
        raise VectorIndexError(
            f"the database has no vector index {name!r} over nodes: correct {SETTING}. "
            f"There are: {there}"
        )
    if index.state != "ONLINE":
        advice = (
            "drop it in the database and make it again"
            if index.state == "FAILED"
            else "wait until it is built"
        )
        raise VectorIndexError(
            f"the database's vector index {index} is {index.state.lower()}, "
            f"{index.percent} % of it built: {advice}"
        )
    if index.dimension not in (None, dimension):
        raise VectorIndexError(
            f"the database's vector index {index} does not hold vectors of the embedder, which "
            f"have {dimension} numbers: set ISOMATCH_EMBEDDER to the embedder that made the "
            f"vectors on the nodes, or {SETTING} to another index"
        )
    return index


def _page(nearest: Sequence[Candidate], asked: int, *, whole: bool, exact: bool) -> Page:
    """The page that one index gives for one query.

    Args:
        nearest: ascending; those whose vector has no direction have distance inf.
        asked: how many were asked for.
        whole: keep only whole distances, since the index may have more at the last.
    """
    entries = [c for c in nearest if c.distance < inf]
    frontier = inf
    if len(nearest) >= asked:
        frontier = entries[-1].distance if entries else 0.0
        if whole:
            entries = [c for c in entries if c.distance < frontier]
    return Page(tuple(entries), frontier, not exact)


def _distance(similarity: str | None) -> float:
    """L2 distance of two vectors of length 1 out of Cypher's similarity, (1 + cos) / 2."""
    if similarity is None:
        return inf
    distance = sqrt(max(0.0, 4.0 - 4.0 * float(similarity)))
    return 0.0 if distance < ZERO else round(distance, 6)

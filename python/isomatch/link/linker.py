"""Link the words of a pattern to lists of graph elements, nearest first.

All texts are embedded in one call and looked up together. An element is on a list:

- by vector: the L2 distance between the embeddings of the pattern's text and of
  the element's nearest name. Distances are rounded to six decimals, and those
  below 1e-4 are 0: that is the noise of 32-bit arithmetic, so equal texts are
  at exactly 0. Equal distances are ordered by id, aliases and the names of classes
  after other names.
- by name: of an approximate index, names that are equal after
  `isomatch.link.normalise.normalise` are on the list, with that same distance,
  also where the index misses them.
- by value: numbers, dates and booleans that equal the text are at distance 0, and so is
  what a date of that day or time is the name or the text of.

A pattern's value on an edge has a list of values only, and its type is a kind of
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from math import inf
from typing import TYPE_CHECKING, TypeVar

from isomatch.errors import EmbeddingError, VectorIndexError
from isomatch.link import names as index_names
from isomatch.link.candidates import (
    VALUES,
    Candidate,
    CandidateList,
    Candidates,
    Kind,
    ListKey,
    Page,
    merge_pages,
)
from isomatch.link.keys import identified
from isomatch.store.terms import words

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.index import Index
    from isomatch.link.names import Text
    from isomatch.link.vectors import Hits, Matrix
    from isomatch.options import Options
    from isomatch.pattern.types import Pattern
    from isomatch.schema.types import Relation, Schema, Type

Part = TypeVar("Part", str, int)
FIRST = 16  # entries of a first page
NEAREST = 2  # the same where only those at the least distance are wanted
WHOLE = 1024  # collections of at most so many texts are listed whole at once
MOST_TIES = 1024  # entries beyond the limit that a tie may add
ZERO = 1e-4  # distances below are 0

_COLLECTION: dict[Kind, str] = {"node": "nodes", "relation": "relations", "type": "types"}


def link(
    pattern: Pattern,
    index: Index,
    embedder: Embedder,
    schema: Schema,
    options: Options,
    *,
    nearest: bool = False,
) -> Candidates:
    """Candidate lists for every known node, known relation and type of a pattern.

    Equal texts of one kind share one list. Lists have a first page; they are widened on
    demand, unless ``options.k_nodes``, ``k_relations`` or ``k_types`` fixes
    their length.

    Args:
        nearest: whether only the nearest of each list are wanted, so that first pages are short.

    Raises:
        VectorIndexError: the vectors cannot be searched.
        EmbeddingError: the texts could not be embedded.
    """
    nodes = {n.id: n.text for n in pattern.nodes if n.text is not None}
    relations = {
        number: _called(edge.relation, schema.relations)
        for number, edge in enumerate(pattern.edges)
        if edge.relation is not None
    }
    types = {n.id: _called(n.type, schema.types) for n in pattern.nodes if n.type is not None}
    notes: tuple[str, ...] = ()
    if types and not schema.typed:
        listed = ", ".join(f'"{text}"' for text in dict.fromkeys(types.values()))
        notes = (f"the graph has no types: {listed} ignored",)
        types = {}
    if schema.exclude:
        notes = (*notes, f"left out by the settings: {', '.join(schema.exclude)}")
    given, remarks = identified(nodes, index, schema)
    nodes = {id: text for id, text in nodes.items() if id not in given}
    vectors = _embed([*nodes.values(), *relations.values(), *types.values()], index, embedder)
    # The qualifiers of a Wikibase are nodes like others.
    qualified = schema.relations_begin is not None
    on_edges = set() if qualified else {edge.value for edge in pattern.edges}

    every = {node.id for node in pattern.nodes if node.every}
    classes = frozenset(type.id for type in schema.types)
    first = NEAREST if nearest else FIRST
    source = _IndexSource(index, vectors, options.exact_vectors, classes, first)

    def of_both(
        kind: Kind, texts: Mapping[str, str], fixed: int | None
    ) -> dict[str, CandidateList]:
        whole = every if kind == "node" else frozenset()
        values = {id: text for id, text in texts.items() if id in on_edges}
        all_of = {id: text for id, text in texts.items() if id in whole}
        others = {id: text for id, text in texts.items() if id not in values and id not in all_of}
        return (
            source.lists(kind, others, fixed)
            | source.lists(kind, values, fixed, of_value=True)
            | source.lists(kind, all_of, fixed, every=True)
        )

    return Candidates(
        nodes=given | of_both("node", nodes, options.k_nodes),
        relations=source.lists("relation", relations, options.k_relations),
        types=of_both("type", types, options.k_types),
        notes=notes + remarks,
        source=source,
    )


def _called(text: str, known: Iterable[Relation] | Iterable[Type]) -> str:
    """A text as the index has the names of relations and types, see `isomatch.schema.labels`.

    A label of several words stands there as it is: "size (kB)" is not "size (k b)".
    """
    form = words(text)
    return text if form != text and any(one.text == text for one in known) else form


def nearest(
    text: str, limit: int, index: Index, embedder: Embedder
) -> tuple[dict[Kind, CandidateList], Matrix]:
    """The nearest nodes, relations and types to one text, and the vector of the text.

    Raises:
        VectorIndexError: the vectors cannot be searched.
        EmbeddingError: the text could not be embedded.
    """
    forms: dict[Kind, str] = {"node": text, "relation": words(text), "type": words(text)}
    vectors = _embed(list(forms.values()), index, embedder)
    source = _IndexSource(index, vectors, exact=False)
    lists = {kind: source.lists(kind, {0: form}, None)[0] for kind, form in forms.items()}
    lists = {
        kind: found if len(found) >= limit else source.widened(found, limit)
        for kind, found in lists.items()
    }
    return lists, vectors[text]


def prefetch(name: str, index: Index, embedder: Embedder) -> None:
    """Search for the name of a node before the pattern that has it is known.

    `link` then finds it done (`RecentSearches`), with the options as they are by
    default and where the index holds the nodes. Errors are left to `link`.
    """
    if not index.caches_searches:
        return
    with suppress(VectorIndexError, EmbeddingError):
        vector = _embed([name], index, embedder)[name]
        lookup = _Lookup(index, "node", name, vector, exact=False)
        index.search("nodes", vector[None], lookup.points_for(FIRST))


def _embed(texts: Sequence[str], index: Index, embedder: Embedder) -> dict[str, Matrix]:
    """A vector for each text; those of texts in the index are read from there."""
    distinct = list(dict.fromkeys(texts))
    vectors = index.vectors_of(distinct)
    if missing := [text for text in distinct if text not in vectors]:
        vectors.update(zip(missing, embedder.embed(missing), strict=True))
    return vectors


def _pages(lookups: Sequence[_Lookup], limit: int) -> list[Page]:
    """The pages of several lists of one kind, by one search in each place."""
    import numpy as np

    if not lookups:
        return []
    first = lookups[0]
    asked = first.points_for(limit)
    vectors = np.stack([lookup.vector for lookup in lookups])
    hits = first.index.search(first.collection, vectors, asked, exact=first.exact)
    pages = [lookup.page(limit, asked, own) for lookup, own in zip(lookups, hits, strict=True)]
    source = first.index.nodes
    if first.kind == "node" and not first.of_value and source is not None:
        texts = [lookup.text for lookup in lookups]
        more = source.pages(vectors, limit, exact=first.exact, texts=texts)
        pages = [merge_pages(both) for both in zip(pages, more, strict=True)]
    return pages


class _IndexSource:
    """The lists of a pattern out of an index; see `CandidateSource`."""

    def __init__(
        self,
        index: Index,
        vectors: Mapping[str, Matrix],
        exact: bool,
        classes: frozenset[str] = frozenset(),
        first: int = FIRST,
    ) -> None:
        self._classes = classes
        self._first = first
        self._index = index
        self._vectors = vectors
        self._exact = exact
        self._lookups: dict[ListKey, _Lookup] = {}

    def lists(
        self,
        kind: Kind,
        texts: Mapping[Part, str],
        fixed: int | None,
        *,
        of_value: bool = False,
        every: bool = False,
    ) -> dict[Part, CandidateList]:
        """The first page of each list, or ``fixed`` entries."""
        lookups = [
            _Lookup(
                self._index,
                kind,
                text,
                self._vectors[text],
                exact=self._exact,
                of_value=of_value,
                classes=self._classes if kind == "node" else frozenset(),
                whole=self._first == FIRST,
            )
            for text in dict.fromkeys(texts.values())
        ]
        limit = self._first if fixed is None else fixed + 1  # one more shows what was cut off
        by_text = {}
        for lookup, page in zip(lookups, _pages(lookups, limit), strict=True):
            bare = CandidateList(lookup.text, kind, (), of_value=of_value, every=every)
            found = bare.with_page(page)
            by_text[lookup.text] = found if fixed is None else found.cut(fixed)
            self._lookups[found.key] = lookup
        return {part: by_text[text] for part, text in texts.items()}

    def widened(self, found: CandidateList, limit: int) -> CandidateList:
        """The list with at least ``limit`` entries, unless there are no more."""
        return found.with_page(_pages([self._lookups[found.key]], limit)[0])


class _Lookup:
    """Fetches the list of one text, at any length.

    ``of_value`` is for values on edges: only values, or kinds of them, are on the list.
    ``classes`` are ids of nodes that come last of equal distances. ``whole``: a small collection
    is listed whole at once.
    """

    def __init__(
        self,
        index: Index,
        kind: Kind,
        text: str,
        vector: Matrix,
        *,
        exact: bool,
        of_value: bool = False,
        classes: frozenset[str] = frozenset(),
        whole: bool = True,
    ):
        self.classes = classes
        self.index = index
        self.kind = kind
        self.text = text
        self.vector = vector
        self.collection = _COLLECTION[kind]
        self.exact = exact
        self.of_value = of_value
        self.whole = whole and index.count(self.collection) <= WHOLE
        self.approximate = not exact and index.approximate(self.collection)

    def points_for(self, limit: int) -> int:
        """How many points to fetch: some more, since a page ends with a whole distance."""
        count = self.index.count(self.collection)
        return count + 1 if self.whole else min(limit + limit // 16 + 8, count + 1)

    def _search(self, asked: int) -> Hits:
        return self.index.search(self.collection, self.vector[None], asked, exact=self.exact)[0]

    def page(self, limit: int, asked: int, hits: Hits) -> Page:
        """The page of the nearest ``asked`` points; fetches more where they are too few."""
        if self.whole:
            limit = max(limit, WHOLE)
        while True:
            nearest = list(zip(map(distance_of, hits[1].tolist()), hits[0].tolist(), strict=True))
            nearest.sort()
            frontier = inf
            if len(nearest) >= asked:
                # The collection has more, and they may share the last distance.
                frontier = nearest[-1][0]
                if asked < limit + MOST_TIES:
                    nearest = [hit for hit in nearest if hit[0] < frontier]
            found, frontier = self._entries(nearest, limit, frontier)
            if len(found) >= limit or frontier == inf:
                break
            # One element may have very many names; values may be few among names.
            asked *= 2
            hits = self._search(asked)
        if self.approximate:
            self._add_equal_names(found)
        return Page.of(found.values(), frontier, self.approximate)

    def _entries(
        self, nearest: Sequence[tuple[float, int]], limit: int, frontier: float
    ) -> tuple[dict[str, Candidate], float]:
        """Entries by id, whole distances at a time, and the frontier behind them.

        ``frontier`` is that of ``nearest``.
        """
        most = limit + MOST_TIES
        texts = self.index.texts([point for _, point in nearest])
        keys = self.index.keys(texts.values(), most + 1)
        aliases = self._aliases(texts, keys)
        values = self.index.values(self.text, most + 1) if self.kind == "node" else {}
        groups = [
            (
                distance,
                [
                    ((p, key) in aliases, key, texts[p].text)
                    for _, p in group
                    for key in self._fitting(keys, p)
                ],
            )
            for distance, group in groupby(nearest, key=lambda hit: hit[0])
        ]
        if values:
            if not groups or groups[0][0] > 0.0:
                groups.insert(0, (0.0, []))
            groups[0][1].extend(
                (False, key, name)
                for key, name in values.items()
                if not self.of_value or key.startswith('"')
            )
        found: dict[str, Candidate] = {}
        for distance, members in groups:
            if len(found) >= limit:
                return found, distance
            fresh: dict[str, Candidate] = {}
            for alias, key, name in sorted(members):
                if key not in found:
                    group = VALUES if key in values else ""
                    fresh.setdefault(key, Candidate(key, distance, name, alias, group))
            room = most - len(found)
            found.update(list(fresh.items())[:room])
            if len(fresh) > room:
                return found, distance
        return found, frontier

    def _add_equal_names(self, found: dict[str, Candidate]) -> None:
        """Add what has an equal name after normalisation and was missed."""
        texts = self.index.by_name(self.collection, self.text)
        keys = self.index.keys(texts, MOST_TIES)
        missing = {k for t in texts for k in self._fitting(keys, t.point) if k not in found}
        if not missing:
            return
        # The distance of an element is that of its nearest name, which may be another one.
        names = self.index.points_of(self.collection, missing)
        ((points, distances),) = self.index.search(
            self.collection, self.vector[None], len(names), within=[list(names)]
        )
        named = self.index.texts(points.tolist())
        aliases = self._aliases(named, names)
        for point, distance in zip(points.tolist(), distances.tolist(), strict=True):
            for key in names[point]:
                alias = (point, key) in aliases
                candidate = Candidate(key, distance_of(distance), named[point].text, alias)
                found.setdefault(key, candidate)  # ascending: the first is the nearest

    def _aliases(
        self, texts: Mapping[int, Text], keys: Mapping[int, Sequence[str]]
    ) -> set[tuple[int, str]]:
        """What comes last of equal distances, as (point, id).

        Not a class whose name very many have: these are read in parts, in their order.
        """
        if self.kind != "node":
            return set()
        few = [point for point, text in texts.items() if text.keys <= index_names.FEW_KEYS]
        classes = {(p, key) for p in few for key in keys.get(p, ()) if key in self.classes}
        return self.index.aliases(list(texts)) | classes

    def _fitting(self, keys: Mapping[int, Sequence[str]], point: int) -> Iterator[str]:
        """The ids at a point that may be on the list."""
        start = "" if not self.of_value else '"' if self.kind == "node" else "literal:"
        return (key for key in keys.get(point, ()) if key.startswith(start))


def distance_of(measured: float) -> float:
    """A distance without the noise of 32-bit arithmetic."""
    return 0.0 if measured < ZERO else round(measured, 6)

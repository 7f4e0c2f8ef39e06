"""The facts around some nodes: the triples that a ranker chooses from.

They are read hop by hop in both directions, in batches. Degrees are read first: of a hub (a
node with more facts than ``cap``) a fair choice is kept, and where a hop has more facts than
the budget leaves, the nodes of lowest degree come first. Both choices go by names, not by ids
or the store's order, so that every store of one graph gives the same facts. The other facts
of values are not followed.

Where a Neo4j database has isomatch's plugin, one query reads everything, unless a choice
has to be made.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from isomatch.compile.base import Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.base import Query, Row, Store, chunked
from isomatch.store.profile import in_blocks
from isomatch.store.terms import display_name, is_blank, is_literal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.schema.types import Schema

    Places = NDArray[np.int64]

_LOG = logging.getLogger(__name__)
HOPS = 2
BUDGET = 20_000
CAP = 1_000
_NODES_A_QUERY = 500
_HUB_FACTS = 20_000  # of each side of a hub, to choose from
_ROUNDS = 4  # of one hop: facts that were known already leave room for more
_SPENT = ("max_nodes", "max_relationships", "time")

Namer = Callable[[Iterable[str]], Mapping[str, str]]
Fact = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Hub:
    """A node with more facts than were taken.

    Attributes:
        degree, kept: numbers of its facts, and of those taken.
        first: whether they were chosen among the store's first, not among all.
    """

    id: str
    degree: int
    kept: int
    first: bool = False


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Facts as arrays: fact ``i`` goes from ``nodes[heads[i]]`` to ``nodes[tails[i]]``.

    Attributes:
        nodes, names: ids, the topics first, then by name; and their names.
        relations: ids, by text.
        heads, links, tails: places in ``nodes``, ``relations`` and ``nodes``, shape
            (facts,); ordered by head, relation and tail.
        topics: how many of the nodes are topics.
        left_out: number of nodes within reach whose facts exceeded the budget.
        ended_by_time: whether the time ran out before all was read.
    """

    nodes: tuple[str, ...]
    names: tuple[str, ...]
    relations: tuple[str, ...]
    heads: Places
    links: Places
    tails: Places
    topics: int
    hubs: tuple[Hub, ...] = ()
    left_out: int = 0
    ended_by_time: bool = False

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is missing of the neighbourhood, in words."""
        named = dict(zip(self.nodes, self.names, strict=True))
        notes = [
            f"{named[hub.id]} has {hub.degree:,} facts, of which {hub.kept:,} were looked at"
            + (" (chosen among the first that the database gave)" if hub.first else "")
            for hub in self.hubs
        ]
        if self.left_out:
            notes.append(
                f"{self.left_out:,} nodes were not followed further: the budget of facts was spent"
            )
        if self.ended_by_time:
            notes.append("the time ran out before the whole neighbourhood was read")
        return tuple(notes)


def neighbourhood(
    store: Store,
    schema: Schema,
    topics: Sequence[str],
    names: Namer,
    *,
    hops: int = HOPS,
    budget: int = BUDGET,
    cap: int = CAP,
    seconds: float | None = None,
) -> Neighbourhood:
    """The facts within some hops of the topics.

    Args:
        topics: ids of nodes or values.
        names: display names by id.
        hops: maximum distance of a fact's nearer end from a topic, plus one.
        budget: maximum number of facts.
        cap: maximum number of facts of one node; a topic may have its share of half the
            budget where that is more.
        seconds: time limit, after which the facts so far are returned; None for none.

    Raises:
        StoreError: the database failed.
    """
    walk = _Walk(store, schema, names, budget, seconds)
    frontier = start = list(dict.fromkeys(topics))
    share = max(cap, budget // (2 * max(1, len(frontier))))
    walk.seen.update(frontier)
    caps = [share, *[cap] * (hops - 1)][:hops]
    try:
        if store.plugin is None or not walk.by_plugin(start, caps):
            for most in caps:
                frontier = walk.hop(frontier, most)
    except QueryTimeout:
        walk.ended_by_time = True
    return walk.result(start)


def types_of_nodes(
    store: Store, schema: Schema, nodes: Iterable[str], *, seconds: float | None = None
) -> dict[str, tuple[str, ...]]:
    """The types of each of some nodes, those of fewest nodes first; ids of types by id of node.

    Nodes without a type that the schema has are missing: blank nodes and values too.

    Args:
        seconds: time limit; None for none.

    Raises:
        StoreError: the database failed.
    """
    sizes = {type.id: type.nodes for type in schema.types}
    asked = [id for id in dict.fromkeys(nodes) if not (is_blank(id) or is_literal(id))]
    if not sizes or (schema.type_relation is None and not store.capabilities.property_graph):
        return {}
    found: dict[str, list[str]] = {}
    deadline = None if seconds is None else monotonic() + seconds
    for some in chunked(asked, _NODES_A_QUERY):
        left = None if deadline is None else max(deadline - monotonic(), 1e-3)
        query = dialect_of(store).types_of(Terms.of(schema), some)
        for i, type in store.run(query, timeout=left):
            if type in sizes:
                found.setdefault(some[_number(i)], []).append(type)
    return {id: tuple(sorted(types, key=lambda t: (sizes[t], t))) for id, types in found.items()}


def degrees_of_nodes(
    store: Store, schema: Schema, nodes: Iterable[str], *, seconds: float | None = None
) -> dict[str, int]:
    """The number of facts of each of some nodes, by id; none of blank nodes and values.

    Args:
        seconds: time limit; None for none.

    Raises:
        QueryTimeout: it ran out.
        StoreError: the database failed.
    """
    return _Walk(store, schema, lambda ids: {}, 0, seconds).degrees(nodes)


@dataclass(slots=True)
class _Around:
    """What the plugin read: each node's distance and number of facts, and the facts."""

    distance: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    facts: dict[Fact, None] = field(default_factory=dict)

    def fits(self, caps: Sequence[int], budget: int) -> bool:
        """Whether no node has more facts than its cap, and all come to no more than the budget."""
        for hop, cap in enumerate(caps):
            sizes = [self.sizes[id] for id, far in self.distance.items() if far == hop]
            budget -= sum(sizes)
            if budget < 0 or any(size > cap for size in sizes):
                return False
        return True


class _Walk:
    """The facts found so far."""

    def __init__(
        self, store: Store, schema: Schema, names: Namer, budget: int, seconds: float | None
    ):
        self.seen: set[str] = set()
        self.ended_by_time = False
        self._store = store
        self._schema = schema
        self._terms = Terms.of(schema)
        self._names = names
        self._budget = budget
        self._deadline = None if seconds is None else monotonic() + seconds
        self._facts: dict[Fact, None] = {}
        self._hubs: list[Hub] = []
        self._left_out = 0

    def by_plugin(self, topics: Sequence[str], caps: Sequence[int]) -> bool:
        """Take all facts by the database's plugin; whether all of them fit.

        Where a node has more facts than its cap, or the budget is too small, nothing is
        taken: the plugin chooses by the order that facts are stored in, `hop` by names. The
        nodes next to the topics are read first, as their degrees mostly tell already.
        """
        hops = len(caps)
        if not topics or not hops or any(is_literal(id) or is_blank(id) for id in topics):
            return False
        around: _Around | None = None
        for distance in sorted({1, hops}):
            around = self._by_plugin(topics, distance, max(caps))
            if around is None or not around.fits(caps, self._budget):
                return False
        assert around is not None
        known = self._schema.by_id
        self._facts = {fact: None for fact in around.facts if fact[1] in known}
        return True

    def _by_plugin(self, topics: Sequence[str], hops: int, hub: int) -> _Around | None:
        """What the plugin reads within some hops; None where it is not all of that."""
        query = dialect_of(self._store).subgraph(
            self._terms, topics, hops=hops, budget=self._budget, hub=hub
        )
        if query is None:
            return None
        try:
            rows = list(self._run(query, share=0.5))  # of the time: the rest is for `hop`
        except StoreError as error:  # not allowed, or too large for one transaction
            _LOG.info("the plugin gave no neighbourhood, it is read hop by hop: %s", error)
            return None
        around = _Around()
        for at, degree, cut, node, relation, end in rows:
            if cut in _SPENT or (cut is not None and _number(at) < hops):
                return None
            if node is None or relation is None or end is None:
                around.distance[node or ""] = _number(at)
                around.sizes[node or ""] = _number(degree)
                continue
            around.facts[node, relation, end] = None
            if is_literal(end) or node == end:
                around.sizes[node] += 1
        return around

    def hop(self, frontier: Sequence[str], cap: int) -> list[str]:
        """Take the facts of some nodes; returns the nodes that are new in them."""
        if self._left_out or not frontier:
            return []
        degrees = self.degrees(frontier)
        rest = self._in_order(frontier, degrees, cap)
        fresh: dict[str, None] = {}
        for _ in range(_ROUNDS):
            some = self._fitting(rest, degrees, cap)
            if not some:
                break
            rest = rest[len(some) :]
            hubs = [id for id in some if degrees.get(id, 0) > cap]
            for fact in self._facts_of([id for id in some if degrees.get(id, 0) <= cap]):
                self._facts[fact] = None
                fresh.update(dict.fromkeys((fact[0], fact[2])))
            for hub in hubs:
                for fact in self._chosen(hub, degrees[hub], cap):
                    self._facts[fact] = None
                    fresh.update(dict.fromkeys((fact[0], fact[2])))
        self._left_out = len(rest)
        found = [id for id in fresh if id not in self.seen and not is_literal(id)]
        self.seen.update(found)
        return found

    def _in_order(
        self, frontier: Sequence[str], degrees: Mapping[str, int], cap: int
    ) -> Sequence[str]:
        """In the given order where all fit, else by degree and then by name."""
        wanted = sum(min(degrees.get(id, 0), cap) for id in frontier)
        if wanted <= self._budget - len(self._facts):
            return frontier
        names = self._names(frontier)
        return sorted(frontier, key=lambda id: (degrees.get(id, 0), names[id], id))

    def _fitting(self, rest: Sequence[str], degrees: Mapping[str, int], cap: int) -> Sequence[str]:
        """The first nodes whose facts certainly fit."""
        left = self._budget - len(self._facts)
        for number, id in enumerate(rest):
            left -= min(degrees.get(id, 0), cap)
            if left < 0:
                return rest[:number]
        return rest

    # -- asking ---------------------------------------------------------------------------

    def degrees(self, nodes: Iterable[str]) -> dict[str, int]:
        """The number of facts of each node; 0 for blank nodes and values."""
        counts: dict[str, int] = {}
        for some in self._batches(nodes):
            if is_blank(some[0]) or is_literal(some[0]):
                continue
            for i, count in self._run(dialect_of(self._store).degrees(self._terms, some)):
                counts[some[_number(i)]] = int(count or 0)
        return counts

    def _facts_of(self, nodes: Sequence[str], limit: int | None = None) -> Iterator[Fact]:
        known = self._schema.by_id
        for some in self._batches(nodes):
            number = dict[str | None, str]()
            query = dialect_of(self._store).facts_of(self._terms, some, limit)
            for i, relation, end, back in self._run(query):
                if i not in number:
                    number[i] = some[0] if i is None else some[_number(i)]
                if relation is not None and relation in known and end is not None:
                    node, turned = number[i], back in ("true", "1")
                    yield (end, relation, node) if turned else (node, relation, end)

    def _batches(self, nodes: Iterable[str]) -> Iterator[list[str]]:
        """Batches of nodes, of values, and single blank nodes, which queries cannot name."""
        kinds: tuple[list[str], list[str], list[str]] = ([], [], [])
        for id in nodes:
            kinds[2 if is_blank(id) else 1 if is_literal(id) else 0].append(id)
        profile = self._store.profile
        for some in kinds[:2]:
            if profile is None:
                yield from chunked(some, _NODES_A_QUERY)
            else:  # two blocks of VALUES, of a number and an id
                for rows in in_blocks(profile, [("0", id) for id in some], share=2):
                    yield [id for _, id in rows]
        if profile is None:
            yield from ([id] for id in kinds[2])

    def _run(self, query: Query, *, share: float = 1.0) -> Iterator[Row]:
        left = None if self._deadline is None else max(share * (self._deadline - monotonic()), 1e-3)
        return self._store.run(query, timeout=left)

    # -- hubs -----------------------------------------------------------------------------

    def _chosen(self, hub: str, degree: int, cap: int) -> list[Fact]:
        """``cap`` facts of a hub: of each relation and side in turn, by the other end's name."""
        facts = list(dict.fromkeys(self._facts_of([hub], _HUB_FACTS)))
        names = self._names({fact[2] if fact[0] == hub else fact[0] for fact in facts})
        sides: dict[tuple[str, str, bool], list[tuple[str, str, Fact]]] = {}
        for fact in facts:
            back = fact[0] != hub
            end = fact[0] if back else fact[2]
            key = (self._text(fact[1]), fact[1], back)
            sides.setdefault(key, []).append((names[end], end, fact))
        turns = [
            (place, key, fact)
            for key, some in sides.items()
            for place, (_, _, fact) in enumerate(sorted(some))
        ]
        chosen = [fact for _, _, fact in sorted(turns)[:cap]]
        self._hubs.append(Hub(hub, degree, len(chosen), len(facts) < degree))
        return chosen

    # -- the result ------------------------------------------------------------------------

    def _text(self, relation: str) -> str:
        return self._schema.by_id[relation].text

    def result(self, topics: Sequence[str]) -> Neighbourhood:
        ids = {end for fact in self._facts for end in (fact[0], fact[2])}.union(topics)
        names = self._names(ids)
        others = sorted(ids.difference(topics), key=lambda id: (names[id], id))
        nodes = (*sorted(topics, key=lambda id: (names[id], id)), *others)
        used = {fact[1] for fact in self._facts}
        relations = tuple(sorted(used, key=lambda id: (self._text(id), id)))
        place = {id: i for i, id in enumerate(nodes)}
        link = {id: i for i, id in enumerate(relations)}
        rows = sorted((place[h], link[r], place[t]) for h, r, t in self._facts)
        columns = np.array(rows, np.int64).reshape(-1, 3).T
        heads, links, tails = np.ascontiguousarray(columns)
        return Neighbourhood(
            nodes,
            tuple(names[id] for id in nodes),
            relations,
            heads,
            links,
            tails,
            len(topics),
            tuple(self._hubs),
            self._left_out,
            self.ended_by_time,
        )


def _number(cell: str | None) -> int:
    return int(display_name(cell or "0"))

"""Relation chains in a graph: which relations follow which, and which chains exist.

Small queries with limits. Which relations follow which is cached, for a day and for the schema
that it was read with. A query that does not end in time is an error: what is read in part would
change which chains are tried, and so the answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from isomatch.compile.base import Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryTimeout
from isomatch.files import read_cached, write_cached
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Row, Store
from isomatch.store.terms import display_name, is_blank, is_literal

FILE = "successors.json"
SAMPLE = 200
FEW_RELATIONS = 64
EDGES = 20_000
BRANCHES = 16
NEW_STEPS = 200
SECONDS = 30.0  # for one query
CACHE_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """One hop: a relation's id, and whether it is walked from target to source."""

    relation: str
    back: bool = False

    @property
    def inverse(self) -> Step:
        """The same edge in the other direction."""
        return Step(self.relation, not self.back)


Chain = tuple[Step, ...]
Nodes = Literal["anchored", "repeat", "walk"]


class ChainGraph:
    """Relation chains of one graph.

    Which relations can follow a relation is read once for each of its ends, over a
    sample of 200 nodes, and cached in ``folder``. A relation that fewer than one in
    200 of these nodes have may be missed; interpreters, which only rank, tolerate that.

    Args:
        store: the graph.
        schema: its relations.
        folder: of the cache; None keeps it in memory only.
        timeout: seconds for one query.
        steps: of how many steps one question may ask what follows them, cached or not: the
            same question then has the same chains.
    """

    def __init__(
        self,
        store: Store,
        schema: Schema,
        folder: Path | None = None,
        *,
        timeout: float = SECONDS,
        steps: int = NEW_STEPS,
    ):
        self.schema = schema
        self._store = store
        self._now: Store | None = None  # as of the question
        self._terms = Terms.of(schema)
        self._timeout = timeout
        self._path = None if folder is None else folder / FILE
        self._since = time.time()  # the oldest that is cached
        self._followers = read_cached(self._path, schema.digest, self._checked) or {}
        self._changed = False
        self._steps = steps
        self._asked: set[Step] = set()
        self._steps_of: dict[tuple[str, ...], Mapping[Step, float]] = {}  # as of the question
        self._types_of: dict[tuple[str, ...], Mapping[str, frozenset[str]]] = {}
        self._few = (
            [r.id for r in schema.relations] if len(schema.relations) <= FEW_RELATIONS else []
        )

    def around(self, ids: Sequence[str]) -> Mapping[Step, float]:
        """The steps that lead away from these nodes, with the share of nodes that have each."""
        key = tuple(ids)
        if key not in self._steps_of:
            self._steps_of[key] = self._around_each(ids)
        return self._steps_of[key]

    def _around_each(self, ids: Sequence[str]) -> Mapping[Step, float]:
        named = [id for id in ids if not is_blank(id)]
        counts: Counter[Step] = Counter()
        for some in (
            [id for id in named if not is_literal(id)],
            [id for id in named if is_literal(id)],
        ):
            if some:
                counts.update(self._around(some))
        return {step: count / len(named) for step, count in counts.items()}

    def types_of(self, ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The types of some nodes, as far as the schema has them; of those that have one."""
        key = tuple(id for id in ids if not is_blank(id) and not is_literal(id))
        if key and self.schema.typed and key not in self._types_of:
            found: dict[str, frozenset[str]] = {}
            query = dialect_of(self._graph()).types_of(self._terms, key)
            for number, type in self._rows(query, "of which types the named things are"):
                if number is not None and type is not None and type in self.schema.sizes:
                    id = key[int(display_name(number))]
                    found[id] = found.get(id, frozenset()) | {type}
            self._types_of[key] = found
        return self._types_of.get(key, {})

    @property
    def snapshot(self) -> Store | None:
        """The graph as of the question; None where nothing was asked of it yet."""
        return self._now

    def begin(self, *, same: bool = False) -> None:
        """Start a new question, about the graph as it is by then.

        Args:
            same: about the graph as it was for the question before; what was read is kept.
        """
        self._asked = set()
        if not same:
            self._steps_of, self._types_of = {}, {}
            self._now = None

    def followers(self, step: Step) -> Mapping[Step, float]:
        """The steps that can follow a step, with the share of its ends that have each.

        Empty once the question has asked of as many steps as it may.

        Raises:
            QueryTimeout: the database did not answer in time.
        """
        if step not in self._asked:
            if len(self._asked) == self._steps:
                return {}
            self._asked.add(step)
        if step not in self._followers:
            counts = self._around(end=(step.relation, step.back))
            # Every node of the sample can be left by the edge that led there.
            nodes = max(counts.values(), default=1)
            self._followers[step] = {s: count / nodes for s, count in counts.items()}
            self._changed = True
        return self._followers[step]

    def allowed(self, before: Step, step: Step) -> bool:
        """Whether a step makes sense after another.

        Walking straight back needs an end with several edges: film, director,
        other films of the director.
        """
        if step != before.inverse:
            return True
        return not self.schema.by_id[step.relation].leads_to_one(back=step.back)

    def existing(
        self, topics: Sequence[str], chains: Sequence[Chain], *, nodes: Nodes = "anchored"
    ) -> list[bool]:
        """Whether each chain can be walked from one of the nodes."""
        return self.existing_from([(topics, chain) for chain in chains], nodes=nodes)

    def existing_from(
        self, walks: Sequence[tuple[Sequence[str], Chain]], *, nodes: Nodes = "anchored"
    ) -> list[bool]:
        """Whether each chain can be walked from one of the nodes beside it.

        Args:
            nodes: what a walk may meet again, as in `isomatch.options.Options`:
                its topic under ``repeat`` and ``walk``, an edge under ``walk``.
        """
        return self._exist([_walk(topics, chain, nodes) for topics, chain in walks])

    def joined(
        self,
        left: Sequence[str],
        right: Sequence[str],
        pairs: Sequence[tuple[Chain, Chain]],
        *,
        nodes: Nodes = "anchored",
    ) -> list[bool]:
        """Whether a chain from a left node and another from a right one end in one node."""
        return self._exist([_meeting(left, right, pair, nodes) for pair in pairs])

    def save(self) -> None:
        """Write the cache, if anything was added."""
        if self._path is not None and self._changed:
            followers = [
                (step.relation, step.back, [(s.relation, s.back, n) for s, n in shares.items()])
                for step, shares in self._followers.items()
            ]
            content = {"since": self._since, "followers": followers}
            write_cached(self._path, self.schema.digest, content)
            self._changed = False

    def _around(
        self, ids: Sequence[str] = (), end: tuple[str, bool] | None = None
    ) -> dict[Step, int]:
        if end and not end[1] and self._store.capabilities.property_graph and end[0][0] == ".":
            return {Step(end[0], True): 1}  # values are left the way they were come by
        query = dialect_of(self._graph()).around(
            self._terms, self._few, ids=ids, end=end, sample=SAMPLE, edges=EDGES
        )
        known = self.schema.by_id
        return {
            Step(relation, back in ("true", "1")): int(count)
            for relation, back, count in self._rows(query, "which relations lead away")
            if relation is not None and relation in known and count
        }

    def _exist(self, chains: Sequence[Mapping[str, object]]) -> list[bool]:
        found = [False] * len(chains)
        for first in range(0, len(chains), BRANCHES):
            query = dialect_of(self._graph()).walks(self._terms, chains[first : first + BRANCHES])
            for (row,) in self._rows(query, "which chains of relations exist"):
                found[first + int(row or 0)] = True
        return found

    def _graph(self) -> Store:
        self._now = self._now or self._store.snapshot()
        return self._now

    def _rows(self, query: Query, what: str) -> list[Row]:
        try:
            return list(self._graph().run(query, timeout=self._timeout))
        except QueryTimeout as error:
            raise QueryTimeout(
                f"the database did not say within {self._timeout:g} s {what}, so the question "
                f"cannot be read; ask again when it is less busy, or give a pattern ({error})"
            ) from error

    def _checked(self, content: Mapping[str, Any]) -> dict[Step, dict[Step, float]]:
        """A cache's content; a ValueError where it is too old, or not of this schema."""
        found = {
            Step(relation, back): {Step(r, b): float(share) for r, b, share in followers}
            for relation, back, followers in content["followers"]
        }
        named = {step.relation for step in found}
        named.update(step.relation for shares in found.values() for step in shares)
        if not 0 <= time.time() - content["since"] < CACHE_SECONDS or named - set(
            self.schema.by_id
        ):
            raise ValueError("an old cache, or one of another schema")
        self._since = content["since"]
        return found


def _walk(topics: Sequence[str], chain: Chain, nodes: Nodes) -> Mapping[str, object]:
    names = [f"n{i}" for i in range(len(chain) + 1)]
    apart = _turns(names, chain, nodes)
    if nodes == "anchored":
        apart |= {("n0", name) for name in names[1:]}
    return {
        "nodes": nodes,
        "known": [("n0", _named(topics))],
        "edges": _edges(names, chain),
        "apart": sorted(apart),
    }


def _meeting(
    left: Sequence[str], right: Sequence[str], pair: tuple[Chain, Chain], nodes: Nodes
) -> Mapping[str, object]:
    """Chains from ``a`` and from ``b`` that both end in ``x``."""
    paths = [
        [start, *(f"{start}{i}" for i in range(1, len(chain))), "x"]
        for start, chain in zip("ab", pair, strict=True)
    ]
    apart = {p for path, chain in zip(paths, pair, strict=True) for p in _turns(path, chain, nodes)}
    if pair[0][-1] == pair[1][-1] and nodes != "walk":  # the edges into x are two
        apart.add((paths[0][-2], paths[1][-2]))
    if nodes == "anchored":
        unknown = {name for path in paths for name in path[1:]}
        apart |= {(name, known) for name in unknown for known in "ab"}
    return {
        "nodes": nodes,
        "known": [("a", _named(left)), ("b", _named(right))],
        "edges": [e for path, chain in zip(paths, pair, strict=True) for e in _edges(path, chain)],
        "apart": sorted(apart),
    }


def _named(ids: Sequence[str]) -> list[str]:
    return [id for id in ids if not is_blank(id)]


def _turns(names: Sequence[str], chain: Chain, nodes: Nodes) -> set[tuple[str, str]]:
    """The nodes before and after each step that walks back: no edge comes twice but in a walk."""
    if nodes == "walk":
        return set()
    return {
        (names[i - 1], names[i + 1])
        for i, (before, step) in enumerate(pairwise(chain), 1)
        if step == before.inverse
    }


def _edges(names: Sequence[str], chain: Chain) -> list[tuple[str, str, str]]:
    return [_edge(names[i], step, names[i + 1]) for i, step in enumerate(chain)]


def _edge(here: str, step: Step, there: str) -> tuple[str, str, str]:
    return (there, step.relation, here) if step.back else (here, step.relation, there)

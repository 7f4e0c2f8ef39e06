"""Relation chains in a graph: which relations follow which, and which chains exist.

Small queries with limits; which relations follow which is cached by fingerprint.
"""

from __future__ import annotations

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
from isomatch.store.base import Store
from isomatch.store.terms import is_blank, is_literal

FILE = "successors.json"
SAMPLE = 200
FEW_RELATIONS = 64
EDGES = 20_000
BRANCHES = 16
NEW_STEPS = 200


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
        timeout: seconds for one query; a chain whose query did not end in time counts
            as existing, and the search finds out.
        steps: how many steps that are not cached yet one question may read.
    """

    def __init__(
        self,
        store: Store,
        schema: Schema,
        folder: Path | None = None,
        *,
        timeout: float = 2.0,
        steps: int = NEW_STEPS,
    ):
        self.schema = schema
        self._store = store
        self._terms = Terms.of(schema)
        self._timeout = timeout
        self._path = None if folder is None else folder / FILE
        self._followers = _read(self._path, schema.fingerprint)
        self._changed = False
        self._steps = self._left = steps
        self._few = (
            [r.id for r in schema.relations] if len(schema.relations) <= FEW_RELATIONS else []
        )

    def around(self, ids: Sequence[str]) -> Mapping[Step, float]:
        """The steps that lead away from these nodes, with the share of nodes that have each."""
        named = [id for id in ids if not is_blank(id)]
        counts: Counter[Step] = Counter()
        for some in (
            [id for id in named if not is_literal(id)],
            [id for id in named if is_literal(id)],
        ):
            if some:
                counts.update(self._around(some))
        return {step: count / len(named) for step, count in counts.items()}

    def begin(self) -> None:
        """Start a new question, which may read further steps."""
        self._left = self._steps

    def followers(self, step: Step) -> Mapping[Step, float]:
        """The steps that can follow a step, with the share of its ends that have each.

        Empty for a step that is not cached once the question has read as many as it
        may: a graph of many relations is read over several questions.
        """
        if step not in self._followers:
            if self._left == 0:
                return {}
            self._left -= 1
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
        relation = self.schema.by_id[step.relation]
        return (relation.max_in if step.back else relation.max_out) != 1

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
            _write(self._path, self.schema.fingerprint, self._followers)
            self._changed = False

    def _around(
        self, ids: Sequence[str] = (), end: tuple[str, bool] | None = None
    ) -> dict[Step, int]:
        query = dialect_of(self._store).around(
            self._terms, self._few, ids=ids, end=end, sample=SAMPLE, edges=EDGES
        )
        known = self.schema.by_id
        found: dict[Step, int] = {}
        try:
            for relation, back, count in self._store.run(query, timeout=self._timeout):
                if relation is not None and relation in known and count:
                    found[Step(relation, back in ("true", "1"))] = int(count)
        except QueryTimeout:
            pass  # a ranking needs no more than what came in time
        return found

    def _exist(self, chains: Sequence[Mapping[str, object]]) -> list[bool]:
        found = [False] * len(chains)
        for first in range(0, len(chains), BRANCHES):
            batch = chains[first : first + BRANCHES]
            query = dialect_of(self._store).walks(self._terms, batch)
            try:
                for (row,) in self._store.run(query, timeout=self._timeout):
                    found[first + int(row or 0)] = True
            except QueryTimeout:
                found[first : first + len(batch)] = [True] * len(batch)
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


def _read(path: Path | None, fingerprint: str) -> dict[Step, dict[Step, float]]:
    return read_cached(path, fingerprint, _followers) or {}


def _followers(rows: Any) -> dict[Step, dict[Step, float]]:
    return {
        Step(relation, back): {Step(r, b): float(share) for r, b, share in followers}
        for relation, back, followers in rows
    }


def _write(path: Path, fingerprint: str, known: Mapping[Step, Mapping[Step, float]]) -> None:
    followers = [
        (step.relation, step.back, [(s.relation, s.back, share) for s, share in shares.items()])
        for step, shares in known.items()
    ]
    write_cached(path, fingerprint, followers)

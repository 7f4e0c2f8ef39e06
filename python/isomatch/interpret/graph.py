"""What the graph says about relation chains: which relations follow which, and
whether a chain exists from a node. Small queries with limits, kept by fingerprint.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from isomatch.compile.base import Terms
from isomatch.errors import QueryTimeout
from isomatch.schema.model import Schema
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


class ChainGraph:
    """Relation chains of one graph.

    Which relation can follow which is a property of the graph: it is asked once
    for each end of a relation, over a sample of 200 nodes there, and kept in
    ``folder`` with the fingerprint. What fewer than one in 200 nodes have is
    thus missed now and then, which a guess at a question's meaning can bear.

    Args:
        store: the graph.
        schema: its relations.
        folder: where the answers are kept; None keeps them in memory.
        timeout: seconds for one query; what did not end in time counts as
            existing, and the match finds out.
        steps: how many steps one question may ask about that are not known yet.
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
        """A new question: it may ask about further steps."""
        self._left = self._steps

    def followers(self, step: Step) -> Mapping[Step, float]:
        """The steps that can follow a step, with the share of its ends that have each.

        None for a step that is not known once the question has asked about as
        many as it may: a graph of many relations is learnt over several questions.
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

    def existing(self, topics: Sequence[str], chains: Sequence[Chain]) -> list[bool]:
        """Whether each chain can be walked from one of the nodes."""
        named = [id for id in topics if not is_blank(id)]
        return self._exist([_walk(named, chain) for chain in chains])

    def joined(
        self, left: Sequence[str], right: Sequence[str], pairs: Sequence[tuple[Step, Step]]
    ) -> list[bool]:
        """Whether one node is a step from a left node and another step from a right one."""
        return self._exist(
            [
                {
                    "known": [("a", left), ("b", right)],
                    "edges": [_edge("a", s, "x"), _edge("b", t, "x")],
                    "apart": [("x", "a"), ("x", "b")],
                }
                for s, t in pairs
            ]
        )

    def save(self) -> None:
        """Keep what was learnt of the graph, if anything was."""
        if self._path is not None and self._changed:
            _write(self._path, self.schema.fingerprint, self._followers)
            self._changed = False

    def _around(
        self, ids: Sequence[str] = (), end: tuple[str, bool] | None = None
    ) -> dict[Step, int]:
        query = self._store.dialect.around(
            self._terms, self._few, ids=ids, end=end, sample=SAMPLE, edges=EDGES
        )
        known = self.schema.by_id
        found: dict[Step, int] = {}
        try:
            for relation, back, count in self._store.run(query, timeout=self._timeout):
                if relation is not None and relation in known and count:
                    found[Step(relation, back in ("true", "1"))] = int(count)
        except QueryTimeout:
            pass  # what came in time is what there is to guess with
        return found

    def _exist(self, chains: Sequence[Mapping[str, object]]) -> list[bool]:
        found = [False] * len(chains)
        for first in range(0, len(chains), BRANCHES):
            batch = chains[first : first + BRANCHES]
            query = self._store.dialect.walks(self._terms, batch)
            try:
                for (row,) in self._store.run(query, timeout=self._timeout):
                    found[first + int(row or 0)] = True
            except QueryTimeout:
                found[first : first + len(batch)] = [True] * len(batch)
        return found


def _walk(topics: Sequence[str], chain: Chain) -> Mapping[str, object]:
    names = [f"n{i}" for i in range(len(chain) + 1)]
    apart = {("n0", name) for name in names[1:]}
    for i, (before, step) in enumerate(pairwise(chain), 1):
        if step == before.inverse:
            apart.add((f"n{i - 1}", f"n{i + 1}"))
    return {
        "known": [("n0", topics)],
        "edges": [_edge(names[i], step, names[i + 1]) for i, step in enumerate(chain)],
        "apart": sorted(apart),
    }


def _edge(here: str, step: Step, there: str) -> tuple[str, str, str]:
    return (there, step.relation, here) if step.back else (here, step.relation, there)


def _read(path: Path | None, fingerprint: str) -> dict[Step, dict[Step, float]]:
    if path is None:
        return {}
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["fingerprint"] != fingerprint:
            return {}
        return {
            Step(relation, back): {Step(r, b): float(share) for r, b, share in followers}
            for relation, back, followers in kept["followers"]
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # a cache: what cannot be read is asked again


def _write(path: Path, fingerprint: str, followers: Mapping[Step, Mapping[Step, float]]) -> None:
    kept = {
        "fingerprint": fingerprint,
        "followers": [
            (step.relation, step.back, [(s.relation, s.back, share) for s, share in found.items()])
            for step, found in followers.items()
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.part")
    partial.write_text(json.dumps(kept), encoding="utf-8")
    partial.replace(path)

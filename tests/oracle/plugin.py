"""A store with the plugin, made of brute force: what it is called with is all that it knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import inf
from typing import Any

from tests.oracle.brute import Embedding, Interpretation, Lists, interpretations
from tests.oracle.checks import least
from tests.oracle.property_graph import PropertyGraph

import isomatch
from isomatch.pattern.wire import parse_json
from isomatch.store.base import Fact, MatchedTriple, Query, Ranked, Row, Store, StoreInfo
from isomatch.store.cypher import CYPHER, NEO4J
from isomatch.store.values import to_id


class BrutePlugin(Store):
    """Searches as the plugin is to do it; ids of nodes are their names.

    Attributes:
        calls: the parameters of every search, in order.
        says: parts of the summary that differ from the truth.
    """

    capabilities = NEO4J
    templates = CYPHER
    plugin = isomatch.__version__

    def __init__(self, graph: PropertyGraph, **says: Any):
        self.graph = graph
        self.calls: list[Mapping[str, Any]] = []
        self.says = says

    def ranked(
        self, query: Query, *, timeout: float | None = None
    ) -> tuple[list[Ranked], Mapping[str, Any]]:
        """See `Store.ranked`."""
        self.calls.append(query.parameters)
        config = query.parameters["config"]
        assert config["client"] == isomatch.__version__
        assert config["summary"] is True
        pattern = parse_json(query.parameters["pattern"])
        given = config["candidates"]
        lists = Lists(
            {part: _entries(one) for part, one in given["nodes"].items()},
            {int(edge): _entries(one) for edge, one in given["relations"].items()},
            {part: _entries(one) for part, one in given["types"].items()},
        )
        assert set(lists.types) == {node.id for node in pattern.nodes if node.type}
        truth = interpretations(
            self.graph,
            pattern,
            lists,
            nodes=config["nodes"],
            direction=config["direction"],
            type_weight=config["type_weight"],
        )
        unknown = [e for e, edge in enumerate(pattern.edges) if edge.relation is None]
        limit = config["limit"]

        def ranked(
            rank: int, gsd: float, interpretation: Interpretation, matches: Sequence[Embedding]
        ) -> Ranked:
            rows = [(*m.nodes, *(m.relations[e] for e in unknown)) for m in matches]
            types = tuple(interpretation.types.get(node.id) for node in pattern.nodes)
            return Ranked(rank, gsd, tuple(dict.fromkeys(rows)), matches[0].relations, types)

        if config["results"] == "matches":
            nearest = sorted(least(truth).items(), key=lambda item: item[1])
            found = [
                ranked(rank, gsd, next(r for r in truth if m in r.matches and r.gsd == gsd), [m])
                for rank, (m, gsd) in enumerate(nearest[: config["k"]], 1)
            ]
        else:
            found = [
                ranked(rank, r.gsd, r, sorted(r.matches, key=repr)[:limit])
                for rank, r in enumerate(truth[: config["k"]], 1)
            ]
        bound = _bound(given, config["type_weight"])
        ended_by = None
        rows = config["budget_rows"]
        while rows is not None and sum(len(one.rows) for one in found) > rows:
            bound, ended_by = found.pop().gsd, "rows"
        said = {
            "bound": None if bound == inf else bound,
            "ended_by": ended_by,
            "gone": 0,
            "memory": 0,
            "examined": len(truth),
        }
        return found, {**said, **self.says}

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """See `Store.facts`."""
        stored: list[tuple[Fact, ...]] = []
        for a, relation, b, *value in triples:
            ways = [
                Fact(f.source == a, f"r{f.number}" if f.number else None)
                for f in self.graph.facts
                if f.relation == relation
                and (f.source, f.target) in ((a, b), (b, a))
                and any(
                    not value or [v, k][: len(value)] == value for k, v in f.values or {("", "")}
                )
            ]
            stored.append(tuple(sorted(ways, key=lambda fact: not fact.forward)))
        return stored

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        """Nothing else is asked of it."""
        raise AssertionError(f"asked for {query.name}")

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """Nothing else is asked of it."""
        raise AssertionError("asked for incidence")

    def describe(self) -> StoreInfo:
        """See `Store.describe`."""
        return StoreInfo("brute force", "memory", self.plugin)

    def fingerprint(self) -> str:
        """See `Store.fingerprint`."""
        return "random"

    def close(self) -> None:
        """See `Store.close`."""


def _entries(given: Mapping[str, Any]) -> dict[str, float]:
    assert list(given["distances"]) == sorted(given["distances"])
    ids = [to_id(id[0]) if isinstance(id, list) else id for id in given["ids"]]
    return dict(zip(ids, given["distances"], strict=True))


def _bound(given: Mapping[str, Any], type_weight: float) -> float:
    """No interpretation with something that was not sent has a smaller distance."""
    lists = [
        (one, type_weight if kind == "types" else 1.0)
        for kind, parts in given.items()
        for one in parts.values()
    ]
    nearest = [one["distances"][0] * w if one["distances"] else inf for one, w in lists]
    total = sum(nearest)
    beyond = (
        total - nearest[i] + one["frontier"] * w
        for i, (one, w) in enumerate(lists)
        if one["frontier"] < inf
    )
    return min(chain([inf], beyond))

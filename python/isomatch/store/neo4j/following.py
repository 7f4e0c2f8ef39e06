"""Follows ways through a graph's copy in memory, as ``follow.cypher.j2`` does in the server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from time import perf_counter
from typing import Any, Protocol

from isomatch.errors import QueryTimeout
from isomatch.store.base import Row
from isomatch.store.neo4j.copy_values import Edge, equal, same
from isomatch.store.values import to_id

LOOK_EVERY = 1024  # steps between two looks at the clock

Check = Callable[..., bool]


class Graph(Protocol):
    """What ways are followed through, see `isomatch.store.neo4j.copy.GraphCopy`."""

    @property
    def labels(self) -> Mapping[str, Sequence[str]]: ...

    @property
    def lists(self) -> Collection[tuple[str, str]]: ...

    def has(self, id: str | None, key: str) -> Sequence[str]: ...

    def edges(self, id: str | None, type: str) -> Sequence[Edge]: ...

    def holders(self, key: str, value: str) -> Sequence[str]: ...

    def is_any(self, id: str, labels: Sequence[str]) -> bool: ...

    def shown(self, id: str, no_labels: Collection[str]) -> bool: ...


class Following:
    """Follows ways hop by hop.

    Args:
        given: the parameters of the query, as of `with_hops`.
        timeout: seconds; None for no limit.
    """

    def __init__(self, graph: Graph, given: Mapping[str, Any], timeout: float | None):
        self._graph = graph
        self._given = given
        self._timeout = timeout
        self._ends = None if timeout is None else perf_counter() + timeout
        self._steps = 0

    def rows(self) -> Iterator[tuple[int, Row]]:
        """The number of the row and what is shown, of the first rows that match."""
        wanted = self._given["wanted"]
        for row in self._given["rows"]:
            found: dict[tuple[Any, ...], Row] = {}
            for shown in chain.from_iterable(map(self._way, row["ways"])):
                found.setdefault(tuple(map(same, shown)), shown)
                if len(found) == self._given["limit"]:
                    break
            yield from ((row["i"], shown) for shown in found.values())
            wanted -= bool(found)
            if not wanted:
                return

    def _way(self, way: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        id, value = way.get("id"), way.get("value")
        if id is not None and id not in self._graph.labels:
            return
        hops, form = way["hops"], self._given["forms"][way["form"]]
        checks = self._checks(form, len(hops))
        nodes: list[str | None] = [id, *[None] * len(hops)]
        values: list[str | None] = [None if value is None else to_id(value), *[None] * len(hops)]
        edges: list[str | None] = [None] * (len(hops) + 1)
        if not all(check(nodes, values, edges) for check in checks[0]):
            return
        stack = [self._hop(hops[0], nodes, values)]
        while stack:
            place = len(stack)
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                continue
            self._tick()
            nodes[place], values[place], edges[place] = step
            if not all(check(nodes, values, edges) for check in checks[place]):
                continue
            if place < len(hops):
                stack.append(self._hop(hops[place], nodes, values))
            else:
                yield tuple(nodes[p] or values[p] or "" for p in form["shown"])

    def _hop(
        self, hop: Mapping[str, Any], nodes: Sequence[str | None], values: Sequence[str | None]
    ) -> Iterator[tuple[str | None, str | None, str | None]]:
        """The node, value and relationship that a hop leads to."""
        graph, here, relation = self._graph, hop["f"], hop["r"]
        id, value = hop.get("id"), hop.get("value")
        wanted = None if value is None else same(to_id(value) or "")
        if hop["how"] == "read":
            return (
                (None, v, None)
                for v in (graph.has(nodes[here], relation) if id is None else ())
                if wanted is None or same(v) == wanted
            )
        if hop["how"] == "walk":
            return (
                (edge.other, None, edge.id)
                for edge in (graph.edges(nodes[here], relation) if wanted is None else ())
                if hop.get("out") in (None, edge.out) or edge.out is None
                if id is None or edge.other == id
            )
        holders = graph.holders(relation, values[here] or "") if wanted is None else ()
        return (
            (node, None, None)
            for node in holders
            if (id is None or node == id) and graph.is_any(node, hop["places"])
        )

    def _checks(self, form: Mapping[str, Any], hops: int) -> list[list[Check]]:
        """What must hold of places, by the last place that it is about."""
        graph, given = self._graph, self._given
        checks: list[list[Check]] = [[] for _ in range(hops + 1)]
        for p in range(hops + 1) if (no := given.get("no_labels", ())) else ():
            checks[p].append(lambda n, v, e, p=p: n[p] is None or graph.shown(n[p], no))
        for a, b in form["apart"]:
            checks[max(a, b)].append(
                lambda n, v, _, a=a, b=b: (
                    (n[a] is None or n[a] != n[b]) and (v[a] is None or not equal(v[a], v[b]))
                )
            )
        for a, b in form["edges"]:
            checks[max(a, b) + 1].append(lambda n, v, e, a=a + 1, b=b + 1: e[a] != e[b])
        for p, label in form["labels"]:
            checks[p].append(lambda n, v, e, p=p, label=label: label in graph.labels[n[p]])
        for a, x, b, y in form["facts"]:
            checks[max(a, x, b, y)].append(
                lambda n, v, e, a=a, x=x, b=b, y=y: n[a] != n[b] or not equal(v[x], v[y])
            )
        for p, key in form["names"]:
            labels = given["naming"].get(key, [])
            checks[p].append(
                lambda n, v, e, p=p, labels=labels: not set(labels).intersection(graph.labels[n[p]])
            )
        for p, x in form["called"]:
            checks[max(p, x)].append(lambda n, v, e, p=p, x=x: not self._called(n[p], v[x]))
        return checks

    def _called(self, node: str, value: str) -> bool:
        graph = self._graph
        return any(
            (label is None or label in graph.labels[node])
            and (node, key) not in graph.lists
            and any(equal(value, other) for other in graph.has(node, key))
            for label, key in self._given["called"]
        )

    def _tick(self) -> None:
        self._steps += 1
        if self._steps % LOOK_EVERY == 0 and self._ends is not None and perf_counter() > self._ends:
            raise QueryTimeout(f"the copy in memory did not answer within {self._timeout:.3g} s")


def with_hops(asked: Mapping[str, Any], places: Sequence[str]) -> dict[str, Any]:
    """What is asked, with the hops themselves in the ways that share them.

    Args:
        places: as of `isomatch.compile.follow.places`; of a large graph, where hops have these
            names for the labels of those that hold a value.
    """
    hops = asked["hops"]
    if places not in ([], [""]):
        hops = [
            {**hop, "places": [name[1 : -len(hop["r"]) - 1] for name in hop["places"]]}
            if "places" in hop
            else hop
            for hop in hops
        ]
    rows = [
        {**row, "ways": [{**way, "hops": [hops[h] for h in way["hops"]]} for way in row["ways"]]}
        for row in asked["rows"]
    ]
    return {"rows": rows, "forms": asked["forms"]}

"""A small graph in memory, which answers what is asked of a graph again and again.

Reading a question tries hundreds of chains of relations, each of which costs a server more to
plan than to follow. A copy is of one state of the graph (`Neo4jStore.snapshot`), and answers as
the server would; what it does not hold is left to the server.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from time import perf_counter
from typing import Any

from isomatch.errors import QueryTimeout
from isomatch.store.base import PARALLEL, Fact, MatchedTriple, Query, Row
from isomatch.store.terms import XSD, is_literal, split_literal
from isomatch.store.values import from_id, plain, to_id

LONG = 1000  # characters of a text
MEMBERS = 32  # of a list; longer ones are embeddings, of which a copy would be of little else
LOOK_EVERY = 1024  # steps between two looks at the clock

Rows = Iterable[Sequence[Any]]
Values = dict[str, list[str]]  # ids of the values of each key


class LongText(str):
    """Stands for a text that was not read; the one of the same place is the same one."""


class _Unknown(Exception):
    """What was asked depends on the words of a long text, or on how the server writes a value."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship, as seen from one of its nodes; ``out`` is None for one to itself."""

    id: str
    other: str
    out: bool | None
    values: Values = field(compare=False)


class GraphCopy:
    """Nodes and relationships by id.

    Args:
        nodes, relationships: rows of ``store/copy_nodes.cypher.j2`` and
            ``store/copy_relationships.cypher.j2``.
    """

    def __init__(self, nodes: Rows, relationships: Rows):
        self.labels: dict[str, list[str]] = {}
        self.lists: set[tuple[str, str]] = set()  # (node, key) of properties that are lists
        self._values: dict[str, Values] = {}
        self._edges: dict[str, dict[str, list[Edge]]] = {}
        self._ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._long: set[str] = set()  # keys of texts that are not here
        self._lacking: set[str] = set()  # keys of lists, or of other values, that are not here
        self._whole = True  # whether no relationship lacks a value
        self._holders: dict[str, dict[Any, list[str]]] = {}  # nodes by key and value
        for id, labels, keys, lists, properties in sorted(nodes, key=_place):
            values, lost = _read(properties)
            self._lacking |= lost | {key for key in lists if key not in values}
            self._long |= {key for key in keys if key not in values and key not in lists}
            values |= {key: [LongText(f"{id} {key}")] for key in keys if key not in values}
            self.labels[id], self._values[id], self._edges[id] = labels, values, {}
            self.lists |= {(id, key) for key in lists}
        for id, type, source, target, keys, properties in sorted(relationships, key=_place):
            values, lost = _read(properties)
            self._whole &= not lost and len(values) == keys
            self._ends[type].append((source, target))
            loop = source == target
            for here, there, out in ((source, target, True), (target, source, False))[: 2 - loop]:
                edge = Edge(id, there, None if loop else out, values)
                self._edges[here].setdefault(type, []).append(edge)

    def answer(self, query: Query, timeout: float | None) -> list[Row] | None:
        """A query's rows, perhaps with long texts; None for one that only the server can answer.

        Raises:
            QueryTimeout: it took longer than ``timeout`` seconds.
        """
        try:
            return self._answer(query, timeout)
        except _Unknown:
            return None

    def _answer(self, query: Query, timeout: float | None) -> list[Row] | None:
        given = query.parameters
        if query.ways:
            given = {**given, **_with_hops(given["asked"])}
            if given["places"] not in ([], [""]) or not self._holds(given):
                return None
            width = len(query.columns) - 1
            found = _Following(self, given, timeout).rows()
            return [(str(i), *(*row, *[None] * width)[:width]) for i, row in found]
        if query.name == "schema names" and "ids" in given:
            return self._names(given)
        if query.name != "around":
            return None
        if "values" not in given:
            return self._around(given)
        lacking = self._lacking
        if any(map(_is_long, given["values"])):
            lacking = lacking | self._long
        return None if lacking.intersection(given["sources"]) else self._of_values(given)

    def incidence(self, nodes: Sequence[str], relations: Sequence[str]) -> set[tuple[str, str]]:
        """`Store.incidence` of nodes that are not values."""
        return {
            (node, port)
            for node in set(nodes) & self._edges.keys()
            for port in self._ports(node, loops=True)
            if port[1:] in relations
        }

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]] | None:
        """`Store.facts`; None where a relationship has values that are not here."""
        found: list[tuple[Fact, ...]] = []
        for a, relation, b, *carried in triples:
            value, keys = carried[0] if carried else None, carried[1:]
            if not relation.startswith(":"):
                found.append((Fact(not is_literal(a)),))
                continue
            facts = [
                Fact(edge.out is not False, edge.id, _shown(edge.values))
                for edge in self._edges.get(a, {}).get(relation[1:], ())
                if edge.other == b and (value is None or _carries(edge.values, value, keys))
            ]
            found.append(tuple(sorted(facts[: PARALLEL + 1], key=lambda fact: not fact.forward)))
        return found if self._whole else None

    # -- what it holds ------------------------------------------------------------------

    def has(self, id: str | None, key: str) -> list[str]:
        """The values of a node's property."""
        return self._values.get(id or "", {}).get(key, [])

    def edges(self, id: str | None, type: str) -> Sequence[Edge]:
        """The relationships of a type that a node has."""
        return self._edges.get(id or "", {}).get(type, ())

    def holders(self, key: str, value: str) -> Sequence[str]:
        """The nodes that have a value of a property."""
        if isinstance(value, LongText) or (_is_long(value) and key in self._long):
            raise _Unknown
        if key not in self._holders:
            holders: dict[Any, list[str]] = {}
            for id in self._values:
                for one in dict.fromkeys(map(_same, self.has(id, key))):
                    holders.setdefault(one, []).append(id)
            self._holders[key] = holders
        return self._holders[key].get(_same(value), ())

    def is_any(self, id: str, labels: Sequence[str]) -> bool:
        """Whether a node has one of some labels; "" stands for none at all."""
        here = self.labels[id]
        return any(label in here for label in labels) if here else "" in labels

    def shown(self, id: str, no_labels: Collection[str]) -> bool:
        """Whether a node is none of those with some labels, which are left out."""
        return not no_labels or set(no_labels).isdisjoint(self.labels[id])

    def _holds(self, given: Mapping[str, Any]) -> bool:
        """Whether everything that some ways look at is here, but for the words of long texts."""
        for way in chain.from_iterable(row["ways"] for row in given["rows"]):
            long = any(_is_long(step.get("value")) for step in (way, *way["hops"]))
            lacking = self._lacking | self._long if long else self._lacking
            if any(hop["r"] in lacking for hop in way["hops"] if hop["how"] in ("read", "find")):
                return False
        return True

    def _ports(self, node: str, loops: bool, no_labels: Collection[str] = ()) -> Iterator[str]:
        """The sides of relations that a node has; ``loops`` have two."""
        for type, edges in self._edges[node].items():
            sides = {edge.out for edge in edges if self.shown(edge.other, no_labels)}
            if sides - {False}:
                yield f"+:{type}"
            if False in sides or (loops and None in sides):
                yield f"-:{type}"
        yield from (f"+.{key}" for key in self._values[node])

    def _around(self, given: Mapping[str, Any]) -> list[Row]:
        end, key, types, no = given["end"], given["key"], given["types"], given["no_labels"]
        nodes: Iterable[str] = (id for id in given["ids"] if id in self._edges)
        if end.startswith(":"):
            ends = (ends for ends in self._ends[key] if all(self.shown(e, no) for e in ends))
            nodes = (pair[0 if given["back"] else 1] for pair in ends)
        elif end:
            labels = [label[1:] for label in given["sources"]]
            nodes = (n for n, v in self._values.items() if key in v and self.is_any(n, labels))
        if end:
            nodes = (node for node in dict.fromkeys(nodes) if self.shown(node, no))
            nodes = islice(nodes, given["sample"])
        asked = {*types, *(f".{key}" for key in given["keys"])}
        counts = Counter(
            (port[1:], port[0] == "-")
            for node in nodes
            for port in self._ports(node, bool(types), no)
            if port[1:] in asked or (port[1] == ":" and not types)
        )
        return [(r, str(back).lower(), str(count)) for (r, back), count in counts.items()]

    def _names(self, given: Mapping[str, Any]) -> list[Row]:
        """As the template ``schema/names.cypher.j2`` has them."""
        rows: list[Row] = []
        for id in filter(self.labels.__contains__, given["ids"]):
            labels, ranks = self.labels[id], given["ranks"]
            keys = {label: self._key(id, given["keys"].get(label)) for label in labels}
            label = next((x for x in labels if keys[x] is not None), next(iter(labels), None))
            for named in (*filter(ranks.__contains__, labels), None):
                texts = map(_text, self.has(id, given["named"].get(named, "")))
                rank = None if named is None else str(ranks[named])
                for text in [t if len(t) <= given["longest"] else None for t in texts] or [None]:
                    rows.append((id, rank, text, label, label and keys[label]))
        return rows

    def _key(self, id: str, key: str | None) -> str | None:
        found = [] if key is None or (id, key) in self.lists else self.has(id, key)
        return _text(found[0]) if found else None

    def _of_values(self, given: Mapping[str, Any]) -> list[Row]:
        counts = Counter(
            key
            for value in given["values"]
            for key, labels in given["sources"].items()
            if any(
                self.is_any(id, labels) and self.shown(id, given["no_labels"])
                for id in self.holders(key, to_id(value) or "")
            )
        )
        return [(f".{key}", "true", str(count)) for key, count in counts.items()]


class _Following:
    """Follows ways hop by hop, as the template ``follow.cypher.j2`` does."""

    def __init__(self, graph: GraphCopy, given: Mapping[str, Any], timeout: float | None):
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
                found.setdefault(tuple(map(_same, shown)), shown)
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
        wanted = None if value is None else _same(to_id(value) or "")
        if hop["how"] == "read":
            return (
                (None, v, None)
                for v in (graph.has(nodes[here], relation) if id is None else ())
                if wanted is None or _same(v) == wanted
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
                    (n[a] is None or n[a] != n[b]) and (v[a] is None or not _equal(v[a], v[b]))
                )
            )
        for a, b in form["edges"]:
            checks[max(a, b) + 1].append(lambda n, v, e, a=a + 1, b=b + 1: e[a] != e[b])
        for p, label in form["labels"]:
            checks[p].append(lambda n, v, e, p=p, label=label: label in graph.labels[n[p]])
        for a, x, b, y in form["facts"]:
            checks[max(a, x, b, y)].append(
                lambda n, v, e, a=a, x=x, b=b, y=y: n[a] != n[b] or not _equal(v[x], v[y])
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
            and any(_equal(value, other) for other in graph.has(node, key))
            for label, key in self._given["called"]
        )

    def _tick(self) -> None:
        self._steps += 1
        if self._steps % LOOK_EVERY == 0 and self._ends is not None and perf_counter() > self._ends:
            raise QueryTimeout(f"the copy in memory did not answer within {self._timeout:.3g} s")


Check = Callable[..., bool]


def _with_hops(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, with the hops themselves in the ways that share them."""
    hops = asked["hops"]
    rows = [
        {**row, "ways": [{**way, "hops": [hops[h] for h in way["hops"]]} for way in row["ways"]]}
        for row in asked["rows"]
    ]
    return {"rows": rows, "forms": asked["forms"]}


def _same(id: str) -> Any:
    """What equal values have in common: Cypher holds 1 and 1.0 to be equal, and no two NaN."""
    if id.endswith((f"{XSD}integer>", f"{XSD}double>")):
        number = from_id(id)
        return object() if number != number else number
    return id


def _carries(values: Values, value: str, keys: Sequence[str]) -> bool:
    """Whether a relationship has a value, in one of its properties or in those with these keys."""
    carried = chain.from_iterable(values.get(key, ()) for key in keys or values)
    return _same(value) in map(_same, carried)


def _equal(one: str, other: str) -> bool:
    if one != other and all(isinstance(text, LongText) or _is_long(text) for text in (one, other)):
        raise _Unknown
    return bool(_same(one) == _same(other))


def _text(id: str) -> str:
    """A name as the server writes it; it writes numbers with digits and dates in its own way."""
    if isinstance(id, LongText) or not id.endswith(('"', f"{XSD}integer>")):
        raise _Unknown
    return split_literal(id)[0]


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) > LONG


def _read(properties: Iterable[tuple[str, Any]]) -> tuple[Values, set[str]]:
    """The ids of properties' values, and the keys of values without one."""
    values: Values = {}
    lost = set()
    for key, value in properties:
        members = value if isinstance(value, list) else [value]
        # A long text in a list would not equal the same one that is left out elsewhere.
        listed = isinstance(value, list)
        ids = [
            None if isinstance(one, bytes) or (listed and _is_long(one)) else to_id(one)
            for one in members
        ]
        values[key] = [id for id in ids if id is not None]
        if len(values[key]) < len(members):
            lost.add(key)
    return values, lost


def _shown(values: Values) -> dict[str, Any]:
    shown = {key: [plain(from_id(id)) for id in ids] for key, ids in values.items() if ids}
    return {key: some[0] if len(some) == 1 else some for key, some in shown.items()}


def _place(row: Sequence[Any]) -> int:
    """In the order of their ids."""
    number = row[0].rpartition(":")[2]
    return int(number) if number.isdecimal() else 0

"""A graph in memory, which answers what is asked of a graph again and again.

Reading a question tries hundreds of chains of relations, each of which costs a server more to
plan than to follow. A copy is of one state of the graph (`Neo4jStore.snapshot`), and answers as
the server would; what it does not hold is left to the server.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from isomatch import cancel
from isomatch.store.base import PARALLEL, Fact, MatchedTriple, Query, Row
from isomatch.store.neo4j.copy_values import (
    Edge,
    LongText,
    Unknown,
    Values,
    carries,
    is_long,
    plain_values,
    read_properties,
    same,
    written,
)
from isomatch.store.neo4j.following import LOOK_EVERY, Following, with_hops
from isomatch.store.terms import is_literal
from isomatch.store.values import to_id

MEMBERS = 32  # of a list; longer ones are embeddings, of which a copy would be of little else

Rows = Iterable[Sequence[Any]]

_NOTHING: Values = {}


class GraphCopy:
    """Nodes and relationships by id.

    Args:
        nodes, relationships: as in the lists of ``store/copy_nodes.cypher.j2`` and
            ``store/copy_relationships.cypher.j2``.
    """

    def __init__(self, nodes: Rows, relationships: Rows):
        self.labels: dict[str, Sequence[str]] = {}
        self.lists: set[tuple[str, str]] = set()  # (node, key) of properties that are lists
        self._values: dict[str, Values] = {}
        self._edges: dict[str, dict[str, list[Edge]]] = {}
        self._ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._long: set[str] = set()  # keys of texts that are not here
        self._lacking: set[str] = set()  # keys of lists, or of other values, that are not here
        self._whole = True  # whether no relationship lacks a value
        self._holders: dict[str, dict[Any, list[str]]] = {}  # nodes by key and value
        known: dict[Any, Any] = {}

        def one(value: Any) -> Any:
            """The same object for what is equal; each row has its own."""
            return known.setdefault(value, value)

        for id, labels, keys, lists, properties in _in_order(nodes):
            values, lost = read_properties(properties, one)
            self._lacking |= lost | {key for key in lists if key not in values}
            self._long |= {key for key in keys if key not in values and key not in lists}
            values |= {one(key): (LongText(f"{id} {key}"),) for key in keys if key not in values}
            self.labels[one(id)], self._values[id], self._edges[id] = one(tuple(labels)), values, {}
            self.lists |= {(id, one(key)) for key in lists}
        for id, type, source, target, keys, properties in _in_order(relationships):
            values, lost = read_properties(properties, one)
            self._whole &= not lost and len(values) == keys
            source, target, type = one(source), one(target), one(type)
            self._ends[type].append((source, target))
            loop = source == target
            for here, there, out in ((source, target, True), (target, source, False))[: 2 - loop]:
                edge = Edge(id, there, None if loop else out, values or _NOTHING)
                self._edges[here].setdefault(type, []).append(edge)

    def answer(self, query: Query, timeout: float | None) -> list[Row] | None:
        """A query's rows, perhaps with long texts; None for one that only the server can answer.

        Raises:
            QueryTimeout: it took longer than ``timeout`` seconds.
        """
        try:
            return self._answer(query, timeout)
        except Unknown:
            return None

    def _answer(self, query: Query, timeout: float | None) -> list[Row] | None:
        given = query.parameters
        if query.ways:
            given = {**given, **with_hops(given["asked"], given["places"])}
            if not self._holds(given):
                return None
            width = len(query.columns) - 1
            found = Following(self, given, timeout).rows()
            return [(str(i), *(*row, *[None] * width)[:width]) for i, row in found]
        if query.name == "schema names" and "ids" in given:
            return self._names(given)
        if query.name != "around":
            return None
        if "values" not in given:
            return self._around(given)
        lacking = self._lacking
        if any(map(is_long, given["values"])):
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
                Fact(edge.out is not False, edge.id, plain_values(edge.values))
                for edge in self._edges.get(a, {}).get(relation[1:], ())
                if edge.other == b and (value is None or carries(edge.values, value, keys))
            ]
            found.append(tuple(sorted(facts[: PARALLEL + 1], key=lambda fact: not fact.forward)))
        return found if self._whole else None

    # -- what it holds ------------------------------------------------------------------

    def has(self, id: str | None, key: str) -> Sequence[str]:
        """The values of a node's property."""
        return self._values.get(id or "", _NOTHING).get(key, ())

    def edges(self, id: str | None, type: str) -> Sequence[Edge]:
        """The relationships of a type that a node has."""
        return self._edges.get(id or "", {}).get(type, ())

    def holders(self, key: str, value: str) -> Sequence[str]:
        """The nodes that have a value of a property."""
        if isinstance(value, LongText) or (is_long(value) and key in self._long):
            raise Unknown
        if key not in self._holders:
            holders: dict[Any, list[str]] = {}
            for id in self._values:
                for one in dict.fromkeys(map(same, self.has(id, key))):
                    holders.setdefault(one, []).append(id)
            self._holders[key] = holders
        return self._holders[key].get(same(value), ())

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
            long = any(is_long(step.get("value")) for step in (way, *way["hops"]))
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
                texts = map(written, self.has(id, given["named"].get(named, "")))
                rank = None if named is None else str(ranks[named])
                for text in [t if len(t) <= given["longest"] else None for t in texts] or [None]:
                    rows.append((id, rank, text, label, label and keys[label]))
        return rows

    def _key(self, id: str, key: str | None) -> str | None:
        found = [] if key is None or (id, key) in self.lists else self.has(id, key)
        return written(found[0]) if found else None

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


def _in_order(rows: Rows) -> Iterator[Sequence[Any]]:
    """Rows by their ids, until reading them is cancelled."""
    for number, row in enumerate(sorted(rows, key=_place)):
        if number % LOOK_EVERY == 0:
            cancel.check()
        yield row


def _place(row: Sequence[Any]) -> int:
    number = row[0].rpartition(":")[2]
    return int(number) if number.isdecimal() else 0

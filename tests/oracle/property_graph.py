"""A small property graph as plain values, as the oracle sees it and as Neo4j gets it.

Nodes are called ``n0``, ``n1``, …; `load` says which element ids they have got. All
other ids are those of `isomatch.store.neo4j`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import neo4j
from tests.oracle.brute import Fact

from isomatch.schema.types import Relation, Schema, Type
from isomatch.store.terms import is_literal, literal_kind, words
from isomatch.store.values import to_id

Properties = Mapping[str, Any]

_NODES = """
UNWIND $nodes AS node
CREATE (n) SET n:$(node.labels) SET n += node.properties
RETURN node.name AS name, elementId(n) AS id
"""
_RELATIONSHIPS = """
UNWIND $relationships AS one
MATCH (a) WHERE elementId(a) = one.source
MATCH (b) WHERE elementId(b) = one.target
CREATE (a)-[r:$(one.type)]->(b) SET r += one.properties
RETURN one.name AS name, elementId(r) AS id
"""


@dataclass(frozen=True)
class Node:
    """A node with any number of labels."""

    name: str
    labels: tuple[str, ...] = ()
    properties: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class Relationship:
    """A relationship between two nodes, by their names."""

    source: str
    type: str
    target: str
    properties: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class PropertyGraph:
    """Nodes, relationships, and which property names the nodes of a label.

    Attributes:
        naming: label to property key.
    """

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...] = ()
    naming: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Relationships, and the properties that are no names, a fact for each value."""
        found = [
            Fact(r.source, f":{r.type}", r.target, _carried(r.properties), number)
            for number, r in enumerate(self.relationships, 1)
        ]
        for node in self.nodes:
            for key, value in node.properties.items():
                if key not in self._naming(node):
                    found += [Fact(node.name, f".{key}", id) for id in sorted(_values(value))]
        return tuple(found)

    @property
    def node_ids(self) -> frozenset[str]:
        """Names of the nodes."""
        return frozenset(self._by_name)

    def types_of(self, node: str) -> frozenset[str]:
        """Labels as ids; for a value its kind."""
        if is_literal(node):
            return frozenset({f"literal:{literal_kind(node)}"})
        return frozenset(f":{label}" for label in self._by_name[node].labels)

    def names_of(self, node: str) -> frozenset[str]:
        """The texts that name a node."""
        if is_literal(node):
            return frozenset()
        found = self._by_name[node]
        texts = (found.properties.get(key) for key in self._naming(found))
        return _values(*(text for text in texts if isinstance(text, str)))

    @cached_property
    def _by_name(self) -> Mapping[str, Node]:
        return {node.name: node for node in self.nodes}

    def _naming(self, node: Node) -> set[str]:
        return {self.naming[label] for label in node.labels if label in self.naming}


def load(driver: neo4j.Driver, graph: PropertyGraph) -> dict[str, str]:
    """Write a graph into an empty database.

    Returns:
        Element id by name of node, and of the relationships ``r1``, ``r2``, …
    """
    nodes = [
        {"name": n.name, "labels": list(n.labels), "properties": dict(n.properties)}
        for n in graph.nodes
    ]
    records = driver.execute_query(_NODES, nodes=nodes).records
    ids = {record["name"]: record["id"] for record in records}
    relationships = [
        {
            "name": f"r{number}",
            "source": ids[r.source],
            "type": r.type,
            "target": ids[r.target],
            "properties": dict(r.properties),
        }
        for number, r in enumerate(graph.relationships, 1)
    ]
    records = driver.execute_query(_RELATIONSHIPS, relationships=relationships).records
    return ids | {record["name"]: record["id"] for record in records}


def schema_of(graph: PropertyGraph) -> Schema:
    """What introspection would find if it chose these names, counted here from the facts."""
    labels = Counter(label for node in graph.nodes for label in node.labels)
    values = {fact.target for fact in graph.facts if is_literal(fact.target)}
    types = [Type(f":{label}", words(label), n) for label, n in labels.items()]
    kinds = Counter(literal_kind(id) for id in values)
    types += [Type(f"literal:{kind}", kind, n) for kind, n in kinds.items() if kind != "other"]
    edge_properties: dict[str, Counter[str]] = {}
    for r in graph.relationships:
        edge_properties.setdefault(f":{r.type}", Counter()).update(f".{k}" for k in r.properties)
    return Schema(
        "random",
        len(graph.facts),
        len(graph.nodes) + len(values),
        tuple(_relation(graph, id) for id in sorted({fact.relation for fact in graph.facts})),
        tuple(sorted(types, key=lambda type: (-type.nodes, type.id))),
        name_relations=tuple(dict.fromkeys(f".{key}" for key in graph.naming.values())),
        names={f":{label}": f".{key}" for label, key in graph.naming.items()},
        edge_properties={id: counts for id, counts in edge_properties.items() if counts},
    )


def _relation(graph: PropertyGraph, id: str) -> Relation:
    facts = [fact for fact in graph.facts if fact.relation == id]
    out, into = Counter(f.source for f in facts), Counter(f.target for f in facts)
    kinds = Counter(literal_kind(f.target) for f in facts if is_literal(f.target))

    def labels(ends: Counter[str]) -> dict[str, int]:
        of_each = ((graph.types_of(end) or {":"}) for end in ends.elements() if not is_literal(end))
        return dict(Counter(chain.from_iterable(of_each)))

    return Relation(
        id,
        words(id[1:]),
        len(facts),
        len(out),
        len(into),
        len(facts) / len(out),
        max(out.values()),
        len(facts) / len(into),
        max(into.values()),
        labels(out),
        labels(into),
        dict(kinds),
        listed=id[0] == "."
        and any(isinstance(n.properties.get(id[1:]), list) for n in graph.nodes),
    )


def _carried(properties: Properties) -> frozenset[tuple[str, str]]:
    """Each value with its key."""
    return frozenset((key, id) for key, value in properties.items() for id in _values(value))


def _values(*values: Any) -> frozenset[str]:
    """Ids of values, and of the members of lists."""
    single = chain.from_iterable(v if isinstance(v, list) else [v] for v in values)
    return frozenset(id for value in single if (id := to_id(value)) is not None)

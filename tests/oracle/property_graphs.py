"""Small random property graphs, patterns and candidate lists, as hypothesis strategies.

Names of labels, types and keys try the known tricks of injection. Texts of names and
of properties come from the same few words, so that they often meet. No number is
there both as an integer and as a float: they are two values here, but equal in Cypher.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from neo4j.time import Date
from tests.oracle.brute import Lists
from tests.oracle.graphs import (
    LITERAL_TYPES,
    alone,
    beginnings,
    below,
    candidate_lists,
    fitting,
    from_to,
)
from tests.oracle.property_graph import Node, PropertyGraph, Relationship

from isomatch.errors import PatternError
from isomatch.pattern import types as pattern_model
from isomatch.pattern.types import Edge, Pattern
from isomatch.store.terms import XSD, is_literal, literal
from isomatch.store.values import to_id

LABELS = ("Film", "return", "a`b", "\\u0060x", "two words")
TYPES = ("ACTED_IN", "WITH", "a`]->() //", "\\u0060", "é t é")
NAMING = ("name", "title")  # keys that name nodes of some labels; texts only
KEYS = (*NAMING, "year", "tags", "`; MATCH", "$x", "\\u0060n")
WORDS = ("ann", "bob", "it's \"`\\", "7")
VALUES = (*WORDS, 7, 8.5, True, Date(1995, 7, 1))
NOWHERE = (
    *(f"4:00000000-0000-0000-0000-000000000000:{n}" for n in range(4)),
    literal("nowhere"),
    literal("99", datatype=XSD + "integer"),
)
"""Ids that lists may hold and no graph has: a list may name what has no match."""


@dataclass(frozen=True)
class PropertyCase:
    """A graph, a pattern, full candidate lists, and how much of each is shown.

    Attributes:
        shown: entries that a truncated list begins with, by (kind, part).
    """

    graph: PropertyGraph
    pattern: Pattern
    lists: Lists
    shown: Mapping[tuple[str, str | int], int]

    def placed(self, ids: Mapping[str, str]) -> PropertyCase:
        """The same with lists of element ids, by name of node as `load` gave them."""
        nodes = {
            part: {ids.get(id, id): distance for id, distance in entries.items()}
            for part, entries in self.lists.nodes.items()
        }
        return replace(self, lists=replace(self.lists, nodes=nodes))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Short enough to read in a failure; hypothesis looks for this name."""
        lines = [f"  {n.name} {n.labels} {dict(n.properties)}" for n in self.graph.nodes]
        lines += [
            f"  {r.source} -[{r.type} {dict(r.properties)}]-> {r.target}"
            for r in self.graph.relationships
        ]
        lines.append(f"  naming {dict(self.graph.naming)}")
        lines += [
            f"  edge {e.source} -[{e.relation} {e.key}: {e.value}]- {e.target}"
            for e in self.pattern.edges
        ]
        lines += [f"  node {n.id} text={n.text} type={n.type}" for n in self.pattern.nodes]
        for kind in ("nodes", "relations", "types"):
            for part, entries in getattr(self.lists, kind).items():
                lines.append(f"  {kind} {part} ({self.shown[kind, part]} shown): {dict(entries)}")
        printer.text("PropertyCase(\n" + "\n".join(lines) + "\n)")


_WORD = st.sampled_from(WORDS)
_VALUE = st.sampled_from(VALUES) | st.one_of(
    *(st.lists(st.sampled_from(of), max_size=2) for of in (WORDS, (7, 11)))
)
_LABELS = st.lists(st.sampled_from(LABELS), max_size=2, unique=True).map(tuple)
_NAMED = st.fixed_dictionaries({}, optional={"name": _WORD})
_TYPES = st.lists(st.sampled_from(TYPES), min_size=1, max_size=2)


@cache
def _keys(keys: tuple[str, ...], most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(keys), max_size=most, unique=True)


@st.composite
def properties(draw: st.DrawFn, keys: tuple[str, ...], most: int) -> dict[str, Any]:
    """Scalars and lists, of mixed types from node to node; a naming key holds a word."""
    found: dict[str, Any] = {}
    for key in draw(_keys(keys, most)):
        found[key] = draw(_WORD if key in NAMING else _VALUE)
    return found


@st.composite
def property_graphs(draw: st.DrawFn) -> PropertyGraph:
    """Up to five nodes; loops, parallel and opposite relationships come up often."""
    nodes = tuple(
        Node(f"n{i}", draw(_LABELS), draw(_NAMED) | draw(properties(KEYS, 2)))
        for i in range(draw(from_to(2, 5)))
    )
    ends = st.sampled_from([node.name for node in nodes])
    types = st.sampled_from(draw(_TYPES))
    relationships = draw(
        st.lists(st.builds(Relationship, ends, types, ends, properties(KEYS, 2)), max_size=6)
    )
    used = dict.fromkeys(label for node in nodes for label in node.labels)
    keys = {label: draw(st.sampled_from((None, "name", "name", "title"))) for label in used}
    naming = {label: key for label, key in keys.items() if key}
    graph = PropertyGraph(nodes, tuple(relationships), naming)
    if not graph.facts:
        reject()
    return graph


@st.composite
def property_patterns(
    draw: st.DrawFn, graph: PropertyGraph, max_edges: int = 3
) -> tuple[Pattern, dict[str, str]]:
    """A pattern, and where in the graph its nodes were cut out (empty for a free one)."""
    size = draw(from_to(1, max_edges))
    origin: dict[str, str] = {}
    edges: list[Edge] = []
    if draw(below(4)):
        ids: dict[str, str] = {}
        rest = list(graph.facts)
        while rest and len(edges) < size:
            near = [f for f in rest if f.source in ids or f.target in ids]
            pool = near if near and draw(below(5)) else rest
            if draw(st.booleans()):  # properties are many, and carry nothing
                pool = [f for f in pool if f.relation.startswith(":")] or pool
            fact = pool[draw(below(len(pool)))]
            rest.remove(fact)
            pair = [ids.setdefault(end, f"x{len(ids)}") for end in (fact.source, fact.target)]
            if draw(st.booleans()):
                pair.reverse()
            value, key = None, None
            if fact.values and draw(below(4)):
                value = f"v{len(edges)}"
                key, origin[value] = draw(st.sampled_from(sorted(fact.values)))
                key = draw(st.sampled_from((None, key)))
            edges.append(Edge(pair[0], fact.relation, pair[1], value, draw(st.booleans()), key))
        origin |= {id: node for node, id in ids.items()}
    else:
        id = st.sampled_from([f"x{i}" for i in range(size + 1)])
        relation = st.sampled_from(sorted({fact.relation for fact in graph.facts}))
        for number in range(size):
            value = f"v{number}" if draw(below(4)) == 0 else None
            edges.append(Edge(draw(id), draw(relation), draw(id), value, draw(st.booleans())))
    names = st.sampled_from((None, None, "ann", "bob", "eve"))
    kinds = st.sampled_from((None, None, None, None, "thing", "person"))
    nodes = [
        pattern_model.Node(id, draw(names), draw(kinds))
        for id in dict.fromkeys(id for edge in edges for id in edge.nodes)
    ]
    edges = [edge if draw(below(4)) else replace(edge, relation=None) for edge in edges]
    try:
        return Pattern(tuple(nodes), tuple(edges)), origin
    except PatternError:  # a component with nothing known, now and then
        reject()


@st.composite
def property_cases(draw: st.DrawFn, *, with_alone: bool = False) -> PropertyCase:
    """A graph, a pattern and lists of every length, distances with many ties.

    Args:
        with_alone: whether one pattern in eight is a node alone.
    """
    graph = draw(property_graphs())
    if with_alone and not draw(below(8)):
        pattern, origin = draw(alone(sorted(graph.node_ids)))
    else:
        pattern, origin = draw(property_patterns(graph))
    return draw(cases_of(graph, pattern, origin))


@st.composite
def cases_of(
    draw: st.DrawFn, graph: PropertyGraph, pattern: Pattern, origin: Mapping[str, str]
) -> PropertyCase:
    """Lists for a pattern that was cut out of a graph, or for a free one."""
    nowhere = NOWHERE if draw(st.booleans()) else ()
    values = sorted(id for value in VALUES if (id := to_id(value)) is not None)
    ends = sorted({end for fact in graph.facts for end in (fact.source, fact.target)})
    lists = draw(
        candidate_lists(
            pattern,
            fitting(pattern, origin, graph.types_of, lambda relation: relation),
            nodes=[*ends, *nowhere],
            relations=sorted({fact.relation for fact in graph.facts}),
            types=[f":{label}" for label in LABELS] + list(LITERAL_TYPES),
            values=[*values, *filter(is_literal, nowhere)],
        )
    )
    return PropertyCase(graph, pattern, lists, draw(beginnings(lists)))

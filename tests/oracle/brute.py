"""Brute force: every match of a pattern, by trying every fact for every edge.

The definition in code, without an index, an order or a bound. What the engine
finds over candidate lists must be what this finds over the same lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Protocol

from isomatch.pattern.types import Pattern
from isomatch.store.terms import is_literal, literal_kind

SUBCLASS_OF = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
Triple = tuple[str, str, str]
Distances = Mapping[str, float]


@dataclass(frozen=True)
class Fact:
    """What one edge of a pattern is matched to; no fact is matched to two.

    Attributes:
        values: what the fact itself carries: the values of a relationship's
            properties, the members of lists one by one; with the property of each.
        number: of a relationship, from 1 on; 0 for what has no identity of its own.
    """

    source: str
    relation: str
    target: str
    values: frozenset[tuple[str, str]] = frozenset()
    number: int = 0


class Facts(Protocol):
    """What brute force needs of a graph."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that an edge can be matched to."""

    @property
    def node_ids(self) -> frozenset[str]:
        """What a node alone can be matched to: everything but values."""

    def types_of(self, node: str) -> frozenset[str]:
        """Types of a node; for a literal its kind, as ``literal:number``."""

    def names_of(self, node: str) -> frozenset[str]:
        """Texts, as ids of literals, that stand for the same thing as the node."""


@dataclass(frozen=True)
class Graph:
    """Facts and types; names are no part of it.

    Attributes:
        triples: distinct (source, relation, target); those of ``rdfs:subClassOf`` are facts
            like others, and a node of a class is one of the wider classes too.
        types: type ids by node id; those of literals follow from their form.
    """

    triples: tuple[Triple, ...]
    types: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The triples."""
        return tuple(Fact(*triple) for triple in self.triples)

    @property
    def node_ids(self) -> frozenset[str]:
        """Ends of triples, and what has a type."""
        ends = {end for s, _, o in self.triples for end in (s, o) if not is_literal(end)}
        return frozenset(ends | set(self.types))

    def types_of(self, node: str) -> frozenset[str]:
        """Types of a node; for a literal its kind, as ``literal:number``."""
        if is_literal(node):
            return frozenset({f"literal:{literal_kind(node)}"})
        return self.wider(self.types.get(node, frozenset()))

    def wider(self, classes: frozenset[str]) -> frozenset[str]:
        """Classes with those that they are subclasses of."""
        above = frozenset(o for s, p, o in self.triples if p == SUBCLASS_OF and s in classes)
        return classes if above <= classes else self.wider(classes | above)

    def names_of(self, node: str) -> frozenset[str]:
        """None: a name is a literal of its own in RDF."""
        return frozenset()


@dataclass(frozen=True)
class Lists:
    """Distances by id, for each known part of a pattern.

    Attributes:
        nodes: by pattern node id, for known nodes.
        relations: by edge index, for known relations.
        types: by pattern node id, for typed nodes whose type counts.
    """

    nodes: Mapping[str, Distances] = field(default_factory=dict)
    relations: Mapping[int, Distances] = field(default_factory=dict)
    types: Mapping[str, Distances] = field(default_factory=dict)


@dataclass(frozen=True)
class Embedding:
    """What identifies a match: each node's binding, each edge's relation and relationship.

    Which of two opposite triples of RDF an edge uses is not part of it.

    Attributes:
        facts: ``r3`` for an edge that is the third relationship, empty for other facts.
    """

    nodes: tuple[str, ...]
    relations: tuple[str, ...]
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Interpretation:
    """An interpretation with all of its matches.

    Attributes:
        nodes, relations, types: the chosen ids, by part as in `Lists`.
    """

    gsd: float
    nodes: Mapping[str, str]
    relations: Mapping[int, str]
    types: Mapping[str, str]
    matches: frozenset[Embedding]

    @property
    def key(self) -> tuple[tuple[tuple[object, str], ...], ...]:
        """What identifies the reading."""
        return tuple(tuple(part.items()) for part in (self.nodes, self.relations, self.types))


def interpretations(
    graph: Facts,
    pattern: Pattern,
    lists: Lists,
    *,
    nodes: str = "distinct",
    direction: str = "as drawn",
    type_weight: float = 1.0,
) -> list[Interpretation]:
    """Every interpretation that has a match, ascending by GSD.

    Args:
        nodes: ``distinct``, ``anchored``, ``repeat`` or ``walk``.
        direction: ``as drawn``, ``any`` or ``as written``.
        type_weight: factor on the distances of types.
    """
    found: dict[tuple[object, ...], tuple[float, Interpretation, set[Embedding]]] = {}
    for match in embeddings(graph, pattern, lists, nodes=nodes, direction=direction):
        bound = dict(zip((n.id for n in pattern.nodes), match.nodes, strict=True))
        chosen_nodes = {id: bound[id] for id in bound if id in lists.nodes}
        chosen_relations = {i: match.relations[i] for i in sorted(lists.relations)}
        gsd = sum(lists.nodes[id][c] for id, c in chosen_nodes.items())
        gsd += sum(lists.relations[i][c] for i, c in chosen_relations.items())
        typed = [id for id in bound if id in lists.types]
        fitting = [[t for t in lists.types[id] if t in graph.types_of(bound[id])] for id in typed]
        for combination in product(*fitting):
            chosen_types = dict(zip(typed, combination, strict=True))
            weight = sum(type_weight * lists.types[id][t] for id, t in chosen_types.items())
            interpretation = Interpretation(
                gsd + weight, chosen_nodes, chosen_relations, chosen_types, frozenset()
            )
            found.setdefault(interpretation.key, (interpretation.gsd, interpretation, set()))[
                2
            ].add(match)
    return sorted(
        (
            Interpretation(gsd, r.nodes, r.relations, r.types, frozenset(matches))
            for gsd, r, matches in found.values()
        ),
        key=lambda r: (r.gsd, r.key),
    )


def embeddings(
    graph: Facts, pattern: Pattern, lists: Lists, *, nodes: str, direction: str
) -> set[Embedding]:
    """Every match, whatever its distance; types are not looked at."""
    found = set()
    walk = nodes == "walk"
    if not pattern.edges:
        return {Embedding((id,), (), ()) for id in graph.node_ids}
    for bound, facts in _extend(graph.facts, pattern, lists, direction, {}, (), walk):
        if _may_coincide(graph, pattern, bound, nodes):
            ids = tuple(bound[n.id] for n in pattern.nodes)
            numbers = (f"r{fact.number}" if fact.number else "" for fact in facts)
            found.add(Embedding(ids, tuple(fact.relation for fact in facts), tuple(numbers)))
    return found


def _extend(
    facts: Sequence[Fact],
    pattern: Pattern,
    lists: Lists,
    direction: str,
    bound: Mapping[str, str],
    used: tuple[Fact, ...],
    walk: bool,
) -> Iterator[tuple[Mapping[str, str], tuple[Fact, ...]]]:
    """Bindings and facts for all edges, distinct but in a walk, given those of the first."""
    if len(used) == len(pattern.edges):
        yield bound, used
        return
    edge = pattern.edges[len(used)]
    relations = lists.relations.get(len(used))
    for fact in facts:
        if relations is not None and fact.relation not in relations:
            continue
        if fact in used and not walk:
            continue
        ways = [(fact.source, fact.target)]
        if direction == "any" or (direction == "as drawn" and not edge.directed):
            ways.append((fact.target, fact.source))
        held = {value for key, value in fact.values if edge.key in (None, key)}
        carried: list[tuple[str, ...]] = [(value,) for value in sorted(held)]
        if edge.value is None:
            carried = [()]
        for ends, value in product(ways, carried):
            wider = dict(bound)
            if all(
                wider.setdefault(id, node) == node
                and (id not in lists.nodes or node in lists.nodes[id])
                for id, node in zip(edge.nodes, (*ends, *value), strict=True)
            ):
                yield from _extend(facts, pattern, lists, direction, wider, (*used, fact), walk)


def _may_coincide(graph: Facts, pattern: Pattern, bound: Mapping[str, str], nodes: str) -> bool:
    """Whether the rule lets these pattern nodes be the same graph nodes."""
    if nodes in ("repeat", "walk"):
        return True
    return not any(
        _are_one(graph, pattern, bound, a.id, b.id)
        for a, b in combinations(pattern.nodes, 2)
        if (nodes == "distinct" or a.known or b.known) and not _are_compared(pattern, a.id, b.id)
    )


def _are_compared(pattern: Pattern, a: str, b: str) -> bool:
    """Whether a condition compares two nodes so that they may be one value."""
    conditions = (one for whole in pattern.where for one in (whole, *whole.either))
    return any({c.node, c.other} == {a, b} and "=" in c.operator != "!=" for c in conditions)


def _are_one(graph: Facts, pattern: Pattern, bound: Mapping[str, str], a: str, b: str) -> bool:
    """Whether two pattern nodes are bound to the same thing.

    A text and the node that it names are one, so that an answer does not depend
    on whether a fact is a relationship or a property. But a node may have its own
    name as a property. A value on an edge may be equal to anything.
    """
    if any(e.value in (a, b) for e in pattern.edges):
        return False
    if bound[a] == bound[b]:
        return True
    if any({a, b} == {e.source, e.target} for e in pattern.edges):
        return False
    return bound[a] in graph.names_of(bound[b]) or bound[b] in graph.names_of(bound[a])

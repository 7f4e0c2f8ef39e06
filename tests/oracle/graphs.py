"""Small random graphs, patterns and candidate lists, as hypothesis strategies.

Half of the patterns are cut out of the graph, so that most have matches; the
other half are free. Ids are IRIs and N-Triples literals, so that a store of any
kind can be filled from `ntriples`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyoxigraph as ox
from hypothesis import reject
from hypothesis import strategies as st
from tests.oracle.brute import SUBCLASS_OF, Graph, Lists, Triple

from isomatch.errors import PatternError
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.types import Relation, Schema, Type
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, XSD, is_literal, literal

BASE = "http://example.org/"
NODES = tuple(f"{BASE}n{i}" for i in range(6))
LITERALS = (
    literal("green"),
    literal("1995", datatype=XSD + "gYear"),
    literal("7", datatype=XSD + "integer"),
)
RELATIONS = tuple(f"{BASE}r{i}" for i in range(3))
TYPES = tuple(f"{BASE}T{i}" for i in range(3))
ABOVE = f"{BASE}T9"
"""A type that only its subclasses have nodes of."""
LITERAL_TYPES = ("literal:text", "literal:date", "literal:number")
NOWHERE = tuple(f"{BASE}nowhere{i}" for i in range(24))
"""Ids that lists may hold and no graph has: a list may name what has no match."""
NAMES = (None, "ann", "bob", "eve")
FEW_NAMES = (None, None, None, "ann", "bob")
"""For patterns with several unknown nodes, which are rare among those with `NAMES`."""


@dataclass(frozen=True)
class Case:
    """A graph, a pattern, full candidate lists, and how much of each is shown.

    Attributes:
        shown: entries that a truncated list begins with, by (kind, part).
    """

    graph: Graph
    pattern: Pattern
    lists: Lists
    shown: Mapping[tuple[str, str | int], int]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Short enough to read in a failure; hypothesis looks for this name."""
        lines = [f"  triple {' '.join(t)}" for t in self.graph.triples]
        lines += [f"  types {n}: {' '.join(sorted(t))}" for n, t in self.graph.types.items()]
        lines += [f"  edge {e.source} -[{e.relation}]- {e.target}" for e in self.pattern.edges]
        lines += [f"  node {n.id} text={n.text} type={n.type}" for n in self.pattern.nodes]
        for kind in ("nodes", "relations", "types"):
            for part, entries in getattr(self.lists, kind).items():
                lines.append(f"  {kind} {part} ({self.shown[kind, part]} shown): {dict(entries)}")
        printer.text("Case(\n" + "\n".join(lines).replace(BASE, "") + "\n)")


def ntriples(graph: Graph, *, labels: bool = True) -> str:
    """The graph as N-Triples, with types, and a label for every node that is no literal."""
    triples = [*graph.triples]
    triples += [(n, RDF_TYPE, t) for n, types in graph.types.items() for t in sorted(types)]
    if labels:
        nodes = {end for s, _, o in graph.triples for end in (s, o)} | set(graph.types)
        triples += [
            (n, RDFS_LABEL, literal(n.removeprefix(BASE)))
            for n in sorted(nodes)
            if not is_literal(n)
        ]
    return "".join(f"<{s}> <{r}> {o if is_literal(o) else f'<{o}>'} .\n" for s, r, o in triples)


def store_of(graph: Graph) -> OxigraphStore:
    """The graph in an Oxigraph store in memory."""
    engine = ox.Store()
    engine.load(ntriples(graph).encode(), format=ox.RdfFormat.N_TRIPLES)
    return OxigraphStore.memory(engine)


def schema_of(graph: Graph) -> Schema:
    """What introspection would find, counted here from the triples."""
    relations = []
    for id in sorted({relation for _, relation, _ in graph.triples}):
        facts = [(s, o) for s, relation, o in graph.triples if relation == id]
        out, into = Counter(s for s, _ in facts), Counter(o for _, o in facts)
        relations.append(
            Relation(
                id,
                id.removeprefix(BASE),
                len(facts),
                len(out),
                len(into),
                len(facts) / len(out),
                max(out.values()),
                len(facts) / len(into),
                max(into.values()),
            )
        )
    nodes = {end for s, _, o in graph.triples for end in (s, o)} | set(graph.types)
    ports: dict[str, set[str]] = {}
    for source, relation, target in graph.triples:
        ports.setdefault(source, set()).add(f"+{relation}")
        ports.setdefault(target, set()).add(f"-{relation}")
    sizes = Counter(t for node in nodes for t in graph.types_of(node))
    stated = sorted({t for some in graph.types.values() for t in some})
    subclasses = {
        wide: below
        for wide in sizes
        if (below := tuple(t for t in stated if wide != t and wide in graph.wider(frozenset({t}))))
    }
    return Schema(
        "random",
        len(graph.triples),
        len(nodes),
        tuple(relations),
        tuple(Type(id, id.removeprefix(BASE), count) for id, count in sizes.most_common()),
        RDF_TYPE if graph.types else None,
        (RDFS_LABEL,),
        characteristic_sets=tuple(sorted({tuple(sorted(p)) for p in ports.values()})),
        subclasses=subclasses,
    )


# To make a strategy takes longer than to draw from it, so those that come often are made once.
below = cache(lambda number: st.integers(0, number - 1))
from_to = cache(st.integers)
_once = cache(lambda number: st.lists(st.sampled_from(range(number)), max_size=6, unique=True))
_DISTANCE = st.one_of(
    st.sampled_from((0.0, 0.25, 0.5, 1.0)), st.floats(0, 2, allow_nan=False, width=32)
)
_SOME_TYPES = st.frozensets(st.sampled_from(TYPES), max_size=2)
_CLASSES = st.sampled_from((*TYPES, ABOVE))
_SUBCLASSES = st.lists(st.tuples(_CLASSES, _CLASSES), max_size=4, unique=True)


@cache
def _triples(nodes: int, size: int) -> st.SearchStrategy[list[Triple]]:
    """Up to so many triples of the first nodes; loops of one relation only, not everywhere."""
    ends, targets = st.sampled_from(NODES[:nodes]), st.sampled_from(NODES[:nodes] * 2 + LITERALS)
    return st.lists(
        st.tuples(ends, st.sampled_from(RELATIONS), targets).filter(
            lambda t: t[0] != t[2] or t[1] == RELATIONS[-1]
        ),
        min_size=size // 2,
        max_size=size,
        unique=True,
    )


@st.composite
def graphs(draw: st.DrawFn, max_triples: int = 12) -> Graph:
    """Up to six nodes, three literals, three relations and three types.

    Parallel and opposite edges come up often at this size, self-loops too. Every other one
    with types has subclasses, in chains, diamonds and cycles.
    """
    nodes = NODES[: draw(from_to(2, len(NODES)))]
    triples = draw(_triples(len(nodes), draw(from_to(1, max_triples))))
    types = {n: t for n in nodes if (t := draw(_SOME_TYPES))} if draw(st.booleans()) else {}
    if types and draw(st.booleans()):
        triples = triples + [(one, SUBCLASS_OF, other) for one, other in draw(_SUBCLASSES)]
    return Graph(tuple(triples or [(nodes[0], RELATIONS[0], nodes[1])]), types)


@st.composite
def patterns(
    draw: st.DrawFn, graph: Graph, max_edges: int = 4, names: Sequence[str | None] = NAMES
) -> tuple[Pattern, dict[str, str]]:
    """A pattern, and where in the graph its nodes were cut out (empty for a free one).

    Trees, cycles, several components, parallel edges, self-loops, unknown
    relations, typed nodes, names that occur twice.

    Args:
        names: one of these is a node's, as often as it is there; None is none.
    """
    size = draw(from_to(1, max_edges))
    origin: dict[str, str] = {}
    ends: list[tuple[str, str, str]] = []
    if draw(below(4)):
        ids: dict[str, str] = {}
        rest = list(graph.triples)
        while rest and len(ends) < size:
            near = [t for t in rest if t[0] in ids or t[2] in ids]
            pool = near if near and draw(below(5)) else rest
            source, relation, target = triple = pool[draw(below(len(pool)))]
            rest.remove(triple)
            pair = [ids.setdefault(node, f"x{len(ids)}") for node in (source, target)]
            if draw(st.booleans()):
                pair.reverse()
            ends.append((pair[0], relation, pair[1]))
        origin = {id: node for node, id in ids.items()}
    else:
        id = st.sampled_from([f"x{i}" for i in range(size + 1)])
        ends = [(draw(id), draw(st.sampled_from(RELATIONS)), draw(id)) for _ in range(size)]
    name = st.sampled_from(names)
    kinds = st.sampled_from((None, None, None, "thing", "person"))
    nodes = [
        Node(id, draw(name), draw(kinds))
        for id in dict.fromkeys(end for source, _, target in ends for end in (source, target))
    ]
    edges = [
        Edge(
            source,
            relation.removeprefix(BASE) if draw(below(4)) else None,
            target,
            directed=draw(st.booleans()),
        )
        for source, relation, target in ends
    ]
    try:
        return Pattern(tuple(nodes), tuple(edges)), origin
    except PatternError:  # a component with nothing known, now and then
        reject()


@st.composite
def alone(draw: st.DrawFn, nodes: Sequence[str]) -> tuple[Pattern, dict[str, str]]:
    """A node of a type without edges, and where in the graph it is."""
    return Pattern((Node("x0", type="thing"),), ()), {"x0": nodes[draw(below(len(nodes)))]}


@st.composite
def cases(
    draw: st.DrawFn, names: Sequence[str | None] = NAMES, *, with_alone: bool = False
) -> Case:
    """A graph, a pattern and lists of every length, distances with many ties.

    Args:
        names: see `patterns`.
        with_alone: whether one in eight patterns of a graph with types is a node alone.
    """
    graph = draw(graphs())
    if with_alone and graph.types and not draw(below(8)):
        pattern, origin = draw(alone(sorted(graph.node_ids)))
    else:
        pattern, origin = draw(patterns(graph, names=names))
    pool = sorted({end for s, _, o in graph.triples for end in (s, o)})
    pool += NOWHERE[: draw(st.sampled_from((0, 0, 2, 24)))]
    lists = draw(
        candidate_lists(
            pattern,
            fitting(pattern, origin, graph.types_of, lambda r: r if ":" in r else BASE + r),
            nodes=pool,
            relations=(*RELATIONS, SUBCLASS_OF),
            types=(*TYPES, ABOVE, *LITERAL_TYPES) if graph.types else (),
        )
    )
    return Case(graph, pattern, lists, draw(beginnings(lists)))


def fitting(
    pattern: Pattern,
    origin: Mapping[str, str],
    types_of: Callable[[str], frozenset[str]],
    relation_of: Callable[[str], str],
) -> dict[str, list[str]]:
    """By word of a pattern, the ids that it stands for where the pattern was cut out."""
    fits = {e.relation: [relation_of(e.relation)] for e in pattern.edges if e.relation}
    for node in pattern.nodes:
        if at := origin.get(node.id):
            fits.setdefault(node.text or "", []).append(at)
            fits.setdefault(node.type or "", []).extend(sorted(types_of(at)))
    return fits


@st.composite
def candidate_lists(
    draw: st.DrawFn,
    pattern: Pattern,
    fits: Mapping[str, Sequence[str]],
    *,
    nodes: Sequence[str],
    relations: Sequence[str],
    types: Sequence[str],
    values: Sequence[str] = (),
) -> Lists:
    """Lists of up to six of the given ids, mostly with those that fit; many ties.

    Equal words have equal lists, but those of values on edges have values only. No
    types given: the types of the pattern do not count.
    """
    on_edges = {edge.value for edge in pattern.edges}
    made: dict[tuple[bool, str], dict[str, float]] = {}

    def entries(text: str, pool: Sequence[str], on_edge: bool = False) -> dict[str, float]:
        if (on_edge, text) not in made:
            ids = [pool[i] for i in draw(_once(len(pool)))] if pool else []
            if draw(below(8)):
                ids += fits.get(text, ())
            made[on_edge, text] = {id: draw(_DISTANCE) for id in dict.fromkeys(ids)}
        return made[on_edge, text]

    return Lists(
        {
            n.id: entries(n.text, values if n.id in on_edges else nodes, n.id in on_edges)
            for n in pattern.nodes
            if n.text
        },
        {
            index: entries(edge.relation, relations)
            for index, edge in enumerate(pattern.edges)
            if edge.relation is not None
        },
        {n.id: entries(n.type, types) for n in pattern.nodes if types and n.type},
    )


@st.composite
def beginnings(draw: st.DrawFn, lists: Lists) -> dict[tuple[str, str | int], int]:
    """How many entries each list begins with, by (kind, part)."""
    return {
        (kind, part): draw(from_to(min(1, len(entries)), len(entries)))
        for kind in ("nodes", "relations", "types")
        for part, entries in getattr(lists, kind).items()
    }

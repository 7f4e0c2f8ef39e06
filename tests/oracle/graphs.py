"""Small random graphs, patterns and candidate lists, as hypothesis strategies.

Half of the patterns are cut out of the graph, so that most have matches; the
other half are free. Ids are IRIs and N-Triples literals, so that a store of any
kind can be filled from `ntriples`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from tests.oracle.brute import Graph, Lists, Triple

from isomatch.errors import PatternError
from isomatch.pattern.model import Edge, Node, Pattern
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
LITERAL_TYPES = ("literal:text", "literal:date", "literal:number")
NOWHERE = tuple(f"{BASE}nowhere{i}" for i in range(24))
"""Ids that lists may hold and no graph has: a list may name what has no match."""


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


@st.composite
def graphs(draw: st.DrawFn, max_triples: int = 12) -> Graph:
    """Up to six nodes, three literals, three relations and three types.

    Parallel edges, opposite edges and self-loops come up often at this size.
    """
    nodes = NODES[: draw(st.integers(2, len(NODES)))]
    ends = st.sampled_from(nodes)
    targets = st.one_of(ends, ends, ends, st.sampled_from(LITERALS))
    triples: list[Triple] = draw(
        st.lists(
            st.tuples(ends, st.sampled_from(RELATIONS), targets),
            min_size=1,
            max_size=max_triples,
            unique=True,
        )
    )
    some_types = st.frozensets(st.sampled_from(TYPES), max_size=2)
    types = {n: t for n in nodes if (t := draw(some_types))} if draw(st.booleans()) else {}
    return Graph(tuple(triples), types)


@st.composite
def patterns(draw: st.DrawFn, graph: Graph, max_edges: int = 4) -> tuple[Pattern, dict[str, str]]:
    """A pattern, and for a part of them where in the graph its nodes were cut out.

    Trees, cycles, several components, parallel edges, self-loops, unknown
    relations, typed nodes, names that occur twice.
    """
    count = draw(st.integers(1, max_edges))
    origin: dict[str, str] = {}
    if draw(st.booleans()):
        cut = draw(
            st.lists(st.sampled_from(graph.triples), min_size=1, max_size=count, unique=True)
        )
        names: dict[str, str] = {}
        ends = []
        for source, relation, target in cut:
            pair = [names.setdefault(node, f"x{len(names)}") for node in (source, target)]
            ends.append((*(pair if draw(st.booleans()) else reversed(pair)), relation))
        origin = {id: node for node, id in names.items()}
    else:
        id = st.sampled_from([f"x{i}" for i in range(count + 1)])
        ends = [(draw(id), draw(id), draw(st.sampled_from(RELATIONS))) for _ in range(count)]
    ids = list(dict.fromkeys(end for source, target, _ in ends for end in (source, target)))
    nodes = [
        Node(
            id,
            draw(st.one_of(st.none(), st.sampled_from(("ann", "bob", f"name of {id}")))),
            draw(st.one_of(st.none(), st.none(), st.sampled_from(("thing", "kind")))),
        )
        for id in ids
    ]
    edges = [
        Edge(source, None if draw(st.integers(0, 3)) == 0 else relation.removeprefix(BASE), target)
        for source, target, relation in ends
    ]
    try:
        return Pattern(tuple(nodes), tuple(edges)), origin
    except PatternError:  # a component with nothing known, now and then
        reject()


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A graph, a pattern and lists of every length, distances with many ties."""
    graph = draw(graphs())
    pattern, origin = draw(patterns(graph))
    distance = st.one_of(
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
        st.floats(0, 2, allow_nan=False, width=32),
    )

    def entries(pool: Sequence[str], *wanted: str) -> dict[str, float]:
        ids = draw(st.lists(st.sampled_from(pool), max_size=6, unique=True))
        if draw(st.integers(0, 3)):
            ids += wanted
        return {id: draw(distance) for id in dict.fromkeys(ids)}

    pool = sorted({end for s, _, o in graph.triples for end in (s, o)})
    pool += NOWHERE[: draw(st.sampled_from((0, 0, 2, 24)))]
    by_text: dict[str, dict[str, float]] = {}  # equal words have equal lists
    nodes = {}
    for node in pattern.nodes:
        if node.text is not None:
            if node.text not in by_text:
                wanted = [origin[node.id]] if node.id in origin else []
                by_text[node.text] = entries(pool, *wanted)
            nodes[node.id] = by_text[node.text]
    relations = {}
    for index, edge in enumerate(pattern.edges):
        if edge.relation is not None:
            if edge.relation not in by_text:
                by_text[edge.relation] = entries(RELATIONS, BASE + edge.relation)
            relations[index] = by_text[edge.relation]
    types = {}
    for node in pattern.nodes:
        if graph.types and node.type is not None:
            if node.type not in by_text:
                by_text[node.type] = entries(TYPES + LITERAL_TYPES, *TYPES)
            types[node.id] = by_text[node.type]
    lists = Lists(nodes, relations, types)
    shown = {
        (kind, part): draw(st.integers(min(1, len(entries)), len(entries)))
        for kind in ("nodes", "relations", "types")
        for part, entries in getattr(lists, kind).items()
    }
    return Case(graph, pattern, lists, shown)

"""How a part of a pattern is matched in a property graph, as a list of steps.

In a property graph an end of a pattern edge is a node, or a value: the target of
a property. Which one it is follows from the relations, ids and types that were
chosen, or is open (an unknown relation may be a relationship or a property); so
a part is matched in one or several *ways*, each a plain sequence of Cypher
clauses. All relationships that hang together share one MATCH, where Cypher's own
rule keeps them distinct; properties are read off the nodes that it binds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from isomatch.compile.shapes import (
    VALUE_TYPES,
    EdgeShape,
    Shape,
    naming,
    places,
    property_keys,
    uses_of,
)
from isomatch.schema.types import Schema

Step = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to match a part.

    Attributes:
        steps: its clauses, for the template ``steps.j2``.
        found: (column, expression) of the used nodes and the unknown relations.
    """

    steps: list[Step]
    found: list[tuple[str, str]]


def ways(shape: Shape, schema: Schema) -> Iterator[Way]:
    """Every way in which a part can be matched; none where it cannot be."""
    structure = shape.structure
    for kinds in product(*shape.domains):
        kind = dict(zip(structure.used, kinds, strict=True))
        uses = [
            [(use, edge) for use in uses_of(structure, e, edge, kind)]
            for e, edge in zip(structure.order, shape.edges, strict=True)
        ]
        for chosen in product(*uses):
            yield _Writer(
                shape, schema, kind, dict(zip(structure.order, chosen, strict=True))
            ).way()


class _Writer:
    """Writes one way: what is bound so far, and which conditions still wait."""

    def __init__(
        self,
        shape: Shape,
        schema: Schema,
        kind: Mapping[int, str],
        uses: Mapping[int, tuple[str, EdgeShape]],
    ):
        self.shape, self.schema, self.kind, self.uses = shape, schema, kind, uses
        self.structure = shape.structure
        self.types = dict(zip(self.structure.used, shape.types, strict=True))
        self.keys = {id: number for number, id in enumerate(property_keys(schema))}
        self.less = bool(schema.unsearched_names["no_keys"])  # of what relationships carry
        self.bound: set[str] = set()
        self.matched: list[int] = []
        self.waiting: list[tuple[set[str], Step]] = []

    def way(self) -> Way:
        """The steps of all components, and what a row of them is."""
        self._rules()
        steps = [] if self.structure.edges else [*self._alone()]
        for number, edges in enumerate(self._components()):
            before = set(self.bound)
            inner = self._component(edges)
            if number == 0:
                steps += inner
            else:  # a part of its own, so that the planner makes no product of the two
                made = sorted(self.bound - before)
                steps.append({"does": "part", "steps": inner, "variables": made, "where": []})
        return Way(steps, [*self._columns()])

    def _columns(self) -> Iterator[tuple[str, str]]:
        for n in self.structure.used:
            ref = self.ref(n)
            yield f"n{n}", f"elementId({ref})" if self.kind[n] == "node" else f"[{ref}]"
        for e in self.structure.order:
            use, edge = self.uses[e]
            if edge.source != "row":
                yield f"e{e}", f"':' + type(e{e})" if use == "rel" else f"'.' + k{e}"
        for n, type in self.types.items():
            if type == "list":
                yield f"t{n}", f"':' + t{n}"

    # -- names of things --------------------------------------------------------

    def ref(self, n: int) -> str:
        """The variable of a node, or the row's field of a known value."""
        in_row = self.kind[n] == "value" and self.structure.known[n] and not self.shape.lists
        return f"row.n{n}" if in_row else f"n{n}"

    def at_hand(self, n: int) -> bool:
        """Whether a node or a value is known by now."""
        return self.ref(n).startswith("row.") or f"n{n}" in self.bound

    def needs(self, *nodes: int) -> set[str]:
        """The variables among some nodes."""
        return {ref for n in nodes if not (ref := self.ref(n)).startswith("row.")}

    def key(self, e: int) -> str:
        """The property key of an edge, as an expression."""
        return f"row.r{e}" if self.uses[e][1].source == "row" else f"k{e}"

    def carried(self, e: int) -> str | None:
        """The id of the property that the value on a relationship is of; None for any."""
        key = self.structure.key(e)
        return None if key is None else f".{key}"

    def ends(self, e: int) -> tuple[int, int]:
        """(node, value) of a property edge."""
        a, b = self.structure.edges[e]
        return (a, b) if self.kind[a] == "node" else (b, a)

    def is_property(self, e: int) -> bool:
        """Whether the edge is a property in this way."""
        return self.uses[e][0] == "prop"

    # -- conditions -------------------------------------------------------------

    def wait(self, needs: set[str], rule: str, **values: Any) -> None:
        """A condition that goes in as soon as its variables are bound."""
        self.waiting.append((needs, {"rule": rule, **values}))

    def ready(self) -> list[Step]:
        """The conditions whose variables are bound by now, once each."""
        found = [c for needs, c in self.waiting if needs <= self.bound]
        self.waiting = [(needs, c) for needs, c in self.waiting if not needs <= self.bound]
        return found

    def _rules(self) -> None:
        structure = self.structure
        for n in structure.used:
            if self.kind[n] == "node" and structure.known[n]:
                rule = "among" if self.shape.lists else "is"
                self.wait({f"n{n}"}, rule, node=f"n{n}")
            if self.kind[n] == "node" and self.schema.left_out_labels:
                self.wait({f"n{n}"}, "shown", node=f"n{n}")
            type = self.types[n]
            if type in VALUE_TYPES:
                self.wait(self.needs(n), "kind", value=self.ref(n), types=VALUE_TYPES[type])
            elif type == "row":
                self.wait({f"n{n}"}, "label", node=f"n{n}", number=n)
            elif type == "list":
                self.wait({f"n{n}", f"t{n}"}, "listed label", node=f"n{n}", number=n)
            elif type is not None:
                self.wait({f"n{n}"}, "has label", node=f"n{n}", label=type)
        for n, numbers, years, holes in self.shape.ranges:
            if self.kind[n] == "value":
                given = {"numbers": numbers, "years": years, "holes": holes}
                self.wait(self.needs(n), "within", value=self.ref(n), ends=f"row.w{n}", **given)
        for a, b in structure.apart:
            self._keep_apart(a, b)
        for e in structure.order:
            if self.is_property(e):
                self._property_rules(e)
            else:
                self._relationship_rules(e)
        for e, f in structure.conflicts:
            if self.is_property(e) and self.is_property(f):
                (n, v), (m, w) = self.ends(e), self.ends(f)
                self.wait(
                    {*self.needs(n, v, m, w), *self._key_variables(e, f)},
                    "distinct facts",
                    both_nodes=(self.ref(n), self.ref(m)),
                    both_keys=(self.key(e), self.key(f)),
                    both_values=(self.ref(v), self.ref(w)),
                )

    def _keep_apart(self, a: int, b: int) -> None:
        if self.kind[a] == self.kind[b]:
            if needs := self.needs(a, b):
                self.wait(needs, "apart", a=self.ref(a), b=self.ref(b))
            return
        # A text that is a node's name stands for the same thing: an answer must not
        # depend on whether a fact is a relationship or a property. But a node may well
        # have its own name as a property.
        node, value = (a, b) if self.kind[a] == "node" else (b, a)
        if any({a, b} == set(ends) for ends in self.structure.edges):
            return
        for key, labels in naming(self.schema).items():
            everywhere = f".{key}" not in self.schema.by_id
            self.wait(
                self.needs(node, value),
                "not named",
                node=self.ref(node),
                value=self.ref(value),
                key=f".{key}",
                labels=[] if everywhere else labels,
            )

    def _relationship_rules(self, e: int) -> None:
        edge = self.uses[e][1]
        if edge.source == "list":
            self.wait({f"e{e}"}, "types", edge=f"e{e}")
        elif edge.source == "row" and len(edge.types) > 1:
            self.wait({f"e{e}"}, "type", edge=f"e{e}", key=f"row.r{e}")
        value = self.structure.values[e]
        if value is not None and self.structure.known[value]:
            needs = {f"e{e}", *self.needs(value)}
            there = {"edge": f"e{e}", "value": self.ref(value), "key": self.carried(e)}
            self.wait(needs, "carries", **there, less=self.less)

    def _property_rules(self, e: int) -> None:
        node, _ = self.ends(e)
        names = naming(self.schema)
        facts_too = any(f".{key}" in self.schema.by_id for key in names)
        if facts_too or (names and self.uses[e][1].source == "any"):
            needs = {f"n{node}", *self._key_variables(e)}
            self.wait(needs, "is no name", node=f"n{node}", key=self.key(e))

    def _key_variables(self, *edges: int) -> set[str]:
        return {f"k{e}" for e in edges if self.uses[e][1].source != "row"}

    # -- steps -------------------------------------------------------------------

    def _components(self) -> list[list[int]]:
        """Edges in order, by connected part; an edge's value does not connect."""
        parts: list[tuple[set[int], list[int]]] = []
        for e in self.structure.order:
            ends = set(self.structure.edges[e])
            touching = [part for part in parts if part[0] & ends]
            nodes = ends.union(*(part[0] for part in touching))
            edges = [*(f for part in touching for f in part[1]), e]
            parts = [part for part in parts if part not in touching]
            parts.append((nodes, edges))
        rank = {e: i for i, e in enumerate(self.structure.order)}
        ordered = [sorted(edges, key=rank.__getitem__) for _, edges in parts]
        return sorted(ordered, key=lambda edges: rank[edges[0]])

    def _alone(self) -> Iterator[Step]:
        """A node without edges."""
        yield from self._lists([0])
        yield self._bind({"does": "match", "edges": [], "node": "n0"}, "n0")

    def _component(self, edges: Sequence[int]) -> list[Step]:
        steps = [*self._lists(n for e in edges for n in self.structure.touched(e))]
        rest = list(edges)
        while rest:
            read = [e for e in rest if self.is_property(e) and self.at_hand(self.ends(e)[0])]
            if read:
                rest.remove(read[0])
                steps += self._read(read[0])
            elif group := self._hanging(rest):
                rest = [e for e in rest if e not in group]
                steps += self._match(group)
            elif (start := self._known_node(rest)) is not None:
                steps.append(self._bind({"does": "match", "edges": [], "node": start}, start))
            else:
                # By a value where one is at hand, else by scanning for the property.
                looked = [e for e in rest if self.at_hand(self.ends(e)[1])]
                e = (looked or rest)[0]
                steps.append(self._look_up(e, by_value=bool(looked)))
                if looked:
                    rest.remove(e)
        return steps

    def _lists(self, nodes: Iterable[int]) -> Iterator[Step]:
        """Brute force: what ranges over lists and is no node."""
        if not self.shape.lists:
            return
        for n in dict.fromkeys(nodes):
            if self.kind[n] == "value" and self.structure.known[n]:
                yield self._bind(
                    {"does": "list", "source": f"$lists.v{n}", "variable": f"n{n}"}, f"n{n}"
                )
            if self.types[n] == "list":
                yield self._bind(
                    {"does": "list", "source": f"$lists.t{n}", "variable": f"t{n}"}, f"t{n}"
                )

    def _bind(self, step: Step, *variables: str) -> Step:
        self.bound.update(variables)
        step["where"] = self.ready()
        return step

    def _hanging(self, rest: Sequence[int]) -> list[int]:
        """Relationships that hang together: from what is bound, else from a start."""
        edges = [e for e in rest if not self.is_property(e)]
        nodes = {n for e in edges for n in self.structure.edges[e] if f"n{n}" in self.bound}
        if not nodes:
            if any(self.at_hand(self.ends(e)[1]) for e in rest if self.is_property(e)) and not any(
                self.structure.known[n] for e in edges for n in self.structure.edges[e]
            ):
                return []  # a value is at hand, and none of these nodes
            known = [n for e in edges for n in self.structure.edges[e] if self.structure.known[n]]
            if edges and not known and self._known_node(rest) is not None:
                return []
            nodes = set(known[:1] or (self.structure.edges[edges[0]] if edges else ()))
        group: list[int] = []
        grown = True
        while grown:
            grown = False
            for e in edges:
                if e not in group and nodes.intersection(self.structure.edges[e]):
                    group.append(e)
                    nodes.update(self.structure.edges[e])
                    grown = True
        return group

    def _known_node(self, rest: Sequence[int]) -> str | None:
        """A known node of a property edge that is not bound yet."""
        for e in rest:
            if self.is_property(e) and self.structure.known[n := self.ends(e)[0]]:
                return f"n{n}"
        return None

    def _match(self, group: Sequence[int]) -> Iterator[Step]:
        structure = self.structure
        walk = structure.nodes == "walk"
        differ = structure.nodes == "distinct" and not structure.alike  # and so do the edges
        if not (walk or differ):
            for f in self.matched:
                for e in group:
                    self.wait({f"e{e}", f"e{f}"}, "apart", a=f"e{e}", b=f"e{f}")
        self.matched += group
        edges, variables = [], []
        for e in group:
            a, b = structure.edges[e]
            edge = self.uses[e][1]
            edges.append(
                {
                    "number": e,
                    "a": f"n{a}",
                    "b": f"n{b}",
                    "types": edge.types,
                    "dynamic": edge.source == "row",
                    "directed": structure.directed[e],
                }
            )
            variables += [f"n{a}", f"n{b}", f"e{e}"]
        fresh = [v for v in variables if v not in self.bound]
        yield self._bind({"does": "match", "edges": edges, "walk": walk}, *fresh)
        for e in group:
            value = structure.values[e]
            if value is not None and not structure.known[value]:
                step: Step = {"does": "edge values", "element": f"e{e}", "variable": f"n{value}"}
                step |= {"key": self.carried(e), "less": self.less}
                yield self._bind(step, f"n{value}")

    def _read(self, e: int) -> Iterator[Step]:
        """A property of a node at hand: a condition where the value is, else its values."""
        node, value = self.ends(e)
        source = self.uses[e][1].source
        unwind = None
        if source != "row" and f"k{e}" not in self.bound:
            unwind = f"$lists.k{e}"
            if source == "any":  # what the schema leaves out, as vectors, is no relation
                unwind = f"[k IN keys(n{node}) WHERE k IN $keys]"
        if not self.at_hand(value):
            step = {"does": "values", "unwind": unwind, "key": self.key(e), "element": f"n{node}"}
            step["variable"] = f"n{value}"
            yield self._bind(step, f"n{value}", *self._key_variables(e))
            return
        needs = {*self.needs(node, value), *self._key_variables(e)}
        self.wait(needs, "has", node=f"n{node}", key=self.key(e), value=self.ref(value))
        if unwind:
            yield self._bind({"does": "list", "source": unwind, "variable": f"k{e}"}, f"k{e}")
        elif where := self.ready():
            yield {"does": "filter", "where": where}

    def _look_up(self, e: int, by_value: bool) -> Step:
        """The nodes that have a property: of a value at hand, or of any."""
        node, value = self.ends(e)
        ref = self.ref(value)
        edge = self.uses[e][1]
        step = {
            "does": "look up",
            "node": f"n{node}",
            "value": ref if by_value else None,
            "source": ("row" if ref.startswith("row.") else ref) if by_value else "",
            "key": None if edge.source == "row" else f"k{e}",
            "places": [
                place
                for id in edge.properties
                if id in self.schema.by_id
                for place in places(self.schema.by_id[id], self.keys[id])
            ],
        }
        return self._bind(step, f"n{node}", *self._key_variables(e))

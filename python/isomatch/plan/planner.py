"""From pattern, candidates and graph statistics to a plan of the search."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from math import inf, prod

from isomatch.errors import PatternError
from isomatch.link.candidates import CandidateList, Candidates, Kind
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.plan.structure import Structure
from isomatch.schema.types import Relation, Schema

# An embedded engine answers one fixed query in the time of some hundred rows
# (measured on MetaQA: 0.15 ms against 1 to 2 µs a row), so brute force is worth
# its one query only where it touches about as many rows as there are results.
BRUTE_ROWS_PER_RESULT = 8
# Share of the edges that carry a known value; how often a value comes is not counted.
SHARE_OF_VALUE = 0.1


@dataclass(frozen=True, slots=True)
class Slot:
    """One choice of an interpretation.

    Attributes:
        kind: ``node``, ``relation`` or ``type``.
        index: node number (node, type) or edge number (relation).
    """

    kind: Kind
    index: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A connected part of the pattern that the first slots decide.

    When no match of the part exists for a choice of its slots, no interpretation with
    that choice has one.

    Attributes:
        start, stop: the slots ``[start, stop)`` that the part depends on.
        edges: edge numbers of the part, in visiting order.
    """

    start: int
    stop: int
    edges: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a pattern will be searched.

    Attributes:
        pattern: as given.
        structure: its shape, with the edges in visiting order.
        slots: the choices of an interpretation, in the order of the search.
        checkpoints: parts decided on the way, smallest first.
        strategy: ``ascending``, ``semi-join`` or ``brute force``.
        why: the reason, in words with numbers.
        interpretations: how many the fetched lists allow.
        estimated_rows: rows that one brute-force query over them would touch.
    """

    pattern: Pattern
    structure: Structure
    slots: tuple[Slot, ...]
    checkpoints: tuple[Checkpoint, ...]
    strategy: str
    why: str
    interpretations: int
    estimated_rows: float


def plan(pattern: Pattern, candidates: Candidates, schema: Schema, options: Options) -> Plan:
    """Choose the order of the search and its strategy.

    Every connected part of the pattern starts where the fewest edges leave the
    candidates of its first node, and grows edge by edge.

    Raises:
        PatternError: the pattern is a node alone, and the graph has no types.
    """
    if not (pattern.edges or candidates.types):
        raise PatternError("a node alone is found by its type, and the graph has no types")
    structure = Structure.of(pattern, options)
    statistics = _Statistics(candidates, schema)
    slots: list[Slot] = []
    checkpoints: list[Checkpoint] = []
    order: list[int] = []
    number = {node.id: i for i, node in enumerate(pattern.nodes)}
    typed = {number[id] for id in candidates.types}
    rows = 1.0
    for component in pattern.components():
        begin, visited, here = len(slots), set[int](), list[int]()
        rest = set(component)
        while rest:
            edge, start, cost = _next_edge(structure, rest, visited, statistics)
            rest.discard(edge)
            here.append(edge)
            if not visited:
                visited.add(start)
                slots += _slots_of(start, structure, typed)
                if structure.known[start]:
                    rows *= len(candidates.nodes[pattern.nodes[start].id])
            if edge in candidates.relations:
                slots.append(Slot("relation", edge))
            for node in structure.touched(edge):
                if node not in visited:
                    visited.add(node)
                    slots += _slots_of(node, structure, typed)
            rows *= cost
            if checkpoints and (checkpoints[-1].start, checkpoints[-1].stop) == (begin, len(slots)):
                checkpoints.pop()
            checkpoints.append(Checkpoint(begin, len(slots), tuple(here)))
        order += here
    if not pattern.edges:  # a node alone
        slots += _slots_of(0, structure, typed)
        checkpoints.append(Checkpoint(0, len(slots), ()))
        rows = float(schema.nodes)
    interpretations = prod(len(list_of(slot, candidates, pattern)) for slot in slots)
    strategy, why = _strategy(options, interpretations, rows)
    return Plan(
        pattern,
        structure.part(tuple(order)),
        tuple(slots),
        tuple(checkpoints),
        strategy,
        why,
        interpretations,
        rows,
    )


def _slots_of(node: int, structure: Structure, typed: Set[int]) -> list[Slot]:
    """The choices that a node of the pattern leaves."""
    slots = [Slot("node", node)] if structure.known[node] else []
    return [*slots, Slot("type", node)] if node in typed else slots


def list_of(slot: Slot, candidates: Candidates, pattern: Pattern) -> CandidateList:
    """The candidates of a slot."""
    if slot.kind == "relation":
        return candidates.relations[slot.index]
    id = pattern.nodes[slot.index].id
    return candidates.nodes[id] if slot.kind == "node" else candidates.types[id]


def _strategy(options: Options, interpretations: int, rows: float) -> tuple[str, str]:
    if options.strategy != "auto":
        return options.strategy, "asked for by the option `strategy`"
    if interpretations > options.k and rows <= BRUTE_ROWS_PER_RESULT * options.k:
        return "brute force", (
            f"one query over all {interpretations:,} interpretations touches about {rows:,.0f} "
            f"rows, less than asking for {options.k} interpretations one by one"
        )
    return "ascending", (
        f"{interpretations:,} interpretations are fetched so far and one query over all would "
        f"touch about {rows:,.0f} rows; best first, the search ends at the first {options.k} that "
        "exist (after misses it learns by a semi-join, and turns to brute force last)"
    )


class _Statistics:
    """Degrees for the candidates of an edge."""

    def __init__(self, candidates: Candidates, schema: Schema):
        self._relations: Mapping[str, Relation] = schema.by_id
        self._triples = max(schema.triples, 1)
        self._nodes = max(schema.nodes, 1)
        self._candidates = candidates
        self._cache: dict[tuple[int, str], float] = {}

    def fan_out(self, edge: int, way: str) -> float:
        """Edges that leave a node by this pattern edge, summed over its candidates."""
        if (edge, way) not in self._cache:
            self._cache[edge, way] = self._fan_out(edge, way)
        return self._cache[edge, way]

    def _fan_out(self, edge: int, way: str) -> float:
        entries = self._relations_of(edge)
        if entries is None:
            return 2 * self._triples / self._nodes
        out = sum(r.mean_out for r in entries)
        into = sum(r.mean_in for r in entries)
        return {"out": out, "in": into}.get(way, out + into)

    def all(self, edge: int) -> float:
        """Triples that this pattern edge could be, over its candidates."""
        entries = self._relations_of(edge)
        return self._triples if entries is None else sum(r.triples for r in entries)

    def _relations_of(self, edge: int) -> list[Relation] | None:
        found = self._candidates.relations.get(edge)
        if found is None:
            return None
        return [r for c in found.entries if (r := self._relations.get(c.id))]


def _next_edge(
    structure: Structure, rest: set[int], visited: set[int], statistics: _Statistics
) -> tuple[int, int, float]:
    """(edge, node it starts from, factor on rows) with the least growth."""
    best: tuple[float, int, int] = (inf, -1, -1)
    for edge in sorted(rest):
        a, b = structure.edges[edge]
        for start, end, way in ((a, b, "out"), (b, a, "in")):
            if visited and start not in visited:
                continue
            if (
                not visited
                and not structure.known[start]
                and any(structure.known[n] for e in rest for n in structure.edges[e])
            ):
                continue
            cost = (
                statistics.fan_out(edge, way if structure.directed[edge] else "any")
                if visited or structure.known[start]
                else statistics.all(edge)
            )
            if end in visited or structure.known[end]:
                cost = min(cost, 1.0)  # closing an edge never adds rows
            value = structure.values[edge]
            if value is not None and structure.known[value]:
                cost *= SHARE_OF_VALUE
            best = min(best, (cost, edge, start))
    cost, edge, start = best
    return edge, start, max(cost, 0.1)

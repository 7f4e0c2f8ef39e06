"""What the plugin must give for patterns with conditions and ``without``, by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import neo4j
from hypothesis import reject
from hypothesis import strategies as st
from neo4j.time import Date
from tests.oracle.brute import Distances, Embedding, Interpretation, Lists, interpretations
from tests.oracle.graphs import beginnings, below, from_to
from tests.oracle.property_graph import Node as GraphNode
from tests.oracle.property_graph import PropertyGraph, Relationship, load, schema_of
from tests.oracle.property_graphs import (
    PropertyCase,
    cases_of,
    property_graphs,
    property_patterns,
)

from isomatch.match.conditions import compare, holds
from isomatch.pattern import Condition, Edge, Node, Pattern, to_json
from isomatch.pattern.types import COMPARISONS, OPERATORS, Part
from isomatch.store.terms import is_literal, literal
from isomatch.store.values import from_id, to_id

TOLERANCE = 1e-6
CONSTANTS = ("7", "8.5", "6", "1995", "1995-07", "1995-07-01", "1996-01-01", "true", "ann", "BOB")
ORDERED = ("<", "<=", ">", ">=", "between")
CALL = (
    "CALL isomatch.match.stream($pattern, $config) YIELD rank, gsd, bindings, interpretation, "
    "certificate RETURN rank, gsd, [id IN $nodes | bindings[id]] AS bound, "
    "[e IN $edges | interpretation.relations[e].id] AS relations, certificate"
)


@dataclass(frozen=True)
class ConditionedCase:
    """A case whose pattern has conditions and perhaps a part, which has lists of its own."""

    case: PropertyCase
    part: PropertyCase | None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.pretty(self.case)
        printer.text(f"\n{self.case.pattern.where}\n{self.case.pattern.parts}\n")
        printer.pretty(self.part)


@st.composite
def conditions(draw: st.DrawFn, pattern: Pattern, origin: Mapping[str, str]) -> Condition:
    """A comparison of an unknown node, mostly of a value, with constants or another node.

    Args:
        origin: where in the graph the pattern's nodes were cut out.
    """
    unknown = [node.id for node in pattern.nodes if not node.known]
    values = [id for id in unknown if is_literal(origin.get(id, ""))]
    node = draw(st.sampled_from(values if values and draw(below(8)) else unknown))
    found = []
    for _ in range(draw(from_to(1, 2))):
        others = [id for id in unknown if id != node]
        if others and not draw(below(3)):
            other = draw(st.sampled_from(others))
            found.append(Condition(node, draw(st.sampled_from(COMPARISONS)), other=other))
            continue
        operator = draw(st.sampled_from(OPERATORS))
        constants = st.sampled_from(CONSTANTS[:-3] if operator in ORDERED else CONSTANTS)
        many = {"between": 2, "in": 3}.get(operator, 1)
        given = tuple(draw(constants) for _ in range(many))
        found.append(Condition(node, operator, given))
    return replace(found[0], either=tuple(found[1:]))


@st.composite
def conditioned_cases(draw: st.DrawFn) -> ConditionedCase:
    """Conditions, a part, or both."""
    graph = draw(property_graphs())
    pattern, origin = draw(_open_patterns(graph, 3))
    unknown = [node.id for node in pattern.nodes if not node.known]
    where = tuple(draw(conditions(pattern, origin)) for _ in range(draw(below(3))))
    part = None
    parts: tuple[Part, ...] = ()
    if not where or draw(st.booleans()):
        inner, there = draw(_open_patterns(graph, 2))
        if draw(st.booleans()):
            inner = replace(inner, where=(draw(conditions(inner, there)),))
        free = [node.id for node in inner.nodes if not node.known]
        pairs = [(a, b) for a in unknown for b in free]
        same = [(a, b) for a, b in pairs if a in origin and origin[a] == there.get(b)]
        shared = [draw(st.sampled_from(same or pairs))]
        rest = [(a, b) for a, b in pairs if a != shared[0][0] and b != shared[0][1]]
        if rest and not draw(below(3)):
            shared.append(draw(st.sampled_from(rest)))
        outer, returns = zip(*shared, strict=True)
        inner = replace(inner, returns=returns)
        part = draw(cases_of(graph, inner, there))
        parts = (Part(outer, "not in", inner),)
    case = draw(cases_of(graph, pattern, origin))
    return ConditionedCase(replace(case, pattern=replace(pattern, where=where, parts=parts)), part)


@st.composite
def _open_patterns(
    draw: st.DrawFn, graph: PropertyGraph, edges: int
) -> tuple[Pattern, dict[str, str]]:
    """One with an unknown node, and where it was cut out."""
    pattern, origin = draw(property_patterns(graph, edges))
    if all(node.known for node in pattern.nodes):
        reject()
    return pattern, origin


FILM, YEAR, STAR = (Edge("f", "by", "p"), Edge("f", "year", "y"), Edge("a", "acted", "f"))
PAID = Edge("a", "acted", "f", "v")
WHOLE = (
    *((YEAR,), (FILM, YEAR), (PAID, YEAR), (STAR, Edge("b", "acted", "f"))),
    *((FILM, Edge("g", "by", "p"), YEAR, Edge("g", "year", "z")), (STAR, FILM, YEAR)),
)
WITHIN = ((FILM,), (STAR,), (YEAR,), (PAID,), (Edge("g", "year", "y"), Edge("g", "by", "p")))
YEARS = (
    7,
    1995,
    2001,
    8.5,
    "7",
    "1995",
    "1,995",
    "soon",
    True,
    Date(1995, 7, 1),
    [7, 11],
    ["7", "ann"],
)
_year = st.one_of(st.none(), st.sampled_from(YEARS))
_distance = st.sampled_from((0.0, 0.0, 0.25, 0.5))


@st.composite
def film_graphs(draw: st.DrawFn) -> PropertyGraph:
    """Films with years of many kinds, who made them, and who was paid what to act in them."""
    films = [f"f{number}" for number in range(draw(from_to(2, 4)))]
    people = ["p0", "p1", "p2"]
    nodes = [GraphNode(film, ("Film",), _present(year=draw(_year))) for film in films]
    nodes += [GraphNode(person, ("Person",)) for person in people]
    facts = []
    for film in films:
        for kind in ("BY", "ACTED"):
            for person in draw(st.lists(st.sampled_from(people), max_size=2, unique=True)):
                ends = (film, person) if kind == "BY" else (person, film)
                pay = _present(pay=draw(_year)) if kind == "ACTED" else {}
                facts.append(Relationship(ends[0], kind, ends[1], pay))
    return PropertyGraph(tuple(nodes), tuple(facts), {})


@st.composite
def film_cases(draw: st.DrawFn) -> ConditionedCase:
    """Patterns that mostly have matches, of which conditions and parts leave out some."""
    graph = draw(film_graphs())
    pattern = draw(_film_patterns(WHOLE))
    values = {id: literal("7") for id in ("y", "z", "v")}
    where = tuple(draw(conditions(pattern, values)) for _ in range(draw(below(3))))
    part, parts = None, tuple[Part, ...]()
    if not where or draw(st.booleans()):
        inner = draw(_film_patterns(WITHIN))
        shared = [n.id for n in inner.nodes if n in pattern.nodes and not n.known]
        if not shared:
            reject()
        if draw(st.booleans()):
            inner = replace(inner, where=(draw(conditions(inner, values)),))
        inner = replace(inner, returns=tuple(shared))
        part = draw(_film_case(graph, inner))
        parts = (Part(tuple(shared), "not in", inner),)
    case = draw(_film_case(graph, pattern))
    return ConditionedCase(replace(case, pattern=replace(pattern, where=where, parts=parts)), part)


@st.composite
def _film_patterns(draw: st.DrawFn, edges: Sequence[tuple[Edge, ...]]) -> Pattern:
    chosen = draw(st.sampled_from(edges))
    named = draw(st.booleans())
    ids = dict.fromkeys(id for edge in chosen for id in edge.nodes)
    return Pattern(tuple(Node(id, "who" if named and id == "p" else None) for id in ids), chosen)


@st.composite
def _film_case(draw: st.DrawFn, graph: PropertyGraph, pattern: Pattern) -> PropertyCase:
    people = {person: draw(_distance) for person in ("p0", "p1")}
    words = {"by": ":BY", "year": ".year", "acted": ":ACTED"}
    relations = {e: {words[edge.relation or ""]: 0.0} for e, edge in enumerate(pattern.edges)}
    lists = Lists({node.id: people for node in pattern.nodes if node.known}, relations, {})
    return PropertyCase(graph, pattern, lists, draw(beginnings(lists)))


def _present(**properties: Any) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if value is not None}


def check(
    driver: neo4j.Driver, given: ConditionedCase, k: int, limit: int, options: Mapping[str, Any]
) -> None:
    """Write the graph, call the plugin, and compare with brute force."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    ids = load(driver, given.case.graph)
    names = {id: name for name, id in ids.items()}
    schema = schema_of(given.case.graph)
    pattern = given.case.pattern
    candidates: dict[str, Any] = _lists(given.case.placed(ids).lists)
    if given.part:
        candidates["parts"] = [_lists(given.part.placed(ids).lists)]
    config = {
        **options,
        "k": k,
        "limit": limit,
        "parallel": False,
        "candidates": candidates,
        "names": dict(given.case.graph.naming),
        "unknown_relations": [relation.id for relation in schema.relations],
        "summary": True,
    }
    records = driver.execute_query(
        CALL,
        pattern=to_json(pattern),
        config=config,
        nodes=[node.id for node in pattern.nodes],
        edges=[str(number) for number in range(len(pattern.edges))],
    ).records
    *rows, last = records
    assert last["rank"] is None
    found: dict[int, tuple[float, set[Embedding]]] = {}
    for row in rows:
        bound = tuple(names.get(_id(value), _id(value)) for value in row["bound"])
        match = Embedding(bound, tuple(row["relations"]), ())
        matches = found.setdefault(row["rank"], (row["gsd"], set()))[1]
        assert match not in matches
        matches.add(match)
    proof = last["certificate"]
    assert proof["exact"]
    truth = readings(given, options)
    if truth is None:  # what is left out is not known
        assert not found
        assert not proof["complete"]
        return
    assert proof["complete"]
    _compare(found, truth, k, limit)
    untold = [m for _, _, untold in truth[:k] for m in untold]
    if untold and not any(kept for _, kept, _ in truth):
        assert any("could not be compared" in note for note in proof["notes"])


def _compare(
    found: Mapping[int, tuple[float, set[Embedding]]],
    truth: Sequence[tuple[float, set[Embedding], set[Embedding]]],
    k: int,
    limit: int,
) -> None:
    assert all(rank <= min(k, len(truth)) for rank in found)
    left = list(truth)
    for rank, (gsd, matches) in sorted(found.items()):
        assert abs(truth[rank - 1][0] - gsd) < TOLERANCE
        one = next(
            one
            for one in left
            if abs(one[0] - gsd) < TOLERANCE
            and matches <= one[1]
            and len(matches) == min(limit, len(one[1]))
        )
        left.remove(one)
    # Places without rows are those of interpretations of which nothing is left.
    empty = Counter(round(gsd, 4) for gsd, kept, _ in truth if not kept)
    missing = [n for n in range(1, min(k, len(truth)) + 1) if n not in found]
    empty.subtract(round(truth[rank - 1][0], 4) for rank in missing)
    assert all(count >= 0 for count in empty.values())


def readings(
    given: ConditionedCase, options: Mapping[str, Any]
) -> list[tuple[float, set[Embedding], set[Embedding]]] | None:
    """Each interpretation's matches that are kept, and those that could not be compared.

    None where the part has a list without an entry.
    """
    case, part = given.case, given.part
    answers: set[tuple[str, ...]] = set()
    if part is not None:
        lists = Lists(*map(_nearest, (part.lists.nodes, part.lists.relations, part.lists.types)))
        if any(not one for kind in vars(lists).values() for one in kind.values()):
            return None
        column = {node.id: place for place, node in enumerate(part.pattern.nodes)}
        for one in interpretations(part.graph, part.pattern, lists, **options):
            for match in one.matches:
                if all(_judged(part.pattern, c, match) for c in part.pattern.where):
                    answers.add(tuple(match.nodes[column[id]] for id in part.pattern.returns))
    found = []
    for reading in interpretations(case.graph, case.pattern, case.lists, **options):
        kept, untold = _kept(case.pattern, reading, answers)
        found.append((reading.gsd, kept, untold))
    return found


def _kept(
    pattern: Pattern, reading: Interpretation, answers: set[tuple[str, ...]]
) -> tuple[set[Embedding], set[Embedding]]:
    kept, untold = set[Embedding](), set[Embedding]()
    for match in reading.matches:
        results = [_judged(pattern, condition, match) for condition in pattern.where]
        for part in pattern.parts:
            column = {node.id: place for place, node in enumerate(pattern.nodes)}
            results.append(_excluded(tuple(match.nodes[column[id]] for id in part.nodes), answers))
        plain = Embedding(match.nodes, match.relations, ())
        if all(results):
            kept.add(plain)
        elif False not in results:
            untold.add(plain)
    return kept, untold


def _excluded(ids: tuple[str, ...], answers: set[tuple[str, ...]]) -> bool | None:
    """Whether a match is none of the answers."""
    same = [
        [True if a == b else compare("=", a, b) for a, b in zip(ids, answer, strict=True)]
        for answer in answers
    ]
    if any(all(one) for one in same):
        return False
    return None if any(None in one for one in same) else True


def _judged(pattern: Pattern, condition: Condition, match: Embedding) -> bool | None:
    bound = dict(zip((node.id for node in pattern.nodes), match.nodes, strict=True))
    results = [
        holds(one, bound[one.node])
        if one.other is None
        else compare(one.operator, bound[one.node], bound[one.other])
        for one in condition.alternatives
    ]
    return True if any(results) else None if None in results else False


def _nearest(lists: Mapping[Any, Distances]) -> dict[Any, Distances]:
    return {
        part: {id: d for id, d in entries.items() if d <= min(entries.values()) + 1e-9}
        for part, entries in lists.items()
    }


def _lists(lists: Lists) -> dict[str, dict[str, Any]]:
    def compact(entries: Distances) -> dict[str, Any]:
        ids = [[from_id(id)] if is_literal(id) else id for id in entries]
        return {"ids": ids, "distances": list(entries.values()), "frontier": float("inf")}

    return {
        kind: {str(part): compact(entries) for part, entries in getattr(lists, kind).items()}
        for kind in ("nodes", "relations", "types")
    }


def _id(value: Any) -> str:
    return value.element_id if hasattr(value, "element_id") else to_id(value) or ""

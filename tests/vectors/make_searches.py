"""Writes searches.json: small searches with what brute force finds, for every implementation.

    python -m tests.vectors.make_searches

The cases are those of the oracle tests (`tests.oracle.property_graphs`), drawn with
a fixed seed, without what JSON has no value for. Of many drawn, those are kept that
show something of which few are there yet.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.oracle.brute import Distances, Interpretation, interpretations
from tests.oracle.checks import least, options
from tests.oracle.property_graph import PropertyGraph
from tests.oracle.property_graphs import PropertyCase, property_cases

from isomatch.options import Options
from isomatch.pattern.wire import to_json
from isomatch.store.terms import is_literal
from isomatch.store.values import from_id

PATH = Path(__file__).with_name("searches.json")
DRAWN = 1500
OF_EACH = 9  # cases for each thing that a case can show
MOST_MATCHES = 40

ABOUT = [
    "Small searches, with all that brute force finds: the same for every implementation.",
    "Written by tests/vectors/make_searches.py (seeded); do not edit.",
    "graph: nodes by name, relationships between them, and naming: the property that names"
    " the nodes of a label, which is no relation of theirs.",
    "pattern: in the JSON form. candidates: lists of [item, distance], ascending by distance,"
    " by pattern node id (nodes, types) and by edge number (relations); all of them are whole."
    " A type without a list there does not count: the graph has no types.",
    "An item of a node's list is the name of a node; a list of one is a value; a text that is"
    " no node's name is the element id of nothing. Those of relations and types are :TYPE,"
    " .key, :Label or literal:number|text|date|boolean.",
    "options: the rest have their defaults, and there is no budget.",
    "expected.gsds: of the best k, ascending; of matches where options.results says so.",
    "expected.interpretations: all that have a match, ascending by gsd (those of one gsd in"
    " any order), each with all its matches, in any order: the best k are among them, and a"
    " search keeps at most options.limit matches of each.",
    "A match is its bindings by pattern node, and the relation and the fact of every edge: r1"
    " for the first of the relationships, nothing for a property.",
]


def drawn() -> Iterator[tuple[PropertyCase, Options]]:
    """Cases in the order in which hypothesis draws them."""
    found = []

    @seed(5)
    @settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(property_cases(), options)
    def draw(case: PropertyCase, chosen: Options) -> None:
        found.append((case, chosen))

    draw()
    return iter(found)


def chosen_cases() -> list[dict[str, Any]]:
    """The cases as they are written, numbered."""
    seen: Counter[str] = Counter()
    kept = []
    for number, (case, chosen) in enumerate(drawn()):
        if number % 4 == 0:
            chosen = chosen.with_(results="matches")
        try:
            graph = _graph(case.graph)
            lists = _lists(case)
        except TypeError:  # a date
            continue
        truth = interpretations(
            case.graph,
            case.pattern,
            case.lists,
            nodes=chosen.nodes,
            direction=chosen.direction,
            type_weight=chosen.type_weight,
        )
        if sum(len(r.matches) for r in truth) > MOST_MATCHES:
            continue
        shown = set(_shown(case, chosen, truth))
        if not any(seen[one] < OF_EACH for one in shown):
            continue
        seen.update(shown)
        kept.append(
            {
                "name": f"{len(kept):03}: {', '.join(sorted(shown))}",
                "graph": graph,
                "pattern": to_json(case.pattern),
                "candidates": lists,
                "options": _options(chosen),
                "expected": _expected(case, chosen, truth),
            }
        )
    return kept


def _shown(case: PropertyCase, chosen: Options, truth: list[Interpretation]) -> Iterator[str]:
    """What a case is a case of."""
    if not truth:
        yield "nothing found"
        return
    edges, pattern = case.pattern.edges, case.pattern
    yield chosen.nodes
    yield chosen.direction
    ends = [frozenset((e.source, e.target)) for e in edges]
    if any(len(pair) == 1 for pair in ends):
        yield "loop"
    if len(set(ends)) < len(ends):
        yield "parallel edges"
    if len(edges) == 3 and len(frozenset().union(*ends)) == 3 and len(set(ends)) == 3:
        yield "three edges of three nodes"
    if len(pattern.components()) > 1:
        yield "two components"
    if any(e.relation is None for e in edges):
        yield "unknown relation"
    if any(e.value for e in edges):
        yield "value on an edge"
    if case.lists.types:
        yield "typed"
    matches = [match for interpretation in truth for match in interpretation.matches]
    if any(map(is_literal, (id for match in matches for id in match.nodes))):
        yield "property"
    if chosen.results == "matches":
        yield "plain matches"
    if len(truth) > chosen.k:
        yield "more than k"
    if any(len(interpretation.matches) > chosen.limit for interpretation in truth[: chosen.k]):
        yield "cut"
    named = {id for node in pattern.nodes for match in matches for id in match.nodes if node.known}
    if any(case.graph.names_of(id) & named for id in named if not is_literal(id)):
        yield "a name as a value"
    if len(edges) == 3:
        yield "three edges"


def _graph(graph: PropertyGraph) -> dict[str, Any]:
    return {
        "nodes": [
            {"name": n.name, "labels": list(n.labels), "properties": _plain(dict(n.properties))}
            for n in graph.nodes
        ],
        "relationships": [
            {
                "source": r.source,
                "type": r.type,
                "target": r.target,
                "properties": _plain(dict(r.properties)),
            }
            for r in graph.relationships
        ],
        "naming": dict(graph.naming),
    }


def _plain(value: Any) -> Any:
    """The same value, if JSON has it."""
    json.dumps(value)
    return value


def _lists(case: PropertyCase) -> dict[str, Any]:
    lists = case.lists
    return {
        "nodes": {part: _entries(entries) for part, entries in lists.nodes.items()},
        "relations": {str(edge): _entries(entries) for edge, entries in lists.relations.items()},
        "types": {part: _entries(entries) for part, entries in lists.types.items()},
    }


def _entries(distances: Distances) -> list[list[Any]]:
    ordered = sorted(distances.items(), key=lambda entry: (entry[1], entry[0]))
    return [[_item(id), distance] for id, distance in ordered]


def _item(id: str) -> Any:
    return [_plain(from_id(id))] if is_literal(id) else id


def _options(chosen: Options) -> dict[str, Any]:
    keys = ("k", "limit", "nodes", "direction", "type_weight", "results")
    return {key: getattr(chosen, key) for key in keys}


def _expected(case: PropertyCase, chosen: Options, truth: list[Interpretation]) -> dict[str, Any]:
    ids = [node.id for node in case.pattern.nodes]
    gsds = [interpretation.gsd for interpretation in truth]
    if chosen.results == "matches":
        gsds = sorted(least(truth).values())
    return {
        "gsds": gsds[: chosen.k],
        "interpretations": [
            {
                "gsd": interpretation.gsd,
                "nodes": {part: _item(id) for part, id in interpretation.nodes.items()},
                "relations": {str(edge): id for edge, id in interpretation.relations.items()},
                "types": dict(interpretation.types),
                "matches": [
                    {
                        "bindings": dict(zip(ids, map(_item, match.nodes), strict=True)),
                        "relations": list(match.relations),
                        "facts": list(match.facts),
                    }
                    for match in sorted(
                        interpretation.matches, key=lambda m: (m.nodes, m.relations, m.facts)
                    )
                ],
            }
            for interpretation in truth
        ],
    }


if __name__ == "__main__":
    cases = chosen_cases()
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases)
    about = json.dumps(ABOUT, ensure_ascii=False, indent=1)
    PATH.write_text(f'{{"about": {about},\n "cases": [\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{PATH}: {len(cases)} cases")

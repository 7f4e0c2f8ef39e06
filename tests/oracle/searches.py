"""The vectors of tests/vectors/searches.json as cases of the oracle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.brute import Embedding, Interpretation, Lists
from tests.oracle.property_graph import Node, PropertyGraph, Relationship
from tests.oracle.property_graphs import PropertyCase

from isomatch.options import Options
from isomatch.pattern.wire import parse_json
from isomatch.store.values import to_id

PATH = Path(__file__).resolve().parents[1] / "vectors" / "searches.json"


@dataclass(frozen=True)
class Vector:
    """One search, and what is expected of it.

    Attributes:
        gsds: of the best k.
        readings: all that have a match, ascending by distance.
    """

    name: str
    case: PropertyCase
    chosen: Options
    gsds: tuple[float, ...]
    interpretations: tuple[Interpretation, ...]


def vectors() -> list[Vector]:
    """All of them, in the file's order."""
    return [_vector(one) for one in json.loads(PATH.read_text(encoding="utf-8"))["cases"]]


def _vector(one: Mapping[str, Any]) -> Vector:
    graph, candidates = one["graph"], one["candidates"]
    pattern = parse_json(one["pattern"])
    lists = Lists(
        {part: _distances(entries) for part, entries in candidates["nodes"].items()},
        {int(edge): _distances(entries) for edge, entries in candidates["relations"].items()},
        {part: _distances(entries) for part, entries in candidates["types"].items()},
    )
    shown = {
        (kind, part): len(entries)
        for kind in ("nodes", "relations", "types")
        for part, entries in getattr(lists, kind).items()
    }
    property_graph = PropertyGraph(
        tuple(Node(n["name"], tuple(n["labels"]), n["properties"]) for n in graph["nodes"]),
        tuple(Relationship(**relationship) for relationship in graph["relationships"]),
        graph["naming"],
    )
    return Vector(
        one["name"],
        PropertyCase(property_graph, pattern, lists, shown),
        Options(**one["options"], budget_seconds=None, budget_rows=None),
        tuple(one["expected"]["gsds"]),
        tuple(
            Interpretation(
                interpretation["gsd"],
                {part: _id(item) for part, item in interpretation["nodes"].items()},
                {int(edge): id for edge, id in interpretation["relations"].items()},
                interpretation["types"],
                frozenset(
                    Embedding(
                        tuple(_id(match["bindings"][node.id]) for node in pattern.nodes),
                        tuple(match["relations"]),
                        tuple(match["facts"]),
                    )
                    for match in interpretation["matches"]
                ),
            )
            for interpretation in one["expected"]["interpretations"]
        ),
    )


def _distances(entries: list[list[Any]]) -> dict[str, float]:
    return {_id(item): distance for item, distance in entries}


def _id(item: Any) -> str:
    """An item as an id: of a value where it is a list of one."""
    id = to_id(item[0]) if isinstance(item, list) else item
    assert isinstance(id, str)
    return id

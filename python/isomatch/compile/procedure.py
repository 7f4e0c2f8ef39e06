"""What the plugin's search is called with: pattern, options and the beginnings of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isomatch._version import __version__
from isomatch.link.candidates import Candidate, Kind
from isomatch.options import Options
from isomatch.pattern.types import Pattern
from isomatch.pattern.wire import to_json
from isomatch.schema.types import Schema
from isomatch.store.terms import is_literal
from isomatch.store.values import from_id


@dataclass(frozen=True, slots=True)
class Prefix:
    """The beginning of the candidate list of one part, as it is sent.

    Attributes:
        kind: ``node``, ``relation`` or ``type``.
        part: pattern node id, or the number of an edge as text.
        entries: ascending by distance.
        frontier: no element outside ``entries`` is nearer; `math.inf` where they are
            all there is.
        approximate: whether they came from an approximate index.
    """

    kind: Kind
    part: str
    entries: Sequence[Candidate]
    frontier: float
    approximate: bool = False


def parameters(
    pattern: Pattern,
    prefixes: Sequence[Prefix],
    options: Options,
    schema: Schema,
    seconds: float | None,
) -> dict[str, Any]:
    """The parameters of `procedures/match.cypher.j2`.

    Args:
        schema: for names, and for what an unknown relation may be.
        seconds: that are left of the budget, or None.
    """
    lists: dict[str, dict[str, Any]] = {"nodes": {}, "relations": {}, "types": {}}
    for prefix in prefixes:
        lists[f"{prefix.kind}s"][prefix.part] = _list(prefix)
    config: dict[str, Any] = {
        "k": options.k,
        # One more than is kept tells whether the limit cut.
        "limit": options.limit + 1,
        "nodes": options.nodes,
        "direction": options.direction,
        "type_weight": options.type_weight,
        "results": options.results,
        "parallel": False,  # rows are of nodes; their relationships come with the descriptions
        "budget_seconds": seconds,
        "budget_rows": options.budget_rows,
        "candidates": lists,
        "names": {label[1:]: key[1:] for label, key in schema.names.items()},
        "properties": _places(pattern, prefixes, schema),
        "summary": True,
        "client": __version__,
    }
    unknown = [str(e) for e, edge in enumerate(pattern.edges) if edge.relation is None]
    if unknown:
        config["unknown_relations"] = [relation.id for relation in schema.relations]
    return {
        "pattern": _counted(pattern, lists["types"]),
        "config": config,
        "nodes": [node.id for node in pattern.nodes],
        "edges": [str(number) for number in range(len(pattern.edges))],
        "unknown": unknown,
    }


def _list(prefix: Prefix) -> dict[str, Any]:
    ids: list[Any] = []
    distances = []
    for entry in prefix.entries:
        try:
            ids.append([from_id(entry.id)] if is_literal(entry.id) else entry.id)
        except ValueError:  # of another database: no property can hold it
            continue
        distances.append(entry.distance)
    return {
        "ids": ids,
        "distances": distances,
        "frontier": prefix.frontier,
        "approximate": prefix.approximate,
    }


def _places(
    pattern: Pattern, prefixes: Sequence[Prefix], schema: Schema
) -> dict[str, dict[str, Any]]:
    """Which labels have the properties that may be asked for, so that no other is scanned."""
    asked = [r.id for r in schema.relations]
    if all(edge.relation is not None for edge in pattern.edges):
        asked = [e.id for prefix in prefixes if prefix.kind == "relation" for e in prefix.entries]
    return {
        relation.id[1:]: {
            "labels": [label[1:] for label in relation.source_types],
            "lists": relation.listed,
        }
        for id in dict.fromkeys(asked)
        if id.startswith(".")
        and (relation := schema.by_id.get(id)) is not None
        and ":" not in relation.source_types  # nodes without a label have it too
    }


def _counted(pattern: Pattern, types: Mapping[str, Any]) -> dict[str, Any]:
    """The pattern in its JSON form, without types that have no list: they do not count."""
    form = to_json(pattern)
    form.pop("count", None)  # what the plugin does not know: counted here
    for node in form["nodes"]:
        if node["id"] not in types:
            node.pop("type", None)
    return form

"""What the text of a Cypher query depends on, so that equal shapes share one text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from isomatch.compile.ranges import Range, ends_of
from isomatch.plan.structure import Structure
from isomatch.schema.types import Relation, Schema
from isomatch.store.terms import is_literal
from isomatch.store.values import from_id

VALUE_TYPES = {
    "literal:text": "STRING",
    "literal:number": "INTEGER | FLOAT",
    "literal:date": "DATE | ZONED DATETIME | LOCAL DATETIME",
    "literal:boolean": "BOOLEAN",
}


@dataclass(frozen=True, slots=True)
class EdgeShape:
    """What an edge can be.

    Attributes:
        kinds: ``rel``, ``prop`` or both.
        types: relationship types (ids) to write into the text; where there are
            several, a row says which.
        properties: property relations (ids) that a look-up by value would use.
        source: where the relation comes from: the ``row``, a ``list`` (brute
            force), or ``any``.
    """

    kinds: tuple[str, ...]
    types: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    source: str = "row"


@dataclass(frozen=True, slots=True)
class Shape:
    """All that the text of a part depends on, beside the schema.

    Attributes:
        structure: shape and rules of the part.
        domains: for each node of ``structure.used``: ``node``, ``value`` or both.
        edges: for each edge of ``structure.order``.
        types: for each used node None, ``row`` (a label in the row), ``list``
            (brute force), or the type's id, which goes into the text.
        lists: whether known parts range over lists (brute force), not over rows.
        ranges: nodes of which a row says which values are left out, and whether it does
            numbers and years, and some between others.
    """

    structure: Structure
    domains: tuple[tuple[str, ...], ...]
    edges: tuple[EdgeShape, ...]
    types: tuple[str | None, ...]
    lists: bool = False
    ranges: tuple[tuple[int, bool, bool, bool], ...] = ()


def narrowed(structure: Structure, domains: Sequence[set[str]], edges: Sequence[EdgeShape]) -> None:
    """Take from each node's domain what its edges rule out."""
    domain = dict(zip(structure.used, domains, strict=True))
    if not structure.edges:  # no value stands alone
        domain[0] &= {"node"}
    for e in structure.order:
        if (value := structure.values[e]) is not None:
            domain[value] &= {"value"}
    changed = True
    while changed:
        changed = False
        for e, edge in zip(structure.order, edges, strict=True):
            a, b = structure.edges[e]
            pairs = [
                (x, y)
                for x in domain[a]
                for y in (domain[b] if a != b else {x})
                if any(uses_of(structure, e, edge, {a: x, b: y}))
            ]
            for n, left in ((a, {x for x, _ in pairs}), (b, {y for _, y in pairs})):
                if domain[n] - left:
                    domain[n] &= left
                    changed = True


def uses_of(
    structure: Structure, edge: int, shape: EdgeShape, kind: Mapping[int, str]
) -> Iterator[str]:
    """Whether the edge can be a relationship or a property, given what its ends are."""
    a, b = (kind[n] for n in structure.edges[edge])
    if "rel" in shape.kinds and a == b == "node":
        yield "rel"
    backward = a == "value" and b == "node" and not structure.directed[edge]
    forward = a == "node" and b == "value"
    if "prop" in shape.kinds and structure.values[edge] is None and (forward or backward):
        yield "prop"


def places(relation: Relation, number: int) -> list[dict[str, Any]]:
    """Where a property is: a label each; ``number`` stands for its key in results."""
    return [
        {"label": label, "key": relation.id, "number": number, "listed": relation.listed}
        for label in relation.source_types
    ]


def property_keys(schema: Schema) -> list[str]:
    """Ids of all property relations, in the schema's order."""
    return [r.id for r in schema.relations if r.id.startswith(".")]


def naming(schema: Schema) -> dict[str, list[str]]:
    """Ids of the labels that each property key names."""
    found: dict[str, list[str]] = {}
    for label, property in schema.names.items():
        found.setdefault(property[1:], []).append(label)
    return dict(sorted(found.items()))


def facts_of_nodes(schema: Schema) -> dict[str, Any]:
    """Which properties are facts: their keys, and what no fact leads to.

    With the labels whose nodes each property names, and those that are left out.
    """
    return {
        "keys": [id[1:] for id in property_keys(schema)],
        "naming": {key: [id[1:] for id in ids] for key, ids in naming(schema).items()},
        "no_labels": schema.unsearched_names["no_labels"],
    }


def anchored_nodes(structure: Structure, nodes: Mapping[int, Any]) -> set[int]:
    """The nodes in connected parts with a known end: there the search has a start."""
    found = {n for n in nodes if n not in structure.values}
    grown = True
    while grown:
        grown = False
        for e in structure.order:
            ends = set(structure.edges[e])
            if ends & found and not ends <= found:
                found |= ends
                grown = True
    return found


def open_edge(schema: Schema) -> EdgeShape:
    """What an edge without words can be: anything, less what the settings leave out."""
    properties, types = tuple(property_keys(schema)), tuple[str, ...]()
    if any(not entry.startswith(".") for entry in schema.exclude):
        types = tuple(sorted(r.id for r in schema.relations if r.id.startswith(":")))
        if not types:
            return EdgeShape(("prop",), (), properties, "any")
    return EdgeShape(("rel", "prop"), types, properties, "any")


def without_types(shape: Shape) -> Shape:
    """The shape without the relationship types in its text."""
    return replace(shape, edges=tuple(replace(e, types=()) for e in shape.edges))


def merge_shapes(shapes: Iterable[Shape | None]) -> dict[Shape | None, Shape]:
    """Shapes that differ only in the types in their text share one, which has them all."""
    groups: dict[Shape, list[Shape]] = {}
    for shape in dict.fromkeys(s for s in shapes if s is not None):
        groups.setdefault(without_types(shape), []).append(shape)
    found: dict[Shape | None, Shape] = {}
    for plain, members in groups.items():
        edges = tuple(
            replace(edge, types=tuple(sorted({t for m in members for t in m.edges[k].types})))
            for k, edge in enumerate(plain.edges)
        )
        for member in members:
            found[member] = replace(plain, edges=edges)
    return found


def row_parameters(
    structure: Structure,
    relations: Sequence[str | None],
    types: Sequence[str | None],
    nodes: Mapping[int, str],
    ranges: Sequence[Range] = (),
) -> dict[str, Any]:
    """The row of parameters for an interpretation: its ids by node and edge."""
    row: dict[str, Any] = {f"n{n}": bound_value(id) for n, id in nodes.items()}
    row |= {f"w{r.node}": ends_of(r) for r in ranges}
    for e in structure.order:
        if (relation := relations[e]) is not None:
            row[f"r{e}"] = relation[1:]
    for n in structure.used:
        if (type := types[n]) is not None and type not in VALUE_TYPES:
            row[f"t{n}"] = type[1:]
    return row


def list_parameters(
    nodes: Mapping[int, Sequence[str]],
    relations: Mapping[int, Sequence[str]],
    types: Mapping[int, Sequence[str]],
) -> dict[str, Any]:
    """The candidate lists of brute force, by what they stand for."""
    lists: dict[str, Any] = {}
    for n, ids in nodes.items():
        lists[f"n{n}"] = [id for id in ids if not is_literal(id)]
        lists[f"v{n}"] = [from_id(id) for id in ids if is_literal(id)]
    for e, ids in relations.items():
        lists[f"e{e}"] = [id[1:] for id in ids if id.startswith(":")]
        lists[f"k{e}"] = [id[1:] for id in ids if id.startswith(".")]
    for n, ids in types.items():
        lists[f"t{n}"] = [id[1:] for id in ids]
    return lists


def bound_value(id: str) -> Any:
    """A node's id, or the value that an id of a literal stands for."""
    return from_id(id) if is_literal(id) else id

"""Worked examples for the model's prompt, from the user's own graph.

Nine shapes are sampled by small queries: one hop either way, two hops, a conjunction, a
value, a comparison, a superlative, a negation and an alternative. Their questions come from
sentence frames over the graph's own words, so that the model sees names, relations and types as
the graph has them (SimGRAG writes such examples by hand for each graph, section 4.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from weakref import WeakKeyDictionary

from isomatch.compile.base import Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryTimeout
from isomatch.interpret.llm.frames import SHAPES, TWO_HOPS, Example, Shape, phrased
from isomatch.link.normalise import value_of
from isomatch.schema.names import node_names
from isomatch.schema.types import Relation, Schema
from isomatch.store.base import Store
from isomatch.store.terms import is_literal, literal_kind, split_literal

_TRIES = 8  # relations, or pairs of them, asked about for one shape
_ROWS = 20
_LONGEST = 10  # characters of a constant: a date without its time
_TIMEOUT = 2.0  # seconds for one query: an example is worth no more
_KEPT: WeakKeyDictionary[Store, tuple[str, tuple[Example, ...]]] = WeakKeyDictionary()


def examples_from_graph(
    store: Store,
    schema: Schema,
    *,
    languages: Sequence[str] = ("en",),
    notes: list[str] | None = None,
) -> tuple[Example, ...]:
    """At most one example of each shape; fewer where the graph has no such shape.

    They are kept in memory with the store, as long as the fingerprint is the same.

    Args:
        notes: told where queries ran out of time, which only costs their examples; what is
            left is not kept.

    Raises:
        StoreError: the database refused a query.
    """
    kept = _KEPT.get(store)
    if kept is not None and kept[0] == schema.fingerprint:
        return kept[1]
    late: list[str] = []
    found = tuple(_sampled(store, schema, languages, late))
    if not late:
        _KEPT[store] = (schema.fingerprint, found)
    elif notes is not None:
        notes.append(
            f"the database took too long for {len(late)} queries for worked examples, so the "
            "model saw fewer"
        )
    return found


def _sampled(
    store: Store, schema: Schema, languages: Sequence[str], late: list[str]
) -> Iterator[Example]:
    used: dict[str, int] = {}  # relations by how many examples have them: variety first
    for shape in SHAPES:
        choices = _choices(shape, schema, used)
        for relations in islice(choices, _TRIES):
            try:
                example = _example(store, schema, shape, relations, languages)
            except QueryTimeout as error:
                late.append(str(error))
                continue
            if example is not None:
                for relation in relations:
                    used[relation.id] = used.get(relation.id, 0) + 1
                yield example
                break


def _choices(
    shape: Shape, schema: Schema, used: Mapping[str, int]
) -> Iterator[tuple[Relation, ...]]:
    """Relations for a shape: those seen least so far first, then the most frequent."""
    ordered = sorted(schema.relations[:200], key=lambda r: used.get(r.id, 0))
    nodes = [r for r in ordered if 2 * sum(r.literal_kinds.values()) < r.triples]
    values = [r for r in ordered if {"number", "date"} & set(r.literal_kinds)]
    if shape.values:
        return ((r,) for r in values)
    if len(shape.edges) == 1:
        return ((r,) for r in nodes)
    if shape is TWO_HOPS:
        nodes_then = nodes[:_TRIES]
        return ((r, s) for r in nodes_then for s in nodes_then if r is not s and _meet(r, s))
    return ((r, s) for i, r in enumerate(nodes) for s in nodes[i + 1 :] if _meet(r, s))


def _meet(one: Relation, other: Relation) -> bool:
    """Whether both may leave from the same node, as far as their types say."""
    types = set(one.source_types) & set(other.source_types)
    return bool(types) or not (one.source_types and other.source_types)


def _example(
    store: Store,
    schema: Schema,
    shape: Shape,
    relations: Sequence[Relation],
    languages: Sequence[str],
) -> Example | None:
    types = {
        v: t for v in shape.unknown if v not in shape.values and (t := _type(shape, v, relations))
    }
    if shape.kind == "alternative" and "x" not in types:
        return None  # without triples a reply says nothing but the kind
    nodes = [v for v in (*shape.named, *shape.unknown) if v not in shape.values]
    query = dialect_of(store).places(
        Terms.of(schema),
        [(s, relations[r].id, t) for s, r, t in shape.edges],
        nodes,
        list(shape.values),
        types,
        _ROWS,
    )
    rows = list(store.run(query, timeout=_TIMEOUT))
    found = [dict(zip((*nodes, *shape.values), row, strict=True)) for row in rows]
    limit = _constant([row["v"] or "" for row in found]) if shape.kind == "comparison" else None
    if shape.kind == "comparison" and limit is None:
        return None
    ids = [row[v] for row in found for v in shape.named]
    names = node_names(store, schema, [i for i in ids if i], languages)
    for row in found:
        said = {v: names.get(row[v] or "", "") for v in shape.named}
        if all(2 < len(name) < 60 and name.isprintable() for name in said.values()):
            words = {t.id: t.text for t in schema.types}
            kinds = {v: words.get(t, "") for v, t in types.items()}
            for v in shape.values:
                kinds[v] = next(k for k in ("number", "date") if k in relations[0].literal_kinds)
            return phrased(shape, said, kinds, [r.text for r in relations], limit or "")
    return None


def _constant(ids: Sequence[str]) -> str | None:
    """A number or a date from the middle of some, such that others are greater; else None."""
    found = []
    for id in ids:
        if is_literal(id) and literal_kind(id) in ("number", "date"):
            text = split_literal(id)[0][:_LONGEST]
            meant = value_of(text)
            if meant.number is not None or meant.iso is not None:
                found.append((meant.number or Decimal(0), meant.iso or "", text))
    found = sorted(set(found))
    return found[(len(found) - 1) // 2][2] if len(found) > 1 else None


def _type(shape: Shape, variable: str, relations: Sequence[Relation]) -> str | None:
    """The most frequent type of a variable, by the first edge that says one."""
    for source, number, target in shape.edges:
        ends: Mapping[str, int] = {}
        if variable == source:
            ends = relations[number].source_types
        elif variable == target:
            ends = relations[number].target_types
        if ends:
            return next(iter(ends))
    return None

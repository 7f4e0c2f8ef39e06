"""Worked examples for the model's prompt, from the user's own graph.

Five shapes are sampled by small queries: one hop either way, two hops, a
conjunction and a value. Their questions come from sentence frames over the
graph's own words, so that the model sees names, relations and types as the
graph has them (SimGRAG writes such examples by hand for each graph, section 4.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

from isomatch.compile.base import Terms
from isomatch.compile.dialects import dialect_of
from isomatch.errors import QueryTimeout
from isomatch.schema.names import node_names
from isomatch.schema.types import Relation, Schema
from isomatch.store.base import Store

# A relation that ends so reads as a participle ("directed by"), else as a noun ("capital").
_PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "into", "of", "on", "to", "with"])
_TRIES = 8  # relations, or pairs of them, asked about for one shape
_ROWS = 20
_TIMEOUT = 2.0  # seconds for one query: an example is worth no more
_KEPT: WeakKeyDictionary[Store, tuple[str, tuple[Example, ...]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Example:
    """A question and the reply that a model should give.

    Attributes:
        question: in plain words.
        segments: the question's parts, one for each triple.
        triples: in the form of the papers: (head, relation, tail), with a value
            on the edge as a fourth where the graph has such.
        asks: the unknowns that are asked for.
    """

    question: str
    segments: tuple[str, ...]
    triples: tuple[tuple[str, ...], ...]
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape of pattern over variables; ``x`` is asked for, ``y`` is between.

    Attributes:
        edges: (variable, number of the relation, variable).
        named: variables whose names the question has.
        values: variables that are literals.
    """

    edges: tuple[tuple[str, int, str], ...]
    named: tuple[str, ...]
    values: tuple[str, ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        """Variables that the question does not name."""
        ends = dict.fromkeys(v for s, _, t in self.edges for v in (s, t))
        return tuple(v for v in ends if v not in self.named)


_FORWARD = _Shape((("a", 0, "x"),), ("a",))
_BACKWARD = _Shape((("x", 0, "a"),), ("a",))
_TWO_HOPS = _Shape((("y", 0, "a"), ("y", 1, "x")), ("a",))
_CONJUNCTION = _Shape((("x", 0, "a"), ("x", 1, "b")), ("a", "b"))
_VALUE = _Shape((("a", 0, "x"),), ("a",), ("x",))
_SHAPES = (_BACKWARD, _FORWARD, _TWO_HOPS, _CONJUNCTION, _VALUE)


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
    for shape in _SHAPES:
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
    shape: _Shape, schema: Schema, used: Mapping[str, int]
) -> Iterator[tuple[Relation, ...]]:
    """Relations for a shape: those seen least so far first, then the most frequent."""
    ordered = sorted(schema.relations[:200], key=lambda r: used.get(r.id, 0))
    nodes = [r for r in ordered if 2 * sum(r.literal_kinds.values()) < r.triples]
    values = [r for r in ordered if {"number", "date"} & set(r.literal_kinds)]
    if shape.values:
        return ((r,) for r in values)
    if len(shape.edges) == 1:
        return ((r,) for r in nodes)
    if shape is _TWO_HOPS:
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
    shape: _Shape,
    relations: Sequence[Relation],
    languages: Sequence[str],
) -> Example | None:
    types = {
        v: t for v in shape.unknown if v not in shape.values and (t := _type(shape, v, relations))
    }
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
    ids = [row[v] for row in found for v in shape.named]
    names = node_names(store, schema, [i for i in ids if i], languages)
    for row in found:
        said = {v: names.get(row[v] or "", "") for v in shape.named}
        if all(2 < len(name) < 60 and name.isprintable() for name in said.values()):
            words = {t.id: t.text for t in schema.types}
            kinds = {v: words.get(t, "") for v, t in types.items()}
            for v in shape.values:
                kinds[v] = next(k for k in ("number", "date") if k in relations[0].literal_kinds)
            return _phrased(shape, said, kinds, [r.text for r in relations])
    return None


def _type(shape: _Shape, variable: str, relations: Sequence[Relation]) -> str | None:
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


def _phrased(
    shape: _Shape, names: Mapping[str, str], kinds: Mapping[str, str], relations: Sequence[str]
) -> Example:
    elements = dict(names)
    for v in shape.unknown:
        taken = set(elements.values())
        stem = f"UNKNOWN {kinds[v]}" if kinds.get(v) else "UNKNOWN"
        elements[v] = next(e for n in (1, 2) if (e := f"{stem} {n}") not in taken)
    triples = tuple((elements[s], relations[r], elements[t]) for s, r, t in shape.edges)
    first = relations[0]
    asked = kinds.get("x") or "thing"
    if shape in (_FORWARD, _VALUE):
        segments: Iterable[str] = [_of(first, names["a"])]
        question = f"What is {_of(first, names['a'])}?"
    elif shape is _TWO_HOPS:
        between = f"the {kinds.get('y') or 'thing'}"
        clause = f"{between} that {_predicate(first, names['a'])}"
        question = f"What is {_of(relations[1], clause)}?"
        segments = [clause, _of(relations[1], between)]
    else:
        ends = [names[v] for v in shape.named]
        clauses = [_predicate(r, end) for r, end in zip(relations, ends, strict=True)]
        question = f"Which {asked} {' and '.join(clauses)}?"
        segments = [f"the {asked} that {clause}" for clause in clauses]
    return Example(question, tuple(segments), triples, (elements["x"],))


def _participle(relation: str) -> bool:
    return relation.split()[-1] in _PREPOSITIONS


def _bare(relation: str) -> str:
    first, _, rest = relation.partition(" ")
    return rest if rest and first in ("has", "have", "is", "was") else relation


def _of(relation: str, source: str) -> str:
    """What a relation leads to: "the capital of France", "Heat directed by"."""
    bare = _bare(relation)
    return f"{source} {bare}" if _participle(bare) else f"the {bare} of {source}"


def _predicate(relation: str, target: str) -> str:
    """What a relation says of its source: "is directed by Mann", "has the genre Crime"."""
    bare = _bare(relation)
    return f"is {bare} {target}" if _participle(bare) else f"has the {bare} {target}"

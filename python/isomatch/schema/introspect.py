"""Read a graph's schema through a store: by queries that group, never by facts.

What counts as a relation and as a type is said in `isomatch.schema.vocabulary`.
Relations are asked about in batches of bounded size, so that neither the number
of queries nor the engine's memory follows the number of predicates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from isomatch.schema.model import Relation, Schema, Type
from isomatch.schema.names import labels, preferred
from isomatch.schema.vocabulary import (
    ALIAS_RELATIONS,
    NAME_RELATIONS,
    VOCABULARY,
    is_vocabulary_class,
)
from isomatch.store.base import Query, Row, Store
from isomatch.store.terms import (
    KIND_OF_DATATYPE,
    RDF_TYPE,
    literal,
    local_name,
    split_literal,
    words,
)

DETAILED = 5000  # relations whose end types are counted; the rest is the long tail
COUNTED = 5_000_000  # facts up to which distinct nodes are counted; above, a sixteenth is
JOINED = 5_000_000  # typed nodes up to which types are joined in bulk; above, facts are sampled
SAMPLED = 10_000  # facts of a relation that are looked at then
JOINABLE = 2_000_000  # facts up to which characteristic sets are asked for
MOST_SETS = 20_000  # of them; more would rule out little and take long to read
_BATCH_TRIPLES = 2_000_000
_BATCH_PREDICATES = 2000


def introspect(
    store: Store,
    *,
    label_relations: Sequence[str] | None = None,
    type_relation: str = RDF_TYPE,
    languages: Sequence[str] = ("en",),
    progress: Callable[[int, int], None] | None = None,
) -> Schema:
    """The schema of a graph.

    Args:
        label_relations: the predicates that give names, best first; None finds
            the well-known ones in use, by how many nodes they name. In a property
            graph properties (``title``), which go before those that are found
            (`isomatch.schema.naming`), or those of one label (``Movie.title``).
        type_relation: the predicate that gives types (RDF only).
        languages: of the words for relations and types, best first (RDF only).
        progress: called with (facts looked at, facts in all).

    Raises:
        StoreError: the database refused a query.
    """
    if store.dialect.language == "cypher":
        from isomatch.schema.property_graph import introspect_property_graph

        return introspect_property_graph(store, label_relations=label_relations, progress=progress)
    fingerprint = store.fingerprint()
    counts = {str(p): _int(n) for p, n in _ask(store, "predicates", ("p", "triples"))}
    if label_relations is None:
        name_relations = _find_name_relations(store, counts)
    else:
        name_relations = tuple(p for p in label_relations if p in counts)
    typed_by = type_relation if type_relation in counts else None
    vocabulary = tuple(p for p in VOCABULARY if p in counts)
    excluded = {*name_relations, *vocabulary, type_relation}
    facts = sorted(
        ((p, n) for p, n in counts.items() if p not in excluded), key=lambda f: (-f[1], f[0])
    )
    total = sum(n for _, n in facts)
    notes = []
    if typed_by and len(facts) > DETAILED:
        notes.append(
            f"source and target types were counted for the {DETAILED} most frequent of "
            f"{len(facts)} relations"
        )
    limit = SAMPLED if typed_by and counts[typed_by] > JOINED else None
    if limit:
        notes.append(f"source and target types are estimates, from {limit} facts a relation")
    ends = _Ends(store, typed_by, limit)
    relations = _relations(store, facts, name_relations, ends, languages, progress)
    types = _types(store, typed_by, name_relations, languages)
    part = "0" if total > COUNTED else None
    if part:
        notes.append("the numbers of nodes and of literals are estimates, from a sixteenth of them")
    kinds = _kinds(store, excluded, part)
    sets = _characteristic_sets(store, excluded) if total <= JOINABLE else None
    types += [
        Type(f"literal:{kind}", kind, n)
        for kind, n in kinds.items()
        if kind not in ("node", "other")
    ]
    return Schema(
        fingerprint=fingerprint,
        triples=total,
        nodes=sum(kinds.values()),
        relations=relations,
        types=tuple(sorted(types, key=lambda t: (-t.nodes, t.id))),
        type_relation=typed_by,
        name_relations=name_relations,
        languages=_languages(store, name_relations),
        vocabulary=vocabulary,
        characteristic_sets=sets,
        notes=tuple(notes),
    )


class _Ends:
    """Counts the types of relations' sources and targets."""

    def __init__(self, store: Store, typed_by: str | None, limit: int | None):
        self.store, self.typed_by, self.limit = store, typed_by, limit

    def types(self, facts: Sequence[tuple[str, int]], end: str) -> dict[str, dict[str, int]]:
        """Facts by relation and type of that end; scaled up from a sample if limited."""
        found: dict[str, dict[str, int]] = {}
        if self.typed_by is None or not facts:
            return found
        groups = [facts] if self.limit is None else [[fact] for fact in facts]
        for group in groups:
            scale = max(1.0, group[0][1] / self.limit) if self.limit else 1.0
            for p, type, n in _ask(
                self.store,
                "ends",
                ("p", "type", "triples"),
                predicates=[p for p, _ in group],
                type_relation=self.typed_by,
                end=end,
                limit=self.limit,
            ):
                if not is_vocabulary_class(str(type)):
                    found.setdefault(str(p), {})[str(type)] = round(_int(n) * scale)
        return found


def _find_name_relations(store: Store, counts: Mapping[str, int]) -> tuple[str, ...]:
    """The well-known ones with texts for half of their values: by coverage, aliases last."""
    known = [p for p in (*NAME_RELATIONS, *ALIAS_RELATIONS) if p in counts]
    if not known:
        return ()
    texts = {p: n.get("text", 0) for p, n in _literal_kinds(store, known).items()}
    named = {str(p): _int(n) for p, n, _ in _fan(store, "subjects", known)}
    found = [p for p in known if texts.get(p, 0) * 2 >= counts[p]]
    return tuple(sorted(found, key=lambda p: (p in ALIAS_RELATIONS, -named[p], known.index(p))))


def _relations(
    store: Store,
    facts: Sequence[tuple[str, int]],
    name_relations: Sequence[str],
    ends: _Ends,
    languages: Sequence[str],
    progress: Callable[[int, int], None] | None,
) -> tuple[Relation, ...]:
    total, done = sum(n for _, n in facts), 0
    relations: list[Relation] = []
    for batch in _batches(facts):
        ids = [p for p, _ in batch]
        subjects = {p: (_int(n), _int(most)) for p, n, most in _fan(store, "subjects", ids)}
        objects = {p: (_int(n), _int(most)) for p, n, most in _fan(store, "objects", ids)}
        kinds = _literal_kinds(store, ids)
        detailed = batch[: max(0, DETAILED - len(relations))]
        sources, targets = ends.types(detailed, "source"), ends.types(detailed, "target")
        called = _words(store, ids, name_relations, languages)
        for id, triples in batch:
            (n_subjects, max_out), (n_objects, max_in) = subjects[id], objects[id]
            relations.append(
                Relation(
                    id=id,
                    text=called[id],
                    triples=triples,
                    subjects=n_subjects,
                    objects=n_objects,
                    mean_out=triples / n_subjects,
                    max_out=max_out,
                    mean_in=triples / n_objects,
                    max_in=max_in,
                    source_types=_descending(sources.get(id, {})),
                    target_types=_descending(targets.get(id, {})),
                    literal_kinds=_descending(kinds.get(id, {})),
                )
            )
        done += sum(n for _, n in batch)
        if progress is not None:
            progress(done, total)
    return tuple(relations)


def _batches(facts: Iterable[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    batch: list[tuple[str, int]] = []
    size = 0
    for predicate, n in facts:
        if batch and (size + n > _BATCH_TRIPLES or len(batch) == _BATCH_PREDICATES):
            yield batch
            batch, size = [], 0
        batch.append((predicate, n))
        size += n
    if batch:
        yield batch


def _types(
    store: Store, typed_by: str | None, name_relations: Sequence[str], languages: Sequence[str]
) -> list[Type]:
    if typed_by is None:
        return []
    rows = _ask(store, "types", ("type", "nodes"), type_relation=typed_by)
    counts = {str(t): _int(n) for t, n in rows if not is_vocabulary_class(str(t))}
    called = _words(store, counts, name_relations, languages)
    return [Type(id, called[id], n) for id, n in counts.items()]


def _kinds(store: Store, excluded: Collection[str], part: str | None) -> dict[str, int]:
    """Distinct nodes in facts by kind: ``node``, or a literal's."""
    kinds: Counter[str] = Counter()
    for datatype, n in _ask(
        store,
        "kinds",
        ("datatype", "nodes"),
        excluded=sorted(excluded),
        part=literal(part) if part else None,
    ):
        kind = "node" if datatype is None else KIND_OF_DATATYPE.get(datatype, "other")
        kinds[kind] += _int(n) * (16 if part else 1)
    return dict(kinds)


def _literal_kinds(store: Store, predicates: Sequence[str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    rows = _ask(store, "datatypes", ("p", "datatype", "triples"), predicates=predicates)
    for p, datatype, n in rows:
        kind = KIND_OF_DATATYPE.get(str(datatype), "other")
        found.setdefault(str(p), Counter())[kind] += _int(n)
    return found


def _characteristic_sets(
    store: Store, excluded: Collection[str]
) -> tuple[tuple[str, ...], ...] | None:
    """The distinct sets of ports, see `Schema.characteristic_sets`; None if too many."""
    found = set()
    for (ports,) in _ask(store, "ports", ("ports",), excluded=sorted(excluded)):
        found.add(tuple(sorted(split_literal(str(ports))[0].split())))
        if len(found) > MOST_SETS:
            return None
    return tuple(sorted(found))


def _languages(store: Store, name_relations: Sequence[str]) -> Mapping[str, int]:
    if not name_relations:
        return {}
    rows = _ask(store, "languages", ("language", "names"), predicates=name_relations)
    return _descending({split_literal(str(tag))[0]: _int(n) for tag, n in rows})


def _words(
    store: Store, ids: Collection[str], name_relations: Sequence[str], languages: Sequence[str]
) -> dict[str, str]:
    """Words for relations or types: the graph's own name for each, else its local name.

    A name without a blank may be an identifier as well (a table's relation
    ``directed_by``), so it is split too.
    """
    found = labels(store, name_relations, ids)
    result = {}
    for id in ids:
        named = preferred(found.get(id, ()), languages)
        name = named[0].strip() if named else local_name(id)
        result[id] = name if re.search(r"\s", name) else words(name)
    return result


def _fan(store: Store, template: str, predicates: Sequence[str]) -> Iterator[Row]:
    return _ask(store, template, ("p", "nodes", "most"), predicates=predicates)


def _ask(store: Store, template: str, columns: tuple[str, ...], **values: Any) -> Iterator[Row]:
    text = store.dialect.render(f"schema/{template}.rq.j2", **values)
    return store.run(Query(text, columns, name=template))


def _int(value: str | None) -> int:
    return int(value or 0)


def _descending(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda c: (-c[1], c[0])))

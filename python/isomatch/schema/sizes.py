"""Which predicates and types a graph has, and how often: counted, or found by samples.

An embedded graph counts them all. An endpoint is asked to; where it does not, they
are looked for in several places (its first triples, its VoID statistics, what it
declares, what instances of its types have), and each is counted up to a limit.

Statistics in the VoID vocabulary (https://www.w3.org/TR/void/) give the numbers of
triples and of instances; ``rdfs:domain`` and ``rdfs:range`` give the types at the ends
of predicates of which no fact was read. Declared classes and properties are only
places to look: whether they occur is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from isomatch.schema.queries import SchemaQueries
from isomatch.schema.relations import integer, kind_of
from isomatch.schema.types import Relation
from isomatch.schema.vocabulary import DIRECT_CLAIM, RDFS_DOMAIN, RDFS_RANGE, is_vocabulary_class
from isomatch.store.base import chunked
from isomatch.store.terms import RDF_TYPE, XSD

FIRST = 100_000  # triples that are looked at for predicates and types
TYPES = 200  # whose instances are looked at for predicates,
INSTANCES = 100  # so many of each,
TOGETHER = 10  # so many types in one query
COUNTED = 20_000  # predicates, or types, that are counted
RUNGS = ((1000, 50, COUNTED), (100_000, 10, 500))  # up to so many, together, of how many


def predicates_of(
    queries: SchemaQueries, *, type_relation: str = RDF_TYPE, known: Iterable[str] = ()
) -> dict[str, int]:
    """Every predicate with its number of triples.

    Args:
        known: predicates to look for in any case, where a sample may miss them.

    Raises:
        StoreError: the database failed.
    """
    rows = queries.whole("relations", "predicates", ("p", "triples"))
    if rows is not None:
        return {str(p): integer(n) for p, n in rows}
    seen = dict.fromkeys(known := [*known, type_relation], 0)
    rows = queries.sample("first_predicates", ("p", "triples"), limit=FIRST)
    first = {str(p): integer(n) for p, n in rows}
    if 0 < sum(first.values()) < FIRST:
        return first  # that was all
    seen |= first
    if claims := direct_claims(queries):
        if len(claims) >= MOST_DECLARED:
            queries.partial.add("relations")
        wanted = dict.fromkeys([*known, *claims], 0)
        return _sizes(queries, {p: seen.get(p, 0) for p in wanted}, {})
    stated = counted_predicates(queries)
    every = None
    if not stated:
        every = queries.whole("relations", "distinct_predicates", ("p",))
    if every is not None:
        return _sizes(queries, {str(p): max(1, seen.get(str(p), 0)) for (p,) in every}, stated)
    # What a graph says of itself may be old, or of a part.
    queries.partial.add("relations")
    declared = () if stated else declared_predicates(queries)
    more = [*declared, *_of_instances(queries, type_relation)]
    return _sizes(queries, dict.fromkeys(more, 0) | seen, stated)


def types_of(queries: SchemaQueries, typed_by: str) -> dict[str, int]:
    """Every type with its number of nodes.

    Raises:
        StoreError: the database failed.
    """
    rows = queries.whole("types", "types", ("type", "nodes"), type_relation=typed_by)
    if rows is not None:
        return {str(t): integer(n) for t, n in rows}
    first = _first_types(queries, typed_by)
    if 0 < sum(first.values()) < FIRST:
        return first  # that was all
    seen = dict.fromkeys(declared_types(queries), 0) | first
    queries.partial.add("types")
    return _sizes(queries, seen, counted_types(queries), typed_by)


def _first_types(queries: SchemaQueries, typed_by: str) -> dict[str, int]:
    columns = ("type", "nodes")
    rows = queries.sample("first_types", columns, type_relation=typed_by, limit=FIRST)
    return {str(t): integer(n) for t, n in rows}


def _of_instances(queries: SchemaQueries, typed_by: str) -> list[str]:
    """Predicates of some instances of types, the most frequent ones first."""
    types = dict.fromkeys(declared_types(queries), 0) | _first_types(queries, typed_by)
    found: dict[str, None] = {}
    instantiated = _most(types)[:TYPES]
    for first in range(0, len(instantiated), TOGETHER):
        some = instantiated[first : first + TOGETHER]
        asked = {"types": some, "type_relation": typed_by, "limit": INSTANCES}
        rows = queries.sample("predicates_of_types", ("p",), **asked)
        found.update((str(p), None) for (p,) in rows)
    return list(found)


def _sizes(
    queries: SchemaQueries,
    seen: Mapping[str, int],
    stated: Mapping[str, int],
    typed_by: str | None = None,
) -> dict[str, int]:
    """How often each occurs, at least; those that do not occur are left out.

    Args:
        seen: occurrences that were read, maybe none.
        stated: what the graph says of itself; it counts where there are too many to count.
    """
    sizes = dict(seen)
    waiting = [x for x in _most({**seen, **stated}) if _is_iri(x)]
    listed = "types" if typed_by else "relations"
    if len(waiting) > COUNTED:
        if not all(sizes.get(x) for x in waiting[COUNTED:]):
            queries.partial.add(listed)
        queries.note(f"which of the declared relations and types beyond {COUNTED:,} occur")
    for limit, together, most in RUNGS:
        large: dict[str, int] = {}
        for first in range(0, min(len(waiting), most), together):
            some = waiting[first : first + together]
            asked = {"ids": some, "type_relation": typed_by, "limit": limit}
            unanswered = queries.unanswered
            for x, size in queries.sample("sizes", ("x", "size"), **asked):
                sizes[str(x)] = max(sizes.get(str(x), 0), integer(size))
                if integer(size) == limit:
                    large[str(x)] = sizes[str(x)]
            if queries.unanswered > unanswered and not all(sizes.get(x) for x in some):
                queries.partial.add(listed)
        waiting = _most({x: size for x, size in large.items() if x not in stated})
        sizes |= {x: max(size, stated[x]) for x, size in large.items() if x in stated}
    return {x: size for x, size in sizes.items() if size}


def _most(sizes: Mapping[str, int]) -> list[str]:
    return sorted(sizes, key=lambda x: (-sizes[x], x))


def _is_iri(id: str | None) -> bool:
    return id is not None and not id.startswith(("_:", '"'))


MOST_DECLARED = 50_000  # predicates, or classes, that are read from declarations
PREDICATES_TOGETHER = 100  # predicates in one query
ENDS = 1000  # types that are read of those

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_VOID = "http://rdfs.org/ns/void#"
_PREDICATE_CLASSES = (
    _RDF + "Property",
    _OWL + "ObjectProperty",
    _OWL + "DatatypeProperty",
    _OWL + "AnnotationProperty",
)
_TYPE_CLASSES = (_RDFS + "Class", _OWL + "Class")


def counted_predicates(queries: SchemaQueries) -> dict[str, int]:
    """Triples by predicate, where the graph has VoID statistics."""
    return _partitions(queries, "propertyPartition", "property", "triples")


def counted_types(queries: SchemaQueries) -> dict[str, int]:
    """Instances by class, where the graph has VoID statistics."""
    return _partitions(queries, "classPartition", "class", "entities")


def _partitions(queries: SchemaQueries, partition: str, of: str, size: str) -> dict[str, int]:
    names = {"partition": _VOID + partition, "of": _VOID + of, "size": _VOID + size}
    rows = queries.sample("partitions", ("x", "size"), limit=MOST_DECLARED, **names)
    return {str(x): integer(n) for x, n in rows if _is_iri(x)}


def declared_predicates(queries: SchemaQueries) -> list[str]:
    """What the graph declares to be a property."""
    return _instances(queries, _PREDICATE_CLASSES)


def declared_types(queries: SchemaQueries) -> list[str]:
    """What the graph declares to be a class."""
    return _instances(queries, _TYPE_CLASSES)


def direct_claims(queries: SchemaQueries) -> list[str]:
    """The predicates of a Wikibase's direct claims (`isomatch.schema.vocabulary`)."""
    rows = queries.sample("direct_claims", ("x",), claim=DIRECT_CLAIM, limit=MOST_DECLARED)
    return [str(x) for (x,) in rows if _is_iri(x)]


def _instances(queries: SchemaQueries, classes: Sequence[str]) -> list[str]:
    asked = {"classes": classes, "type_relation": RDF_TYPE, "limit": MOST_DECLARED}
    return [str(x) for (x,) in queries.sample("declared", ("x",), **asked) if _is_iri(x)]


def with_declared_ends(
    queries: SchemaQueries, relations: Sequence[Relation]
) -> tuple[Relation, ...]:
    """The relations, with declared types at those ends of which nothing was read."""
    unknown = [r.id for r in relations if not r.subjects]
    sources: dict[str, list[str]] = {}
    targets: dict[str, list[str]] = {}
    for some in chunked(unknown, PREDICATES_TOGETHER):
        asked = {"predicates": some, "domain": RDFS_DOMAIN, "range": RDFS_RANGE, "limit": ENDS}
        for p, source, type in queries.sample("domains", ("p", "source", "type"), **asked):
            if _is_iri(type):
                ends = sources if source in ("true", "1") else targets
                ends.setdefault(str(p), []).append(str(type))
    return tuple(_with_ends(r, sources.get(r.id, ()), targets.get(r.id, ())) for r in relations)


def _with_ends(relation: Relation, sources: Sequence[str], targets: Sequence[str]) -> Relation:
    if not sources and not targets:
        return relation
    n = relation.triples
    return replace(
        relation,
        source_types=dict.fromkeys((t for t in sources if _is_type(t)), n),
        target_types=dict.fromkeys((t for t in targets if _is_type(t)), n),
        literal_kinds={kind_of(t): n for t in targets if t.startswith(XSD)},
    )


def _is_type(id: str) -> bool:
    return not id.startswith(XSD) and not is_vocabulary_class(id)

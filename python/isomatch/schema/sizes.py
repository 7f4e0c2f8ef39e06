"""Which predicates and types a graph has, and how often: counted, or found by samples.

An embedded graph counts them all. An endpoint is asked to; where it does not, they
are looked for in several places (its first triples, its VoID statistics, what it
declares, what instances of its types have), and each is counted up to a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from isomatch.schema.declared import (
    counted_predicates,
    counted_types,
    declared_predicates,
    declared_types,
    direct_claims,
)
from isomatch.schema.queries import SchemaQueries
from isomatch.schema.relations import integer
from isomatch.store.terms import RDF_TYPE

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
        wanted = dict.fromkeys([*known, *claims], 0)
        return _sizes(queries, {p: seen.get(p, 0) for p in wanted}, {})
    told = counted_predicates(queries)
    every = None
    if not told:
        every = queries.whole("relations", "distinct_predicates", ("p",))
    if every is not None:
        return _sizes(queries, {str(p): max(1, seen.get(str(p), 0)) for (p,) in every}, told)
    declared = () if told else declared_predicates(queries)
    more = [*declared, *_of_instances(queries, type_relation)]
    return _sizes(queries, dict.fromkeys(more, 0) | seen, told)


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
    told: Mapping[str, int],
    typed_by: str | None = None,
) -> dict[str, int]:
    """How often each occurs, at least; those that do not occur are left out.

    Args:
        seen: occurrences that were read, maybe none.
        told: what the graph says of itself; it counts where there are too many to count.
    """
    sizes = dict(seen)
    waiting = [x for x in _most({**seen, **told}) if _is_iri(x)]
    if len(waiting) > COUNTED:
        queries.note(f"which of the declared relations and types beyond {COUNTED:,} occur")
    for limit, together, most in RUNGS:
        large: dict[str, int] = {}
        for first in range(0, min(len(waiting), most), together):
            some = waiting[first : first + together]
            asked = {"ids": some, "type_relation": typed_by, "limit": limit}
            for x, size in queries.sample("sizes", ("x", "size"), **asked):
                sizes[str(x)] = max(sizes.get(str(x), 0), integer(size))
                if integer(size) == limit:
                    large[str(x)] = sizes[str(x)]
        waiting = _most({x: size for x, size in large.items() if x not in told})
        sizes |= {x: max(size, told[x]) for x, size in large.items() if x in told}
    return {x: size for x, size in sizes.items() if size}


def _most(sizes: Mapping[str, int]) -> list[str]:
    return sorted(sizes, key=lambda x: (-sizes[x], x))


def _is_iri(id: str | None) -> bool:
    return id is not None and not id.startswith(("_:", '"'))

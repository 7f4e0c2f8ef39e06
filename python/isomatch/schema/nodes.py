"""The nodes of a graph, literals included: every one that occurs in a fact.

They are asked for all at once, or in parts by a hash of the id, so that memory stays
bounded in the engine too. An endpoint that takes too long for such a part is asked by
relation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product

from isomatch.errors import StoreError
from isomatch.schema.relations import batches
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Store
from isomatch.store.terms import is_blank, is_literal, literal, split_literal

# The engine remembers every node of a part, some 100 bytes each, to give it once.
PART_NODES = 4_000_000
ENDPOINT_NODES = 250_000  # an endpoint sorts a part for each page that it gives of it
BATCH_TRIPLES, BATCH_RELATIONS = 250_000, 100  # of an endpoint that is asked by relation
REMEMBERED = 500_000  # nodes of several relations that are then given once


def nodes(store: Store, schema: Schema, after: str | None = None) -> Iterator[str]:
    """Ids of nodes, once each, in the store's own order.

    A large endpoint that has to be asked by relation may give some more than once.

    Args:
        after: the ids behind this one; where it is not found, its part begins again.

    Raises:
        StoreError: the database failed.
    """
    if store.profile is None:
        yield from _by_hash(store, schema, after, PART_NODES)
        return
    try:
        yield from _by_hash(store, schema, after, ENDPOINT_NODES)
    except StoreError:
        yield from _by_relation(store, schema)


def _by_hash(store: Store, schema: Schema, after: str | None, size: int) -> Iterator[str]:
    for part in _parts(schema.nodes, size):
        start = "" if after is None else _hash(after)[: len(part)]
        if part < start:
            continue
        if after is not None and part == start:
            yield from _behind(store, schema, part, after)
        else:
            yield from _part(store, schema, part)


def _part(store: Store, schema: Schema, part: str) -> Iterator[str]:
    begins = schema.relations_begin
    text = store.render(
        "schema/nodes.rq.j2",
        excluded=schema.excluded,
        begins=literal(begins) if begins else None,
        qualifiers=literal(begins.replace("/direct/", "/qualifier/")) if begins else None,
        part=literal(part) if part else None,
    )
    for (id,) in store.run(Query(text, ("n",), name="nodes")):
        if id is not None:
            yield id


def _behind(store: Store, schema: Schema, part: str, after: str) -> Iterator[str]:
    ids = _part(store, schema, part)
    for id in ids:
        if id == after:
            yield from ids
            return
    yield from _part(store, schema, part)


def _by_relation(store: Store, schema: Schema) -> Iterator[str]:
    seen: set[str] = set()
    facts = [(r.id, r.triples) for r in schema.relations]
    for batch in batches(facts, BATCH_TRIPLES, BATCH_RELATIONS):
        text = store.render("schema/nodes_of.rq.j2", predicates=[p for p, _ in batch])
        for (id,) in store.run(Query(text, ("n",), name="nodes of relations")):
            if id is None or id in seen:
                continue
            if len(seen) < REMEMBERED:
                seen.add(id)
            yield id


def _parts(nodes: int, size: int) -> Iterator[str]:
    """Beginnings of hashes, ascending, that split so many nodes into parts.

    One empty beginning, for no split, where they are few.
    """
    digits = 0
    while nodes > size * 16**digits:
        digits += 1
    return map("".join, product("0123456789abcdef", repeat=digits))


def _hash(id: str) -> str:
    """As the template has it: MD5 of the IRI or value, of nothing for a blank node."""
    text = "" if is_blank(id) else split_literal(id)[0] if is_literal(id) else id
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()

"""The indexes that a property graph's database has itself."""

from __future__ import annotations

from isomatch.schema.counts import Tokens, ask
from isomatch.schema.samples import decoded
from isomatch.schema.types import PropertyIndex
from isomatch.store.base import Store


def read_indexes(store: Store, tokens: Tokens) -> tuple[PropertyIndex, ...]:
    """Those in working order, one for each label (or type) that they cover.

    Raises:
        StoreError: the user may not see them, or the database failed.
    """
    columns = ("name", "kind", "relationship", "covers", "properties", "dimension", "similarity")
    found = []
    for row in ask(store, "indexes", columns, tokens.numbers):
        name, kind, relationship, covers, keys, dimension, similarity = row
        of_types = relationship == "true"
        found += [
            PropertyIndex(
                type=f":{type}",
                properties=tuple(f".{key}" for key in decoded(keys, tokens.keys)),
                kind=str(kind),
                name=str(name),
                relationship=of_types,
                dimension=int(dimension or 0),
                similarity=(similarity or "").lower(),
            )
            for type in decoded(covers, tokens.types if of_types else tokens.labels)
        ]
    return tuple(sorted(found, key=lambda i: (i.type, i.properties, i.kind, i.name)))

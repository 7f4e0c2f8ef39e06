"""Which nodes changed since an index was made, by a property that says when.

Many applications keep such a property (``updatedAt``). Where the setting
``updated_at`` names it, a sync reads only the nodes whose own is not older than the
newest one that the last reading knew of, and those that have none. What is stored
with an index is made here, and compared here:

    {"by": a digest of what both readings must agree on, "value": the newest update}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from isomatch.schema.counts import ask
from isomatch.schema.types import Schema
from isomatch.store.base import Store


def updates_of(
    store: Store, schema: Schema, property: str, *, without_nodes: bool = False
) -> dict[str, str]:
    """What to keep with an index that is made now; empty where no node has the property.

    Asked before the names are read: what changes meanwhile is read again next time.

    Raises:
        StoreError: the database refused the query.
    """
    [(newest,)] = ask(store, "latest", ("value",), {"property": property})
    if newest is None:
        return {}
    agreed = [property, dict(schema.names), schema.left_out, without_nodes]
    digest = hashlib.sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()
    return {"by": digest, "value": newest}


def unchanged_since(
    property: str, now: Mapping[str, str], before: Mapping[str, str]
) -> tuple[str, str] | None:
    """The argument ``unchanged`` of `isomatch.schema.names.names`.

    None where all has to be read: no node has the property, or names are chosen
    otherwise than they were.
    """
    if not now or now.get("by") != before.get("by"):
        return None
    return property, before["value"]

"""The names and values of a property graph: by page for the index, or of some nodes.

A page is a range of the numbers in the nodes' ids, and a query of its own: the
server seeks these nodes, so its memory and the length of its transactions are
bounded, and a node keeps its place while others come and go.

Many applications keep a property that says when a node was updated (``updatedAt``).
Where the setting ``updated_at`` names it, a sync reads only the nodes whose own is not
older than the newest one of the last reading, and those that have none. What is stored
with an index is made and compared here:

    {"by": a digest of what both readings must agree on, "value": the newest update}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from isomatch.errors import StoreError
from isomatch.schema.catalog import ask
from isomatch.schema.naming import LONGEST, LONGEST_NAME
from isomatch.schema.samples import LONG
from isomatch.schema.types import Name, Schema
from isomatch.store.base import Row, Store, chunked
from isomatch.store.terms import display_name, is_literal, literal_kind, split_literal, words
from isomatch.texts import shortened

_REMEMBERED = 200_000  # values that are not given twice
_IDS_A_QUERY = 1000


def property_names(
    store: Store,
    schema: Schema,
    *,
    page: int = 10_000,
    after: str | None = None,
    unchanged: tuple[str, str] | None = None,
    without_nodes: bool = False,
) -> Iterator[list[Name]]:
    """Names of nodes, and distinct values; see `isomatch.schema.names.names`.

    Nodes without a name are left out. A value may come on several pages. On a page
    the nodes come last; what is after a value begins from the start.

    Args:
        unchanged: a property and the id of a value of it: nodes whose own is less
            come as the kind ``same``, without a name, and their values not at all
            (`isomatch.schema.property_names`).
        without_nodes: values alone; no name of a node is read.
    """
    found = _node_range(store)
    if found is None:
        return
    prefix, first, last = found
    if after is not None and not is_literal(after):
        before, number = _split(after)
        first = max(first, number + 1) if before == prefix else first
    given: dict[str, Any] = {**_parameters(schema), "prefix": prefix}
    if unchanged is not None:
        from isomatch.store.values import from_id

        given |= {"updated_at": unchanged[0], "since": from_id(unchanged[1])}
    shape = {
        "since": unchanged is not None,
        "relationships": bool(schema.edge_properties),
        "hidden": bool(schema.left_out_labels),
    }
    seen: set[str] = set()
    for start in range(first, last + 1, page):
        given |= {"first": start, "last": min(last, start + page - 1)}
        names = []
        for (value,) in ask(store, "page_values", ("value",), given, **shape):
            if value is not None and value not in seen:
                seen.add(value)
                names.append(_value(value))
        if len(seen) > _REMEMBERED:
            seen.clear()
        if unchanged is not None:
            same = ask(store, "page_same", ("id",), given)
            names += [Name(id, "", "same") for (id,) in same if id is not None]
        if not without_nodes:
            rows = ask(store, "names", ("id", "rank", "name"), given, ids=False, **shape)
            for node, texts in _by_node(rows).items():
                names += [Name(node, text, "node", place) for place, text in enumerate(texts)]
        if names:
            yield names


def property_node_names(store: Store, schema: Schema, ids: Iterable[str]) -> dict[str, str]:
    """The first name of each id; values as text.

    A node without a name is called by the value of a unique property ("Order 10248"), else by
    the number in its id.
    """
    found: dict[str, str] = {}
    nodes = []
    for id in dict.fromkeys(ids):
        found[id] = display_name(id) if is_literal(id) else f"Node {_split(id)[1]}"
        if not is_literal(id):
            nodes.append(id)
    given = _parameters(schema)
    for some in chunked(nodes, _IDS_A_QUERY):
        columns, asked = ("id", "rank", "name", "label", "key"), {**given, "ids": some}
        rows = list(ask(store, "names", columns, asked, ids=True, since=False, hidden=False))
        for node, _, _, label, key in rows:
            if node is not None and label is not None:
                number = shortened(key, LONGEST) if key and key.strip() else _split(node)[1]
                found[node] = f"{words(label).capitalize()} {number}"
        for node, texts in _by_node(row[:3] for row in rows).items():
            found[node] = texts[0]
    return found


def _by_node(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The distinct names of each node that has one, best first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for id, rank, text in rows:
        if id is not None and text is not None and text.strip():
            found.setdefault(id, []).append((int(rank or 0), text))
    # Members of a list keep their order.
    return {
        id: list(dict.fromkeys(text for _, text in sorted(ranked, key=lambda r: r[0])))
        for id, ranked in found.items()
    }


def _value(id: str) -> Name:
    kind = literal_kind(id)
    return Name(id, split_literal(id)[0], "text" if kind == "other" else kind)


def _parameters(schema: Schema) -> dict[str, Any]:
    """What the templates ask about names: labels to their property, and the other way round."""
    named = {label[1:]: key[1:] for label, key in schema.names.items()}
    naming: dict[str, list[str]] = {}
    for label, key in named.items():
        naming.setdefault(key, []).append(label)
    return {
        "named": named,
        "naming": naming,
        "keys": {label[1:]: key[1:] for label, key in schema.keys.items()},
        "longest": LONGEST_NAME,
        "ranks": {label: rank for rank, label in enumerate(named)},
        "left_out": [key[1:] for key in schema.left_out],
        "long": LONG,
        **schema.unsearched_names,
    }


def _node_range(store: Store) -> tuple[str, int, int] | None:
    """What all ids of nodes begin with, and the lowest and highest number; None without nodes."""
    for first, last, id in ask(store, "node_range", ("first", "last", "id")):
        return _split(id or "")[0], int(first or 0), int(last or 0)
    return None


def _split(id: str) -> tuple[str, int]:
    """What a node's id begins with, and its number: both of 4:0b2…:12."""
    prefix, colon, number = id.rpartition(":")
    if not number.isdecimal():
        raise StoreError(f"the database has ids of a form that isomatch does not know: {id[:80]!r}")
    return prefix + colon, int(number)


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

"""The properties on edges that a pattern names, as they are stored."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches

from isomatch.errors import PatternError
from isomatch.pattern.types import Pattern, shown
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.terms import local_name, words


def with_stored_keys(pattern: Pattern, store: Store, schema: Schema) -> Pattern:
    """The pattern with the names of properties on edges as they are stored.

    Raises:
        PatternError: with what to write instead: the graph has no such property, or no
            values on edges.
    """
    if all(edge.value is None for edge in pattern.edges):
        return pattern
    if store.capabilities.edge_values:
        ids = dict.fromkeys(id[1:] for found in schema.edge_properties.values() for id in found)
        keys = {key: words(key) for key in ids}
    else:  # qualifiers
        begin = schema.relations_begin or ""
        keys = {local_name(r.id): r.text for r in schema.relations if r.id.startswith(begin)}
    edges = []
    for edge in pattern.edges:
        key = edge.key
        if edge.value is not None and not (
            store.capabilities.edge_values or schema.relations_begin is not None
        ):
            value = shown(pattern.node(edge.value).text or "?")
            raise PatternError(
                f"the pattern has a value on an edge, {value}, but edges of this graph carry none:"
                " use a node of its own, as in"
                ' (?part)-[actor]-("Tom Hanks"), (?part)-[role]-("Forrest Gump")'
            )
        if key is not None and key not in keys:
            qualifier = schema.relations_begin is not None and re.fullmatch("P[0-9]+", key)
            plain = words(key).casefold()
            called = [id for id, text in keys.items() if text.casefold() == plain]
            if len(called) != 1 and not qualifier:
                near = get_close_matches(key, keys, n=1) or sorted(called or keys)[:10]
                raise PatternError(
                    f"no relationship of the schema has the property {shown(key)}; there "
                    f"is {', '.join(near) or 'none'}. Write {{PROPERTY: VALUE}} with one of "
                    "them, or : VALUE for any"
                )
            key = key if qualifier else called[0]
        if key is not None and schema.relations_begin is not None:
            predicate = schema.relations_begin.replace("/direct/", "/qualifier/") + key[1:]
            if schema.leaves_out(predicate):
                raise PatternError(
                    f"the pattern has the qualifier {shown(key)}, which the setting exclude leaves "
                    f"out ({predicate})"
                )
        edges.append(replace(edge, key=key))
    return replace(pattern, edges=tuple(edges))

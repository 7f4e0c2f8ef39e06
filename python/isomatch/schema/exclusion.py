"""What the setting ``exclude`` leaves out of a graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from isomatch.errors import ConfigurationError
from isomatch.schema.catalog import Tokens


def left_out_of(
    exclude: Sequence[str], predicates: Collection[str], *, certain: bool = True
) -> tuple[str, ...]:
    """The predicates that are left out: those named, and those of the namespaces.

    Args:
        certain: whether these are all predicates of the graph.

    Raises:
        ConfigurationError: there is none that an entry names.
    """
    found: set[str] = set()
    for entry in exclude:
        if entry.endswith(("#", "/", ":")):
            some = {p for p in predicates if p.startswith(entry)}
        else:
            some = {entry} if entry in predicates or not certain else set()
        if not some and certain:
            raise _unknown(entry, "predicate or namespace", predicates)
        found |= some
    return tuple(sorted(found))


def left_out_tokens(exclude: Sequence[str], tokens: Tokens) -> tuple[set[str], set[str]]:
    """The relationship types and the property keys that are left out, without a sigil.

    Raises:
        ConfigurationError: an entry is a label, or nothing of the graph.
    """
    types: set[str] = set()
    keys: set[str] = set()
    for entry in exclude:
        name = entry.lstrip(":.")
        of_type = not entry.startswith(".") and name in tokens.types
        of_key = not entry.startswith(":") and name in tokens.keys
        if of_type:
            types.add(name)
        if of_key:
            keys.add(name)
        if not of_type and not of_key:
            if name in tokens.labels:
                raise ConfigurationError(
                    f"the setting exclude has the label {entry!r}: relationship types and property "
                    "keys can be left out, nodes cannot; a user of the database who may not read "
                    "them does not see them"
                )
            known = (*(f":{type}" for type in tokens.types), *(f".{key}" for key in tokens.keys))
            raise _unknown(entry, "relationship type or property key", known)
    return types, keys


def _unknown(entry: str, what: str, known: Collection[str]) -> ConfigurationError:
    near = get_close_matches(entry, known, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return ConfigurationError(f"the setting exclude has {entry!r}, which is no {what} here{hint}")

"""What the setting ``exclude`` leaves out of a graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from isomatch.errors import ConfigurationError
from isomatch.schema.catalog import Tokens
from isomatch.schema.types import namespaces_of


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
        if namespaces_of([entry]):
            some = {p for p in predicates if p.startswith(entry)}
        else:
            some = {entry} if entry in predicates or not certain else set()
        if not some and certain:
            raise _unknown(entry, "predicate or namespace", predicates)
        found |= some
    return tuple(sorted(found))


def left_out_tokens(exclude: Sequence[str], tokens: Tokens) -> Tokens:
    """The labels, relationship types and property keys that are left out, without a sigil.

    Raises:
        ConfigurationError: an entry is nothing of the graph.
    """
    found: dict[str, list[str]] = {}
    known = {":labels": tokens.labels, ":types": tokens.types, ".keys": tokens.keys}
    for entry in exclude:
        sigil, name = entry[:1] if entry[:1] in (":", ".") else "", entry.lstrip(":.")
        kinds = [kind for kind, names in known.items() if sigil in kind and name in names]
        if not kinds:
            there = [kind[0] + name for kind, names in known.items() for name in names]
            raise _unknown(entry, "label, relationship type or property key", there)
        for kind in kinds:
            found.setdefault(kind[1:], []).append(name)
    labels, types, keys = (tuple(found.get(kind[1:], ())) for kind in known)
    return Tokens(labels, types, keys)


def _unknown(entry: str, what: str, known: Collection[str]) -> ConfigurationError:
    near = get_close_matches(entry, known, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return ConfigurationError(f"the setting exclude has {entry!r}, which is no {what} here{hint}")

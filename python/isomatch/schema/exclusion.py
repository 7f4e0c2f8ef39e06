"""What the setting ``exclude`` leaves out of a graph."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from isomatch.errors import ConfigurationError
from isomatch.schema.catalog import Tokens
from isomatch.schema.types import Schema, namespaces_of


@dataclass(frozen=True)
class Exclusion:
    """The entries of the setting, and what an earlier schema of the graph left out.

    What was in the graph once is no typing error: it stays left out when the last of it is
    deleted, and would be again if somebody added it.

    Attributes:
        entries: what the setting says.
        earlier: the entries that an earlier schema found in the graph, or before it.
        labels: the labels that it left out, without a sigil.
    """

    entries: tuple[str, ...] = ()
    earlier: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()

    @classmethod
    def of(cls, exclude: Sequence[str] | Exclusion) -> Exclusion:
        """The entries alone, where that is all that is given."""
        return exclude if isinstance(exclude, Exclusion) else cls(tuple(exclude))

    @classmethod
    def after(cls, entries: Sequence[str], before: Schema | None) -> Exclusion:
        """The entries, after an earlier schema, if there is one."""
        if before is None:
            return cls(tuple(entries))
        labels = frozenset(id[1:] for id in before.left_out_labels)
        return cls(tuple(entries), frozenset(before.exclude), labels)


def absent_words(absent: Sequence[str]) -> str:
    """What a schema's note says of entries that are not in the graph any more."""
    return f"left out by the setting exclude, and not in the graph any more: {', '.join(absent)}"


def left_out_of(
    exclude: Exclusion, predicates: Collection[str], *, certain: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The predicates that are left out, and the entries that are not in the graph any more.

    Those that an entry names, and those of the namespaces.

    Args:
        certain: whether these are all predicates of the graph.

    Raises:
        ConfigurationError: there is none that an entry names, nor was there.
    """
    found: set[str] = set()
    absent = []
    for entry in exclude.entries:
        if namespaces_of([entry]):
            some = {p for p in predicates if p.startswith(entry)}
        else:
            some = {entry} if entry in predicates or not certain else set()
        if not some and certain:
            if entry not in exclude.earlier:
                raise _unknown(entry, "predicate or namespace", predicates)
            absent.append(entry)
            some = set() if namespaces_of([entry]) else {entry}
        found |= some
    return tuple(sorted(found)), tuple(absent)


def left_out_tokens(exclude: Exclusion, tokens: Tokens) -> tuple[Tokens, tuple[str, ...]]:
    """The names that are left out, and the entries that are not in the graph any more.

    Labels, relationship types and property keys, without a sigil.

    Raises:
        ConfigurationError: an entry is nothing of the graph, and was not.
    """
    found: dict[str, list[str]] = {}
    absent = []
    known = {":labels": tokens.labels, ":types": tokens.types, ".keys": tokens.keys}
    for entry in exclude.entries:
        sigil, name = entry[:1] if entry[:1] in (":", ".") else "", entry.lstrip(":.")
        kinds = [kind for kind, names in known.items() if sigil in kind and name in names]
        if not kinds and entry in exclude.earlier:
            absent.append(entry)
        elif not kinds:
            there = [kind[0] + name for kind, names in known.items() for name in names]
            raise _unknown(entry, "label, relationship type or property key", there)
        if sigil != "." and name in exclude.labels and ":labels" not in kinds:
            kinds.append(":labels")
        for kind in kinds:
            found.setdefault(kind[1:], []).append(name)
    labels, types, keys = (tuple(found.get(kind[1:], ())) for kind in known)
    return Tokens(labels, types, keys), tuple(absent)


def _unknown(entry: str, what: str, known: Collection[str]) -> ConfigurationError:
    near = get_close_matches(entry, known, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return ConfigurationError(f"the setting exclude has {entry!r}, which is no {what} here{hint}")

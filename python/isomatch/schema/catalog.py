"""What a property graph's database says of itself: labels, types, counts, and indexes.

None of this reads a node or a relationship. The whole count store comes in one
call where the user may make it (``db.stats.retrieve``); else labels and types are
counted by queries that the planner answers from it, some in one round trip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from isomatch.errors import QueryTimeout, StoreError
from isomatch.schema.types import PropertyIndex
from isomatch.store.base import Query, Row, Store

_BRANCHES = 20  # of one query; planning one takes longer than counting
MOST_PAIRS = 100_000  # labels times types up to which the whole count store is read


@dataclass(frozen=True)
class Tokens:
    """The names that the database knows, without a sigil; some may be out of use."""

    labels: tuple[str, ...]
    types: tuple[str, ...]
    keys: tuple[str, ...]

    @cached_property
    def numbers(self) -> dict[str, dict[str, int]]:
        """Parameters of the templates: name to number, for each kind."""
        return {
            kind: {name: number for number, name in enumerate(names)}
            for kind, names in (("labels", self.labels), ("types", self.types), ("keys", self.keys))
        }


@dataclass(frozen=True)
class Counts:
    """Nodes and relationships, by label and type; names in use only.

    Attributes:
        sources, targets: by (type, label), how many relationships of the type
            begin or end at a node with the label; None where not known.
    """

    nodes: int
    relationships: int
    labels: Mapping[str, int]
    types: Mapping[str, int]
    sources: Mapping[tuple[str, str], int] | None = None
    targets: Mapping[tuple[str, str], int] | None = None


def ask(
    store: Store,
    template: str,
    columns: tuple[str, ...],
    parameters: Mapping[str, Any] | None = None,
    **values: Any,
) -> Iterator[Row]:
    """Run a template of ``queries/cypher/schema``."""
    text = store.render(f"schema/{template}.cypher.j2", **values)
    return store.run(Query(text, columns, parameters or {}, name=f"schema {template}"))


def read_tokens(store: Store) -> Tokens:
    """All labels, relationship types and property keys."""
    found: dict[str, list[str]] = {"label": [], "type": [], "key": []}
    text = store.render("store/tokens.cypher.j2")
    for kind, name in store.run(Query(text, ("kind", "name"), name="tokens")):
        if kind is not None and name is not None:
            found[kind].append(name)
    return Tokens(tuple(found["label"]), tuple(found["type"]), tuple(found["key"]))


def read_counts(store: Store, tokens: Tokens) -> Counts:
    """How many of each there are, from the count store."""
    if len(tokens.labels) * len(tokens.types) <= MOST_PAIRS:
        try:
            return _statistics(store)
        except QueryTimeout:
            raise
        except StoreError:
            pass  # no right to call it, or a server without it
    return _counted(store, tokens)


def _statistics(store: Store) -> Counts:
    columns = ("what", "type", "source", "target", "n")
    labels: dict[str, int] = {}
    types: dict[str, int] = {}
    sources: dict[tuple[str, str], int] = {}
    targets: dict[tuple[str, str], int] = {}
    nodes = relationships = 0
    for what, type, source, target, n in ask(store, "statistics", columns):
        count = int(n or 0)
        if what == "node":
            if source is None:
                nodes = count
            elif count:
                labels[source] = count
        elif type is None:
            relationships = count
        elif count:
            if source is not None:
                sources[type, source] = count
            elif target is not None:
                targets[type, target] = count
            else:
                types[type] = count
    return Counts(nodes, relationships, labels, types, sources, targets)


def _counted(store: Store, tokens: Tokens) -> Counts:
    wanted: list[tuple[str, int, str | None]] = [("labels", -1, None), ("types", -1, None)]
    wanted += [("labels", i, f":{label}") for i, label in enumerate(tokens.labels)]
    wanted += [("types", i, f":{type}") for i, type in enumerate(tokens.types)]
    found: dict[tuple[str, int], int] = {}
    for start in range(0, len(wanted), _BRANCHES):
        some = wanted[start : start + _BRANCHES]
        rows = ask(
            store,
            "counts",
            ("what", "number", "n"),
            labels=[(i, id) for what, i, id in some if what == "labels"],
            types=[(i, id) for what, i, id in some if what == "types"],
        )
        for what, number, n in rows:
            kind = "labels" if what == "node" else "types"
            found[kind, int(number or 0)] = int(n or 0)
    labels = {name: found["labels", i] for i, name in enumerate(tokens.labels)}
    types = {name: found["types", i] for i, name in enumerate(tokens.types)}
    return Counts(
        nodes=found["labels", -1],
        relationships=found["types", -1],
        labels={name: n for name, n in labels.items() if n},
        types={name: n for name, n in types.items() if n},
    )


def decoded(codes: str | None, names: Sequence[str]) -> list[str]:
    """The names of which a template gave the numbers (``codes.j2``)."""
    return [names[int(code)] for code in (codes or "").split()]


def read_indexes(store: Store, tokens: Tokens) -> tuple[PropertyIndex, ...]:
    """Those in working order, one for each label (or type) that they cover.

    Raises:
        StoreError: the user may not see them, or the database failed.
    """
    columns = (
        *("name", "kind", "relationship", "covers", "properties"),
        *("dimension", "similarity", "unique"),
    )
    found = []
    for row in ask(store, "indexes", columns, tokens.numbers):
        name, kind, relationship, covers, keys, dimension, similarity, unique = row
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
                unique=unique == "true",
            )
            for type in decoded(covers, tokens.types if of_types else tokens.labels)
        ]
    return tuple(sorted(found, key=lambda i: (i.type, i.properties, i.kind, i.name)))

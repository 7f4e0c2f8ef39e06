"""The subclasses of types: a node of a subclass is one of the type too.

Read upward from the types that nodes have, level by level, so that what is read follows
these types and not the ontology: of Wikidata's four million statements of P279 few
lead to them. Classes without a name of their own (blank nodes) are passed over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from isomatch.schema.queries import SchemaQueries
from isomatch.schema.sizes import FIRST
from isomatch.schema.vocabulary import is_vocabulary_class
from isomatch.store.base import chunked
from isomatch.store.terms import is_iri

LEVELS = 32  # that are followed upward
CLASSES = 10_000  # whose superclasses are asked for
LISTED = 1000  # subclasses of one type,
SHARE = 4  # and a part of the longest query at most: other nodes may have types too
TOGETHER = 100  # classes in one query,
ROWS = 10_000  # and their superclasses at most
TEMPLATE = "superclasses"


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """See `isomatch.schema.types.Schema.subclasses` and `.subclasses_cut`; notes in words."""

    subclasses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cut: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def holds_between_iris(queries: SchemaQueries, relation: str) -> bool:
    """Whether some class that has an IRI is said to be a subclass of another.

    Also where an endpoint does not say: what is not known to be none is read, and told.
    """
    asked = {"classes": (), "relation": relation, "limit": 1}
    return bool(queries.sample(TEMPLATE, ("class", "super"), **asked)) or queries.failed(TEMPLATE)


def read_hierarchy(queries: SchemaQueries, counts: Mapping[str, int], relation: str) -> Hierarchy:
    """The subclasses of all types, and of their superclasses.

    Args:
        counts: numbers of nodes of the types that nodes have.
        relation: says that a class is a subclass of another.

    Raises:
        StoreError: the database failed.
    """
    above, whole = _read(queries, counts, relation)
    below: dict[str, set[str]] = defaultdict(set)
    for type in counts:
        for other in _reached(above, type):
            if other != type and not is_vocabulary_class(other):
                below[other].add(type)
    notes = []
    if not whole:
        notes.append(
            "not all subclasses of types are known: of the types that could be read, at most "
            f"{CLASSES:,} classes are followed, {LEVELS} levels up"
        )
    subclasses = {
        type: _listed(queries, sorted(some, key=lambda t: (-counts[t], t)))
        for type, some in sorted(below.items())
    }
    long = [type for type, some in subclasses.items() if len(some) < len(below[type])]
    if long:
        most = max(len(subclasses[type]) for type in long)
        notes.append(
            f"{len(long)} types have more subclasses than a query lists: the most frequent "
            f"count, at most {most:,}"
        )
    cut = sorted({*below, *counts}) if not whole else long
    return Hierarchy(subclasses, tuple(cut), tuple(notes))


def _listed(queries: SchemaQueries, subclasses: Sequence[str]) -> tuple[str, ...]:
    """The first subclasses, as many as a query lists."""
    profile = queries.store.profile
    if profile is None:
        return tuple(subclasses[:LISTED])
    lengths = accumulate(len(id) + len("<>, ") for id in subclasses)
    fitting = sum(length <= profile.longest_query // SHARE for length in lengths)
    return tuple(subclasses[: min(LISTED, profile.values_block, fitting)])


def _read(
    queries: SchemaQueries, counts: Mapping[str, int], relation: str
) -> tuple[dict[str, set[str]], bool]:
    """The superclasses of each class above the types, and whether these are all of them."""
    whole = "types" not in queries.sampled or sum(counts.values()) < FIRST
    above: dict[str, set[str]] = {}
    level = sorted((t for t in counts if is_iri(t)), key=lambda t: (-counts[t], t))
    for _ in range(LEVELS):
        room = CLASSES - len(above)
        whole, level = whole and len(level) <= room, level[:room]
        above |= {type: set() for type in level}
        for some in chunked(level, TOGETHER):
            asked = {"classes": some, "relation": relation, "limit": ROWS}
            rows = queries.sample(TEMPLATE, ("class", "super"), **asked)
            for one, other in rows:
                if is_iri(str(other)):  # which a query can name
                    above.setdefault(str(one), set()).add(str(other))
            whole = whole and len(rows) < ROWS
        level = sorted({c for type in level for c in above[type]} - above.keys())
    return above, whole and not level and not queries.failed(TEMPLATE)


def _reached(above: Mapping[str, Iterable[str]], type: str) -> set[str]:
    """All classes above one; itself too where there is a cycle."""
    found: set[str] = set()
    waiting = [type]
    while waiting:
        new = set(above.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found

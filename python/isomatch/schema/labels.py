"""Predicates that give names, their languages, words for relations and types; subclasses.

Subclasses are read upward from the types that nodes have, level by level, so that what is read
follows these types and not the ontology: of Wikidata's four million statements of P279 few
lead to them. Classes without a name of their own (blank nodes) are passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from isomatch.schema.names import Label, labels, preferred
from isomatch.schema.queries import SchemaQueries
from isomatch.schema.relations import descending, integer, kind_of, literal_kinds
from isomatch.schema.sizes import FIRST
from isomatch.schema.types import Schema
from isomatch.schema.vocabulary import (
    ALIAS_RELATIONS,
    NAME_RELATIONS,
    SUBCLASS_OF,
    VOCABULARY,
    entity_of,
    is_vocabulary_class,
)
from isomatch.store.base import Store, chunked
from isomatch.store.terms import RDF_LANG_STRING, is_iri, local_name, split_literal, words

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


SAMPLED = 1000  # facts that coverage, kinds of values and languages are read from, of each of
RELATIONS = 10  # so many relations, the most frequent ones


def find_name_relations(
    queries: SchemaQueries, counts: Mapping[str, int], type_relation: str
) -> tuple[str, ...]:
    """The well-known ones with texts for half of their values: by coverage, aliases last.

    Args:
        counts: triples by predicate.

    Raises:
        StoreError: the database failed.
    """
    known = [p for p in (*NAME_RELATIONS, *ALIAS_RELATIONS) if p in counts]
    if not known:
        return ()
    kinds = literal_kinds(queries, known)
    fan = None
    if kinds is not None:
        texts = {p: n.get("text", 0) / counts[p] for p, n in kinds.items()}
        if len(found := [p for p in known if texts.get(p, 0) >= 0.5]) < 2:
            return tuple(found)
        columns = ("p", "nodes", "most")
        fan = queries.whole("names", "subjects", columns, predicates=known, limit=None)
    if fan is not None:
        named = {str(p): integer(n) for p, n, _ in fan}
    else:
        texts = _sampled_texts(queries, known)
        named = _coverage(queries, known, counts, type_relation)
    found = [p for p in known if texts.get(p, 0) >= 0.5]
    return tuple(
        sorted(found, key=lambda p: (p in ALIAS_RELATIONS, -named.get(p, 0), known.index(p)))
    )


def _sampled_texts(queries: SchemaQueries, known: Sequence[str]) -> dict[str, float]:
    """The share of texts among the first values of some predicates."""
    asked = {"predicates": known, "limit": SAMPLED}
    read = {p: integer(n) for p, n in queries.sample("subjects", ("p", "read"), **asked)}
    texts = dict.fromkeys(known, 0)
    for p, datatype, n in queries.sample("datatypes", ("p", "datatype", "triples"), **asked):
        if kind_of(datatype) == "text":
            texts[str(p)] += integer(n)
    return {p: n / max(1, read.get(p, n)) for p, n in texts.items()}


def _coverage(
    queries: SchemaQueries, known: Sequence[str], counts: Mapping[str, int], type_relation: str
) -> dict[str, int]:
    """How many nodes of some facts each predicate names."""
    others = {type_relation, *known, *VOCABULARY}
    ordered = sorted((p for p in counts if p not in others), key=lambda p: (-counts[p], p))
    if not ordered:
        return {}
    rows = queries.sample(
        "coverage",
        ("p", "nodes"),
        relations=ordered[:RELATIONS],
        predicates=known,
        limit=SAMPLED,
    )
    return {str(p): integer(n) for p, n in rows}


def languages_of(queries: SchemaQueries, name_relations: Sequence[str]) -> Mapping[str, int]:
    """Language tags of names with counts, most first; ``""`` for no tag.

    Raises:
        StoreError: the database failed.
    """
    if not name_relations:
        return {}
    if not queries.endpoint:  # it knows the datatypes of names already
        known = {"predicates": name_relations, "limit": None}
        kinds = queries.whole("names", "datatypes", ("p", "datatype", "triples"), **known) or ()
        found = [(kind, integer(n)) for _, kind, n in kinds]
        if RDF_LANG_STRING not in dict(found):
            return {"": sum(n for _, n in found)} if found else {}
    columns = ("language", "names")
    rows = queries.whole("languages", "languages", columns, predicates=name_relations, limit=None)
    if rows is None:
        asked = {"predicates": name_relations, "limit": SAMPLED}
        rows = queries.sample("languages", columns, **asked)
    return descending({split_literal(str(tag))[0]: integer(n) for tag, n in rows})


def words_of(
    queries: SchemaQueries,
    ids: Collection[str],
    name_relations: Sequence[str],
    languages: Sequence[str],
) -> dict[str, str]:
    """Words for relations or types: the graph's own name for each, else its local name.

    A direct claim of a Wikibase is called by its property's name (`isomatch.schema.vocabulary`).
    A name without a blank may be an identifier as well (a table's relation
    ``directed_by``), so it is split too.

    Raises:
        StoreError: the database failed.
    """
    entities = {id: entity_of(id) or id for id in ids}
    asked = list(dict.fromkeys([*ids, *entities.values()]))
    found = labels(queries.store, name_relations, asked, run=queries.run)
    result = {}
    for id in ids:
        named = preferred(found.get(id, found.get(entities[id], [])), languages)
        # As people write it; its local name is three words.
        plain = "subclass of" if id == SUBCLASS_OF else local_name(id)
        name = next(iter(named), "").strip() or plain
        result[id] = name if re.search(r"\s", name) else words(name)
    return result


def also_called(
    store: Store, schema: Schema, ids: Collection[str], language: str
) -> dict[str, list[str]]:
    """What the graph says that relations or types are also called, in a language or in none.

    Raises:
        StoreError: the database failed.
    """
    aliases = [p for p in schema.name_relations if p in ALIAS_RELATIONS]
    entities = {id: entity_of(id) or id for id in ids}
    asked = list(dict.fromkeys(entities.values())) if aliases else []
    found = labels(store, aliases, asked) if asked else {}
    return {
        id: sorted({label.text for label in found[entity] if _is_in(label, language)})
        for id, entity in entities.items()
        if entity in found
    }


def _is_in(label: Label, language: str) -> bool:
    return not label.language or re.split("[-_]", label.language)[0] == language

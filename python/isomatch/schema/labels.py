"""Which predicates give names, in which languages, and words for relations and types."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from isomatch.schema.names import labels, preferred
from isomatch.schema.queries import SchemaQueries
from isomatch.schema.relations import descending, integer, kind_of, literal_kinds
from isomatch.schema.vocabulary import (
    ALIAS_RELATIONS,
    NAME_RELATIONS,
    SUBCLASS_OF,
    VOCABULARY,
    entity_of,
)
from isomatch.store.terms import local_name, split_literal, words

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

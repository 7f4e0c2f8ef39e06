"""Read a graph's schema through a store: by queries that group, never by facts.

What counts as a relation and as a type is said in `isomatch.schema.vocabulary`. An
embedded graph is counted; an endpoint is asked within bounds (`isomatch.schema.queries`),
and what it does not count is sampled, which the schema's notes say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from isomatch.schema.counts import NODES, Counts
from isomatch.schema.exclusion import Exclusion, absent_words, left_out_of
from isomatch.schema.labels import (
    Hierarchy,
    find_name_relations,
    holds_between_iris,
    languages_of,
    read_hierarchy,
    words_of,
)
from isomatch.schema.queries import Journal, SchemaQueries
from isomatch.schema.relations import (
    DETAILED,
    integer,
    kind_of,
    read_relations,
    with_one_way,
    with_texts,
)
from isomatch.schema.sizes import predicates_of, types_of, with_declared_ends
from isomatch.schema.types import Relation, Schema, Type, beginnings, namespaces_of
from isomatch.schema.vocabulary import (
    ALIAS_RELATIONS,
    DIRECT_CLAIM,
    NAME_RELATIONS,
    SUBCLASS_OF,
    UNTOLD,
    VOCABULARY,
    Wikibase,
    is_own,
    is_vocabulary_class,
    subclass_relation,
)
from isomatch.store.base import Store
from isomatch.store.terms import RDF_TYPE, is_literal, literal, split_literal

COUNTED = 5_000_000  # facts up to which an endpoint counts distinct nodes; above, a sixteenth
JOINED = 5_000_000  # typed nodes up to which types are joined in bulk; above, facts are sampled
SAMPLED = 10_000  # facts of a relation that are looked at then
JOINABLE = 2_000_000  # facts up to which characteristic sets are asked for
IN_PART = "estimates, from a sixteenth of them"
MOST_SETS = 20_000  # of them; more would rule out little and take long to read


def introspect(
    store: Store,
    *,
    label_relations: Sequence[str] | None = None,
    type_relation: str = RDF_TYPE,
    languages: Sequence[str] = ("en",),
    exclude: Sequence[str] | Exclusion = (),
    subclasses: bool = True,
    progress: Callable[[int, int], None] | None = None,
    kept: Journal | Counts | None = None,
) -> Schema:
    """The schema of a graph.

    Args:
        label_relations: the predicates that give names, best first; None finds
            the well-known ones in use, by how many nodes they name. In a property
            graph properties (``title``), which go before those that are found
            (`isomatch.schema.naming`), or those of one label (``Movie.title``).
        type_relation: the predicate that gives types (RDF only); in Wikidata its own
            (`isomatch.schema.vocabulary`), where this is left at ``rdf:type``.
        languages: of the words for relations and types, best first (RDF only).
        exclude: what is left out, see `isomatch.settings.Settings.exclude`; an `Exclusion`
            knows what an earlier schema left out.
        subclasses: whether a type has the nodes of its subclasses too (RDF only).
        progress: called with (facts looked at, facts in all).
        kept: the answers of an endpoint to an earlier run that was stopped, or what was
            counted of an embedded graph before; new ones are added (RDF only).

    Raises:
        StoreError: the database refused a query.
        ConfigurationError: nothing in the graph is what ``exclude`` says, or was.
    """
    if store.capabilities.property_graph:
        from isomatch.schema.property_graph import introspect_property_graph

        return introspect_property_graph(
            store, label_relations=label_relations, exclude=Exclusion.of(exclude), progress=progress
        )
    store.look_again()
    fingerprint = store.fingerprint()
    queries = SchemaQueries(store.bulk(), kept)
    roles = _roles(queries, label_relations, type_relation, Exclusion.of(exclude))
    typed_by, name_relations = roles.typed_by, roles.name_relations
    notes = [*roles.notes]

    def words(ids: Collection[str]) -> dict[str, str]:
        return words_of(queries, ids, name_relations, languages)

    # First, of an embedded graph: where no node is a literal, no relation is asked for its own.
    kinds = None if queries.endpoint else _kinds(queries, roles)
    relations = _relations(queries, roles, kinds, words, progress)
    total = sum(r.triples for r in relations)
    if kinds is None:
        part = "0" if total > COUNTED or not queries.endpoint else None
        kinds = _kinds(queries, roles, part) or _estimated_kinds(relations)
        notes += [f"the numbers of nodes and of literals are {IN_PART}"] if part else []
    sets = _characteristic_sets(queries, roles) if total <= JOINABLE else None
    types, hierarchy = _types(queries, roles, words, kinds, subclasses)
    notes += hierarchy.notes
    return Schema(
        fingerprint=fingerprint,
        triples=total,
        nodes=sum(kinds.values()),
        relations=relations,
        types=types,
        type_relation=typed_by,
        name_relations=name_relations,
        languages=languages_of(queries, name_relations),
        vocabulary=roles.vocabulary,
        characteristic_sets=sets,
        notes=(*notes, *_of_samples(queries)),
        relations_begin=roles.begin,
        relations_beside=roles.beside,
        left_out=roles.left_out,
        exclude=Exclusion.of(exclude).entries,
        subclasses=hierarchy.subclasses,
        subclasses_cut=hierarchy.cut,
        partial=tuple(sorted(queries.partial)),
    )


def _relations(
    queries: SchemaQueries,
    roles: _Roles,
    kinds: Mapping[str, int] | None,
    words: Callable[[Collection[str]], Mapping[str, str]],
    progress: Callable[[int, int], None] | None,
) -> tuple[Relation, ...]:
    """All relations; ``kinds`` of all nodes, if they were counted."""
    relations = read_relations(
        queries,
        roles.facts,
        typed_by=roles.typed_by,
        end_facts=roles.end_facts,
        literals=kinds is None or not kinds.keys() <= {"node"},
        words=words,
        progress=progress,
    )
    if queries.sampled and roles.typed_by:
        relations = with_declared_ends(queries, relations)
    return with_one_way(queries, with_texts(queries, relations))


def _of_samples(queries: SchemaQueries) -> tuple[str, ...]:
    """What was read from samples, in words."""
    if not queries.sampled:
        return ()
    return (
        "the endpoint does not count all: from samples, and so estimates, some maybe "
        f"incomplete, are {', '.join(queries.sampled)}",
    )


@dataclass(frozen=True)
class _Roles:
    """What the predicates of a graph are.

    Attributes:
        facts: relations with their numbers of triples, most frequent first.
        name_relations, vocabulary: predicates that are no relations.
        typed_by: the predicate that gives types; None where the graph has none.
        end_facts: facts of a relation whose ends are looked at; None for all.
        begin, beside: see `Schema.relations_begin`, `Schema.relations_beside`.
        excluded: all that are no relations.
    """

    facts: list[tuple[str, int]]
    name_relations: tuple[str, ...]
    vocabulary: tuple[str, ...]
    typed_by: str | None
    end_facts: int | None
    begin: str | None
    beside: str | None
    excluded: frozenset[str]
    notes: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def begins(self) -> tuple[str, ...]:
        """See `Schema.begins`."""
        return beginnings(self.begin, self.beside)


def _roles(
    queries: SchemaQueries,
    label_relations: Sequence[str] | None,
    type_relation: str,
    exclude: Exclusion,
) -> _Roles:
    notes: list[str] = []
    named = label_relations or (*NAME_RELATIONS, *ALIAS_RELATIONS)
    known = (*named, *VOCABULARY, DIRECT_CLAIM, *exclude.entries)
    counts = predicates_of(queries, type_relation=type_relation, known=known)
    wikibase = Wikibase.of(counts, type_relation)
    left_out, absent = left_out_of(exclude, counts, certain=not queries.sampled)
    facts_of = {p: counts.pop(p, 0) for p in left_out if p not in absent}
    notes += _exclusion_notes(exclude, facts_of, absent)
    if wikibase is not None:
        type_relation = wikibase.type_relation(type_relation, counts)
    if label_relations is None:
        name_relations = find_name_relations(queries, counts, type_relation)
    else:
        name_relations = tuple(p for p in label_relations if p in counts)
    vocabulary = _vocabulary(queries, counts)
    begin = beside = None
    if wikibase is not None:
        begin = wikibase.direct
        told = {*name_relations, *vocabulary, type_relation}
        beside, more, note = _beside(wikibase, counts, told, "relations" in queries.sampled)
        vocabulary += more
        notes.append(note)
    excluded = frozenset((*name_relations, *vocabulary, type_relation, *left_out))
    excluded |= {*map(literal, namespaces_of(exclude.entries))}

    def is_relation(id: str) -> bool:
        begun = id.startswith(begin or "") or (beside is not None and not id.startswith(beside))
        return id not in excluded and begun

    facts = [(p, n) for p, n in counts.items() if is_relation(p)]
    typed_by = type_relation if type_relation in counts else None
    if typed_by and len(facts) > DETAILED:
        notes.append(
            f"source and target types were counted for the {DETAILED} most frequent of "
            f"{len(facts)} relations"
        )
    end_facts = SAMPLED if typed_by and counts[typed_by] > JOINED else None
    if end_facts:
        notes.append(f"source and target types are estimates, from {end_facts} facts a relation")
    return _Roles(
        facts=sorted(facts, key=lambda f: (-f[1], f[0])),
        name_relations=name_relations,
        vocabulary=vocabulary,
        typed_by=typed_by,
        end_facts=end_facts,
        begin=begin,
        beside=beside,
        excluded=excluded,
        notes=tuple(notes),
        left_out=left_out,
    )


def _exclusion_notes(
    exclude: Exclusion, left_out: Mapping[str, int], absent: Sequence[str]
) -> Iterator[str]:
    """What is left out, in words; predicates with their numbers of facts."""
    if left_out:
        there = ", ".join(e for e in exclude.entries if e not in absent)
        yield (
            f"left out by the setting exclude: {len(left_out)} predicates of "
            f"{sum(left_out.values()):,} facts ({there})"
        )
    if absent:
        yield absent_words(absent)


def _vocabulary(queries: SchemaQueries, counts: Collection[str]) -> tuple[str, ...]:
    """The predicates in use that are of the vocabulary, or of isomatch's own records."""
    found = [p for p in VOCABULARY if p in counts]
    if SUBCLASS_OF in found and holds_between_iris(queries, SUBCLASS_OF):
        found.remove(SUBCLASS_OF)
    return (*found, *filter(is_own, sorted(counts)))


def _beside(
    wikibase: Wikibase, counts: Collection[str], told: Collection[str], sampled: bool
) -> tuple[str | None, tuple[str, ...], str]:
    """What other facts there are beside a Wikibase.

    Args:
        told: predicates of names, types and vocabulary.
        sampled: whether not all predicates are known: those of a large one do not tell.

    Returns:
        `Schema.relations_beside`, what else is no relation then, and both in words.
    """
    others = {p for p in counts if not wikibase.has(p)} - {*told, *UNTOLD}
    if sampled or not others:
        return None, (), "the graph is a Wikibase: only its direct claims are relations"
    used = {p for p in counts if wikibase.has(p) and not p.startswith(wikibase.all)}
    types = {RDF_TYPE} & {*counts} - {*told}
    note = (
        "the graph is a Wikibase with other facts beside it: its direct claims are relations, "
        "and all predicates that its format does not use"
    )
    if types:
        note += "; types are those of its own property alone, not those of rdf:type"
    return wikibase.all, tuple(sorted((used | types) - {*told})), note


def _types(
    queries: SchemaQueries,
    roles: _Roles,
    words: Callable[[Collection[str]], Mapping[str, str]],
    kinds: Mapping[str, int],
    subclasses: bool,
) -> tuple[tuple[Type, ...], Hierarchy]:
    """Types of nodes with their subclasses, and kinds of literals; most frequent first."""
    of_values = kinds.keys() - {"node", "other"}
    found = [Type(f"literal:{kind}", kind, kinds[kind]) for kind in of_values]
    hierarchy = Hierarchy()
    if roles.typed_by is not None:
        counted = types_of(queries, roles.typed_by)
        relation = subclass_relation(roles.typed_by)
        if subclasses and (relation in dict(roles.facts) or _lost(queries, roles, relation)):
            hierarchy = read_hierarchy(queries, counted, relation)
        counted = dict.fromkeys(hierarchy.subclasses, 0) | counted
        counts = {type: n for type, n in counted.items() if not is_vocabulary_class(type)}
        called = words(counts)
        found += [Type(id, called[id], n) for id, n in counts.items()]
    return tuple(sorted(found, key=lambda t: (-t.nodes, t.id))), hierarchy


def _lost(queries: SchemaQueries, roles: _Roles, relation: str) -> bool:
    """Whether a predicate may be missing because an endpoint did not count it."""
    if not queries.failed("sizes") or relation in roles.excluded:
        return False
    namespaces = tuple(split_literal(x)[0] for x in roles.excluded if is_literal(x))
    return not relation.startswith(namespaces) and holds_between_iris(queries, relation)


def _kinds(queries: SchemaQueries, roles: _Roles, part: str | None = None) -> dict[str, int] | None:
    """Distinct nodes in facts by kind: ``node``, or a literal's.

    None if they are not counted: by an endpoint, or since they are more than `NODES`.
    """
    rows = queries.whole(
        "numbers of nodes",
        "kinds",
        ("datatype", "literal", "nodes"),
        excluded=sorted(roles.excluded),
        begins=roles.begins,
        part=literal(part) if part else None,
        most=None if part or queries.endpoint else NODES,
    )
    if rows is None:
        return None
    kinds: Counter[str] = Counter()
    for datatype, is_value, n in rows:
        kind = kind_of(datatype) if is_value in ("true", "1") else "node"
        kinds[kind] += integer(n) * (16 if part else 1)
    if not part and not queries.endpoint and sum(kinds.values()) >= NODES:
        return None  # the rest was not read
    return dict(kinds)


def _estimated_kinds(relations: Sequence[Relation]) -> dict[str, int]:
    """From the relations' own numbers: as if no two shared a target, and all their sources."""
    kinds = Counter({"node": max((r.subjects for r in relations), default=0)})
    for relation in relations:
        values = sum(relation.literal_kinds.values())
        share = relation.objects / max(1, relation.triples)
        kinds["node"] += round(max(0, relation.triples - values) * share)
        for kind, n in relation.literal_kinds.items():
            kinds[kind] += round(n * share)
    return dict(kinds)


def _characteristic_sets(
    queries: SchemaQueries, roles: _Roles
) -> tuple[tuple[str, ...], ...] | None:
    """The distinct sets of ports, see `Schema.characteristic_sets`; None if too many.

    None too where a relation is in none of them: rows are missing, and what is ruled out by
    the others would be ruled out without a proof.
    """
    asked = {"excluded": sorted(roles.excluded), "begins": roles.begins}
    rows = queries.whole("which relations meet", "ports", ("ports",), **asked)
    if rows is None:
        return None
    found = set()
    for (ports,) in rows:
        found.add(tuple(sorted(split_literal(str(ports))[0].split())))
        if len(found) > MOST_SETS:
            return None
    seen = {port for ports in found for port in ports}
    if any(not {f"+{p}", f"-{p}"} <= seen for p, n in roles.facts if n):
        queries.note("which relations meet (rows were missing)")
        return None
    return tuple(sorted(found))

"""What a graph holds, in numbers: the schema that introspection finds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from isomatch.store.terms import literal

_NAMESPACE = re.compile(r".*[#/:]")


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the graph and its degrees.

    Attributes:
        id: IRI of the predicate (or the relationship type, the property key).
        text: the words that stand for it ("directed by").
        triples: how many there are.
        subjects, objects: how many distinct ones.
        mean_out, max_out: objects for one subject, mean and maximum.
        mean_in, max_in: subjects for one object, mean and maximum.
        source_types, target_types: type ids with counts, most first.
        literal_kinds: kinds of literal targets with counts: ``text``,
            ``number``, ``date`` (years too), ``boolean``, ``other``.
        listed: whether some value is a list, whose members are the targets
            (properties of a property graph only).
        texts: what all its texts are, as far as they were looked at: ``number``, as
            ``"38"``; ``date``, as ``"29/08/2017"``, if the order of day and month is told;
            ``text``, if none is one; empty if some are, and where nothing was looked at.
        one_way: whether many of its facts, between nodes of one type, were looked at, and none
            of them is there the other way round too.
    """

    id: str
    text: str
    triples: int
    subjects: int = 0
    objects: int = 0
    mean_out: float = 0.0
    max_out: int = 0
    mean_in: float = 0.0
    max_in: int = 0
    source_types: Mapping[str, int] = field(default_factory=dict)
    target_types: Mapping[str, int] = field(default_factory=dict)
    literal_kinds: Mapping[str, int] = field(default_factory=dict)
    listed: bool = False
    texts: str = ""
    one_way: bool = False

    def returns_often(self) -> int:
        """How many of its facts may lead back to its sources, by the types of both ends."""
        shared = self.source_types.keys() & self.target_types.keys()
        return max((min(self.source_types[t], self.target_types[t]) for t in shared), default=0)

    def leads_to_one(self, *, back: bool = False) -> bool:
        """Whether it leads from each of its nodes to one thing only.

        Args:
            back: against its direction.
        """
        return (self.max_in if back else self.max_out) == 1

    def end_types(self, target: bool) -> Mapping[str, int]:
        """`target_types` for the target, `source_types` for the source."""
        return self.target_types if target else self.source_types

    @property
    def is_ordered(self) -> bool:
        """Whether most of its values are numbers or dates, be they written as texts."""
        kinds = self.literal_kinds
        ordered = ["number", "date", *["text"] * (self.texts in ("number", "date"))]
        return sum(kinds.get(kind, 0) for kind in ordered) * 2 > sum(kinds.values())

    @property
    def is_flag(self) -> bool:
        """Whether its values are only true and false."""
        return {*self.literal_kinds} == {"boolean"}


@dataclass(frozen=True, slots=True)
class Type:
    """A type (class or label) of the graph: id, words, number of nodes.

    A class that only its subclasses have nodes of is a type too, of 0 nodes.

    The kinds of literals are types too, so that ``(?n:number)`` can be a value:
    their ids are ``literal:text``, ``literal:number``, ``literal:date`` and
    ``literal:boolean``.
    """

    id: str
    text: str
    nodes: int


LITERAL = "literal:"
"""What the id of a kind of literals begins with."""


def node_types(types: Iterable[str]) -> list[str]:
    """Those of some types that are no kinds of literals."""
    return [type for type in types if not type.startswith(LITERAL)]


@dataclass(frozen=True, slots=True)
class PropertyIndex:
    """An index of the database itself.

    Attributes:
        type: id of the label (or relationship type) that it covers.
        properties: ids of its properties, in order.
        kind: ``range``, ``text``, ``point``, ``fulltext`` or ``vector``.
        name: what the database calls it.
        relationship: whether ``type`` is a relationship type.
        unique: whether it is that of a constraint: no two elements have equal values.
        dimension, similarity: of the vectors of a vector index (``cosine`` or
            ``euclidean``); 0 and empty for other kinds.
    """

    type: str
    properties: tuple[str, ...]
    kind: str
    name: str = ""
    relationship: bool = False
    dimension: int = 0
    similarity: str = ""
    unique: bool = False


def namespaces_of(exclude: Iterable[str]) -> tuple[str, ...]:
    """The entries of the setting ``exclude`` that stand for all predicates that begin so."""
    return tuple(entry for entry in exclude if entry.endswith(("#", "/", ":")))


def beginnings(*starts: str | None) -> tuple[str, ...]:
    """Beginnings of ids, those that are given, as literals."""
    return tuple(literal(start) for start in starts if start)


@dataclass(frozen=True)
class Schema:
    """Relations and types of one graph at one fingerprint.

    Attributes:
        fingerprint: changes when the graph's content does.
        triples: facts, without names and types.
        nodes: distinct nodes in facts, literals included (an estimate where
            the database cannot count cheaply). In RDF a node that has but a type or a name
            is not among them; with a type it has a name in the index.
        relations: most frequent first. Predicates that give names or types
            are not relations.
        types: most frequent first; empty for a graph without types (literal
            kinds alone do not make a typed graph).
        type_relation: id of the predicate that gives types, or None.
        name_relations: ids of the predicates that give names, best first.
        languages: language tags of names with counts; ``""`` for no tag.
        vocabulary: ids of the predicates in use that speak of the vocabulary
            itself (``rdfs:domain``); they are not relations either.
        characteristic_sets: which ports nodes hold together (Neumann and
            Moerkotte, ICDE 2011); a port is ``+relation`` for the source of a
            fact and ``-relation`` for its target. None where the graph is too
            large to ask, or is written to while it is read (Neo4j).
        notes: what was estimated or left out, in words.
        names: in a property graph, type id to the id of the property that names
            its nodes.
        edge_properties: in a property graph, relationship type id to the keys of
            its properties, with counts.
        indexes: those of the database that are in working order.
        left_out: ids of what is no relation because its values are embeddings or bytes,
            or because of ``exclude``.
        left_out_labels: in a property graph, ids of the labels whose nodes are left out because
            of ``exclude``, with their relationships.
        long_texts: ids of properties with a text of more than 2,000 characters.
        exclude: what the settings leave out of the graph: neither indexed nor searched.
        relations_begin: what the ids of all relations begin with, where that tells
            them from others: in a Wikibase (`isomatch.schema.vocabulary`).
        relations_beside: what no id of the other relations begins with, where a Wikibase
            has other facts beside it.
        subclasses: type id to the ids of its subclasses at any depth that nodes have,
            most frequent first; only of types with some. A node of a subclass is one of
            the type.
        subclasses_cut: ids of the types of which `subclasses` may lack some; the notes
            say why.
        partial: ``relations`` and ``types``, where an endpoint did not list them all, and
            some may be missing here.
    """

    fingerprint: str
    triples: int
    nodes: int
    relations: tuple[Relation, ...]
    types: tuple[Type, ...]
    type_relation: str | None = None
    name_relations: tuple[str, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    vocabulary: tuple[str, ...] = ()
    characteristic_sets: tuple[tuple[str, ...], ...] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    edge_properties: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    indexes: tuple[PropertyIndex, ...] = ()
    left_out: tuple[str, ...] = ()
    left_out_labels: tuple[str, ...] = ()
    long_texts: tuple[str, ...] = ()
    relations_begin: str | None = None
    exclude: tuple[str, ...] = ()
    relations_beside: str | None = None
    subclasses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subclasses_cut: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()

    @property
    def begins(self) -> tuple[str, ...]:
        """`relations_begin` and `relations_beside` as literals, for queries."""
        return beginnings(self.relations_begin, self.relations_beside)

    @property
    def excluded(self) -> tuple[str, ...]:
        """Ids of what the graph holds beside relations: types, names, vocabulary, embeddings.

        And what ``exclude`` says, see `unsearched`.
        """
        types = (self.type_relation,) if self.type_relation else ()
        # A property may name the nodes of one label and be a fact of others.
        names = (p for p in self.name_relations if p not in self.by_id)
        return tuple(dict.fromkeys((*types, *names, *self.vocabulary, *self.unsearched)))

    def leaves_out(self, predicate: str) -> bool:
        """Whether a predicate is left out because of ``exclude``, also one that is not there."""
        return predicate in self.left_out or predicate.startswith(namespaces_of(self.exclude))

    @cached_property
    def unsearched(self) -> tuple[str, ...]:
        """`left_out` for queries: a namespace as a literal in place of its predicates.

        So that one which is added later is left out too.
        """
        namespaces = namespaces_of(self.exclude)
        ids = (id for id in self.left_out if not id.startswith(namespaces))
        return (*ids, *map(literal, namespaces))

    @cached_property
    def unsearched_names(self) -> Mapping[str, list[str]]:
        """Parameters of Cypher: labels, types and keys that ``exclude`` leaves out, by name."""
        keys = [id[1:] for id in self.left_out if id[0] == "." and {id, id[1:]} & {*self.exclude}]
        types = [entry.removeprefix(":") for entry in self.exclude if entry[:1] != "."]
        labels = [id[1:] for id in self.left_out_labels]
        return {"no_labels": labels, "no_types": types, "no_keys": keys}

    @cached_property
    def joins(self) -> frozenset[tuple[str, str]] | None:
        """Pairs of ports, both ways round, that two facts share at some node.

        A port pairs with itself where a node holds it in more than one fact.
        None where the characteristic sets are not known: anything may meet.
        """
        if self.characteristic_sets is None:
            return None
        pairs = {
            (a, b) for ports in self.characteristic_sets for a in ports for b in ports if a != b
        }
        for relation in self.relations:
            if relation.max_out != 1:
                pairs.add((f"+{relation.id}", f"+{relation.id}"))
            if relation.max_in != 1:
                pairs.add((f"-{relation.id}", f"-{relation.id}"))
        return frozenset(pairs)

    @cached_property
    def without_joins(self) -> Schema:
        """The schema for a graph that has changed since: nothing is ruled out by `joins`."""
        return self if self.joins is None else replace(self, characteristic_sets=None)

    @cached_property
    def digest(self) -> str:
        """Of what the text of a query can depend on: equal digests give equal texts.

        The fingerprint is not enough: it does not follow a property's first list, nor
        how names were chosen.
        """
        relations = [(r.id, sorted(r.source_types), r.listed) for r in self.relations]
        seen = (
            self.fingerprint,
            sorted(self.names.items()),
            relations,
            sorted(self.subclasses.items()),
            self.exclude,
        )
        return sha256(repr(seen).encode()).hexdigest()

    @property
    def keys(self) -> Mapping[str, str]:
        """In a property graph, type id to the id of a property that is unique among its nodes."""
        found = (i for i in self.indexes if i.unique and not i.relationship)
        keys = {i.type: i.properties[0] for i in found if len(i.properties) == 1}
        return {type: key for type, key in keys.items() if key not in self.left_out}

    @cached_property
    def superclasses(self) -> Mapping[str, tuple[str, ...]]:
        """`subclasses` turned round: type id to the ids of the types that it is a subclass of."""
        found: dict[str, tuple[str, ...]] = {}
        for wide, below in self.subclasses.items():
            for type in below:
                found[type] = (*found.get(type, ()), wide)
        return found

    def with_superclasses(self, types: Iterable[str]) -> list[str]:
        """Some types, each with its superclasses."""
        above = self.superclasses
        return [one for type in types for one in (type, *above.get(type, ()))]

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Number of nodes by type id, without those of subclasses."""
        return {type.id: type.nodes for type in self.types}

    @cached_property
    def by_id(self) -> Mapping[str, Relation]:
        """Relations by id."""
        return {r.id: r for r in self.relations}

    def sibling_names(self, relation: Relation) -> set[str]:
        """The names, in small letters, of the other relations from a relation's sources to nodes.

        An employment has an `employer` and an `employee`, and is itself neither of them.
        """
        return {
            other.text.lower()
            for other in self.relations
            if other.id != relation.id and other.target_types
            if not relation.source_types.keys().isdisjoint(other.source_types)
        }

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """What the ids of relations and types begin with, up to the last ``#``, ``/`` or ``:``."""
        ids = [*(relation.id for relation in self.relations), *(type.id for type in self.types)]
        found = {match[0] for id in ids if (match := _NAMESPACE.match(id))}
        return frozenset(namespace for namespace in found if len(namespace) > 1)

    @cached_property
    def typed(self) -> bool:
        """Whether any node has a type."""
        return bool(node_types(t.id for t in self.types))


ALIAS = 1000


class Name(NamedTuple):
    """A name of a node, or the value of a literal.

    Attributes:
        id: the node.
        text: the name; a literal's lexical form.
        kind: ``node``, or for a literal ``text``, ``number``, ``date`` or
            ``boolean`` (any other datatype counts as ``text``); ``same`` for a node
            whose names are what they were at an earlier reading (without a text).
        place: among the names of the node: 0 is what it is called, from `ALIAS` on are
            aliases.
    """

    id: str
    text: str
    kind: str
    place: int = 0

"""What the neighbourhood of some nodes is, by a plain search over a list of facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from isomatch.schema.types import Relation, Schema
from isomatch.store.base import Store
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, is_literal, local_name, words
from isomatch.triples.neighbourhood import Fact, Neighbourhood, neighbourhood

E = "http://e/"
HoodOf = Callable[..., Neighbourhood]


def around(facts: Collection[Fact], topics: Iterable[str], hops: int) -> set[Fact]:
    """Facts with an end fewer than ``hops`` steps from a topic; values end the way."""
    near, reached = set(topics), set(topics)
    found: set[Fact] = set()
    for _ in range(hops):
        some = {fact for fact in facts if near & {fact[0], fact[2]}}
        found |= some
        ends = {end for fact in some for end in (fact[0], fact[2])}
        near = {end for end in ends - reached if not is_literal(end)}
        reached |= near
    return found


def facts_of(hood: Neighbourhood) -> list[Fact]:
    """The facts of a neighbourhood, in its order."""
    rows = zip(hood.heads.tolist(), hood.links.tolist(), hood.tails.tolist(), strict=True)
    return [(hood.nodes[h], hood.relations[r], hood.nodes[t]) for h, r, t in rows]


def rdf_schema(relations: Iterable[str]) -> Schema:
    """What a walk needs to know of a graph with these predicates."""
    known = tuple(Relation(id, words(local_name(id)), 1) for id in sorted(relations))
    return Schema("test", 1, 1, known, (), RDF_TYPE, (RDFS_LABEL,))


def names(ids: Iterable[str]) -> Mapping[str, str]:
    """Nodes are called by their ids."""
    return {id: id for id in ids}


def hood(store: Store, topics: list[str], relations: Iterable[str], **given: int) -> Neighbourhood:
    """The neighbourhood in a store of RDF."""
    return neighbourhood(store, rdf_schema(relations), topics, names, **given)

"""Whether a pattern that asks if there is a match is proven to have none.

That a search finds nothing is not yet a "no". The names may be those of something else, the graph
may have the fact in the other direction, under another type or less exactly, or what was searched
may not be all of the graph. Only where nothing of that is left is "no" an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from isomatch.link.normalise import value_of
from isomatch.match.conditions import period
from isomatch.pattern.identity import identity
from isomatch.pattern.types import Node, Part, Pattern
from isomatch.phrasing import clean
from isomatch.retrieve.types import EQUAL
from isomatch.store.terms import SAME_AS, local_name

if TYPE_CHECKING:
    from isomatch.link.candidates import Candidates
    from isomatch.match.search import SearchOutcome
    from isomatch.match.types import Interpretation, MatchResult
    from isomatch.options import Options
    from isomatch.resources import Resources
    from isomatch.schema.types import Relation, Schema
    from isomatch.store.base import Store

# By these a graph says that relations follow from others, which is not worked out.
_IMPLYING = ("subPropertyOf", "inverseOf", "equivalentProperty", "propertyChainAxiom")


def doubts(
    resources: Resources,
    store: Store,
    result: MatchResult,
    outcome: SearchOutcome,
    options: Options,
) -> Iterator[str]:
    """Why the result of a pattern without a match does not prove that there is none, in words.

    Args:
        result: of the pattern, with those of its parts.
        outcome: of the search of the pattern among what is nearest to its words.
        options: of the search.

    Raises:
        StoreError, VectorIndexError: the graph or the index does not answer.
    """
    yield from _of_search(result, outcome)
    yield from _of_names(resources, store, result.pattern, outcome.candidates)
    yield from _of_parts(result)
    yield from _of_graph(resources.schema, result.pattern, outcome.candidates, options)


def relaxed(pattern: Pattern) -> Pattern:
    """The pattern without arrows, and without types of names: it has every match of the pattern.

    The same of the parts whose answers its nodes are to be among, where these can only get more.
    """
    nodes = tuple(replace(n, type=None) if n.known else n for n in pattern.nodes)
    edges = tuple(replace(edge, directed=False) for edge in pattern.edges)
    parts = tuple(
        replace(part, pattern=relaxed(part.pattern)) if _grows(part) else part
        for part in pattern.parts
    )
    return replace(pattern, nodes=nodes, edges=edges, parts=parts)


def presumed(pattern: Pattern, resources: Resources) -> Iterator[Pattern]:
    """What has to have a match in a graph that denies a pattern.

    For each value of a named node that is compared, that it has one: that a hut is heated is false
    where the graph says so, and unknown where it says nothing. And that somebody did what was
    done by one only, of most things: who did not win a race is known where its winner is.
    """
    known = {node.id: node for node in pattern.nodes if node.known}
    compared = [c.node for whole in pattern.where for c in whole.alternatives if not c.function]
    compared += [id for part in pattern.parts if "in" not in part.operator for id in part.nodes]
    for value in dict.fromkeys(compared):
        for edge in (edge for edge in pattern.edges if value in edge.nodes):
            (other,) = [id for id in edge.nodes if id != value] or (value,)
            if other in known:
                yield Pattern((known[other], pattern.node(value)), (edge,), ask=True)
    single = {r.text for r in resources.schema.relations if _has_one_each(r, resources.schema)}
    passive = resources.lexicon.language.is_passive
    for edge in pattern.edges:
        text, done_to = edge.relation or "", known.get(edge.source)
        if done_to is not None and edge.target in known and text in single and passive(text):
            anybody = Node(f"{edge.target}_")
            done = replace(edge, target=anybody.id)
            yield Pattern((done_to, anybody), (done,), ask=True)


def _has_one_each(relation: Relation, schema: Schema) -> bool:
    """Whether most of the sources' types have what a relation leads to, and each has one of it."""
    every = sum(schema.sizes.get(type_id, 0) for type_id in relation.source_types)
    return relation.leads_to_one() and 2 * relation.subjects > every


def _grows(part: Part) -> bool:
    """Whether a part gives more where its pattern has more matches, and that keeps more."""
    inner = part.pattern
    single = inner.count is not None or inner.judged_together
    return part.operator == "in" and not single and all(map(_grows, inner.parts))


def _of_search(result: MatchResult, outcome: SearchOutcome) -> Iterator[str]:
    proof, searched = result.certificate, outcome.certificate
    if proof.ended_by is not None:
        yield f"the {proof.ended_by} ran out"
    if proof.approximate:
        yield "the lists of names are approximate (--exact-vectors scans the index)"
    if proof.changed:
        yield "the graph has changed since its index was made (isomatch index --sync)"
    if any(one.cut for one in outcome.found):
        yield "not all matches were read"
    ties = [searched.ties, *(part.certificate.ties for part in result.parts)]
    if not (proof.exact and proof.complete) or any(one is not False for one in ties):
        yield "the search is not complete"
    if outcome.undecided:
        yield "some values cannot be compared, or are less exact than what they are compared with"


def _of_names(
    resources: Resources, store: Store, pattern: Pattern, candidates: Candidates
) -> Iterator[str]:
    for found in candidates.lists:
        if not len(found) or found[0].distance > EQUAL:
            yield f"nothing in the graph is called “{clean(found.text)}”"
    ids = {one.id for found in candidates.nodes.values() for one in found}
    if store.gone(ids):
        yield "what has one of the names is not in the graph any more (isomatch index --sync)"
    for node in pattern.nodes:
        given = identity(node.text) if node.text is not None else None
        if given is not None and not resources.index.name_of([given]):
            yield f"the index has no node {clean(node.text or '')}"
        iso = value_of(node.text).iso if node.text is not None else None
        when = period(iso) if iso else None
        if when is not None and when.end - when.start < 365 * 86_400:
            yield f"the graph may have less than the whole of {clean(node.text or '')}, as its year"


def _of_parts(result: MatchResult) -> Iterator[str]:
    for part, found in zip(result.pattern.parts, result.parts, strict=True):
        if not found.interpretations or not all(map(_is_exact, found.interpretations)):
            yield "a pattern in braces is not read by names that are all the graph's"
        if "in" not in part.operator and not any(i.matches for i in found.interpretations):
            yield "a pattern in braces gives nothing to compare with"
        yield from _of_parts(found)


def _is_exact(interpretation: Interpretation) -> bool:
    return all(choice.distance <= EQUAL for choice in interpretation.choices)


def _of_graph(
    schema: Schema, pattern: Pattern, candidates: Candidates, options: Options
) -> Iterator[str]:
    if schema.exclude:
        yield f"a part of the graph is left out by the settings: {', '.join(schema.exclude)}"
    if SAME_AS in schema.by_id and not options.same_as:
        yield "the graph joins nodes by owl:sameAs, which --same-as follows"
    implying = [id for id in schema.vocabulary if local_name(id) in _IMPLYING]
    if implying:
        named = ", ".join(map(local_name, implying))
        yield f"relations of the graph follow from others ({named}), and that is not worked out"
    types = {type.id for type in schema.types}
    ends = {id for edge in pattern.edges if edge.relation is None for id in edge.nodes}
    if any(c.id in types for id in ends if id in candidates.nodes for c in candidates.nodes[id]):
        yield "whether something is of a type is not among the relations"

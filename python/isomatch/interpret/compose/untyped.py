"""Kinds of things in a graph without types, where a relation is called as they are.

A loan has a `book`, and what it leads to has an author, a year and a shelf. So has everything else
that has one of these: then all of them are books, those that nobody borrowed too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from isomatch.chains.graph import ChainGraph, Step
from isomatch.lexicon.lexicon import THING, Lexicon
from isomatch.lexicon.mentions import Mention
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Relation

LEAST = 2  # relations that all things of a kind have


def own_kinds(graph: ChainGraph, lexicon: Lexicon) -> Mapping[str, str]:
    """For each noun for a kind, the relation that all things of the kind have, and nothing else.

    Args:
        graph: asked what follows its relations.
        lexicon: nouns of relations, and the class words of their ends.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    known = {r.id: r for r in graph.schema.relations if r.id in lexicon.relations}
    found = {}
    for called in known.values():
        noun = lexicon.relations[called.id].target
        if graph.schema.typed or noun not in lexicon.relations[called.id].nouns:
            continue
        having = [r for r in known.values() if lexicon.relations[r.id].source == noun]
        if len(having) >= LEAST and (total := _total(graph, called, having)):
            found[noun] = total
    return found


def own_sources(graph: ChainGraph, lexicon: Lexicon) -> Mapping[str, str]:
    """For each relation of things without a class word, the noun of the relation to all of them.

    All that have a year of birth are authors, where a book leads to each of them.

    Raises:
        QueryTimeout: the database did not answer in time.
    """
    found = {}
    for relation in graph.schema.relations:
        words = lexicon.relations.get(relation.id)
        if graph.schema.typed or words is None or words.source != THING:
            continue
        beside = graph.followers(Step(relation.id, back=True))
        steps = (step for step, share in beside.items() if step.back and share == 1.0)
        called = [lexicon.relations[s.relation] for s in steps if s.relation in lexicon.relations]
        if len(called) == 1 and called[0].target in called[0].nouns:
            found[relation.id] = called[0].target
    return found


def has_facts(graph: ChainGraph, pattern: Pattern, names: Sequence[Mention]) -> bool:
    """Whether the names of a pattern have the relations that it says of them.

    "A book by Otto" is no loan whose book he is, where such kinds are guesses.
    """
    schema = graph.schema
    steps: dict[str, set[tuple[str, bool]]] = {}
    for mention in names:
        around = graph.around(mention.ids) if mention.ids else ()
        found = {(schema.by_id[step.relation].text, step.back) for step in around}
        steps.setdefault(mention.text, set()).update(found)
    ends = (
        (pattern.node(id).text, edge.relation, back)
        for edge in pattern.edges
        for id, back in ((edge.source, False), (edge.target, True))
    )
    return all((text, back) in steps[name] for name, text, back in ends if name in steps)


def _total(graph: ChainGraph, called: Relation, having: list[Relation]) -> str | None:
    """The first of some relations that what a relation leads to has, and all that have others."""
    ends = graph.followers(Step(called.id))
    all_have = [r for r in having if ends.get(Step(r.id)) == 1.0]
    if len(all_have) < LEAST or len({r.subjects for r in all_have}) > 1:
        return None
    for relation in having:
        beside = graph.followers(Step(relation.id, back=True))
        if any(beside.get(Step(r.id)) != 1.0 for r in all_have if r != relation):
            return None
    # What another relation leads to, as to a film beside the books, is of another kind.
    others = graph.followers(Step(all_have[0].id, back=True))
    if any(step.back and step.relation != called.id for step in others):
        return None
    return all_have[0].id

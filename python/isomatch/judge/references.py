"""What answers are checked against: facts of the graph, descriptions of things, and texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isomatch.judge.search import fact_line
from isomatch.schema.names import labels, preferred
from isomatch.store.terms import is_literal
from isomatch.triples.features import Elements
from isomatch.triples.neighbourhood import neighbourhood

if TYPE_CHECKING:
    from isomatch.session import Session

DESCRIPTIONS = (
    "http://dbpedia.org/ontology/abstract",
    "http://www.w3.org/2000/01/rdf-schema#comment",
    "http://schema.org/description",
    "https://schema.org/description",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/elements/1.1/description",
    "http://www.w3.org/2004/02/skos/core#definition",
)
"""Predicates whose values tell what a thing is."""

MOST_NAMED = 50  # things that texts name, whose facts are read
MOST_FACTS = 2_000
_OF_ONE = 300  # facts of one of them
_LONG = 60  # characters of a value from which on it may be a description,
_WORDS = 6  # and its words


def named_in(session: Session, texts: Sequence[str]) -> tuple[str, ...]:
    """Ids of the nodes that texts name, the first ones."""
    finder = session.mentions
    ids = (id for text in texts for mention in finder.find(text) for id in mention.ids)
    return tuple(dict.fromkeys(ids))[:MOST_NAMED]


def graph_facts(session: Session, texts: Sequence[str]) -> tuple[str, ...]:
    """The facts of everything that texts name, a line each; see `fact_line`.

    Args:
        texts: question and answer, or names.

    Raises:
        StoreError: the database failed.
    """
    return tuple(line for line, _ in _facts(session, named_in(session, texts)))


def descriptions(session: Session, texts: Sequence[str]) -> tuple[str, ...]:
    """The descriptions of everything that texts name, each after its name.

    Those are values of `DESCRIPTIONS`, in the session's languages, and other values of these
    nodes that are long texts.

    Raises:
        StoreError: the database failed.
    """
    ids = named_in(session, texts)
    names = session.resources.names_of(ids)
    found: dict[str, None] = {}
    if not session.store.capabilities.property_graph:
        kept = labels(session.store, DESCRIPTIONS, ids)
        for id in ids:
            told = preferred(kept.get(id, ()), session.settings.languages)
            found.update((f"{names[id]}: {text}", None) for text in told)
    for _, told_of in _facts(session, ids):
        if told_of is not None:
            found[told_of] = None
    return tuple(found)


def _facts(session: Session, ids: Sequence[str]) -> list[tuple[str, str | None]]:
    """The facts of some nodes as lines, and of a long text what it is told of."""
    if not ids:
        return []
    resources = session.resources
    elements = resources.derived("elements", lambda: Elements(resources))
    hood = neighbourhood(
        session.store,
        session.schema,
        ids,
        elements.names,
        hops=1,
        budget=MOST_FACTS,
        cap=_OF_ONE,
    )
    lines = []
    for head, link, tail in zip(hood.heads, hood.links, hood.tails, strict=True):
        source, target = hood.names[head], hood.names[tail]
        relation = session.schema.by_id[hood.relations[link]].text
        long = len(target) >= _LONG and len(target.split()) >= _WORDS
        told = f"{source}: {target}" if long and is_literal(hood.nodes[tail]) else None
        lines.append((fact_line(source, relation, target), told))
    return lines

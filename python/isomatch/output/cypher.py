"""A result as one Cypher statement that people can paste."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.store.terms import is_literal

if TYPE_CHECKING:
    from isomatch.match.types import MatchResult
    from isomatch.session import Session


def to_cypher(result: MatchResult, session: Session, **options: Any) -> str | None:
    """The best interpretation of a result as a statement for Neo4j Browser.

    Run, it returns the matches of that interpretation: the graph's nodes and
    relationships, and the values. Values are set by ``:param`` lines before it.

    Args:
        result: of a search.
        session: that searched, over Neo4j.
        options: as they were given to the search.

    Returns:
        None for a result without matches.

    Raises:
        ConfigurationError: the graph is not in Neo4j, or an option is unknown.
    """
    from isomatch.compile.base import Part, Terms
    from isomatch.compile.pasteable import Seen, pasteable
    from isomatch.options import Options
    from isomatch.plan.structure import Structure

    check_cypher(session)
    if not result:
        return None
    pattern, best = result.pattern, result.interpretations[0]
    chosen = Options().with_(**options)
    ids = {part: iter([c.id for c in best.choices if c.part == part]) for part in _PARTS}
    typed = any(c.part == "type" for c in best.choices)
    nodes = {n: next(ids["node"]) for n, node in enumerate(pattern.nodes) if node.known}
    part = Part(
        Structure.of(pattern, chosen),
        tuple(None if e.relation is None else next(ids["relation"]) for e in pattern.edges),
        # A graph without types ignores them all.
        tuple(next(ids["type"]) if n.type is not None and typed else None for n in pattern.nodes),
        Terms.of(session.schema),
    )
    seen = dict.fromkeys(
        Seen(
            frozenset(
                n for n, node in enumerate(pattern.nodes) if is_literal(match.bindings[node.id].id)
            ),
            tuple(triple.relation.id for triple in match.triples),
        )
        for match in best.matches
    )
    return pasteable(part, nodes, seen, chosen.limit)


def check_cypher(session: Session) -> None:
    """See that a session's graph is asked in Cypher.

    Raises:
        ConfigurationError: it is not.
    """
    if not session.store.capabilities.property_graph:
        raise ConfigurationError(
            "the graph is not in Neo4j, so there is no Cypher to show: `isomatch explain` shows "
            "the SPARQL that a pattern becomes; NEO4J_URI names a Neo4j"
        )


_PARTS = ("node", "relation", "type")

"""A result as the Neo4j driver's own graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from isomatch.output.cypher import check_cypher
from isomatch.store.terms import is_literal

if TYPE_CHECKING:
    from neo4j.graph import Graph

    from isomatch.match.types import MatchResult
    from isomatch.session import Session


def to_neo4j_graph(result: MatchResult, session: Session) -> Graph:
    """The nodes and relationships of all matches, read from the database at once.

    They come with their labels and properties, as a query of one's own would give
    them; a matched value is a property of its node. What was deleted since is
    missing.

    Args:
        result: of a search.
        session: that searched, over Neo4j.

    Raises:
        ConfigurationError: the graph is not in Neo4j.
        StoreError: the database failed.
    """
    check_cypher(session)
    bound = {b.id for _, match in result.matches for b in match.bindings.values()}
    facts = {t.id for _, match in result.matches for t in match.triples if t.id is not None}
    nodes = sorted(id for id in bound if not is_literal(id))
    return cast("Graph", session.store.native_graph(nodes, sorted(facts)))

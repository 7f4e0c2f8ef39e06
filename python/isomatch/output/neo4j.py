"""A result for Neo4j: as one Cypher statement, or as the driver's own graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.output.queries import Searched, to_query
from isomatch.store.terms import is_literal

if TYPE_CHECKING:
    from neo4j.graph import Graph

    from isomatch.match.types import MatchResult


def to_cypher(result: MatchResult, session: Searched, **options: Any) -> str | None:
    """The best interpretation of a result as a statement for Neo4j Browser.

    It returns the matches of that interpretation: the graph's nodes and
    relationships, and the values. ``:param`` lines before it set its parameters.

    Args:
        result: of a search.
        session: that searched, over Neo4j.
        options: as they were given to the search.

    Returns:
        None for a result without matches.

    Raises:
        ConfigurationError: the graph is not in Neo4j, or an option is unknown.
    """
    check_cypher(session)
    return to_query(result, session, **options)


def to_neo4j_graph(result: MatchResult, session: Searched) -> Graph:
    """The nodes and relationships of all matches, read from the database now.

    They have their labels and properties, as in the result of any query; a matched
    value is a property of its node. What was deleted since the search is missing.

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
    graph: Graph = session.store.native_graph(nodes, sorted(facts))
    return graph


def in_neo4j(session: Searched) -> bool:
    """Whether the graph of a session is in Neo4j."""
    return bool(session.store.capabilities.property_graph)


def check_cypher(session: Searched) -> None:
    """Check that the graph of a session is in Neo4j.

    Raises:
        ConfigurationError: it is not.
    """
    if not in_neo4j(session):
        raise ConfigurationError(
            "the graph is not in Neo4j, so there is no Cypher to show: `isomatch explain` shows "
            "the SPARQL that a pattern becomes; NEO4J_URI names a Neo4j"
        )

"""The baseline: one Cypher query over all candidates, ordered by GSD, best k.

As someone writes it who knows Cypher and has the candidate lists: nodes by element id,
relationship types named in the pattern, so that others are not followed; the distances
as maps from type to number; ids and names of the k best only, after the sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import neo4j
from neo4j.exceptions import Neo4jError

from isomatch.link.candidates import Candidates
from isomatch.pattern.types import Pattern

SECONDS = 60.0  # after which a query is given up, and counts as having taken that long


class BruteForce:
    """Searches patterns with one known node whose edges all have known relations."""

    def __init__(self, driver: neo4j.Driver):
        self._session = driver.session(
            database="neo4j",
            default_access_mode=neo4j.READ_ACCESS,
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
        )

    def search(
        self, pattern: Pattern, candidates: Candidates, k: int, *, nodes: int, relations: int
    ) -> tuple[list[float] | None, float]:
        """GSDs of the ``k`` best matches, and milliseconds.

        Args:
            nodes, relations: how many candidates of each list, nearest first.

        Returns:
            None for the GSDs where the query was given up.
        """
        (known,) = (node.id for node in pattern.nodes if node.known)
        types = [
            {
                c.id[1:]: c.distance
                for c in candidates.relations[edge].entries[:relations]
                if c.id.startswith(":")  # a property is no relationship
            }
            for edge in range(len(pattern.edges))
        ]
        topics = [
            {"id": c.id, "distance": c.distance} for c in candidates.nodes[known].entries[:nodes]
        ]
        parameters = {"topics": topics, "k": k}
        parameters |= {f"d{edge}": distances for edge, distances in enumerate(types)}
        query = neo4j.Query(_text(pattern, known, [list(t) for t in types]), timeout=SECONDS)
        started = perf_counter()
        try:
            rows = self._session.run(query, parameters).values()
        except Neo4jError as error:
            if "Timeout" not in (error.code or ""):
                raise
            rows = None
        took = (perf_counter() - started) * 1e3
        return (None if rows is None else [row[-1] for row in rows]), took

    def close(self) -> None:
        """Close the session; the driver is the caller's."""
        self._session.close()


def _text(pattern: Pattern, known: str, types: Sequence[Sequence[str]]) -> str:
    path = ", ".join(
        f"({edge.source})-[r{i}:{'|'.join(f'`{t}`' for t in sorted(types[i]))}]-({edge.target})"
        for i, edge in enumerate(pattern.edges)
    )
    ids = [node.id for node in pattern.nodes]
    apart = " AND ".join(f"{a} <> {b}" for i, a in enumerate(ids) for b in ids[i + 1 :])
    edges = [f"r{i}" for i in range(len(pattern.edges))]
    gsd = " + ".join(["given.distance", *(f"$d{i}[type({r})]" for i, r in enumerate(edges))])
    found = [f"elementId({id})" for id in ids] + [f"type({r})" for r in edges]
    return (
        f"UNWIND $topics AS given MATCH ({known}) WHERE elementId({known}) = given.id "
        f"MATCH {path} WHERE {apart} "
        f"WITH {', '.join(ids + edges)}, {gsd} AS gsd ORDER BY gsd LIMIT $k "
        f"RETURN {', '.join(found)}, gsd"
    )

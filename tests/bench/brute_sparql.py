"""The baseline: one SPARQL query over all candidates, ordered by GSD, best k.

As someone writes it who knows SPARQL and has the candidate lists: nodes and relations
with their distances as VALUES, those of a relation right before its edge (on Oxigraph
and Fuseki that was faster than all of them at the top, or after the edge), and edges
from the known node outward.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import httpx

from isomatch.link.candidates import Candidate, Candidates
from isomatch.pattern.types import Edge, Pattern
from isomatch.store.terms import to_sparql

SECONDS = 60.0  # after which a query is given up, and counts as having taken that long


class BruteForce:
    """Searches patterns with one known node whose edges all have known relations.

    Args:
        url: where queries go.
    """

    def __init__(self, url: str):
        self._url = url
        self._client = httpx.Client(timeout=SECONDS)

    def search(
        self, pattern: Pattern, candidates: Candidates, k: int, *, nodes: int, relations: int
    ) -> tuple[list[float] | None, float]:
        """GSDs of the ``k`` best matches, and milliseconds.

        Args:
            nodes, relations: how many candidates of each list, nearest first.

        Returns:
            None for the GSDs where the query was given up.

        Raises:
            httpx.HTTPError: the server failed.
        """
        text = _text(pattern, candidates, k, nodes, relations)
        started = perf_counter()
        try:
            answer = self._client.post(
                self._url,
                data={"query": text},
                headers={"Accept": "application/sparql-results+json"},
            )
            rows = answer.raise_for_status().json()["results"]["bindings"]
        except httpx.TimeoutException:
            rows = None
        took = (perf_counter() - started) * 1e3
        return (None if rows is None else [float(row["gsd"]["value"]) for row in rows]), took

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _text(pattern: Pattern, candidates: Candidates, k: int, nodes: int, relations: int) -> str:
    (known,) = (node.id for node in pattern.nodes if node.known)
    variable = {node.id: f"?n{i}" for i, node in enumerate(pattern.nodes)}
    lines = [_values(variable[known], "?d", candidates.nodes[known].entries[:nodes])]
    for number, edge in _outward(pattern, known):
        relation = f"?r{number}"
        a, b = variable[edge.source], variable[edge.target]
        entries = candidates.relations[number].entries[:relations]
        lines.append(_values(relation, f"?d{number}", entries))
        lines.append(f"{{ {a} {relation} {b} }} UNION {{ {b} {relation} {a} }}")
    every = list(variable.values())
    apart = " && ".join(f"{a} != {b}" for i, a in enumerate(every) for b in every[i + 1 :])
    gsd = " + ".join(["?d", *(f"?d{number}" for number in range(len(pattern.edges)))])
    found = " ".join([*every, *(f"?r{number}" for number in range(len(pattern.edges)))])
    body = "\n".join([*lines, f"FILTER({apart})", f"BIND({gsd} AS ?gsd)"])
    return f"SELECT {found} ?gsd WHERE {{\n{body}\n}} ORDER BY ?gsd LIMIT {k}"


def _values(variable: str, distance: str, entries: tuple[Candidate, ...]) -> str:
    rows = " ".join(f"({to_sparql(c.id)} {c.distance:.9e})" for c in entries)
    return f"VALUES ({variable} {distance}) {{ {rows} }}"


def _outward(pattern: Pattern, known: str) -> Iterator[tuple[int, Edge]]:
    """The edges, each after one that it touches, with their numbers."""
    reached = {known}
    rest = dict(enumerate(pattern.edges))
    while rest:
        number = next(n for n, e in rest.items() if not reached.isdisjoint((e.source, e.target)))
        edge = rest.pop(number)
        reached |= {edge.source, edge.target}
        yield number, edge

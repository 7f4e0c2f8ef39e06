"""What the stores of RDF share: templates, and the queries that need no plan."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.store.base import Fact, MatchedTriple, Query, Store, Triple
from isomatch.store.templates import Templates
from isomatch.store.terms import display_name, is_literal, to_sparql

SPARQL = Templates("sparql", filters={"term": to_sparql})
VIRTUOSO = Templates(
    "sparql/virtuoso", "sparql", filters={"term": to_sparql}, tests={"literal": is_literal}
)


def templates_of(engine: str) -> Templates:
    """The templates for an engine: its own before those of SPARQL 1.1."""
    return VIRTUOSO if engine == "virtuoso" else SPARQL


def orientation_query(triples: Sequence[Triple], templates: Templates = SPARQL) -> Query:
    """Which of these (a, relation, b) are stored in that direction."""
    text = templates.render("orient.rq.j2", triples=triples)
    return Query(text, ("a", "r", "b"), name="orient")


def incidence_query(
    nodes: Sequence[str], relations: Sequence[str], templates: Templates = SPARQL
) -> Query:
    """Which relations each node has: rows of (number of the node, r, out, into).

    ``out`` and ``into`` are booleans: the node is a source, a target of it.
    """
    text = templates.render("incidence.rq.j2", nodes=list(enumerate(nodes)), relations=relations)
    return Query(text, ("i", "r", "out", "into"), name="incidence")


def store_query(name: str, columns: tuple[str, ...], **values: object) -> Query:
    """A query of the templates of ``store``, in SPARQL 1.1."""
    return Query(SPARQL.render(f"store/{name}.rq.j2", **values), columns, name=name)


class RdfStore(Store):
    """A store that is asked in SPARQL."""

    @property
    def templates(self) -> Templates:
        """See `Store.templates`."""
        return templates_of(self.capabilities.engine)

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
        """See `Store.facts`."""
        plain = [triple[:3] for triple in triples]
        ways = dict.fromkeys(way for a, r, b in plain for way in ((a, r, b), (b, r, a)))
        stored = self.stored([way for way in ways if not is_literal(way[0])])
        return [
            tuple(
                Fact(forward)
                for forward, way in ((True, (a, r, b)), (False, (b, r, a)))
                if way in stored and (forward or a != b)
            )
            for a, r, b in plain
        ]

    def stored(self, triples: Sequence[Triple]) -> set[Triple]:
        """Those of some triples that the database stores in that direction."""
        rows = self.run(orientation_query(triples, self.templates))
        return {(a, r, b) for a, r, b in rows if a and r and b}

    def incidence(
        self, nodes: Sequence[str], relations: Sequence[str], *, timeout: float | None = None
    ) -> set[tuple[str, str]]:
        """See `Store.incidence`."""
        rows = self.run(incidence_query(nodes, relations, self.templates), timeout=timeout)
        return {
            (nodes[int(display_name(number))], side + relation)
            for number, relation, out, into in rows
            for side, has in (("+", out), ("-", into))
            if number and relation and "true" in (has or "")
        }

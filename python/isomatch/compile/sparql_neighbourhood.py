"""What is asked in SPARQL about the surroundings of nodes."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.compile.base import Dialect, Terms
from isomatch.store.base import Query
from isomatch.store.terms import is_blank, is_literal


class SparqlNeighbourhood(Dialect):
    """The facts, degrees and types of nodes."""

    def degrees(self, terms: Terms, nodes: Sequence[str]) -> Query:
        return self._neighbourhood("degrees", ("i", "count"), terms, nodes)

    def facts_of(self, terms: Terms, nodes: Sequence[str], limit: int | None = None) -> Query:
        """See `Dialect.facts_of`; a blank node is a parameter, which some stores take."""
        return self._neighbourhood("facts", ("i", "r", "x", "back"), terms, nodes, limit=limit)

    def types_of(self, terms: Terms, nodes: Sequence[str]) -> Query:
        text = self.render(
            "neighbourhood/types.rq.j2",
            nodes=list(enumerate(nodes)),
            type_relation=terms.type_relation,
        )
        return Query(text, ("i", "type"), name="neighbourhood types")

    def _neighbourhood(
        self,
        name: str,
        columns: tuple[str, ...],
        terms: Terms,
        nodes: Sequence[str],
        **more: object,
    ) -> Query:
        numbered = [(i, id) for i, id in enumerate(nodes) if not is_blank(id)]
        text = self.render(
            f"neighbourhood/{name}.rq.j2",
            nodes=[(i, id) for i, id in numbered if not is_literal(id)],
            values=[(i, id) for i, id in numbered if is_literal(id)],
            excluded=terms.excluded,
            begins=terms.begins,
            **more,
        )
        blank = {"n": nodes[0]} if is_blank(nodes[0]) else {}
        return Query(text, columns, blank, f"neighbourhood {name}")

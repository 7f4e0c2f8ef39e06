"""What is asked about the surroundings of nodes, in Cypher and in SPARQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from isomatch.compile.base import Dialect, Terms
from isomatch.compile.shapes import facts_of_nodes, places, property_keys
from isomatch.schema.types import Schema
from isomatch.store.base import Query
from isomatch.store.terms import is_blank, is_literal
from isomatch.store.values import from_id

MOST_OF_VALUE = 1000  # facts of a value in each property
SUBGRAPH_SECONDS = 2.0  # for the plugin; else hop by hop


class CypherNeighbourhood(Dialect):
    """The facts, degrees and types of nodes."""

    def degrees(self, terms: Terms, nodes: Sequence[str]) -> Query:
        """See `Dialect.degrees`; of nodes."""
        text = self._text("neighbourhood/degrees", terms.known_schema)
        given = {**facts_of_nodes(terms.known_schema), "nodes": _numbered(nodes)}
        return Query(text, ("i", "count"), given, "neighbourhood degrees")

    def subgraph(
        self, terms: Terms, nodes: Sequence[str], *, hops: int, budget: int, hub: int
    ) -> Query | None:
        """See `Dialect.subgraph`; the plugin knows nothing of labels that are left out."""
        if terms.known_schema.left_out_labels:
            return None
        config = {
            "hops": hops,
            "hub": hub,
            "max_nodes": budget + len(nodes),  # more have more facts than the budget
            "max_relationships": budget,
            "outer": False,
            "budget_seconds": SUBGRAPH_SECONDS,
        }
        text = self.render("neighbourhood/subgraph.cypher.j2")
        given = {**facts_of_nodes(terms.known_schema), "nodes": list(nodes), "config": config}
        return Query(text, ("hops", "degree", "cut", "a", "r", "x"), given, "neighbourhood")

    def facts_of(self, terms: Terms, nodes: Sequence[str], limit: int | None = None) -> Query:
        """See `Dialect.facts_of`; values have a limit always, for each property that has them."""
        schema, columns = terms.known_schema, ("i", "r", "x", "back")
        parameters = {**facts_of_nodes(schema), "limit": limit or MOST_OF_VALUE}
        if any(map(is_literal, nodes)):
            keys = property_keys(schema)
            found = [p for id in keys for p in places(schema.by_id[id], keys.index(id))]
            text = self._text("neighbourhood/facts_of_values", schema, places=found)
            parameters["values"] = [{"i": i, "value": from_id(id)} for i, id in enumerate(nodes)]
            return Query(text if found else "", columns, parameters, "neighbourhood facts")
        text = self._text("neighbourhood/facts", schema, limited=limit is not None)
        parameters["nodes"] = _numbered(nodes)
        return Query(text, columns, parameters, "neighbourhood facts")

    def types_of(self, terms: Terms, nodes: Sequence[str]) -> Query:
        text = self.render("neighbourhood/types.cypher.j2")
        given = {"nodes": _numbered(nodes)}
        return Query(text, ("i", "type"), given, "neighbourhood types")

    def _text(self, name: str, schema: Schema, **values: Any) -> str:
        return self.render(f"{name}.cypher.j2", hidden=bool(schema.left_out_labels), **values)


def _numbered(nodes: Sequence[str]) -> list[dict[str, Any]]:
    return [{"i": i, "id": id} for i, id in enumerate(nodes)]


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

"""The SPARQL 1.1 dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from isomatch.compile.base import Dialect
from isomatch.store.base import Query
from isomatch.store.terms import to_sparql


class SparqlDialect(Dialect):
    """SPARQL 1.1, as Oxigraph, Fuseki and Virtuoso speak it."""

    language = "sparql"

    def filters(self) -> dict[str, Callable[..., Any]]:
        """``term``: an id as a checked and escaped SPARQL term."""
        return {"term": to_sparql}

    def orient(self, triples: Sequence[tuple[str, str, str]]) -> Query:
        """See `Dialect.orient`."""
        text = self.render("orient.rq.j2", triples=triples)
        return Query(text, ("a", "r", "b"), name="orient")

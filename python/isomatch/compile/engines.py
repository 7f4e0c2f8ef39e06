"""SPARQL 1.1 as one engine or another wants it written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from isomatch.compile.base import Part
from isomatch.compile.sparql import SparqlDialect
from isomatch.store.base import Query


class RdflibDialect(SparqlDialect):
    """rdflib's own engine: ids of nodes are always parameters.

    It orders joins after parameters are bound, and reading a query text takes it
    longer than answering most, so texts should be few.
    """

    def match(self, part: Part, nodes: Mapping[int, str], limit: int) -> Query:
        """See `Dialect.match`."""
        text, columns = self._kept_text(part, limit)
        return Query(text, columns, {f"n{n}": id for n, id in nodes.items()}, "match")


_ENGINES = {"rdflib": RdflibDialect}


@cache
def dialect_for(engine: str) -> SparqlDialect:
    """The dialect of an engine by name; plain SPARQL 1.1 for one that is not known."""
    return _ENGINES.get(engine, SparqlDialect)()

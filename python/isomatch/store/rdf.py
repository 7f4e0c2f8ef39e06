"""What the stores of RDF share: templates, and the queries that need no plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from isomatch.store.base import Fact, MatchedTriple, Query, Store, Triple
from isomatch.store.templates import Templates
from isomatch.store.terms import (
    KIND_OF_DATATYPE,
    XSD,
    display_name,
    is_literal,
    literal,
    split_literal,
    to_sparql,
)

_CONSTANTS = {
    "number": r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?",
    "boolean": "true|false|0|1",
    "date": r"-?(?!000[01]\b)\d{4,}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?"
    r"(T[0-2]\d:[0-5]\d:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?",
}


def is_odd(id: str) -> bool:
    """Whether Virtuoso 7 fails on a literal in a query, or does not find it.

    It keeps ill-typed ones (``"x"^^xsd:decimal``), times, durations and NaN, and writes the
    year before year 1 as 0000, which it cannot read. They are found by how they are written.
    """
    if not is_literal(id):
        return False
    value, datatype, _ = split_literal(id)
    kind = KIND_OF_DATATYPE.get(datatype, "other")
    if kind in _CONSTANTS:
        return re.fullmatch(_CONSTANTS[kind], value) is None
    return kind == "other" and datatype.startswith(XSD)


def _reference(ref: tuple[str, str]) -> str:
    """How a query writes ("var", name) or ("id", id)."""
    kind, name = ref
    return f"?{name}" if kind == "var" else to_sparql(name)


_FILTERS: dict[str, Callable[..., str]] = {
    "term": to_sparql,
    "ref": _reference,
    "lexical": lambda id: to_sparql(literal(split_literal(id)[0])),
    "datatype": lambda id: to_sparql(split_literal(id)[1]),
}
SPARQL = Templates(
    "sparql", filters=_FILTERS, tests={"literal": is_literal, "odd": lambda id: False}
)
VIRTUOSO = Templates(
    *("sparql/virtuoso", "sparql"), filters=_FILTERS, tests={"literal": is_literal, "odd": is_odd}
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


def store_query(
    name: str, columns: tuple[str, ...], templates: Templates = SPARQL, **values: object
) -> Query:
    """A query of the templates of ``store``, in SPARQL 1.1 if no other are given."""
    return Query(templates.render(f"store/{name}.rq.j2", **values), columns, name=name)


class RdfStore(Store):
    """A store that is asked in SPARQL."""

    @property
    def templates(self) -> Templates:
        return templates_of(self.capabilities.engine)

    def facts(self, triples: Sequence[MatchedTriple]) -> list[tuple[Fact, ...]]:
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
        rows = self.run(incidence_query(nodes, relations, self.templates), timeout=timeout)
        return {
            (nodes[int(display_name(number))], side + relation)
            for number, relation, out, into in rows
            for side, has in (("+", out), ("-", into))
            if number and relation and "true" in (has or "")
        }

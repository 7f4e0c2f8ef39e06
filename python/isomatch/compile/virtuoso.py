"""The SPARQL dialect of Virtuoso."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from isomatch.compile.base import Branch, Part
from isomatch.compile.sparql import SparqlDialect, _body
from isomatch.schema.types import LITERAL
from isomatch.store.base import Query
from isomatch.store.rdf import VIRTUOSO, is_odd
from isomatch.store.terms import is_literal, literal_kind, split_literal

_AS_AN_EDGE = 20  # subclasses that take as long to compile as an edge


class VirtuosoDialect(SparqlDialect):
    """Virtuoso 7, tried with 7.2.5; what it wants otherwise is said in its templates."""

    templates = VIRTUOSO
    # A text of 40 fails: "SQ156: Query too large, variables in state over the limit".
    most_edges = 16
    narrows = False  # it compares texts with numbers, and finds years in them

    def together(self, branches: Sequence[Branch]) -> int:
        """See `Dialect.together`; compiling takes it some 10 ms for each edge.

        And for some twenty subclasses of a type, of which the first branch may have most.
        """
        part = branches[0][0]
        below = sum(len(part.terms.subclasses.get(type or "", ())) for type in part.types)
        size = len(part.structure.order) + below // _AS_AN_EDGE
        return max(1, self.most_edges // max(1, size))

    def _asked(self, branches: Sequence[Branch]) -> list[dict[str, Any]]:
        """Known nodes are constants; none about what no graph has, which costs it the most."""
        return [
            {
                "number": number,
                "known": {f"n{n}" for n in nodes},
                "bound": (),
                "body": self.render("part.j2", p=_known_body(part, nodes)),
            }
            for number, (part, nodes) in enumerate(branches)
            if _can_be(part, nodes)
        ]

    def count(self, part: Part, nodes: Mapping[int, str], node: int) -> Query | None:
        """None: it changes some literals, and may end a query early without saying so."""
        return None


def _known_body(part: Part, nodes: Mapping[int, str]) -> dict[str, Any]:
    """The body with known nodes as constants; odd literals are variables with conditions."""
    odd = {n: id for n, id in nodes.items() if is_odd(id)}
    body = _body(part, known={n: id for n, id in nodes.items() if n not in odd})
    body["odd"] = [(("var", f"n{n}"), id) for n, id in odd.items()]
    # As with a value of unknown kind, of two directions the possible one is asked about.
    body["types"] += [
        {"node": ref, "type": ("id", ""), "datatypes": (split_literal(id)[1],), "start": False}
        for ref, id in body["odd"]
    ]
    return body


def _is_kind(type: str | None) -> bool:
    """Whether a type is a kind of literals, which is a condition and no value."""
    return type is not None and type.startswith(LITERAL)


def _can_be(part: Part, nodes: Mapping[int, str]) -> bool:
    """Whether the ids of nodes may be where they are: literals are targets, of no class."""
    structure = part.structure
    if any(a in nodes and nodes[a] == nodes.get(b) for a, b in structure.apart):
        return False
    literals = {n: f"literal:{literal_kind(id)}" for n, id in nodes.items() if is_literal(id)}
    values = {*literals, *(n for n in structure.used if _is_kind(part.types[n]))}
    for edge in structure.order:
        source, target = structure.edges[edge]
        if source in values and (structure.directed[edge] or target in values):
            return False
    return all(
        part.types[n] in (None, literals[n]) if n in literals else not _is_kind(part.types[n])
        for n in nodes
    )

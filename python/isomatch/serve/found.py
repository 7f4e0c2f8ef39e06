"""What a search found, as columns of RDF terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast
from urllib.parse import quote

from rdflib.namespace import XSD
from rdflib.term import Identifier, Literal, URIRef

from isomatch.match.types import Bound, Interpretation, MatchResult
from isomatch.output.words import is_near
from isomatch.phrasing import choices_words
from isomatch.serve.vocabulary import NODE, NS
from isomatch.store.rdflib_terms import to_term
from isomatch.store.terms import is_blank, is_iri, is_literal


@dataclass(frozen=True, slots=True)
class Found:
    """The matches of a search, best interpretation first.

    Attributes:
        nodes: ids of the pattern's nodes.
        answers: positions in ``nodes`` of those that are asked for.
        readings: for each interpretation the columns that its matches share, and
            for each match its graph elements, as ``nodes``.
        size: how many matches there are.
    """

    nodes: tuple[str, ...]
    answers: tuple[int, ...]
    hypotheses: tuple[tuple[Mapping[str, Identifier], tuple[tuple[Bound, ...], ...]], ...]
    size: int

    @classmethod
    def of(cls, result: MatchResult) -> Found:
        """The result of a search without what the service does not give."""
        nodes = tuple(node.id for node in result.pattern.nodes)
        proven = {
            "exact": Literal(result.certificate.exact),
            "complete": Literal(result.certificate.complete),
        }
        hypotheses = tuple(
            (
                {**proven, **_shared(interpretation)},
                tuple(
                    tuple(match.bindings[id] for id in nodes) for match in interpretation.matches
                ),
            )
            for interpretation in result.interpretations
        )
        answers = tuple(nodes.index(id) for id in result.pattern.answers)
        return cls(nodes, answers, hypotheses, sum(len(matches) for _, matches in hypotheses))

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Identifier, ...]]:
        """The distinct rows of some columns, in order.

        Args:
            columns: as `isomatch.serve.groups.Group` has them.
        """
        seen = set()
        # A question may ask for several nodes: each is an answer of its own.
        each = self.answers if "answer" in columns else (0,)
        for shared, matches in self.hypotheses:
            for bounds in matches:
                for answer in each:
                    row = tuple(self._term(c, shared, bounds, answer) for c in columns)
                    if row not in seen:
                        seen.add(row)
                        yield row

    def _term(
        self, column: str, shared: Mapping[str, Identifier], bounds: Sequence[Bound], answer: int
    ) -> Identifier:
        if column in shared:
            return shared[column]
        if column == "answer":
            return term_of(bounds[answer].id)
        bound = bounds[self.nodes.index(column.partition("-")[2])]
        return term_of(bound.id) if column.startswith(NODE) else Literal(bound.name)


def _shared(interpretation: Interpretation) -> dict[str, Identifier]:
    return {
        "gsd": Literal(repr(float(interpretation.gsd)), datatype=XSD.double),
        "rank": Literal(interpretation.rank),
        "reading": Literal(choices_words(interpretation.choices)),
        "near": Literal(is_near(interpretation)),
    }


@lru_cache(maxsize=65536)
def term_of(id: str) -> Identifier:
    """The RDF term of a graph element; the id of a property graph's node becomes an IRI.

    Example:
        >>> term_of("4:f00:12").n3(), term_of('"01"^^<urn:t>').n3()
        ('<urn:isomatch:element:4:f00:12>', '"01"^^<urn:t>')
    """
    if is_literal(id) or is_blank(id) or (is_iri(id) and id[0].isalpha()):
        return cast(Identifier, to_term(id))
    return URIRef(f"{NS}element:{quote(id, safe=':-._~')}")

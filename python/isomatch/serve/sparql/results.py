"""Results of a search as columns of RDF terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pyoxigraph as ox

from isomatch.match.types import Bound, Interpretation, MatchResult
from isomatch.phrasing import reading_words
from isomatch.serve.sparql.vocabulary import NODE
from isomatch.store.cells import cell_term
from isomatch.store.terms import XSD, element_iri, is_blank, is_iri, is_literal

Value = ox.NamedNode | ox.BlankNode | ox.Literal
_DATE_TIME = ox.NamedNode(XSD + "dateTime")
_DOUBLE = ox.NamedNode(XSD + "double")


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The matches of a search, best interpretation first.

    Attributes:
        nodes: ids of the pattern's nodes.
        answers: positions in ``nodes`` of those that are asked for.
        interpretations: for each, the columns that its matches share, and for each match
            its graph elements, as ``nodes``.
        size: number of matches.
        holds: see `MatchResult.holds`.
        proven: columns of the whole result.
    """

    nodes: tuple[str, ...]
    answers: tuple[int, ...]
    interpretations: tuple[tuple[Mapping[str, Value], tuple[tuple[Bound, ...], ...]], ...]
    size: int
    holds: bool | None
    proven: Mapping[str, Value]

    @classmethod
    def of(cls, result: MatchResult) -> SearchResults:
        """The part of a search's result that the service gives."""
        nodes = tuple(node.id for node in result.pattern.nodes)
        proven: dict[str, Value] = {
            "exact": ox.Literal(result.certificate.exact),
            "complete": ox.Literal(result.certificate.complete),
            "as_of": ox.Literal(result.certificate.as_of, datatype=_DATE_TIME),
        }
        if (holds := result.holds) is not None:
            proven["holds"] = ox.Literal(holds)
        interpretations = tuple(
            (
                {**proven, **_shared_columns(interpretation)},
                tuple(
                    tuple(match.bindings[id] for id in nodes) for match in interpretation.matches
                ),
            )
            for interpretation in result.interpretations
        )
        answers = tuple(nodes.index(id) for id in result.pattern.answers)
        size = sum(len(matches) for _, matches in interpretations)
        return cls(nodes, answers, interpretations, size, holds, proven)

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Value, ...]]:
        """The distinct rows of some columns, in order.

        Args:
            columns: as `isomatch.serve.sparql.search_groups.SearchGroup` has them.
        """
        if "holds" in columns and not self.holds:  # "no" has a row, of what it has without a match
            if self.holds is False and all(column in self.proven for column in columns):
                yield tuple(self.proven[column] for column in columns)
            return
        seen = set()
        # A question may ask for several nodes: each is an answer of its own.
        answers = self.answers if "answer" in columns else (0,)
        for shared, matches in self.interpretations:
            for bounds in matches:
                for answer in answers:
                    row = tuple(self._term(c, shared, bounds, answer) for c in columns)
                    if row not in seen:
                        seen.add(row)
                        yield row

    def _term(
        self, column: str, shared: Mapping[str, Value], bounds: Sequence[Bound], answer: int
    ) -> Value:
        if column in shared:
            return shared[column]
        if column == "answer":
            return term_of(bounds[answer].id)
        bound = bounds[self.nodes.index(column.partition("-")[2])]
        return term_of(bound.id) if column.startswith(NODE) else ox.Literal(bound.name)


def _shared_columns(interpretation: Interpretation) -> dict[str, Value]:
    return {
        "gsd": ox.Literal(repr(float(interpretation.gsd)), datatype=_DOUBLE),
        "rank": ox.Literal(interpretation.rank),
        "reading": ox.Literal(reading_words(interpretation)),
        "near": ox.Literal(interpretation.near),
    }


@lru_cache(maxsize=65536)
def term_of(id: str) -> Value:
    """The RDF term of a graph element; an id that is no term of RDF becomes an IRI.

    Example:
        >>> str(term_of("4:f00:12")), str(term_of('"01"^^<urn:t>'))
        ('<urn:isomatch:element:4:f00:12>', '"01"^^<urn:t>')
    """
    try:
        if is_literal(id) or is_blank(id) or (is_iri(id) and id[0].isalpha()):
            return cell_term(id)
    except ValueError:  # databases also keep what is not well-formed
        pass
    return ox.NamedNode(element_iri(id))

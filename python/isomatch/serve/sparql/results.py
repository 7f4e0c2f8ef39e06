"""Results of a search as columns of RDF terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pyoxigraph as ox

from isomatch.match.types import Bound, Interpretation, MatchResult
from isomatch.phrasing import reading_words
from isomatch.serve.errors import RequestError
from isomatch.serve.sparql.vocabulary import NODE
from isomatch.store.cells import cell_term
from isomatch.store.terms import XSD, element_iri, is_blank, is_iri, is_literal

JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
_FORMATS = {
    JSON: ox.QueryResultsFormat.JSON,
    XML: ox.QueryResultsFormat.XML,
    CSV: ox.QueryResultsFormat.CSV,
    TSV: ox.QueryResultsFormat.TSV,
}
# The format of each media type that may be asked for, in order of preference.
RESULTS = {
    **{media: media for media in _FORMATS},
    **{"application/json": JSON, "application/xml": XML, "text/xml": XML},
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def negotiate(accept: str | None, offered: Sequence[str]) -> str:
    """The media type to send.

    Args:
        accept: the header; None or empty for anything.
        offered: in order of preference, which decides between equals.

    Raises:
        RequestError: 406, nothing that is offered is accepted.

    Example:
        >>> negotiate("text/csv;q=0.5, application/*;q=0.2", ["application/xml", "text/csv"])
        'text/csv'
    """
    ranges = [_range(part) for part in (accept or "*/*").split(",") if part.strip()]

    def quality(media: str) -> float:
        fitting = [
            (specific, q)
            for wanted, q in ranges
            for specific, form in enumerate(("*/*", media.split("/")[0] + "/*", media))
            if wanted == form
        ]
        return max(fitting)[1] if fitting else 0.0

    best = max(offered, key=quality)  # the first one of the best
    if quality(best) <= 0:
        raise RequestError(
            406, f"nothing of {accept} can be had here; there are {', '.join(offered)}"
        )
    return best


def _range(part: str) -> tuple[str, float]:
    media, *parameters = (piece.strip().lower() for piece in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return media, min(max(float(value), 0.0), 1.0)
            except ValueError:
                return media, 0.0
    return media, 1.0


def write(result: bytes, accept: str | None) -> tuple[bytes, str]:
    """The body of a result and its media type.

    Args:
        result: in JSON, as `isomatch.serve.sparql.evaluate.answer` gives it.
        accept: the header.

    Raises:
        RequestError: 406, no accepted format takes the result: CSV and TSV have no form
            for ASK, and XML none for control characters.
    """
    parsed = ox.parse_query_results(result, format=ox.QueryResultsFormat.JSON)
    is_ask = isinstance(parsed, ox.QueryBoolean)
    offered = [media for media in RESULTS if not is_ask or RESULTS[media] in (JSON, XML)]
    media = negotiate(accept, offered)
    form = RESULTS[media]
    body = result if form == JSON else parsed.serialize(format=_FORMATS[form]) or b""
    if form == XML:
        if _NOT_IN_XML.search(body.decode()):
            raise RequestError(
                406,
                "a value of the result has a control character, which XML has not: ask for JSON",
            )
        body = body.replace(b"\r", b"&#13;")  # a parser of XML would read a line feed
    return body, media if media.startswith("application/") else f"{media}; charset=utf-8"


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

"""Content negotiation, and results as JSON, XML, CSV and TSV."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyoxigraph as ox

from isomatch.serve.errors import RequestError

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

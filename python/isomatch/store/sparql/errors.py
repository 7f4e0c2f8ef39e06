"""What an endpoint answers in place of results, as an error that says what to do."""

from __future__ import annotations

import html
import re

from isomatch.errors import NotAllowed, QueryRefused, QueryTimeout, StoreError
from isomatch.retry import retry_after as seconds_of

NO_ENDPOINT = "Is this the address of the endpoint? It often ends in /sparql"

_MOST_WORDS = 400
_TIMEOUT = re.compile(
    r"time[ds]?[ -]?out|took too long|estimated execution time|time limit|deadline exceeded",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"too (?:long|large)|too many lines|exceeds? the (?:limit|maximum)", re.I)


class TemporaryError(StoreError):
    """The endpoint did not answer this time; it may the next. Private to the store.

    Attributes:
        after: seconds that it asks to wait; None where it does not say.
    """

    def __init__(self, message: str, after: float | None = None):
        super().__init__(message)
        self.after = after


class TooLong(QueryRefused):
    """The query is longer than the endpoint takes."""


def refused(
    status: int, content_type: str, body: bytes, where: str, query: str, retry_after: str | None
) -> StoreError:
    """The error for an answer with a status of failure."""
    if b'"bindings"' in body:
        return QueryTimeout(f"{where} broke off its answer to the query {query!r} ({status})")
    message = words(body, content_type)
    detail = f": {message}" if message else ""
    if status in (401, 403, 407):
        return NotAllowed(
            f"{where} does not let us in ({status}{detail}). Set ISOMATCH_ENDPOINT_USERNAME and "
            "ISOMATCH_ENDPOINT_PASSWORD, or ISOMATCH_ENDPOINT_TOKEN"
        )
    if status in (408, 504) or (status >= 400 and _TIMEOUT.search(message)):
        return QueryTimeout(f"{where} ran out of time for the query {query!r} ({status}{detail})")
    if status in (429, 502, 503):
        return TemporaryError(f"{where} is too busy ({status}{detail})", seconds_of(retry_after))
    if status in (413, 414, 431) or (status == 400 and _TOO_LONG.search(message)):
        return TooLong(f"{where} does not take a query as long as {query!r} ({status}{detail})")
    if status in (404, 410):
        return StoreError(f"{where} has no endpoint there ({status}{detail}). {NO_ENDPOINT}")
    return QueryRefused(f"{where} refused the query {query!r} ({status}{detail})")


def tells_timeout(text: str) -> bool:
    """Whether words of a server tell of a time-out."""
    return _TIMEOUT.search(text) is not None


def words(body: bytes, content_type: str = "") -> str:
    """What a body says to people, on one line: without markup, stack or query.

    Example:
        >>> words(b"<html><title>503</title><body><h1>Down</h1> for a day</body>", "text/html")
        '503 Down for a day'
    """
    text = body.decode("utf-8", "replace")
    if "html" in content_type.lower() or text.lstrip()[:1] == "<":
        text = re.sub(r"(?is)<(script|style)\b.*?(</\1>|$)|<!--.*?-->", " ", text)
        text = html.unescape(re.sub(r"<[^>]*(>|$)", " ", text))
    elif found := re.search(
        r'"(?:message|exception|error|detail|reason)"\s*:\s*"((?:[^"\\]|\\.)*)', text
    ):
        text = found[1].replace('\\"', '"').replace("\\n", "\n")
    # A stack trace says nothing to people, and the query is ours.
    text = re.split(r"\n\s*at [\w.$]+\(|\n\s*SPARQL query:", text)[0]
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= _MOST_WORDS else text[:_MOST_WORDS].rstrip() + " …"

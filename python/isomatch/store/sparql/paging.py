"""An answer beyond a limit of rows, put together of pages.

Endpoints cut answers without a word: Virtuoso at 10,000 rows where nobody changed that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from isomatch.errors import StoreError
from isomatch.store.base import Query, Row
from isomatch.store.terms import is_blank

# Engines whose names of blank nodes stay the same from one answer to the next.
STABLE_BLANKS = frozenset({"oxigraph", "virtuoso", "graphdb", "blazegraph", "rdflib"})

# DEFINE is Virtuoso's: a name, and a text, an IRI or a number.
_PROLOGUE = re.compile(
    r"""(?:\s+|\#[^\n]*(?:\n|$)
        |PREFIX\s*[^\s:<]*:\s*<[^<>]*>
        |BASE\s*<[^<>]*>
        |DEFINE\s+[^\s:]+:\S+\s+(?:"[^"\n]*"|'[^'\n]*'|<[^<>]*>|\d+)
    )*""",
    re.IGNORECASE | re.VERBOSE,
)
_LIMIT = re.compile(r"\bLIMIT\s+(\d+)\s*$", re.IGNORECASE)
_ORDERED = re.compile(r"\b(?:ORDER\s+BY|OFFSET)\b[^{}]*$", re.IGNORECASE)


def limit_of(text: str) -> int | None:
    """The number of rows that a query itself asks for at most."""
    found = _LIMIT.search(text)
    return int(found[1]) if found else None


def counting(text: str) -> dict[str, Any]:
    """What the template ``count`` needs: how many rows does a query have?"""
    prologue, body = _split(text)
    return {"prologue": prologue, "body": body}


def paged(
    query: Query,
    text: str,
    page: int,
    ask: Callable[[dict[str, Any]], list[Row]],
    stable: bool,
    written: Callable[[dict[str, Any]], int],
) -> list[Row]:
    """All rows of a query, each once: pages of an ordered whole, until one is empty.

    That no row comes twice proves that none was left out: the pages are of distinct
    rows, so one that the server moved to another page has pushed out another. But a server
    may write two terms alike (Virtuoso the years -0001 and 0000). So where a row comes
    twice, those that are written otherwise are counted.

    Args:
        query: for its columns.
        text: as it is sent.
        page: rows that the endpoint was seen to give at once.
        ask: the rows of a page, by the values of the template ``page``.
        stable: whether names of blank nodes hold for more than one answer.
        written: how many rows there are that are written otherwise, by the values of the
            template ``written``.

    Raises:
        StoreError: the pages do not fit together.
    """
    prologue, body = _split(text)
    most = None
    own = _LIMIT.search(body)
    if own and not _ORDERED.search(body[: own.start()]):
        # Else any rows that fit in would be those that are put in order.
        most, body = int(own[1]), body[: own.start()]
    found: dict[Row, None] = {}
    values = {"prologue": prologue, "body": body, "variables": query.columns, "limit": page}
    came = 0
    while most is None or len(found) < most:
        rows = ask({**values, "offset": came})
        before = len(found)
        found.update(dict.fromkeys(rows))
        if len(found) == before:  # the end, or a server that begins anew
            if (rows or came != before) and written(values) != before:
                raise StoreError(
                    f"the rows of the query {query.name!r} do not keep their order from one page "
                    "to the next, so some would be lost: the data is being changed, or the "
                    "endpoint orders it anew each time. Try again, or ask for fewer rows"
                )
            break
        came += len(rows)
        if not stable and any(cell is not None and is_blank(cell) for row in rows for cell in row):
            raise StoreError(
                f"the query {query.name!r} has more rows than the endpoint gives at once, and "
                "blank nodes among them, whose names hold for one answer only. Raise its "
                "limit of rows, or ask for fewer"
            )
    return list(found)[:most]


def _split(text: str) -> tuple[str, str]:
    """(prologue, the rest) of a query."""
    found = _PROLOGUE.match(text)
    end = found.end() if found else 0
    return text[:end].strip(), text[end:].strip()

"""A query that goes along with another one, in one request.

A small query over HTTP costs its sender more than its engine. The two become branches of a
`UNION`, each a sub-select with its own limit and columns.
"""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.store.base import Query, Row
from isomatch.store.rdf import store_query

_NUMBER = "of"  # bound in the rows of the query that went along


class Along:
    """A query that waits for another one to go with.

    Attributes:
        query: what is to be asked.
        rows: its answer; None until there is one.
    """

    def __init__(self, query: Query):
        self.query = query
        self.rows: list[Row] | None = None

    def joined(self, other: Query, longest: int) -> Query | None:
        """Both queries as one; None where they cannot be.

        Args:
            longest: characters that a query may have.
        """
        both = (other, self.query)
        if len(other.text) + len(self.query.text) > longest or other.names_graphs:
            return None
        if not all(_is_plain(query) for query in both):
            return None
        columns = (*other.columns, *self.query.columns)
        if len(set(columns)) < len(columns):  # one may be computed, and so be read otherwise
            return None
        first, second = (query.text.strip() for query in both)
        joined = store_query(
            "along", (_NUMBER, *columns), names=columns, first=first, second=second
        )
        return Query(joined.text, joined.columns, name=other.name, heavy=other.heavy)

    def split(self, other: Query, joined: Query, rows: Sequence[Row]) -> list[Row] | None:
        """Keep the own rows of an answer; those of the other query, None if they are not told."""
        if any(row[0] not in (None, "1") for row in rows):
            return None
        place = {name: number for number, name in enumerate(joined.columns)}
        ours = [place[name] for name in self.query.columns]
        theirs = [place[name] for name in other.columns]
        self.rows = [tuple([row[i] for i in ours]) for row in rows if row[0] == "1"]
        return [tuple([row[i] for i in theirs]) for row in rows if row[0] is None]


def _is_plain(query: Query) -> bool:
    """Whether a query can be a sub-select as it is: one without parameters and prefixes."""
    return (
        not query.parameters
        and bool(query.columns)
        and _NUMBER not in query.columns
        and query.text.lstrip().startswith("SELECT ")
    )

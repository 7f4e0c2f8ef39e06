"""Which facts an endpoint stores, asked in queries that it takes, blank nodes too.

No query of SPARQL can name a blank node. Where names of blank nodes hold for more than
one answer (`isomatch.store.sparql.paging.STABLE_BLANKS`), a fact with one is found by its name
in the answer. Elsewhere it is taken to run the way in which its other node has such a
fact with any blank node. A fact of two blank nodes cannot be found.

A query that goes along with another one, in one request.

A small query over HTTP costs its sender more than its engine. The two become branches of a
`UNION`, each a sub-select with its own limit and columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from isomatch.store.base import Query, Row, Triple
from isomatch.store.profile import Profile, in_blocks
from isomatch.store.rdf import store_query, templates_of
from isomatch.store.sparql.paging import STABLE_BLANKS
from isomatch.store.terms import display_name, to_sparql

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


Run = Callable[[Query], Iterator[Row]]

_PARTS = 100  # triples that Virtuoso is asked about at once


def stored(run: Run, profile: Profile, asked: Sequence[Triple]) -> set[Triple]:
    """Those of some triples that the endpoint stores in that direction."""
    blank = {way for way in asked if not (_has_name(way[0]) and _has_name(way[2]))}
    return _stored(run, profile, [way for way in asked if way not in blank]) | _stored_blank(
        run, profile, [way for way in asked if way in blank]
    )


def _stored(run: Run, profile: Profile, asked: Sequence[Triple]) -> set[Triple]:
    """Those of some triples that are stored."""
    found: set[Triple] = set()
    union = profile.engine == "virtuoso"
    # The time for so many parts of a query grows with their square.
    most = _PARTS if union else len(asked) or 1
    for start in range(0, len(asked), most):
        for some in in_blocks(profile, asked[start : start + most]):
            templates = templates_of(profile.engine)
            query = store_query("stored", ("i",), templates, triples=some, union=union)
            found |= {some[int(display_name(str(number)))] for (number,) in run(query)}
    return found


def _stored_blank(run: Run, profile: Profile, asked: Sequence[Triple]) -> set[Triple]:
    """Those of some triples with one blank node that are stored, as far as can be told."""
    found: set[Triple] = set()
    stable = profile.engine in STABLE_BLANKS
    for end in (0, 2):  # where the node with a name is
        ways = [way for way in asked if _has_name(way[end])]
        pairs = list(dict.fromkeys((way[end], way[1]) for way in ways))
        for some in in_blocks(profile, pairs):
            query = store_query("blank", ("n", "r", "x"), pairs=some, out=end == 0)
            rows = set(run(query))
            known = {row[:2] for row in rows}
            for way in ways:
                row = (way[end], way[1], way[2 - end])
                if row in rows if stable else row[:2] in known:
                    found.add(way)
    return found


def _has_name(id: str) -> bool:
    """Whether a query can name a node."""
    try:
        to_sparql(id)
    except ValueError:
        return False
    return True

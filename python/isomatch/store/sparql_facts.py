"""Which facts an endpoint stores, asked in queries that it takes, blank nodes too.

No query of SPARQL can name a blank node. Where names of blank nodes hold for more than
one answer (`isomatch.store.paging.STABLE_BLANKS`), a fact with one is found by its name
in the answer. Elsewhere it is taken to run the way in which its other node has such a
fact with any blank node. A fact of two blank nodes cannot be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from isomatch.store.base import Triple
from isomatch.store.paging import STABLE_BLANKS
from isomatch.store.profile import Profile
from isomatch.store.terms import display_name, to_sparql

if TYPE_CHECKING:
    from isomatch.store.sparql import SparqlStore

AnyRow = TypeVar("AnyRow", bound=tuple[str, ...])

_PARTS = 100  # triples that Virtuoso is asked about at once
_AROUND = 400  # characters of a query around its lists of ids, at most
_BETWEEN = 4  # around an id


def stored(store: SparqlStore, asked: Sequence[Triple]) -> set[Triple]:
    """See `isomatch.store.base.Store.stored`."""
    blank = {way for way in asked if not (_has_name(way[0]) and _has_name(way[2]))}
    return _stored(store, [way for way in asked if way not in blank]) | _stored_blank(
        store, [way for way in asked if way in blank]
    )


def in_blocks(
    profile: Profile, rows: Sequence[AnyRow], *, share: int = 1
) -> Iterator[list[AnyRow]]:
    """Lists of rows of ids, such that a query may list all of one.

    Args:
        share: how many such lists a query holds.
    """
    ids, characters = profile.values_block // share, profile.longest_query // share
    block: list[AnyRow] = []
    length = _AROUND
    for row in rows:
        size = sum(map(len, row)) + _BETWEEN * len(row)
        if block and (len(row) * (len(block) + 1) > ids or length + size > characters):
            yield block
            block, length = [], _AROUND
        block.append(row)
        length += size
    if block:
        yield block


def _stored(store: SparqlStore, asked: Sequence[Triple]) -> set[Triple]:
    """Those of some triples that are stored."""
    found: set[Triple] = set()
    union = store.profile.engine == "virtuoso"
    # The time for so many parts of a query grows with their square.
    most = _PARTS if union else len(asked) or 1
    for start in range(0, len(asked), most):
        for some in in_blocks(store.profile, asked[start : start + most]):
            query = store.template("stored", ("i",), triples=some, union=union)
            found |= {some[int(display_name(str(number)))] for (number,) in store.run(query)}
    return found


def _stored_blank(store: SparqlStore, asked: Sequence[Triple]) -> set[Triple]:
    """Those of some triples with one blank node that are stored, as far as can be told."""
    found: set[Triple] = set()
    stable = store.profile.engine in STABLE_BLANKS
    for end in (0, 2):  # where the node with a name is
        ways = [way for way in asked if _has_name(way[end])]
        pairs = list(dict.fromkeys((way[end], way[1]) for way in ways))
        for some in in_blocks(store.profile, pairs):
            query = store.template("blank", ("n", "r", "x"), pairs=some, out=end == 0)
            rows = set(store.run(query))
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

"""Gold queries that order texts by their letters, where ``9/08/2017`` is later than ``10/08/2017``.

Dates and numbers of imported CSV files are mostly texts, and so Cypher orders them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from isomatch.compile.base import Terms
from isomatch.match.conditions import meaning_of
from isomatch.match.notations import (
    AnyNotation,
    Declared,
    as_read,
    notation_of,
    sample_query,
)
from isomatch.store.terms import literal

if TYPE_CHECKING:
    from isomatch.resources import Resources
    from isomatch.schema.types import Relation, Schema

_PROPERTY = re.compile(r"[\s(]*\w+\.(?:`(?P<quoted>[^`]+)`|(?P<plain>\w+))[\s)]*")


def of_texts(schema: Schema, key: str) -> Relation | None:
    """The property that orders rows, if its texts are dates or numbers.

    Args:
        key: the expression of the order in Cypher, such as ``c.date``.
    """
    found = _PROPERTY.fullmatch(key)
    relation = schema.by_id.get(f".{found['quoted'] or found['plain']}" if found else "")
    return relation if relation is not None and relation.texts in ("date", "number") else None


def misordered(
    resources: Resources, relation: Relation, descending: bool, cells: Sequence[str | None]
) -> str:
    """What the values of an order are, if the query takes another one for the first by letters.

    Args:
        resources: of the graph that was asked.
        relation: see `of_texts`.
        cells: its values, in the order of the query's rows.

    Returns:
        ``date`` or ``number``; empty where the first one is the first by its meaning too.
    """
    notation: AnyNotation | None = None
    if relation.texts == "date":
        how = partial(_notation, resources, relation)
        notation = resources.derived(f"notation of {relation.id}", how)
    value = partial(_value, notation=notation, dated=relation.texts == "date")
    values = [value(cell) for cell in cells if cell is not None]
    known = [one for one in values if one is not None]
    if not known or cells[0] is None or values[0] is None:
        return ""
    first = max(known) if descending else min(known)
    return "" if values[0] == first else relation.texts


def _notation(resources: Resources, relation: Relation) -> AnyNotation | None:
    """How the texts of a relation are read as dates, as in a search."""
    if relation.id in resources.dates:
        return Declared((resources.dates[relation.id],))
    query = sample_query(resources.store, Terms.of(resources.schema), relation.id)
    return notation_of(id for _, id in resources.store.run(query) if id is not None)


def _value(cell: str, notation: AnyNotation | None, *, dated: bool) -> Any:
    """What a text is ordered by: a date's beginning and end, or a number; None for others."""
    meaning = meaning_of(as_read(literal(cell), notation))
    if not dated:
        return meaning.number  # of "2006" too, which may be a year
    return (meaning.period.start, meaning.period.end) if meaning.period is not None else None

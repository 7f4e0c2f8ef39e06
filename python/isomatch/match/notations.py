"""Texts that are dates in another notation, such as ``29/08/2017``, found relation by relation.

Whether the day or the month comes first is told by values of which one of the two is no month.
Where no value of the relation tells it, or some tell otherwise, its texts stay texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from isomatch.compile.dialects import dialect_of
from isomatch.match.conditions import TEXT_OPERATORS, meaning_of, period
from isomatch.pattern.types import Condition, Pattern
from isomatch.store.terms import XSD, is_literal, literal, literal_kind, split_literal

if TYPE_CHECKING:
    from isomatch.compile.base import Part, Terms
    from isomatch.store.base import Query, Row, Store

SAMPLE = 1000  # values of a relation that are looked at

_NOTATION = re.compile(r"\s*([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})\s*")
_LAST_MONTH = 12

Sample = Callable[[str], Iterable[str]]
"""Some values of a relation, as ids."""


@dataclass(frozen=True, slots=True)
class Notation:
    """How the texts of a relation are read.

    Attributes:
        day_first: whether ``01/02/2017`` is in February; None where nobody can tell.
        example: one of them.
    """

    day_first: bool | None
    example: str

    def words(self, relation: str) -> str:
        """How the texts of a relation are read, in words."""
        named = f'texts of "{relation}" such as {self.example}'
        if self.day_first is None:
            return f"{named} may begin with the day or the month: they are not read as dates"
        first = "day, month" if self.day_first else "month, day"
        return f"{named} are read as {first}, year"


def notation_of(ids: Iterable[str]) -> Notation | None:
    """The notation that values tell together; None where they have none."""
    example, firsts = "", set[bool]()
    for id in ids:
        if (match := _match(id)) is None:
            continue
        example = example or match[0].strip()
        first, second = int(match[1]), int(match[3])
        if first > _LAST_MONTH or second > _LAST_MONTH:
            firsts.add(first > _LAST_MONTH)
            example = match[0].strip()
    if not example:
        return None
    return Notation(next(iter(firsts)) if len(firsts) == 1 else None, example)


def as_read(id: str, notation: Notation | None) -> str:
    """A text as the date that it is in a notation, else as it is.

    Example:
        >>> as_read('"29/08/2017"', Notation(True, "29/08/2017"))
        '"2017-08-29"^^<http://www.w3.org/2001/XMLSchema#date>'
    """
    if notation is None or notation.day_first is None or (match := _match(id)) is None:
        return id
    day, month = (match[1], match[3]) if notation.day_first else (match[3], match[1])
    iso = f"{match[4]}-{int(month):02}-{int(day):02}"
    return id if period(iso) is None else literal(iso, datatype=XSD + "date")


def with_dates(condition: Condition, notation: Notation | None) -> Condition | None:
    """The condition whose constants are dates; None where one is not, or letters are compared."""
    if notation is None or condition.operator in TEXT_OPERATORS:
        return None
    read = [as_read(literal(text), notation) for text in condition.values]
    if any(meaning_of(id).period is None for id in read):
        return None
    return replace(condition, values=tuple(split_literal(id)[0] for id in read))


def sample_query(store: Store, terms: Terms, relation: str) -> Query:
    """The query for some values of a relation: rows of a node and a value."""
    edges = [("x", relation, "v")]
    return dialect_of(store).places(terms, edges, ["x"], ["v"], {}, SAMPLE)


class Notations:
    """The notations of the values that a pattern compares, orders or works with.

    Args:
        pattern: has conditions and an order.
        sample: gives values of a relation.
    """

    def __init__(self, pattern: Pattern, sample: Sample):
        self._pattern = pattern
        self._sample = sample
        self._sampled: dict[str, list[str]] = {}
        self._nodes = _compared(pattern)
        self._found: dict[str, Notation] = {}

    def of(self, part: Part, used: Sequence[int], rows: Sequence[Row]) -> Mapping[int, Notation]:
        """By column of the rows of an interpretation, its notation.

        Args:
            used: numbers of the nodes that are the columns, in order.
        """
        found: dict[int, Notation] = {}
        for node in self._nodes:
            column = used.index(node)
            ids = list(dict.fromkeys(row[column] or "" for row in rows))
            if any(_match(id) for id in ids) and (notation := self._known(part, node, ids)):
                found[column] = notation
        return found

    def sampled(self, part: Part) -> Iterator[str]:
        """How texts are read by what is sampled alone, in words."""
        for node in self._nodes:
            self._known(part, node, ())
        yield from self.notes(part)

    def notes(self, part: Part | None = None) -> Iterator[str]:
        """How texts were read, in words."""
        schema = part.terms.schema if part else None
        for relation, notation in self._found.items():
            known = schema.by_id.get(relation) if schema else None
            yield notation.words(known.text if known else relation)

    def _known(self, part: Part, node: int, ids: Sequence[str]) -> Notation | None:
        """The notation of the relations that lead to a node."""
        structure = part.structure
        relations = [part.relations[e] for e in structure.order if node in structure.edges[e]]
        values = list(ids)
        for relation in relations:
            if relation is not None:
                if relation not in self._sampled:
                    self._sampled[relation] = list(self._sample(relation))
                values += self._sampled[relation]
        notation = notation_of(values)
        known = [relation for relation in relations if relation is not None]
        if notation is not None and known:
            self._found[known[0]] = notation
        # Of an unknown relation, or a value on an edge, each may have a notation of its own.
        return notation if known and len(known) == len(relations) else None


def _match(id: str) -> re.Match[str] | None:
    if not is_literal(id) or literal_kind(id) != "text":
        return None
    return _NOTATION.fullmatch(split_literal(id)[0])


def _compared(pattern: Pattern) -> list[int]:
    """Numbers of the nodes whose values are compared as dates, or ordered."""
    worked = (pattern.aggregate, *pattern.each)
    nodes = [one.node for one in worked if one and one.function in ("min", "max")]
    if pattern.order is not None and not pattern.order.counted:
        nodes.append(pattern.order.node)
    for condition in (one for found in pattern.where for one in found.alternatives):
        if condition.other is not None:
            nodes += [condition.node, condition.other]
        elif not condition.counted and condition.operator not in TEXT_OPERATORS:
            dates = (literal(text) for text in condition.values)
            if any(_match(id) or meaning_of(id).period for id in dates):
                nodes.append(condition.node)
    numbers = {node.id: number for number, node in enumerate(pattern.nodes)}
    return [numbers[id] for id in dict.fromkeys(nodes)]

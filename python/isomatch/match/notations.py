"""Texts that are dates in another notation, such as ``29/08/2017``, relation by relation.

A notation is declared (`isomatch.settings.Settings.dates`) or found. Whether the day or the month
comes first is told by values of which one of the two is no month. Where no value of the relation
tells it, or some tell otherwise, its texts stay texts. A time of day may follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING

from isomatch.compile.dialects import dialect_of
from isomatch.dates import read_date
from isomatch.errors import ConfigurationError
from isomatch.match.conditions import TEXT_OPERATORS, meaning_of, period
from isomatch.pattern.elements import EachFunction
from isomatch.pattern.types import Condition, Pattern, shown
from isomatch.store.terms import (
    XSD,
    is_iri,
    is_literal,
    literal,
    literal_kind,
    split_literal,
    words,
)

if TYPE_CHECKING:
    from isomatch.compile.base import Part, Terms
    from isomatch.schema.types import Schema
    from isomatch.store.base import Query, Row, Store

SAMPLE = 1000  # values of a relation that are looked at

_NOTATION = re.compile(
    r"\s*([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})"
    r"(?:(?:T|,?\s+)([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]{1,9})?))?"
    r"(?:\s*([AaPp])\.?[Mm]\.?)?)?\s*",
    re.ASCII,
)
_LAST_MONTH = 12
_HALF_DAY, _HOURS, _MINUTES = 12, 24, 60
_DATATYPES = {4: "gYear", 7: "gYearMonth", 10: "date"}  # by how long a date is in ISO 8601

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

    declared = False

    def read(self, text: str) -> str | None:
        """A text as a date in ISO 8601; None where it is none."""
        match = _NOTATION.fullmatch(text)
        if match is None or self.day_first is None:
            return None
        day, month = (match[1], match[3]) if self.day_first else (match[3], match[1])
        time = _time(match)
        return None if time is None else f"{match[4]}-{int(month):02}-{int(day):02}{time}"

    def words(self, relation: str) -> str:
        """How the texts of a relation are read, in words."""
        named = f'texts of "{relation}" such as {self.example}'
        if self.day_first is None:
            return f"{named} may begin with the day or the month: they are not read as dates"
        first = "day, month" if self.day_first else "month, day"
        return f"{named} are read as {first}, year"


@dataclass(frozen=True, slots=True)
class Declared:
    """A notation of the settings, by which the texts of a relation are read.

    Attributes:
        formats: as declared; more than one where a value is of several relations, and then
            nothing is read.
        misfit: a text that does not fit; empty where none was seen.
    """

    formats: tuple[str, ...]
    misfit: str = field(default="", compare=False)

    declared = True

    def read(self, text: str) -> str | None:
        """A text as a date in ISO 8601; None where it does not fit."""
        return read_date(text, self.formats[0]) if len(self.formats) == 1 else None

    def words(self, relation: str) -> str:
        """How the texts of a relation are read, in words."""
        if len(self.formats) > 1:
            listed = " and ".join(self.formats)
            return f'values of "{relation}" have two declared formats, {listed}: they are not read'
        told = f'texts of "{relation}" are read as {self.formats[0]}, as declared'
        return f"{told}; others, such as {self.misfit}, stay texts" if self.misfit else told


AnyNotation = Notation | Declared


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


def as_read(id: str, notation: AnyNotation | None) -> str:
    """A text as the date that it is in a notation, else as it is.

    Example:
        >>> as_read('"29/08/2017"', Notation(True, "29/08/2017"))
        '"2017-08-29"^^<http://www.w3.org/2001/XMLSchema#date>'
    """
    if notation is None or not _is_text(id):
        return id
    iso = notation.read(split_literal(id)[0])
    if iso is None or period(iso) is None:
        return id
    return literal(iso, datatype=XSD + _DATATYPES.get(len(iso), "dateTime"))


def with_dates(condition: Condition, notation: AnyNotation | None) -> Condition | None:
    """The condition whose constants are dates; None where one is not, or letters are compared."""
    if notation is None or condition.operator in TEXT_OPERATORS:
        return None
    read = [as_read(literal(text), notation) for text in condition.values]
    if any(meaning_of(id).period is None for id in read):
        return None
    return replace(condition, values=tuple(split_literal(id)[0] for id in read))


def sample_query(store: Store, terms: Terms, relation: str) -> Query:
    """The query for some values of a relation: rows of anything and a value."""
    return dialect_of(store).sample(terms, relation, SAMPLE)


def declared_dates(dates: Mapping[str, str], schema: Schema) -> dict[str, str]:
    """The declared formats of dates by the ids of relations.

    Args:
        dates: by the id or the words of a relation; words stand for all relations that have them.

    Raises:
        ConfigurationError: the graph has no such relation; with those whose names are near.
    """
    by_words: dict[str, list[str]] = {}
    for relation in schema.relations:
        by_words.setdefault(words(relation.text).casefold(), []).append(relation.id)
    found: dict[str, str] = {}
    for name, format in dates.items():
        # An endpoint may have relations that it did not list.
        unlisted = "relations" in schema.partial and is_iri(name)
        ids = [name] if name in schema.by_id or unlisted else by_words.get(words(name).casefold())
        if ids is None:
            texts = list(dict.fromkeys(relation.text for relation in schema.relations))
            near = get_close_matches(name, texts, n=3, cutoff=0.5) or texts[:10]
            raise ConfigurationError(
                f"the setting 'dates' names the relation {shown(name)}, which the graph does not "
                f"have; there is {', '.join(near) or 'none'}. Write [dates] "
                f'"{near[0] if near else "crime date"}" = "{format}"'
            )
        found |= dict.fromkeys(ids, format)
    return found


class Notations:
    """The notations of the values that a pattern compares, orders or works with.

    Args:
        pattern: has conditions and an order.
        sample: gives values of a relation.
        declared: formats of dates, by relation.
    """

    def __init__(
        self, pattern: Pattern, sample: Sample, declared: Mapping[str, str] = MappingProxyType({})
    ):
        self._sample = sample
        self._declared = declared
        self._sampled: dict[str, list[str]] = {}
        self._nodes = _compared(pattern, declared=bool(declared))
        self._found: dict[str, AnyNotation] = {}

    def of(self, part: Part, used: Sequence[int], rows: Sequence[Row]) -> Mapping[int, AnyNotation]:
        """By column of the rows of an interpretation, its notation.

        Args:
            used: numbers of the nodes that are the columns, in order.
        """
        found: dict[int, AnyNotation] = {}
        for node in self._nodes:
            column = used.index(node)
            ids = list(dict.fromkeys(row[column] or "" for row in rows))
            if notation := self._known(part, node, ids):
                found[column] = notation
        return found

    def sampled(self, part: Part) -> Iterator[str]:
        """How texts are read by what is declared or sampled alone, in words."""
        for node in self._nodes:
            self._known(part, node, None)
        yield from self.notes(part)

    def notes(self, part: Part | None = None) -> Iterator[str]:
        """How texts were read, in words."""
        schema = part.terms.schema if part else None
        for relation, notation in self._found.items():
            known = schema.by_id.get(relation) if schema else None
            yield notation.words(known.text if known else relation)

    def _known(self, part: Part, node: int, ids: Sequence[str] | None) -> AnyNotation | None:
        """The notation of the relations that lead to a node, which has these values if known."""
        structure = part.structure
        relations = [part.relations[e] for e in structure.order if node in structure.edges[e]]
        known = [relation for relation in relations if relation is not None]
        if formats := dict.fromkeys(self._declared[r] for r in known if r in self._declared):
            return self._as_declared(Declared(tuple(formats)), known, ids)
        if ids is not None and not any(map(_match, ids)):
            return None
        values = list(ids or ())
        for relation in known:
            if relation not in self._sampled:
                self._sampled[relation] = list(self._sample(relation))
            values += self._sampled[relation]
        notation = notation_of(values)
        if notation is not None and known:
            self._found[known[0]] = notation
        # Of an unknown relation, or a value on an edge, each may have a notation of its own.
        return notation if known and len(known) == len(relations) else None

    def _as_declared(
        self, notation: Declared, relations: Sequence[str], ids: Sequence[str] | None
    ) -> Declared:
        """The notation, noted as taken, with one of these values that does not fit it."""
        relation = next(relation for relation in relations if relation in self._declared)
        texts = (id for id in ids or () if _is_text(id) and meaning_of(id).period is None)
        forms = (split_literal(id)[0] for id in texts)
        misfit = next((text for text in forms if notation.read(text) is None), "")
        before = self._found.get(relation)
        if isinstance(before, Declared) and before.misfit:
            misfit = before.misfit
        self._found[relation] = replace(notation, misfit=shown(misfit) if misfit else "")
        return notation


def _time(match: re.Match[str]) -> str | None:
    """The time of day of a date in ISO 8601, empty without one; None where it does not exist."""
    if match[5] is None:
        return ""
    hour, minute, second, half = int(match[5]), int(match[6]), match[7], match[8]
    if half is not None:
        if not 1 <= hour <= _HALF_DAY:
            return None
        hour = hour % _HALF_DAY + (_HALF_DAY if half in "Pp" else 0)
    if hour >= _HOURS or minute >= _MINUTES or float(second or 0) >= _MINUTES:
        return None
    return f"T{hour:02}:{minute:02}" + (f":{second}" if second else "")


def _is_text(id: str) -> bool:
    return is_literal(id) and literal_kind(id) == "text"


def _match(id: str) -> re.Match[str] | None:
    return _NOTATION.fullmatch(split_literal(id)[0]) if _is_text(id) else None


def _may_be_dates(function: EachFunction | None) -> bool:
    """Whether values, or what a function gives of them, may be dates."""
    return function in (None, "min", "max")


def _compared(pattern: Pattern, *, declared: bool) -> list[int]:
    """Numbers of the nodes whose values are compared as dates, or ordered.

    Args:
        declared: whether formats are, so that any constant may be a date.
    """
    worked = (pattern.aggregate, *pattern.each)
    nodes = [one.node for one in worked if one and _may_be_dates(one.function)]
    if pattern.order is not None and _may_be_dates(pattern.order.function):
        nodes.append(pattern.order.node)
    for condition in (one for found in pattern.where for one in found.alternatives):
        if condition.other is not None:
            nodes += [condition.node, condition.other]
        elif _may_be_dates(condition.function) and condition.operator not in TEXT_OPERATORS:
            dates = (literal(text) for text in condition.values)
            if declared or any(_match(id) or meaning_of(id).period for id in dates):
                nodes.append(condition.node)
    numbers = {node.id: number for number, node in enumerate(pattern.nodes)}
    return [numbers[id] for id in dict.fromkeys(nodes)]

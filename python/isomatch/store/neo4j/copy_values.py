"""What a graph's copy in memory holds: values by their ids, and relationships."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from isomatch.store.terms import XSD, split_literal
from isomatch.store.values import from_id, plain, to_id

LONG = 1000  # characters of a text

Values = Mapping[str, Sequence[str]]  # ids of the values of each key


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship, as seen from one of its nodes; ``out`` is None for one to itself."""

    id: str
    other: str
    out: bool | None
    values: Values = field(compare=False)


class LongText(str):
    """Stands for a text that was not read; the one of the same place is the same one."""


class Unknown(Exception):
    """What was asked depends on the words of a long text, or on how the server writes a value."""


def same(id: str) -> Any:
    """What equal values have in common: Cypher holds 1 and 1.0 to be equal, and no two NaN."""
    if id.endswith((f"{XSD}integer>", f"{XSD}double>")):
        number = from_id(id)
        return object() if number != number else number
    return id


def carries(values: Values, value: str, keys: Sequence[str]) -> bool:
    """Whether a relationship has a value, in one of its properties or in those with these keys."""
    carried = chain.from_iterable(values.get(key, ()) for key in keys or values)
    return same(value) in map(same, carried)


def equal(one: str, other: str) -> bool:
    """Whether two values are equal in Cypher.

    Raises:
        Unknown: both are long texts.
    """
    if one != other and all(isinstance(text, LongText) or is_long(text) for text in (one, other)):
        raise Unknown
    return bool(same(one) == same(other))


def written(id: str) -> str:
    """A name as the server writes it.

    Raises:
        Unknown: it writes numbers with digits and dates in its own way.
    """
    if isinstance(id, LongText) or not id.endswith(('"', f"{XSD}integer>")):
        raise Unknown
    return split_literal(id)[0]


def is_long(value: Any) -> bool:
    """Whether a value is a text that a copy leaves out."""
    return isinstance(value, str) and len(value) > LONG


def read_properties(
    properties: Iterable[tuple[str, Any]], one: Callable[[Any], Any]
) -> tuple[dict[str, Sequence[str]], set[str]]:
    """The ids of properties' values, and the keys of values without one.

    Args:
        one: gives the same object for what is equal.
    """
    values: dict[str, Sequence[str]] = {}
    lost = set()
    for key, value in properties:
        members = value if isinstance(value, list) else [value]
        # A long text in a list would not equal the same one that is left out elsewhere.
        listed = isinstance(value, list)
        ids = [
            None if isinstance(member, bytes) or (listed and is_long(member)) else to_id(member)
            for member in members
        ]
        values[one(key)] = one(tuple(id for id in ids if id is not None))
        if len(values[key]) < len(members):
            lost.add(key)
    return values, lost


def plain_values(values: Values) -> dict[str, Any]:
    """Of a relationship, as a report has them."""
    found = {key: [plain(from_id(id)) for id in ids] for key, ids in values.items() if ids}
    return {key: some[0] if len(some) == 1 else some for key, some in found.items()}

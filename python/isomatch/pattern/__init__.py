"""Patterns and the forms in which they are written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from isomatch.errors import PatternError
from isomatch.pattern.text import format_text, parse_text
from isomatch.pattern.triples import format_triples, looks_like_triples, parse_triples
from isomatch.pattern.types import (
    EXAMPLE,
    MAX_EDGES,
    Aggregate,
    Condition,
    Each,
    Edge,
    Node,
    Order,
    Part,
    Pattern,
    RelationChain,
)
from isomatch.pattern.wire import json_schema, parse_json, to_json

__all__ = [
    "EXAMPLE",
    "MAX_EDGES",
    "Aggregate",
    "Condition",
    "Each",
    "Edge",
    "Node",
    "Order",
    "Part",
    "Pattern",
    "RelationChain",
    "format_text",
    "format_triples",
    "json_schema",
    "parse",
    "parse_json",
    "parse_text",
    "parse_triples",
    "to_json",
]


def parse(value: object, prefixes: Mapping[str, str] = MappingProxyType({})) -> Pattern:
    """The pattern that a value of any accepted form describes.

    Args:
        value: a `Pattern`, a `RelationChain`, a mapping (the JSON form), a
            sequence of triples, or a text. A text that begins with ``{`` is
            JSON; one that begins like a triple (or ``[[``, a JSON list of them),
            triples; any other, the short form.
        prefixes: namespaces by prefix for the short form, beside the well-known ones.

    Raises:
        PatternError: no pattern can be made of it.

    Example:
        >>> parse('(?film:film)-[directed by]-("Michael Mann")') == parse(
        ...     [("UNKNOWN film", "directed by", "Michael Mann")])
        True
    """
    if isinstance(value, Pattern):
        return value
    if isinstance(value, RelationChain):
        return value.to_pattern()
    if isinstance(value, Mapping):
        return parse_json(value)
    if isinstance(value, str):
        if value.lstrip().startswith("{"):
            return parse_json(value)
        if re.match(r"\s*\[\s*\[", value):  # triples as JSON has them
            return _parse_json_rows(value)
        return parse_triples(value) if looks_like_triples(value) else parse_text(value, prefixes)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return parse_triples(value)
    raise PatternError(
        f"a pattern is text, a mapping or a sequence of triples, not {type(value).__name__}."
        f" A correct pattern: {EXAMPLE}"
    )


def _parse_json_rows(text: str) -> Pattern:
    try:
        return parse_triples(json.loads(text))
    except PatternError as error:
        raise PatternError(str(error), text=text) from error
    except (ValueError, RecursionError) as error:
        raise PatternError(
            f"this begins like triples in JSON, but is none: {error}. A correct pattern: {EXAMPLE}",
            text=text,
        ) from error

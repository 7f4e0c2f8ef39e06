"""A model's reply as a pattern: checked, and data all the way."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ValidationError

from isomatch.errors import PatternError
from isomatch.pattern import parse_triples
from isomatch.pattern.types import Pattern

_MOST = 100_000  # characters of a reply that are looked at
_TEXT = {"type": "string"}


def reply_schema(edge_values: bool = False) -> dict[str, Any]:
    """The JSON Schema of a reply; ``edge_values`` lets triples have a fourth text."""
    texts = {"type": "array", "items": _TEXT}
    return {
        "type": "object",
        "properties": {
            "segments": texts,
            "triples": {
                "type": "array",
                "items": {**texts, "minItems": 3, "maxItems": 4 if edge_values else 3},
            },
            "asks": texts,
        },
        "required": ["segments", "triples", "asks"],
        "additionalProperties": False,
    }


class Reply(BaseModel):
    """What is used of a reply; the segments only help the model to think."""

    triples: list[tuple[str, str, str]]
    asks: list[str] = []


class ReplyWithValues(Reply):
    """The same for a graph whose edges carry values."""

    triples: list[tuple[str, str, str] | tuple[str, str, str, str]]  # type: ignore[assignment]


def pattern_of(reply: str, edge_values: bool = False) -> Pattern:
    """The pattern that a model's reply holds.

    Args:
        edge_values: whether a triple may have a fourth text, the value on the edge.

    Raises:
        PatternError: it holds none; the message says to a model what is wrong.
    """
    try:
        parsed = (ReplyWithValues if edge_values else Reply).model_validate(_object(reply))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise PatternError(f"at {place!r}: {first['msg']}", text=cut(reply)) from error
    # An empty fourth text is none: a grammar may make a model write one.
    pattern = parse_triples([t[:3] if not "".join(t[3:]).strip() else t for t in parsed.triples])
    asked = tuple(dict.fromkeys(_unknown(text, pattern) for text in parsed.asks))
    return Pattern(pattern.nodes, pattern.edges, asked)


def _unknown(text: str, pattern: Pattern) -> str:
    """The id of an unknown as the reply writes it: the triples' own rule decides."""
    id = parse_triples([(text, "is", "asked for")]).nodes[0].id
    if id not in {node.id for node in pattern.nodes if not node.known}:
        raise PatternError(f"'asks' has {cut(text)!r}, which is no UNKNOWN of the triples")
    return id


def _object(reply: str) -> dict[str, Any]:
    """The first JSON object with triples in a text, whatever stands around it."""
    reply = reply[:_MOST]
    decoder = json.JSONDecoder()
    start = reply.find("{")
    while start >= 0:
        try:
            value, _ = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and "triples" in value:
            return value
        start = reply.find("{", start + 1)
    raise PatternError("it is no JSON object with the key 'triples'", text=cut(reply))


def cut(text: str, most: int = 300) -> str:
    """The beginning of a text, as messages show it."""
    return text if len(text) <= most else f"{text[:most]}…"

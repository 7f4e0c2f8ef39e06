"""The JSON Schema that a model's reply is held to, where its server can.

Every key is required, and no others are allowed: OpenAI's strict mode takes no other schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from isomatch.pattern.types import PART_OPERATORS

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def reply_schema(edge_values: bool = False) -> dict[str, Any]:
    """The JSON Schema of a reply; ``edge_values`` lets triples have a fourth text."""
    triple = {**_TEXTS, "minItems": 3, "maxItems": 4 if edge_values else 3}
    triples = {"type": "array", "items": triple}
    conditions = {"type": "array", "items": {**_TEXTS, "minItems": 3}}
    said = {
        "triples": triples,
        "asks": _TEXTS,
        "where": conditions,
        "either": {"type": "array", "items": {**conditions, "minItems": 2}},
        "every": _TEXTS,
        "order": {
            "anyOf": [
                {"type": "null"},
                _object(
                    {
                        "by": _TEXT,
                        "descending": {"type": "boolean"},
                        "limit": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 1}]},
                        "offset": {"type": "integer", "minimum": 0},
                    }
                ),
            ]
        },
    }
    part = {
        "unknowns": {**_TEXTS, "minItems": 1},
        "operator": {"type": "string", "enum": list(PART_OPERATORS)},
        "alternative": {"type": "boolean"},
        **said,
    }
    parts = {"type": "array", "items": _object(part)}
    optional = {"type": "array", "items": {**triples, "minItems": 1}}
    return _object({"segments": _TEXTS, **said, "parts": parts, "optional": optional})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }

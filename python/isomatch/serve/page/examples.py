"""Example questions of a graph: its own where it is known, else patterns of its schema."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from isomatch.texts import data

MOST = 5
_BRACKETS = re.compile(r"[][]")


@dataclass(frozen=True, slots=True)
class Example:
    """Something to click: a question, or a pattern and how it is told."""

    words: str
    question: str | None = None
    pattern: str | None = None


def examples(schema: Mapping[str, Any]) -> list[Example]:
    """Up to five examples of a graph, most frequent relations first.

    Args:
        schema: as ``GET /v1/schema`` gives it.
    """
    ids = [one["id"] for one in (*schema["types"], *schema["relations"])]
    for graph in _known():
        if any(id.startswith(graph["namespace"]) for id in ids):
            return [Example(question, question=question) for question in graph["questions"]]
    types = {type["name"] for type in schema["types"]}
    return [_of_relation(relation, types) for relation in schema["relations"][:MOST]]


def _of_relation(relation: Mapping[str, Any], types: Collection[str]) -> Example:
    name, ends = relation["name"], (relation["from"], relation["to"])
    # What is at an end is told only where it is one thing; kinds of values are no types.
    source, target = (one[0] if len(one) == 1 else None for one in ends)
    pattern = f"{_node('from', source, types)}-[{_BRACKETS.sub(' ', name)}]->"
    pattern += _node("to", target, types)
    return Example(f"{source or 'anything'} – {name} → {target or 'anything'}", pattern=pattern)


def _node(id: str, type: str | None, types: Collection[str]) -> str:
    plain = type in types and re.fullmatch(r"\w[\w ]*", type or "")
    return f"(?{id}:{type})" if plain else f"(?{id})"


@lru_cache(1)
def _known() -> list[dict[str, Any]]:
    return list(data("isomatch.serve.page", "examples.toml")["graphs"])

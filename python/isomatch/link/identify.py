"""Known nodes of a pattern that are given by their identity, not by a name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from isomatch.link.candidates import Candidate, CandidateList
from isomatch.pattern.identity import expanded, identity
from isomatch.store.terms import display_name
from isomatch.texts import PREFIXES

if TYPE_CHECKING:
    from isomatch.link.index import Index
    from isomatch.schema.types import Schema

_LOCAL = re.compile(r"(?=\D*\d)[\w.~-]{2,64}")  # as Q44578 or tt0113277


def identified(
    nodes: Mapping[str, str], index: Index, schema: Schema
) -> tuple[dict[str, CandidateList], tuple[str, ...]]:
    """The list of one candidate, at distance 0, of each node that is an id; and notes.

    ``<…>`` always is one, whether the graph has it or not. A word with a digit is one where
    nothing has it for a name, and where it ends an IRI of a namespace that is well known,
    the schema's or the nodes'.

    Args:
        nodes: texts by id of the pattern's node.
    """
    lists: dict[str, CandidateList] = {}
    notes: dict[str, None] = {}
    for id, text in nodes.items():
        if (exact := identity(text)) is not None:
            names = index.name_of([exact])
            if not names and index.nodes is None:
                notes[f"the index has no node {text}"] = None
            names = names or {exact: display_name(exact)}
        elif _LOCAL.fullmatch(text) and not (index.by_name("nodes", text) or index.values(text, 1)):
            namespaces = schema.namespaces.union(PREFIXES.values())
            if not text.isdigit():  # a number is hardly meant as one of any namespace
                namespaces |= index.namespaces
            names = index.name_of(f"{namespace}{text}" for namespace in namespaces)
            notes.update((f"“{text}” read as the id of <{key}>", None) for key in names)
        else:
            continue
        if names:
            found = [Candidate(key, 0.0, name) for key, name in names.items()]
            lists[id] = CandidateList.of(text, "node", found)
    return lists, tuple(notes)


def identified_topic(topic: str, index: Index, schema: Schema, prefixes: Mapping[str, str]) -> str:
    """``<id>`` for a topic that is the identity of one node; any other as it is."""
    text = expanded(topic, prefixes)
    found = identified({"topic": text}, index, schema)[0].get("topic")
    return f"<{found[0].id}>" if found is not None and len(found) == 1 else text

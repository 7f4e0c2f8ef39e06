"""Known nodes of a pattern that are given by their identity: a key property, or an id.

A key property is written as ``<productID:10248>`` or ``<Product.productID:1>``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from isomatch.errors import PatternError
from isomatch.link.candidates import Candidate, CandidateList
from isomatch.pattern.identity import expanded, identity
from isomatch.pattern.types import shown
from isomatch.store.base import Query
from isomatch.store.terms import display_name, is_strict_iri
from isomatch.texts import PREFIXES

if TYPE_CHECKING:
    from isomatch.link.index import Index
    from isomatch.pattern.types import Pattern
    from isomatch.schema.types import Schema
    from isomatch.store.base import Store


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


_ELEMENT = re.compile(r"<[0-9]+:[^:]*:[0-9]+>")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_INTEGER = re.compile("-?[1-9][0-9]{0,17}|0")  # what a database holds in 64 bits


def with_keys_read(pattern: Pattern, store: Store, schema: Schema) -> Pattern:
    """The pattern with the ids of nodes that it gives by a key property.

    Raises:
        PatternError: several nodes have the value, or the graph has no such key; in RDF, what
            is given for an IRI is none.
        StoreError: the database failed.
    """
    if not store.capabilities.property_graph:
        for node in pattern.nodes:
            check_iri(node.text, store)
        return pattern
    nodes = (replace(node, text=id_of(node.text, store, schema)) for node in pattern.nodes)
    return replace(pattern, nodes=tuple(nodes))


def check_iri(text: str | None, store: Store) -> None:
    """Refuse ``<…>`` that no query in RDF can name; endpoints differ in what they take.

    Raises:
        PatternError: it is no IRI.
    """
    iri = None if store.capabilities.property_graph else identity(text or "")
    if iri is None:
        return
    if not (_SCHEME.match(iri) if store.profile is not None else is_strict_iri(iri)):
        raise PatternError(
            f"{shown(text or '')} is no IRI: write one, such as <http://example.org/heat>, or the "
            "name of the node"
        )


def id_of(text: str | None, store: Store, schema: Schema) -> str | None:
    """``<id>`` of the node that has a key's value; any other text as it is.

    Raises:
        PatternError, StoreError: see `with_keys_read`.
    """
    label, _, key = (identity(text or "") or "").partition(":")[0].rpartition(".")
    relation = schema.by_id.get(f".{key}")
    labels = {*(relation.source_types if relation else ())}
    labels |= {type for type, name in schema.names.items() if name == f".{key}"}
    wanted = sorted(labels & {f":{label}"} if label else labels - {":"})
    if text is None or not key or _ELEMENT.fullmatch(text):
        return text
    if not wanted:
        raise _unknown(text, key, sorted(label[1:] for label in labels - {":"}), schema)
    value = text[1:-1].partition(":")[2]
    values = [value, int(value)] if _INTEGER.fullmatch(value) else [value]
    given: dict[str, Any] = {"values": values}
    if hidden := schema.unsearched_names["no_labels"]:
        given["no_labels"] = hidden
    query = store.render("store/keyed.cypher.j2", labels=wanted, key=f".{key}", hidden=bool(hidden))
    ids = {str(id) for (id,) in store.run(Query(query, ("id",), given, "keyed"))}
    if len(ids) > 1:
        raise PatternError(
            f"several nodes have {text[1:-1]}: give a key that is unique, with its label "
            f"(<Label.key:value>), or the elementId of the node (--ids shows it)"
        )
    return f"<{ids.pop()}>" if ids else text


def _unknown(text: str, key: str, labels: Sequence[str], schema: Schema) -> PatternError:
    keys = [r.id[1:] for r in schema.relations if r.id.startswith(".")]
    keys += [name[1:] for name in schema.name_relations if name[1:] not in keys]
    if labels:
        there = "no node of that label has the property in the schema; these have it: " + ", ".join(
            labels
        )
    else:
        near = get_close_matches(key, keys, n=1) or sorted(keys)[:10]
        listed = ", ".join(near) or "none"
        there = f"no node of the schema has the property {shown(key)}; there is {listed}"
    return PatternError(
        f"the pattern has the node {text[:80]}, but {there}. Write <KEY:value> or "
        "<Label.KEY:value>, or <ID> with an elementId (--ids shows it)"
    )

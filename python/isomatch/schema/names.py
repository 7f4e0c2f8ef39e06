"""The names of nodes: streamed by page for the index, or looked up for some.

A node's names come from the schema's name relations, in the languages asked for;
a node without any is called by the words of its IRI's local name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf

from isomatch.schema.nodes import nodes
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Row, Store, chunked
from isomatch.store.terms import (
    display_name,
    is_blank,
    is_literal,
    literal_kind,
    split_literal,
)

_IDS_A_QUERY = 1000
_REST_OF_TEXT = 1000  # characters of a query beside the ids


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a node, or the value of a literal.

    Attributes:
        id: the node.
        text: the name; a literal's lexical form.
        kind: ``node``, or for a literal ``text``, ``number``, ``date`` or
            ``boolean`` (any other datatype counts as ``text``); ``same`` for a node
            whose names are what they were at an earlier reading (without a text).
    """

    id: str
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """A name as stored: text, language tag ("" for none), rank of its predicate."""

    text: str
    language: str
    rank: int


def names(
    store: Store,
    schema: Schema,
    *,
    languages: Sequence[str] = ("en",),
    page: int = 10_000,
    after: str | None = None,
    unchanged: tuple[str, str] | None = None,
    without_nodes: bool = False,
) -> Iterator[list[Name]]:
    """Every name of every node that occurs in a fact, and every literal, by page.

    A node has several names where the graph gives it several: those in the
    languages asked for and those without a language, else all. Blank nodes
    without a name are left out. The order is the store's own for one streamed
    query, the same as long as the graph is; large graphs are read in parts, by
    a hash of the id, so that memory stays bounded here and in the engine.

    Args:
        languages: tags; ``en`` stands for ``en-GB`` too.
        page: nodes a page; all names of a node are on the same page.
        after: id of the last node that needs no more work; the pages after it
            follow. Where it is not found any more, its part begins again.
        unchanged: of a property graph, see
            `isomatch.schema.property_names.property_names`; without meaning for RDF.
        without_nodes: values alone, and of RDF nothing: its nodes are found by an
            endpoint's own search (`isomatch.link.text_search`), and so are its values.
    """
    if store.capabilities.property_graph:
        from isomatch.schema.property_names import property_names

        yield from property_names(
            store,
            schema,
            page=page,
            after=after,
            unchanged=unchanged,
            without_nodes=without_nodes,
        )
        return
    if without_nodes:
        return
    store = store.bulk()
    for some in chunked(nodes(store, schema, after), page):
        found = labels(store, schema.name_relations, [n for n in some if not is_literal(n)])
        yield [name for id in some for name in _names_of(id, found.get(id, ()), languages)]


def node_names(
    store: Store, schema: Schema, ids: Iterable[str], languages: Sequence[str] = ("en",)
) -> dict[str, str]:
    """The best name of each id: the first asked-for language, else the best there is."""
    if store.capabilities.property_graph:
        from isomatch.schema.property_names import property_node_names

        return property_node_names(store, schema, ids)
    wanted = list(dict.fromkeys(ids))
    found = labels(store, schema.name_relations, [i for i in wanted if not is_literal(i)])
    result = {}
    for id in wanted:
        kept = preferred(found.get(id, ()), languages)
        result[id] = kept[0] if kept else display_name(id)
    return result


def labels(
    store: Store,
    name_relations: Sequence[str],
    ids: Collection[str],
    *,
    run: Callable[[Query], Iterable[Row]] | None = None,
) -> dict[str, list[Label]]:
    """Names as stored, for those of the ids (IRIs, blank nodes) that have any.

    Args:
        run: asks the store; None for its own `Store.run`.
    """
    found: dict[str, list[Label]] = {}
    if not name_relations:
        return found
    columns = ("n", "rank", "name")

    def query(nodes: Sequence[str]) -> str:
        return store.render("schema/labels.rq.j2", nodes=nodes, predicates=name_relations)

    queries = [
        Query(query(some), columns, name="labels")
        for some in _blocks(store, [i for i in ids if not is_blank(i)])
    ]
    blank = [i for i in ids if is_blank(i)]
    if store.profile is None:
        # A query text cannot name a blank node; a parameter can.
        queries += [Query(query(()), columns, {"n": i}, "labels") for i in blank]
    elif blank:
        with suppress(ValueError):  # an endpoint that has no word for them cannot tell
            queries.append(Query(query(blank), columns, name="labels"))
    for asked in queries:
        for id, rank, name in (run or store.run)(asked):
            if id is not None and name is not None and is_literal(name):
                text, _, language = split_literal(name)
                if text.strip():
                    # Tags are the same in any case, and engines differ in which they keep.
                    tag = (language or "").lower()
                    found.setdefault(id, []).append(Label(text, tag, int(rank or 0)))
    return found


def _blocks(store: Store, ids: Iterable[str]) -> Iterator[list[str]]:
    """As many as an endpoint takes in one VALUES block, and in one text."""
    profile = store.profile
    most = _IDS_A_QUERY if profile is None else min(_IDS_A_QUERY, profile.values_block)
    longest = inf if profile is None else profile.longest_query - _REST_OF_TEXT
    block: list[str] = []
    length = 0
    for id in ids:
        if block and (len(block) == most or length + len(id) + 3 > longest):
            yield block
            block, length = [], 0
        block.append(id)
        length += len(id) + 3  # brackets and a blank
    if block:
        yield block


def preferred(labels: Iterable[Label], languages: Sequence[str]) -> list[str]:
    """Distinct texts, best first.

    Those in the languages asked for and those without a language; all of them
    where there is none of these. In order of: the languages as asked for, no
    language, any other; then the name relations; then the text.
    """

    def place(label: Label) -> int:
        for i, wanted in enumerate(languages):
            if label.language == wanted.lower() or label.language.startswith(wanted.lower() + "-"):
                return i
        return len(languages) if not label.language else len(languages) + 1

    ordered = sorted((place(x), x.rank, x.text) for x in labels)
    if not ordered:
        return []
    last = max(ordered[0][0], len(languages))
    return list(dict.fromkeys(text for place, _, text in ordered if place <= last))


def _names_of(id: str, labels: Iterable[Label], languages: Sequence[str]) -> Iterator[Name]:
    if is_literal(id):
        kind = literal_kind(id)
        yield Name(id, split_literal(id)[0], "text" if kind == "other" else kind)
        return
    texts = preferred(labels, languages)
    if not texts and not is_blank(id):
        texts = [display_name(id)]
    for text in texts:
        yield Name(id, text, "node")

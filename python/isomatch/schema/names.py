"""The names of nodes: streamed by page for the index, or looked up for some.

A node's names come from the schema's name relations, in the languages asked for;
a node without any is called by the words of its IRI's local name.

Nodes, literals included, are those that occur in a fact, and those that have an IRI and a type:
else a book whose author nobody has written down would be taken for one of a near name. Classes
and predicates are not among them unless they occur in a fact (``schema/instances.j2``). They are
asked for all at once, or in parts by a hash of the id, so that memory stays bounded in the engine
too. An endpoint that takes too long for such a part is asked by relation, and by type.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby, product
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from isomatch.errors import StoreError
from isomatch.schema.property_names import property_names, property_node_names
from isomatch.schema.relations import batches
from isomatch.schema.types import ALIAS, Name, Schema, beginnings, node_types
from isomatch.schema.vocabulary import ALIAS_RELATIONS
from isomatch.store.base import Query, Row, Store, chunked
from isomatch.store.terms import (
    display_name,
    is_blank,
    is_literal,
    literal,
    literal_kind,
    split_literal,
)

_IDS_A_QUERY = 1000
_REST_OF_TEXT = 1000  # characters of a query beside the ids


class Label(NamedTuple):
    """A name as stored: text, language tag ("" for none), rank of its predicate."""

    text: str
    language: str
    rank: int
    alias: bool = False


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
    """Every name of every node that occurs in a fact or has a type, and every literal, by page.

    A node has several names where the graph gives it several: those in the
    languages asked for and those without a language, else all. Blank nodes
    without a name are left out. The order is the store's own for one streamed
    query, the same as long as the graph is; large graphs are read in parts, by
    a hash of the id, so that memory stays bounded here and in the engine.

    Args:
        languages: tags; ``en`` stands for ``en-GB`` too.
        page: nodes a page; all names of a node are on the same page.
        after: of a property graph, the id of the last node that needs no more work; the
            pages after it follow. Where it is not found any more, its part begins again.
        unchanged: of a property graph, see
            `isomatch.schema.property_names.property_names`; without meaning for RDF.
        without_nodes: values alone, and of RDF nothing: its nodes are found by an
            endpoint's own search (`isomatch.link.text_search`), and so are its values.
    """
    if store.capabilities.property_graph:
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
    if store.profile is not None:
        yield from _named(store, schema, nodes(store, schema), languages, page)
        return
    some: list[Name] = []
    relations = schema.name_relations
    rows = _by_hash(store, schema, PART_NODES, named=relations)
    for number, (id, labelled) in enumerate(groupby(rows, itemgetter(0))):
        if number % page == 0 and number:
            yield some
            some = []
        found = [label for row in labelled if relations and (label := _label(relations, row))]
        some += _names_of(id, found, languages)
    yield some


def names_of_some(
    store: Store, schema: Schema, ids: Collection[str], languages: Sequence[str] = ("en",)
) -> Iterator[list[Name]]:
    """What `names` gives of some nodes and values of an RDF graph, by page."""
    yield from _named(store, schema, _of_some(store, schema, ids), languages, _IDS_A_QUERY)


def _named(
    store: Store, schema: Schema, ids: Iterable[str], languages: Sequence[str], page: int
) -> Iterator[list[Name]]:
    for some in chunked(ids, page):
        found = labels(store, schema.name_relations, [n for n in some if not is_literal(n)])
        yield [name for id in some for name in _names_of(id, found.get(id, ()), languages)]


def _of_some(store: Store, schema: Schema, ids: Collection[str]) -> Iterator[str]:
    """Those of some ids that are nodes."""
    for some in chunked((id for id in ids if not is_blank(id)), _IDS_A_QUERY):
        yield from (id for (id,) in _part(store, schema, "", some=some))
    for id in ids:  # a query text cannot name a blank node; a parameter can
        if is_blank(id):
            yield from (id for (id,) in _part(store, schema, "", {"n": id}))


def reading(schema: Schema, languages: Sequence[str]) -> str:
    """A text of all that the names of an RDF graph's nodes depend on, beside its triples."""
    seen = (
        *(schema.name_relations, schema.excluded, schema.begins, schema.unsearched),
        *(schema.type_relation, _qualifiers(schema), tuple(languages)),
    )
    return repr(seen)


def node_names(
    store: Store, schema: Schema, ids: Iterable[str], languages: Sequence[str] = ("en",)
) -> dict[str, str]:
    """The best name of each id: the first asked-for language, else the best there is."""
    if store.capabilities.property_graph:
        return property_node_names(store, schema, ids)
    wanted = list(dict.fromkeys(ids))
    found = labels(store, schema.name_relations, [i for i in wanted if not is_literal(i)])
    result = {}
    for id in wanted:
        kept = preferred(found.get(id, ()), languages)
        result[id] = next(iter(kept), display_name(id))
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
    if not name_relations:
        return {}
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
    rows = chain.from_iterable(map(run or store.run, queries))
    return _labels(name_relations, rows)


def _labels(name_relations: Sequence[str], rows: Iterable[Row]) -> dict[str, list[Label]]:
    """By node, the names of rows as `_label` takes them."""
    found: dict[str, list[Label]] = {}
    for row in rows if name_relations else ():
        if row[0] is not None and (label := _label(name_relations, row)):
            found.setdefault(row[0], []).append(label)
    return found


def _label(name_relations: Sequence[str], row: Row) -> Label | None:
    """Of a node, the place of its name's relation where there are several, and a name."""
    name = row[-1]
    if name is None or not is_literal(name):
        return None
    text, _, tag = split_literal(name)
    if not text.strip():
        return None
    rank = int(row[1] or 0) if row[2:] else 0
    # Tags are the same in any case, and engines differ in which they keep.
    return Label(text, (tag or "").lower(), rank, name_relations[rank] in ALIAS_RELATIONS)


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


def preferred(labels: Sequence[Label], languages: Sequence[str]) -> dict[str, bool]:
    """Distinct texts, best first, and whether each is but an alias.

    The best, and those in the languages asked for and those without a language; all of
    them where there is none of these. Aliases come last. In order of: the languages as
    asked for, no language, any other; then the name relations; then the text.
    """

    def place(label: Label) -> int:
        for i, wanted in enumerate(languages):
            if label.language == wanted.lower() or label.language.startswith(wanted.lower() + "-"):
                return i
        return len(languages) if not label.language else len(languages) + 1

    if len(labels) == 1:  # as nearly all nodes have
        return {labels[0].text: labels[0].alias}
    ordered = sorted((x.alias, place(x), x.rank, x.text) for x in labels)
    last = max(min((p for _, p, _, _ in ordered), default=0), len(languages))
    kept: dict[str, bool] = {}
    for alias, p, _, text in ordered:
        if p <= last or not kept:
            kept.setdefault(text, alias)
    return kept


def _names_of(id: str, labels: Sequence[Label], languages: Sequence[str]) -> list[Name]:
    if is_literal(id):
        kind = literal_kind(id)
        return [Name(id, split_literal(id)[0], "text" if kind == "other" else kind)]
    texts = preferred(labels, languages)
    if not texts and not is_blank(id):
        texts = {display_name(id): False}
    return [
        Name(id, text, "node", place + ALIAS if alias else min(place, ALIAS - 1))
        for place, (text, alias) in enumerate(texts.items())
    ]


# The engine remembers every node of a part, some 100 bytes each, to give it once.
PART_NODES = 12_000_000  # each part is a pass over all facts
ENDPOINT_NODES = 250_000  # an endpoint sorts a part for each page that it gives of it
BATCH_TRIPLES, BATCH_RELATIONS = 250_000, 100  # of an endpoint asked by relation, and by type
REMEMBERED = 500_000  # nodes of several relations that are then given once


def nodes(store: Store, schema: Schema) -> Iterator[str]:
    """Ids of nodes, once each, in the store's own order.

    A large endpoint that has to be asked by relation may give some more than once.

    Raises:
        StoreError: the database failed.
    """
    if store.profile is None:
        yield from (id for id, *_ in _by_hash(store, schema, PART_NODES))
        return
    try:
        yield from (id for id, *_ in _by_hash(store, schema, ENDPOINT_NODES))
    except StoreError:
        yield from _by_relation(store, schema)


def _by_hash(
    store: Store, schema: Schema, size: int, named: Sequence[str] = ()
) -> Iterator[tuple[str, ...]]:
    # Those of a type may be in no fact, and so not among the schema's nodes.
    typed = (type.nodes for type in schema.types)
    for part in _parts(max(schema.nodes, *typed, 0), size):
        yield from _part(store, schema, part, named=named)


def _part(
    store: Store,
    schema: Schema,
    part: str,
    given: Mapping[str, str] | None = None,
    *,
    some: Sequence[str] = (),
    named: Sequence[str] = (),
) -> Iterator[Any]:
    """Rows of nodes; with the texts that ``named`` gives them, see `_labels`."""
    text = store.render(
        "schema/nodes.rq.j2",
        excluded=schema.excluded,
        begins=schema.begins,
        qualifiers=_qualifiers(schema),
        unsearched=schema.unsearched,
        type_relation=schema.type_relation,
        part=literal(part) if part else None,
        some=some,
        named=named,
    )
    columns = ("n", *(("rank",) if named[1:] else ()), *(("name",) if named else ()))
    for row in store.run(Query(text, columns, given or {}, "nodes")):
        if row[0] is not None:
            yield row


def _qualifiers(schema: Schema) -> tuple[str, ...]:
    """What the predicates of values on edges begin with, in a Wikibase."""
    begin = schema.relations_begin
    return beginnings(begin and begin.replace("/direct/", "/qualifier/"))


def _by_relation(store: Store, schema: Schema) -> Iterator[str]:
    seen: set[str] = set()
    relations = _together((r.id, r.triples) for r in schema.relations)
    asked: list[tuple[list[str], list[str]]] = [(predicates, []) for predicates in relations]
    qualifiers = _qualifiers(schema)
    asked += [([], [])] if qualifiers else []
    sizes = schema.sizes
    types = _together((type, sizes[type]) for type in node_types(sizes) if sizes[type])
    asked += [([], some) for some in types]
    for predicates, some in asked:
        text = store.render(
            "schema/nodes_of.rq.j2",
            predicates=predicates,
            types=some,
            type_relation=schema.type_relation,
            qualifiers=qualifiers,
            unsearched=schema.unsearched,
        )
        for (id,) in store.run(Query(text, ("n",), name="nodes of relations")):
            if id is None or id in seen:
                continue
            if len(seen) < REMEMBERED:
                seen.add(id)
            yield id


def _together(sizes: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
    """Relations, or types, that are asked for by one query."""
    for batch in batches(sizes, BATCH_TRIPLES, BATCH_RELATIONS):
        yield [id for id, _ in batch]


def _parts(nodes: int, size: int) -> Iterator[str]:
    """Beginnings of hashes, ascending, that split so many nodes into parts.

    One empty beginning, for no split, where they are few.
    """
    digits = 0
    while nodes > size * 16**digits:
        digits += 1
    return map("".join, product("0123456789abcdef", repeat=digits))

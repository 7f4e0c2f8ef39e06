"""What was counted of a whole graph, kept for the next schema and brought up to date.

Counting takes time in proportion to the graph, and a load may change little of it. So the
answers of the queries that count are kept as tables, and where the store knows which
triples have changed (`Store.changes_since`), the tables are changed by as much. Each is a
sum over triples or over nodes:

- a triple adds one to a cell: of its predicate, its type, its value's datatype or language;
- a node adds to cells by its degrees and its types: how many nodes have so many facts of a
  relation, which relations meet at a node, what type the ends of facts have.

So a table changes by what the changed triples and the nodes at their ends add to it now,
less what they added before. A table that is not kept is counted in the graph.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from isomatch.errors import StoreError
from isomatch.files import write_json
from isomatch.store.base import Changes, Query, Row, Store, Triple, chunked
from isomatch.store.terms import is_blank, is_literal, literal, split_literal

FORMAT = 1
SHARE = 0.1  # of a graph's triples: where more have changed, all are counted
CELLS = 50_000  # of one table; a larger one is not kept
NODES = 12_000_000  # that are counted by kind; the engine remembers each, 260 bytes
TOGETHER = 1000  # nodes in one query

Key = tuple[str, ...]  # a template and what it counts; of `_BY_PREDICATE` the last is one
Table = Mapping[str, int]  # by cell
_FANS = {"subjects": "source", "objects": "target"}
_BY_PREDICATE = ("subjects", "objects", "datatypes", "ends")
_OTHERS = ("predicates", "types", "languages", "kinds", "ports")


class Counts:
    """The tables of a graph as it is now.

    Args:
        store: the graph.
        tables: those that are known.
    """

    def __init__(self, store: Store, tables: Mapping[Key, Table] | None = None):
        self._store = store
        self._tables = dict(tables or {})
        self._asked: set[Key] = set()  # so far

    @classmethod
    def read(cls, path: Path, store: Store) -> Counts | None:
        """The tables that `write` kept, as far as they can be brought up to date.

        None where the store does not know what changes in it.

        Raises:
            StoreError: the database failed.
        """
        if store.changes_since(store.fingerprint()) is None:
            return None
        try:
            content = json.loads(path.read_text("utf-8"))
            if content["format"] != FORMAT:
                return cls(store)
            changes = store.changes_since(content["fingerprint"])
            kept = {tuple(key): Counter(cells) for key, cells in content["tables"]}
        except (OSError, ValueError, KeyError, TypeError):
            return cls(store)
        return cls(store, None if changes is None else updated(store, kept, changes))

    def write(self, path: Path, fingerprint: str) -> None:
        """Keep the tables that were asked for; StoreError where the file cannot be written."""
        tables = [(key, self._tables[key]) for key in sorted(self._asked)]
        kept = [
            (key, cells) for key, cells in tables if len(cells) <= CELLS and _is_whole(key, cells)
        ]
        try:
            write_json(path, {"format": FORMAT, "fingerprint": fingerprint, "tables": kept})
        except OSError as error:
            raise StoreError(f"the counts cannot be written to {path}: {error}") from error

    def answer(
        self, template: str, columns: tuple[str, ...], values: Mapping[str, Any]
    ) -> list[Row] | None:
        """The rows of a query of `isomatch.schema.queries.SchemaQueries.whole`.

        None where no table answers it.

        Raises:
            StoreError: the database failed.
        """
        if values.get("limit") or values.get("part"):
            return None
        if template not in _BY_PREDICATE and template not in _OTHERS:
            return None
        keys = _keys(template, values)
        if missing := [key for key in keys if key not in self._tables]:
            self._count(template, columns, values, missing)
        self._asked.update(keys)
        return [row for key in keys for row in _rows(key, self._tables[key])]

    def _count(
        self,
        template: str,
        columns: tuple[str, ...],
        values: Mapping[str, Any],
        missing: Sequence[Key],
    ) -> None:
        """Count some tables in the graph, by one query."""
        name = template
        if template in _BY_PREDICATE:
            values = {**values, "predicates": [key[-1] for key in missing]}
        if template in _FANS:
            name, columns = "fans", ("p", "fan", "nodes")
            values = {**values, "end": _FANS[template]}
        if template == "ports":
            columns = ("ports", "nodes")
        tables: dict[Key, Counter[str]] = {key: Counter() for key in missing}
        text = self._store.render(f"schema/{name}.rq.j2", **values, counted=True)
        for row in self._store.run(Query(text, columns, name=f"schema {name}")):
            begin = missing[0]
            key = (*begin[:-1], str(row[0])) if template in _BY_PREDICATE else begin
            tables[key][_cell(template, row)] += int(row[-1] or 0)
            if template == "ports" and len(tables[key]) > CELLS:
                break  # so many that no schema has them
        self._tables |= tables


def _is_whole(key: Key, table: Table) -> bool:
    """Whether all was counted; of kinds, not all nodes where they are too many."""
    return key[0] != "kinds" or sum(table.values()) < NODES


def _keys(template: str, values: Mapping[str, Any]) -> list[Key]:
    if template == "ends":
        begin = ("ends", values["end"], values["type_relation"])
        return [(*begin, p) for p in values["predicates"]]
    if template in _BY_PREDICATE:
        return [(template, p) for p in values["predicates"]]
    if template == "types":
        return [(template, values["type_relation"])]
    if template == "languages":
        return [(template, *values["predicates"])]
    if template == "predicates":
        return [(template,)]
    return [(template, json.dumps(values["excluded"]), json.dumps(values["begins"]))]


def _cell(template: str, row: Row) -> str:
    """What a row of the query counts."""
    cell = row[-2] or ""
    if template == "kinds":
        return (row[0] or "") if cell in ("true", "1") else ""
    if template == "languages":
        return split_literal(cell)[0]
    if template == "ports":
        return " ".join(sorted(split_literal(cell)[0].split()))
    return cell


def _rows(key: Key, table: Table) -> Iterator[Row]:
    """A table as the rows of the query."""
    template = key[0]
    if template in _FANS:
        if table:
            yield key[-1], str(sum(table.values())), str(max(map(int, table)))
        return
    for cell, n in table.items():
        if template in _BY_PREDICATE:
            yield key[-1], cell, str(n)
        elif template == "kinds":
            yield cell or None, "true" if cell else "false", str(n)
        elif template == "ports":
            yield (literal(cell),)
        else:
            yield literal(cell) if template == "languages" else cell, str(n)


@dataclass
class _Node:
    """A node's numbers of facts by predicate, and its types by type relation."""

    out: Counter[str] = field(default_factory=Counter)
    into: Counter[str] = field(default_factory=Counter)
    types: Counter[tuple[str, str]] = field(default_factory=Counter)

    def without(self, other: _Node) -> _Node:
        """What is left without some facts and types."""
        pairs = (self.out, other.out), (self.into, other.into), (self.types, other.types)
        return _Node(*(Counter({x: a[x] - b[x] for x in {*a, *b}}) for a, b in pairs))


def updated(
    store: Store, tables: Mapping[Key, Table], changes: Changes
) -> dict[Key, Counter[str]] | None:
    """The tables of an earlier state as they are now.

    Args:
        store: the graph now.
        tables: of the state since which it has changed.
        changes: since then.

    Returns:
        None where all is to be counted in the graph.

    Raises:
        StoreError: the database failed.
    """
    triples: Counter[Triple] = Counter()
    for some, n in ((changes.new, 1), (changes.gone, -1)):
        for s, p, o in some:
            if s is None or p is None or o is None:
                return None
            triples[s, p, o] += n
    result = {key: Counter(table) for key, table in tables.items()}
    size = sum(result.get(("predicates",), Counter()).values())
    if len(triples) > SHARE * size:
        return None
    sums = _Sums(result)
    for triple, n in triples.items():
        for key, cell in sums.of_triple(triple):
            result[key][cell] += n
    differences = sums.differences(triples)
    try:
        nodes = _read(store, differences, sums.typed_by)
    except (KeyError, ValueError):  # an id that no query can name
        return None
    for id, difference in differences.items():
        for state, n in ((nodes[id], 1), (nodes[id].without(difference), -1)):
            for key, cell, times in sums.of_node(id, state):
                result[key][cell] += n * times
    for table in result.values():
        if any(n < 0 for n in table.values()):
            return None  # they were not of that state
    return {key: +table for key, table in result.items()}


class _Sums:
    """What triples and nodes add to the cells of some tables."""

    def __init__(self, keys: Iterable[Key]):
        self.keys = frozenset(keys)
        self.typed_by = sorted({key[2] for key in self.keys if key[0] == "ends"})
        self._languages = [key for key in self.keys if key[0] == "languages"]
        self._meeting = [key for key in self.keys if key[0] in ("kinds", "ports")]
        self._is_relation = lru_cache(maxsize=None)(_is_relation)

    def of_triple(self, triple: Triple) -> Iterator[tuple[Key, str]]:
        """The cells to which it adds one."""
        _, p, o = triple
        cells = [(("predicates",), p), (("types", p), o)]
        if is_literal(o):
            _, datatype, language = split_literal(o)
            cells.append((("datatypes", p), datatype))
            cells += [(key, language or "") for key in self._languages if p in key[1:]]
        return ((key, cell) for key, cell in cells if key in self.keys)

    def of_node(self, id: str, node: _Node) -> Iterator[tuple[Key, str, int]]:
        """The cells to which it adds, and how much."""
        for view, end, degrees in (
            ("subjects", "source", node.out),
            ("objects", "target", node.into),
        ):
            for p, n in degrees.items():
                if n and (view, p) in self.keys:
                    yield (view, p), str(n), 1
                for (relation, type), is_one in node.types.items():
                    if is_one and ("ends", end, relation, p) in self.keys:
                        yield ("ends", end, relation, p), type, n
        for key in self._meeting:
            ports = [
                side + p
                for side, degrees in (("+", node.out), ("-", node.into))
                for p, n in degrees.items()
                if n and self._is_relation(p, *key[1:])
            ]
            if not ports:
                continue
            if key[0] == "ports":
                yield key, " ".join(sorted(ports)), 1
            else:
                yield key, split_literal(id)[1] if is_literal(id) else "", 1

    def differences(self, triples: Mapping[Triple, int]) -> dict[str, _Node]:
        """By node that may add something else now: what facts it has more, or less."""
        found: defaultdict[str, _Node] = defaultdict(_Node)
        for (s, p, o), n in triples.items():
            if n and (p in self.typed_by or self._counts(p, "subjects", "source")):
                found[s].out[p] += n
                if p in self.typed_by:
                    found[s].types[p, o] += n
            if n and self._counts(p, "objects", "target"):
                found[o].into[p] += n
        return found

    def _counts(self, p: str, view: str, end: str) -> bool:
        """Whether some node may add to a table because of its facts of a predicate."""
        return (
            (view, p) in self.keys
            or any(("ends", end, relation, p) in self.keys for relation in self.typed_by)
            or any(self._is_relation(p, *key[1:]) for key in self._meeting)
        )


def _is_relation(p: str, excluded: str, begins: str) -> bool:
    """As ``schema/relation.j2`` has it."""
    starts = [split_literal(x)[0] for x in json.loads(begins)]
    if starts and not (p.startswith(starts[0]) or (starts[1:] and not p.startswith(starts[1]))):
        return False
    others = json.loads(excluded)
    return p not in others and not p.startswith(
        tuple(split_literal(x)[0] for x in others if is_literal(x))
    )


def _read(store: Store, ids: Iterable[str], typed_by: Sequence[str]) -> dict[str, _Node]:
    """Some nodes as they are in the graph."""
    nodes = {id: _Node() for id in ids}
    sources = [id for id in nodes if not is_literal(id)]
    for id, p, n in _about(store, "degrees", ("n", "p", "facts"), sources, end="source"):
        nodes[id].out[p] = int(n)
    for id, p, n in _about(store, "degrees", ("n", "p", "facts"), nodes, end="target"):
        nodes[id].into[p] = int(n)
    for relation in typed_by:
        for id, type in _about(store, "types_of", ("n", "type"), sources, type_relation=relation):
            nodes[id].types[relation, type] = 1
    return nodes


def _about(
    store: Store, template: str, columns: tuple[str, ...], ids: Iterable[str], **values: str
) -> Iterator[Any]:
    """The rows of a query about some nodes."""

    def query(nodes: Sequence[str], **given: str) -> Query:
        text = store.render(f"schema/{template}.rq.j2", nodes=nodes, **values)
        return Query(text, columns, given, template)

    ids = list(ids)
    for some in chunked((id for id in ids if not is_blank(id)), TOGETHER):
        yield from store.run(query(some))
    for id in ids:  # a query text cannot name a blank node; a parameter can
        if is_blank(id):
            yield from store.run(query((), n=id))

"""Triples as rows of a table: head, relation, tail.

Numbers and dates are values, see `ValueColumns`. Nodes and relations get IRIs of their own
under a base, percent-encoded so that `isomatch.store.terms.local_name` gives the cell back, and
their text as ``rdfs:label``. A cell that is an absolute http(s) IRI in angle brackets stands for
itself.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from io import TextIOWrapper
from itertools import islice
from typing import IO
from urllib.parse import quote

import pyoxigraph as ox

from isomatch.errors import LoadError
from isomatch.store.terms import RDFS_LABEL, XSD

BASE = "urn:isomatch:"
DELIMITERS = ("\t", "|", ",", ";")
QUOTED = (",", ";")  # only these are CSV with quotes; elsewhere a quote is text
_HEADER = (
    {"head", "subject", "source"},
    {"relation", "predicate", "property"},
    {"tail", "object", "target"},
)
_UNDECODED = re.compile(r"[\ud800-\udfff]")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_NUMBERS = {XSD + "integer", XSD + "decimal"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_DIGITS = 18  # longer numbers are codes
_SAMPLE_LINES = 200
_REMEMBERED = 500_000
_LOOKED_AT = 1000  # rows of all tables together


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is no triple.

    Attributes:
        file: path as given.
        line: number of its first line, from 1.
        reason: what is wrong with it.
        text: its beginning, at most 200 characters.
    """

    file: str
    line: int
    reason: str
    text: str


class ValueColumns:
    """Which relations of some tables lead to values, so that their tails are no nodes.

    Those whose tails are numbers in all rows, or ISO dates in all rows, where none of them is
    the head of a row: a film may be called 1984.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._heads: set[str] = set()
        self._first: dict[str, tuple[str, str, str]] = {}  # rows by their heads
        self._rows = 0

    def read(self, rows: Iterable[list[str]]) -> None:
        """Look at the rows of a table; those that are no triples are passed over."""
        for cells in rows:
            if _reason(cells) is None:
                head, relation, tail = cells
                if self._rows < _LOOKED_AT:
                    self._rows += 1
                    self._first[head] = (head, relation, tail)
                kind = _datatype(tail)
                if self._kinds.setdefault(relation, kind) != kind:
                    mixed = {kind, self._kinds[relation]} - _NUMBERS
                    self._kinds[relation] = "" if mixed else XSD + "decimal"
                if _datatype(head):
                    self._heads.add(head)

    def doubt(self) -> str | None:
        """What to tell of tables that seem to have a column for each property.

        Every row has a head of its own there, and many a relation of its own.
        """
        relations = {relation for _, relation, _ in self._first.values()}
        if len(self._first) < self._rows or len(relations) < max(3, self._rows / 4):
            return None
        head, relation, tail = list(self._first.values())[-1]
        return (
            f"rows are read as head, relation, tail, as {head!r}, {relation!r}, {tail!r}: a table "
            "with a column for each property needs a row for each of its cells instead"
        )

    def without_heads(self, rows: Iterable[list[str]]) -> None:
        """Take the relations out that lead to the head of a row."""
        for cells in rows if self._heads else ():
            if len(cells) == 3 and cells[2] in self._heads:
                self._kinds[cells[1]] = ""

    def of(self, relation: str, tail: str) -> ox.Literal | None:
        """The value of a cell; None where it is a node."""
        kind = self._kinds.get(relation) and _datatype(tail)
        return ox.Literal(tail, datatype=ox.NamedNode(kind)) if kind else None


def _datatype(cell: str) -> str:
    """The datatype of a number or an ISO date; empty for other texts, as codes like 007."""
    if len(cell) <= _MOST_DIGITS and _NUMBER.fullmatch(cell):
        return XSD + ("decimal" if "." in cell else "integer")
    if _DATE.fullmatch(cell):
        try:
            date.fromisoformat(cell)
        except ValueError:
            return ""
        return XSD + "date"
    return ""


def table_rows(stream: IO[bytes], delimiter: str | None = None) -> Iterator[list[str]]:
    """The cells of the rows of a table, as `read_triples` reads them, malformed ones too."""
    text = TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="\n")
    sample = list(islice(text, _SAMPLE_LINES))
    found = delimiter or find_delimiter(sample) or "\t"
    for _, cells, _ in _rows(_chain(sample, text), found):
        yield [cell.strip() for cell in cells]


def find_delimiter(lines: list[str]) -> str | None:
    """The delimiter that gives three columns in most rows; None when none does in half."""
    lines = [line for line in lines if line.strip()]
    best, most = None, 0
    for delimiter in DELIMITERS:
        columns = [len(cells) for _, cells, _ in _rows(iter(lines), delimiter)]
        if (rows := columns.count(3)) > most and rows >= len(columns) / 2:
            best, most = delimiter, rows
    return best


def read_triples(
    stream: IO[bytes],
    name: str,
    on_bad: Callable[[BadRow], None],
    *,
    delimiter: str | None = None,
    base: str | None = None,
    values: ValueColumns | None = None,
) -> Iterator[ox.Quad]:
    """Quads of a table, with a label for every node and relation.

    Args:
        stream: UTF-8 text, decompressed.
        name: the file's name, for messages.
        on_bad: called for every bad row; it may raise to end the load.
        delimiter: one character; found among tab, ``|``, ``,`` and ``;`` if None.
        base: IRIs are ``<base>node:…`` and ``<base>relation:…`` (with ``/`` for
            ``:`` where the base does not end in a colon).
        values: which tails are values; none if None.

    Raises:
        LoadError: no delimiter gives three columns, or the base is no IRI.
    """
    # Undecodable bytes become lone surrogates here and a bad row below, so that
    # one of them does not end the file.
    text = TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="\n")
    sample = list(islice(text, _SAMPLE_LINES))
    if delimiter is None and (delimiter := find_delimiter(sample)) is None and any(sample):
        start = sample[0].strip()[:100].encode("utf-8", "replace").decode()
        raise LoadError(
            f"{name}: neither tab, '|', ',' nor ';' gives three columns (head, relation, tail); it "
            f"begins {start!r}. Name the delimiter, or the format if this is no table. A table "
            "with a column for each property needs a row for each of its cells instead"
        )
    mint = _Mint(BASE if base is None else base, values or ValueColumns())
    first = True
    for line, cells, error in _rows(_chain(sample, text), delimiter or "\t"):
        cells = [cell.strip() for cell in cells]
        header, first = first and _is_header(cells), False
        if header:
            continue
        reason = error or _reason(cells)
        if reason is None:
            try:
                yield from mint.quads(*cells)
            except ValueError as problem:
                reason = str(problem)
        if reason is not None:
            shown = (delimiter or "\t").join(cells)[:200]
            on_bad(BadRow(name, line, reason, shown.encode("utf-8", "replace").decode()))


def _chain(sample: list[str], rest: Iterator[str]) -> Iterator[str]:
    yield from sample
    sample.clear()
    yield from rest


def _rows(lines: Iterator[str], delimiter: str) -> Iterator[tuple[int, list[str], str | None]]:
    """(first line's number, cells, what the CSV reader found wrong) of each row."""
    if delimiter not in QUOTED:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield number, line.split(delimiter), None
        return
    csv.field_size_limit(max(csv.field_size_limit(), 2**31 - 1))
    current: list[str] = []

    def remembered() -> Iterator[str]:
        for line in lines:
            current.append(line)
            yield line

    reader = csv.reader(remembered(), delimiter=delimiter, strict=True)
    start = 1
    while True:
        current.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield start, ["".join(current)], f"malformed quotes: {error}"
        else:
            if cells:
                yield start, cells, None
        start = reader.line_num + 1


def _is_header(cells: list[str]) -> bool:
    words = [cell.lower() for cell in cells]
    return len(words) == 3 and all(
        word in known for word, known in zip(words, _HEADER, strict=True)
    )


def _reason(cells: list[str]) -> str | None:
    if len(cells) != 3:
        columns = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
        return f"{columns} where three are expected (head, relation, tail)"
    for cell, what in zip(cells, ("head", "relation", "tail"), strict=True):
        if not cell:
            return f"the {what} is empty"
        if "\0" in cell:
            return f"the {what} holds a NUL character"
        if _UNDECODED.search(cell):
            return f"the {what} is not UTF-8"
    return None


class _Mint:
    """Makes nodes and relations of cells, and labels them when first seen."""

    def __init__(self, base: str, values: ValueColumns):
        self._values = values
        try:
            ox.NamedNode(base)
        except ValueError as error:
            raise LoadError(f"the base {base!r} is not an IRI: {error}") from error
        end = ":" if base.endswith(":") else "/"
        base = base if base.endswith((":", "/", "#")) else base + "/"
        self._node, self._relation = f"{base}node{end}", f"{base}relation{end}"
        self._label = ox.NamedNode(RDFS_LABEL)
        self._seen: dict[tuple[str, str], ox.NamedNode] = {}

    def quads(self, head: str, relation: str, tail: str) -> Iterator[ox.Quad]:
        """The fact of a row and the labels that are new; ValueError for a bad IRI."""
        new: list[ox.Quad] = []
        subject = self._term(self._node, head, new)
        predicate = self._term(self._relation, relation, new)
        target = self._values.of(relation, tail) or self._term(self._node, tail, new)
        yield ox.Quad(subject, predicate, target)
        yield from new

    def _term(self, prefix: str, cell: str, new: list[ox.Quad]) -> ox.NamedNode:
        term = self._seen.get((prefix, cell))
        if term is None:
            if cell.startswith(("<http://", "<https://")) and cell.endswith(">"):
                term = ox.NamedNode(cell[1:-1])
            else:
                term = ox.NamedNode(prefix + quote(cell, safe=""))
                new.append(ox.Quad(term, self._label, ox.Literal(cell)))
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()  # bounds memory; a label written twice is one label
            self._seen[prefix, cell] = term
        return term

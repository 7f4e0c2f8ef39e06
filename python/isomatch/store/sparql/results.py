"""Answers of the SPARQL protocol as rows of ids."""

from __future__ import annotations

import csv
import io
import re
from math import inf
from typing import Any

import pyoxigraph as ox

from isomatch.store.base import Query, Row
from isomatch.store.cells import json_cell, term_cell
from isomatch.store.sparql.json_results import NotResults, Readable, read_json
from isomatch.store.sparql.xml_results import read_xml
from isomatch.store.terms import literal

ACCEPT = {
    "json": "application/sparql-results+json, application/json;q=0.9",
    "xml": "application/sparql-results+xml, application/xml;q=0.9",
    "tsv": "text/tab-separated-values",
    "csv": "text/csv",
}
"""What to ask for, by the name of a format."""

_FORMATS = {
    "application/sparql-results+json": "json",
    "application/json": "json",
    "application/sparql-results+xml": "xml",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/tab-separated-values": "tsv",
    "text/csv": "csv",
}
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|^`\\]+")
_SCHEMES = ("http:", "https:", "urn:", "mailto:", "tag:", "file:", "ftp:", "info:", "doi:")


def format_of(media_type: str) -> str | None:
    """The format that a content type names; None where it is none of results."""
    return _FORMATS.get(media_type.partition(";")[0].strip().lower())


def computed(query: Query) -> frozenset[str]:
    """The columns that the text assigns, which hold values that a query computes."""
    return frozenset(name for name in query.columns if f" AS ?{name})" in query.text)


class _Enough(Exception):
    """All rows that were asked for are there; what follows is not read."""


def read(query: Query, format: str, source: Readable, most: int | None = None) -> list[Row]:
    """All rows of an answer, in the order of the query's columns.

    An ``ASK`` gives one row, ("true",) or ("false",).

    Args:
        format: see `format_of`.
        source: the body; read to its end.
        most: rows that the query asks for at most; a server that sends more is not read on.

    Raises:
        NotResults: the body is not of this format, or ends too early.
    """
    reader = {"json": _json, "xml": _xml, "tsv": _tsv, "csv": _csv}[format]
    try:
        return reader(query, source, inf if most is None else most)
    except UnicodeDecodeError as error:
        ended = error.reason == "unexpected end of data"
        said = f"it is not UTF-8 ({error.reason} at byte {error.start})"
        raise NotResults(said, ended=ended) from error
    except NotResults:
        raise
    except RecursionError as error:
        raise NotResults("it is nested too deep") from error
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise NotResults(f"a row of it is of another form: {error!r}") from error


def _json(query: Query, source: Readable, most: float) -> list[Row]:
    return _solutions(query, source, most, read_json)


def _xml(query: Query, source: Readable, most: float) -> list[Row]:
    return _solutions(query, source, most, read_xml)


def _solutions(query: Query, source: Readable, most: float, read: Any) -> list[Row]:
    lexical = computed(query)
    plan = [(name, name in lexical) for name in query.columns]
    rows: list[Row] = []
    known: dict[str, str] = {}  # the ids of IRIs, most of which come in many rows

    def cell(term: dict[str, Any], how: bool) -> str:
        if term["type"] != "uri":
            return json_cell(term, how)
        iri = term["value"]
        id = known.get(iri)
        if id is None:
            id = known[iri] = json_cell(term)
        return id

    def add(solution: dict[str, Any]) -> None:
        if len(rows) >= most:
            raise _Enough
        rows.append(
            tuple([cell(solution[name], how) if name in solution else None for name, how in plan])
        )

    try:
        variables, answer = read(source, add)
    except _Enough:
        return rows
    if answer is not None:
        return [_boolean(answer)]
    if variables is not None:
        _check(query, variables)
    return rows


def _tsv(query: Query, source: Readable, most: float) -> list[Row]:
    results: Any = None
    rows: list[Row] = []
    try:
        results = ox.parse_query_results(source, format=ox.QueryResultsFormat.TSV)  # type: ignore[arg-type]
        if isinstance(results, ox.QueryBoolean):
            return [_boolean(bool(results))]
        names = [variable.value for variable in results.variables]
        _check(query, names)
        lexical = computed(query)
        plan = [(names.index(name), name in lexical) for name in query.columns]
        for solution in results:  # no comprehension, whose frame would outlive an error
            if len(rows) >= most:
                break
            rows.append(tuple([term_cell(solution[place], how) for place, how in plan]))
    except SyntaxError as error:
        words = str(error.msg)
        ended = bool(re.search(r"unexpected end|file end|end of file|EOF", words, re.IGNORECASE))
        raise NotResults(words, ended=ended) from error
    finally:
        del results  # it must not be dropped by another thread, with an error's frames
    return rows


def _csv(query: Query, source: Readable, most: float) -> list[Row]:
    text = io.TextIOWrapper(io.BufferedReader(_Raw(source)), encoding="utf-8-sig", newline="")
    lines = csv.reader(text, strict=True)
    try:
        names = [name.strip() for name in next(lines, [])]
        _check(query, names)
        places = [names.index(name) for name in query.columns]
        lexical = computed(query)
        plan = [(place, name in lexical) for place, name in zip(places, query.columns, strict=True)]
        rows: list[Row] = []
        for line in lines:
            if len(rows) >= most:
                break
            if len(line) != len(names) and line:
                raise NotResults(f"a line has {len(line)} values where {len(names)} belong")
            rows.append(tuple(_csv_cell(line[place] if line else "", how) for place, how in plan))
    except csv.Error as error:
        raise NotResults(str(error), ended="unexpected end" in str(error)) from error
    return rows


def _csv_cell(text: str, lexical: bool) -> str | None:
    if not text or lexical:
        return text or None
    if text.startswith("_:"):
        return text
    if text.lower().startswith(_SCHEMES) and _IRI.fullmatch(text):
        return text
    return literal(text)


def _boolean(answer: bool) -> Row:
    return ("true" if answer else "false",)


def _check(query: Query, names: list[str]) -> None:
    if missing := [name for name in query.columns if name not in names]:
        raise NotResults(f"it has no column {missing[0]!r}", ended=not names)


class _Raw(io.RawIOBase):
    """A source as the standard library's streams want it."""

    def __init__(self, source: Readable):
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._source.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

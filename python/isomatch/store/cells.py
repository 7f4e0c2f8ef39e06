"""RDF terms of an engine or of a written answer as the cells of a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from isomatch.store.terms import XSD, is_blank, is_iri, is_literal, literal, split_literal

# Where a query computes a value, these come back as they are written.
LEXICAL = frozenset(XSD + name for name in ("integer", "decimal", "double", "float", "boolean"))

_VIRTUOSO_BLANK = "nodeID://"
_LABEL = re.compile(r"[\w.:\-]+")  # of a blank node, as engines write them
_LANGUAGE = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_HALVES = re.compile("[\ud800-\udfff]")  # of a pair that makes a character
_DATED = tuple(f"^^<{XSD}{name}>" for name in ("gYear", "gYearMonth", "date", "dateTime"))
_SHORT_YEAR = re.compile(r'^"-(\d{1,3})(?=[-"T])')
_NO_CHARACTER = "\ufffd"


def term_cell(term: Any, lexical: bool = False) -> str | None:
    """A term of pyoxigraph as an id; with ``lexical`` a number or boolean as written."""
    if term is None or type(term) is ox.Triple:
        return None  # a triple as a term (RDF-star) has no id
    if type(term) is ox.NamedNode:
        return term.value
    if type(term) is ox.Literal and lexical and term.datatype.value in LEXICAL:
        return term.value
    text = str(term)
    if "\\" in text and type(term) is ox.Literal:
        # Oxigraph escapes more characters than `literal` does; an id has one form.
        return literal(term.value, datatype=term.datatype.value, language=term.language)
    return text


def cell_term(id: str) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """An id as a term of pyoxigraph; ValueError where it is none."""
    if is_literal(id):
        value, datatype, language = split_literal(id)
        if language:
            return ox.Literal(value, language=language)
        return ox.Literal(value, datatype=ox.NamedNode(datatype))
    return ox.BlankNode(id[2:]) if is_blank(id) else ox.NamedNode(id)


def json_cell(term: Mapping[str, Any], lexical: bool = False) -> str:
    """A term of SPARQL's JSON results as an id, see `term_cell`.

    An IRI or a literal that no query can write (``http://e/a b``, ``"a"@en us``, half a
    character) is a node that no query can name, as a blank one is, and stands as one:
    ``_:<http://e/a b>``, ``_:"a"@en us``.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is none.
    """
    kind, value = term["type"], term["value"]
    if kind == "triple":
        parts = [json_cell(value[part]) for part in ("subject", "predicate", "object")]
        written = [part if part[0] in '"_<' else f"<{part}>" for part in parts]
        return f"<< {' '.join(written)} >>"
    mark = ""
    if not value.isascii() and _HALVES.search(value):
        mark, value = "_:", _HALVES.sub(_NO_CHARACTER, value)
    if kind == "uri":
        return value if not mark and is_iri(value) else f"_:<{value}>"
    if kind == "bnode":
        label = value.removeprefix(_VIRTUOSO_BLANK)
        return f"_:{label if _LABEL.fullmatch(label) else quote(label, safe='')}"
    if kind in ("literal", "typed-literal"):  # the second is Virtuoso's
        datatype, language = term.get("datatype"), term.get("xml:lang")
        if lexical and datatype in LEXICAL:
            return str(value)
        id = literal(value, datatype=datatype, language=language)
        if not _can_be_written(datatype, language):
            return f"_:{_HALVES.sub(_NO_CHARACTER, id)}"
        return mark + id
    raise ValueError(f"a term of the type {kind!r}")


def whole_year(cell: str | None) -> str | None:
    """A cell of Virtuoso 7, which writes ``-050-03-15`` for 15 March 51 BC: with four digits."""
    if cell is None or not cell.startswith('"-') or not cell.endswith(_DATED):
        return cell
    return _SHORT_YEAR.sub(lambda m: f'"-{m[1]:0>4}', cell)


@lru_cache(maxsize=1024)
def _can_be_written(datatype: str | None, language: str | None) -> bool:
    if language and not _LANGUAGE.fullmatch(language):
        return False
    return not datatype or (is_iri(datatype) and _HALVES.search(datatype) is None)

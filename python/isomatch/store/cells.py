"""RDF terms of an engine or of a written answer as the cells of a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyoxigraph as ox

from isomatch.store.terms import XSD, is_iri, literal

# Where a query computes a value, these come back as they are written.
LEXICAL = frozenset(XSD + name for name in ("integer", "decimal", "double", "float", "boolean"))

_VIRTUOSO_BLANK = "nodeID://"


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


def json_cell(term: Mapping[str, Any], lexical: bool = False) -> str:
    """A term of SPARQL's JSON results as an id, see `term_cell`.

    An IRI that no query can write (``http://e/a b``) is a node that no query can name,
    as a blank one is, and stands as one: ``_:<http://e/a b>``.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    kind, value = term["type"], term["value"]
    if kind == "uri":
        return value if is_iri(value) else f"_:<{value}>"
    if kind == "bnode":
        return f"_:{value.removeprefix(_VIRTUOSO_BLANK)}"
    if kind in ("literal", "typed-literal"):  # the second is Virtuoso's
        datatype = term.get("datatype")
        if lexical and datatype in LEXICAL:
            return str(value)
        return literal(value, datatype=datatype, language=term.get("xml:lang"))
    if kind == "triple":
        parts = [json_cell(value[part]) for part in ("subject", "predicate", "object")]
        written = [part if part[0] in '"_<' else f"<{part}>" for part in parts]
        return f"<< {' '.join(written)} >>"
    raise ValueError(f"a term of the type {kind!r}")

"""Terms of rdflib as ids and back, and the one term that rdflib knows as two."""

from __future__ import annotations

from typing import Any

from isomatch.errors import MissingExtraError

try:
    import rdflib
except ModuleNotFoundError as error:
    raise MissingExtraError('rdflib is not installed: pip install "isomatch[rdflib]"') from error

import pyoxigraph as ox

from isomatch.store.cells import LEXICAL
from isomatch.store.terms import XSD, is_blank, is_iri, is_literal, literal, split_literal

STRING = rdflib.URIRef(XSD + "string")
NAMELESS = ""
"""Stands for a term that has no id: a relative IRI, a formula of N3."""


def to_id(term: Any, lexical: bool = False) -> str | None:
    """A term of rdflib as an id.

    Args:
        lexical: a number or boolean as written, without its datatype.

    Example:
        >>> to_id(rdflib.Literal("Paris", lang="fr"))
        '"Paris"@fr'
    """
    if term is None:
        return None
    if isinstance(term, rdflib.URIRef):
        return str(term) if is_iri(term) else NAMELESS
    if isinstance(term, rdflib.BNode):
        return f"_:{term}"
    if isinstance(term, rdflib.Literal):
        datatype = None if term.datatype is None else str(term.datatype)
        if lexical and datatype in LEXICAL:
            return str(term)
        return literal(str(term), datatype=datatype, language=term.language)
    return NAMELESS


def to_term(id: str) -> Any:
    """An id as a term of rdflib, in the lexical form that it has.

    Raises:
        ValueError: not an id of RDF.

    Example:
        >>> to_term("urn:heat"), to_term('"Paris"@fr')
        (rdflib.term.URIRef('urn:heat'), rdflib.term.Literal('Paris', lang='fr'))
    """
    if is_literal(id):
        value, datatype, language = split_literal(id)
        if language:
            return rdflib.Literal(value, lang=language)
        kind = None if datatype == XSD + "string" else rdflib.URIRef(datatype)
        return rdflib.Literal(value, datatype=kind, normalize=False)
    if is_blank(id):
        return rdflib.BNode(id[2:])
    if not is_iri(id):
        raise ValueError(f"not an id of RDF: {id[:80]!r}")
    return rdflib.URIRef(id)


def forms(term: Any) -> tuple[Any, ...]:
    """The terms that rdflib may know this one as: a plain literal is an xsd:string too."""
    if type(term) is rdflib.Literal and term.datatype is None and term.language is None:
        return term, rdflib.Literal(term, datatype=STRING)
    return (term,)


def plain(term: Any) -> Any:
    """The first of a term's `forms`."""
    if type(term) is rdflib.Literal and term.datatype == STRING:
        return rdflib.Literal(str(term))
    return term


def oxigraph_term(term: Any) -> Any:
    """A term of rdflib as one of Oxigraph.

    Raises:
        ValueError: Oxigraph could not hold it.
    """
    if isinstance(term, rdflib.URIRef):
        return ox.NamedNode(term)
    if isinstance(term, rdflib.BNode):
        return ox.BlankNode(term)
    if not isinstance(term, rdflib.Literal):
        raise ValueError(f"no term of RDF: {term!r}")
    if term.language:
        return ox.Literal(term, language=term.language)
    return ox.Literal(term, datatype=ox.NamedNode(term.datatype or STRING))

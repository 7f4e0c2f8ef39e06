"""RDF terms as id strings, and words for those that have no name.

An IRI stands for itself, a blank node is ``_:label``, a literal is its
N-Triples form. One module writes and reads these forms, so that quoting is in
one place.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
ELEMENT = "urn:isomatch:element:"  # begins the IRIs of what is no term of RDF
RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_LITERAL = re.compile(
    r'"(?P<value>[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*)"'
    r"(?:@(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^<(?P<datatype>[^<>\"{}|^`\\\x00-\x20]*)>)?",
    re.DOTALL,
)
_TEXT = re.compile(r'"[^"\\\n\r]*"')  # a literal that is nothing but its value
_STRING = XSD + "string"
_NOT_IN_IRI = re.compile(r"[<>\"{}|^`\\\x00-\x20]")
_ELEMENT_ID = re.compile(r"\d+:[0-9a-f-]+:(\d+)")  # of Neo4j
_MACHINE_ID = re.compile(r"(?:m\.0|g\.1)[0-9b-df-hj-np-tv-z_]+")  # of Freebase
_PAGE = re.compile(r"https?://[^/]+/(?:resource|wiki)/([^#]*[^#/])/?$")

_KINDS = {
    "text": ("string", "normalizedString", "token"),
    "number": (
        *("integer", "decimal", "float", "double", "int", "long", "short", "byte"),
        *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
        *("unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
    ),
    "date": ("date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth"),
    "boolean": ("boolean",),
}
KIND_OF_DATATYPE = {XSD + name: kind for kind, names in _KINDS.items() for name in names}
KIND_OF_DATATYPE[RDF_LANG_STRING] = "text"


def is_literal(id: str) -> bool:
    """Whether the id is a literal's."""
    return id.startswith('"')


def is_blank(id: str) -> bool:
    """Whether the id is a blank node's."""
    return id.startswith("_:")


def is_iri(id: str) -> bool:
    """Whether the id is an absolute IRI without a character that no IRI has."""
    return ":" in id and _NOT_IN_IRI.search(id) is None and not is_blank(id)


def is_strict_iri(id: str) -> bool:
    """Whether an engine that checks IRIs takes the id for one; others take more (`is_iri`)."""
    from pyoxigraph import NamedNode

    try:
        NamedNode(id)
    except ValueError:
        return False
    return True


def literal(value: str, *, datatype: str | None = None, language: str | None = None) -> str:
    """The id of a literal: its N-Triples form; plain strings carry no datatype."""
    quoted = '"' + re.sub(r'["\\\n\r\t]', lambda m: _ESCAPES[m.group()], value) + '"'
    if language:
        return f"{quoted}@{language}"
    if datatype and datatype != _STRING:
        return f"{quoted}^^<{datatype}>"
    return quoted


def split_literal(id: str) -> tuple[str, str, str | None]:
    """(value, datatype IRI, language tag) of a literal's id.

    Raises:
        ValueError: the id is no literal.
    """
    if _TEXT.fullmatch(id):  # as most names are
        return id[1:-1], _STRING, None
    if not (match := _LITERAL.fullmatch(id)):
        raise ValueError(f"not a literal: {id[:80]!r}")
    value = match["value"]
    if "\\" in value:
        value = re.sub(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", _unescape, value, flags=re.S)
    if match["language"]:
        return value, RDF_LANG_STRING, match["language"]
    return value, match["datatype"] or _STRING, None


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "uU":
        return chr(int(code[1:], 16))
    return _UNESCAPES.get(code, code)


def literal_kind(id: str) -> str:
    """``text``, ``number``, ``date``, ``boolean`` or ``other``."""
    return KIND_OF_DATATYPE.get(split_literal(id)[1], "other")


@lru_cache(maxsize=65536)
def to_sparql(id: str) -> str:
    """The term as SPARQL writes it, checked and escaped: the only way into a text.

    Raises:
        ValueError: not a term, or a blank node (SPARQL cannot name one).
    """
    if is_literal(id):
        value, datatype, language = split_literal(id)
        return (
            literal(value, datatype=datatype, language=language)
            if language
            else (literal(value, datatype=None if datatype == _STRING else datatype))
        )
    if is_blank(id):
        raise ValueError(f"a query cannot name the blank node {id}")
    if not is_iri(id):
        raise ValueError(f"not an IRI: {id[:80]!r}")
    return f"<{id}>"


def element_iri(id: str) -> str:
    """An IRI for what is no term of RDF, as the ``elementId`` of a node of Neo4j.

    Example:
        >>> element_iri("4:f00:12")
        'urn:isomatch:element:4:f00:12'
    """
    return ELEMENT + quote(id, safe=":-._~")


def local_name(iri: str) -> str:
    """The last part of an IRI, percent-decoded: after ``#`` or ``/``, else after ``:``.

    Pages of DBpedia and Wikipedia may have slashes in their names.

    Example:
        >>> local_name("http://dbpedia.org/resource/AC/DC")
        'AC/DC'
        >>> local_name("http://dbpedia.org/resource/Alien:_Covenant"), local_name("urn:ex:heat")
        ('Alien:_Covenant', 'heat')
    """
    if is_blank(iri):
        return iri
    if page := _PAGE.match(iri):
        return unquote(page[1])
    whole = iri.rstrip("#/")
    # A colon may be of the name itself, where there is a path before it.
    last = re.split(r"[#/]" if re.search(r"[#/]", whole) else ":", whole)[-1]
    return unquote(last) or iri


def words(name: str) -> str:
    """A schema name as words: ``ACTED_IN`` and ``actedIn`` become "acted in"."""
    text = re.sub(r"[_\-.]+", " ", name)
    small, capital = "[a-zß-öø-ÿ]", "[A-ZÀ-ÖØ-Þ]"
    text = re.sub(f"(?<={small}|[0-9])(?={capital})|(?<={capital})(?={capital}{small})", " ", text)
    text = " ".join(text.split())
    return text.lower() if text else name


def is_nameless(id: str, name: str) -> bool:
    """Whether a node is called by an identifier that tells a reader nothing.

    So are blank nodes, nodes of Neo4j that are called by the number of their id, and Freebase's
    nodes for facts of several parts, which have its machine ids for names.

    Example:
        >>> is_nameless("_:b0", "_:b0"), is_nameless("urn:ex:1", "m.02kp9lp")
        (True, True)
        >>> is_nameless("urn:ex:T-2", "T-2")
        False
    """
    element = _ELEMENT_ID.fullmatch(id)
    if is_blank(id) or (element and name == f"Node {element[1]}"):
        return True
    return not is_literal(id) and bool(_MACHINE_ID.fullmatch(name))


def name_path(name: str) -> tuple[str, ...]:
    """The parts of a name that says its class first, as Freebase's do; else the name alone.

    Example:
        >>> name_path("people.person.place_of_birth")
        ('people', 'person', 'place_of_birth')
        >>> name_path("/film/film/genre"), name_path("actedIn")
        (('film', 'film', 'genre'), ('actedIn',))
    """
    found = tuple(part for part in re.split(r"[./]+", name) if part)
    return found if all(re.search("[^\\W\\d]", part) for part in found) else (name,)


def display_name(id: str) -> str:
    """Words for a node without a name: a literal's value, an IRI's local name, a blank node."""
    if is_literal(id):
        return split_literal(id)[0]
    if is_blank(id):
        return id
    return local_name(id).replace("_", " ") or id

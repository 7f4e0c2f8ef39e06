"""Values as Cypher literals, for text that people paste; a search sends parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable

from isomatch.store.terms import XSD, is_literal, split_literal
from isomatch.store.values import WKT, from_id

_FUNCTIONS = {XSD + t: t.lower() for t in ("date", "time", "dateTime", "duration")}
_ZONED = (XSD + "time", XSD + "dateTime")
_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d(:\d\d)?|\])$")


def id_literal(id: str) -> str:
    """A node's id, or a value by its id.

    Raises:
        ValueError: a point of a kind that Neo4j does not have.

    Example:
        >>> print(id_literal('"1995-12-15"^^<http://www.w3.org/2001/XMLSchema#date>'))
        date('1995-12-15')
    """
    if not is_literal(id):
        return text_literal(id)
    text, datatype, _ = split_literal(id)
    if datatype == WKT:
        point = from_id(id)
        places = (f"{axis}: {number!r}" for axis, number in zip("xyz", point, strict=False))
        return f"point({{srid: {point.srid}, {', '.join(places)}}})"
    if datatype == XSD + "double":
        return {"INF": "Infinity", "-INF": "-Infinity"}.get(text, text)
    if datatype in (XSD + "integer", XSD + "boolean"):
        return text
    if function := _FUNCTIONS.get(datatype):
        local = "local" if datatype in _ZONED and not _ZONE.search(text) else ""
        return f"{local}{function}({text_literal(text)})"
    return text_literal(text)


def list_literal(literals: Iterable[str]) -> str:
    """A list of what is written already."""
    return f"[{', '.join(literals)}]"


def text_literal(text: str) -> str:
    """A text on one line; what does not show in it is written by its code.

    Example:
        >>> print(text_literal("it's"))
        'it\\'s'
    """
    quoted = text.translate({ord(c): f"\\{c}" for c in "\\'"}).replace("\n", "\\n")
    return f"'{shown(quoted)}'"


def shown(cypher: str) -> str:
    """A text of Cypher in which everything but line ends shows.

    What does not is written by its code, which Cypher reads in texts and in names.
    Names are data, and must not steer a terminal.

    Example:
        >>> print(shown("MATCH (:`red\x1b[31m`)"))
        MATCH (:`red\\u001b[31m`)
    """
    return "".join(c if c.isprintable() or c == "\n" else _code(c) for c in cypher)


def _code(c: str) -> str:
    units = c.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))

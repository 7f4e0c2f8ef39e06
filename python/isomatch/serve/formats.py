"""Content negotiation, and results as JSON, XML, CSV and TSV.

After the W3C texts "SPARQL 1.1 Query Results JSON Format", "SPARQL Query Results
XML Format (Second Edition)" and "SPARQL 1.1 Query Results CSV and TSV Formats".
rdflib has no writer of TSV, and its writer of XML lets characters pass that XML
does not have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from rdflib.term import BNode, Identifier, Literal, URIRef

from isomatch.serve.refusal import Refusal
from isomatch.serve.sparql import Solutions
from isomatch.store.terms import literal

JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
# What is sent for each type that may be asked for, in our order of preference.
RESULTS = {
    **{JSON: JSON, XML: XML, CSV: CSV, TSV: TSV},
    **{"application/json": JSON, "application/xml": XML, "text/xml": XML},
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def negotiate(accept: str | None, offered: Sequence[str]) -> str:
    """The media type that is sent.

    Args:
        accept: the header; None or empty for anything.
        offered: in our order of preference, which decides between equals.

    Raises:
        Refusal: 406, nothing that is offered is accepted.

    Example:
        >>> negotiate("text/csv;q=0.5, application/*;q=0.2", ["application/xml", "text/csv"])
        'text/csv'
    """
    ranges = [_range(part) for part in (accept or "*/*").split(",") if part.strip()]

    def quality(media: str) -> float:
        fitting = [
            (specific, q)
            for wanted, q in ranges
            for specific, form in enumerate(("*/*", media.split("/")[0] + "/*", media))
            if wanted == form
        ]
        return max(fitting)[1] if fitting else 0.0

    best = max(offered, key=quality)  # the first one of the best
    if quality(best) <= 0:
        raise Refusal(406, f"nothing of {accept} can be had here; there are {', '.join(offered)}")
    return best


def _range(part: str) -> tuple[str, float]:
    media, *parameters = (piece.strip().lower() for piece in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return media, min(max(float(value), 0.0), 1.0)
            except ValueError:
                return media, 0.0
    return media, 1.0


def write(result: Solutions | bool, accept: str | None) -> tuple[bytes, str]:
    """The body of a result and its media type.

    Raises:
        Refusal: 406, no accepted format takes the result: CSV and TSV have no form
            for ASK, and XML none for control characters.
    """
    offered = [m for m in RESULTS if not isinstance(result, bool) or RESULTS[m] in (JSON, XML)]
    media = negotiate(accept, offered)
    text = _WRITERS[RESULTS[media]](result)
    return text.encode(), media if media.startswith("application/") else f"{media}; charset=utf-8"


def _json(result: Solutions | bool) -> str:
    if isinstance(result, bool):
        return json.dumps({"head": {}, "boolean": result})
    bindings = [
        {v: _json_term(t) for v, t in zip(result.variables, row, strict=True) if t is not None}
        for row in result.rows
    ]
    form = {"head": {"vars": result.variables}, "results": {"bindings": bindings}}
    return json.dumps(form, ensure_ascii=False)


def _json_term(term: Identifier) -> dict[str, str]:
    if isinstance(term, URIRef):
        return {"type": "uri", "value": str(term)}
    if isinstance(term, BNode):
        return {"type": "bnode", "value": str(term)}
    form = {"type": "literal", "value": str(term)}
    if isinstance(term, Literal):
        if term.language:
            form["xml:lang"] = term.language
        elif term.datatype:
            form["datatype"] = str(term.datatype)
    return form


def _xml(result: Solutions | bool) -> str:
    head = '<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">'
    if isinstance(result, bool):
        return f"{head}<head/><boolean>{str(result).lower()}</boolean></sparql>"
    variables = "".join(f"<variable name={quoteattr(v)}/>" for v in result.variables)
    rows = "\n".join(
        "<result>"
        + "".join(
            f"<binding name={quoteattr(v)}>{_xml_term(t)}</binding>"
            for v, t in zip(result.variables, row, strict=True)
            if t is not None
        )
        + "</result>"
        for row in result.rows
    )
    text = f"{head}<head>{variables}</head>\n<results>{rows}</results></sparql>"
    if _NOT_IN_XML.search(text):
        raise Refusal(
            406, "a value of the result has a control character, which XML has not: ask for JSON"
        )
    return text


def _xml_term(term: Identifier) -> str:
    text = escape(str(term), {"\r": "&#13;"})
    if isinstance(term, URIRef):
        return f"<uri>{text}</uri>"
    if isinstance(term, BNode):
        return f"<bnode>{text}</bnode>"
    mark = ""
    if isinstance(term, Literal):
        if term.language:
            mark = f" xml:lang={quoteattr(term.language)}"
        elif term.datatype:
            mark = f" datatype={quoteattr(str(term.datatype))}"
    return f"<literal{mark}>{text}</literal>"


def _csv(result: Solutions) -> str:
    lines = [result.variables, *(map(_csv_cell, row) for row in result.rows)]
    return "".join(",".join(line) + "\r\n" for line in lines)


def _csv_cell(term: Identifier | None) -> str:
    text = "" if term is None else f"_:{term}" if isinstance(term, BNode) else str(term)
    return '"' + text.replace('"', '""') + '"' if re.search('[",\r\n]', text) else text


def _tsv(result: Solutions) -> str:
    lines: list[Any] = [[f"?{v}" for v in result.variables]]
    lines += [map(_tsv_cell, row) for row in result.rows]
    return "".join("\t".join(line) + "\n" for line in lines)


def _tsv_cell(term: Identifier | None) -> str:
    if term is None:
        return ""
    if isinstance(term, URIRef):
        return f"<{term}>"
    if isinstance(term, BNode):
        return f"_:{term}"
    marks = (term.datatype, term.language) if isinstance(term, Literal) else (None, None)
    return literal(str(term), datatype=marks[0] and str(marks[0]), language=marks[1])


_WRITERS: dict[str, Callable[[Any], str]] = {JSON: _json, XML: _xml, CSV: _csv, TSV: _tsv}

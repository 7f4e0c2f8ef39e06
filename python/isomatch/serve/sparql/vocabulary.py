"""The terms that the SPARQL service understands, and nothing else.

The triples about one subject are one search: what is looked for, its options, and
the variables that take what is found::

    [] isomatch:pattern "(?f:film)-[directed by]-(\"Michael Mann\") return ?f" ;
       isomatch:k 3 ; isomatch:binding ?f ; isomatch:gsd ?gsd .
"""

from __future__ import annotations

import difflib
from typing import Any

import pyoxigraph as ox

from isomatch.serve.errors import RequestError
from isomatch.store.terms import KIND_OF_DATATYPE, XSD

NS = "urn:isomatch:"
# Prefixes of local names: `node-f` is the pattern's node f. Not with a colon, which
# Virtuoso 7 does not read in a prefixed name.
NODE, NAME = "node-", "name-"

SEARCHES = {
    "pattern": "what to look for, in one of isomatch's written forms of patterns",
    "question": "what to look for, as a question in English; read without a language model",
}
OPTIONS = {
    "k": "how many interpretations are given, best first; 1 where it is not said",
    "limit": "most matches of one interpretation; where it is not said, too many are an error",
    "nodes": "which pattern nodes may be one graph node: distinct, anchored, repeat or walk",
    "direction": "as drawn, any, or as written",
    "type_weight": "factor on the distance of a type",
    "k_nodes": "fixed number of candidates for a name",
    "k_relations": "fixed number of candidates for a relation",
    "k_types": "fixed number of candidates for a type",
    "budget_seconds": "the search ends after this; never more than the service allows",
    "exact_vectors": "whether to scan every vector even where there is an approximate index",
}
RESULTS = {
    "binding": "the node that the pattern asks for under the variable's own name",
    "answer": "the one node that is asked for, whatever the variable is called",
    "gsd": "graph semantic distance of the interpretation, an xsd:double",
    "rank": "of the interpretation; 1 is the best",
    "reading": "how the words were read, in words; empty where they were found as they are",
    "holds": "true or false: what a pattern that asks (return ask) is answered by; no row where "
    "that is not known",
    "near": "whether everything was found under words that resemble it",
    "exact": "whether the result is proven equal to brute force over the candidates",
    "complete": "whether no other interpretation of the whole graph is proven nearer",
    "as_of": "when the index was made that exact and complete are relative to, an xsd:dateTime",
}
FAMILIES = {
    NODE + "ID": "the node of that id in the pattern, as isomatch:node-f",
    NAME + "ID": "its name, as isomatch:name-f",
}
_INTEGERS = ("k", "limit", "k_nodes", "k_relations", "k_types")
_NUMBERS = ("type_weight", "budget_seconds")


def local_name(predicate: object) -> str:
    """The term that a predicate is, without the namespace.

    Raises:
        RequestError: not a term of the vocabulary; the message suggests the nearest.
    """
    if not isinstance(predicate, ox.NamedNode):
        raise no_predicate()
    if not predicate.value.startswith(NS):
        raise RequestError(400, f"the predicate {predicate} is not of this service. {supported()}")
    name = predicate.value[len(NS) :]
    known = [*SEARCHES, *OPTIONS, *RESULTS]
    if name.startswith((NODE, NAME)) or name in known:
        return name
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean isomatch:{near[0]}?" if near else supported()
    raise RequestError(400, f"isomatch:{name} is unknown; {hint}")


def option_value(name: str, term: object) -> Any:
    """The value of an option, of the type that `isomatch.options.Options` takes.

    Raises:
        RequestError: not a constant of that type.
    """
    datatype = term.datatype.value if isinstance(term, ox.Literal) else ""
    text = term.value if isinstance(term, ox.Literal) else ""
    is_number = KIND_OF_DATATYPE.get(datatype) == "number"
    kind = "a text"
    if name in _INTEGERS:
        kind = "a whole number"
        if is_number and datatype.removeprefix(XSD) not in ("decimal", "float", "double"):
            return int(text)
    elif name in _NUMBERS:
        kind = "a number"
        if is_number:
            return float(text)
    elif name == "exact_vectors":
        kind = "true or false"
        if datatype == XSD + "boolean":
            return text in ("true", "1")
    elif datatype == XSD + "string":
        return text
    raise RequestError(400, f"isomatch:{name} must be {kind}, not {term}")


def supported() -> str:
    """What the service supports, in one line."""
    terms = ", ".join([*SEARCHES, *OPTIONS, *RESULTS, *FAMILIES])
    return (
        f"Supported: SELECT and ASK over triples with the terms of <{NS}> ({terms}), "
        "with FILTER, BIND, VALUES, OPTIONAL, UNION, MINUS and sub-selects"
    )


def unsupported(name: str) -> RequestError:
    """The error for a part of SPARQL that the service does not evaluate."""
    return RequestError(
        400, f"{name} is not evaluated here: leave it to your own engine. {supported()}"
    )


def no_predicate() -> RequestError:
    """The error for a predicate that is not an IRI."""
    return RequestError(400, f"a variable or a path is no predicate here. {supported()}")

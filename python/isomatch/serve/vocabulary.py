"""The terms that the SPARQL service understands, and nothing else.

The triples about one subject are one search: what is looked for, its options, and
the variables that take what is found::

    [] isomatch:pattern "(?f:film)-[directed by]-(\"Michael Mann\") return ?f" ;
       isomatch:k 3 ; isomatch:binding ?f ; isomatch:gsd ?gsd .
"""

from __future__ import annotations

import difflib
from decimal import Decimal
from typing import Any

from rdflib.term import Literal, Node, URIRef

from isomatch.serve.refusal import Refusal

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
    "direction": "any, or as written",
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
    "near": "whether everything was found under words that resemble it",
    "exact": "whether the result is proven equal to brute force over the candidates",
    "complete": "whether no other interpretation of the whole graph is proven nearer",
}
FAMILIES = {
    NODE + "ID": "the node of that id in the pattern, as isomatch:node-f",
    NAME + "ID": "its name, as isomatch:name-f",
}
_WHOLE = ("k", "limit", "k_nodes", "k_relations", "k_types")
_NUMBERS = ("type_weight", "budget_seconds")


def local_name(predicate: Node) -> str:
    """The term that a predicate is, without the namespace.

    Raises:
        Refusal: it is none of ours; the message names the near one.
    """
    if not isinstance(predicate, URIRef):
        raise Refusal(400, f"a variable or a path is no predicate here. {supported()}")
    if not predicate.startswith(NS):
        raise Refusal(400, f"the predicate <{predicate}> is not of this service. {supported()}")
    name = predicate[len(NS) :]
    if name.startswith((NODE, NAME)) or name in SEARCHES or name in OPTIONS or name in RESULTS:
        return name
    known = [*SEARCHES, *OPTIONS, *RESULTS]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean isomatch:{near[0]}?" if near else supported()
    raise Refusal(400, f"isomatch:{name} is unknown; {hint}")


def option_value(name: str, term: Node) -> Any:
    """The value of an option, of the type that `isomatch.options.Options` takes.

    Raises:
        Refusal: not a constant of that type.
    """
    kind, types = (
        ("a whole number", int)
        if name in _WHOLE
        else ("a number", (int, float, Decimal))
        if name in _NUMBERS
        else ("true or false", bool)
        if name == "exact_vectors"
        else ("a text", str)
    )
    value = term.toPython() if isinstance(term, Literal) else None
    if (
        isinstance(value, Literal)
        or not isinstance(value, types)
        or (isinstance(value, bool) and types is not bool)
    ):
        raise Refusal(400, f"isomatch:{name} must be {kind}, not {term.n3()}")
    return float(value) if name in _NUMBERS else value


def supported() -> str:
    """What the service understands, in one line."""
    terms = ", ".join([*SEARCHES, *OPTIONS, *RESULTS, *FAMILIES])
    return (
        f"Supported: SELECT and ASK over triples with the terms of <{NS}> ({terms}), "
        "with FILTER, BIND, VALUES, OPTIONAL, UNION, MINUS and sub-selects"
    )

"""The service's own description, after the W3C's "SPARQL 1.1 Service Description"."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from isomatch.serve.sparql.vocabulary import FAMILIES, NS, OPTIONS, RESULTS, SEARCHES
from isomatch.store.terms import RDF_TYPE, RDFS_LABEL

SD = "http://www.w3.org/ns/sparql-service-description#"
FORMATS = "http://www.w3.org/ns/formats/"
COMMENT = "http://www.w3.org/2000/01/rdf-schema#comment"
# The syntax of each media type, in order of preference.
SYNTAXES = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}


def description(endpoint: str, media: str) -> bytes:
    """The description of the service at an address.

    The terms of the vocabulary are its property features: "an implemented feature that
    extends the SPARQL query language and that is accessed using the named property".

    Args:
        endpoint: the service's address.
        media: one of `SYNTAXES`.
    """
    prefixes = {"sd": SD, "isomatch": NS}
    return ox.serialize(_triples(endpoint), format=SYNTAXES[media], prefixes=prefixes) or b""


def _triples(endpoint: str) -> Iterator[ox.Triple]:
    service, dataset, default = ox.BlankNode(), ox.BlankNode(), ox.BlankNode()

    def fact(
        subject: ox.NamedNode | ox.BlankNode, predicate: str, value: str | ox.BlankNode | ox.Literal
    ) -> ox.Triple:
        term = ox.NamedNode(value) if isinstance(value, str) else value
        return ox.Triple(subject, ox.NamedNode(predicate), term)

    yield fact(service, RDF_TYPE, SD + "Service")
    yield fact(service, SD + "endpoint", endpoint)
    yield fact(service, SD + "supportedLanguage", SD + "SPARQL11Query")
    for name in ("JSON", "XML", "CSV", "TSV"):
        yield fact(service, SD + "resultFormat", f"{FORMATS}SPARQL_Results_{name}")
    # The dataset has no triples: the searches are all of its content.
    yield fact(service, SD + "defaultDataset", dataset)
    yield fact(dataset, RDF_TYPE, SD + "Dataset")
    yield fact(dataset, SD + "defaultGraph", default)
    yield fact(default, RDF_TYPE, SD + "Graph")
    for name, meaning in {**SEARCHES, **OPTIONS, **RESULTS}.items():
        term = ox.NamedNode(NS + name)
        yield fact(service, SD + "propertyFeature", term.value)
        yield fact(term, RDF_TYPE, SD + "Feature")
        yield fact(term, RDFS_LABEL, ox.Literal(name.replace("_", " "), language="en"))
        yield fact(term, COMMENT, ox.Literal(meaning, language="en"))
    families = "; ".join(f"<{NS}{form}>: {meaning}" for form, meaning in FAMILIES.items())
    yield fact(service, COMMENT, ox.Literal(f"Predicates by node: {families}", language="en"))

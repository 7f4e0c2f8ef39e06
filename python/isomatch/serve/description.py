"""The service's own description, after the W3C's "SPARQL 1.1 Service Description"."""

from __future__ import annotations

from rdflib.graph import Graph
from rdflib.namespace import RDF, RDFS, Namespace
from rdflib.term import BNode, Literal, URIRef

from isomatch.serve.vocabulary import FAMILIES, NS, OPTIONS, RESULTS, SEARCHES

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
FORMATS = Namespace("http://www.w3.org/ns/formats/")
# rdflib's name of each syntax, by media type, in our order of preference.
SYNTAXES = {
    "text/turtle": "turtle",
    "application/rdf+xml": "pretty-xml",
    "application/n-triples": "nt",
    "application/ld+json": "json-ld",
}


def description(endpoint: str) -> Graph:
    """The description of the service at an address.

    The terms of our vocabulary are its property features: "an implemented feature
    that extends the SPARQL query language and that is accessed using the named
    property".
    """
    graph = Graph()
    graph.bind("sd", SD)
    graph.bind("isomatch", NS)
    service, dataset, default = BNode(), BNode(), BNode()
    graph.add((service, RDF.type, SD.Service))
    graph.add((service, SD.endpoint, URIRef(endpoint)))
    graph.add((service, SD.supportedLanguage, SD.SPARQL11Query))
    for name in ("JSON", "XML", "CSV", "TSV"):
        graph.add((service, SD.resultFormat, FORMATS[f"SPARQL_Results_{name}"]))
    # There are no triples to be had: the searches are all.
    graph.add((service, SD.defaultDataset, dataset))
    graph.add((dataset, RDF.type, SD.Dataset))
    graph.add((dataset, SD.defaultGraph, default))
    graph.add((default, RDF.type, SD.Graph))
    for name, meaning in {**SEARCHES, **OPTIONS, **RESULTS}.items():
        term = URIRef(NS + name)
        graph.add((service, SD.propertyFeature, term))
        graph.add((term, RDF.type, SD.Feature))
        graph.add((term, RDFS.label, Literal(name.replace("_", " "), lang="en")))
        graph.add((term, RDFS.comment, Literal(meaning, lang="en")))
    families = "; ".join(f"<{NS}{form}>: {meaning}" for form, meaning in FAMILIES.items())
    graph.add((service, RDFS.comment, Literal(f"Predicates by node: {families}", lang="en")))
    return graph

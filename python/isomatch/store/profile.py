"""What a SPARQL endpoint can do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """What an endpoint can do, found by asking it.

    Attributes:
        engine: ``oxigraph``, ``fuseki``, ``virtuoso``, ``graphdb``, ``qlever``,
            ``blazegraph``, ``stardog``, ``rdflib`` or ``unknown``.
        version: as the engine says it; empty where it does not.
        rows: rows that one answer was seen to hold. An answer with fewer is whole;
            of any other that has to be made sure.
        row_cap: rows that one answer holds at most; None where none was met.
        longest_get: characters of an address up to which a query is sent by GET.
        longest_query: characters of a query that was understood.
        values_block: ids that one query may list.
        paths: whether property paths (``p|^p``) work.
        cheap_counts: whether all triples are counted fast.
        text_search: ``virtuoso``, ``jena``, ``graphdb``, ``qlever``, ``wikidata``, or
            None where there is no text index.
        rdf_star: whether quoted triples are understood.
    """

    engine: str = "unknown"
    version: str = ""
    rows: int = 1000
    row_cap: int | None = None
    longest_get: int = 1500
    longest_query: int = 50_000
    values_block: int = 500
    paths: bool = True
    cheap_counts: bool = False
    text_search: str | None = None
    rdf_star: bool = False

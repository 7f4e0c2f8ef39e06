"""What a store can do, as a value that everything above it asks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreCapabilities:
    """What a database and the connection to it can do.

    Each store declares one (`Store.capabilities`). Other stations ask it, and never the
    class of a store or the name of its language.

    Attributes:
        language: the query language: the folder of its templates in ``queries/``, and
            the key of its dialect in `isomatch.compile.dialects`.
        engine: what answers: one of `isomatch.settings.endpoint.ENGINES`, ``neo4j``, or
            ``unknown``.
        property_graph: labelled nodes with properties, and relationships; else RDF.
        edge_values: whether edges have properties of their own, so that a pattern edge
            may carry a value.
        same_as: whether queries can follow ``owl:sameAs`` (the option ``same_as``).
        batch: most interpretations to ask about in one round trip.
        batched: whether one query returns the matches of many interpretations
            (`Dialect.find`), because a round trip costs more than a query.
        inline: whether ids are part of the query text, because the protocol has no
            parameters.
        longest_query: most characters of a query; None for no limit.
        dynamic_types: most relationship types of a graph whose types are parameters.
        content_fingerprint: whether `Store.fingerprint` changes with every fact; else
            indexing reads the schema again.
        queries_may_write: whether a query of the language may write, so that
            `Store.statement_type` must be asked before a foreign one is run.
        vector_indexes: whether the database has vector indexes over nodes.
        in_memory: whether it answers from a copy in memory, where no text has to be planned.
        along: whether a query can go along with another in one request (`Store.along`).
        stable_blanks: whether names of blank nodes hold for more than one answer.
    """

    language: str
    engine: str = "unknown"
    property_graph: bool = False
    edge_values: bool = False
    same_as: bool = False
    batch: int = 32
    batched: bool = False
    inline: bool = False
    longest_query: int | None = None
    dynamic_types: int = 32
    content_fingerprint: bool = True
    queries_may_write: bool = False
    vector_indexes: bool = False
    in_memory: bool = False
    along: bool = False
    stable_blanks: bool = True

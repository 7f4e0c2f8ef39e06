"""What a graph says of its own contents, for endpoints that do not count them.

Statistics in the VoID vocabulary (https://www.w3.org/TR/void/) give the numbers of
triples and of instances; ``rdfs:domain`` and ``rdfs:range`` give the types at the ends
of predicates of which no fact was read. Declared classes and properties are only
places to look: whether they occur is asked (`isomatch.schema.sizes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from isomatch.schema.queries import SchemaQueries
from isomatch.schema.relations import integer, kind_of
from isomatch.schema.types import Relation
from isomatch.schema.vocabulary import RDFS_DOMAIN, RDFS_RANGE, is_vocabulary_class
from isomatch.schema.wikibase import DIRECT_CLAIM
from isomatch.store.base import chunked
from isomatch.store.terms import RDF_TYPE, XSD, is_blank, is_literal

MOST = 50_000  # predicates, or classes, that are read from declarations
TOGETHER = 100  # predicates in one query
ENDS = 1000  # types that are read of those

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_VOID = "http://rdfs.org/ns/void#"
_PREDICATE_CLASSES = (
    _RDF + "Property",
    _OWL + "ObjectProperty",
    _OWL + "DatatypeProperty",
    _OWL + "AnnotationProperty",
)
_TYPE_CLASSES = (_RDFS + "Class", _OWL + "Class")


def counted_predicates(queries: SchemaQueries) -> dict[str, int]:
    """Triples by predicate, where the graph has VoID statistics."""
    return _partitions(queries, "propertyPartition", "property", "triples")


def counted_types(queries: SchemaQueries) -> dict[str, int]:
    """Instances by class, where the graph has VoID statistics."""
    return _partitions(queries, "classPartition", "class", "entities")


def _partitions(queries: SchemaQueries, partition: str, of: str, size: str) -> dict[str, int]:
    names = {"partition": _VOID + partition, "of": _VOID + of, "size": _VOID + size}
    rows = queries.sample("partitions", ("x", "size"), limit=MOST, **names)
    return {str(x): integer(n) for x, n in rows if _is_iri(x)}


def declared_predicates(queries: SchemaQueries) -> list[str]:
    """What the graph declares to be a property."""
    return _instances(queries, _PREDICATE_CLASSES)


def declared_types(queries: SchemaQueries) -> list[str]:
    """What the graph declares to be a class."""
    return _instances(queries, _TYPE_CLASSES)


def direct_claims(queries: SchemaQueries) -> list[str]:
    """The predicates of a Wikibase's direct claims (`isomatch.schema.wikibase`)."""
    rows = queries.sample("direct_claims", ("x",), claim=DIRECT_CLAIM, limit=MOST)
    return [str(x) for (x,) in rows if _is_iri(x)]


def _instances(queries: SchemaQueries, classes: Sequence[str]) -> list[str]:
    asked = {"classes": classes, "type_relation": RDF_TYPE, "limit": MOST}
    return [str(x) for (x,) in queries.sample("declared", ("x",), **asked) if _is_iri(x)]


def with_declared_ends(
    queries: SchemaQueries, relations: Sequence[Relation]
) -> tuple[Relation, ...]:
    """The relations, with declared types at those ends of which nothing was read."""
    unknown = [r.id for r in relations if not r.subjects]
    sources: dict[str, list[str]] = {}
    targets: dict[str, list[str]] = {}
    for some in chunked(unknown, TOGETHER):
        asked = {"predicates": some, "domain": RDFS_DOMAIN, "range": RDFS_RANGE, "limit": ENDS}
        for p, source, type in queries.sample("domains", ("p", "source", "type"), **asked):
            if _is_iri(type):
                ends = sources if source in ("true", "1") else targets
                ends.setdefault(str(p), []).append(str(type))
    return tuple(_with_ends(r, sources.get(r.id, ()), targets.get(r.id, ())) for r in relations)


def _with_ends(relation: Relation, sources: Sequence[str], targets: Sequence[str]) -> Relation:
    if not sources and not targets:
        return relation
    n = relation.triples
    return replace(
        relation,
        source_types=dict.fromkeys((t for t in sources if _is_type(t)), n),
        target_types=dict.fromkeys((t for t in targets if _is_type(t)), n),
        literal_kinds={kind_of(t): n for t in targets if t.startswith(XSD)},
    )


def _is_type(id: str) -> bool:
    return not id.startswith(XSD) and not is_vocabulary_class(id)


def _is_iri(id: str | None) -> bool:
    return id is not None and not is_blank(id) and not is_literal(id)

"""Which predicates give names, and which speak of the vocabulary itself.

A fact is a triple whose predicate is a relation, and every predicate is one but:

- those that give names (`NAME_RELATIONS`) and types (``rdf:type``, or the one
  that is configured);
- those that speak of the vocabulary (`VOCABULARY`): RDF Schema's and OWL's
  axioms about predicates and classes; but not ``rdfs:subClassOf`` where it holds
  between classes that have an IRI, which then are nodes too;
- those of what `isomatch migrate` keeps in named graphs, which some stores show
  with all others.

The rule goes by predicate, not by subject, so that a query over the relations
sees the same facts as the schema counts. It leaves in what is said of classes
and predicates by other means (``rdfs:comment``; or any fact in a graph such as
Wikidata, where a class is a node like others). Classes of the RDF, RDF Schema and
OWL vocabularies (``owl:Class``, ``owl:Thing``, ``rdf:Property``) are not types.

A Wikibase, as Wikidata is one, has facts as direct claims (``wdt:P57``); beside each of
them are statement nodes with qualifiers and references, and much that is about the
pages. Of these only direct claims are relations; so is all that the format does not use,
where a graph has other facts beside its Wikibase. What a property is called is said of its
entity (``wd:P57``), and types are given by a property too, in Wikidata by ``wdt:P31``.
See https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format. This is in force
where the graph says which claims are direct (``wikibase:directClaim``), or where the
setting ``type_relation`` is such a property.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from isomatch.store.terms import RDF_TYPE, RDFS_LABEL, SAME_AS

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"

RDFS_DOMAIN, RDFS_RANGE = _RDFS + "domain", _RDFS + "range"
SUBCLASS_OF = _RDFS + "subClassOf"

# By rank: where two name equally many nodes, the earlier one is better.
NAME_RELATIONS = (
    RDFS_LABEL,
    _SKOS + "prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    "http://www.geonames.org/ontology#name",
)
# Other names of a thing: they help to find it, but are not what it is called.
ALIAS_RELATIONS = (
    _SKOS + "altLabel",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
    "http://www.geonames.org/ontology#alternateName",
)

_OWL_AXIOMS = """
    allValuesFrom annotatedProperty annotatedSource annotatedTarget assertionProperty cardinality
    complementOf datatypeComplementOf deprecated disjointUnionOf disjointWith equivalentClass
    equivalentProperty hasKey hasSelf hasValue imports intersectionOf inverseOf maxCardinality
    maxQualifiedCardinality members minCardinality minQualifiedCardinality onClass onDataRange
    onDatatype onProperties onProperty oneOf priorVersion propertyChainAxiom
    propertyDisjointWith qualifiedCardinality someValuesFrom unionOf versionIRI versionInfo
    withRestrictions
"""
VOCABULARY = (
    *(_RDFS + n for n in ("domain", "isDefinedBy", "range", "subPropertyOf")),
    SUBCLASS_OF,
    *(_OWL + n for n in _OWL_AXIOMS.split()),
)


def is_vocabulary_class(type: str) -> bool:
    """Whether a class is RDF's, RDF Schema's or OWL's own."""
    return type.startswith((_RDF, _RDFS, _OWL))


def subclass_relation(type_relation: str) -> str:
    """The predicate that says of which class another is a subclass."""
    return SUBCLASS_CLAIM if type_relation == INSTANCE_OF else SUBCLASS_OF


def is_own(predicate: str) -> bool:
    """Whether a predicate is of isomatch's own records, not of the user's graph."""
    return predicate.startswith("urn:isomatch:kept:")


DIRECT_CLAIM = "http://wikiba.se/ontology#directClaim"
INSTANCE_OF = "http://www.wikidata.org/prop/direct/P31"
SUBCLASS_CLAIM = "http://www.wikidata.org/prop/direct/P279"
_DIRECT = re.compile(r"(?P<base>.+)/prop/direct/(?P<property>P[1-9][0-9]*)")

# What the format uses beside the predicates of properties. owl:sameAs (of redirects) and
# rdf:type (of statements and pages) tell nothing of other facts.
_FORMAT = re.compile(
    r"http://wikiba\.se/ontology(-beta)?#.*|http://creativecommons\.org/ns#license"
    r"|https?://schema\.org/(about|dateModified|description|inLanguage|isPartOf|name"
    r"|softwareVersion|version)|http://www\.w3\.org/ns/prov#wasDerivedFrom"
    r"|http://www\.w3\.org/2000/01/rdf-schema#label"
    r"|http://www\.w3\.org/2004/02/skos/core#(prefLabel|altLabel)"
)
UNTOLD = (RDF_TYPE, SAME_AS)


@dataclass(frozen=True, slots=True)
class Wikibase:
    """The addresses of one.

    Attributes:
        base: what they begin with: ``http://www.wikidata.org``.
    """

    base: str

    @classmethod
    def of(cls, predicates: Iterable[str], type_relation: str) -> Wikibase | None:
        """The one whose claims are among some predicates; None for any other graph."""
        if chosen := _DIRECT.fullmatch(type_relation):
            return cls(chosen["base"])
        known = set(predicates)
        matches = [match for p in known if (match := _DIRECT.fullmatch(p))]
        if not matches or DIRECT_CLAIM not in known:
            return None
        bases = [match["base"] for match in matches]
        return cls(max(set(bases), key=lambda base: (bases.count(base), base)))

    @property
    def all(self) -> str:
        """What all predicates of its own begin with, but for those of the format."""
        return f"{self.base}/prop/"

    def has(self, predicate: str) -> bool:
        """Whether its format uses a predicate, for claims or for anything else."""
        return predicate.startswith(self.all) or _FORMAT.fullmatch(predicate) is not None

    @property
    def direct(self) -> str:
        """What the predicates of direct claims begin with."""
        return f"{self.base}/prop/direct/P"

    def type_relation(self, chosen: str, predicates: Iterable[str]) -> str:
        """The predicate that gives types: Wikidata's own, unless another was chosen."""
        return INSTANCE_OF if chosen == RDF_TYPE and INSTANCE_OF in predicates else chosen


def entity_of(predicate: str) -> str | None:
    """The entity that a direct claim's predicate is named by; None for other predicates."""
    match = _DIRECT.fullmatch(predicate)
    return f"{match['base']}/entity/{match['property']}" if match else None

"""Graphs with subclasses, and what patterns over them must find; the same on every engine."""

from __future__ import annotations

from tests.oracle.wikibase import PREFIXES

from isomatch.session import Session

# A diamond, a cycle, a class that only subclasses have nodes of, a node of a class and of
# its superclass, and a restriction without a name.
FILMS = """
@prefix : <http://e.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:Actor rdfs:subClassOf :Person, [ a owl:Restriction ] .
:Director rdfs:subClassOf :Maker, :Leader .
:Maker rdfs:subClassOf :Person . :Leader rdfs:subClassOf :Person .
:Person rdfs:subClassOf :Agent, owl:Thing . :Agent rdfs:subClassOf :Person .
:Studio rdfs:subClassOf :Company .
:heat a :Film ; rdfs:label "Heat" ; :credit :mann, :pacino, :niro, :wb .
:thief a :Film ; rdfs:label "Thief" ; :credit :mann .
:mann a :Director, :Actor, :Person ; rdfs:label "Michael Mann" ; :knows :pacino .
:pacino a :Actor ; rdfs:label "Al Pacino" ; :knows :niro .
:niro a :Person ; rdfs:label "Robert De Niro" .
:wb a :Studio ; rdfs:label "Warner" .
"""

# The same in the shape of Wikidata, with a class two levels up.
CLAIMS = f"""{PREFIXES}
wd:P31 wikibase:directClaim wdt:P31 ; rdfs:label "instance of" .
wd:P279 wikibase:directClaim wdt:P279 ; rdfs:label "subclass of" .
wd:P57 wikibase:directClaim wdt:P57 ; rdfs:label "director" .
wd:Q5 rdfs:label "person" . wd:Q6 rdfs:label "artist" . wd:Q7 rdfs:label "painter" .
wd:Q7 wdt:P279 wd:Q6 . wd:Q6 wdt:P279 wd:Q5 .
wd:Q1 rdfs:label "Heat" ; wdt:P57 wd:Q2, wd:Q3, wd:Q4 .
wd:Q2 rdfs:label "Ann" ; wdt:P31 wd:Q7 . wd:Q3 rdfs:label "Bo" ; wdt:P31 wd:Q5 .
wd:Q4 rdfs:label "Club" .
"""


def found(session: Session, pattern: str, node: str, **options: object) -> list[str]:
    """Names of a node in the matches of the best interpretation, which is the words' own.

    Raises:
        AssertionError: it is not, or not proven.
    """
    result = session.match(pattern, k=1, **options)
    assert result.certificate.complete
    assert [i.gsd for i in result.interpretations] == [0]
    return sorted(match.bindings[node].name for _, match in result.matches)


def check_films(session: Session) -> None:
    """Nodes of subclasses are found as those of the type, each once.

    Raises:
        AssertionError: they are not.
    """
    people = ["Al Pacino", "Michael Mann", "Robert De Niro"]
    for strategy in ("auto", "ascending", "semi-join", "brute force"):
        for type in ("person", "agent"):
            pattern = f'("Heat")-[credit]-(?x:{type})'
            assert found(session, pattern, "x", strategy=strategy) == people
        assert found(session, '("Heat")-[]-(?x:company)', "x", strategy=strategy) == ["Warner"]
    assert found(session, '("Heat")-[credit]-(?x:maker)', "x") == ["Michael Mann"]
    assert found(session, "(?f:film)-[credit]-(?x:leader)", "f") == ["Heat", "Thief"]
    # Two typed nodes, and a known one.
    pairs = "(?a:person)-[knows]->(?b:agent)"
    assert found(session, pairs, "a") == ["Al Pacino", "Michael Mann"]
    assert found(session, '("Al Pacino":person)-[knows]->(?b:person)', "b") == ["Robert De Niro"]
    wider = found(session, '(?c)-[subclass of]->("Person")', "c")
    assert [name.lower() for name in wider] == ["actor", "agent", "leader", "maker"]


def check_claims(session: Session) -> None:
    """P279 is followed where P31 gives types.

    Raises:
        AssertionError: it is not.
    """
    for strategy in ("ascending", "brute force"):
        pattern = '("Heat")-[director]->(?x:person)'
        assert found(session, pattern, "x", strategy=strategy) == ["Ann", "Bo"]
    assert found(session, '("Heat")-[director]->(?x:artist)', "x") == ["Ann"]
    assert found(session, '("painter")-[subclass of]->(?c)', "c") == ["artist"]

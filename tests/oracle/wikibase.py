"""A Wikibase, and what patterns over it must find; the same on every engine."""

from __future__ import annotations

from isomatch.session import Session

ITEM, DIRECT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
PREFIXES = f"""
@prefix wd: <{ITEM}> .
@prefix wdt: <{DIRECT}> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""

# Two opposite facts; the statement of one alone has a value.
OPPOSITE = f"""{PREFIXES}
wd:P50 wikibase:directClaim wdt:P50 ; rdfs:label "knows" .
wd:Q1 rdfs:label "Ann" ; wdt:P50 wd:Q2 ; p:P50 wd:s1 .
wd:Q2 rdfs:label "Bo" ; wdt:P50 wd:Q1 .
wd:s1 ps:P50 wd:Q2 ; pq:P51 wd:Q3 .
wd:Q3 rdfs:label "Club" .
"""


def check_opposite(session: Session) -> None:
    """A value on an edge belongs to a fact in its direction.

    Raises:
        AssertionError: it does not.
    """
    # Known relations and an unknown one, lines and arrows.
    for edge in ("-[knows: ?x]-", "-[: ?x]-", "-[knows: ?x]->"):
        first = f'("Ann"){edge}(?b)'
        with_one = session.match(f"{first}, (?c)-[knows]-(?b)", nodes="repeat")
        with_both = session.match(f"{first}, (?c)-[knows: ?y]-(?b)", nodes="repeat")
        assert with_one.interpretations
        assert not with_both.interpretations

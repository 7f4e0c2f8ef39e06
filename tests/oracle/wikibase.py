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

# Facts of another graph beside it, which no Wikibase makes.
BESIDE = f"""{PREFIXES}
@prefix : <http://e.test/> .
wd:Q1 :worksAt :mill . wd:Q2 :worksAt :mill .
:mill a :Place ; rdfs:label "Mill" ; :town :york . :york rdfs:label "York" .
"""

# Values on edges of several relations, which are all candidates of each edge.
VALUED = f"""{PREFIXES}
wd:P52 wikibase:directClaim wdt:P52 ; rdfs:label "lives in" .
wd:P53 wikibase:directClaim wdt:P53 ; rdfs:label "acted in" .
wd:P54 wikibase:directClaim wdt:P54 ; rdfs:label "knows" .
wd:Q1 rdfs:label "Ann" ; wdt:P52 "heat" ; p:P52 wd:s6 ; wdt:P53 wd:Q2 ; p:P53 wd:s12 .
wd:Q2 rdfs:label "Bo" ; wdt:P52 "heat" ; p:P52 wd:s35 .
wd:Q3 rdfs:label "Lee" ; wdt:P53 wd:Q2 ; p:P53 wd:s21 ; wdt:P54 wd:Q2 ; p:P54 wd:s28 .
wd:Q4 rdfs:label "Club" .
wd:s6 ps:P52 "heat" ; pq:P50 wd:Q4 . wd:s35 ps:P52 "heat" ; pq:P90 "heat" .
wd:s12 ps:P53 wd:Q2 ; pq:P90 7 . wd:s21 ps:P53 wd:Q2 ; pq:P90 "heat" .
wd:s28 ps:P54 wd:Q2 ; pq:P50 wd:Q1 .
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


def check_beside(session: Session) -> None:
    """Claims and other facts are found together, and values on claims alone.

    Raises:
        AssertionError: they are not.
    """
    assert {r.text: r.triples for r in session.schema.relations} == {
        "knows": 2,
        "works at": 2,
        "town": 1,
    }
    assert "with other facts beside it" in session.schema.notes[0]

    def ends(pattern: str, node: str) -> set[str]:
        result = session.match(pattern, k=1)
        assert result.certificate.complete
        [found] = result.interpretations
        assert found.gsd == 0
        return {match.bindings[node].name for match in found.matches}

    assert ends('("Bo")-[knows]->(?a)-[works at]->(?w)-[town]->("York")', "w") == {"Mill"}
    assert ends('("Ann")-[]->(?x)', "x") == {"Bo", "Mill"}
    assert ends('("Ann")-[: "Club"]->(?x)', "x") == {"Bo"}
    assert ends('("Mill")-[]-(?x)', "x") == {"Ann", "Bo", "York"}
    valued = session.match('("Ann")-[works at: ?v]->(?x)')
    assert {t.relation.name for i in valued.interpretations for t in i.matches[0].triples} <= {
        "knows"
    }


def check_valued(session: Session) -> None:
    """Brute force finds the interpretations that are found one by one.

    Raises:
        AssertionError: it does not.
    """
    pattern = '(?b)-[acted in: "7"]-("Ann"), (?b)-[lives in: ?v]-(?c)'
    found = [
        {tuple(choice.id for choice in i.choices) for i in result.interpretations}
        for strategy in ("ascending", "brute force")
        if (result := session.match(pattern, nodes="repeat", k=30, strategy=strategy))
    ]
    assert len(found[0]) > 5
    assert found[0] == found[1]

"""A film with a value of every kind, and patterns that lead to it from each."""

from __future__ import annotations

from isomatch.session import Session

DATA = """
@prefix : <http://e.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:heat rdfs:label "Heat" ; :made :mann ;
    :year "1995"^^xsd:gYear ; :price "1.50"^^xsd:decimal ; :score 1.0E1 ;
    :weight "2.5000"^^xsd:float ; :shown "2001-01-01T00:00:00+00:00"^^xsd:dateTime ;
    :day "2002-03-04"^^xsd:date ; :count "0170"^^xsd:integer ; :restored "1"^^xsd:boolean ;
    :motto "typed"^^xsd:string ; :slogan "plain" ; :note "hallo"@de-AT ;
    :quote "there \\\\ \\"q\\" \\u00e9" .
:mann rdfs:label "Michael Mann" .
:ann :born "1973-01-02"^^xsd:date . :bob :born "1973-05-06"^^xsd:date .
:eve :born "1973-05-06T10:00:00Z"^^xsd:dateTime . :sam :born "1980-09-10"^^xsd:date .
"""
BORN = {"1973": "ann bob eve", "1973-05": "bob eve", "May 1973": "bob eve", "1980-09-10": "sam"}
VALUES = {
    "year": "1995",
    "price": "1.5",
    "score": "10",
    "weight": "2.5",
    "shown": "2001-01-01",
    "day": "2002-03-04",
    "count": "170",
    "restored": "true",
    "motto": "typed",
    "slogan": "plain",
    "note": "hallo",
    "quote": 'there \\ "q" é',
}


def films(session: Session, pattern: str) -> list[str]:
    result = session.match(pattern, k=1)
    return [
        match.bindings["f"].name
        for interpretation in result.interpretations
        if interpretation.gsd == 0
        for match in interpretation.matches
    ]


def check(session: Session, relation: str) -> None:
    """A value leads to what has it, alone and in a join, and is found from it.

    Raises:
        AssertionError: it does not.
    """
    text = VALUES[relation].replace("\\", "\\\\").replace('"', '\\"')
    assert films(session, f'(?f)-[{relation}]-("{text}")') == ["Heat"]
    joined = f'(?f)-[{relation}]-("{text}"), (?f)-[made]-("Michael Mann")'
    assert films(session, joined) == ["Heat"]
    result = session.match(f'("Heat")-[{relation}]-(?v), ("Heat")-[made]-(?who)', k=1)
    [interpretation] = result.interpretations
    [match] = interpretation.matches
    assert (interpretation.gsd, match.bindings["who"].name) == (0, "Michael Mann")
    assert match.triples[0].source.name == "Heat"  # as stored


def check_years(session: Session) -> None:
    """A year or month is one interpretation, which has all dates in it.

    Raises:
        AssertionError: it is not.
    """
    for text, people in BORN.items():
        result = session.match(f'(?who)-[born]-("{text}")', k=1)
        [best] = result.interpretations
        assert sorted(m.bindings["who"].name for m in best.matches) == people.split(), text
        assert (best.gsd, best.cut) == (0, False)
        assert result.certificate.complete

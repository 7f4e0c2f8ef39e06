"""A graph with values of many kinds, and what its conditions must give on every store."""

from __future__ import annotations

from isomatch.session import Session

FILMS = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:heat a :Film ; rdfs:label "Heat" ; :year 1995 ; :released "1995-12-15"^^xsd:date ; :by :mann .
:ali a :Film ; rdfs:label "Ali" ; :year "2001"^^xsd:gYear ; :by :mann ;
    :released "2001-12-25T23:30:00+01:00"^^xsd:dateTime .
:thief a :Film ; rdfs:label "Thief" ; :year "1981" ; :by :mann .
:secret a :Film ; rdfs:label "Secret" ; :year "soon" ; :by :mann .
:mann a :Person ; rdfs:label "Michael Mann" ; :height 1.75 .
"""

CASES = {
    "?y > 1990": {"Heat", "Ali"},
    "?y >= 1981 and ?y < 2001": {"Thief", "Heat"},
    "?y between 1981 and 1995": {"Thief", "Heat"},
    "?y != 1995": {"Thief", "Ali", "Secret"},
    "?y in (1981, 2001)": {"Thief", "Ali"},
    '?y = "Soon"': {"Secret"},
    '?y contains "oo"': {"Secret"},
    '?y starts with "19"': {"Thief"},
    "?y > 1995.5": set[str](),
    "?y < 1990 or ?y > 2000": {"Thief", "Ali"},
    '?y between 1980 and 1985 or ?y contains "oo"': {"Thief", "Secret"},
    "(?y < 1990 or ?y > 2000) and ?y != 2001": {"Thief"},
}
DATES = {
    "?d in 1995": {"Heat"},
    "?d = 1995-12": {"Heat"},
    "?d > 1995": {"Ali"},
    "?d >= 1995": {"Heat", "Ali"},
    "?d < 1995-12-15": set[str](),
    "?d <= 1995-12-15": {"Heat"},
    "?d < 2001-12-25T23:00:00Z": {"Heat", "Ali"},
    "?d < 2001-12-25T22:00:00Z": {"Heat"},
}


def check_conditions(session: Session) -> None:
    """Every condition gives the films that it must, however they are searched."""
    for cases, relation, value in ((CASES, "year", "y"), (DATES, "released", "d")):
        for condition, films in cases.items():
            text = f'(?f:film)-[{relation}]->(?{value}), (?f)-[by]->("Michael Mann")'
            result = session.match(f"{text} where {condition} return ?f", k=1)
            near = [i for i in result.interpretations if i.near]
            found = {m.bindings["f"].name for i in near for m in i.matches}
            assert found == films, condition
            assert result.certificate.exact


CRIMES = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Crime ; rdfs:label "A" ; :date "29/08/2017" ; :logged "29.08.2017 13:45" .
:b a :Crime ; rdfs:label "B" ; :date "01/09/2017" ; :logged "29.08.2017 13:46:10" .
:c a :Crime ; rdfs:label "C" ; :date "02/10/2016" ; :logged "01.09.2017 1:05 PM" .
:d a :Crime ; rdfs:label "D" ; :date "unknown" .
"""
NOTATIONS = {
    "where ?d >= 2017-08-29 return ?c": ["A", "B"],
    "where ?d in 2017-09 or ?d < 2017 return ?c": ["B", "C"],
    'where ?d = "29/08/2017" return ?c': ["A"],
    "return ?c order by ?d desc limit 1": ["B"],
    "return ?c order by ?d limit 1 offset 1": ["A"],
}


TIMES = {
    "where ?d in 2017-08-29 return ?c": ["A", "B"],
    "where ?d > 2017-08-29T13:45:10 return ?c": ["B", "C"],
    'where ?d = "29.08.2017 13:45" return ?c': ["A"],
    "return ?c order by ?d desc limit 1": ["C"],
}
"""By the relation ``logged``: times of day."""


def check_notations(session: Session) -> None:
    """Texts that are days or times in another notation are compared as these, which is told."""
    for relation, asked in (("date", NOTATIONS), ("logged", TIMES)):
        for end, crimes in asked.items():
            result = session.match(f"(?c:crime)-[{relation}]->(?d) {end}", k=1)
            assert sorted(node.name for node in result.answers()) == crimes, end
            assert any("are read as day, month, year" in note for note in result.certificate.notes)

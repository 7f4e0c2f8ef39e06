"""A graph with opaque ids, whose relations and classes have other names than their labels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

GRAPH = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
wd:P31 wikibase:directClaim wdt:P31 ; rdfs:label "instance of"@en .
wd:P279 wikibase:directClaim wdt:P279 ; rdfs:label "subclass of"@en .
wd:P6 wikibase:directClaim wdt:P6 ; rdfs:label "head of government"@en ;
  skos:altLabel "mayor"@en , "Bürgermeister"@de .
wd:P17 wikibase:directClaim wdt:P17 ; rdfs:label "country"@en .
wd:P19 wikibase:directClaim wdt:P19 ; rdfs:label "place of birth"@en ; skos:altLabel "born in"@en .
wd:P36 wikibase:directClaim wdt:P36 ; rdfs:label "capital"@en .
wd:P106 wikibase:directClaim wdt:P106 ; rdfs:label "occupation"@en ; skos:altLabel "work"@en .
wd:P108 wikibase:directClaim wdt:P108 ; rdfs:label "employer"@en ; skos:altLabel "worked for"@en .
wd:P166 wikibase:directClaim wdt:P166 ; rdfs:label "award received"@en ;
  skos:altLabel "winner of"@en .
wd:P159 wikibase:directClaim wdt:P159 ; rdfs:label "headquarters location"@en ;
  skos:altLabel "headquarters"@en .
wd:P206 wikibase:directClaim wdt:P206 ; rdfs:label "located next to body of water"@en ;
  skos:altLabel "on lake"@en .
wd:P1128 wikibase:directClaim wdt:P1128 ; rdfs:label "employees"@en .
wd:Q1 rdfs:label "human"@en ; skos:altLabel "person"@en .
wd:Q2 rdfs:label "business"@en ; skos:altLabel "company"@en .
wd:Q3 rdfs:label "publishing company"@en ; wdt:P279 wd:Q2 .
wd:Q4 rdfs:label "city"@en . wd:Q5 rdfs:label "port city"@en ; wdt:P279 wd:Q4 .
wd:Q6 rdfs:label "sovereign state"@en ; skos:altLabel "country"@en .
wd:Q7 rdfs:label "award"@en ; skos:altLabel "prize"@en . wd:Q8 rdfs:label "lake"@en .
wd:Q9 rdfs:label "science award"@en ; wdt:P279 wd:Q7 .
wd:Q10 wdt:P31 wd:Q6 ; rdfs:label "Norland"@en ; wdt:P36 wd:Q20 .
wd:Q11 wdt:P31 wd:Q6 ; rdfs:label "Sudland"@en ; wdt:P36 wd:Q22 .
wd:Q20 wdt:P31 wd:Q5 ; rdfs:label "Oster"@en ; wdt:P17 wd:Q10 ; wdt:P6 wd:Q30 ; wdt:P206 wd:Q50 .
wd:Q21 wdt:P31 wd:Q4 ; rdfs:label "Kelm"@en ; wdt:P17 wd:Q10 ; wdt:P6 wd:Q31 .
wd:Q22 wdt:P31 wd:Q4 ; rdfs:label "Tolma"@en ; wdt:P17 wd:Q11 .
wd:Q30 wdt:P31 wd:Q1 ; rdfs:label "Ann Moor"@en ; wdt:P19 wd:Q21 ; wdt:P108 wd:Q40 ;
  wdt:P166 wd:Q60 ; wdt:P106 wd:Q70 .
wd:Q31 wdt:P31 wd:Q1 ; rdfs:label "Bo Lind"@en ; wdt:P19 wd:Q22 ; wdt:P166 wd:Q60 , wd:Q61 .
wd:Q32 wdt:P31 wd:Q1 ; rdfs:label "Cy Reed"@en ; wdt:P19 wd:Q20 ; wdt:P106 wd:Q70 .
wd:Q40 wdt:P31 wd:Q2 ; rdfs:label "Vitapharm"@en ; wdt:P159 wd:Q21 ; wdt:P1128 900 .
wd:Q41 wdt:P31 wd:Q3 ; rdfs:label "Lantern"@en ; wdt:P159 wd:Q20 ; wdt:P1128 30 .
wd:Q50 wdt:P31 wd:Q8 ; rdfs:label "Blue Mere"@en ; wdt:P17 wd:Q10 .
wd:Q60 wdt:P31 wd:Q9 ; rdfs:label "Falk Medal"@en . wd:Q61 wdt:P31 wd:Q7 ; rdfs:label "Quill"@en .
wd:Q70 rdfs:label "chemist"@en .
"""


@pytest.fixture(scope="module")
def wiki() -> Iterator[isomatch.Session]:
    with opened(GRAPH.encode()) as session:
        yield session


def found(session: isomatch.Session, question: str) -> list[str]:
    return sorted(names_found(session, question))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is the mayor of Kelm?", ["Bo Lind"]),
        ("Which countries are there?", ["Norland", "Sudland"]),
        ("Which prizes did Bo Lind receive?", ["Falk Medal", "Quill"]),
        ("How many people were born in Kelm?", ["1"]),
        ("Which company has the most employees?", ["Vitapharm"]),
    ],
)
def test_other_names_of_relations_and_classes_are_words_for_them(
    wiki: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(wiki, question) == names


def test_another_name_in_another_language_is_no_word(wiki: isomatch.Session) -> None:
    words = wiki.resources.lexicon.relations["http://www.wikidata.org/prop/direct/P6"]
    assert "mayor" in words.nouns
    assert not any("bürgermeister" in phrase.lower() for phrase in words.phrases())


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who does Ann Moor work for?", ["Vitapharm"]),
        ("Which lakes are in Norland?", ["Blue Mere"]),
        ("Which companies are there?", ["Lantern", "Vitapharm"]),
        ("Which cities are in Norland?", ["Kelm", "Oster"]),
    ],
)
def test_another_name_takes_no_word_from_what_is_called_so(
    wiki: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(wiki, question) == names


def test_winners_of_prizes_are_asked_for_and_no_prizes(wiki: isomatch.Session) -> None:
    assert found(wiki, "Which prize winners were born in Tolma?") == ["Bo Lind"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which country has Tolma as its capital?", ["Sudland"]),
        ("Which companies have their headquarters in Kelm?", ["Vitapharm"]),
    ],
)
def test_their_and_its_say_no_more_than_have_and_as(
    wiki: isomatch.Session, question: str, names: list[str]
) -> None:
    assert found(wiki, question) == names


def test_a_city_of_a_country_need_not_be_its_capital(wiki: isomatch.Session) -> None:
    answer = asked(wiki, "Which companies sit in a city in Norland?")
    assert answer is None or {n.name for n in answer.answers} == {"Lantern", "Vitapharm"}


def test_kinds_of_a_class_with_subclasses_are_not_its_members(wiki: isomatch.Session) -> None:
    assert asked(wiki, "What kinds of awards are there?") is None
    assert found(wiki, "Which awards are there?") == ["Falk Medal", "Quill"]

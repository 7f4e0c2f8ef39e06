"""Whole questions, composed of their words: what they find, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest
from tests.turtle import opened
from tests.unit.interpret.domains import spelt
from tests.unit.interpret.words_embedder import LettersEmbedder

import isomatch
from isomatch.chains.graph import Step
from isomatch.interpret.compose.composer import Composer
from isomatch.interpret.types import Hypothesis
from isomatch.lexicon.lexicon import draft_lexicon
from isomatch.lexicon.mentions import MentionFinder
from isomatch.lexicon.rank import Ranker
from isomatch.pattern import format_text
from isomatch.schema.types import Relation, Schema, Type

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:usa a :Country ; rdfs:label "Usa" .
:texas a :State ; rdfs:label "Texas" ; :borders :oklahoma, :louisiana ; :country :usa ;
    :highest_point :guadalupe ; :highest_elevation 2667 ; :population 14229000 ; :area 266807 ;
    :capital :austin .
:oklahoma a :State ; rdfs:label "Oklahoma" ; :borders :texas ; :country :usa ;
    :highest_point :mesa ; :highest_elevation 1516 ; :population 3025000 ; :area 69956 .
:louisiana a :State ; rdfs:label "Louisiana" ; :borders :texas ; :country :usa ;
    :highest_point :driskill ; :highest_elevation 163 ; :population 4206000 ; :area 47752 .
:alaska a :State ; rdfs:label "Alaska" ; :country :usa ; :population 401800 ; :area 591000 ;
    :highest_point :denali ; :highest_elevation 6194 ; :capital :juneau .
:guadalupe a :Place ; rdfs:label "Guadalupe Peak" . :mesa a :Place ; rdfs:label "Black Mesa" .
:driskill a :Place ; rdfs:label "Driskill Mountain" . :denali a :Place ; rdfs:label "Denali" .
:austin a :City ; rdfs:label "Austin" ; :state :texas ; :population 345496 .
:houston a :City ; rdfs:label "Houston" ; :state :texas ; :population 1595138 .
:juneau a :City ; rdfs:label "Juneau" ; :state :alaska ; :population 19528 .
:tulsa a :City ; rdfs:label "Tulsa" ; :state :oklahoma ; :population 360919 .
:red a :River ; rdfs:label "Red River" ; :traverses :texas, :oklahoma, :louisiana ; :length 2190 .
:sabine a :River ; rdfs:label "Sabine" ; :traverses :texas, :louisiana ; :length 890 .
:yukon a :River ; rdfs:label "Yukon" ; :traverses :alaska ; :length 3190 .
:heat a :Film ; rdfs:label "Heat" ; :starred :pacino ; :released "1995-12-15"^^xsd:date .
:ali a :Film ; rdfs:label "Ali" ; :released "2001-12-25"^^xsd:date .
:pacino a :Actor ; rdfs:label "Al Pacino" .
"""

MORE = (
    GRAPH
    + b"""
:austin :latitude 30.3 . :houston :latitude 29.8 . :juneau :latitude 58.3 . :tulsa :latitude 36.1 .
:mann a :Director ; rdfs:label "Michael Mann" . :heat :directed_by :mann . :ali :directed_by :mann .
"""
)

SHOP = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Customer ; rdfs:label "Ann" ; :purchased :o1, :o2 ; :city "Graz" .
:ben a :Customer ; rdfs:label "Ben" ; :purchased :o3 ; :city "Bern" .
:cy a :Customer ; rdfs:label "Cy" ; :purchased :o4 ; :city "Cork" .
:o1 a :Order ; rdfs:label "No 1" ; :orders :tea, :jam ; :order_id "1001" ;
    :order_date "1997-08-03" ; :freight 5 .
:o2 a :Order ; rdfs:label "No 2" ; :orders :ale ; :order_id "1002" ;
    :order_date "1997-09-01" ; :freight 9 .
:o3 a :Order ; rdfs:label "No 3" ; :orders :tea ; :order_id "1003" ;
    :order_date "1998-01-12" ; :freight 2 .
:o4 a :Order ; rdfs:label "No 4" ; :orders :ham ; :order_id "1004" ;
    :order_date "1998-02-12" ; :freight 7 .
:tea a :Product ; rdfs:label "Green Tea" ; :price 12 ; :units_on_order 4 ; :discontinued false .
:jam a :Product ; rdfs:label "Plum Jam" ; :price 7 ; :units_on_order 3 ; :discontinued true .
:ale a :Product ; rdfs:label "Pale Ale" ; :price 9 ; :units_on_order 1 ; :discontinued false .
:ham a :Product ; rdfs:label "Smoked Ham" ; :price 20 ; :units_on_order 2 ; :discontinued false .
:dora a :Supplier ; rdfs:label "Dora" ; :supplies :tea, :jam ; :city "Graz" .
:emil a :Supplier ; rdfs:label "Emil" ; :supplies :ale, :ham ; :city "Bern" .
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[isomatch.Session]:
    with opened(SHOP) as session:
        yield session


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(MORE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the largest state that borders Texas?", "Oklahoma"),
        ("Which state bordering Texas has the largest population?", "Louisiana"),
        ("What is the capital of the largest state?", "Juneau"),
        ("Which states border the state with the largest population?", "Louisiana, Oklahoma"),
        ("Which rivers run through the state with the largest population?", "Red River, Sabine"),
        ("What is the longest river in Texas?", "Red River"),
        ("What is the most populous state?", "Texas"),
        ("What is the smallest state by population?", "Alaska"),
        ("Which state has the most rivers?", "Louisiana, Texas"),
        ("Which river runs through the most states?", "Red River"),
        ("What is the highest point in Usa?", "Denali"),
        ("How high is the highest point of Texas?", "2667"),
        ("How long is the Sabine?", "890"),
        ("How many rivers run through Texas?", "2"),
        ("How many states are there?", "4"),
        ("How many people live in Houston?", "1595138"),
        ("Which states do not border Texas?", "Alaska, Texas"),
        ("Which states don\u2019t border Texas?", "Alaska, Texas"),
        ("How many states do not border Texas?", "2"),
        ("Which rivers are longer than the Red River?", "Yukon"),
        ("Which rivers are longer than 1000?", "Red River, Yukon"),
        ("Which rivers in Texas are shorter than 1000?", "Sabine"),
        ("Which cities have more than 1 million people?", "Houston"),
        ("Which states have a population above 1 million and below 4 million?", "Oklahoma"),
        ("Which films were released after 2000?", "Ali"),
        ("Which films were released in 1995?", "Heat"),
        ("Which films were released between 1990 and 2000?", "Heat"),
        ("Which films came out before 2000?", "Heat"),
        ("Which film is the newest?", "Ali"),
        ("Where is Houston?", "Texas"),
        ("Which is bigger, Texas or Alaska?", "Alaska"),
        ("Which state is smaller, Texas or Alaska?", "Texas"),
        ("Which river is longer: the Sabine or the Yukon?", "Yukon"),
        ("Which river is the shortest, the Red River, the Sabine or the Yukon?", "Sabine"),
        ("Which state has more people, Texas or Alaska?", "Texas"),
        ("Which state has a smaller population, Texas or Alaska?", "Alaska"),
        ("Which state is more populous, Texas, Oklahoma or Alaska?", "Texas"),
        ("Which film is newer, Ali or Heat?", "Ali"),
        ("Which film came out first, Ali or Heat?", "Heat"),
        ("Which states have at least two cities?", "Texas"),
        ("Which river runs through three states?", "Red River"),
        ("What is the average population of the states bordering Texas?", "3615500"),
        ("What is the total area of the states?", "975515"),
        ("What is the area of all states combined?", "975515"),
        ("Which state borders the most states?", "Texas"),
        ("Which rivers run through Texas and Oklahoma?", "Red River"),
        ("Which states except Oklahoma border Texas?", "Louisiana"),
        ("Which rivers run through both Texas and Louisiana?", "Red River, Sabine"),
        ("Which state is Austin the capital of?", "Texas"),
        ("What is the second longest river?", "Red River"),
        ("What are the two longest rivers?", "Red River, Yukon"),
        ("Which state has the third largest population?", "Oklahoma"),
        ("Which states are more populous than Oklahoma?", "Louisiana, Texas"),
        ("Which films were released in December 1995?", "Heat"),
        ("Which films were released on 15 December 1995?", "Heat"),
        ("Which films were released on the 15th of December 1995?", "Heat"),
        ("Which films were released in 1995 or 2001?", "Ali, Heat"),
        ("Which films were released before 1996 or after 2005?", "Heat"),
        ("Which films came out after Heat?", "Ali"),
        ("What was the first film?", "Heat"),
        ("What was the second film?", "Ali"),
        ("What was the second film released?", "Ali"),
        ("Which film did Michael Mann direct first?", "Heat"),
        ("Which film did Michael Mann direct last?", "Ali"),
        ("Which state has the second most rivers?", "Alaska, Oklahoma"),
        ("What is the northernmost city in Texas?", "Austin"),
        ("Which Texan cities have more than 1 million people?", "Houston"),
        ("Which Texan rivers do not run through Oklahoma?", "Sabine"),
        ("Which city is the southernmost capital?", "Austin"),
        ("What is the second southernmost city?", "Austin"),
        ("Which states neither border Texas nor border Oklahoma?", "Alaska"),
        ("Which states border Louisiana or Oklahoma?", "Texas"),
        ("Which rivers run through Alaska or Oklahoma?", "Red River, Yukon"),
        ("How many rivers run through Alaska or Oklahoma?", "2"),
        ("Which cities are in Alaska or Oklahoma?", "Juneau, Tulsa"),
        ("What is the largest city in Alaska or Oklahoma?", "Tulsa"),
        ("Which states do not border Texas and do not border Oklahoma?", "Alaska"),
        ("In what year was Heat released?", "1995-12-15"),
    ],
)
def test_a_whole_question_finds_its_answers(
    session: isomatch.Session, question: str, answers: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    found = ", ".join(sorted(str(node.name) for node in answer.answers))
    assert found == answers
    assert answer.supported


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "How many rivers run through each state?",
            "Alaska: 1; Louisiana: 2; Oklahoma: 1; Texas: 2",
        ),
        ("How many cities does each state have?", "Alaska: 1; Oklahoma: 1; Texas: 2"),
        ("How many cities does each state that borders Texas have?", "Oklahoma: 1"),
        (
            "How many neighbouring states does each state have?",
            "Louisiana: 1; Oklahoma: 1; Texas: 2",
        ),
        ("What is the number of films per director?", "Michael Mann: 2"),
        ("How many rivers run through each state that borders Oklahoma?", "Texas: 2"),
        ("How many films did each director of Heat direct?", "Michael Mann: 2"),
    ],
)
def test_a_number_for_each_is_listed_without_those_of_none(
    session: isomatch.Session, question: str, text: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    listed, only = answer.text.split(". ")
    assert "; ".join(sorted(listed.split("; "))) == text
    assert only == "Those without any are not listed."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "What is the average population of the cities of each state?",
            "Alaska: 19528; Oklahoma: 360919; Texas: 970317",
        ),
        (
            "What is the total length of the rivers of each state?",
            "Alaska: 3190; Louisiana: 3080; Oklahoma: 2190; Texas: 3080",
        ),
    ],
)
def test_values_are_worked_out_for_each(
    session: isomatch.Session, question: str, text: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    assert answer.supported
    assert "; ".join(sorted(answer.text.removesuffix(".").split("; "))) == text


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which rivers run through Alaska or traverse Oklahoma?", "Red River, Yukon"),
        ("How many rivers run through Alaska or traverse Oklahoma?", "2"),
        ("What is the biggest city's state?", "Texas"),
    ],
)
def test_what_has_none_and_what_does_either_is_found(question: str, answers: str) -> None:
    with opened(MORE) as more:
        answer = more.ask(question, interpreter="schema")

    assert ", ".join(sorted(spelt(str(node.name)) for node in answer.answers)) == answers


def test_who_has_no_value_is_listed() -> None:
    graph = GRAPH + b':waco a :City ; :state :texas ; rdfs:label "Waco" .'
    with opened(graph) as session:
        answer = session.ask("Which cities have no population?", interpreter="schema")

    assert [node.name for node in answer.answers] == ["Waco"]


@pytest.mark.parametrize(
    "question",
    [
        "Which rivers border Texas?",
        "How many rivers are navigable in Texas?",
        "rivers in the Texas area",
    ],
)
def test_another_question_is_not_answered_instead(question: str) -> None:
    with opened(GRAPH) as session:
        answer = session.ask(question, interpreter="schema")

    assert not answer.supported


@pytest.mark.parametrize(
    "question",
    [
        "Which state has more rivers, Texas or Alaska?",
        "Which is longer, Texas or Alaska?",
        "Which is bigger, Texas or Heat?",
        "Which is bigger, Texas or Utah?",
        "Which state is bigger, the Sabine or the Yukon?",
        "Which states border Texas or have a capital?",
        "What is the cheapest city in Texas?",
        "How many rivers run through each of Texas?",
        "What is the average area per river?",
        "Which films were released in 1990 or star Al Pacino?",
        "What is the density of Texas?",
        "What is the second country?",
        "Who directed Heat first?",
        "Which state is the northernmost?",
        "Which state has the second fewest rivers?",
        "Which rivers are longer than the Mississippi?",
    ],
)
def test_what_cannot_be_said_whole_is_refused(session: isomatch.Session, question: str) -> None:
    answer = session.ask(question, interpreter="schema")

    assert not answer.supported
    assert answer.answers == ()


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which customers ordered Green Tea?", "Ann, Ben"),
        ("Which products did Ann buy?", "Green Tea, Pale Ale, Plum Jam"),
        ("Which orders did Ann or Ben purchase?", "No 1, No 2, No 3"),
        ("Which products has Ann ordered?", "Green Tea, Pale Ale, Plum Jam"),
        ("Which customers bought Green Tea but not Pale Ale?", "Ben"),
        ("Which orders were placed in August 1997?", "No 1"),
        ("Which orders were placed on 3 August 1997?", "No 1"),
        ("Which orders were placed before 1998?", "No 1, No 2"),
        ("When was order 1003 placed?", "1998-01-12"),
        ("Who placed order 1003?", "Ben"),
        ("Which products were in order 1001?", "Green Tea, Plum Jam"),
        ("Which products has the customer of order 1001 ordered?", "Green Tea, Pale Ale, Plum Jam"),
        ("Which products come from the supplier of Green Tea?", "Green Tea, Plum Jam"),
        ("Which customers are in Graz or Cork?", "Ann, Cy"),
        ("Which customers are in Graz, Bern or Cork?", "Ann, Ben, Cy"),
        ("Which customers are not from Graz?", "Ben, Cy"),
        ("Which products are more expensive than Pale Ale?", "Green Tea, Smoked Ham"),
        ("What is the second cheapest product?", "Pale Ale"),
        ("Which products cost less than 8 or more than 15?", "Plum Jam, Smoked Ham"),
        ("Which products are discontinued?", "Plum Jam"),
        ("How much does Green Tea cost?", "12"),
        ("Which customers from Graz ordered Green Tea?", "Ann"),
        ("How many different products has Ann ordered?", "3"),
        ("What is the highest freight?", "9"),
        ("Who ordered the cheapest product?", "Ann"),
        ("Which orders from 1997 contain Pale Ale?", "No 2"),
        ("Which orders were placed from 1996 to 1997?", "No 1, No 2"),
    ],
)
def test_a_question_about_a_shop_finds_its_answers(
    shop: isomatch.Session, question: str, answers: str
) -> None:
    answer = shop.ask(question, interpreter="schema")

    assert ", ".join(sorted(str(node.name) for node in answer.answers)) == answers
    assert answer.supported


@pytest.mark.parametrize(
    "question",
    [
        "Which suppliers ordered Green Tea?",
        "Was order 1003 placed in 1997 or 1998?",
        "Which customer has the longest city?",
    ],
)
def test_a_question_about_a_shop_is_refused(shop: isomatch.Session, question: str) -> None:
    assert not shop.ask(question, interpreter="schema").supported


PEAKS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Mountain ; rdfs:label "Arnock" ; :height_m 1500 ; :area_km2 40 ; :weight 5 ; :len_km 2 .
:b a :Mountain ; rdfs:label "Brenta" ; :height_m 3100 ; :area_km2 400 ; :weight 9 ; :len_km 8 .
:c a :Mountain ; rdfs:label "Corvin" ; :height_m 700 ; :area_km2 4 ; :weight 2 ; :len_km 1 .
:len_km rdfs:label "length" .
"""


@pytest.mark.parametrize(
    ("question", "answers", "note"),
    [
        ("Which mountains are higher than 1000 metres?", "Arnock, Brenta", ""),
        ("Which mountains are higher than 3 km?", "Brenta", "3 kilometres are 3000 metres"),
        ("Which mountains are higher than 6,000 feet?", "Brenta", "6,000 feet are 1828.8 metres"),
        ("Which mountains are lower than 3000 feet?", "Corvin", "3000 feet are 914.4 metres"),
        (
            "Which mountains are higher than 2000 feet and lower than 1 mile?",
            "Arnock, Corvin",
            "2000 feet are 609.6 metres",
        ),
        (
            "Which mountains are longer than 3 miles?",
            "Brenta",
            "3 miles are 4.828032 kilometres",
        ),
        (
            "Which mountains have an area between 10 and 100 square miles?",
            "Arnock",
            "10 square miles are 25.89988110336 square kilometres",
        ),
        ("Which mountains are higher than 20 square kilometres?", "", ""),
        ("Which mountains have a weight over 3 km?", "", ""),
        ("Which mountains have a weight over 3000 grams?", "", ""),
        ("Which mountains have a weight over 3 kg?", "", ""),
        ("Is Brenta heavier than 3 kg?", "", ""),
        ("Which mountains have a weight over 3?", "Arnock, Brenta", ""),
    ],
)
def test_numbers_are_compared_in_the_unit_of_the_graph_or_not_at_all(
    question: str, answers: str, note: str
) -> None:
    with opened(PEAKS) as peaks:
        answer = peaks.ask(question, interpreter="schema")

    assert ", ".join(sorted(node.name for node in answer.answers)) == answers
    assert answer.supported == bool(answers)
    assert not note or note in answer.notes


def test_a_unit_that_the_graph_does_not_have_is_named() -> None:
    with opened(PEAKS) as peaks:
        answer = peaks.ask("Which mountains have a weight over 3 kg?", interpreter="schema")

    assert not answer.supported
    assert "“3 kg”" in answer.text


TONGUES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:it a :Country ; rdfs:label "Italy" ; :language :italian ; :continent :europe .
:so a :Country ; rdfs:label "Somalia" ; :language :italian ; :continent :africa .
:fr a :Country ; rdfs:label "France" ; :language :french ; :continent :europe .
:vn a :Country ; rdfs:label "Vietnam" ; :language :french ; :continent :asia .
:rome a :City ; rdfs:label "Rome" ; :country :it ; :population 2000000 .
:pisa a :City ; rdfs:label "Pisa" ; :country :it ; :population 90000 .
:mog a :City ; rdfs:label "Mogadishu" ; :country :so ; :population 3000000 .
:hue a :City ; rdfs:label "Hue" ; :country :vn ; :population 4000000 .
:italian a :Language ; rdfs:label "Italian" . :french a :Language ; rdfs:label "French" .
:europe a :Continent ; rdfs:label "Europe" . :africa a :Continent ; rdfs:label "Africa" .
:asia a :Continent ; rdfs:label "Asia" .
"""


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which European countries do not speak French?", "Italy"),
        ("Which Italian cities have more than 1 million people?", "Rome"),
        ("What is the largest Italian city?", "Rome"),
        ("Which African countries are there?", "Somalia"),
        ("Which French cities have more than 1 million people?", ""),
    ],
)
def test_a_word_for_what_is_of_a_place_is_read_as_the_place(question: str, answers: str) -> None:
    with opened(TONGUES) as tongues:
        answer = tongues.ask(question, interpreter="schema")

    assert ", ".join(sorted(node.name for node in answer.answers)) == answers
    assert answer.supported == bool(answers)
    assert not any("letter" in note for note in answer.notes)


REALMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:it a :Country ; rdfs:label "Italy" ; :language :italian ; :continent :europe ; :capital :rome ;
    :neighbour :fr ; :area 301 .
:so a :Country ; rdfs:label "Somalia" ; :language :italian ; :continent :africa ; :capital :mog ;
    :area 637 .
:fr a :Country ; rdfs:label "France" ; :language :french ; :continent :europe ; :capital :paris ;
    :area 547 .
:rome a :City ; rdfs:label "Rome" ; :country :it . :paris a :City ; rdfs:label "Paris" ;
    :country :fr . :nice a :City ; rdfs:label "Nice" ; :country :fr .
:mog a :City ; rdfs:label "Mogadishu" ; :country :so .
:italian a :Language ; rdfs:label "Italian" . :french a :Language ; rdfs:label "French" .
:europe a :Continent ; rdfs:label "Europe" . :africa a :Continent ; rdfs:label "Africa" .
"""


@pytest.fixture(scope="module")
def realms() -> Iterator[isomatch.Session]:
    with opened(REALMS) as realms:
        yield realms


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the language of Nice?", "French"),
        ("Which continent is Nice in?", "Europe"),
        ("What are the languages of Europe?", "French, Italian"),
        ("What are the capitals of Europe?", "Paris, Rome"),
        ("Which languages are spoken in Africa?", "Italian"),
    ],
)
def test_what_a_place_has_is_that_of_what_lies_in_it(
    realms: isomatch.Session, question: str, answers: str
) -> None:
    answer = realms.ask(question, interpreter="schema")

    assert ", ".join(sorted(node.name for node in answer.answers)) == answers
    assert answer.supported


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("What is the capital of Italian?", "language"),
        ("the capitals of Italian", "language"),
        ("the capital of italian", "language"),
        ("What is the area of Nice?", "country"),
        ("What is the capital of Europe?", "continent"),
        ("What are the neighbours of Nice?", ""),
        ("Which countries border Italian?", ""),
    ],
)
def test_a_relation_that_no_word_says_is_not_added(
    realms: isomatch.Session, question: str, unsaid: str
) -> None:
    answer = realms.ask(question, interpreter="schema")

    assert not answer.supported
    assert answer.is_not_read
    told = f"the nearest reading has “{unsaid}”, which no word of the question says"
    assert not unsaid or told in answer.notes


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is Texas's longest river?", "Red River"),
        ("What is Oklahoma's largest city?", "Tulsa"),
        ("What is the Texas river that is the shortest?", "Sabine"),
        ("What is Michael Mann's first film?", "Heat"),
        ("What was Al Pacino's latest film?", "Heat"),  # the latest of all is without him
        ("What is Alaska's longest river?", "Yukon"),
    ],
)
def test_a_superlative_is_of_what_its_owner_has(question: str, answers: str) -> None:
    with opened(MORE) as session:
        answer = session.ask(question, interpreter="schema")

    assert ", ".join(sorted(node.name for node in answer.answers)) == answers
    assert answer.supported


FILMS = Schema(
    "f",
    9,
    9,
    (
        Relation(":ACTED_IN", "acted in", 9, source_types={"P": 9}, target_types={"M": 9}),
        Relation(":REVIEWED", "reviewed", 3, source_types={"P": 3}, target_types={"M": 3}),
    ),
    (Type("P", "person", 9), Type("M", "movie", 9)),
    edge_properties={":ACTED_IN": {".roles": 9}, ":REVIEWED": {".rating": 3}},
)


class _Steps:
    """What leads away from people and films."""

    def around(self, ids: Sequence[str]) -> set[Step]:
        steps = (Step(":ACTED_IN"), Step(":REVIEWED"))
        return {s for id in ids for s in steps for s in ([s] if id[0] == "p" else [s.inverse])}


def _read_of_films(question: str) -> list[Hypothesis]:
    lexicon = draft_lexicon(FILMS)
    names = MentionFinder([("The Matrix", "m:1"), ("Keanu Reeves", "p:1")], lexicon.words())
    composer = Composer(FILMS, lexicon, Ranker(LettersEmbedder(), lexicon))
    return composer.hypotheses(question, names.find(question), (), cast(Any, _Steps()))


@pytest.mark.parametrize(
    ("question", "pattern"),
    [
        (
            "Who played Neo in The Matrix?",
            '(?x1)-[acted in {roles: x3 "Neo"}]->(x2 "The Matrix") return ?x1',
        ),
        ("Who played Neo?", '(?x1)-[acted in {roles: x3 "Neo"}]->(?x2) return ?x1'),
        (
            "Which person played the role of Neo?",
            '(?x1:person)-[acted in {roles: x3 "Neo"}]->(?x2) return ?x1',
        ),
        (
            "Which movie did Keanu Reeves play Neo in?",
            '(?x1:movie)<-[acted in {roles: x3 "Neo"}]-(x2 "Keanu Reeves") return ?x1',
        ),
        (
            "What rating did Keanu Reeves give The Matrix?",
            '(x2 "Keanu Reeves")-[reviewed {rating: ?x1}]->(x3 "The Matrix") return ?x1',
        ),
        (
            "What is the average rating of The Matrix?",
            '(?x2)-[reviewed {rating: ?x1}]->(x3 "The Matrix") return avg(?x1)',
        ),
        (
            "What is the highest rating that Keanu Reeves gave?",
            '(x2 "Keanu Reeves")-[reviewed {rating: ?x1}]->(?x3) return max(?x1)',
        ),
        (
            "Who gave The Matrix a rating below 70?",
            '(?x1)-[reviewed {rating: ?x3}]->(x2 "The Matrix") where ?x3 < 70 return ?x1',
        ),
        (
            "Which movies have a rating above 90?",
            "(?x1:movie)<-[reviewed {rating: ?x3}]-(?x2) where ?x3 > 90 return ?x1",
        ),
        (
            "Which movie has the worst rating?",
            "(?x3)-[reviewed {rating: ?x2}]->(?x1) return ?x1 order by ?x2 limit 1",
        ),
        (
            "Which movies got a rating of 65?",
            "(?x1:movie)<-[reviewed {rating: ?x3}]-(?x2) where ?x3 = 65 return ?x1",
        ),
        (
            "What is the average rating of each movie?",
            "(?x1:movie)<-[reviewed {rating: ?x3}]-(?x2) return ?x1, avg(?x3)",
        ),
        (
            "Which movie has the highest average rating?",
            "(?x1:movie)<-[reviewed {rating: ?x3}]-(?x2) return ?x1 order by avg(?x3) desc limit 1",
        ),
        (
            "Which movies have an average rating above 80?",
            "(?x1:movie)<-[reviewed {rating: ?x3}]-(?x2) where avg(?x3) > 80 return ?x1",
        ),
        (
            "Who acted as Neo in The Matrix?",
            '(?x1)-[acted in {roles: x3 "Neo"}]->(x2 "The Matrix") return ?x1',
        ),
        (
            "Which characters did Keanu Reeves play in The Matrix?",
            '(x2 "Keanu Reeves")-[acted in {roles: ?x1}]->(x3 "The Matrix") return ?x1',
        ),
        (
            "co-actors of Keanu Reeves",
            '(?x1)-[acted in]->(?x2:movie)<-[acted in]-(x3 "Keanu Reeves") return ?x1',
        ),
        (
            "Who acted with Keanu Reeves?",
            '(?x1)-[acted in]->(?x2:movie)<-[acted in]-(x3 "Keanu Reeves") return ?x1',
        ),
    ],
)
def test_values_of_relationships_are_read(question: str, pattern: str) -> None:
    (best, *_) = _read_of_films(question)

    written = format_text(best.pattern)
    assert written.endswith(pattern.split(", ")[-1])
    assert best.coverage is not None
    assert best.coverage.left_out == ()


@pytest.mark.parametrize(
    "question",
    [
        "Which review has the highest rating?",
        "Which reviews have a rating above 90?",
        "Which review of The Matrix has the highest rating?",
    ],
)
def test_a_relationship_with_a_value_is_no_node(question: str) -> None:
    read = [one.coverage for one in _read_of_films(question)]

    assert all(coverage is not None and coverage.missing for coverage in read)


def test_a_reading_says_what_each_word_became(session: isomatch.Session) -> None:
    (best, *_) = session.interpret("What is the largest state that borders Texas?")

    assert best.coverage is not None
    assert [(s.text, s.kind) for s in best.coverage.understood] == [
        ("largest", "operator"),
        ("state", "type"),
        ("borders", "relation"),
        ("Texas", "name"),
    ]
    assert best.coverage.left_out == ()


def test_a_definition_of_the_lexicon_is_read(session: isomatch.Session) -> None:
    from isomatch.interpret.schema import SchemaInterpreter
    from isomatch.lexicon.lexicon import Adjective, Definition

    resources = session.resources
    lexicon = resources.lexicon
    known = "http://example.org/"
    edited = type(lexicon)(
        lexicon.relations,
        lexicon.types,
        lexicon.wider,
        {**lexicon.adjectives, "crowded": Adjective((f"{known}population",))},
        {"big city": Definition(f"{known}City", f"{known}population", ">", "1000000")},
    )
    reader = SchemaInterpreter(
        resources.store, resources.schema, resources.embedder, resources.mentions, edited
    )

    for question, answers in (
        ("Which big cities are in Texas?", ["Houston"]),
        ("What is the crowdedest city?", ["Houston"]),
        ("What is the most crowded city in Alaska?", ["Juneau"]),
    ):
        (best, *_) = reader.interpret(question)
        found = session.match(best.pattern, **best.options)
        assert [node.name for node in found.answers()] == answers, question


PEOPLE = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann Moor" ; :born 1970 ; :follows :bea .
:bea a :Person ; rdfs:label "Bea Lund" ; :born 1980 ; :follows :cleo .
:cleo a :Person ; rdfs:label "Cleo Hart" ; :born 1990 .
"""


def test_where_asks_for_no_people() -> None:
    with opened(PEOPLE) as people:
        answer = people.ask("Where was Bea Lund born?", interpreter="schema")
        assert not answer.supported, answer.text


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who is older, Ann Moor or Bea Lund?", "Ann Moor"),
        ("Who is younger, Ann Moor or Bea Lund?", "Bea Lund"),
        ("Who is younger, Cleo Hart, Ann Moor or Bea Lund?", "Cleo Hart"),
        ("Who is older, Ann Moor or Dora Quist?", ""),  # of whom no birth is known
        ("Who is older, Ann Moor or Eva Berg?", ""),  # of the same year
    ],
)
def test_a_choice_between_names_needs_the_values_of_all(question: str, answers: str) -> None:
    more = b""":dora a :Person ; rdfs:label "Dora Quist" ; :follows :ann .
        :eva a :Person ; rdfs:label "Eva Berg" ; :born 1970 ."""
    with opened(PEOPLE + more) as people:
        answer = people.ask(question, interpreter="schema")

    assert ", ".join(node.name for node in answer.answers) == answers
    assert answer.supported == bool(answers)


@pytest.mark.parametrize("word", ["without", "but not"])
def test_who_is_left_out_is_not_left_out_by_a_relation_that_no_word_says(word: str) -> None:
    more = b""":fee a :Film ; rdfs:label "Fee Lane" . :ann :acted_in :fee . :bea :acted_in :fee ."""
    with opened(PEOPLE + more) as people:
        plain = people.ask("Who acted in Fee Lane?", interpreter="schema")
        answer = people.ask(f"Who acted in Fee Lane {word} Ann Moor?", interpreter="schema")

    assert {node.name for node in plain.answers} == {"Ann Moor", "Bea Lund"}
    assert "Ann Moor" not in {node.name for node in answer.answers}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the average price of the beverages?", "10"),
        ("Which suppliers do not supply any beverages?", "Dora"),
        ("Which suppliers do not supply any seafood?", "Cole"),
    ],
)
def test_a_category_in_lower_case_is_what_is_in_it(question: str, answers: str) -> None:
    wares = b"""
        @prefix : <http://example.org/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :bev a :Category ; rdfs:label "Beverages" . :sea a :Category ; rdfs:label "Seafood" .
        :tea a :Product ; rdfs:label "Green Tea" ; :part_of :bev ; :price 12 .
        :ale a :Product ; rdfs:label "Pale Ale" ; :part_of :bev ; :price 8 .
        :cod a :Product ; rdfs:label "Smoked Cod" ; :part_of :sea ; :price 30 .
        :cole a :Supplier ; rdfs:label "Cole" ; :supplies :tea, :ale ; :city :cork .
        :dora a :Supplier ; rdfs:label "Dora" ; :supplies :cod ; :city :cork .
        :cork a :City ; rdfs:label "Cork" .
    """
    with opened(wares) as session:
        answer = session.ask(question, interpreter="schema")

    assert ", ".join(sorted(str(node.name) for node in answer.answers)) == answers
    assert answer.supported

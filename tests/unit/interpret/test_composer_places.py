"""Two steps that are counted, places, what people have, and what stands for little by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.turtle import opened

import isomatch
from isomatch.errors import InterpretationError

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:livesIn rdfs:label "lives in" . :inside rdfs:label "located in" .
:origin rdfs:label "country of origin" . :createdBy rdfs:label "created by" .
:bakedIn rdfs:label "published in" . :minutes rdfs:label "preparation time (minutes)" .
:price rdfs:label "price (euros)" . :born rdfs:label "date of birth" .
:nominated rdfs:label "nominated for" .
:ada a :Person ; rdfs:label "Ada" ; :livesIn :oslo ; :nationality :norway ;
    :born "1980-02-01"^^xsd:date .
:bo a :Person ; rdfs:label "Bo" ; :mentor :ada ; :livesIn :bergen ; :nationality :norway .
:cy a :Person ; rdfs:label "Cy" ; :mentor :bo ; :livesIn :oslo ; :nationality :france .
:oslo a :City ; rdfs:label "Oslo" ; :inside :norway . :bergen a :City ; rdfs:label "Bergen" ;
    :inside :norway .
:paris a :City ; rdfs:label "Paris" ; :inside :france .
:norway a :Country ; rdfs:label "Norway" ; :inside :europe .
:france a :Country ; rdfs:label "France" ; :inside :europe .
:europe a :Continent ; rdfs:label "Europe" .
:munch a :Museum ; rdfs:label "Munch" ; :city :oslo .
:orsay a :Museum ; rdfs:label "Orsay" ; :city :paris .
:lamp a :Prize ; rdfs:label "Iron Lamp" .
:r1 a :Recipe ; rdfs:label "Rye Loaf" ; :createdBy :ada ; :origin :norway ; :minutes 90 ;
    :contains :flour, :salt ; :bakedIn :b1 ; :nominated :lamp .
:r2 a :Recipe ; rdfs:label "Brioche" ; :createdBy :ada ; :origin :france ; :minutes 150 ;
    :contains :flour, :butter ; :bakedIn :b2 .
:r3 a :Recipe ; rdfs:label "Lefse" ; :createdBy :bo ; :origin :norway ; :minutes 25 ;
    :contains :flour ; :bakedIn :b1 .
:r4 a :Recipe ; rdfs:label "Oat Bar" ; :createdBy :bo ; :origin :norway ; :minutes 30 ;
    :contains :salt ; :bakedIn :b1 .
:flour a :Ingredient ; rdfs:label "Flour" ; :price 1.5 .
:salt a :Ingredient ; rdfs:label "Salt" ; :price 0.5 .
:butter a :Ingredient ; rdfs:label "Butter" ; :price 3.0 .
:b1 a :Book ; rdfs:label "Plain Fare" ; :editor :cy ; :illustrator :ada ; :pages 90 .
:b2 a :Book ; rdfs:label "Feasts" ; :editor :cy .
"""


@pytest.fixture(scope="module")
def bakers() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def _names(answer: isomatch.Answer) -> str:
    return ", ".join(node.name for node in answer.answers)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who created recipes from more than one country?", "Ada"),
        ("Which persons created recipes from exactly one country?", "Bo"),
        ("Which persons have recipes from at least two countries?", "Ada"),
        ("Who created recipes in more than one book?", "Ada"),
        ("Which person created recipes from the most countries?", "Ada"),
        ("How many persons created recipes from more than one country?", "1"),
        ("Who created recipes with more than one ingredient?", "Ada"),
        ("Who has a mentor?", "Bo, Cy"),
        ("Who has a mentor who lives in Oslo?", "Bo"),
        ("Which persons have a mentor who lives in Oslo?", "Bo"),
        ("Which mentors live in Oslo?", "Ada"),
        ("Which recipe takes the longest?", "Brioche"),
        ("Which recipes take less than half an hour?", "Lefse"),
        ("How long does the Brioche take?", "150"),
        ("What is the total price of the ingredients of Brioche?", "4.5"),
        ("Which ingredients do Rye Loaf and Brioche have in common?", "Flour"),
        ("How many ingredients does Rye Loaf have in common with Lefse?", "1"),
        ("Which persons share a nationality with Ada?", "Bo"),
        ("Which recipes share an ingredient with Oat Bar?", "Rye Loaf"),
        ("How many pages does Plain Fare have?", "90"),
        ("Where does the Brioche come from?", "France"),
    ],
)
def test_what_is_counted_had_timed_or_shared_is_found(
    bakers: isomatch.Session, question: str, found: str
) -> None:
    answer = bakers.ask(question, interpreter="schema")
    assert ", ".join(sorted(_names(answer).split(", "))) == found, answer.text


def test_answers_are_in_the_order_that_is_asked_for(bakers: isomatch.Session) -> None:
    answer = bakers.ask(
        "List the recipes from Norway sorted by preparation time", interpreter="schema"
    )
    assert _names(answer) == "Lefse, Oat Bar, Rye Loaf"


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Is the Munch in Oslo?", True),
        ("Is the Munch in Paris?", False),
        ("Is the Munch in Norway?", True),
        ("Is the Munch in France?", False),
        ("Is Paris in France?", True),
        ("Is Paris in Europe?", True),
        # It may be in a place that is in another one there, however many there are between.
        ("Is Paris in Norway?", None),
        ("Is the Brioche from France?", True),
        ("Is Ada from Norway?", True),
        ("Is Ada from France?", None),
        ("Is the Munch from Oslo?", None),
        ("Is Oslo in Ada?", None),
        ("Is Norway in Oslo?", None),
        ("Is Ada in Oslo?", None),
        ("Is the Brioche in France?", None),
        ("Has Ada a mentor?", None),
        ("Has Bo a mentor?", True),
        ("Does Ada have a mentor?", None),
        ("Does Bo have a mentor?", True),
        ("Is Ada a mentor?", True),
        ("Is Cy a mentor?", None),
        ("Does Ada have an illustrator?", None),
    ],
)
def test_a_yes_or_no_is_about_what_is_said_of_a_name(
    bakers: isomatch.Session, question: str, holds: bool | None
) -> None:
    try:
        answer = bakers.ask(question, interpreter="schema")
    except InterpretationError:
        assert holds is None
        return
    assert answer.holds is holds, answer.text


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("Which recipes won the Iron Lamp?", "If “won” means “nominated for”: "),
        ("Which recipes were nominated for the Iron Lamp?", "Rye Loaf"),
    ],
)
def test_what_a_relation_is_only_like_is_told(
    bakers: isomatch.Session, question: str, beginning: str
) -> None:
    answer = bakers.ask(question, interpreter="schema")
    assert answer.text.startswith(beginning)


def test_an_age_is_told_as_the_date_of_birth_that_it_is() -> None:
    people = b"""
    @prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :born rdfs:label "date of birth" .
    :ada a :Cook ; rdfs:label "Ada Moe" ; :born "1980-02-01"^^xsd:date .
    :bo a :Cook ; rdfs:label "Bo Lund" ; :born "1990-03-01"^^xsd:date ; :trainer :ada .
    """
    with opened(people) as session:
        answer = session.ask("How old is Bo Lund?", interpreter="schema")
    assert answer.text == "If “How old” means “date of birth”: 1990-03-01."


@pytest.mark.parametrize(
    "question",
    [
        "Which person created recipes from the fewest countries?",  # who created none has none
        "Which recipes in common are there?",
        "Which person takes the longest?",
        "Where does the Munch come from?",  # it is in Oslo
        "Which recipes live in Oslo?",  # who created them does
        "Which persons share a nationality?",
        "Which pages does Plain Fare have?",  # it has a number of them
        "List the persons sorted by date of birth",  # Bo and Cy have none
        "List the recipes sorted by preparation time descending",
        "Which recipes take half of an hour?",
        "Who has the mentors of Oslo in common?",
    ],
)
def test_a_part_of_such_a_question_is_not_answered(bakers: isomatch.Session, question: str) -> None:
    try:
        answer = bakers.ask(question, interpreter="schema")
    except InterpretationError:
        return
    assert not answer.supported, answer.text


@settings(max_examples=15, deadline=None)
@given(
    origins=st.lists(
        st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz")), min_size=3, max_size=9
    ),
    least=st.integers(2, 3),
)
def test_things_two_steps_away_are_counted_as_by_hand(
    origins: list[tuple[str, str]], least: int
) -> None:
    lines = [
        "@prefix : <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    ]
    lines += [':createdBy rdfs:label "created by" . :origin rdfs:label "country of origin" .']
    lines += [f':{n} a :Cook ; rdfs:label "Cook {n}" ; :age 4 .' for n in "ABC"]
    lines += [f':{n} a :Country ; rdfs:label "Land {n}" .' for n in "xyz"]
    lines += [
        f':r{n} a :Recipe ; rdfs:label "Dish {n}" ; :createdBy :{cook} ; :origin :{land} .'
        for n, (cook, land) in enumerate(origins)
    ]
    lands = {cook: {land for one, land in origins if one == cook} for cook, _ in origins}
    expected = {f"Cook {cook}" for cook, of in lands.items() if len(of) >= least}
    with opened("\n".join(lines).encode()) as session:
        question = f"Which cooks created recipes from at least {least} countries?"
        answer = session.ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == expected, answer.text

"""What is asked of sales and the like: each by each, what was bought, what sells for what."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

SALES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:p1 a :Product ; rdfs:label "Desk Lamp" ; :category "lighting" ; :price 30.0 ; :maker :acme .
:p2 a :Product ; rdfs:label "Floor Lamp" ; :category "lighting" ; :price 80.0 ; :maker :acme .
:p3 a :Product ; rdfs:label "Oak Table" ; :category "furniture" ; :price 250.0 ; :maker :nord .
:p4 a :Product ; rdfs:label "Red Chair" ; :category "furniture" ; :price 60.0 ; :maker :nord .
:acme a :Maker ; rdfs:label "Acme" . :nord a :Maker ; rdfs:label "Nordwood" .
:s1 a :Sale ; rdfs:label "Sale 1" ; :product :p1 ; :customer :ann ; :amount 60.0 ; :quantity 2 ;
    :date "2024-01-10"^^xsd:date ; :region :north ; :channel "web" .
:s2 a :Sale ; rdfs:label "Sale 2" ; :product :p2 ; :customer :bo ; :amount 80.0 ; :quantity 1 ;
    :date "2024-02-11"^^xsd:date ; :region :south ; :channel "shop" .
:s3 a :Sale ; rdfs:label "Sale 3" ; :product :p3 ; :customer :ann ; :amount 500.0 ; :quantity 2 ;
    :date "2024-02-20"^^xsd:date ; :region :north ; :channel "web" .
:ann a :Customer ; rdfs:label "Ann Lee" ; :email "ann@x.no" ; :city :oslo .
:bo a :Customer ; rdfs:label "Bo Dahl" ; :email "bo@x.no" ; :city :bergen .
:cy a :Customer ; rdfs:label "Cy Moe" ; :city :oslo .
:oslo a :City ; rdfs:label "Oslo" . :bergen a :City ; rdfs:label "Bergen" .
:north a :Region ; rdfs:label "North" . :south a :Region ; rdfs:label "South" .
"""


@pytest.fixture(scope="module")
def sales() -> Iterator[isomatch.Session]:
    with opened(SALES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many products are there per category?", "furniture: 2; lighting: 2."),
        ("How many products by category?", "furniture: 2; lighting: 2."),
        ("Number of sales by region", "North: 2; South: 1."),
        ("How many sales by channel?", "shop: 1; web: 2."),
        ("Total amount by region", "North: 560; South: 80."),
        ("Average price by category", "furniture: 155; lighting: 55."),
    ],
)
def test_by_a_kind_or_a_value_asks_for_each_of_them(
    sales: isomatch.Session, question: str, text: str
) -> None:
    answered = sales.ask(question).text.removesuffix(" Those without any are not listed.")
    assert sorted(answered.strip(".").split("; ")) == text.strip(".").split("; ")


@pytest.mark.parametrize(
    ("question", "pairs"),
    [
        ("Sales by region", {"Sale 1: North", "Sale 2: South", "Sale 3: North"}),
        ("List the web sales by region", {"Sale 1: North", "Sale 3: North"}),
        ("Customers by city", {"Ann Lee: Oslo", "Bo Dahl: Bergen", "Cy Moe: Oslo"}),
    ],
)
def test_things_by_what_they_have_are_listed_with_it(
    sales: isomatch.Session, question: str, pairs: set[str]
) -> None:
    assert set(sales.ask(question).text.strip(".").split("; ")) == pairs


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Products by Acme", {"Desk Lamp", "Floor Lamp"}),
        ("Who bought the Oak Table?", {"Ann Lee"}),
        ("What did Ann Lee buy?", {"Desk Lamp", "Oak Table"}),  # and no region
        ("Which products were bought by Bo Dahl?", {"Floor Lamp"}),
        ("Which products were never bought?", {"Red Chair"}),
        ("Which customers have not bought an Oak Table?", {"Bo Dahl", "Cy Moe"}),
        ("How many products did Ann Lee buy?", {"2"}),
        ("What does the Oak Table sell for?", {"250"}),
        ("Which product sells for the most?", {"Oak Table"}),
        ("Which products sell for less than 70?", {"Desk Lamp", "Red Chair"}),
        ("Which customers have an email?", {"Ann Lee", "Bo Dahl"}),
        ("Customers with an email in Oslo", {"Ann Lee"}),
        ("How many customers have an email?", {"2"}),
        ("Who has no email?", {"Cy Moe"}),
    ],
)
def test_what_was_bought_and_what_they_have(
    sales: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = sales.ask(question)
    assert {found.name for found in answer.answers} == names or answer.text == f"{min(names)}."


def test_whether_somebody_has_a_value_is_said(sales: isomatch.Session) -> None:
    assert sales.ask("Does Ann Lee have an email?").text == "Yes: Ann Lee ─email→ ann@x.no."
    text = sales.ask("Does Cy Moe have an email?").text
    assert text == "No: the graph has no such fact as Cy Moe ─email→ anything."


@pytest.mark.parametrize(
    "question",
    [
        "Which products were sold in 2024?",  # their price is no 2024
        "Which product sold the most?",  # nor the highest price
        "Best selling product",
        "Which products were sold?",
    ],
)
def test_what_was_sold_is_not_what_has_a_price(sales: isomatch.Session, question: str) -> None:
    assert not sales.ask(question).supported


COURSES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Course ; rdfs:label "Databases" ; :taughtBy :novak .
:c2 a :Course ; rdfs:label "Topology" ; :taughtBy :pohl .
:c3 a :Course ; rdfs:label "Algebra" ; :taughtBy :pohl .
:novak a :Professor ; rdfs:label "Jana Novak" . :pohl a :Professor ; rdfs:label "Karin Pohl" .
:s1 a :Student ; rdfs:label "Tom" ; :major :cs ; :advisor :novak .
:s2 a :Student ; rdfs:label "Uma" ; :major :cs ; :advisor :pohl .
:s3 a :Student ; rdfs:label "Vic" ; :major :ma ; :advisor :pohl .
:cs a :Faculty ; rdfs:label "Computing" . :ma a :Faculty ; rdfs:label "Mathematics" .
:e1 a :Enrollment ; rdfs:label "E1" ; :student :s1 ; :course :c1 .
:e2 a :Enrollment ; rdfs:label "E2" ; :student :s2 ; :course :c1 .
:e3 a :Enrollment ; rdfs:label "E3" ; :student :s2 ; :course :c3 .
"""


@pytest.fixture(scope="module")
def courses() -> Iterator[isomatch.Session]:
    with opened(COURSES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who took Databases?", {"Tom", "Uma"}),
        ("What did Uma take?", {"Algebra", "Databases"}),
        ("Which courses were never taken?", {"Topology"}),
        ("Which students took more than one course?", {"Uma"}),
        ("Who took Databases but not Algebra?", {"Tom"}),
        ("Which students does Karin Pohl advise?", {"Uma", "Vic"}),
        ("Which students major in Mathematics?", {"Vic"}),  # a course is taught, and no student
    ],
)
def test_what_students_take_and_who_advises_them(
    courses: isomatch.Session, question: str, names: set[str]
) -> None:
    assert {found.name for found in courses.ask(question).answers} == names


def test_a_value_that_says_there_is_none_is_none() -> None:
    graph = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a a :Keeper ; rdfs:label "Ann Lee" ; :email "ann@x.no" .
    :b a :Keeper ; rdfs:label "Bo Dahl" ; :email "none" .
    :c a :Keeper ; rdfs:label "Cy Moe" ; :email "N/A" .
    """
    with opened(graph) as session:
        assert session.ask("How many keepers have an email?").text == "1."
        assert session.ask("Does Bo Dahl have an email?").text.startswith("No")
        having_none = session.ask("Which keepers have no email?").answers
        assert {found.name for found in having_none} == {"Bo Dahl", "Cy Moe"}
        assert session.ask("What is the email of Bo Dahl?").text == "none."


def test_when_it_was_is_no_plan() -> None:
    graph = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    :v1 a :Voyage ; rdfs:label "Voyage 1" ; :scheduledDeparture "2024-03-01"^^xsd:date ;
        :actualDeparture "2024-03-02"^^xsd:date ; :cargo "timber" .
    :v2 a :Voyage ; rdfs:label "Voyage 2" ; :scheduledDeparture "2024-04-01"^^xsd:date .
    """
    with opened(graph) as session:
        assert session.ask("When did Voyage 1 depart?").text.endswith("2024-03-02.")
        assert session.ask("When did Voyage 2 depart?").answers == ()
        planned = session.ask("What is the scheduled departure of Voyage 1?")
        assert planned.text == "2024-03-01."


@pytest.mark.parametrize("question", ["Sales by date", "Sales per year", "Sales per date"])
def test_no_dates_are_listed_of_things_by_date(question: str) -> None:
    graph = SALES.replace(":date ", ":saleDate ")
    with opened(graph) as session:
        assert not any("2024" in found.name for found in session.ask(question).answers)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who has an email?", {"Iris May"}),
        ("Who is an engineer?", {"June Baker"}),
        ("Is June an engineer?", {"If “June” means “June Baker”: Yes"}),
        ("Is Iris May an engineer?", {"No"}),
        ("When did the Audit start?", {"2024-03-02."}),
    ],
)
def test_staff_are_asked_for_by_title(question: str, names: set[str]) -> None:
    graph = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    :c a :Employee ; rdfs:label "Iris May" ; :jobTitle "director" ; :email "iris@x.no" .
    :d a :Employee ; rdfs:label "June Baker" ; :jobTitle "engineer" ; :email "none" .
    :p a :Project ; rdfs:label "Audit" ; :plannedStart "2024-03-01"^^xsd:date ;
        :startDate "2024-03-02"^^xsd:date .
    """
    with opened(graph) as session:
        answer = session.ask(question)
        found = {one.name for one in answer.answers}
        assert found == names or answer.text.startswith(min(names))


def test_whose_thing_it_is_asks_for_no_thing() -> None:
    graph = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :c a :Musician ; rdfs:label "Eva Stone" . :l a :Luthier ; rdfs:label "Clara Reed" .
    :o a :Instrument ; rdfs:label "Oboe" .
    :r a :Repair ; rdfs:label "Repair 1" ; :customer :c ; :luthier :l ; :instrument :o .
    """
    with opened(graph) as session:
        answer = session.ask("Whose instrument did Clara Reed repair?")
        assert "Oboe" not in {found.name for found in answer.answers}


@pytest.mark.parametrize("question", ["Who is based in Oslo?", "Who lives in Oslo?"])
def test_no_country_is_based_in_its_office(question: str) -> None:
    graph = """
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :a a :Employee ; rdfs:label "Ann Lee" ; :office :o .
    :o a :Office ; rdfs:label "Oslo" ; :country "Norway" .
    """
    with opened(graph) as session:
        assert "Norway" not in session.ask(question).text

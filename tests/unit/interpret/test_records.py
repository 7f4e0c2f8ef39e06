"""Verbs for what a class records: "ordered" and "reviewed", of orders and reviews."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

SHOP = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ivo a :Customer ; rdfs:label "Ivo" . :jan a :Customer ; rdfs:label "Jan" .
:kim a :Customer ; rdfs:label "Kim" ; :livesIn :oslo . :oslo a :City ; rdfs:label "Oslo" .
:lamp a :Product ; rdfs:label "Lamp" ; :price 35.0 .
:drill a :Product ; rdfs:label "Drill" ; :price 120.0 .
:chair a :Product ; rdfs:label "Chair" ; :price 80.0 .
:saw a :Product ; rdfs:label "Saw" ; :price 25.0 .
:o1 a :Order ; rdfs:label "Order 1" ; :customer :ivo ; :contains :lamp, :drill ;
  :orderDate "2023-12-05"^^xsd:date .
:o2 a :Order ; rdfs:label "Order 2" ; :customer :ivo ; :contains :chair ;
  :orderDate "2024-01-15"^^xsd:date .
:o3 a :Order ; rdfs:label "Order 3" ; :customer :jan ; :contains :lamp ;
  :orderDate "2024-02-20"^^xsd:date .
:r1 a :Review ; rdfs:label "Review 1" ; :author :ivo ; :about :lamp .
:r2 a :Review ; rdfs:label "Review 2" ; :author :jan ; :about :drill .
:r3 a :Review ; rdfs:label "Review 3" ; :author :jan ; :about :chair .
"""


@pytest.fixture(scope="module")
def shop() -> Iterator[isomatch.Session]:
    with opened(SHOP) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which products did Ivo order?", {"Lamp", "Drill", "Chair"}),
        ("What did Jan order?", {"Lamp"}),
        ("Which products were ordered by Jan?", {"Lamp"}),
        ("What is the most expensive product ordered by Ivo?", {"Drill"}),
        ("Who reviewed the Drill?", {"Jan"}),
        ("Which customers ordered a Lamp?", {"Ivo", "Jan"}),
        ("Which customers never ordered anything?", {"Kim"}),
        ("Which customers have never reviewed?", {"Kim"}),
        ("Which products were never ordered?", {"Saw"}),
        ("Which products have never been ordered?", {"Saw"}),
        ("Which products have been reviewed?", {"Lamp", "Drill", "Chair"}),
        ("How many products did Ivo order?", {"3"}),
        ("Which customers ordered more than two products?", {"Ivo"}),
        ("Which customer ordered the most products?", {"Ivo"}),
        ("When did Ivo order the Drill?", {"2023-12-05"}),
        ("What did Ivo order in December 2023?", {"Lamp", "Drill"}),
        ("Which products were ordered after 2023?", {"Chair", "Lamp"}),
        ("Who ordered the Lamp in December 2023?", {"Ivo"}),
        ("Which customers placed more than one order?", {"Ivo"}),
        ("Which customers wrote at least two reviews?", {"Jan"}),
        ("Which product was reviewed most often?", {"Chair", "Drill", "Lamp"}),
        ("Who ordered the most expensive product?", {"Ivo"}),
        ("What was ordered in 2024?", {"Chair", "Lamp"}),
        ("How often did Ivo order?", {"2"}),
        ("How often was the Lamp ordered?", {"2"}),
        ("When was the Lamp ordered?", {"2023-12-05", "2024-02-20"}),
    ],
)
def test_a_verb_is_read_by_the_records_of_it(
    shop: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = shop.ask(question, interpreter="schema")
    assert answer.supported, answer.text
    assert {node.name for node in answer.answers} == names


@pytest.mark.parametrize(
    ("question", "holds"),
    [("Did Ivo order the Drill?", True), ("Did Kim order the Drill?", False)],
)
def test_a_record_says_whether_it_was_done(
    shop: isomatch.Session, question: str, holds: bool
) -> None:
    assert shop.ask(question, interpreter="schema").holds is holds


@pytest.mark.parametrize(
    "question",
    [
        "Which products did Ivo order but not review?",  # and not those that nobody reviewed
        "Which customers reviewed only the Drill?",
        "Who ordered what?",
        "Which products did Ivo order for Jan?",
    ],
)
def test_a_verb_of_records_says_no_less_than_it_does(shop: isomatch.Session, question: str) -> None:
    assert not shop.ask(question, interpreter="schema").supported


CLUB = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Person ; rdfs:label "Ann Berg" ; :livesIn :oslo .
:bo a :Person ; rdfs:label "Bo Dahl" ; :livesIn :oslo . :oslo a :City ; rdfs:label "Oslo" .
:cy a :Person ; rdfs:label "Cy Eide" ; :livesIn :oslo .
:l1 a :Loan ; rdfs:label "Loan 1" ; :borrower :ann ; :lender :bo ; :item :saw .
:l2 a :Loan ; rdfs:label "Loan 2" ; :borrower :cy ; :lender :bo ; :item :drill .
:saw a :Tool ; rdfs:label "Saw" ; :owner :bo . :drill a :Tool ; rdfs:label "Drill" ; :owner :bo .
:axe a :Tool ; rdfs:label "Axe" ; :owner :cy .
:v1 a :Vote ; rdfs:label "Vote 1" ; :voter :ann ; :motion :alpha ; :choice "against" .
:v2 a :Vote ; rdfs:label "Vote 2" ; :voter :bo ; :motion :alpha ; :choice "for" .
:alpha a :Motion ; rdfs:label "Motion Alpha" .
:a1 a :Approval ; rdfs:label "Approval 1" ; :approver :cy ; :request :one ; :approved false .
:a2 a :Approval ; rdfs:label "Approval 2" ; :approver :ann ; :request :two ; :approved true .
:one a :Request ; rdfs:label "Request One" ; :cost 30 .
:two a :Request ; rdfs:label "Request Two" ; :cost 12 .
:d1 a :Donation ; rdfs:label "Donation 1" ; :donor :ann ; :charity :red ; :amount 100 .
:d2 a :Donation ; rdfs:label "Donation 2" ; :donor :cy ; :charity :red ; :amount 250 .
:d3 a :Donation ; rdfs:label "Donation 3" ; :donor :cy ; :charity :sea ; :amount 10 .
:red a :Charity ; rdfs:label "Red Help" ; :city :oslo .
:sea a :Charity ; rdfs:label "Sea Fund" ; :city :oslo .
"""


@pytest.fixture(scope="module")
def club() -> Iterator[isomatch.Session]:
    with opened(CLUB) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Ann Berg borrow?", {"Saw"}),
        ("Who borrowed the Drill?", {"Cy Eide"}),
        ("Which tools were never borrowed?", {"Axe"}),
        ("What did Bo Dahl lend?", {"Saw", "Drill"}),
        ("Which requests were approved?", {"Request Two"}),
        ("Which requests were not approved?", {"Request One"}),
        ("Who donated to Red Help?", {"Ann Berg", "Cy Eide"}),
        ("Which charities did Cy Eide donate to?", {"Red Help", "Sea Fund"}),
        ("How much did Cy Eide donate?", {"260"}),
        ("How much did Cy Eide donate to Red Help?", {"250"}),
        ("Who made the largest donation?", {"Cy Eide"}),
        ("Who donated the most?", {"Cy Eide"}),
        ("Who made more than one donation?", {"Cy Eide"}),
        ("Who made a donation to Red Help?", {"Ann Berg", "Cy Eide"}),
    ],
)
def test_those_who_have_a_part_in_a_record_are_told_apart(
    club: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = club.ask(question, interpreter="schema")
    assert answer.supported, answer.text
    assert {node.name for node in answer.answers} == names


@pytest.mark.parametrize(
    "question",
    [
        "Who voted for Motion Alpha?",  # one of them voted against it
        "Which motions did Ann Berg vote for?",
        "Who approved Request One?",
        "Which requests did Cy Eide approve?",
        "Who placed a vote?",
        "How much did Cy Eide borrow?",
    ],
)
def test_no_record_says_more_than_it_does(club: isomatch.Session, question: str) -> None:
    assert not club.ask(question, interpreter="schema").supported


CANCELLED = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:jo a :Astronomer ; rdfs:label "Jo" . :kim a :Astronomer ; rdfs:label "Kim" .
:rosa a :Astronomer ; rdfs:label "Rosa" ; :mentor :kim .
:hale a :Telescope ; rdfs:label "Hale" . :keck a :Telescope ; rdfs:label "Keck" .
:b1 a :Booking ; rdfs:label "Booking 1" ; :bookedBy :jo ; :telescope :hale ; :cancelled true .
:b2 a :Booking ; rdfs:label "Booking 2" ; :bookedBy :kim ; :telescope :hale ; :cancelled false .
:r1 a :Rental ; rdfs:label "Rental 1" ; :renter :kim ; :lens :wide ; :status "cancelled" .
:wide a :Lens ; rdfs:label "Wide Lens" . :long a :Lens ; rdfs:label "Long Lens" .
:o1 a :Order ; rdfs:label "Order 1" ; :orderedBy :jo ; :lens :long ; :status "sent" .
:c1 a :Crime ; :occurredAt :low ; :lastOutcome "Charged" ; :date "2017-08-09" .
:low a :Location ; rdfs:label "Low Road" .
"""


@pytest.fixture(scope="module")
def observatory() -> Iterator[isomatch.Session]:
    with opened(CANCELLED) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which telescope did Jo book?", "If “book” means “booking, cancelled or not”: Hale."),
        (
            "Which astronomers never booked a telescope?",
            "If “booked” means “booking, cancelled or not”: Rosa.",
        ),
        ("Who rented the Wide Lens?", "If “rented” means “rental with any status”: Kim."),
        ("Where did crime occur?", "If “occur” means “crime with any last outcome”: Low Road."),
        ("When did crime happen?", "If “crime” means “crime with any last outcome”: 2017-08-09."),
        ("Who made a booking?", "Kim and Jo."),
        ("Which bookings were cancelled?", "Booking 1."),
        ("Which lens did Jo order?", "Long Lens."),
        ("Did Rosa book Hale?", "No: the graph has no such fact."),
    ],
)
def test_what_may_have_been_cancelled_is_told_of_a_verb(
    observatory: isomatch.Session, question: str, text: str
) -> None:
    assert observatory.ask(question, interpreter="schema").text == text


CHESS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Player ; rdfs:label "Ann" . :cy a :Player ; rdfs:label "Cy" .
:ben a :Player ; rdfs:label "Ben" .
:k1 a :Challenge ; rdfs:label "Challenge 1" ; :challenger :ben ; :opponent :cy ; :accepted true .
:k2 a :Challenge ; rdfs:label "Challenge 2" ; :challenger :cy ; :opponent :ann ; :accepted false .
"""


@pytest.fixture(scope="module")
def players() -> Iterator[isomatch.Session]:
    with opened(CHESS) as session:
        yield session


def test_a_record_of_a_deed_is_nobody(players: isomatch.Session) -> None:
    answer = players.ask("Who accepted a challenge?", interpreter="schema")
    assert not answer.supported, answer.text


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who did Cy challenge?", {"Ann"}),
        ("Who challenged Cy?", {"Ben"}),
        ("Who was challenged?", {"Ann", "Cy"}),
        ("Who was challenged by Ben?", {"Cy"}),
    ],
)
def test_who_did_it_is_called_by_the_record(
    players: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = players.ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == names, answer.text


def test_what_somebody_did_was_not_done_to_them(players: isomatch.Session) -> None:
    assert not players.ask("Was Ben challenged?", interpreter="schema").text.startswith("Yes")


def test_two_names_are_not_both_the_one_doer(players: isomatch.Session) -> None:
    answer = players.ask("Did Cy accept the challenge of Ben?", interpreter="schema")
    assert "Challenge 1 ─opponent→ Cy" in answer.text, answer.text


PORT = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:aurora a :Ship ; rdfs:label "Aurora" ; :built 1999 . :oil a :Cargo ; rdfs:label "Olive Oil" .
:d1 a :Delivery ; rdfs:label "Delivery 1" ; :cargo :oil ; :ship :aurora ;
  :shippedOn "2024-01-10"^^xsd:date ; :receivedOn "2024-02-10"^^xsd:date .
:v1 a :Vaccination ; rdfs:label "Vaccination 1" ; :vaccinator :vera ; :vaccinated :tia ;
  :ship :aurora .
:vera a :Doctor ; rdfs:label "Vera" . :tia a :Sailor ; rdfs:label "Tia" .
"""


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("When was the Olive Oil shipped?", "1999"),
        ("Who was vaccinated?", "Vera"),
        ("Who was vaccinated on Aurora?", "Vera"),
        ("Who vaccinated the most sailors?", "Vaccination"),
    ],
)
def test_what_was_done_is_not_said_of_others(question: str, wrong: str) -> None:
    with opened(PORT) as session:
        assert wrong not in session.ask(question, interpreter="schema").text


SEEDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ana a :Member ; rdfs:label "Ana" . :bea a :Member ; rdfs:label "Bea" .
:kale a :Variety ; rdfs:label "Red Kale" . :pea a :Variety ; rdfs:label "Sugar Pea" .
:bean a :Variety ; rdfs:label "Moon Bean" .
:o1 a :Order ; rdfs:label "Order 1" ; :member :ana ; :variety :pea ; :packets 3 .
:o2 a :Order ; rdfs:label "Order 2" ; :member :ana ; :variety :bean ; :packets 3 .
:d1 a :Donation ; rdfs:label "Donation 1" ; :donor :bea ; :variety :bean ; :grams 100 .
:d2 a :Donation ; rdfs:label "Donation 2" ; :donor :bea ; :variety :kale ; :grams 200 .
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many packets did Ana order?", "6."),  # and no two threes that are one value
        ("Which varieties were both ordered and donated?", "Moon Bean."),
        ("Which varieties were ordered but never donated?", "Sugar Pea."),
    ],
)
def test_what_records_say_is_added_and_kept_apart(question: str, text: str) -> None:
    with opened(SEEDS) as session:
        assert session.ask(question, interpreter="schema").text == text


LINES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:o1 a :Order ; rdfs:label "Order 1" ; :buyer :ann ; :item :lamp ; :quantity 10 ; :unitPrice 5.0 .
:o2 a :Order ; rdfs:label "Order 2" ; :buyer :bo ; :item :saw ; :quantity 1 ; :unitPrice 25.0 .
:o3 a :Order ; rdfs:label "Order 3" ; :buyer :bo ; :item :saw ; :quantity 2 ; :unitPrice 24.0 .
:lamp a :Item ; rdfs:label "Lamp" ; :price 5.0 . :saw a :Item ; rdfs:label "Saw" ; :price 25.0 .
:ann a :Customer ; rdfs:label "Ann" . :bo a :Customer ; rdfs:label "Bo" .
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which item was ordered the most?", "Lamp."),  # ten pieces, and not two orders
        ("Which item was ordered most often?", "Saw."),
        ("What is the most ordered item?", "Lamp."),
        ("How much does Order 1 cost?", "If “cost” means “unit price”: 5."),
        ("What is the most expensive order?", "If “most expensive” means “unit price”: Order 2."),
        ("What is the unit price of Order 1?", "5."),
        ("What is the most expensive item?", "Saw."),
    ],
)
def test_records_of_several_pieces_are_counted_by_these(question: str, text: str) -> None:
    with opened(LINES) as session:
        assert session.ask(question, interpreter="schema").text == text

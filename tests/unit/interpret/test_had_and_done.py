"""What people have by records, win, and had done to things: fines, awards, translations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

PREFIXES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
LIBRARY = f"""{PREFIXES}
:tide a :Book ; rdfs:label "Long Tide" ; :author :kay ; :publisher :nova ;
    :published 1998 .
:iron a :Book ; rdfs:label "Iron Garden" ; :author :lou ; :publisher :nova ;
    :published 2011 ; :translator :kay .
:nova a :Publisher ; rdfs:label "Nova Press" ; :city :cork . :cork a :City ; rdfs:label "Cork" .
:kay a :Author ; rdfs:label "Kay" . :lou a :Author ; rdfs:label "Lou" ; :award :pulsar .
:pulsar a :Award ; rdfs:label "Pulsar Prize" ; :sponsor :ida .
:ida a :Member ; rdfs:label "Ida" . :jon a :Member ; rdfs:label "Jon" .
:f1 a :Fine ; rdfs:label "Fine 1" ; :member :jon ; :amount 4.5 ; :paid false .
:f2 a :Fine ; rdfs:label "Fine 2" ; :member :ida ; :amount 2.0 ; :paid true .
"""


@pytest.fixture(scope="module")
def library() -> Iterator[isomatch.Session]:
    with opened(LIBRARY) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who has a fine?", {"Ida", "Jon"}),
        ("Who has an unpaid fine?", {"Jon"}),
        ("Who has the largest fine?", {"Jon"}),
        ("What is the total of unpaid fines?", {"4.5"}),
        ("What is the sum of all fines?", {"6.5"}),
        ("Which books were translated?", {"Iron Garden"}),
        ("Which books were never translated?", {"Long Tide"}),
        ("Which authors have won an award?", {"Lou"}),
        ("Which authors have not won an award?", {"Kay"}),
        ("Who won the Pulsar Prize?", {"Lou"}),
        ("Which awards did Lou win?", {"Pulsar Prize"}),
        ("What do publishers in Cork publish?", {"Long Tide", "Iron Garden"}),
        ("Which was published first, Long Tide or Iron Garden?", {"Long Tide"}),
        ("Which book was published last, Long Tide or Iron Garden?", {"Iron Garden"}),
    ],
)
def test_what_people_have_and_did_is_found(
    library: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = library.ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == names, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Did Ida win an award?",  # she sponsors one
        "Which members won an award?",
        "Who fined Ida?",
        "Which authors have been translated?",
        "What is the total of all books?",
    ],
)
def test_what_people_have_is_no_deed_of_others(library: isomatch.Session, question: str) -> None:
    answer = library.ask(question, interpreter="schema")
    assert not answer.supported, answer.text


LEAGUE = f"""{PREFIXES}
:hr a :Team ; rdfs:label "Harbour Rovers" . :ut a :Team ; rdfs:label "Upton Town" .
:danny a :Player ; rdfs:label "Danny" ; :team :hr .
:noah a :Player ; rdfs:label "Noah" ; :team :ut .
:m1 a :Match ; rdfs:label "Match 1" ; :homeTeam :hr ; :awayTeam :ut ; :date "2024-08-10"^^xsd:date .
:m2 a :Match ; rdfs:label "Match 2" ; :homeTeam :ut ; :awayTeam :hr ; :date "2024-09-17"^^xsd:date .
:c1 a :Card ; rdfs:label "Card 1" ; :player :danny ; :match :m1 ; :colour "red" .
:t1 a :Transfer ; rdfs:label "Transfer 1" ; :player :noah ; :fromTeam :hr ; :toTeam :ut ; :fee 300 .
:t2 a :Transfer ; rdfs:label "Transfer 2" ; :player :danny ; :fromTeam :ut ; :toTeam :hr ; :fee 90 .
:j1 a :Injury ; rdfs:label "Injury 1" ; :player :noah ; :weeks 6 .
"""


@pytest.fixture(scope="module")
def league() -> Iterator[isomatch.Session]:
    with opened(LEAGUE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which matches were played in August 2024?", {"Match 1"}),
        ("When was Match 2 played?", {"2024-09-17"}),
        ("Which player had the highest transfer fee?", {"Noah"}),
        ("Who got a red card?", {"Danny"}),
        ("How many cards did Danny get?", {"1"}),
        ("Who has an injury?", {"Noah"}),
    ],
)
def test_what_is_played_and_got_is_found(
    league: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = league.ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == names, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Who played in Match 1?",  # he got a card in it
        "Which teams played in Match 1?",
        "Which teams played Match 1?",
        "Which matches did Harbour Rovers play?",
        "Which team has the highest transfer fee?",  # as the one that paid it, or that got it
        "Who injured Noah?",
    ],
)
def test_who_has_a_part_in_some_records_is_not_all_who_did_it(
    league: isomatch.Session, question: str
) -> None:
    answer = league.ask(question, interpreter="schema")
    assert not answer.supported, answer.text


STAFF = f"""{PREFIXES}
:acme a :Company ; rdfs:label "Acme" ; :founded 1990 ; :seat :oslo .
:bolt a :Company ; rdfs:label "Bolt" ; :founded 2004 ; :seat :rome .
:oslo a :City ; rdfs:label "Oslo" . :rome a :City ; rdfs:label "Rome" .
:ann a :Employee ; rdfs:label "Ann" ; :worksFor :acme ; :manager :bea ; :salary 5000 ;
    :birthDate "1980-05-02"^^xsd:date ; :hireDate "2010-03-01"^^xsd:date .
:bea a :Employee ; rdfs:label "Bea" ; :worksFor :acme ; :salary 7000 ;
    :birthDate "1985-01-12"^^xsd:date ; :hireDate "2005-06-01"^^xsd:date .
:home a :Category ; rdfs:label "Home" .
:lamp a :Product ; rdfs:label "Lamp" ; :category :home ; :madeBy :acme ; :price 35 ; :weight 2 .
:drill a :Product ; rdfs:label "Drill" ; :madeBy :bolt ; :price 120 ; :weight 3 .
:saw a :Product ; rdfs:label "Saw" ; :madeBy :acme ; :price 25 ; :weight 9 .
"""


@pytest.fixture(scope="module")
def staff() -> Iterator[isomatch.Session]:
    with opened(STAFF) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does the cheapest product cost?", {"25"}),
        ("How much does the cheapest product cost?", {"25"}),
        ("What is the cheapest product's price?", {"25"}),
        ("What is the heaviest product's price?", {"25"}),
        ("How much is the most expensive product?", {"120"}),
        ("What does the oldest employee earn?", {"5000"}),
        ("When was the oldest employee hired?", {"2010-03-01"}),
        ("Who was the first employee hired?", {"Bea"}),
        ("What do the companies in Oslo make?", {"Lamp", "Saw"}),
        ("How much do the products of Acme cost?", {"35", "25"}),
        ("Which employees do not have a manager?", {"Bea"}),
        ("Who doesn't have a manager?", {"Bea"}),
        ("Which employees are not managers?", {"Ann"}),
        ("Who is the youngest employee's manager?", set()),
        ("What is the oldest company's city?", {"Oslo"}),
        ("Who is the oldest employee's manager?", {"Bea"}),
    ],
)
def test_a_verb_asks_what_somebody_does_and_not_for_them(
    staff: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = staff.ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == names, answer.text


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("What have the companies in Oslo made?", "Acme"),
        ("What does the oldest employee have?", "Ann"),
        ("What kinds of products does Acme make?", "Lamp"),  # they have a category
    ],
)
def test_what_is_told_of_is_no_answer(staff: isomatch.Session, question: str, wrong: str) -> None:
    try:
        answer = staff.ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return
    assert wrong not in answer.text, answer.text


TOWN = f"""{PREFIXES}
:ann a :Person ; rdfs:label "Ann" ; :age 34 ; :livesIn :oslo .
:bo a :Person ; rdfs:label "Bo" ; :age 51 ; :livesIn :rome .
:oslo a :City ; rdfs:label "Oslo" ; :inCountry :norway ; :capitalOf :norway .
:rome a :City ; rdfs:label "Rome" ; :inCountry :italy ; :capitalOf :italy .
:norway a :Country ; rdfs:label "Norway" . :italy a :Country ; rdfs:label "Italy" .
:van a :Car ; rdfs:label "Van" ; :price 9000 ; :age 60 .
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who is the youngest?", "Ann."),
        ("Who is older than 50?", "Bo."),
        ("Who is over 50?", "Bo."),
        ("Who lives in Italy?", "Bo."),  # in a city of that country, if not in its capital alone
        ("What is the capital of Italy?", "Rome."),
    ],
)
def test_people_are_meant_where_nobody_is_named(question: str, text: str) -> None:
    with opened(TOWN) as session:
        assert session.ask(question, interpreter="schema").text == text


def test_a_date_alone_says_nothing_of_people() -> None:
    with opened(TOWN) as session:
        answer = session.ask("Which cities were founded after 2020?", interpreter="schema")
    assert not answer.supported


@pytest.mark.parametrize("question", ["What is the oldest?", "Who is the cheapest?"])
def test_what_is_no_person_is_not_asked_for_by_who(question: str) -> None:
    with opened(TOWN) as session, pytest.raises(isomatch.InterpretationError):
        session.ask(question, interpreter="schema")


HOTEL = f"""{PREFIXES}
:ana a :Guest ; rdfs:label "Ana" . :bob a :Guest ; rdfs:label "Bob" .
:dan a :Guest ; rdfs:label "Dan" .
:nils a :Employee ; rdfs:label "Nils" ; :manager :mara . :mara a :Employee ; rdfs:label "Mara" .
:r1 a :Room ; rdfs:label "Room 1" ; :pricePerNight 90 . :r2 a :Room ; rdfs:label "Room 2" .
:b1 a :Booking ; rdfs:label "Booking 1" ; :guest :ana ; :room :r1 ; :bookedBy :nils ;
    :cancelled false .
:b2 a :Booking ; rdfs:label "Booking 2" ; :guest :bob ; :room :r1 ; :bookedBy :nils ;
    :cancelled true .
:b3 a :Booking ; rdfs:label "Booking 3" ; :guest :bob ; :room :r2 ; :bookedBy :nils ;
    :cancelled false .
:v1 a :Review ; rdfs:label "Review 1" ; :author :ana ; :room :r1 ; :answeredBy :nils .
:tide a :Novel ; rdfs:label "Red Tide" ; :author :iris ; :published "1990-01-01"^^xsd:date .
:ash a :Novel ; rdfs:label "Blue Ash" ; :author :otto ; :published "2001-01-01"^^xsd:date .
:iris a :Author ; rdfs:label "Iris" ; :born 1950 .
:otto a :Author ; rdfs:label "Otto" ; :born 1970 .
:l1 a :Loan ; rdfs:label "Loan 1" ; :borrower :ana ; :novel :ash ;
    :loanDate "2024-01-01"^^xsd:date .
:l2 a :Loan ; rdfs:label "Loan 2" ; :borrower :bob ; :novel :tide ;
    :loanDate "2024-02-01"^^xsd:date .
"""


@pytest.fixture(scope="module")
def hotel() -> Iterator[isomatch.Session]:
    with opened(HOTEL) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who booked each room?", "If “booked” means “booking, cancelled or not”:"),
        ("How much does each room cost?", "If “cost” means “price per night”:"),
        ("How often was Room 1 booked?", "If “booked” means “booking, cancelled or not”: 2."),
    ],
)
def test_lists_and_numbers_tell_what_they_take(
    hotel: isomatch.Session, question: str, told: str
) -> None:
    assert hotel.ask(question, interpreter="schema").text.startswith(told)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which guests do not have a cancelled booking?", {"Ana", "Dan"}),
        ("Which rooms do not have a cancelled booking?", {"Room 2"}),
        ("Which bookings are not cancelled?", {"Booking 1", "Booking 3"}),
        ("What is the oldest author's novel?", {"Red Tide"}),
        ("Which employees have neither a manager nor a mentor?", set()),
        ("Which novel was published first?", {"Red Tide"}),
    ],
)
def test_what_is_denied_or_owned_is_not_said_of_others(
    hotel: isomatch.Session, question: str, names: set[str]
) -> None:
    answer = hotel.ask(question, interpreter="schema")
    assert {node.name for node in answer.answers} == names, answer.text


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("Who has a booking?", "Nils"),  # who made it for others
        ("Who reviewed each room?", "Nils"),  # who answered the reviews
        ("Which novel was borrowed first?", "Red Tide"),
        ("Which was borrowed first, Red Tide or Blue Ash?", "Red Tide"),
        ("What is the oldest author's newest novel?", "Iris"),
    ],
)
def test_another_part_or_date_is_no_answer(
    hotel: isomatch.Session, question: str, wrong: str
) -> None:
    try:
        answer = hotel.ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return
    assert not (answer.supported and wrong in answer.text), answer.text

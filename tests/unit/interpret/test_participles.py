"""Participles: "the sold cars", "who sold cars", "was it sold by Ann", "must be sold"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch
from isomatch.errors import InterpretationError
from isomatch.pattern import format_text

GARAGE = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:polo a :Car ; schema:name "Polo" ; :soldTo :ida ; :soldOn "2023-04-01"^^xsd:date ;
  :price 9000 ; :floor 1 .
:golf a :Car ; schema:name "Golf" ; :soldTo :bob ; :price 12000 ; :floor 0 .
:fiat a :Car ; schema:name "Fiat" ; :soldOn "2022-04-01"^^xsd:date ; :price 4000 .
:audi a :Car ; schema:name "Audi" ; :price 30000 .
:opel a :Car ; schema:name "Opel" ; :inspectedBy :max ; :soldTo :bob ; :price 7000 .
:i1 a :Invoice ; schema:name "Inv 1" ; :paidBy :ida ; :paidOn "2024-01-02"^^xsd:date ; :amount 100 .
:i2 a :Invoice ; schema:name "Inv 2" ; :paidBy :bob ; :amount 300 ; :sentTo :bob ; :sentBy :ann .
:i3 a :Invoice ; schema:name "Inv 3" ; :amount 200 ; :sentTo :bob .
:a1 a :Appointment ; schema:name "App 1" ; :status "cancelled" ; :cancelledBy :ida .
:a2 a :Appointment ; schema:name "App 2" ; :status "cancelled" .
:d1 a :Device ; schema:name "D1" ; :assignedTo :ida . :d2 a :Device ; schema:name "D2" .
:t1 a :Ticket ; schema:name "T-1" ; :openedBy :ann .
:expo a :Congress ; schema:name "Expo" ; :sponsor :acme .
:acme a :Firm ; schema:name "Acme" ; :trained :ida .
:ida a :Person ; schema:name "Ida" ; :bornIn :ulm . :bob a :Person ; schema:name "Bob" .
:will a :Person ; schema:name "Will" . :vw a :Car ; schema:name "VW" ; :inspectedBy :will .
:ann a :Person ; schema:name "Ann" . :max a :Person ; schema:name "Max" .
:ulm a :Town ; schema:name "Ulm" .
"""


@pytest.fixture(scope="module")
def garage() -> Iterator[isomatch.Session]:
    with opened(GARAGE) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List the sold cars", {"Polo", "Golf", "Fiat", "Opel"}),
        ("Which sold cars cost more than 8000?", {"Polo", "Golf"}),
        ("Which sold car costs the most?", {"Golf"}),
        ("What is the most expensive sold car?", {"Golf"}),
        ("What is the cheapest sold car?", {"Fiat"}),
        ("sold and inspected cars", {"Opel"}),
        ("inspected cars", {"Opel", "VW"}),
        ("assigned devices", {"D1"}),
        ("not assigned devices", {"D2"}),
        ("List trained persons", {"Ida"}),
    ],
)
def test_participle_before_a_noun_says_it_was_done(
    garage: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(garage, question) == names


def test_done_in_any_way_is_read_as_alternatives(garage: isomatch.Session) -> None:
    answer = garage.ask("List the sold cars", interpreter="schema")

    assert format_text(answer.pattern) == (
        "(?x1:car) where ?x1 in { (?x1:car)-[sold on]->(?x2) return ?x1 } "
        "or ?x1 in { (?x1:car)-[sold to]->(?x2) return ?x1 } return ?x1"
    )
    certificate = garage.match(answer.pattern, k=1).certificate
    assert certificate.complete
    assert certificate.ties is False


def test_alternatives_with_a_name_or_words_of_two_relations_exclude_what_is_in_none(
    garage: isomatch.Session,
) -> None:
    named = garage.ask("Which cars were sold to Ida or Bob?", interpreter="schema")
    again = '@prefix o: <urn:o:> . :audi o:soldTo :ann . :seat a :Car ; schema:name "Seat" .'
    with opened(GARAGE + again) as session:
        alike = session.ask("List the sold cars", interpreter="schema")

    assert {node.name for node in named.answers} == {"Polo", "Golf", "Opel"}
    assert all(part.operator == "not in" for part in named.pattern.parts)
    assert {node.name for node in alike.answers} == {"Polo", "Golf", "Fiat", "Opel", "Audi"}
    assert all(part.operator == "not in" for part in alike.pattern.parts)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many paid invoices are there?", "2"),
        ("Total amount of paid invoices", "400"),
        ("What is the average amount of the paid invoices?", "200"),
        ("How many sold cars are there?", "4"),
    ],
)
def test_described_things_are_counted_by_any_relation(
    garage: isomatch.Session, question: str, number: str
) -> None:
    assert garage.ask(question, interpreter="schema").text == f"{number}."


@pytest.mark.parametrize(
    "question",
    [
        "How many people sold cars?",
        "Who sold cars?",
        "Who sold the most cars?",
        "Which person sold the most cars?",
        "Which people have sold cars?",
        "Who has not sold any car?",
        "Which persons never sold a car?",
        "Which person sold a car to Ida?",
        "Who was it that sold the Polo?",
        "cars sold by Ida",
        "Was the Polo sold by Ida?",
        "Who was Inv 1 paid to?",
        "Who was Inv 1 paid for?",
        "Who received Inv 2?",
        "sponsored firms",
        "Which firms have been sponsored?",
        "Is T-1 open?",
        "How many cancelled appointments are there?",
        "Which invoices must be paid?",
        "Which invoices should be paid by Ida?",
        "Who can inspect cars?",
        "Which cars are to be inspected?",
        "Was Bob born?",
        "How many open tickets are there?",
        "Which cars are on the first floor?",
        "How many floors do the sold cars have?",
    ],
)
def test_what_no_relation_says_of_a_verb_is_refused(
    garage: isomatch.Session, question: str
) -> None:
    try:
        answer = garage.ask(question, interpreter="schema")
    except InterpretationError:
        return
    assert not answer.supported


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who were cars sold to?", {"Ida", "Bob"}),
        ("Which cars were sold to Ida?", {"Polo"}),
        ("Which cars were sold in 2023?", {"Polo"}),
        ("Which people sent invoices?", {"Ann"}),
        ("Who inspected cars?", {"Max", "Will"}),
        ("Which cars did Will inspect?", {"VW"}),
        ("Which cars were inspected by Max?", {"Opel"}),
    ],
)
def test_verbs_beside_participles_read_as_before(
    garage: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(garage, question) == names


def test_yes_of_what_was_sold_to_somebody(garage: isomatch.Session) -> None:
    answer = garage.ask("Was the Polo sold to Ida?", interpreter="schema")
    assert answer.text.startswith("Yes: Polo ─sold to→ Ida")


COURT = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:k1 a :Case ; schema:name "Case A" ; :filedBy :ivy ; :dismissedBy :judy ; :appealedTo :high ;
  :pageCount 7 .
:k2 a :Case ; schema:name "Case B" ; :filedBy :jon ; :dismissedOn "2022-02-02"^^xsd:date ;
  :pageCount 12 .
:k3 a :Case ; schema:name "Case C" ; :filedBy :jon ; :pageCount 30 .
:x1 a :Exhibit ; schema:name "X1" ; :submittedBy :jon ; :submittedTo :judy ; :insuredBy :axa .
:x2 a :Exhibit ; schema:name "X2" ; :submittedBy :ivy ; :damagedOn "2020-02-02"^^xsd:date ;
  :damagedBy :don ; :insuredBy :axa .
:ivy a :Lawyer ; schema:name "Ivy" ; :mentoredBy :jon ; :defends :don ; :disbarredBy :judy .
:jon a :Lawyer ; schema:name "Jon" ; :defends :dee .
:don a :Defendant ; schema:name "Don" ; :arrestedBy :cole ; :age 20 ; :rentedFor :dee .
:dee a :Defendant ; schema:name "Dee" ; :arrestedIn :ulm ; :age 40 .
:dan a :Defendant ; schema:name "Dan" ; :age 60 .
:judy a :Judge ; schema:name "Judy" ; :teaches :law ; :nominatedFor :high .
:law a :Course ; schema:name "Law" ; :taughtIn :ulm ; :cancelledBy :judy .
:van a :Van ; schema:name "Van 1" ; :rentedTo :ivy ; :rentedOn "2023-04-01"^^xsd:date .
:high a :Court ; schema:name "High Court" ; :foundedIn 1890 ; :openedIn 1891 ;
  :closedOn "1999-01-01"^^xsd:date .
:ulm a :Town ; schema:name "Ulm" .
:cole a :Officer ; schema:name "Cole" ; :worksAt :axa . :axa a :Insurer ; schema:name "Axa" .
"""


@pytest.fixture(scope="module")
def court() -> Iterator[isomatch.Session]:
    with opened(COURT) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who defends arrested defendants?", {"Ivy", "Jon"}),
        ("Which lawyers filed dismissed cases?", {"Ivy", "Jon"}),
        ("Who is the oldest arrested defendant?", {"Dee"}),
        ("Who teaches a cancelled course?", {"Judy"}),
        ("Who submitted an exhibit to Judy?", {"Jon"}),
        ("Who rented the van?", {"Ivy"}),
        ("Which vans did Ivy rent?", {"Van 1"}),
        ("Who were the vans rented to?", {"Ivy"}),
        ("Which vans were rented by Ivy?", {"Van 1"}),
        ("How many damaged and insured exhibits are there?", {"1"}),
        ("Which exhibits were damaged or insured?", {"X1", "X2"}),
        ("Which damaged or insured exhibits are there?", {"X1", "X2"}),
        ("Which exhibits were insured but not damaged?", {"X1"}),
        ("Which cases were filed but not dismissed?", {"Case C"}),
        ("Which cases were filed and dismissed?", {"Case A", "Case B"}),
        ("How many cases were dismissed or appealed?", {"2"}),
        ("What is the longest dismissed case?", {"Case B"}),
        ("Which courts founded before 1900 are closed?", {"High Court"}),
        ("Whose mentor is Jon?", {"Ivy"}),
        ("Which insurer does Cole work for?", {"Axa"}),
        ("Who is Ivy's mentor?", {"Jon"}),
        ("How many pages do the dismissed cases have?", {"19"}),
    ],
)
def test_a_participle_after_a_verb_describes_what_follows(
    court: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(court, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Who appealed cases?",
        "Which court appealed cases?",
        "Who nominated Judy?",
        "Who was Judy nominated by?",
        "Who were the vans rented from?",
        "Which cases were dismissed to Judy?",
        "Which rented exhibits are there?",
        "Who rented exhibits?",
        "Did Ivy submit an exhibit to Judy?",
        "Which open court was founded last?",
        "Which judges and lawyers are there?",
        "Who works for Cole?",
        "Which cases are in the 1990s?",
    ],
)
def test_whom_it_was_done_to_did_not_do_it(court: isomatch.Session, question: str) -> None:
    try:
        answer = court.ask(question, interpreter="schema")
    except InterpretationError:
        return
    assert not answer.supported or answer.text.startswith("No")

"""What was done: on some day, by somebody or somewhere; not where something is to be sent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

PARCELS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:p1 a :Parcel ; schema:name "P-1" ; :deliveredTo :ulm ; :soldBy :ann ;
  :deliveredOn "2024-05-01"^^xsd:date .
:p2 a :Parcel ; schema:name "P-2" ; :deliveredTo :bonn ; :soldBy :ann ; :soldTo :ben .
:ulm a :Town ; schema:name "Ulm" . :bonn a :Town ; schema:name "Bonn" .
:ann a :Person ; schema:name "Ann" . :ben a :Person ; schema:name "Ben" .
"""


@pytest.fixture(scope="module")
def parcels() -> Iterator[isomatch.Session]:
    with opened(PARCELS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has P-1 been delivered?", "Yes"),
        ("Has P-2 been delivered?", "No"),
        ("Has P-2 been delivered yet?", "No"),
        ("Has P-2 been delivered to Bonn?", "Yes"),
        ("Was P-2 sold to Ben?", "Yes"),
        ("Has P-1 been sold?", "Yes: P-1 ─sold by→ Ann"),
    ],
)
def test_yes_needs_the_date_of_what_was_done(
    parcels: isomatch.Session, question: str, answer: str
) -> None:
    assert parcels.ask(question, interpreter="schema").text.startswith(answer)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which parcels have been delivered?", {"P-1"}),
        ("Which parcels have already been delivered?", {"P-1"}),
        ("Which parcels have not been delivered yet?", {"P-2"}),
        ("Which parcels have been delivered to Bonn?", {"P-2"}),
        ("Which parcels have been sold?", {"P-1", "P-2"}),
        ("Which parcels are undelivered?", {"P-2"}),
    ],
)
def test_what_was_done_has_its_date(
    parcels: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(parcels, question) == names


MODULES = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Module ; rdfs:label "Alder" ; :calls :b ; :used :b .
:b a :Module ; rdfs:label "Birch" ; :calls :c ; :used :c ; :replaced :c .
:c a :Module ; rdfs:label "Cedar" .
:d a :Module ; rdfs:label "Dogwood" ; :replacedBy :a .
"""


@pytest.fixture(scope="module")
def modules() -> Iterator[isomatch.Session]:
    with opened(MODULES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which modules have been called?", {"Birch", "Cedar"}),
        ("Which modules are called?", {"Birch", "Cedar"}),
        ("Which modules used a module?", {"Alder", "Birch"}),
        ("Which modules used no module?", {"Cedar", "Dogwood"}),
        ("Which modules were used by a module?", {"Birch", "Cedar"}),
    ],
)
def test_a_verb_without_by_is_what_is_done(
    modules: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(modules, question) == names


def test_no_is_not_told_where_the_opposite_relation_says_yes(modules: isomatch.Session) -> None:
    assert not modules.ask("Has Birch replaced Cedar?", interpreter="schema").text.startswith("No")
    assert modules.ask("Has Cedar replaced Birch?", interpreter="schema").text.startswith("No")


DEALS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:f1 a :Firm ; schema:name "Alm" ; :soldOn "1963-01-01"^^xsd:date ; :soldTo :dax ; :soldBy :ann ;
  :foundedBy :ben .
:dax a :Firm ; schema:name "Dax" .
:o1 a :Order ; schema:name "O-1" ; :shippedBy :ann ; :expectedShipDate "2031-01-01"^^xsd:date ;
  :returnedBy :ann ; :returnReason "late" ; :bookedWith :ann .
:o2 a :Order ; schema:name "O-2" ; :expectedShipDate "2031-02-01"^^xsd:date ; :bookedBy :ben .
:ann a :Person ; schema:name "Ann" ; :marriedTo :ben . :ben a :Person ; schema:name "Ben" .
:cleo a :Person ; schema:name "Cleo" ; :marriedTo :dan ; :marriedOn "2010-05-05"^^xsd:date .
:dan a :Person ; schema:name "Dan" ; :trainedBy :cleo ; :trainedIn :ulm .
:rex a :Dog ; schema:name "Rex" ; :trainedBy :ann ; :trainedIn :ulm .
:ulm a :Town ; schema:name "Ulm" .
"""


@pytest.fixture(scope="module")
def deals() -> Iterator[isomatch.Session]:
    with opened(DEALS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has O-1 been shipped?", "Yes: O-1 ─shipped by→ Ann"),
        ("Has O-2 been shipped?", "No"),  # a date that is expected says nothing
        ("Has O-1 been returned?", "Yes"),  # nor is the reason another way to be returned
        ("Is Ann married?", "Yes"),
        ("Was Alm sold to Dax?", "Yes"),
        ("Has Dan been trained yet?", "Yes: Dan ─trained by→ Cleo"),
    ],
)
def test_a_fact_that_it_was_done_says_so(
    deals: isomatch.Session, question: str, answer: str
) -> None:
    assert deals.ask(question, interpreter="schema").text.startswith(answer)


@pytest.mark.parametrize(
    "question",
    [
        "Was Alm sold to Ben?",  # it was sold, and Ben founded it
        "Was Alm sold by Dax?",
        "Was O-1 booked by Ann?",
    ],
)
def test_no_other_relation_stands_for_what_was_done(deals: isomatch.Session, question: str) -> None:
    answer = deals.ask(question, interpreter="schema")
    assert not answer.supported or answer.holds is False, answer.text


BILLS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:b1 a :Bill ; schema:name "B-1" ; :paidOn "2024-01-01"^^xsd:date ; :paidBy :ann .
:b2 a :Bill ; schema:name "B-2" ; :paidBy :ann .
:b3 a :Bill ; schema:name "B-3" ; :amount 5 .
:ann a :Person ; schema:name "Ann" .
"""


@pytest.fixture(scope="module")
def bills() -> Iterator[isomatch.Session]:
    with opened(BILLS) as session:
        yield session


def test_what_somebody_did_is_not_denied_for_want_of_a_date(bills: isomatch.Session) -> None:
    answers = [bills.ask(f"Has B-{n} been paid?", interpreter="schema") for n in (1, 2, 3)]
    assert [a.text.partition(" ")[0] for a in answers] == ["Yes:", "Yes:", "No:"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which bills have been paid?", {"B-1", "B-2"}),
        ("Which bills have not been paid?", {"B-3"}),
    ],
)
def test_what_somebody_did_is_listed_without_its_date(
    bills: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(bills, question) == names


KENNEL = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:fido a :Dog ; schema:name "Fido" ; :adoptedBy :dan ; :adoptedIn :ulm ; :trainedIn :bonn .
:rex a :Dog ; schema:name "Rex" ; :adoptedBy :eva . :lux a :Dog ; schema:name "Lux" ;
  :adoptedIn :ulm . :pip a :Dog ; schema:name "Pip" ; :age 3 .
:dan a :Person ; schema:name "Dan" ; :bornIn :ulm ; :diedIn :ulm ; :worksAt :home .
:eva a :Person ; schema:name "Eva" ; :bornOn "1990-01-02"^^xsd:date ; :bornIn :bonn ;
  :diedOn "2020-01-02"^^xsd:date . :gus a :Person ; schema:name "Gus" ; :trainedIn :ulm .
:r1 a :Review ; schema:name "Review 1" ; :reviewOf :home ; :stars 3 .
:home a :Home ; schema:name "Dog Home" . :stray a :Home ; schema:name "Stray Home" ; :age 9 .
:ulm a :City ; schema:name "Ulm" . :bonn a :City ; schema:name "Bonn" .
"""


@pytest.fixture(scope="module")
def kennel() -> Iterator[isomatch.Session]:
    with opened(KENNEL) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which dogs have been adopted?", {"Fido", "Rex", "Lux"}),
        ("Which dogs have not been adopted?", {"Pip"}),
        ("Which dogs have never been adopted?", {"Pip"}),
        ("Which dogs are unadopted?", {"Pip"}),
        ("How many unadopted dogs are there?", {"1"}),
        ("How many dogs have been adopted?", {"3"}),
        ("Which dogs have been trained?", {"Fido"}),
        ("Which dogs were adopted in Ulm?", {"Fido", "Lux"}),
        ("Which people have been trained?", {"Gus"}),
        ("Which people have died?", {"Dan", "Eva"}),
        ("Which dogs are not adopted?", {"Pip"}),
        ("Which people have not died?", {"Gus"}),
        ("Which homes have been reviewed?", {"Dog Home"}),
        ("Which homes have not been reviewed?", {"Stray Home"}),
    ],
)
def test_what_was_done_in_any_way_was_done(
    kennel: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(kennel, question) == names


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has Lux been adopted?", "Yes: Lux ─adopted in→ Ulm"),
        (
            "Has Pip been adopted?",
            "No: the graph has no such fact as Pip ─adopted by→ anything "
            "or Pip ─adopted in→ anything.",
        ),
        ("Was Dan born?", "Yes: Dan ─born in→ Ulm"),
        ("Has Dan died?", "Yes: Dan ─died in→ Ulm"),
        ("Has Gus died?", "No"),
        ("Does Dan work?", "Yes: Dan ─works at→ Dog Home"),
        ("Does Eva work?", "No"),
    ],
)
def test_yes_is_told_by_whatever_says_so(
    kennel: isomatch.Session, question: str, answer: str
) -> None:
    assert kennel.ask(question, interpreter="schema").text.startswith(answer)


BOOKS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
:i1 a :Invoice ; schema:name "Invoice 1" ; :paidBy :axis .
:i2 a :Invoice ; schema:name "Invoice 2" ; :issuedFor :dax .
:axis a :Company ; schema:name "Axis" ; :buyer :dax . :dax a :Company ; schema:name "Dax" .
:b a :Book ; schema:name "Moby" ; :author :ann . :ann a :Person ; schema:name "Ann" ;
  :prescribed :rex . :rex a :Drug ; schema:name "Rexamil" .
:leeds a :Team ; schema:name "Leeds" ; :player :ann . :m a :Module ; schema:name "Alder" ;
  :imports :n . :n a :Module ; schema:name "Birch" .
"""


@pytest.fixture(scope="module")
def books() -> Iterator[isomatch.Session]:
    with opened(BOOKS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which invoices were paid to Axis?",
        "Invoices paid to Axis",
        "Which companies were bought from Dax?",
        "Which books were written for Ann?",
    ],
)
def test_whom_it_was_done_for_did_not_do_it(books: isomatch.Session, question: str) -> None:
    answer = books.ask(question, interpreter="schema")
    assert not answer.supported, answer.text


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which invoices were paid by Axis?", {"Invoice 1"}),
        ("Which invoices were issued for Dax?", {"Invoice 2"}),
        ("Which companies were bought by Dax?", {"Axis"}),
        ("Which books were written by Ann?", {"Moby"}),
        ("Who played for Leeds?", {"Ann"}),
        ("Which drugs were prescribed to Ann?", {"Rexamil"}),
    ],
)
def test_who_did_it_is_still_asked_for(
    books: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(books, question) == names


TICKETS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:t1 a :Ticket ; schema:name "T-1" ; :resolvedAt "2021-01-01T10:00:00Z"^^xsd:dateTime ; :by :ann .
:t2 a :Ticket ; schema:name "T-2" ; :resolvedBy :ann . :t3 a :Ticket ; schema:name "T-3" ;
  :status "resolved" ; :by :ann . :t4 a :Ticket ; schema:name "T-4" ; :by :ann ; :status "closed" .
:a1 a :Account ; schema:name "A-1" ; :openedOn "2021-01-01"^^xsd:date ; :by :ann .
:ann a :Person ; schema:name "Ann" ; :reportsTo :ben . :ben a :Person ; schema:name "Ben" .
:a2 a :Account ; schema:name "A-2" ; :by :ann .
"""


@pytest.fixture(scope="module")
def tickets() -> Iterator[isomatch.Session]:
    with opened(TICKETS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which tickets have been resolved?",  # by their status, or by what was done
        "How many tickets have been resolved?",
        "Which tickets have not been resolved?",
        "Which accounts are open?",  # and not which were opened
        "Which accounts are not open?",
        "Has Ann been reported?",
    ],
)
def test_a_state_is_not_taken_for_what_was_done(tickets: isomatch.Session, question: str) -> None:
    assert not tickets.ask(question, interpreter="schema").supported


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has T-1 been resolved?", "Yes: T-1 ─resolved at→ 2021-01-01T10:00:00Z"),
        ("Has T-3 been resolved?", "Yes: T-3 ─status→ resolved"),
        ("Has T-4 been resolved?", "No"),
    ],
)
def test_one_thing_is_done_by_its_state_too(
    tickets: isomatch.Session, question: str, answer: str
) -> None:
    assert tickets.ask(question, interpreter="schema").text.startswith(answer)


WARDS = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:w1 a :Ward ; schema:name "Ward 1" ; :inspectBy "2025-01-01"^^xsd:date ; :renovatedIn 2010 ;
  :willBeClosedOn "2030-01-01"^^xsd:date ; :color "red" ; :loadedAt :ulm .
:w2 a :Ward ; schema:name "Ward 2" ; :inspectedOn "2023-01-01"^^xsd:date ; :renovatedBy :ann ;
  :closedOn "2024-01-01"^^xsd:date ; :inspectedIn :ulm ; :inspectedBy :ann ; :color "blue" .
:w3 a :Ward ; schema:name "Ward 3" ; :inspectedIn :ulm ; :unloadedAt :ulm ; :color "red" ;
  :cleanedBy "Zed" .
:ann a :Doctor ; schema:name "Ann" ; :operatedOn :pat ; :retiresOn "2030-01-01"^^xsd:date ;
  :mentor :ben ; :studiedWith :ben . :ben a :Doctor ; schema:name "Ben" ; :studiedWith :cy .
:cy a :Doctor ; schema:name "Cy" .
:pat a :Patient ; schema:name "Pat" . :quin a :Patient ; schema:name "Quin" ; :operatedBy :ben .
:ulm a :Town ; schema:name "Ulm" .
"""


@pytest.fixture(scope="module")
def wards() -> Iterator[isomatch.Session]:
    with opened(WARDS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which wards have been inspected?", {"Ward 2", "Ward 3"}),  # nor by a deadline
        ("Which wards are uninspected?", {"Ward 1"}),
        ("Which red wards have been inspected?", {"Ward 3"}),
        ("Which wards have been closed?", {"Ward 2"}),  # nor by what will be
        ("Which wards have been renovated?", {"Ward 1", "Ward 2"}),
        ("Which wards have not been renovated?", {"Ward 3"}),  # a year says it, too
        ("Which wards have been cleaned?", {"Ward 3"}),  # and who did it by a text
        ("Which wards have been unloaded?", {"Ward 3"}),
        ("Who studied with Ben?", {"Ann"}),  # and not his teacher
    ],
)
def test_neither_plans_nor_deadlines_say_what_was_done(
    wards: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(wards, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which patients have not been operated?",  # Pat was operated on
        "Has Ann retired?",
        "Which doctors have retired?",
        "Has Ben been mentored?",
    ],
)
def test_what_is_not_told_to_be_done_is_refused(wards: isomatch.Session, question: str) -> None:
    assert not wards.ask(question, interpreter="schema").supported


UNTYPED = """
@prefix : <urn:x:> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann schema:name "Ann" ; :bornIn :hill ; :worksFor :coop ; :age 50 .
:bea schema:name "Bea" ; :bornOn "1984-01-01"^^xsd:date ; :workedWith :ann ; :age 40 .
:hill schema:name "Hillton" ; :population 900 . :coop schema:name "Coop" ; :staff 9 .
"""


def test_any_way_says_yes_in_graphs_without_types() -> None:
    with opened(UNTYPED) as session:
        for question in ("Was Ann born?", "Was Bea born?", "Does Ann work?", "Does Bea work?"):
            assert session.ask(question, interpreter="schema").text.startswith("Yes"), question

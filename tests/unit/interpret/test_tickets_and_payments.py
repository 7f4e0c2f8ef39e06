"""Graphs as teams have them: tickets of services, and payments as nodes between accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import names_found, opened

import isomatch

PREFIXES = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
TICKETS = f"""{PREFIXES}
:t1 a :Ticket ; rdfs:label "T-1" ; :status "open" ; :priority "high" ; :assignedTo :ann ;
  :about :shop ; :dueOn "2024-05-02"^^xsd:date ; :labelType "bug" .
:t2 a :Ticket ; rdfs:label "T-2" ; :status "open" ; :priority "low" ; :labelType "chore" .
:t3 a :Ticket ; rdfs:label "T-3" ; :status "done" ; :priority "high" ; :assignedTo :ann ;
  :about :mail ; :dueOn "2024-06-01"^^xsd:date ; :labelType "bug" ; :blockedBy :t1 .
:ann a :Engineer ; rdfs:label "Ann Moor" ; :memberOf :core ; :basedIn "Oslo" .
:bo a :Engineer ; rdfs:label "Bo Lind" ; :manages :ann ; :memberOf :core ; :basedIn "Oslo" .
:cy a :Engineer ; rdfs:label "Cy Reed" ; :manages :bo ; :memberOf :web ; :basedIn "Lima" .
:core a :Team ; rdfs:label "Core" ; :yearlyBudget 900 ; :numMeetings 4 .
:web a :Team ; rdfs:label "Web" ; :yearlyBudget 400 ; :numMeetings 9 .
:shop a :Service ; rdfs:label "shop" ; :dependsOn :mail , :auth ; :monthlyCostUsd 70 ;
  :hasRepository :r1 .
:mail a :Service ; rdfs:label "mailer" ; :dependsOn :auth ; :monthlyCostUsd 20 ;
  :hasRepository :r2 .
:auth a :Service ; rdfs:label "auth" ; :monthlyCostUsd 90 ; :isPublic true ; :maintainedBy :web .
:wiki a :Service ; rdfs:label "wiki" ; :isPublic false ; :maintainedBy :web .
:cron a :Service ; rdfs:label "cron" ; :isPublic false ; :maintainedBy :core .
:r1 a :Repository ; rdfs:label "core/shop" ; :usesLibrary :react , :grpc ; :isArchived false .
:r2 a :Repository ; rdfs:label "core/mail" ; :usesLibrary :grpc ; :isArchived true .
:r3 a :Repository ; rdfs:label "core/docs" ; :isArchived false .
:react a :Library ; rdfs:label "React" . :grpc a :Library ; rdfs:label "gRPC" .
"""
PAYMENTS = f"""{PREFIXES}
:kim a :Customer ; rdfs:label "Kim Roy" ; :country "Spain" ; :OWNS :a1 , :a2 ; :isVip true ;
  :customerSince "2012-05-03"^^xsd:date ; :dateOfBirth "1980-01-01"^^xsd:date .
:lea a :Customer ; rdfs:label "Lea Sand" ; :country "Malta" ; :OWNS :a2 ; :REFERRED_BY :kim ;
  :customerSince "2020-02-01"^^xsd:date ; :dateOfBirth "1970-01-01"^^xsd:date .
:a1 a :Account ; rdfs:label "A-1" ; :accountType "savings" ; :MADE :p1 , :p2 .
:a2 a :Account ; rdfs:label "A-2" ; :accountType "current" ; :MADE :p3 .
:p1 a :Payment ; rdfs:label "P-1" ; :amount 30 ; :isFlagged true ; :TO :bet ; :PAID_WITH :visa ;
  :timestamp "2024-01-05T10:00:00"^^xsd:dateTime .
:p2 a :Payment ; rdfs:label "P-2" ; :amount 900 ; :isFlagged false ; :TO :bet ;
  :timestamp "2024-02-05T10:00:00"^^xsd:dateTime .
:p3 a :Payment ; rdfs:label "P-3" ; :amount 70 ; :isFlagged true ; :TO :inn ;
  :timestamp "2024-03-05T10:00:00"^^xsd:dateTime .
:p4 a :Payment ; rdfs:label "P-4" ; :amount 12 ; :TO :a1 .
:kim :HOLDS :visa . :a1 :openedOn "2011-01-01"^^xsd:date .
:visa a :Card ; rdfs:label "Visa 1" ; :expiresOn "2031-01-01"^^xsd:date .
:bet a :Merchant ; rdfs:label "BetKing" ; :country "Malta" .
:inn a :Merchant ; rdfs:label "Blue Inn" ; :country "Spain" .
"""


@pytest.fixture(scope="module")
def tickets() -> Iterator[isomatch.Session]:
    with opened(TICKETS) as session:
        yield session


@pytest.fixture(scope="module")
def payments() -> Iterator[isomatch.Session]:
    with opened(PAYMENTS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which tickets are still open?", {"T-1", "T-2"}),
        ("open tickets assigned to Ann Moor", {"T-1"}),
        ("Which tickets assigned to Ann Moor are open?", {"T-1"}),
        ("tickets of high priority", {"T-1", "T-3"}),
        ("Who is assigned to T-1?", {"Ann Moor"}),
        ("Which tickets are unassigned?", {"T-2"}),
        ("unassigned tickets", {"T-2"}),
        ("Which tickets have no due date?", {"T-2"}),
        ("What is T-3 about?", {"mailer"}),
        ("Which label types are there?", {"bug", "chore"}),
        ("Which types of label are there?", {"bug", "chore"}),
        ("Which managers are based in Oslo?", {"Bo Lind"}),
        ("How many people does Cy Reed manage?", {"1"}),
        ("Which team has the smallest budget?", {"Web"}),
        ("Which teams have more than 5 meetings?", {"Web"}),
        ("How much does the mailer cost per month?", {"20"}),
        ("Which services cost more than 60 dollars a month?", {"shop", "auth"}),
        ("Which service do most services depend on?", {"auth"}),
        ("Which services do not depend on anything?", {"auth", "wiki", "cron"}),
        ("Which teams have no public service?", {"Core"}),
        ("Which repositories do not use any library?", {"core/docs"}),
        ("Which libraries does the repository of shop use?", {"React", "gRPC"}),
        ("archived repositories", {"core/mail"}),
        ("unarchived repositories", {"core/shop", "core/docs"}),
    ],
)
def test_questions_about_tickets_and_services_are_read(
    tickets: isomatch.Session, question: str, expected: set[str]
) -> None:
    assert names_found(tickets, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("flagged payments", {"P-1", "P-3"}),
        ("flagged payments to merchants in Malta", {"P-1"}),
        ("What was the largest payment?", {"P-2"}),
        ("What is the latest payment?", {"P-3"}),
        ("Who is our newest customer?", {"Lea Sand"}),
        ("Who is the oldest customer?", {"Lea Sand"}),
        ("Which payments took place on 5 February 2024?", {"P-2"}),
        ("Which accounts have more than one owner?", {"A-2"}),
        ("Who is the owner of A-1?", {"Kim Roy"}),
        ("Which customers live in Spain?", {"Kim Roy"}),
        ("Which customers were referred by a VIP?", {"Lea Sand"}),
        ("payments from A-1", {"P-1", "P-2"}),
        ("payments from A-1 to BetKing", {"P-1", "P-2"}),
        ("payments to A-1", {"P-4"}),
        ("What account types exist?", {"savings", "current"}),
    ],
)
def test_questions_about_payments_are_read_by_relations_in_capitals(
    payments: isomatch.Session, question: str, expected: set[str]
) -> None:
    assert names_found(payments, question) == expected


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who was P-1 paid to?", "“paid”"),  # it is not who it was paid with
        ("Who made P-1?", "“Who”"),  # an account is nobody
        ("Which customers still own A-1?", "“still”"),  # they may have owned it before
        ("Which payments of more than 1000 are flagged?", "“than”"),  # that is no year
        ("Which customers hold an expired card?", "“expired”"),  # it may expire next year
        ("Which is the newest card?", "“newest”"),  # it is not the last to expire
        ("Which open accounts does Kim Roy own?", "“open”"),  # it may be closed since
    ],
)
def test_what_payments_do_not_say_is_refused(
    payments: isomatch.Session, question: str, told: str
) -> None:
    answer = payments.ask(question, interpreter="schema")
    assert not answer.supported
    assert told in answer.text


def test_users_of_something_else_are_not_counted(tickets: isomatch.Session) -> None:
    answer = tickets.ask("How many users does shop have?", interpreter="schema")
    assert not answer.supported

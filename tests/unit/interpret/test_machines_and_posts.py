"""Questions of a team that runs machines, and of a forum: racks, open tickets, what was asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, names_if_answered, opened

import isomatch

MACHINES = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:osl a :Site ; rdfs:label "OSL1" ; :buildCostGbp 900 . :rom a :Site ; rdfs:label "ROM1" .
:a a :Rack ; rdfs:label "A01" ; :LOCATED_IN :osl .
:b a :Rack ; rdfs:label "B01" ; :LOCATED_IN :rom .
:w a :Server ; rdfs:label "web-1" ; :os "Debian" ; :status "active" ; :isVirtual false ;
  :MOUNTED_IN :a .
:d a :Server ; rdfs:label "db-1" ; :os "RHEL" ; :status "maintenance" ; :isVirtual false ;
  :MOUNTED_IN :b .
:v a :Server ; rdfs:label "vm-1" ; :os "RHEL" ; :status "active" ; :isVirtual true ; :HOSTED_ON :d .
:x a :Service ; rdfs:label "shop" ; :DEPENDS_ON :y , :z ; :OWNED_BY :t . :y a :Service ;
  rdfs:label "login" ; :DEPENDS_ON :z ; :OWNED_BY :u . :z a :Service ; rdfs:label "store" .
:t a :Team ; rdfs:label "Red" . :u a :Team ; rdfs:label "Blue" .
:p a :Person ; rdfs:label "Ann Lee" ; :MEMBER_OF :t . :q a :Person ; rdfs:label "Bo Ray" .
:i a :Incident ; rdfs:label "INC-1" ; :openedAt "2024-01-03T10:00:00"^^xsd:dateTime ;
  :closedAt "2024-01-04T10:00:00"^^xsd:dateTime .
:j a :Incident ; rdfs:label "INC-2" ; :openedAt "2024-02-03T10:00:00"^^xsd:dateTime .
"""
FORUM = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:m a :User ; rdfs:label "mossy" ; :reputation 8000 ;
  :createdAt "2015-01-01T00:00:00"^^xsd:dateTime ;
  :ASKED :q ; :PROVIDED :a , :b ; :EARNED :g .
:n a :User ; rdfs:label "oakley" ; :reputation 90 ;
  :createdAt "2021-01-01T00:00:00"^^xsd:dateTime ;
  :ASKED :r ; :CLOSED :q .
:g a :Badge ; rdfs:label "Legend" .
:q a :Question ; rdfs:label "Why moss?" ; :viewCount 12050 ; :score 3 ;
  :createdAt "2016-01-01T00:00:00"^^xsd:dateTime ; :closedAt "2017-01-01T00:00:00"^^xsd:dateTime .
:r a :Question ; rdfs:label "Which oak?" ; :viewCount 800 ; :score 5 ;
  :createdAt "2022-01-01T00:00:00"^^xsd:dateTime .
:a a :Answer ; :ANSWERS :q ; :score 10 ; :createdAt "2016-01-02T00:00:00"^^xsd:dateTime .
:b a :Answer ; :ANSWERS :r ; :score 20 ; :createdAt "2022-01-02T00:00:00"^^xsd:dateTime .
"""


@pytest.fixture(scope="module")
def machines() -> Iterator[isomatch.Session]:
    with opened(MACHINES) as session:
        yield session


@pytest.fixture(scope="module")
def forum() -> Iterator[isomatch.Session]:
    with opened(FORUM) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("servers in OSL1", {"web-1"}),
        ("where is web-1?", {"A01"}),
        ("in which site is web-1?", {"OSL1"}),
        ("which site is db-1 in?", {"ROM1"}),
        ("open incidents", {"INC-2"}),
        ("which incidents are still open?", {"INC-2"}),
        ("which services depend on at least two other services?", {"shop"}),
        ("operating systems of the servers", {"Debian", "RHEL"}),
        ("sites over £500", {"OSL1"}),
    ],
)
def test_machines_are_found(machines: isomatch.Session, question: str, names: set[str]) -> None:
    assert names_found(machines, question) == names


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("is db-1 in maintenance?", "Yes"),
        ("is web-1 in maintenance?", "No"),
        ("is web-1 in ROM1?", "No"),
        ("is shop owned by Blue?", "No"),
        ("members of the team", "If “the team” means “any team”"),
    ],
)
def test_the_answer_begins_so(machines: isomatch.Session, question: str, begins: str) -> None:
    answer = asked(machines, question)
    assert answer is not None
    assert answer.text.startswith(begins)


@pytest.mark.parametrize(
    "question",
    [
        "which VM is hosted on db-1?",  # no "true"
        "is store owned by Blue?",  # whose it is, nothing says
        "incidents over 1990",  # no date is over another
    ],
)
def test_what_machines_do_not_say_is_refused(machines: isomatch.Session, question: str) -> None:
    assert names_if_answered(machines, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who has more than 2000 reputation?", {"mossy"}),
        ("who has more reputation than oakley?", {"mossy"}),
        ("who joined first?", {"mossy"}),
        ("who signed up after 2020?", {"oakley"}),
        ("when did mossy join?", {"2015-01-01T00:00:00"}),
        ('when was "Why moss?" asked?', {"2016-01-01T00:00:00"}),
        ("questions asked before 2018", {"Why moss?"}),
        ("newest question", {"Which oak?"}),
        ("last question asked", {"Which oak?"}),
        ("which questions did mossy ask in 2016?", {"Why moss?"}),
        ("open questions", {"Which oak?"}),
        ("questions with over 10k views", {"Why moss?"}),
        ("total views of all questions", {"12850"}),
        ("average score of mossy's answers", {"15"}),
        ("which users asked before 2018?", {"mossy"}),
    ],
)
def test_posts_are_found(forum: isomatch.Session, question: str, names: set[str]) -> None:
    assert names_found(forum, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "who asked first?",  # and did not join first
        "who has no badge?",  # of all people, or of those who may have one
        "which questions did mossy open?",
        'who reopened "Why moss?"',
    ],
)
def test_what_posts_do_not_say_is_refused(forum: isomatch.Session, question: str) -> None:
    assert names_if_answered(forum, question) is None


def test_names_in_lower_case_are_found_beside_quoted_ones(forum: isomatch.Session) -> None:
    answer = asked(forum, 'did mossy answer "Which oak?"')
    assert answer is not None
    assert answer.holds

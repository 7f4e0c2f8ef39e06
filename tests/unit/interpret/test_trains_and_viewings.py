"""Where trains go, at what time, what was watched, and how large a cast is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

PREFIX = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
TRAINS = (
    PREFIX
    + """
:a a :Station ; rdfs:label "Asby" . :b a :Station ; rdfs:label "Borg" .
:c a :Station ; rdfs:label "Cove" .
:t1 a :Train ; rdfs:label "T-1" ; :origin :a ; :destination :b ; :ramGb 4 ; :nBaths 2 ;
  :journeyMinutes 90 ; :isFull true ; :colour "red" ; :speaks "Norse" , "Dutch" .
:t2 a :Train ; rdfs:label "T-2" ; :origin :b ; :destination :a ; :ramGb 8 ; :nBaths 1 ;
  :journeyMinutes 45 ; :isFull true ; :colour "blue" ; :speaks "Dutch" .
:t3 a :Train ; rdfs:label "T-3" ; :origin :a ; :destination :c ; :isFull false ; :colour "red" .
:s1 a :Call ; :train :t1 ; :station :a ; :departure "07:15:00"^^xsd:time ; :platform "4" .
:s2 a :Call ; :train :t1 ; :station :b ; :arrival "18:00:00"^^xsd:time .
:s3 a :Call ; :train :t2 ; :station :b ; :departure "09:05:00"^^xsd:time .
:s4 a :Call ; :train :t2 ; :station :a ; :arrival "11:00:00"^^xsd:time .
:s5 a :Call ; :train :t3 ; :station :a ; :departure "12:00:00"^^xsd:time .
:s6 a :Call ; :train :t3 ; :station :c ; :arrival "13:00:00"^^xsd:time .
:f1 a :Fare ; rdfs:label "Fare 1" ; :from :a ; :to :b ; :price 20 .
:f2 a :Fare ; rdfs:label "Fare 2" ; :from :a ; :to :c ; :price 30 .
:d1 a :Driver ; rdfs:label "Ann Lee" ; :drives :t2 ; :basedAt :a ; :bornOn "1990-05-01"^^xsd:date ;
  :experienceYears 12 ; :awardReceived :w .
:d2 a :Driver ; rdfs:label "Bob Ray" ; :drives :t1 ; :basedAt :b ; :bornOn "1980-02-03"^^xsd:date ;
  :experienceYears 3 .
:w a :Award ; rdfs:label "Golden Rail" .
"""
)
VIEWINGS = (
    PREFIX
    + """
:u1 a :User ; rdfs:label "Ida" . :u2 a :User ; rdfs:label "Jan" .
:f1 a :Film ; rdfs:label "Glass" ; :castMember :p1 , :p2 ; :productionCompany :k1 .
:f2 a :Film ; rdfs:label "Slate" ; :castMember :p1 ; :productionCompany :k1 .
:f3 a :Film ; rdfs:label "Stone" ; :productionCompany :k2 .
:p1 a :Person ; rdfs:label "Kai Orr" . :p2 a :Person ; rdfs:label "Lou Fox" .
:k1 a :Company ; rdfs:label "Elm Pictures" . :k2 a :Company ; rdfs:label "Oak Pictures" .
:v1 a :Viewing ; :viewer :u1 ; :watched :f1 ; :onDevice :d1 ; :viewingDate "2024-01-02"^^xsd:date .
:v2 a :Viewing ; :viewer :u1 ; :watched :f2 ; :onDevice :d2 ; :viewingDate "2024-03-02"^^xsd:date .
:v3 a :Viewing ; :viewer :u2 ; :watched :f1 ; :onDevice :d2 ; :viewingDate "2024-02-02"^^xsd:date .
:d1 a :Device ; rdfs:label "phone" . :d2 a :Device ; rdfs:label "browser" .
:c1 a :Coach ; rdfs:label "Max Ito" ; :coaches :m1 . :c2 a :Coach ; rdfs:label "Ned Poe" .
:m1 a :Team ; rdfs:label "Reds" . :m2 a :Team ; rdfs:label "Blues" .
:e1 a :Employment ; :employee :p1 ; :employer :k1 ; :from 2001 ; :to 2005 .
:e2 a :Employment ; :employee :p2 ; :employer :k1 ; :from 2003 .
"""
)
LOANS = (
    PREFIX
    + """
:a a :Person ; rdfs:label "Ann Lee" ; :phdFrom :v .
:b a :Person ; rdfs:label "Bob Ray" ; :phdFrom :u .
:u a :University ; rdfs:label "Elm College" . :v a :University ; rdfs:label "Oak College" .
:l a :Loan ; :borrower :a ; :lender :u . :m a :Loan ; :borrower :b ; :lender :v .
"""
)
PAINTINGS = (
    PREFIX
    + """
:q rdfs:label "Quay" ; :exhibitedIn :m ; :donor :h ; :creator :l .
:r rdfs:label "Rain" ; :exhibitedIn :n ; :creator :l .
:m rdfs:label "Elm Hall" . :n rdfs:label "Oak Hall" . :h rdfs:label "Hal Roe" .
:l rdfs:label "Lotte Vann" .
"""
)


@pytest.fixture(scope="module")
def trains() -> Iterator[isomatch.Session]:
    with opened(TRAINS) as session:
        yield session


@pytest.fixture(scope="module")
def viewings() -> Iterator[isomatch.Session]:
    with opened(VIEWINGS) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which trains travel from Asby?", {"T-1", "T-3"}),
        ("Which trains depart from Asby?", {"T-1", "T-3"}),
        ("Which trains go to Asby?", {"T-2"}),
        ("Which trains start at Asby?", {"T-1", "T-3"}),
        ("Which trains end at Cove?", {"T-3"}),
        ("Which trains go from Asby to Borg?", {"T-1"}),
        ("trains from Asby", {"T-1", "T-3"}),
        ("trains to Asby", {"T-2"}),
        ("Which fares are from Asby?", {"Fare 1", "Fare 2"}),
    ],
)
def test_trains_from_a_station_have_it_as_their_origin(
    trains: isomatch.Session, question: str, found: set[str]
) -> None:
    """And are not all that stop there, nor those that go there, nor what a fare is from."""
    assert names_found(trains, question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which trains depart at 07:15?", {"T-1"}),
        ("Which trains depart at 7:15 AM?", {"T-1"}),
        ("Which trains arrive at 6 pm?", {"T-1"}),
        ("Which trains depart at 9:05 a.m.?", {"T-2"}),
    ],
)
def test_times_of_day_are_read_in_other_notations(
    trains: isomatch.Session, question: str, found: set[str]
) -> None:
    assert names_found(trains, question) == found


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the departure of T-1 at Asby?", "07:15:00."),
        ("the arrival of T-2 in Asby", "11:00:00."),
        ("Which platform does T-1 use at Asby?", "4."),
        ("How long does T-1 take?", "90."),
        ("Which train takes the longest?", "T-1."),
        ("Which trains take less than an hour?", "T-2."),
    ],
)
def test_values_of_what_joins_two_names_and_of_journeys_are_read(
    trains: isomatch.Session, question: str, text: str
) -> None:
    answer = asked(trains, question)
    assert answer is not None
    assert answer.text == text


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who drives trains to Asby?", {"Ann Lee"}),
        ("drivers of trains from Asby", {"Bob Ray"}),
        ("Which drivers drive trains that go to Asby?", {"Ann Lee"}),
    ],
)
def test_so_have_the_trains_of_whom_is_asked_for(question: str, found: set[str]) -> None:
    """Of which there are several kinds here."""
    kinds = ":Express rdfs:subClassOf :Train . :Local rdfs:subClassOf :Train ."
    typed = TRAINS.replace("t1 a :Train", "t1 a :Express").replace("t2 a :Train", "t2 a :Local")
    with opened(typed.replace("t3 a :Train", "t3 a :Express") + kinds) as session:
        assert names_found(session, question) == found


def test_what_somebody_has_from_there_says_nothing_of_others() -> None:
    """That persons have a PhD from a university is no way to borrow from it."""
    with opened(LOANS) as session:
        assert names_found(session, "Who borrowed from Elm College?") == {"Ann Lee"}
        assert names_found(session, "Who has a PhD from Elm College?") == {"Bob Ray"}


@pytest.mark.parametrize("way", ["to", "from", "for", "with", "near"])
def test_values_of_two_names_are_where_the_other_is(trains: isomatch.Session, way: str) -> None:
    """What departs to Asby does not depart there, nor does what arrives from there arrive there."""
    assert asked(trains, f"What is the departure of T-1 {way} Asby?") is None
    assert asked(trains, f"the arrival of T-2 {way} Asby") is None


@pytest.mark.parametrize("question", ["last train from Asby", "Show the last train from Asby"])
def test_the_last_of_some_is_not_how_long_they_last(
    trains: isomatch.Session, question: str
) -> None:
    answer = asked(trains, question)
    assert answer is None or "90" not in answer.text


def test_what_joins_two_names_in_two_ways_has_no_such_value(trains: isomatch.Session) -> None:
    """A fare leads from a station to another, and says neither by "at"."""
    assert asked(trains, "What is the price of Asby at Borg?") is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which trains have a red colour?", {"T-1", "T-3"}),
        ("Which trains have the colour red?", {"T-1", "T-3"}),
        ("full red trains", {"T-1"}),
        ("Which languages does T-1 speak?", {"Norse", "Dutch"}),
        ("Which drivers have more than 10 years of experience?", {"Ann Lee"}),
        ("drivers with less than 10 years of experience", {"Bob Ray"}),
        ("Which drivers have won an award?", {"Ann Lee"}),
        ("Which drivers have never won an award?", {"Bob Ray"}),
    ],
)
def test_values_are_had_as_people_say_it(
    trains: isomatch.Session, question: str, found: set[str]
) -> None:
    assert names_found(trains, question) == found


@pytest.mark.parametrize("question", ["Which trains depart at 7:15 PM?", "trains at 10 AM"])
def test_no_other_time_of_day_stands_for_one(trains: isomatch.Session, question: str) -> None:
    assert asked(trains, question) is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much memory does T-2 have?", "8."),
        ("How many bathrooms does T-1 have?", "2."),
        ("When is Bob Ray's birthday?", "1980-02-03."),
        ("What is the birthday of Ann Lee?", "1990-05-01."),
    ],
)
def test_what_people_say_for_values_of_schemas_is_read(
    trains: isomatch.Session, question: str, text: str
) -> None:
    answer = asked(trains, question)
    assert answer is not None
    assert answer.text == text


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What did Ida watch?", {"Glass", "Slate"}),
        ("Who watched Glass?", {"Ida", "Jan"}),
        ("Which users watched Slate?", {"Ida"}),
        ("Which films did Ida watch on the browser?", {"Slate"}),
        ("What has Jan watched?", {"Glass"}),
    ],
)
def test_who_does_what_a_record_is_of_did_it(
    viewings: isomatch.Session, question: str, found: set[str]
) -> None:
    """The `viewer` of a viewing watched what it says was `watched`."""
    assert names_found(viewings, question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which film has the largest cast?", {"Glass"}),
        ("the film with the biggest cast", {"Glass"}),
        ("Which films were produced by Elm Pictures?", {"Glass", "Slate"}),
        ("films produced by the production company of Stone", {"Stone"}),
        ("Which coaches coach teams?", {"Max Ito"}),
        ("Which coaches coach a team?", {"Max Ito"}),
        ("Which coaches do not coach a team?", {"Ned Poe"}),
        ("Who is the coach of Reds?", {"Max Ito"}),
    ],
)
def test_casts_companies_and_coaches_are_read_as_people_say_them(
    viewings: isomatch.Session, question: str, found: set[str]
) -> None:
    assert names_found(viewings, question) == found


def test_what_has_no_cast_has_not_the_smallest(viewings: isomatch.Session) -> None:
    assert asked(viewings, "Which film has the smallest cast?") is None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("viewings with the latest viewing date", "v2."),
        ("Which viewing has the latest date?", "v2."),
        ("the viewing with the earliest date", "v1."),
    ],
)
def test_the_latest_date_is_that_of_the_class(
    viewings: isomatch.Session, question: str, text: str
) -> None:
    answer = asked(viewings, question)
    assert answer is not None
    assert answer.text == text


def test_who_is_employed_somewhere_is_so_now(viewings: isomatch.Session) -> None:
    past, now = (asked(viewings, f"Who {be} employed by Elm Pictures?") for be in ("was", "is"))
    assert past is not None
    assert now is not None
    assert {node.name for node in past.answers} == {"Kai Orr", "Lou Fox"}
    assert not past.text.startswith("If")
    assert now.text.startswith("If “employed” means “employed, at any time”: ")


def test_whom_something_is_given_to_is_not_who_gave_it() -> None:
    with opened(PAINTINGS) as session:
        assert asked(session, "Who gave Quay to the museum?") is None
        assert names_found(session, "Who is the donor of Quay?") == {"Hal Roe"}


def test_those_of_a_kind_are_none_that_have_no_type() -> None:
    graph = """
:a a :Athlete ; rdfs:label "Ann Lee" ; :birthPlace :x . :b a :Athlete ; rdfs:label "Bob Ray" .
:c rdfs:label "Cy Orr" ; :birthPlace :x ; :occupation "coach" .
:x a :City ; rdfs:label "Westmere" .
"""
    with opened(PREFIX + graph) as session:
        assert names_found(session, "Which athletes come from Westmere?") == {"Ann Lee"}
        assert names_found(session, "Who was born in Westmere?") == {"Ann Lee", "Cy Orr"}

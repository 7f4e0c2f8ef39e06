"""Records of who did what to whom, and of what people only wish to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, names_if_answered, opened

import isomatch

DONATIONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Neighbour ; rdfs:label "Ann Berg" ; :HOPES_TO_BUY :saw .
:bob a :Neighbour ; rdfs:label "Bob Lee" ; :HOPES_TO_BUY :drill .
:cy a :Neighbour ; rdfs:label "Cy Noor" .
:saw a :Tool ; rdfs:label "band saw" . :drill a :Tool ; rdfs:label "hammer drill" .
:d1 a :Donation ; :donatedBy :ann ; :donatedTo :bob ; :donatedTool :saw .
:d2 a :Donation ; :donatedBy :bob ; :donatedTo :ann ; :donatedTool :drill .
:d3 a :Donation ; :donatedBy :cy ; :donatedTo :ann ; :donatedTool :saw .
:p1 a :Purchase ; :buyer :ann ; :bought :drill . :ann :friend :bob .
"""

ROLES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:h a :Film ; rdfs:label "Harbour Lights" ; :directed_by :ada .
:m a :Film ; rdfs:label "Mud" ; :directed_by :bo .
:ada a :Person ; rdfs:label "Ada Lind" . :bo a :Person ; rdfs:label "Bo Rehn" .
:cy a :Person ; rdfs:label "Cy Holt" .
:r1 a :Role ; :actor :cy ; :inFilm :h . :r2 a :Role ; :actor :bo ; :inFilm :h .
:r3 a :Role ; :actor :cy ; :inFilm :m .
:s1 a :Rating ; :byCritic :ada ; :ofFilm :m ; :stars 4 .
:q a :Film ; rdfs:label "Quarry" .
:s2 a :Rating ; :byCritic :bo ; :ofFilm :h ; :stars 2 .
"""

NOMINATIONS = ROLES.replace(":Role", ":Nomination")


@pytest.fixture(scope="module")
def donations() -> Iterator[isomatch.Session]:
    with opened(DONATIONS) as session:
        yield session


@pytest.fixture(scope="module")
def roles() -> Iterator[isomatch.Session]:
    with opened(ROLES) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did Ann Berg donate to Bob Lee?", {"band saw"}),
        ("What did Bob Lee donate to Ann Berg?", {"hammer drill"}),
        ("Which tools did Ann Berg donate to Bob Lee?", {"band saw"}),
        ("Who donated the band saw to Ann Berg?", {"Cy Noor"}),
        ("Who donated the band saw to Bob Lee?", {"Ann Berg"}),
        ("Who did Ann Berg donate to?", {"Bob Lee"}),
        ("Who was the band saw donated to?", {"Ann Berg", "Bob Lee"}),
        ("What was donated to Ann Berg?", {"band saw", "hammer drill"}),
        ("What did Ann Berg's friends donate?", {"hammer drill"}),
    ],
)
def test_a_record_tells_who_gave_from_whom_it_was_given_to(
    donations: isomatch.Session, question: str, names: set[str]
) -> None:
    assert names_found(donations, question) == names


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Did Cy Noor donate the band saw to Ann Berg?", True),
        ("Did Bob Lee donate the band saw to Ann Berg?", False),
        ("Did Ann Berg donate the band saw to Cy Noor?", False),
    ],
)
def test_who_did_something_to_somebody_is_asked_of_one_record(
    donations: isomatch.Session, question: str, holds: bool
) -> None:
    answer = asked(donations, question)
    assert answer is not None
    assert answer.holds is holds


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does Ann Berg hope to buy?", {"band saw"}),
        ("Who hopes to buy the hammer drill?", {"Bob Lee"}),
        ("Who bought the band saw?", None),
        ("Did Ann Berg buy the band saw?", {"False"}),
    ],
)
def test_what_somebody_wishes_to_do_was_not_done(
    donations: isomatch.Session, question: str, names: set[str] | None
) -> None:
    answer = asked(donations, question)
    if answer is not None and answer.holds is not None:
        assert {str(answer.holds)} == names
    else:
        assert names_if_answered(donations, question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who starred in Harbour Lights?", {"Bo Rehn", "Cy Holt"}),
        ("Who acted in Mud?", {"Cy Holt"}),
        ("Who acted for Mud?", None),
        ("What has Cy Holt acted in?", {"Harbour Lights", "Mud"}),
        ("How many films has Cy Holt acted in?", {"2"}),
        ("Who acted in the most films?", {"Cy Holt"}),
        ("Who acted in a film directed by Bo Rehn?", {"Cy Holt"}),
        ("What did Ada Lind rate?", {"Mud"}),
        ("Who rated Harbour Lights?", {"Bo Rehn"}),
    ],
)
def test_a_preposition_says_the_relation_of_a_record_that_it_begins(
    roles: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(roles, question) == names


@pytest.mark.parametrize(
    "question",
    ["Who starred in Mud?", "Did Bo Rehn act in Mud?", "What has Cy Holt acted in?"],
)
def test_a_nomination_does_not_say_who_acted(question: str) -> None:
    with opened(NOMINATIONS) as session:
        assert names_if_answered(session, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which films were rated with more than 3 stars?", {"Mud"}),
        ("Films rated below 3 stars", {"Harbour Lights"}),
        ("Who rated Mud with four stars?", {"Ada Lind"}),
        ("Who rated Mud below 3 stars?", None),
        ("Films that nobody has rated", {"Quarry"}),
        ("average rating of Mud", {"4"}),
        ("What is the average rating of Harbour Lights?", {"2"}),
        ("Which film has the best average rating?", {"Mud"}),
        ("Which people has nobody rated?", None),
    ],
)
def test_records_are_told_apart_by_their_values(
    roles: isomatch.Session, question: str, names: set[str] | None
) -> None:
    assert names_if_answered(roles, question) == names

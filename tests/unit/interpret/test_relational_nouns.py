"""Nouns of relations beside names and values: each of these was once answered as if proven."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_if_answered, opened

from isomatch import Session

FILMS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:castMember rdfs:label "cast member" . :awardReceived rdfs:label "award received" .
:heat a :Film ; rdfs:label "Heat" ; :director :ann ; :castMember :bob ; :awardReceived :reel .
:cold a :Film ; rdfs:label "Cold" ; :director :ann ; :castMember :cid .
:rain a :Film ; rdfs:label "Rain" ; :director :bob ; :castMember :cid .
:ann a :Person ; rdfs:label "Ann Ash" ; :awardReceived :prize .
:bob a :Person ; rdfs:label "Bob Elm" . :cid a :Person ; rdfs:label "Cid Oak" .
:reel a :Award ; rdfs:label "Golden Reel" . :prize a :Award ; rdfs:label "Silver Prize" .
"""

POSTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:tagged rdfs:label "tagged" . :coaches rdfs:label "coaches" . :listedBy rdfs:label "listed by" .
:q1 a :Question ; rdfs:label "Why moss?" ; :tagged :soil ; :score 4 .
:q2 a :Question ; rdfs:label "Why clay?" ; :tagged :soil ; :score 8 .
:soil a :Tag ; rdfs:label "soil" .
:ann a :User ; rdfs:label "Ann Ash" ; :closed :q1 ; :edited :q2 .
:bob a :Coach ; rdfs:label "Bob Elm" ; :coaches :rovers .
:rovers a :Team ; rdfs:label "Rovers" .
:barn a :Property ; rdfs:label "Barn" ; :listedBy :cid . :cid a :Agent ; rdfs:label "Cid Oak" .
"""

WORKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:static rdfs:label "Static" ; :creator :zara , :marek . :loop rdfs:label "Loop" ; :creator :marek .
:zara rdfs:label "Zara Elm" . :marek rdfs:label "Marek Oak" .
"""

SHIPS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:gannet rdfs:label "Gannet" ; :builder :yard ; :cargo "grain" ; :vesselType "barque" .
:tern rdfs:label "Tern" ; :builder :yard ; :cargo "ore" ; :vesselType "ferry" .
:yard rdfs:label "Clyde Works" .
"""


@pytest.fixture(scope="module")
def films() -> Iterator[Session]:
    with opened(FILMS) as session:
        yield session


@pytest.fixture(scope="module")
def posts() -> Iterator[Session]:
    with opened(POSTS) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Does director Ann Ash act?",
        "Does actor Ann Ash direct?",
        "Which award did director Ann Ash receive?",
    ],
)
def test_a_name_is_what_the_noun_before_it_says_and_does_what_the_verb_does(
    films: Session, question: str
) -> None:
    assert asked(films, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which award did Ann Ash receive?", {"Silver Prize"}),
        ("Which films did Ann Ash direct?", {"Heat", "Cold"}),
        ("What did the director of Heat direct?", {"Heat", "Cold"}),
    ],
)
def test_a_name_that_does_what_the_verb_says_is_answered(
    films: Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(films, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Average score of the tags about soil",
        "Which properties listed agents?",
        "Which teams coach coaches?",
        "When did Ann Ash close questions?",
    ],
)
def test_values_and_verbs_are_of_what_stands_beside_them(posts: Session, question: str) -> None:
    assert asked(posts, question) is None


def test_values_and_verbs_of_what_has_them_are_answered(posts: Session) -> None:
    average = asked(posts, "Average score of the questions about soil")
    assert average is not None
    assert average.text == "6."
    assert names_if_answered(posts, "Which agents listed properties?") == {"Cid Oak"}
    assert names_if_answered(posts, "Which coaches coach teams?") == {"Bob Elm"}
    assert names_if_answered(posts, "Who coaches Rovers?") == {"Bob Elm"}
    assert names_if_answered(posts, "Which coaches coach teams?") == {"Bob Elm"}
    assert names_if_answered(posts, "Which teams does a coach coach?") == {"Rovers"}


HOMES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:listedBy rdfs:label "listed by" . :heldIn rdfs:label "held in" .
:belongsTo rdfs:label "belongs to" .
:locatedIn rdfs:label "located in" . :hasGarden rdfs:label "has garden" .
:barn a :Property ; rdfs:label "Barn" ; :listedBy :cid ; :district :dock ; :hasGarden true .
:mill a :Property ; rdfs:label "Mill" ; :listedBy :cid ; :district :dock ; :hasGarden false .
:dock a :District ; rdfs:label "Docklands" . :cid a :Agent ; rdfs:label "Cid Oak" .
:sets a :Course ; rdfs:label "Sets" ; :heldIn :r1 ; :belongsTo :maths .
:logic a :Course ; rdfs:label "Logic" ; :heldIn :r1 ; :belongsTo :arts .
:servesStop rdfs:label "serves stop" . :runsOn rdfs:label "runs on" .
:l1 a :Line ; rdfs:label "Line 1" ; :servesStop :zoo . :zoo a :Stop ; rdfs:label "Zoo" .
:shopd a :Service ; rdfs:label "shopd" ; :runsOn :app . :app a :Server ; rdfs:label "app" .
:r1 a :Room ; rdfs:label "R1" . :maths a :Programme ; rdfs:label "Maths" .
:arts a :Programme ; rdfs:label "Arts" . :o1 a :Offer ; rdfs:label "o1" ; :onHome :barn .
:pill a :Drug ; rdfs:label "Pill" ; :manufacturer :acme . :acme a :Company ; rdfs:label "Acme" ;
    :locatedIn :osk . :osk a :City ; rdfs:label "Osk" .
"""

PRESS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:editedBy rdfs:label "edited by" . :correctedOn rdfs:label "corrected on" .
:a1 a :Article ; rdfs:label "Old Bridge" ; :editedBy :ruth ; :correctedOn "2024-02-01"^^xsd:date .
:a2 a :Article ; rdfs:label "Derby" ; :editedBy :tom . :ruth a :Editor ; rdfs:label "Ruth Ash" .
:tom a :Editor ; rdfs:label "Tom Elm" .
"""

TEAMS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:memberOf rdfs:label "member of" .
:ann a :User ; rdfs:label "Ann Ash" ; :memberOf :rovers .
:bob a :User ; rdfs:label "Bob Elm" ; :memberOf :rovers .
:cid a :User ; rdfs:label "Cid Oak" ; :memberOf :united .
:rovers a :Team ; rdfs:label "Rovers" . :united a :Team ; rdfs:label "United" .
"""

TRIALS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:conductedAt rdfs:label "conducted at" . :locatedIn rdfs:label "located in" .
:t1 a :Trial ; rdfs:label "Calm" ; :conductedAt :west , :east ; :arm :a1 , :a2 .
:t2 a :Trial ; rdfs:label "Ease" ; :conductedAt :west ; :arm :a3 .
:a1 a :Arm ; rdfs:label "A1" . :a2 a :Arm ; rdfs:label "A2" . :a3 a :Arm ; rdfs:label "A3" .
:west a :Site ; rdfs:label "West" ; :locatedIn :rill . :east a :Site ; rdfs:label "East" .
:acme a :Auditor ; rdfs:label "Acme" ; :locatedIn :rill . :rill a :City ; rdfs:label "Rill" .
"""


@pytest.mark.parametrize(
    "question", ["Trials conducted at at least two arms", "In which auditor is West located?"]
)
def test_a_kind_behind_a_preposition_is_what_the_verb_leads_to(question: str) -> None:
    with opened(TRIALS) as session:
        assert asked(session, question) is None
        assert names_if_answered(session, "Trials conducted at at least two sites") == {"Calm"}
        assert names_if_answered(session, "In which city is West located?") == {"Rill"}


@pytest.fixture(scope="module")
def homes() -> Iterator[Session]:
    with opened(HOMES) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which properties have districts listed by Cid Oak?",
        "Which programmes are held in the same room as Sets?",
        "Which city makes drugs?",
        "Which lines are served by stops?",
        "Which services run servers?",
        "Which services run the most servers?",
        "Which city makes the drug Pill?",
    ],
)
def test_a_kind_right_beside_a_verb_is_at_its_relation(homes: Session, question: str) -> None:
    assert asked(homes, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which districts have properties listed by Cid Oak?", {"Docklands"}),
        ("Which courses are held in the same room as Sets?", {"Logic"}),
        ("Which company makes drugs?", {"Acme"}),
        ("Which stops are served by lines?", {"Zoo"}),
        ("Which services run on servers?", {"shopd"}),
        ("Which servers run services?", {"app"}),
        ("Which properties have a garden?", {"Barn"}),
    ],
)
def test_a_kind_that_its_verb_is_said_of_is_found(
    homes: Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(homes, question) == names


def test_members_are_counted_though_they_are_members_of_the_team_again() -> None:
    with opened(TEAMS) as session:
        most = "What team has the largest number of members?"
        assert names_if_answered(session, most) == {"Rovers"}


def test_a_participle_of_a_date_that_is_said_of_another_kind_is_told() -> None:
    with opened(PRESS) as session:
        editors = asked(session, "List the corrected editors")
        articles = asked(session, "List the corrected articles")
    assert editors is None or editors.text.startswith("If “corrected editors” means")
    assert articles is not None
    assert articles.text == "Old Bridge."


def test_what_somebody_made_is_no_kind_of_it() -> None:
    with opened(SHIPS) as session:
        assert asked(session, "Which other vessels did the builder of Gannet build?") is None
        assert names_if_answered(session, "What did the builder of Gannet build?") == {
            "Gannet",
            "Tern",
        }


def test_what_the_creator_of_something_made_is_not_the_creator() -> None:
    with opened(WORKS) as session:
        assert asked(session, "What did the creator of Static make?") is None
        assert names_if_answered(session, "Who is the creator of Loop?") == {"Marek Oak"}


EDITED = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:editedBy rdfs:label "edited by" . :fineEur rdfs:label "fine (EUR)" .
:a1 a :Article ; rdfs:label "Budget Vote" ; :editedBy :ann .
:a2 a :Article ; rdfs:label "Flood" ; :editedBy :ann .
:a3 a :Article ; rdfs:label "Derby Night" ; :editedBy :bob .
:ann a :Editor ; rdfs:label "Ann Ash" . :bob a :Editor ; rdfs:label "Bob Elm" .
:o1 a :Order ; rdfs:label "Order 1" ; :fineEur 500 .
:o2 a :Order ; rdfs:label "Order 2" ; :fineEur 750 .
"""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What did the editor of Budget Vote edit?", {"Budget Vote", "Flood"}),
        ("Articles edited by the editor of Budget Vote", {"Budget Vote", "Flood"}),
        ("Fines over 600 euros", {"750"}),
    ],
)
def test_a_way_back_from_what_a_noun_names_is_answered(question: str, names: set[str]) -> None:
    with opened(EDITED) as session:
        assert names_if_answered(session, question) == names


PARTNERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:memberOf rdfs:label "member of" . :leads rdfs:label "leads" . :twinTown rdfs:label "twin town" .
:ann a :Engineer ; rdfs:label "Ann Ash" ; :memberOf :web ; :leads :web .
:bob a :Engineer ; rdfs:label "Bob Elm" ; :memberOf :web .
:web a :Team ; rdfs:label "Web" .
:hull a :Town ; rdfs:label "Hull" ; :twinTown :rill ; :mayor :cid .
:rill a :Town ; rdfs:label "Rill" ; :twinTown :hull ; :mayor :dot .
:rex a :Dog ; rdfs:label "Rex" ; :mother :fay . :fay a :Dog ; rdfs:label "Fay" .
:d1 a :Dose ; rdfs:label "d1" ; :givenTo :fay ; :drug "calmol" . :givenTo rdfs:label "given to" .
:cid a :Person ; rdfs:label "Cid Oak" . :dot a :Person ; rdfs:label "Dot Fir" .
"""


@pytest.fixture(scope="module")
def partners() -> Iterator[Session]:
    with opened(PARTNERS) as session:
        yield session


@pytest.mark.parametrize(
    "question", ["Which team members lead members?", "Which mayors are twin towns of Hull?"]
)
def test_the_asked_do_and_are_what_is_said_of_them(partners: Session, question: str) -> None:
    assert asked(partners, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which engineers lead teams?", {"Ann Ash"}),
        ("Which members of Web lead a team?", {"Ann Ash"}),
        ("Which towns are twin towns of Hull?", {"Rill"}),
        ("Which drug was the mother of Rex given?", {"calmol"}),
        ("Who is the mayor of the twin town of Hull?", {"Dot Fir"}),
    ],
)
def test_what_the_asked_do_and_are_is_answered(
    partners: Session, question: str, names: set[str]
) -> None:
    assert names_if_answered(partners, question) == names


HEADS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:treatedBy rdfs:label "treated by" . :headOf rdfs:label "head of" .
:ann a :Patient ; rdfs:label "Ann Ash" ; :treatedBy :dan .
:bob a :Patient ; rdfs:label "Bob Elm" ; :treatedBy :eve .
:dan a :Doctor ; rdfs:label "Dan Fir" ; :headOf :heart . :eve a :Doctor ; rdfs:label "Eve Gum" .
:heart a :Department ; rdfs:label "Cardiology" .
"""


def test_a_noun_in_a_clause_is_for_whom_the_clause_is_about() -> None:
    question = "Which patients were treated by a doctor who is the head of Cardiology?"
    with opened(HEADS) as session:
        assert names_if_answered(session, question) == {"Ann Ash"}

"""Names that are not what a verb is said of: each of these was once answered as if proven."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.turtle import asked, opened

from isomatch import Session
from isomatch.factories import make_index
from isomatch.lexicon import english
from isomatch.settings import Settings
from isomatch.store.load import load

BANK = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:worksFor rdfs:label "works for" . :studied rdfs:label "studied at" .
:heldAt rdfs:label "held at" . :appointedBy rdfs:label "appointed by" .
:appointed rdfs:label "date of appointment" . :launchedBy rdfs:label "launched by" .
:launchDate rdfs:label "launch date" . :site rdfs:label "launch site" .
:size rdfs:label "size (kB)" . :birth rdfs:label "place of birth" .
:presided rdfs:label "presided over by" . :referred rdfs:label "referred by" .
:ann a :Customer ; rdfs:label "Ann Ash" ; :adviser :kim ; :birth :rill .
:bob a :Customer ; rdfs:label "Bob Elm" ; :adviser :kim ; :referred :ann ; :birth :dorn .
:kim a :Employee ; rdfs:label "Kim Fox" ; :worksFor :bank ; :studied :uni ; :supervisor :lee ;
    :appointedBy :lee ; :appointed "2014-02-03"^^xsd:date ; :birth :rill .
:lee a :Employee ; rdfs:label "Lee Orr" ; :worksFor :bank ; :appointedBy :may ;
    :appointed "2001-05-06"^^xsd:date ; :birth :dorn .
:may a :Minister ; rdfs:label "May Penn" .
:a1 a :Account ; rdfs:label "Acc One" ; :owner :ann ; :heldAt :east .
:a2 a :Account ; rdfs:label "Acc Two" ; :owner :bob ; :heldAt :west .
:east a :Branch ; rdfs:label "East Branch" ; :city :rill .
:west a :Branch ; rdfs:label "West Branch" ; :city :dorn .
:bank a :Company ; rdfs:label "First Bank" ; :headquarters :rill .
:uni a :University ; rdfs:label "Rill University" ; :city :rill .
:rill a :City ; rdfs:label "Rill" ; :country :estra . :dorn a :City ; rdfs:label "Dorn" ;
    :country :noll .
:estra a :Country ; rdfs:label "Estra" . :noll a :Country ; rdfs:label "Noll" .
:hope a :Satellite ; rdfs:label "Hope" ; :launchedBy :corva ; :launchDate "2017-07-19"^^xsd:date ;
    :status "active" ; :purpose "mapping" ; :site :cape ; :size 12 .
:dawn a :Satellite ; rdfs:label "Dawn" ; :launchedBy :corva ; :launchDate "2009-01-02"^^xsd:date ;
    :status "retired" ; :purpose "weather" ; :site :cape ; :size 30 .
:corva a :Rocket ; rdfs:label "Corva" ; :manufacturer :bank .
:cape a :Site ; rdfs:label "Cape Two" ; :country :noll .
:c1 a :Case ; rdfs:label "Ash v Elm" ; :presided :jo ; :plaintiff :ann ; :witness :bob , :kim .
:hope :operatedBy :bank . :dawn :operatedBy :uni . :operatedBy rdfs:label "operated by" .
:bank :country :estra . :uni :country :estra . :livesIn rdfs:label "lives in" .
:kim :leads :hope . :ann :livesIn :dorn . :bob :livesIn :dorn . :kim :livesIn :dorn .
:jo a :Judge ; rdfs:label "Jo Hunt" ; :mentor :vi . :vi a :Judge ; rdfs:label "Vi Lowe" .
"""

TABLE = """
quarrel,author,Nell Voss
limpet,author,Ari Tamm
newt,author,Sami Roth
quarrel,maintainer,Ari Tamm
limpet,maintainer,Ari Tamm
quarrel,maintainer,Nell Voss
quarrel,written in,Python
limpet,written in,Python
newt,written in,C
quarrel,licence,MIT
newt,licence,GPL
limpet,category,parser
quarrel,category,framework
newt,category,compiler
quarrel,depends on,limpet
moss,author,Nell Voss
moss,depends on,newt
newt-ng,forked from,newt
Ari Tamm,mentor,Sami Roth
Nell Voss,lives in,Hagen
Ari Tamm,lives in,Tarva
Sami Roth,lives in,Tarva
Hagen,country,Nedria
Tarva,country,Ostland
Nell Voss,employer,Brightwork
Ari Tamm,employer,Brightwork
"""


@pytest.fixture(scope="module")
def bank() -> Iterator[Session]:
    with opened(BANK) as session:
        yield session


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder: Path = tmp_path_factory.mktemp("packages")
    (folder / "facts.csv").write_text(TABLE.lstrip(), "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as session:
        yield session


@pytest.mark.parametrize(
    "question",
    [
        "Which accounts does Kim Fox own?",
        "Which accounts does East Branch own?",
        "Does East Branch own Acc One?",
        "Which customers did Kim Fox refer?",
        "Which satellites did First Bank launch?",
        "Which satellites did Cape Two launch?",
        "Who works for Rill University?",
        "Who works for Rill?",
        "Does Kim Fox work for Rill University?",
        "Was Ann Ash born in Rill University?",
        "Who was born in East Branch?",
        "Where was First Bank born?",
        "Which employees did Rill University appoint?",
        "Who owns Ann Ash?",
        "Who does Ann Ash advise?",
        "Who works for Kim Fox?",
        "Who is the mentor of Ash v Elm?",
        "Who was the plaintiff in Ann Ash?",
        "Which rockets does Kim Fox lead?",
    ],
)
def test_a_name_that_a_verb_is_not_said_of_is_no_answer(bank: Session, question: str) -> None:
    assert asked(bank, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which accounts does Ann Ash own?", {"Acc One"}),
        ("Who owns Acc Two?", {"Bob Elm"}),
        ("Which customers did Ann Ash refer?", {"Bob Elm"}),
        ("Who advises Ann Ash?", {"Kim Fox"}),
        ("Who does Kim Fox advise?", {"Ann Ash", "Bob Elm"}),
        ("Who does Lee Orr supervise?", {"Kim Fox"}),
        ("Which customers were born in Estra?", {"Ann Ash"}),
        ("Who owns accounts at West Branch?", {"Bob Elm"}),
        ("Which satellites were launched by Corva?", {"Hope", "Dawn"}),
        ("Which satellites were launched before 2010?", {"Dawn"}),
        ("Which satellite was launched last?", {"Hope"}),
        ("Which employees were appointed by Lee Orr?", {"Kim Fox"}),
        ("Which employees were appointed before 2010?", {"Lee Orr"}),
        ("Where was Hope launched?", {"Cape Two"}),
        ("Which satellites are operated by universities in Estra?", {"Dawn"}),
        ("Which customers come from Rill?", {"Ann Ash"}),
    ],
)
def test_a_name_that_a_verb_is_said_of_answers(
    bank: Session, question: str, names: set[str]
) -> None:
    answer = asked(bank, question)
    assert answer is not None
    assert {str(node.name) for node in answer.answers} == names


def test_a_verb_of_two_relations_is_that_of_the_date_where_one_is_asked_for(bank: Session) -> None:
    answer = asked(bank, "When was Kim Fox appointed?")
    assert answer is not None
    assert [str(node.name) for node in answer.answers] == ["2014-02-03"]


def test_a_noun_with_a_verb_before_its_name_counts_what_that_has(bank: Session) -> None:
    answer = asked(bank, "How many witnesses were there in Ash v Elm?")
    assert answer is not None
    assert answer.text.startswith("2")


@pytest.mark.parametrize(("name", "holds"), [("Hope", True), ("Dawn", False)])
def test_a_value_is_said_by_the_relation_that_has_it(bank: Session, name: str, holds: bool) -> None:
    answer = asked(bank, f"Is {name} active?")
    assert answer is not None
    assert answer.holds is holds


def test_a_label_with_capitals_inside_is_found(bank: Session) -> None:
    """It was searched as "size (k b)", and the graph seemed not to say."""
    answer = asked(bank, "How large is Hope?")
    assert answer is not None
    assert [str(node.name) for node in answer.answers] == ["12"]


@pytest.mark.parametrize(
    "question",
    [
        "Is MIT written in C?",
        "Does MIT depend on limpet?",
        "What depends on MIT?",
        "Who employs Brightwork?",
        "Does limpet depend on quarrel?",
        "Was newt forked from newt-ng?",
        "Who is Sami Roth's mentor?",
        "What is the licence of moss?",
        "Which packages does Sami Roth maintain?",
    ],
)
def test_in_a_table_too_a_name_that_a_verb_is_not_said_of_is_no_answer(
    packages: Session, question: str
) -> None:
    assert asked(packages, question) is None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which packages does Nell Voss maintain?", {"quarrel"}),
        ("Where does the author of newt live?", {"Tarva"}),
        ("Which compilers are written in C?", {"newt"}),
        ("What is newt written in?", {"C"}),
        ("Who employs Nell Voss?", {"Brightwork"}),
        ("Who is Ari Tamm's mentor?", {"Sami Roth"}),
    ],
)
def test_in_a_table_no_further_hop_is_added(
    packages: Session, question: str, names: set[str]
) -> None:
    answer = asked(packages, question)
    assert answer is not None
    assert {str(node.name) for node in answer.answers} == names


@pytest.mark.parametrize(
    ("relation", "verb"),
    [
        ("launch date", "launched"),
        ("date of appointment", "appointed"),
        ("release date", "released"),
        ("date filed", None),
        ("launched date", None),
        ("price", None),
    ],
)
def test_what_a_date_is_of_has_a_verb(relation: str, verb: str | None) -> None:
    assert english.dated_verb(relation) == verb


def test_a_supervisor_is_who_supervises() -> None:
    assert english.done_by("supervisor") == "supervised"

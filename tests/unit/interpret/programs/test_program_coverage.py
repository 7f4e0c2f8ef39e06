"""Which words of a question a trained program accounts for, by what words were seen to say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.coverage import ProgramCoverage
from isomatch.interpret.programs.slots import heard, phrases
from isomatch.interpret.programs.tokens import Slot
from isomatch.interpret.programs.tree import THING, with_things
from isomatch.trained.alignment import Alignment, Program
from isomatch.trained.channel import Channel
from isomatch.trained.program_vocabulary import ProgramVocabulary

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" ; :phone :p1 ; :lives_in :bern .
:bob a :Person ; rdfs:label "Bob" ; :phone :p2 ; :lives_in :bern .
:ann :status "Theft from the person" . :bob :status "Drugs" .
:p1 a :Phone ; rdfs:label "041 1" . :p2 a :Phone ; rdfs:label "041 2" .
:bern a :City ; rdfs:label "Bern" .
"""
PHONE, LIVES = "http://example.org/phone", "http://example.org/lives_in"
PHONES: Program = (f"+{PHONE}", f"-{LIVES}", "@0")
PEOPLE: Program = (f"-{LIVES}", "@0")
STATUS = "http://example.org/status"
THEFT: Program = ("and", *PEOPLE, f"value:{STATUS}=Theft from the person")
LEARNT: list[tuple[str, Program]] = [
    ("what is the number of people in [0 city]", ("count", *PEOPLE)),
    ("give the number of people who live in [0 city]", ("count", *PEOPLE)),
    ("find the number of people living in [0 city]", ("count", *PEOPLE)),
    ("how many people live in [0 city]", ("count", *PEOPLE)),
    ("the number of phones of people in [0 city]", ("count", *PHONES)),
    ("which people live in [0 city]", PEOPLE),
    ("what is the phone number of people in [0 city]", PHONES),
    ("the phone numbers of people in [0 city]", PHONES),
    ("which phone do people have in [0 city]", PHONES),
]


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture(scope="module")
def coverage(session: isomatch.Session) -> ProgramCoverage:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    plain = [(text.replace("[0 city]", ""), program) for text, program in LEARNT]
    said = Alignment.learn(
        ([words for words, _ in phrases(text, language)], with_things(program, kinds))
        for text, program in plain
    )
    channel = Channel.learn((heard(text), program) for text, program in LEARNT)
    return ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said, channel), language)


@pytest.mark.parametrize(
    ("question", "program", "left_out"),
    [
        ("what is the phone number of people", PHONES, []),
        ("what is the number of people", ("count", *PEOPLE), []),
        ("what is the number of people", PEOPLE, ["number of"]),
        ("how many people have a phone", PHONES, ["how many"]),
        ("what is the people number of", PEOPLE, ["number of"]),
        ("what is the blue phone number of people", PHONES, ["blue"]),
    ],
)
def test_number_counts_unless_it_ends_a_noun_that_was_seen(
    coverage: ProgramCoverage, question: str, program: Program, left_out: list[str]
) -> None:
    whole = f"{question} in Bern"
    place = whole.index("Bern")
    read = coverage.read(whole, program, [Slot(place, place + 4, "Bern", ())])
    assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("which people live in Bern with theft from a person", []),
        ("who live in Bern with theft", ["Theft from the person", "theft"]),
        ("which people live in Bern", ["Theft from the person"]),
    ],
)
def test_a_value_is_said_by_all_of_its_words(
    coverage: ProgramCoverage, question: str, left_out: list[str]
) -> None:
    place = question.index("Bern")
    read = coverage.read(question, THEFT, [Slot(place, place + 4, "Bern", ())])
    assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(("word", "kind"), [("blue", "word"), ("initial", "relation")])
def test_only_words_that_were_never_seen_merely_describe(
    session: isomatch.Session, word: str, kind: str
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    said = Alignment({"phone": {PHONE: 0.9}, "initial": {"min": 0.9}})
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    question = f"what is the {word} phone of Bern"
    place = question.index("Bern")
    read = coverage.read(question, (f"+{PHONE}", "@0"), [Slot(place, place + 4, "Bern", ())])
    assert [(span.text, span.kind) for span in read.left_out] == [(word, kind)]


@pytest.mark.parametrize(("share", "meaning"), [(0.3, "person"), (0.1, "lives in")])
def test_a_noun_that_was_seen_for_the_things_counted_means_them(
    session: isomatch.Session, share: float, meaning: str
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    things = f"{THING}http://example.org/Person"
    said = Alignment({"souls": {LIVES: 0.5, things: share}, "many": {"count": 0.9}})
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    question = "how many souls are in Bern"
    place = question.index("Bern")
    read = coverage.read(question, ("count", *PEOPLE), [Slot(place, place + 4, "Bern", ())])
    assert [s.meaning for s in read.understood if s.text == "souls"] == [meaning]

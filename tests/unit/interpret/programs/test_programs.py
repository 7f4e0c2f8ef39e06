"""Programs over a small graph: what they are written as, read as, and answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

import isomatch
from isomatch.chains.graph import ChainGraph, Step
from isomatch.errors import PatternError
from isomatch.interpret.compose.expressions import Named
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.patterns import to_pattern
from isomatch.interpret.programs.grammar import Grammar
from isomatch.interpret.programs.slots import SlotFinder, masked
from isomatch.interpret.programs.tokens import ProgramWriter, Slot
from isomatch.interpret.programs.tree import (
    arranged,
    is_vacuous,
    kinds_of,
    parse,
    slots_of,
    with_things,
)
from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import ProgramVocabulary

BASE = "http://example.org/"


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture(scope="module")
def kinds(session: isomatch.Session) -> GraphKinds:
    return GraphKinds(session.resources.schema, session.resources.lexicon)


def full(text: str) -> Program:
    """A program with the graph's ids in place of their last parts."""
    written = []
    for word in text.split():
        if word[0] in "+-~":
            word = f"{word[0]}{BASE}{word[1:]}"
        elif word.startswith("type:"):
            word = f"type:{BASE}{word.removeprefix('type:')}"
        written.append(word)
    return tuple(written)


def slots(session: isomatch.Session, kinds: GraphKinds, question: str) -> tuple[Slot, ...]:
    graph = ChainGraph(session.resources.store, session.resources.schema)
    resources = session.resources
    finder = SlotFinder(kinds, resources.mentions, resources.lexicon.language)
    return finder.find(question, graph)


@pytest.mark.parametrize(
    ("names", "program", "answers"),
    [
        ("Texas", "-borders @0", {"Oklahoma", "Louisiana"}),
        ("Texas", "~borders @0", {"Oklahoma", "Louisiana"}),
        ("Texas", "and +borders @0 -traverses @0", set()),
        ("Texas", "max +population -borders @0", {"Louisiana"}),
        ("Texas", "min +population -borders @0", {"Oklahoma"}),
        ("Texas", "+highest_point min +population -borders @0", {"Black Mesa"}),
        ("Texas", "-state @0", {"Austin", "Houston"}),
        ("Usa Texas", "not -country @0 -borders @1", {"Texas", "Alaska"}),
        ("Usa Texas", "not and -country @0 type:State +borders @1", {"Texas", "Alaska"}),
        ("Usa", "most -traverses type:River -country @0", {"Texas", "Louisiana"}),
        ("Usa 1000000", "> +population @1 -country @0", {"Texas", "Oklahoma", "Louisiana"}),
    ],
)
def test_a_program_answers_with_its_set(
    session: isomatch.Session, kinds: GraphKinds, names: str, program: str, answers: set[str]
) -> None:
    found = slots(session, kinds, names)
    expression = ProgramWriter(kinds).read(full(program), found)
    pattern = to_pattern(expression, kinds)
    assert pattern is not None
    result = session.match(pattern, nodes="walk", direction="as drawn")
    near = result.interpretations and result.interpretations[0].gsd < 1e-9
    assert ({n.name for n in result.answers()} if near else set()) == answers


@pytest.mark.parametrize(
    ("program", "number"),
    [("count -borders @0", "2"), ("sum: +population -borders @0", "7231000")],
)
def test_a_program_works_out_a_number(
    session: isomatch.Session, kinds: GraphKinds, program: str, number: str
) -> None:
    found = slots(session, kinds, "Texas")
    pattern = to_pattern(ProgramWriter(kinds).read(full(program), found), kinds)
    assert pattern is not None
    result = session.match(pattern, nodes="walk", direction="as drawn")
    value = result.value()
    assert str(result.count() if value is None else value.name) == number


@pytest.mark.parametrize(
    "program",
    [
        "+borders",
        "-borders @3",
        "-borders @0 @0",
        "max @0",
        "-state type:Nothing extra",
        "",
        "x @0",
    ],
)
def test_what_is_no_program_is_refused(
    session: isomatch.Session, kinds: GraphKinds, program: str
) -> None:
    with pytest.raises(PatternError):
        ProgramWriter(kinds).read(full(program), slots(session, kinds, "Texas"))


def test_a_name_does_not_fit_where_the_graph_has_no_such_edge(
    session: isomatch.Session, kinds: GraphKinds
) -> None:
    with pytest.raises(PatternError, match="does not fit"):
        ProgramWriter(kinds).read(full("-traverses @0"), slots(session, kinds, "Austin"))


@pytest.mark.parametrize("seed", range(200))
def test_whatever_the_grammar_lets_a_model_write_can_be_read(
    session: isomatch.Session, kinds: GraphKinds, seed: int
) -> None:
    vocabulary = ProgramVocabulary.of(session.resources.schema)
    grammar, writer = Grammar(kinds, vocabulary), ProgramWriter(kinds)
    found = slots(session, kinds, "Texas Usa 1000000 Heat")
    chooser = random.Random(seed)
    program: Program = ()
    while not grammar.whole(program) and len(program) < 40:
        numbers = np.flatnonzero(grammar.follows(program, found))
        assert len(numbers), program
        # Names first, so that programs end.
        names = [n for n in numbers if vocabulary.steps[n][0] == "@" and len(program) > 6]
        program = (*program, vocabulary.steps[chooser.choice(names or list(numbers))])
    if not grammar.whole(program):
        return
    expression = writer.read(program, found)
    written = writer.write(expression, found)
    assert written is None or writer.write(writer.read(written, found), found) == written
    assert not grammar.follows(program, found).any()


@pytest.mark.parametrize(
    ("program", "follows"),
    [
        ("and -traverses @0", {"type:River", "-traverses"}),
        ("not type:State", {"type:State"}),
        ("count and and -traverses @0 @0", {"type:River", "-traverses"}),
        ("and @0", {"type:River", "type:State", "-traverses"}),
    ],
)
def test_two_sets_have_members_of_a_common_type(
    session: isomatch.Session, kinds: GraphKinds, program: str, follows: set[str]
) -> None:
    vocabulary = ProgramVocabulary.of(session.resources.schema)
    found = Grammar(kinds, vocabulary).follows(full(program), slots(session, kinds, "Texas"))
    allowed = {vocabulary.steps[n] for n in np.flatnonzero(found)}
    tokens = {"type:River", "type:State", "-traverses"}
    assert {t for t in tokens if full(t)[0] in allowed} == follows


def test_the_parts_of_and_are_in_the_order_of_their_names() -> None:
    assert arranged(("count", "and", "-a", "@1", "and", "type:T", "-b", "@0")) == (
        "count", "and", "-b", "@0", "and", "-a", "@1", "type:T",
    )  # fmt: skip
    assert slots_of(("and", "-a", "@1", "-b", "@0")) == {0, 1}


@pytest.mark.parametrize("program", ["-borders", "-borders @0 @1", "max", "> +area @0", "and @0"])
def test_what_ends_too_early_or_late_is_no_tree(program: str) -> None:
    with pytest.raises(PatternError):
        parse(tuple(program.split()))


def test_a_tree_gives_its_program_back() -> None:
    program = full("not > +area @1 and -a @0 type:T most +b type:U -c @2")
    assert parse(program).program == program


def test_words_speak_of_what_a_program_goes_through(kinds: GraphKinds) -> None:
    program = full("+length -traverses @0")
    assert with_things(program, kinds)[len(program) :] == (
        f"thing:{BASE}River",
        "thing:literal:number",
    )
    assert kinds_of(parse(program), kinds) == {"literal:number"}


@pytest.mark.parametrize(
    ("program", "vacuous"),
    [
        ("+length -length @0", True),
        ("+length and -traverses @0 -length @1", True),
        ("max +length -length @0", True),
        ("+length -traverses @0", False),
        ("> +length @1 -length @0", False),
        ("-borders -borders @0", False),
    ],
)
def test_a_program_that_asks_for_what_it_gives_is_vacuous(
    kinds: GraphKinds, program: str, vacuous: bool
) -> None:
    assert is_vacuous(parse(full(program)), kinds) == vacuous


def test_a_name_that_is_asked_for_or_of_several_nodes_stands_for_all_of_them(
    kinds: GraphKinds,
) -> None:
    step = Step(f"{BASE}borders", True)
    of, _ = kinds.ends(step)
    several = Slot(0, 1, "Mary", (Named("Mary", None, of, frozenset((step,)), 2),))
    one = Slot(2, 3, "Ohio", (Named("Ohio", None, of, frozenset((step,)), 1),))
    read = ProgramWriter(kinds).read
    counted = to_pattern(read(full("count -borders @0"), (several,)), kinds)
    assert counted is not None
    assert [node.every for node in counted.nodes if node.known] == [True]
    filtered = to_pattern(read(full("and @0 -borders @1"), (several, one)), kinds)
    assert filtered is not None
    assert {node.text: node.every for node in filtered.nodes if node.known} == {
        "Mary": True,
        "Ohio": False,
    }
    assert filtered.node(filtered.answers[0]).text == "Mary"


def test_a_name_that_is_found_twice_is_one(session: isomatch.Session, kinds: GraphKinds) -> None:
    (slot,) = slots(session, kinds, "Texas")
    assert len(set(slot.variants)) == len(slot.variants)


def test_a_name_with_the_word_for_its_type_is_also_the_name_alone() -> None:
    turtle = """@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :r a :River ; rdfs:label "colorado" ; :traverses :s .
    :p a :Place ; rdfs:label "colorado river" .
    :s a :State ; rdfs:label "utah" ; :lowest :p ."""
    with opened(turtle) as session:
        kinds = GraphKinds(session.resources.schema, session.resources.lexicon)
        found = slots(session, kinds, "which states does the colorado river run through")
        assert [(s.text, [v.text for v in s.variants]) for s in found] == [
            ("colorado river", ["colorado", "colorado river"])
        ]
        expression = ProgramWriter(kinds).read(("+http://e/traverses", "@0"), found)
        assert ProgramWriter(kinds).write(expression, found) == ("+http://e/traverses", "@0")
        pattern = to_pattern(expression, kinds)
        assert pattern is not None
        assert [n.name for n in session.match(pattern, k=1).answers()] == ["utah"]


def test_a_small_word_that_is_nearly_a_name_is_none(
    session: isomatch.Session, kinds: GraphKinds
) -> None:
    assert [s.text for s in slots(session, kinds, "who texased the Texas")] == ["Texas"]
    assert slots(session, kinds, "what borders texa") == ()


CALLS = """@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Call ; rdfs:label "first call" ; :time "20:21" ; :model "IS" ; :tag "I" .
:b a :Call ; rdfs:label "second call" ; :time "08:01" ; :model "IS" ; :tag "I" .
:c a :Call ; rdfs:label "third call" ; :time "00:30" ; :model "Edge" ; :tag "I" ."""


@pytest.mark.parametrize(
    ("words", "time"),
    [
        ("8:21 PM", "20:21"),
        ("8:21 p.m.", "20:21"),
        ("8.21pm", "20:21"),
        ("20:21", "20:21"),
        ("8:01", "08:01"),
        ("12:30 AM", "00:30"),
        ("8:21", None),
        ("8:21 AM", None),
        ("20:21 PM", None),
        ("8.01", None),
    ],
)
def test_a_time_of_the_day_is_found_as_the_graph_writes_it(words: str, time: str | None) -> None:
    with opened(CALLS) as session:
        kinds = GraphKinds(session.resources.schema, session.resources.lexicon)
        question = f"Which calls were made at {words} and not later?"
        found = [slot for slot in slots(session, kinds, question) if slot.text == time]
        assert [question[s.start : s.end] for s in found] == ([words] if time else [])


def test_words_that_build_sentences_are_no_names_unless_written_as_such() -> None:
    with opened(CALLS) as session:
        kinds = GraphKinds(session.resources.schema, session.resources.lexicon)
        assert slots(session, kinds, "What is the first I can find?") == ()
        assert [s.text for s in slots(session, kinds, "Which calls has the IS?")] == ["IS"]


def test_names_are_masked_by_what_they_are(session: isomatch.Session, kinds: GraphKinds) -> None:
    question = "Which rivers in Texas are longer than 1000?"
    found = slots(session, kinds, question)
    assert masked(question, found, kinds) == (
        "Which rivers in [0 state] are longer than [1 value]?"
    )
    assert [slot.constant for slot in found] == [False, True]


def test_a_vocabulary_is_read_as_it_was_written(session: isomatch.Session) -> None:
    vocabulary = ProgramVocabulary.of(session.resources.schema, [("value:x=Few words",)])
    again = ProgramVocabulary.read(vocabulary.form())
    assert again == vocabulary
    assert again.decode(again.encode(("count", "value:x=Few words"))) == (
        "count",
        "value:x=Few words",
    )


def test_a_graph_without_a_relation_of_the_model_is_refused(session: isomatch.Session) -> None:
    vocabulary = ProgramVocabulary(("+http://gone.example/r",), ("gone",))
    with pytest.raises(isomatch.ArtifactError, match=r"lacks http://gone\.example/r"):
        vocabulary.bound(session.resources.schema)

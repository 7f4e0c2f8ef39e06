"""Questions that are put together of phrases of others."""

from __future__ import annotations

import re

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.grammar import Grammar
from isomatch.learn.examples import Example
from isomatch.learn.programs.recombination import recombined
from isomatch.learn.programs.sampling import sample_questions
from isomatch.trained.program_vocabulary import ProgramVocabulary

BASE = "http://example.org/"


@pytest.fixture(scope="module")
def kinds() -> GraphKinds:
    with opened(GRAPH) as session:
        return GraphKinds(session.schema, session.resources.lexicon)


@pytest.fixture(scope="module")
def made_up() -> list[Example]:
    with opened(GRAPH) as session:
        return list(sample_questions(session.resources, 300, 1))


def asked(texts: dict[str, str]) -> list[Example]:
    return [
        Example("retrieval", text, ((program_of(said), 1.0),), "weak", f"q{number}")
        for number, (text, said) in enumerate(texts.items())
    ]


def program_of(said: str) -> tuple[str, ...]:
    return tuple(f"{t[0]}{BASE}{t[1:]}" if t[0] in "+-~" else t for t in said.split())


def found(texts: dict[str, str], kinds: GraphKinds) -> dict[str, tuple[str, ...]]:
    return {e.text: e.chains[0][0] for e in recombined(asked(texts), kinds, 50, 1)}


def test_a_phrase_takes_the_place_of_one_of_the_same_kind(kinds: GraphKinds) -> None:
    given = {
        "which states border [0 state]": "~borders @0",
        "which states have the capital [0 city]": "-capital @0",
        "what is the population of states that border [0 state]": "+population ~borders @0",
    }
    text = "what is the population of states that have the capital [0 city]"
    assert found(given, kinds) == {text: program_of("+population -capital @0")}


def test_two_phrases_are_exchanged_in_one_question(kinds: GraphKinds) -> None:
    given = {
        "which states border [0 state]": "~borders @0",
        "which states have the capital [0 city]": "-capital @0",
        "the population of states that border [0 state]": "+population ~borders @0",
        "the area of states that border [0 state]": "+area ~borders @0",
        "the population of states with states that border [0 state]": (
            "+population ~borders ~borders @0"
        ),
    }
    text = "the area of states with states that have the capital [0 city]"
    assert found(given, kinds)[text] == program_of("+area ~borders -capital @0")


def test_words_around_what_both_questions_have_are_exchanged(kinds: GraphKinds) -> None:
    given = {
        "list cities in states that border [0 state]": "-state ~borders @0",
        "list capitals of states that border [0 state]": "+capital ~borders @0",
        "how many cities in [0 state]": "count -state @0",
    }
    assert found(given, kinds) == {
        "how many capitals of [0 state]": program_of("count +capital @0")
    }


def test_names_are_numbered_as_they_stand_in_the_new_question(kinds: GraphKinds) -> None:
    given = {
        "states in [0 country]": "-country @0",
        "states near [0 state] and [1 state]": "and ~borders @0 ~borders @1",
        "states near [0 state] and [1 state] with [2 city]": (
            "and ~borders @0 and ~borders @1 -capital @2"
        ),
        "states in [0 country] with [1 city]": "and -country @0 -capital @1",
        "the population of states near [0 state] and [1 state] with [2 city]": (
            "+population and ~borders @0 and ~borders @1 -capital @2"
        ),
    }
    text = "the population of states in [0 country] with [1 city]"
    assert found(given, kinds)[text] == program_of("+population and -country @0 -capital @1")


def test_phrases_of_different_kinds_are_not_exchanged(kinds: GraphKinds) -> None:
    given = {
        "name rivers through [0 state]": "-traverses @0",
        "name cities of [0 state]": "-state @0",
        "the length of rivers through [0 state]": "+length -traverses @0",
    }
    assert found(given, kinds) == {}


def test_a_question_with_brackets_of_its_own_is_left_out(kinds: GraphKinds) -> None:
    given = {
        "which states border [0 state]": "~borders @0",
        "which states have the capital [0 city]": "-capital @0",
        "population [2 exact] of states that border [0 state]": "+population ~borders @0",
    }
    assert found(given, kinds) == {}


def test_their_programs_follow_the_grammar_and_have_the_names_of_the_text(
    kinds: GraphKinds, made_up: list[Example]
) -> None:
    vocabulary = ProgramVocabulary.of(kinds.schema)
    grammar = Grammar(kinds, vocabulary)
    new = list(recombined(made_up, kinds, 100, 1))
    assert len(new) == 100
    before = {example.text for example in made_up}
    for example in new:
        program = example.chains[0][0]
        assert example.text not in before
        assert vocabulary.knows(program)
        assert grammar.whole(program), (example.text, program)
        named = [f"@{n}" for n in re.findall(r"\[(\d+) ", example.text)]
        assert named == [f"@{n}" for n in range(len(named))]
        assert {t for t in program if t[0] == "@"} <= set(named)


def test_the_same_seed_recombines_the_same_questions(
    kinds: GraphKinds, made_up: list[Example]
) -> None:
    one, again, other = (list(recombined(made_up, kinds, 40, seed)) for seed in (1, 1, 2))
    assert one == again != other


def test_questions_that_have_nothing_in_common_give_none(kinds: GraphKinds) -> None:
    assert found({"what rivers are there": "type:http://example.org/River"}, kinds) == {}
    assert found({}, kinds) == {}

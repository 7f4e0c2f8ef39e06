"""Questions that are made up of a schema."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

import isomatch
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.grammar import Grammar
from isomatch.interpret.programs.tree import is_vacuous, parse
from isomatch.learn.programs.sampling import sample_questions
from isomatch.lexicon.language import language_of
from isomatch.lexicon.tables import MadeUp
from isomatch.trained.program_vocabulary import ProgramVocabulary


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def test_they_have_every_kind_of_operator(session: isomatch.Session) -> None:
    programs = [e.chains[0][0] for e in sample_questions(session.resources, 500, 1)]
    used = {token for program in programs for token in program}
    assert {"count", "whether", "max", "min", "most", "and", "not", "<", ">"} <= used


def test_their_programs_are_such_as_the_model_may_write(session: isomatch.Session) -> None:
    resources = session.resources
    kinds = GraphKinds(resources.schema, resources.lexicon)
    vocabulary = ProgramVocabulary.of(resources.schema)
    grammar = Grammar(kinds, vocabulary)
    for example in islice(sample_questions(resources, 300, 2), 300):
        program = example.chains[0][0]
        assert vocabulary.knows(program), example.text
        assert grammar.whole(program), (example.text, program)
        assert not is_vacuous(parse(program), kinds)
        numbers = [int(t[1:]) for t in program if t[0] == "@"]
        assert sorted(numbers) == list(range(len(numbers))), example.text
        assert all(f"[{n} " in example.text for n in numbers)


def test_the_greatest_is_said_by_the_adjectives_of_the_lexicon(session: isomatch.Session) -> None:
    examples = list(sample_questions(session.resources, 400, 3))
    for adjective, operator in (("largest", "max"), ("smallest", "min")):
        programs = [e.chains[0][0] for e in examples if adjective in e.text]
        assert programs
        assert all({operator, f"{operator}:"} & {*program} for program in programs)


@pytest.mark.parametrize("code", ["en", "de"])
def test_every_language_has_every_sentence(code: str) -> None:
    made_up = language_of(code).made_up
    assert [key for key in MadeUp.model_fields if not getattr(made_up, key)] == []


def test_they_are_made_up_in_german_too() -> None:
    pytest.importorskip("simplemma", reason="pip install 'isomatch[languages]'")
    with opened(GRAPH, language="de") as session:
        texts = [e.text for e in sample_questions(session.resources, 40, 4)]
    assert any(text.startswith("Wie viele") for text in texts)
    assert not any("How many" in text for text in texts)

"""What hypotheses of a program model weigh, with a model whose programs have given shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

import isomatch
from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Along, Both, Named
from isomatch.interpret.compose.readings.beside_names import passes_again
from isomatch.interpret.programs import interpreter
from isomatch.interpret.programs.interpreter import ProgramInterpreter
from isomatch.interpret.programs.trust import Trust
from isomatch.interpret.registry import interpreter_of
from isomatch.interpret.types import Coverage, Interpreter, Span
from isomatch.lexicon.lexicon import Definition
from isomatch.trained.alignment import Program
from isomatch.trained.artifact import Artifact, ArtifactConfig
from isomatch.trained.precedents import Precedents
from isomatch.trained.program_vocabulary import ProgramVocabulary
from isomatch.trained.vocabulary import END

QUESTION = "Which rivers run through Oklahoma?"
RIVER = "type:http://example.org/River"
RIVERS: Program = ("-http://example.org/traverses", "@0")
SPELLED: Program = ("and", *RIVERS, RIVER)
COUNT: Program = ("count", *RIVERS)

Made = Callable[..., ProgramInterpreter]


class Shares:
    """A model that writes each of some programs with a given probability, and nothing else."""

    def __init__(self, shares: dict[Program, float], vocabulary: ProgramVocabulary):
        self._shares = {(0, *vocabulary.encode(p), END): share for p, share in shares.items()}
        self._numbers = len(vocabulary)

    def encode(self, texts: list[str]) -> None:
        """Every question is the same to it."""

    def decode(self, encoded: None, steps: Any) -> Any:
        found = np.full((*steps.shape[:2], self._numbers), 1e-30)
        for place in np.ndindex(steps.shape[:2]):
            begun = tuple(map(int, steps[place]))
            ahead = {w: s for w, s in self._shares.items() if w[: len(begun)] == begun}
            whole = 1.0 if len(begun) == 1 else sum(ahead.values()) or 1.0
            for written, share in ahead.items():
                found[(*place, written[len(begun)])] += share / whole
        return np.log(found).astype(np.float32)


class Said:
    """A channel that gives each of some programs, in words, a given score, and 0 to others."""

    def __init__(self, scores: dict[str, float]):
        self._scores = scores

    def scores(self, text: str, said: list[str]) -> list[float]:
        return [self._scores.get(one, 0.0) for one in said]


@pytest.fixture
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture
def made(session: isomatch.Session, monkeypatch: pytest.MonkeyPatch) -> Made:
    of = session.resources
    vocabulary = ProgramVocabulary.of(of.schema)

    def make(
        shares: dict[Program, float],
        trust: float = 0.0,
        said: dict[str, float] | None = None,
        by_words: Interpreter | None = None,
        **known: Any,
    ) -> ProgramInterpreter:
        config = ArtifactConfig(kind="programs", model={"longest": 8}, words=trust, **known)
        artifact = Artifact(Path(), config, programs=vocabulary)
        monkeypatch.setattr(interpreter, "ChainModel", lambda folder: Shares(shares, vocabulary))
        monkeypatch.setattr(interpreter, "Channel", lambda folder: Said(said or {}))
        return ProgramInterpreter(
            of.store, of.schema, of.embedder, of.lexicon, of.mentions, artifact, words=by_words
        )

    return make


def best(of: ProgramInterpreter) -> tuple[str, float]:
    hypothesis = of.interpret(QUESTION)[0]
    return str(hypothesis.pattern), hypothesis.score


def test_a_probable_program_has_nearly_all_of_the_score(made: Made) -> None:
    pattern, score = best(made({RIVERS: 0.9}))
    assert "traverses" in pattern
    assert score > 0.9


@pytest.mark.parametrize(("share", "is_doubted"), [(0.9, False), (0.003, True)])
def test_a_reading_that_is_hardly_certain_is_doubted(
    made: Made, share: float, is_doubted: bool
) -> None:
    first = made({RIVERS: share}).interpret(QUESTION)[0]
    assert (0.5 < first.score < first.doubted) is is_doubted


def test_what_nobody_checked_is_doubted_however_sure_but_not_what_all_words_say(
    made: Made, session: isomatch.Session
) -> None:
    of = made({COUNT: 0.99}, unchecked=True, by_words=interpreter_of(session.resources, "schema"))
    composed, decoded = of.interpret(QUESTION)[0], of.interpret(f"{QUESTION} Ships?")[0]
    assert composed.pattern.count is None
    assert (composed.source, composed.doubted) == ("schema", 0.0)
    assert decoded.pattern.count
    assert decoded.source == "programs"
    assert decoded.score < decoded.doubted == inf


def test_the_best_of_improbable_programs_is_not_certain(made: Made) -> None:
    pattern, score = best(made({RIVERS: 0.0003, COUNT: 0.00005}))
    assert "traverses" in pattern
    assert score < 0.5


def test_a_program_that_says_every_word_is_rather_meant(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "How many rivers run through Oklahoma?"
    made_of = made({RIVERS: 0.95, COUNT: 0.05})
    assert made_of.interpret(question)[0].pattern.count
    monkeypatch.setattr(interpreter, "MISSED", 0.0)
    assert not made_of.interpret(question)[0].pattern.count


def test_words_that_no_program_says_speak_against_none(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "How many rivers loudly and proudly run through Oklahoma?"
    before = made({COUNT: 0.9}).interpret(question)[0]
    assert before.coverage
    assert len(before.coverage.left_out) > 1
    monkeypatch.setattr(interpreter, "MISSED", 100.0)
    assert made({COUNT: 0.9}).interpret(question)[0].score == pytest.approx(before.score)


@pytest.mark.parametrize(("question", "trusted"), [(QUESTION, True), (f"{QUESTION} Ships?", False)])
def test_a_composed_reading_counts_as_it_was_right_in_training(
    made: Made, question: str, trusted: bool
) -> None:
    shares: dict[Program, float] = {COUNT: 0.008, RIVERS: 0.0001}  # it knows nothing like it
    alone, mixed = (made(shares, trust).interpret(question)[0] for trust in (0.0, 0.9))
    assert alone.score < 0.5
    assert (mixed.score > 0.5 and mixed.pattern.count is None) is trusted


def test_a_sure_decoder_is_not_outvoted_by_readings_that_were_often_wrong(made: Made) -> None:
    of = made({COUNT: 0.99, RIVERS: 0.001}, 0.1).interpret("How many rivers run through Oklahoma?")
    assert of[0].pattern.count
    assert of[0].score > 0.5


def test_a_decoder_is_not_asked_where_readings_were_mostly_right(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = made({COUNT: 0.99, RIVERS: 0.001}, 0.9)
    monkeypatch.setattr(of, "programs", None)
    (best,) = of.interpret(QUESTION)
    assert best.pattern.count is None
    assert best.score == 0.9


@pytest.mark.parametrize(
    ("question", "share", "trust", "composes"),
    [
        ("How many rivers run through Oklahoma?", 0.99, 0.1, False),
        ("How many rivers run through Oklahoma?", 0.72, 0.1, False),
        ("How many rivers run through Oklahoma?", 0.68, 0.1, True),
        ("How many rivers run through Oklahoma?", 0.99, 0.9, True),
        ("How many rivers run through Oklahoma?", 0.72, 0.45, True),
        ("How many rivers quickly run through Oklahoma?", 0.99, 0.1, True),
    ],
)
def test_nothing_is_composed_beside_a_sure_program_that_says_every_word(
    made: Made,
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    share: float,
    trust: float,
    composes: bool,
) -> None:
    def read(question: str, *program: Any) -> Coverage:
        spans = [Span(9, 15, "rivers", "type", "river"), Span(16, 23, "quickly", "word")]
        return Coverage(tuple(spans[:1]), tuple(spans[1:] if "quickly" in question else ()))

    asked = []

    def readings(*given: Any) -> list[Any]:
        asked.append(given)
        return []

    of = made({COUNT: share}, trust)
    monkeypatch.setattr(of._coverage, "read", read)
    monkeypatch.setattr(of, "_readings", readings)
    assert of.interpret(question)[0].pattern.count
    assert bool(asked) == composes


@pytest.mark.parametrize(("left_out", "looks"), [(False, False), (True, True)])
def test_improbable_programs_are_looked_for_beside_one_that_leaves_a_word_out(
    made: Made, monkeypatch: pytest.MonkeyPatch, left_out: bool, looks: bool
) -> None:
    def read(question: str, *program: Any) -> Coverage:
        spans = (Span(9, 15, "rivers", "type", "river"), Span(16, 19, "run", "word"))
        return Coverage(spans[:1], spans[1:] if left_out else ())

    of = made({COUNT: 0.99, SPELLED: 1e-5})
    found, programs = [], of.programs
    monkeypatch.setattr(of._coverage, "read", read)
    monkeypatch.setattr(of, "programs", lambda *given: found.append(programs(*given)) or found[0])
    monkeypatch.setattr(of._trust, "agreeing", 0.1)
    assert of.interpret("How many rivers run through Oklahoma?")[0].pattern.count
    assert (RIVERS in dict(found[0][0])) == looks


def test_what_answers_told_of_an_adjective_is_meant_by_it(made: Made) -> None:
    river = Definition("http://example.org/River", "http://example.org/length", ">", "2000")
    of = made({RIVERS: 0.9}, 0.6, definitions={"major river": river})
    best = of.interpret("Which major rivers run through Texas?")[0]
    assert best.pattern.where
    assert best.coverage
    assert not best.coverage.left_out
    assert best.score > 0.5


@pytest.mark.parametrize(
    ("text", "program", "likelier"),
    [
        ("which rivers run through [0 state]", RIVERS, True),
        ("which rivers run through [0 state]", COUNT, False),
        ("who is it", RIVERS, False),
    ],
)
def test_the_best_program_is_likelier_where_a_question_like_this_one_meant_it(
    made: Made, monkeypatch: pytest.MonkeyPatch, text: str, program: Program, likelier: bool
) -> None:
    of = made({RIVERS: 0.5, COUNT: 0.5})
    (first, second), learnt = of.interpret(QUESTION)[:2], Precedents.of([(text, program)])
    monkeypatch.setattr(of, "_vocabulary", replace(of._vocabulary, precedents=learnt))
    best, other = of.interpret(QUESTION)[:2]
    assert best.pattern == first.pattern
    assert (best.score > first.score, other.score < second.score) == (likelier, likelier)


def test_all_programs_of_a_question_have_the_whole_score(made: Made) -> None:
    found = made({RIVERS: 0.6, COUNT: 0.4}).interpret(QUESTION)
    assert sum(hypothesis.score for hypothesis in found) == pytest.approx(1, abs=0.01)


def test_the_spellings_of_a_program_are_one(made: Made, session: isomatch.Session) -> None:
    of = made({RIVERS: 0.3, SPELLED: 0.3, COUNT: 0.4})
    of._graph.begin()
    slots = of._slots.find(QUESTION, of._graph)
    programs, others = of.programs(QUESTION, slots)
    assert dict(programs) == {
        RIVERS: pytest.approx(np.log(0.6), abs=1e-3),
        COUNT: pytest.approx(np.log(0.4), abs=1e-3),
    }
    assert others == pytest.approx(0, abs=1e-3)


def test_what_makes_the_words_probable_is_rather_meant_than_what_is_written_easily(
    made: Made,
) -> None:
    said = {"river - traverses [0 state]": -30.0}
    shares = {RIVERS: 0.6, COUNT: 0.3}
    assert made(shares).interpret(QUESTION)[0].pattern.count is None
    assert made(shares, 0.0, said).interpret(QUESTION)[0].pattern.count is not None


def test_the_channel_is_not_asked_where_the_decoder_is_sure(made: Made) -> None:
    sure = made({RIVERS: 0.95, COUNT: 0.04}, 0.0, {"river - traverses [0 state]": -99.0})
    assert sure.interpret(QUESTION)[0].pattern.count is None


@pytest.mark.parametrize("nodes", ["walk", "repeat"])
def test_who_learnt_from_cypher_is_not_led_back_by_the_same_fact(made: Made, nodes: str) -> None:
    through = f"+{RIVERS[0][1:]}"
    of = made(
        {("-" + through[1:], through, "-" + through[1:], "@0"): 0.9, RIVERS: 0.05}, nodes=nodes
    )
    around, straight = of.interpret("Which rivers run through states of rivers of Oklahoma?")[:2]
    assert (around.options["nodes"], straight.options["nodes"]) == (nodes, "walk")


def test_a_fact_is_not_passed_again_later_either() -> None:
    email, knows = Step("email"), Step("knows")
    owner = Along(Named("a@b.org", None, frozenset()), email.inverse, frozenset())
    friends = Along(owner, knows, frozenset())
    assert passes_again(Along(friends, email, frozenset()))  # "emails of friends of the owner of"
    assert not passes_again(friends)
    both = Both(
        owner, Along(Named("Ann", None, frozenset()), email.inverse, frozenset()), owner.kinds
    )
    assert not passes_again(both)  # whose emails these are


@pytest.mark.parametrize(
    ("words", "validation", "share", "against"),
    [(0.5, 0.75, 0.4, 0.2), (0.9, 0.9, 0.9, 0.9), (0.3, None, 0.3, 0.3), (0.5, 1.0, 1 / 3, 0.0)],
)
def test_composed_readings_count_by_how_often_both_readers_were_right(
    tmp_path: Path, words: float, validation: float | None, share: float, against: float
) -> None:
    config = ArtifactConfig(kind="programs", words=words, training={"validation": validation})
    trust = Trust(Artifact(tmp_path, config))
    assert trust.agreeing == pytest.approx(share)
    assert trust.against == pytest.approx(against)


def test_a_composed_reading_counts_less_against_a_program_that_was_mostly_right(
    made: Made,
) -> None:
    shares: dict[Program, float] = {COUNT: 0.4, RIVERS: 0.0001}
    found = []
    for decoder in (0.0, 0.9):
        of = made(shares, 0.6, training={"validation": decoder})
        found.append(of.interpret(QUESTION)[0])
    assert found[0].pattern.count is None  # the reading comes before the program
    assert found[1].pattern.count

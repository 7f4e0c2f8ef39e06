"""How probable the words of a question are, given programs."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

from isomatch.errors import ArtifactError
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.tree import in_words
from isomatch.trained import channel
from isomatch.trained.alignment import Alignment
from isomatch.trained.artifact import VOCABULARY
from isomatch.trained.channel import Channel, WordVocabulary
from isomatch.trained.vocabulary import FIRST

ASKED = ["Friends of [0 person]?", "relatives of friends of [0 person]", "friends of [1 person]"]
NS = "http://example.org/"


class Echo:
    """A model that says the words of a program in their order, and any other rarely."""

    def __init__(self, words: WordVocabulary):
        self._words = words

    def encode(self, said: list[str]) -> list[list[int]]:
        return [self._words.encode(self._words.written(one)) for one in said]

    def decode(self, encoded: list[list[int]], steps: Any) -> Any:
        found = np.full((*steps.shape, len(self._words)), 0.01)
        for row, numbers in enumerate(encoded):
            for place in range(min(steps.shape[2], len(numbers))):
                found[row, 0, place, numbers[place]] = 0.9
        return np.log(found)


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Channel:
    words = WordVocabulary.of(ASKED)
    (tmp_path / VOCABULARY).write_text(json.dumps(words.form()))
    monkeypatch.setattr(channel, "ChainModel", lambda folder: Echo(words))
    return Channel(tmp_path)


def test_a_program_that_says_all_words_makes_them_more_probable(spoken: Channel) -> None:
    whole, less = spoken.scores(ASKED[1], [ASKED[1], "friends of [0 person]"])
    assert whole > less


def test_words_of_one_question_only_are_not_known() -> None:
    words = WordVocabulary.of(ASKED)
    assert words.written(ASKED[1]) == ("?", "of", "friends", "of", "@0")
    assert min(words.encode(words.written(ASKED[1]))) == FIRST


def test_a_question_of_very_many_words_is_cut(spoken: Channel) -> None:
    (score,) = spoken.scores("friends of " * 100, ["friends"])
    assert score > 61 * np.log(0.01) - 1


def test_a_damaged_channel_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / VOCABULARY).write_text("{}")
    with pytest.raises(ArtifactError, match="train it again"):
        Channel(tmp_path)


def test_a_channel_that_weighs_one_word_at_a_time_is_refused(
    spoken: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Echo, "decode", lambda self, encoded, steps: np.zeros((1, 1, 9)))
    with pytest.raises(ArtifactError, match="train it again"):
        spoken.scores(ASKED[1], ["friends"])


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (("count", f"-{NS}traverses", "@0"), "how many river - traverses [0 state]"),
        (
            ("and", f"-{NS}traverses", "@0", f"type:{NS}River"),
            "( river - traverses [0 state] ) and ( river )",
        ),
        (
            ("max", f"+{NS}length", f"type:{NS}River"),
            "river , with greatest length",
        ),
        (("max:", f"+{NS}length", f"type:{NS}River"), "greatest length of river"),
        ((">", f"+{NS}length", "@0", f"type:{NS}River"), "river , with more than length [0 state]"),
    ],
)
def test_a_program_is_said_in_the_words_of_its_graph(program: tuple[str, ...], said: str) -> None:
    with opened(GRAPH) as session:
        kinds = GraphKinds(session.resources.schema, session.resources.lexicon)
    assert in_words(program, "Which rivers run through [0 state]?", kinds) == said


def test_a_pair_of_words_says_the_token_that_it_was_seen_with() -> None:
    seen = [
        (["phone", "number", "of", "@0"], ("+:PHONE", "@0")),
        (["number", "of", "films", "of", "@0"], ("count", "+:FILM", "@0")),
    ] * 3
    said = Alignment.learn(seen, (), seen)
    assert said.of_pair("phone number", ["+:PHONE", "count"]) == "+:PHONE"
    assert said.of_pair("number phone", ["+:PHONE", "count"]) == ""
    assert Alignment.read(said.form()) == said
    with pytest.raises(ArtifactError, match="train it again"):
        Alignment.read({**said.form(), "pairs": {"phone number": 3}})


def test_the_example_of_a_channel_runs() -> None:
    assert doctest.testmod(channel).failed == 0

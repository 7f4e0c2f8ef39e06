"""How probable words are, given programs."""

from __future__ import annotations

import doctest

import pytest

from isomatch.errors import ArtifactError
from isomatch.interpret.programs.slots import heard
from isomatch.trained import channel
from isomatch.trained.channel import Channel

SEEN = [
    (["friends", "of", "@person"], ("~:FRIEND", "@0")),
    (["relatives", "of", "@person"], ("~:FAMILY", "@0")),
    (["relatives", "of", "friends", "of", "@person"], ("~:FAMILY", "~:FRIEND", "@0")),
    (["who", "called", "@phone"], ("+:CALLER", "-:CALLED", "@0")),
    (["who", "was", "called", "by", "@phone"], ("+:CALLED", "-:CALLER", "@0")),
] * 3
LEARNED = Channel.learn(SEEN)


@pytest.mark.parametrize(("words", "program"), SEEN[:5])
def test_the_program_that_words_were_seen_with_is_the_most_probable(
    words: list[str], program: tuple[str, ...]
) -> None:
    every = {other for _, other in SEEN}
    assert max(sorted(every), key=lambda other: LEARNED.score(words, other)) == program


def test_a_word_that_nothing_of_a_program_speaks_for_counts_against_it() -> None:
    words = ["relatives", "of", "friends", "of", "@person"]
    whole, less = ("~:FAMILY", "~:FRIEND", "@0"), ("~:FAMILY", "@0")
    assert LEARNED.score(words, whole) > LEARNED.score(words, less)


def test_words_that_were_never_seen_count_alike_for_all() -> None:
    scores = {LEARNED.score(["unheard"], program) for _, program in SEEN}
    assert len(scores) == 1


def test_a_channel_is_read_as_it_was_written() -> None:
    assert Channel.read(LEARNED.form()) == LEARNED
    with pytest.raises(ArtifactError, match="damaged"):
        Channel.read({"words": {}})


def test_a_name_is_heard_as_what_it_is() -> None:
    assert heard("Which [0 post code] is in [1 area or city]?") == [
        "which", "@post_code", "is", "in", "@area_or_city",
    ]  # fmt: skip


def test_the_example_of_a_channel_runs() -> None:
    assert doctest.testmod(channel).failed == 0
